"""Plots of made-up results: what the lines and cells show."""

import math

import numpy as np
import pytest

from spacy_nonmono.drawing.plots import draw_calibration
from spacy_nonmono.evaluation.calibration import bin_scores
from spacy_nonmono.evaluation.names import DOCUMENTS, GOLD_SENTENCES
from spacy_nonmono.lab.plots import draw, draw_costs
from spacy_nonmono.lab.table import make_table
from tests.lab.made_up import make_cells, make_result

pytest.importorskip("matplotlib")


def bench(treebanks, runs, n_seeds=2):
    cells = make_cells(treebanks, runs, n_seeds)
    results = {cell.key: make_result(cell, n_sentences=20) for cell in cells}
    # The table holds no more than one setting: plots can show the other one, too
    return make_table(cells[:1], results, part="test", settings=[DOCUMENTS]) | {
        "cells": make_table(cells, results, part="test", settings=[])["cells"]
    }, results


def panels(figure):
    return [axes for axes in figure.axes if axes.get_title()]


def test_sentence_lengths(tmp_path):
    table, results = bench(["x", "y", "z", "w"], ["a", "b"])
    figure = draw("sentence-length", table, results, setting=GOLD_SENTENCES)
    assert [axes.get_title() for axes in panels(figure)] == ["x", "y", "z", "w"]
    axes = panels(figure)[1]
    labels = [label.get_text().partition("\n")[0] for label in axes.get_xticklabels()]
    assert labels == ["1-10", "11-20", "21-30", "31-40", "41-50", "51+"]
    container = axes.containers[1]
    line, caps, _ = container.lines
    assert container.get_label() == "b" and len(caps) == 2
    # By hand: LAS of the sentences of 11 to 20 words
    las = []
    for seed in range(2):
        counts = results[f"y-b-{seed}"]["parts"]["test"][GOLD_SENTENCES]["sentences"]
        rows = list(zip(counts["lengths_S"], counts["labelled_S"], counts["words_S"], strict=True))
        right = sum(right for length, right, _ in rows if 11 <= length <= 20)
        las.append(100 * right / sum(words for length, _, words in rows if 11 <= length <= 20))
    assert line.get_ydata()[1] == pytest.approx(sum(las) / 2)
    low, high = (cap.get_ydata()[1] for cap in caps)
    assert (high - low) / 2 == pytest.approx(abs(las[0] - las[1]) / math.sqrt(2))
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["a", "b"]
    figure.savefig(tmp_path / "plot.png")
    assert (tmp_path / "plot.png").stat().st_size > 0


def test_arc_lengths_of_one_seed():
    table, results = bench(["x"], ["a"], n_seeds=1)
    figure = draw("arc-length", table, results, setting=DOCUMENTS)
    (axes,) = panels(figure)
    line, caps, _ = axes.containers[0].lines
    assert caps == ()
    arcs = results["x-a-0"]["parts"]["test"][DOCUMENTS]["arcs"]
    assert line.get_ydata()[0] == pytest.approx(100 * arcs["1"][1] / arcs["1"][0])
    assert line.get_xdata().tolist() == list(range(len(line.get_ydata())))


@pytest.mark.parametrize(
    ("kind", "name"), [("part-of-speech", "tags"), ("part-of-speech-far", "far_tags")]
)
def test_tags(tmp_path, kind, name):
    table, results = bench(["x"], ["a", "b"])
    figure = draw(kind, table, results, setting=GOLD_SENTENCES)
    (axes,) = panels(figure)
    counts = results["x-a-0"]["parts"]["test"][GOLD_SENTENCES][name]
    words, heads = zip(*(numbers[:2] for numbers in counts.values()), strict=True)
    labels = [label.get_text() for label in axes.get_xticklabels()]
    assert labels == [f"{tag}\n({n})" for tag, n in zip(counts, words, strict=True)]
    line, _, _ = axes.containers[0].lines
    assert line.get_linestyle() == "None"
    _, other_heads, *_ = next(iter(results["x-a-1"]["parts"]["test"][GOLD_SENTENCES][name].values()))
    mean = 100 * (1 - (heads[0] + other_heads) / (2 * words[0]))
    assert line.get_ydata()[0] == pytest.approx(mean)
    figure.savefig(tmp_path / "plot.png")


def test_tags_of_no_far_arc():
    table, results = bench(["x"], ["a"], n_seeds=1)
    found = results["x-a-0"]["parts"]["test"][GOLD_SENTENCES]
    found["far_tags"] = {tag: [0] * 6 for tag in found["far_tags"]}
    (axes,) = panels(draw("part-of-speech-far", table, results, setting=GOLD_SENTENCES))
    assert axes.get_xticklabels()[0].get_text() == "NOUN\n(0)"


def test_heat_map():
    runs = ["k=1 p=0.5", "k=1 p=1.0", "k=10 p=0.5", "k=2 p=0.5"]
    table, results = bench(["x", "y"], runs)
    figure = draw("heat-map", table, results, setting=GOLD_SENTENCES)
    axes = panels(figure)[0]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["0.5", "1.0"]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["1", "2", "10"]
    uas_KP = axes.images[0].get_array().filled(np.nan)
    assert np.isnan(uas_KP).tolist() == [[False, False], [False, True], [False, True]]
    scores = [
        results[f"x-k=10 p=0.5-{seed}"]["parts"]["test"][GOLD_SENTENCES]["scores"]["uas"]
        for seed in range(2)
    ]
    assert uas_KP[2, 0] == pytest.approx(50 * sum(scores))
    assert f"{uas_KP[2, 0]:.2f}" in [text.get_text() for text in axes.texts]
    assert len(axes.texts) == 4


def test_heat_map_of_other_names():
    table, results = bench(["x"], ["k=1 p=0.5", "plain"])
    with pytest.raises(ValueError, match=r"\[NM168\].*'plain'"):
        draw("heat-map", table, results, setting=GOLD_SENTENCES)


def test_calibration(tmp_path):
    scores_N = np.array([0.05, 0.3, 0.4, 0.9, 1.0, 0.95])
    right_N = np.array([False, True, False, True, True, False])
    calibration = bin_scores(scores_N, right_N, n_bins=5)
    figure = draw_calibration(calibration, title="made up")
    diagram, histogram = figure.axes
    assert diagram.get_title() == f"made up\nexpected calibration error {calibration.error:.3f}"
    diagonal, line = diagram.lines
    assert diagonal.get_xydata().tolist() == [[0, 0], [1, 1]]
    # The bins from 0.4 to 0.8 are empty
    assert line.get_xdata() == pytest.approx([0.05, 0.35, 0.95])
    assert line.get_ydata() == pytest.approx([0, 1 / 2, 2 / 3])
    (stairs,) = histogram.patches
    assert stairs.get_data().values.tolist() == [1, 2, 0, 0, 3]
    figure.savefig(tmp_path / "plot.png")
    assert (tmp_path / "plot.png").stat().st_size > 0


def test_costs():
    figure = draw_costs({"small": (20_000, 85.0), "large": (10_000, 86.5)}, title="Treebank")
    (axes,) = figure.axes
    assert [text.get_text() for text in axes.texts] == ["small", "large"]
    points = [container.lines[0].get_xydata().tolist() for container in axes.containers]
    assert points == [[[20_000, 85.0]], [[10_000, 86.5]]]
