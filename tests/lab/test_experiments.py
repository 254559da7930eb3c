"""The files of experiments: what they say, and what is wrong with them."""

import re
from pathlib import Path

import pytest

from spacy_nonmono.lab.experiments import Experiment, read_experiment

TEXT = """
vars: {name: sample, dropout: 0.1}
config: a.cfg
seeds: 3
gold_tags: true
model: last
setting: gold
common:
  nlp.lang: xx
  training: {max_steps: 100, optimizer.use_averages: true}
runs:
  one: {}
  "k=1 p=0.5":
    config: training/${vars.name}/b.cfg
    components.parser:
      model: {templates: [x, "${vars.name}"]}
      system.@misc: Some.v1
    training.dropout: ${vars.dropout}
    paths.train: ${paths.dev}
reference: one
published: paper.json
plots: [arc-length]
breakdown: true
"""


@pytest.fixture
def read(tmp_path):
    def read(text, **variables):
        path = tmp_path / "trial.yml"
        path.write_text(text, encoding="utf-8")
        return read_experiment(path, variables)

    return read


def test_all_keys(read):
    found = read(TEXT)
    one, two = found.runs
    assert (one.name, one.config, one.overrides) == ("one", Path("a.cfg"), {})
    assert (two.name, two.config) == ("k=1 p=0.5", Path("training/sample/b.cfg"))
    assert two.overrides == {
        "components.parser.model.templates": ["x", "sample"],
        "components.parser.system.@misc": "Some.v1",
        "training.dropout": 0.1,
        "paths.train": "${paths.dev}",
    }
    assert found.common == {
        "nlp.lang": "xx",
        "training.max_steps": 100,
        "training.optimizer.use_averages": True,
    }
    assert (found.seeds, found.setting, found.model, found.gold_tags) == (3, "gold", "last", True)
    assert (found.reference, found.published) == ("one", Path("paper.json"))
    assert (found.plots, found.breakdown) == (["arc-length"], True)


def test_the_example_of_the_docs(read):
    page = (Path(__file__).parents[2] / "docs" / "lab" / "benchmark.md").read_text("utf-8")
    (example,) = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    assert [run.name for run in read(example).runs] == ["arc_eager", "clusters"]


def test_what_is_left_out(read):
    (run,) = (found := read("runs: {a: {config: a.cfg}}")).runs
    assert found == Experiment(runs=[run], common={})
    (run,) = read("config: a.cfg\nruns:\n  a:\n").runs
    assert (run.config, run.overrides) == (Path("a.cfg"), {})


def test_variables(read):
    _, run = read(TEXT, name="1.10", dropout="0.25").runs
    assert run.config == Path("training/1.10/b.cfg")
    assert run.overrides["training.dropout"] == 0.25
    assert run.overrides["components.parser.model.templates"] == ["x", 1.1]
    _, run = read(TEXT, dropout="high").runs
    assert run.overrides["training.dropout"] == "high"


RUNS = "runs: {a: {config: a.cfg}}\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the text is None. Expected keys with values"),
        ("- a", "the text is ['a']. Expected keys with values"),
        ("runs: [", "Expected YAML"),
        (RUNS + RUNS, "found duplicate key"),
        ("5: x", "the text is {5: 'x'}"),
        (RUNS + "seed: 3", "a key is 'seed'. Expected one of: vars, config, common, runs, seeds"),
        (RUNS + "seeds: 0", "seeds is 0. Expected a number from 1"),
        (RUNS + "seeds: true", "seeds is True. Expected a number from 1"),
        (RUNS + "model: first", "model is 'first'. Expected one of: best, last"),
        (RUNS + "setting: [gold]", "setting is ['gold']. Expected one of: both, gold, documents"),
        (RUNS + "gold_tags: 1", "gold_tags is 1. Expected true or false"),
        (RUNS + "plots: arc-length", "plots is 'arc-length'. Expected a list of: sentence-length, "),
        (RUNS + "plots: [pie]", "plots is ['pie']. Expected a list of: sentence-length, "),
        (RUNS + "vars: {a: {b: 1}}", "vars is {'a': {'b': 1}}. Expected names with values"),
        (RUNS + "common: 3", "common is 3. Expected settings with values"),
        (RUNS + "reference: b", "reference is 'b'. Expected one of: a"),
        ("config: a.cfg", "runs is None. Expected names with settings"),
        ("runs: {}", "runs is {}. Expected names with settings"),
        ("runs: {a: 3}", "runs.a is 3. Expected settings with values"),
        ("runs: {a: {}}", "runs.a.config is None. Expected the path of a config"),
        ("runs: {a: {config: 3}}", "runs.a.config is 3. Expected the path of a config"),
        (
            "vars: {b: 1}\nruns: {a: {config: '${vars.c}.cfg'}}",
            "runs.a.config is '${vars.c}.cfg'. Expected variables of: b",
        ),
    ],
)
def test_wrong_files(read, text, message):
    with pytest.raises(ValueError) as error:
        read(text)
    assert str(error.value).startswith("[NM176]") and "trial.yml is no experiment" in str(error.value)
    assert message in str(error.value)


def test_unknown_variable(read):
    with pytest.raises(ValueError, match=r"\[NM176\].*a variable is 'nme=x'. Expected one of: name, "):
        read(TEXT, nme="x")
