"""The commands `benchmark` and `breakdown`, with made-up trainings."""

from pathlib import Path

import pytest
import srsly

from spacy_nonmono import installed
from spacy_nonmono.lab import benchmark
from spacy_nonmono.lab.commands.benchmark import parse_run
from tests.lab.made_up import make_result, make_treebank

CONFIGS = Path(__file__).parents[2] / "configs"


@pytest.fixture
def trained(monkeypatch):
    """Replaces trainings; gives the cells that are run."""
    cells = []

    def run(cell, output, *, keep_model=False):
        cells.append(cell)
        result = make_result(cell, n_sentences=8)
        (output / "cells").mkdir(parents=True, exist_ok=True)
        benchmark.write_cell(output, result)
        return result

    monkeypatch.setattr(benchmark, "run_cell", run)
    return cells


@pytest.mark.parametrize(
    ("text", "name", "config", "overrides"),
    [
        ("mine=a.cfg", "mine", "a.cfg", {}),
        ("mine=b/a.cfg --training.dropout 0.5", "mine", "b/a.cfg", {"training.dropout": 0.5}),
        ("k=1 p=0.5=a.cfg --c.x true", "k=1 p=0.5", "a.cfg", {"c.x": True}),
        (
            "a b=a.cfg  --x.y.@misc=z.v1 --x.t 'two words'",
            "a b",
            "a.cfg",
            {"x.y.@misc": "z.v1", "x.t": "two words"},
        ),
    ],
)
def test_parse_run(text, name, config, overrides):
    run = parse_run(text)
    assert (run.name, run.config, run.overrides) == (name, Path(config), overrides)


@pytest.mark.parametrize("text", ["mine", "a.cfg", "=a.cfg", "mine=a.cfg--x.y 1", "mine=a --x.y 1"])
def test_no_run(text):
    with pytest.raises(ValueError, match=r"\[NM161\]"):
        parse_run(text)


def test_published_scores_stand_beside(nonmono, trained, tmp_path):
    """Of the treebank, whatever the folder of it is called; of any other those under *."""
    treebanks = [make_treebank(tmp_path / name, 3) for name in ("UD_bank", "lake")]
    file = tmp_path / "paper.json"
    scores = {"bank": {"one": [51.5, 42.25]}, "*": {"one": [61.75, 52.0]}}
    srsly.write_json(file, {"source": "A paper, table 3", "scores": scores})
    runs = ["--run", f"one={CONFIGS / 'linear.cfg'}", "--run", f"two={CONFIGS / 'neural.cfg'}"]
    output = ["--output", tmp_path / "output", "--setting", "gold", "--published", file]
    result = nonmono("benchmark", *treebanks, *runs, *output)
    assert result.exit_code == 0, result.output
    bank, lake = result.output.split("UD_bank, test")[1].split("lake, test")
    assert "51.50 / 42.25" in bank and "61.75 / 52.00" in lake
    assert "A paper, table 3" in lake


def test_commands(nonmono, trained, tmp_path):
    sizes = {"bank": 3, "lake": 4}
    treebanks = [make_treebank(tmp_path / name, size) for name, size in sizes.items()]
    output = tmp_path / "new" / "output"
    config = CONFIGS / "neural.cfg"
    runs = ["--run", f"k=1 p=0={config}", "--run", f"k=1 p=1={config} --training.dropout 0.4"]
    arguments = ["benchmark", *treebanks, *runs, "--seeds", 2, "--output", output]
    result = nonmono(*arguments, "--common", "--training.max_steps 5", "--gold-tags", "--jobs", 2)
    assert result.exit_code == 0, result.output
    assert len(trained) == 8
    for cell in trained:
        assert "max_steps = 5" in cell.config
        assert ("dropout = 0.4" in cell.config) == (cell.run.name == "k=1 p=1")
        assert cell.gold_tags
    for text in ["[8/8] lake, k=1 p=1, seed 1: ", "bank, test: gold sentences", "(gold tags)", "±"]:
        assert text in result.output
    table = srsly.read_json(output / "table.json")
    assert list(table["rows"]["lake"]) == ["gold_sentences", "documents"]
    # The same on another part: nothing is run again
    shown = nonmono(*arguments, "--common", "--training.max_steps 5", "--gold-tags", "--part", "dev")
    assert shown.exit_code == 0 and len(trained) == 8
    assert "seed 1: known" in shown.output and "lake, dev: documents" in shown.output
    report = tmp_path / "breakdown.json"
    result = nonmono("breakdown", output, "--output", report)
    assert result.exit_code == 0, result.output
    for text in ("lake, dev", "arcs of length 8+", "non-projective sentences", "Means over 2 treebanks"):
        assert text in result.output
    saved = srsly.read_json(report)
    assert list(saved["bank"]) == ["k=1 p=0", "k=1 p=1"] and saved["made"] == table["made"]
    for kind in ("arc-length", "part-of-speech", "part-of-speech-far", "heat-map"):
        image = tmp_path / "plots" / f"{kind}.png"
        result = nonmono("breakdown", output, "--kind", kind, "--output", image)
        assert result.exit_code == 0, result.output
        assert image.read_bytes().startswith(b"\x89PNG")


