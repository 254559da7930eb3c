"""Running cells: resuming, failing, and one tiny training from end to end."""

import json
import sys
from pathlib import Path

import pytest
import spacy
import srsly

from spacy_nonmono.evaluation.evaluate import evaluate
from spacy_nonmono.evaluation.made import made_here
from spacy_nonmono.evaluation.speed_logger import create_speed_logger
from spacy_nonmono.lab import benchmark
from spacy_nonmono.lab.benchmark import run_cell, run_cells
from spacy_nonmono.lab.cells import Run
from spacy_nonmono.lab.cells import make_cells as make_real_cells
from tests.lab.made_up import make_cells, make_result, make_treebank

CONFIG = Path(__file__).parents[2] / "configs" / "neural.cfg"
TINY = {
    "nlp.lang": "xx",
    "training.max_steps": 4,
    "training.eval_frequency": 2,
    "components.tok2vec.model.encode.width": 8,
    "components.tok2vec.model.encode.depth": 1,
    "components.tok2vec.model.embed.attrs": ["NORM", "SHAPE"],
    "components.tok2vec.model.embed.rows": [50, 50],
}


@pytest.fixture
def made_up_runs(monkeypatch):
    """Replaces trainings; gives the keys of the cells that are run, in their order."""
    keys = []

    def run(cell, output, *, keep_model=False):
        keys.append(cell.key)
        if "bad" in cell.key:
            raise RuntimeError("bad")
        result = make_result(cell, n_sentences=3)
        (output / "cells").mkdir(parents=True, exist_ok=True)
        benchmark.write_cell(output, result)
        return result

    monkeypatch.setattr(benchmark, "run_cell", run)
    return keys


def test_finished_cells_are_not_run_again(made_up_runs, tmp_path):
    cells = make_cells(["bank"], ["a", "b"], 2)
    first = run_cells(cells[:3], tmp_path)
    assert made_up_runs == [cell.key for cell in cells[:3]]
    told = []
    results = run_cells(cells, tmp_path, report=told.append)
    assert made_up_runs == [cell.key for cell in cells]
    assert told == [
        "[1/4] bank, a, seed 0: known",
        "[2/4] bank, b, seed 0: known",
        "[3/4] bank, a, seed 1: known",
        "[4/4] bank, b, seed 1: started",
        "[4/4] bank, b, seed 1: 0 seconds",
    ]
    assert set(results) == {cell.key for cell in cells}
    again = results[cells[0].key]["parts"]["test"]["documents"]["arcs"]
    assert again == first[cells[0].key]["parts"]["test"]["documents"]["arcs"]


