"""The static oracle rebuilds the trees whose arcs fit in two planes, and no others."""

import random

import pytest
import twin

from spacy_nonmono import get_oracle, get_system
from spacy_nonmono.lab.oracle_report import make_trees, round_trip


def rebuilds(heads):
    system = get_system("two_planar")
    oracle = get_oracle(None, system)
    state = system.initial_state(len(heads))
    while not state.is_final:
        try:
            (move,) = oracle.optimal(state, heads)
        except ValueError as error:
            assert "NM007" in str(error)
            return False
        system.apply(state, move)
    assert system.heads(state) == list(heads)
    return True


@pytest.mark.parametrize("n", range(6))
def test_all_short_trees(n):
    for heads in twin.all_trees(n):
        assert rebuilds(heads) == twin.fits_in_two_planes(heads)


def test_longer_trees():
    numbers = random.Random(0)
    seen = {True: 0, False: 0}
    while min(seen.values()) < 100:
        n = numbers.randint(6, 8)
        heads = [numbers.randint(-1, n - 1) for _ in range(n)]
        if not twin.is_tree(heads):
            continue
        fits = twin.fits_in_two_planes(heads)
        if seen[fits] < 100:
            seen[fits] += 1
            assert rebuilds(heads) == fits, heads


def test_switches_late_and_reduces_early():
    system = get_system("two_planar")
    oracle = get_oracle(None, system)
    state = system.initial_state(4)
    moves = []
    while not state.is_final:
        moves += oracle.optimal(state, [2, -1, 1, 1])
        system.apply(state, moves[-1])
    assert moves == [
        *("shift", "shift", "right_arc", "reduce", "left_arc", "reduce", "shift", "reduce"),
        *("switch", "reduce", "right_arc", "reduce", "reduce", "shift"),
    ]


def test_report_says_nothing_of_what_could_be_built():
    trees = [heads for heads in twin.all_trees(4) if heads.count(-1) == 1]
    lengths, heads = [len(heads) for heads in trees], [head for heads in trees for head in heads]
    report = round_trip(make_trees(lengths, heads, [-1] * len(heads), {}))
    (row,) = [row for row in report if row["system"] == "two_planar"]
    assert row["rebuilt"] == row["trees"] == len(trees)
    assert row["buildable"] is None and not row["failed"]
