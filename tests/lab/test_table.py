"""The table, against means and differences computed word by word."""

import copy
from statistics import mean, stdev

import pytest
import srsly

from spacy_nonmono.evaluation.names import (
    COLUMNS,
    DOCUMENTS,
    GOLD_SENTENCES,
    SETTINGS,
    TESTED_COLUMNS,
)
from spacy_nonmono.lab.benchmark import write_cell
from spacy_nonmono.lab.table import TABLE, Row, make_table, read_table
from tests.lab.made_up import make_cells, make_result

ACCURACY = {"good": 0.85, "better": 0.9, "same": 0.85}


@pytest.fixture(scope="module")
def bench():
    cells = make_cells(["x", "y"], ["good", "better", "same"], 3)
    results = {cell.key: make_result(cell, accuracy=ACCURACY[cell.run.name]) for cell in cells}
    return cells, results


def test_rows(bench):
    cells, results = bench
    table = make_table(cells, results, part="test", settings=SETTINGS)
    assert table["reference"] == "good"
    assert table["seeds"] == [0, 1, 2]
    assert [made["date"] for made in table["made"]] == ["2026-01-01", "2026-01-02", "2026-01-03"]
    assert list(table["rows"]) == ["x", "y"]
    assert list(table["rows"]["x"]) == [GOLD_SENTENCES, DOCUMENTS]
    for treebank, by_setting in table["rows"].items():
        for setting, rows in by_setting.items():
            assert [row["run"] for row in rows] == ["good", "better", "same"]
            for row in rows:
                for name in ("uas", "las"):
                    of = {
                        run: [
                            results[f"{treebank}-{run}-{seed}"]["parts"]["test"][setting]["scores"][name]
                            for seed in range(3)
                        ]
                        for run in ("good", row["run"])
                    }
                    assert row[name] == pytest.approx(mean(of[row["run"]]))
                    assert row[f"{name}_sd"] == pytest.approx(stdev(of[row["run"]]))
                    if row["run"] == "good":
                        assert row[f"{name}_difference"] is row[f"{name}_p"] is None
                    else:
                        difference = mean(of[row["run"]]) - mean(of["good"])
                        assert row[f"{name}_difference"] == pytest.approx(difference)
            good, better, same = rows
            assert better["uas_p"] < 0.001 < 0.02 < same["uas_p"]
            assert good["training_speed"] == 1.0
            assert better["training_speed"] == better["parsing_speed"] == 7000 / 5000
            for name in ("sents_f", "nonproj_r", "ucm", "lcm_no_punct", "las_no_punct"):
                scores = [
                    results[f"{treebank}-better-{seed}"]["parts"]["test"][setting]["scores"][name]
                    for seed in range(3)
                ]
                assert better[name] == pytest.approx(mean(scores))
            assert better["model_size"] == 4_000_000
            assert better["gold_tags"] is False
            # Over all bins, the seeds together
            words = sum(bin["words"] for bin in better["sentence_lengths"])
            right = sum(bin["words"] * bin["uas"] for bin in better["sentence_lengths"])
            assert right / words == pytest.approx(better["uas"])
            assert [bin["bin"] for bin in better["arc_lengths"]] == ["1", "2", "3-6", "7+"]
            roots = 3 * 60  # seeds and sentences
            assert sum(bin["gold"] for bin in better["arc_lengths"]) == words - roots


def test_another_reference_part_and_setting(bench):
    cells, results = bench
    table = make_table(cells, results, part="dev", settings=[DOCUMENTS], reference="better")
    assert list(table["rows"]["y"]) == [DOCUMENTS]
    good, better, _ = table["rows"]["y"][DOCUMENTS]
    assert better["las_p"] is None and good["las_difference"] < 0
    other = make_table(cells, results, part="test", settings=[DOCUMENTS])
    assert good["uas"] != other["rows"]["y"][DOCUMENTS][0]["uas"]


def test_one_seed_has_no_deviation(bench):
    cells, results = bench
    table = make_table(cells[:1], results, part="test", settings=SETTINGS)
    (row,) = table["rows"]["x"][DOCUMENTS]
    assert row["uas_sd"] is row["las_sd"] is row["uas_p"] is None


def test_a_part_without_known_heads(bench):
    cells, results = bench
    (cell, *_) = cells
    bare = copy.deepcopy(results[cell.key])
    for scores in (one["scores"] for part in bare["parts"].values() for one in part.values()):
        scores.update(dict.fromkeys([*TESTED_COLUMNS, *COLUMNS]))
    table = make_table([cell], {cell.key: bare}, part="test", settings=SETTINGS)
    (row,) = table["rows"]["x"][DOCUMENTS]
    assert row["uas"] is row["las_sd"] is row["ucm"] is None


def test_rows_have_the_scores_of_all_columns():
    assert {*TESTED_COLUMNS, *COLUMNS} <= set(Row.__annotations__)


def test_errors(bench):
    cells, results = bench
    with pytest.raises(ValueError, match=r"\[NM104\].*'best'.*good, better, same"):
        make_table(cells, results, part="test", settings=SETTINGS, reference="best")
    others = {cell.key: make_result(cell, n_sentences=5) for cell in cells[1:2]}
    with pytest.raises(ValueError, match=r"\[NM165\]"):
        make_table(cells[:2], {**results, **others}, part="test", settings=SETTINGS)


def test_training_speed_that_is_not_known(bench):
    cells, results = bench
    slow = {**results[cells[0].key], "training": {**results[cells[0].key]["training"]}}
    slow["training"]["words_per_second"] = None
    table = make_table(
        cells[:2], {**results, cells[0].key: slow}, part="test", settings=[DOCUMENTS]
    )
    rows = table["rows"]["x"][DOCUMENTS]
    assert [row["training_speed"] for row in rows] == [1.0, None]


def test_read_table(bench, tmp_path):
    cells, results = bench
    with pytest.raises(FileNotFoundError, match=r"\[NM167\].*table.json"):
        read_table(tmp_path)
    table = make_table(cells, results, part="test", settings=[DOCUMENTS])
    srsly.write_json(tmp_path / TABLE, table)
    (tmp_path / "cells").mkdir()
    for result in results.values():
        write_cell(tmp_path, result)
    found, cells_found = read_table(tmp_path)
    assert found["cells"] == table["cells"]
    assert list(found["rows"]["x"]) == [DOCUMENTS]
    assert set(cells_found) == set(results)
