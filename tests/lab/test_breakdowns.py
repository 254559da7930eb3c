"""Where runs err, against the scores that the cells hold."""

from statistics import mean

import pytest

from spacy_nonmono.evaluation.names import GOLD_SENTENCES
from spacy_nonmono.lab.breakdowns import break_down_cells, mean_breakdown
from spacy_nonmono.lab.counts import CROSSING_ARCS, CROSSING_SENTENCES, PROJECTIVE_SENTENCES
from spacy_nonmono.lab.table import make_table
from tests.lab.made_up import make_cells, make_result


@pytest.fixture(scope="module")
def bench():
    cells = make_cells(["x", "y"], ["one", "two"], 2)
    results = {
        cell.key: make_result(cell, accuracy=0.9 if cell.run.name == "two" else 0.7) for cell in cells
    }
    # Of one run: there are no p-values to compute
    return make_table(cells[:1], results, part="test", settings=[GOLD_SENTENCES]), results


def test_break_down(bench):
    table, results = bench
    keys = {
        bank: {run: [f"{bank}-{run}-{seed}" for seed in range(2)] for run in ("one", "two")}
        for bank in "xy"
    }
    found = break_down_cells({**table, "cells": keys}, results, setting=GOLD_SENTENCES)
    assert [list(runs) for runs in found.values()] == [["one", "two"]] * 2
    for bank, runs in found.items():
        for run, broken in runs.items():
            assert list(broken["arcs"])[:5] == [
                "arcs to the root",
                "arcs of length 1",
                "arcs of length 2",
                "arcs of length 3-7",
                "arcs of length 8+",
            ]
            of_seeds = [results[key]["parts"]["test"][GOLD_SENTENCES] for key in keys[bank][run]]
            # The gold trees of both seeds are the same, so the recall is a mean
            recall = mean(each["scores"]["nonproj_r"] for each in of_seeds)
            assert broken["arcs"][CROSSING_ARCS][1] == pytest.approx(recall)
            words = [sum(each["sentences"]["words_S"]) for each in of_seeds]
            n_hard = [each["groups"][CROSSING_SENTENCES][0] for each in of_seeds]
            right = broken["words"][CROSSING_SENTENCES][0] * sum(n_hard)
            right += broken["words"][PROJECTIVE_SENTENCES][0] * (sum(words) - sum(n_hard))
            uas = mean(each["scores"]["uas"] for each in of_seeds)
            assert right / sum(words) == pytest.approx(uas)
            assert 0 < broken["share_after_error"] < 1
    assert found["x"]["one"]["share_after_error"] > found["x"]["two"]["share_after_error"]
    means = mean_breakdown([found["x"]["one"], found["y"]["one"]])
    for place in range(2):
        pairs = [found[bank]["one"]["arcs"]["arcs of length 8+"][place] for bank in "xy"]
        expected = None if None in pairs else mean(pairs)
        assert expected is None or means["arcs"]["arcs of length 8+"][place] == expected


def test_means_of_nothing():
    broken = {
        "arcs": {"a": (None, 0.5)},
        "words": {name: (None, None) for name in ("projective sentences", "non-projective sentences")},
        "share_after_error": None,
    }
    broken["words"]["after the first error"] = (0.25, 0.0)
    other = {**broken, "arcs": {"a": (0.5, 1.0)}}
    means = mean_breakdown([broken, other])
    assert means["arcs"]["a"] == (0.5, 0.75)
    assert means["words"]["projective sentences"] == (None, None)
    assert means["words"]["after the first error"] == (0.25, 0.0)
    assert means["share_after_error"] is None