def damages(text):
    """A cell's file cut, with other things in it, or with something missing."""
    result = json.loads(text)
    yield from ("", text[:-20], text[: len(text) // 2], "null", "[]", "{}", "\udcff" + text, "3")
    for name in ("key", "gold_tags", "training", "model_size", "parts", "fingerprint"):
        yield json.dumps({key: value for key, value in result.items() if key != name})
    for path, value in (
        (["key"], "other"),
        (["model_size"], "big"),
        (["training", "words_per_second"], float("nan")),
        (["training", "seconds"], None),
        (["parts", "dev"], {}),
        (["parts", "test", "documents", "scores", "uas"], None),
        (["parts", "test", "documents", "scores", "las"], "0.5"),
        (["parts", "test", "documents", "sentences", "words_S"], [1]),
        (["parts", "test", "documents", "arcs", "1"], [[1]]),
        (["parts", "test", "documents", "arcs", "1"], ["x"]),
        (["parts", "test", "documents", "arcs"], None),
        (["parts", "test", "documents", "groups", "crossing arcs"], [1, 2]),
        (["parts", "test", "documents", "groups"], {}),
    ):
        changed = json.loads(text)
        inner = changed
        for name in path[:-1]:
            inner = inner[name]
        inner[path[-1]] = value
        yield json.dumps(changed)


def test_damaged_cells_are_run_again(made_up_runs, tmp_path):
    cells = make_cells(["bank"], ["a", "b"], 1)
    first = run_cells(cells, tmp_path)
    path = benchmark.cell_path(tmp_path, cells[0].key)
    text = path.read_text()
    for damaged in damages(text):
        path.write_bytes(damaged.encode("utf-8", "surrogateescape"))
        made_up_runs.clear()
        assert run_cells(cells, tmp_path)[cells[0].key] == first[cells[0].key]
        assert made_up_runs == [cells[0].key], damaged[:200]
        assert path.read_text() == text
    made_up_runs.clear()
    (path.parent / ".nonmono-0123.tmp").write_text(text[:50])
    assert set(run_cells(cells, tmp_path)) == set(first) and not made_up_runs


def test_output_that_cannot_be_written(tmp_path):
    (tmp_path / "output").touch()
    (cell,) = make_cells(["bank"], ["a"], 1)
    with pytest.raises(OSError, match=r"\[NM169\] .*output/cells cannot be written: Not a directory"):
        run_cells([cell], tmp_path / "output")


def test_the_same_run_under_two_names_is_run_once(made_up_runs, tmp_path):
    (cell,) = make_cells(["bank"], ["a"], 1)
    assert list(run_cells([cell, cell], tmp_path)) == made_up_runs == [cell.key]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_failure_ends_the_benchmark_but_keeps_what_is_done(made_up_runs, tmp_path, jobs):
    cells = make_cells(["bank"], ["good", "bad"], 1) + make_cells(["other"], list("abcdef"), 1)
    with pytest.raises(RuntimeError, match="bad"):
        run_cells(cells, tmp_path, jobs=jobs)
    assert benchmark.cell_path(tmp_path, cells[0].key).exists()
    made_up_runs.clear()
    good = [cell for cell in cells if cell.run.name != "bad"]
    run_cells(good, tmp_path, jobs=jobs)
    assert cells[0].key not in made_up_runs


def test_a_training_that_fails(monkeypatch, tmp_path):
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho no such section\nexit 3\n")
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    treebank = make_treebank(tmp_path / "bank")
    (cell,) = make_real_cells([treebank], [Run("mine", CONFIG, {})], seeds=[7])
    output = tmp_path / "output"
    text = r"(?s)\[NM163\].*'mine' on 'bank' with seed 7.*code 3"
    with pytest.raises(RuntimeError, match=text) as error:
        run_cell(cell, output)
    assert str(error.value).endswith("no such section")
    assert (output / "logs" / f"{cell.key}.log").read_text() == "no such section\n"
    assert list((output / "cells").iterdir()) == list((output / "models").iterdir()) == []


def test_an_interrupted_cell_leaves_nothing(monkeypatch, tmp_path):
    def train(*arguments, folder, **others):
        (folder / "model-best").mkdir()
        raise KeyboardInterrupt

    monkeypatch.setattr(benchmark, "train", train)
    (cell,) = make_cells(["bank"], ["a"], 1)
    with pytest.raises(KeyboardInterrupt):
        run_cell(cell, tmp_path)
    assert not benchmark.cell_path(tmp_path, cell.key).exists()
    assert list((tmp_path / "models").iterdir()) == []


def test_a_system_that_does_not_tell_memory(monkeypatch, tmp_path):
    monkeypatch.delattr("os.wait4")
    with pytest.raises(RuntimeError, match="NM172"):
        run_cells(make_cells(["bank"], ["a"], 1), tmp_path)


def test_speed_logger(monkeypatch, tmp_path):
    seen = []

    def inner(nlp, stdout, stderr):
        return seen.append, lambda: seen.append("end")

    path = tmp_path / "speed.json"
    clock = iter([10.0, 15.0])
    monkeypatch.setattr("spacy_nonmono.evaluation.speed_logger.perf_counter", lambda: next(clock))
    logger = create_speed_logger(path, inner)
    log_step, finalize = logger(spacy.blank("xx"), sys.stdout, sys.stderr)
    log_step(None)
    assert not path.exists()
    log_step({"step": 0, "words": 10})
    log_step(None)
    assert not path.exists()  # the first evaluation comes too early to tell a speed
    log_step({"step": 5, "words": 60})
    log_step(None)
    finalize()
    assert srsly.read_json(path) == {
        "made": made_here(),
        "steps": 5,
        "words": 60,
        "seconds": 5.0,
        "words_per_second": 12.0,
    }
    assert seen == [None, {"step": 0, "words": 10}, None, {"step": 5, "words": 60}, None, "end"]


def test_from_end_to_end(tmp_path):
    treebank = make_treebank(tmp_path / "bank", n_sentences=12)
    run = Run("tags", CONFIG, TINY)
    (cell,) = make_real_cells([treebank], [run], seeds=[3], gold_tags=True)
    output = tmp_path / "output"
    results = run_cells([cell], output, keep_models=True)
    result = srsly.read_json(output / "cells" / f"{cell.key}.json")
    assert list(results) == [cell.key] == [result["key"]]
    assert (result["treebank"], result["run"], result["seed"]) == ("bank", "tags", 3)
    assert result["gold_tags"] is True
    assert "gold_tags = true" in result["config"]
    assert result["training"]["steps"] == 4
    assert result["training"]["words"] >= 24
    assert result["training"]["words_per_second"] > 0
    assert result["training"]["peak_memory"] > 5e7  # spaCy alone takes more
    model = output / "models" / cell.key
    size = sum(path.stat().st_size for path in model.rglob("*") if path.is_file())
    assert result["model_size"] == size > 0
    assert "Saved pipeline" in (output / "logs" / f"{cell.key}.log").read_text("utf-8")
    nlp = spacy.load(model)
    assert nlp.config["system"]["seed"] == 3
    for part in ("dev", "test"):
        expected = evaluate(nlp, treebank / f"{part}.conllu", gold_tags=True)
        for setting, scores in expected.items():
            found = result["parts"][part][setting]
            assert found["scores"]["words_per_second"] > 0
            for name in ("uas", "las", "n_words", "gold_tags"):
                assert found["scores"][name] == pytest.approx(scores[name])
            assert sum(found["sentences"]["words_S"]) == 24
            assert sum(found["sentences"]["heads_S"]) / 24 == pytest.approx(scores["uas"])
            labelled = sum(numbers[2] for numbers in found["arcs"].values())
            assert labelled / 24 == pytest.approx(scores["las"])
