"""Which changes of the code make a benchmark's cell stale."""

import shutil
from functools import partial
from pathlib import Path

import pytest
from spacy.util import load_config

from spacy_nonmono.evaluation.sources import PACKAGE, SOURCES, code_fingerprint, sources_of
from spacy_nonmono.lab import cells
from spacy_nonmono.lab.cells import Run, cell_modules
from spacy_nonmono.recipes.config import make_config
from tests.lab.made_up import make_treebank

CONFIGS = Path(__file__).parents[2] / "configs"

# What every parser of ours is trained and scored with
ALWAYS = (
    "state.pyx",
    "structs.pxd",
    "compiler.h",
    "transitions/system.pxd",
    "decoding/batch.pyx",
    "pipeline/factory.py",
    "pipeline/parser.py",
    "layers/adam.pyx",
    "layers/vectors.h",
    "treebank/corpus.py",
    "treebank/formats.py",
    "evaluation/evaluate.py",
    "evaluation/scores.py",
    "evaluation/speed_logger.py",
    "lab/run_cell.py",
    "lab/counts.py",
)
# (evaluation/made.py is not among them: the logger of speeds says with what it measured)
NEVER = (
    "about.py",
    "errors.py",
    "spark.py",
    "pipeline/noun_chunks.py",
    "corpora/parsing.py",
    "cli/evaluate.py",
    "drawing/trees.py",
    "recipes/config.py",
    "evaluation/compare.py",
    "lab/benchmark.py",
    "lab/breakdowns.py",
    "lab/cells.py",
    "lab/commands/benchmark.py",
    "lab/plots.py",
    "lab/significance.py",
    "lab/table.py",
)
LINEAR = ("scoring/linear/weights.pyx", "pipeline/linear.py", "training/perceptron.pyx")
NEURAL = ("scoring/neural/neural.pyx", "pipeline/neural.py", "decoding/neural_batch.pyx")


def files(config):
    """Those whose contents are in the key of a cell with this config."""
    return {path.relative_to(PACKAGE).as_posix() for path in sources_of(cell_modules(config))}


@pytest.mark.parametrize(
    ("config", "overrides", "stale", "fresh"),
    [
        (
            "linear.cfg",
            {},
            (*ALWAYS, *LINEAR, "oracles/arc_eager.pyx"),
            (*NEVER, *NEURAL, "oracles/lists.pyx", "lexical/brown_component.py"),
        ),
        (
            "linear.cfg",
            {"components.nonmono_parser.system.@misc": "spacy-nonmono.EasyFirst.v1"},
            ("oracles/lists.pyx",),
            ("oracles/arc_eager.pyx",),
        ),
        (
            "neural.cfg",
            {},
            (*ALWAYS, *NEURAL, "oracles/covington.pyx", "scoring/neural/atoms.pxd"),
            (*NEVER, *LINEAR, "oracles/arc_eager.pyx"),
        ),
        (
            "spacy_parser.cfg",
            {},
            ("treebank/corpus.py", "evaluation/scores.py", "lab/run_cell.py"),
            (*NEVER, *NEURAL, *LINEAR, "pipeline/parser.py", "decoding/batch.pyx"),
        ),
    ],
)
def test_what_makes_a_cell_stale(config, overrides, stale, fresh):
    found = files(load_config(CONFIGS / config, overrides=overrides))
    assert [name for name in stale if name not in found] == []
    assert [name for name in fresh if name in found] == []
    assert all((PACKAGE / name).exists() for name in fresh)


def test_a_committee_counts():
    found = files(make_config(lang="xx", system="arc_eager", members=2))
    assert {"oracles/arc_eager.pyx", "scoring/committee.py", "scoring/neural/model.py"} <= found
    assert "oracles/covington.pyx" not in found


def test_a_component_of_the_pipeline_counts():
    config = load_config(CONFIGS / "linear.cfg")
    config["nlp"]["pipeline"].append("chunks")
    config["components"]["chunks"] = {"factory": "ud_noun_chunks"}
    assert "pipeline/noun_chunks.py" in files(config)


def test_what_the_config_leaves_to_defaults_counts():
    config = load_config(CONFIGS / "linear.cfg")
    del config["components"]["nonmono_parser"]["system"]
    assert "oracles/covington.pyx" in files(config)


def test_a_change_of_the_code_is_a_change_of_the_key(tmp_path, monkeypatch):
    """In a copy of the sources."""
    copy = tmp_path / PACKAGE.name
    for path in PACKAGE.rglob("*"):
        if path.suffix in SOURCES:
            target = copy / path.relative_to(PACKAGE)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    monkeypatch.setattr(cells, "code_fingerprint", partial(code_fingerprint, package=copy))
    treebank = make_treebank(tmp_path / "bank")
    run = Run("a", CONFIGS / "linear.cfg", {"nlp.lang": "xx"})

    def key():
        (cell,) = cells.make_cells([treebank], [run], seeds=[0])
        return cell.key

    seen = [key()]
    counts = ("evaluation/scores.py", "scoring/linear/weights.pyx")
    for name in (*counts, "spark.py", "lab/table.py", "scoring/neural/neural.pyx", "about.py"):
        with (copy / name).open("a", encoding="utf-8") as file:
            file.write("\n# changed\n")
        seen.append(key())
        assert (seen[-1] != seen[-2]) is (name in counts), name
