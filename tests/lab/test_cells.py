"""Cells: what their keys depend on, and what they do not."""

from pathlib import Path

import pytest
from spacy.util import load_config

from spacy_nonmono.evaluation.fingerprints import fingerprint
from spacy_nonmono.lab import cells as cells_module
from spacy_nonmono.lab.cells import Run, make_cells
from spacy_nonmono.lab.treebanks import find_treebanks
from tests.lab.made_up import make_treebank

CONFIG = Path(__file__).parents[2] / "configs" / "neural.cfg"
DROPOUT = load_config(CONFIG)["training"]["dropout"]


@pytest.fixture(autouse=True)
def quick_code_fingerprint(monkeypatch):
    monkeypatch.setattr(cells_module, "code_fingerprint", lambda modules: "code")


@pytest.fixture
def treebank(tmp_path):
    return make_treebank(tmp_path / "bank")


def key(treebank, *, overrides=None, name="a", config=CONFIG, **options):
    run = Run(name=name, config=config, overrides=overrides or {})
    (cell,) = make_cells([treebank], [run], **{"seeds": [0], **options})
    return cell.key


def test_all_cells_in_their_order(treebank, tmp_path):
    treebanks = [treebank, make_treebank(tmp_path / "other", n_sentences=4)]
    runs = [Run("a", CONFIG, {}), Run("b", CONFIG, {"training.dropout": 0.6})]
    cells = make_cells(treebanks, runs, seeds=[0, 1])
    assert [(cell.treebank.name, cell.seed, cell.run.name) for cell in cells] == [
        (treebank, seed, run) for treebank in ("bank", "other") for seed in (0, 1) for run in "ab"
    ]
    assert len({cell.key for cell in cells}) == 8


def test_what_decides_the_result_changes_the_key(treebank, tmp_path, monkeypatch):
    keys = [
        key(treebank),
        key(treebank, overrides={"training.dropout": 0.6}),
        key(treebank, common={"training.dropout": 0.4}),
        key(treebank, seeds=[1]),
        key(treebank, model="last"),
        key(treebank, gold_tags=True),
    ]
    changed = tmp_path / "changed.cfg"
    changed.write_text(CONFIG.read_text().replace("max_distance = 200", "max_distance = 100"))
    keys.append(key(treebank, config=changed))
    for part in ("train", "dev", "test"):
        path = treebank / f"{part}.conllu"
        path.write_text(path.read_text().replace("runs", f"runs{part}"))
        keys.append(key(treebank))
    monkeypatch.setattr(cells_module, "code_fingerprint", lambda modules: "other code")
    keys.append(key(treebank))
    monkeypatch.setattr(cells_module.spacy, "__version__", "9.0.0")
    keys.append(key(treebank))
    assert len(set(keys)) == len(keys)


def test_names_and_other_spellings_do_not(treebank, tmp_path):
    first = key(treebank)
    assert key(treebank, name="b") == first
    assert key(make_treebank(tmp_path / "elsewhere")) == first
    assert key(treebank, overrides={"training.dropout": DROPOUT}) == first
    common = {"training.dropout": 0.7}
    assert key(treebank, overrides={"training.dropout": DROPOUT}, common=common) == first


def test_gold_tags_are_those_of_the_config(treebank):
    def sees_tags(overrides, gold_tags=False):
        (cell,) = make_cells(
            [treebank], [Run("a", CONFIG, overrides)], seeds=[0], gold_tags=gold_tags
        )
        return cell.gold_tags

    assert not sees_tags({})
    assert sees_tags({}, gold_tags=True)
    assert sees_tags({"corpora.train.gold_tags": True, "corpora.dev.gold_tags": True})


def test_errors(treebank, tmp_path):
    runs = [Run("a", CONFIG, {})]
    with pytest.raises(ValueError, match=r"\[NM162\] Several runs.*: a\."):
        make_cells([treebank], runs * 2, seeds=[0])
    with pytest.raises(ValueError, match=r"\[NM162\] Several treebanks.*: bank\."):
        make_cells([treebank, treebank.parent / "other" / "bank"], runs, seeds=[0])
    (tmp_path / "latin.cfg").write_bytes("# Mäuse".encode("latin-1"))
    with pytest.raises(ValueError, match=r"\[NM202\].*latin.cfg"):
        make_cells([treebank], [Run("a", tmp_path / "latin.cfg", {})], seeds=[0])
    (treebank / "dev.conllu").unlink()
    with pytest.raises(FileNotFoundError, match=r"\[NM160\].*dev.conllu"):
        make_cells([treebank], runs, seeds=[0])


def test_folder_of_treebanks(tmp_path):
    for name in ("b", "a"):
        make_treebank(tmp_path / name)
    (tmp_path / "c").mkdir()
    assert [treebank.name for treebank in find_treebanks(tmp_path)] == ["a", "b"]
    # A treebank stands for itself, whatever else is in its folder; so does what is none
    make_treebank(tmp_path)
    assert find_treebanks(tmp_path) == [tmp_path]
    assert find_treebanks(tmp_path / "c") == [tmp_path / "c"]


def test_fingerprint_of_values():
    assert fingerprint({"a": 1, "b": [2]}) == fingerprint({"b": [2], "a": 1})
    assert fingerprint([1, 2]) != fingerprint([2, 1])