def test_experiment(nonmono, trained, tmp_path):
    """What a file says and what options say, which come first; plots and breakdown in the output."""
    folder = make_treebank(tmp_path / "bank")
    file = tmp_path / "trial.yml"
    file.write_text(
        f"vars: {{dropout: 0.1}}\nconfig: {CONFIGS / 'neural.cfg'}\nseeds: 2\ngold_tags: true\n"
        "setting: gold\nmodel: last\ncommon: {training.max_steps: 5, training.patience: 7}\n"
        "runs:\n  one: {}\n  two: {training.dropout: '${vars.dropout}'}\nreference: two\n"
        "plots: [arc-length]\nbreakdown: true\n"
    )
    output = tmp_path / "output"
    more = ["--run", f"three={CONFIGS / 'linear.cfg'}", "--common", "--training.max_steps 6"]
    options = ["--experiment", file, "--var", "dropout=0.4", "--output", output]
    result = nonmono("benchmark", folder, *options, *more)
    assert result.exit_code == 0, result.output
    assert [(cell.run.name, cell.seed, cell.model) for cell in trained] == [
        (name, seed, "last") for seed in (0, 1) for name in ("one", "two", "three")
    ]
    for cell in trained:
        assert "max_steps = 6" in cell.config and "patience = 7" in cell.config and cell.gold_tags
        assert ("dropout = 0.4" in cell.config) == (cell.run.name == "two")
    table = srsly.read_json(output / "table.json")
    assert table["reference"] == "two" and list(table["rows"]["bank"]) == ["gold_sentences"]
    assert (output / "arc-length.png").read_bytes().startswith(b"\x89PNG")
    assert list(srsly.read_json(output / "breakdown.json")["bank"]) == ["one", "two", "three"]
    trained.clear()
    again = nonmono("benchmark", folder, *options, "--seeds", 1, "--model", "best", "--reference", "one")
    assert again.exit_code == 0, again.output
    assert {(cell.seed, cell.model) for cell in trained} == {(0, "best")}
    assert srsly.read_json(output / "table.json")["reference"] == "one"


def test_no_runs(nonmono, tmp_path):
    for options in ([], ["--run", "a=a.cfg", "--var", "b=1"]):
        result = nonmono("benchmark", tmp_path, "--output", tmp_path, *options)
        assert result.exit_code == 2 and "--experiment" in result.output


def test_errors_come_before_the_trainings(nonmono, trained, tmp_path, monkeypatch):
    treebank = make_treebank(tmp_path / "bank")
    run = f"a={CONFIGS / 'neural.cfg'}"
    options = ["--output", tmp_path / "output"]
    for arguments, code in (
        ([treebank, "--run", run, "--reference", "b"], "NM104"),
        ([tmp_path / "nothing", "--run", run], "NM160"),
        ([treebank, "--run", run, "--run", run], "NM162"),
    ):
        result = nonmono("benchmark", *arguments, *options)
        assert code in result.output

    def fail(name):
        raise ImportError(name)

    monkeypatch.setattr(installed, "import_module", fail)
    result = nonmono("benchmark", treebank, "--run", run, "--run", run.replace("a=", "b="), *options)
    assert "NM166" in result.output
    assert trained == []
    result = nonmono("breakdown", tmp_path, "--kind", "heat-map", "--output", tmp_path / "a.png")
    assert "NM167" in result.output
