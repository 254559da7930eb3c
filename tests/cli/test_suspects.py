"""`python -m spacy nonmono suspects`."""

import csv

from spacy_nonmono.recipes import folds
from spacy_nonmono.recipes.config import make_config
from spacy_nonmono.treebank.reader import read_sentences


def test_from_a_file_to_a_page(nonmono, treebank, tmp_path, monkeypatch):
    output = tmp_path / "suspects"
    command = ["suspects", treebank, "--output", output, "--folds", 2]
    command += ["--training.max_steps", 4, "--training.eval_frequency", 4]
    result = nonmono(*command)
    assert result.exit_code == 0, result.output
    with (output / "suspects.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    rarity = [float(row["rarity"]) for row in rows if row["differs"]]
    assert rarity and rarity == sorted(rarity)
    parsed, gold = (list(read_sentences(path)) for path in (output / "parsed.conllu", treebank))
    assert [one.forms for one in parsed] == [one.forms for one in gold]
    by_place = {(row["number"], row["id"]): row for row in rows}
    for number, (one, other) in enumerate(zip(gold, parsed, strict=True), start=1):
        for word, arc in zip(one.words, other.words, strict=True):
            differs = word[6:8] != arc[6:8]
            row = by_place.get((str(number), word[0]))
            assert bool(row and row["differs"]) == differs
            assert word[:6] == arc[:6]
    page = (output / "suspects.html").read_text("utf-8")
    assert page.count("<section") > 3 and "confidence" in page and "head of the parser" in page
    # Nothing is trained twice
    monkeypatch.setattr(folds, "train_last", None)
    assert nonmono(*command).exit_code == 0
    assert nonmono(*command[:-4], "--folds", 99).output.count("NM187") == 1
    # What it writes would be read as a part of the treebank
    folder = tmp_path / "annotated"
    folder.mkdir()
    (folder / "a.conllu").write_bytes(treebank.read_bytes())
    assert "NM185" in nonmono("suspects", folder, "--output", folder).output
    parsed = (folder / "a.conllu").rename(folder / "parsed.conllu")
    assert "NM185" in nonmono("suspects", parsed, "--output", folder).output


def test_configs_that_cannot_be(nonmono, treebank, tmp_path, monkeypatch):
    """They are refused before anything is trained."""
    monkeypatch.setattr(folds, "train_last", None)
    command = ["suspects", treebank, "--output", tmp_path / "out"]
    mistyped = nonmono(*command, "--fold", 3)
    assert mistyped.exit_code == 2 and "No such option '--fold'" in mistyped.output
    assert "NM202" in nonmono(*command, "--foo.bar", 3).output
    linear, other = make_config(scorer="linear"), make_config()
    other["corpora"]["train"]["path"] = str(treebank)
    for config, code in ((linear, "NM056"), (other, "NM202")):
        config.to_disk(tmp_path / "a.cfg")
        assert code in nonmono(*command, "--config", tmp_path / "a.cfg").output
