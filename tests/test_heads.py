"""Trees of tokens that are several words, and heads that lead back to themselves."""

from itertools import pairwise, product

from hypothesis import given
from hypothesis import strategies as st

from spacy_nonmono.shapes import UNKNOWN_HEAD
from spacy_nonmono.tokens.heads import contract, main_word, words_on_cycles

from .naive import contraction
from .naive.trees import all_trees, is_tree, n_roots


def groupings(n: int) -> list[list[range]]:
    """Every way to cut n words into tokens."""
    found = []
    for cuts in product((False, True), repeat=max(n - 1, 0)):
        bounds = [0, *(k for k, cut in enumerate(cuts, start=1) if cut), n]
        found.append([range(start, end) for start, end in pairwise(bounds) if end > start])
    return found


def test_the_main_word():
    assert main_word([1, -1, 3, 1], range(2, 4)) == 3  # 2 depends on 3, whose head lies outside
    assert main_word([2, 2, -1], range(0, 2)) == 0  # at the same depth the first
    assert main_word([1, 2, 3, -1], [0, 2]) == 2  # nearer to the root
    assert main_word([UNKNOWN_HEAD, 2, -1], range(0, 2)) == 1  # what is known
    assert main_word([UNKNOWN_HEAD, UNKNOWN_HEAD], range(0, 2)) == 0
    assert main_word([UNKNOWN_HEAD, 2, 0, -1], range(0, 2)) == 0  # 1 is below 0


def test_circles_become_unknown():
    heads = [UNKNOWN_HEAD, 2, UNKNOWN_HEAD, 0, -1, 0]
    groups = [range(0, 2), range(2, 4), range(4, 5), range(5, 6)]
    assert contract(heads, groups) == [UNKNOWN_HEAD, UNKNOWN_HEAD, -1, 0]
    assert contract([1, 0], [range(0, 2)]) == [UNKNOWN_HEAD]  # a circle of words
    assert contract([], []) == []


def test_contraction_of_all_heads_of_four_words():
    for n in range(5):
        for heads in product(range(UNKNOWN_HEAD, n), repeat=n):
            for groups in groupings(n):
                found = contract(heads, groups)
                assert found == contraction.contract(heads, groups)
                assert not words_on_cycles(found)


def test_trees_stay_trees():
    for n in range(6):
        for heads in all_trees(n):
            for groups in groupings(n):
                found = contract(heads, groups)
                assert is_tree(found) and n_roots(found) <= n_roots(heads)


@given(st.data())
def test_contraction_of_long_sentences(data: st.DataObject):
    n = data.draw(st.integers(1, 15))
    heads = data.draw(st.lists(st.integers(UNKNOWN_HEAD, n - 1), min_size=n, max_size=n))
    cuts = sorted(data.draw(st.sets(st.integers(1, n))) | {0, n})
    groups = [range(start, end) for start, end in pairwise(cuts)]
    assert contract(heads, groups) == contraction.contract(heads, groups)


def test_words_on_cycles():
    assert words_on_cycles([1, 2, 0, 0, -1, 4, None, 6]) == {0, 1, 2}
    assert words_on_cycles([0, 0]) == {0}
    assert words_on_cycles([]) == set()
