"""The model card of a pipeline, and what `spacy package` makes of it."""

import re
import sys
from pathlib import Path

import pytest
import spacy
import srsly
from spacy.cli.package import package

from spacy_nonmono.evaluation.names import RAW_TEXT
from spacy_nonmono.recipes.adapt import write_meta
from spacy_nonmono.recipes.model_card import write_model_card

SCORES = {
    "las_p": 0.5,
    "las_r": 0.25,
    "las_f": 1 / 3,
    "n_words": 1234,
    "n_sents": 56,
    "words_per_second": 7890.1,
}
ABOUT = {
    "name": "made_up",
    "version": "2.0.0",
    "data": "UD Made-Up 2.16",
    "url": "https://example.org/made-up",
    "license": "CC BY-SA 4.0",
}


@pytest.fixture
def pipeline(tmp_path):
    nlp = spacy.blank("en")
    nlp.add_pipe("tagger").add_label("X")
    nlp.add_pipe("nonmono_parser").add_label("dep")
    nlp.add_pipe("ud_noun_chunks")
    nlp.initialize()
    nlp.to_disk(tmp_path / "pipeline")
    return tmp_path / "pipeline"


@pytest.fixture
def scores(tmp_path):
    path = tmp_path / "scores.json"
    srsly.write_json(path, {RAW_TEXT: SCORES})
    return path


def test_a_language_without_a_code(pipeline, scores):
    write_model_card(pipeline, scores, **ABOUT, language="Gothic (got)")
    assert "| Language | Gothic (got) |" in (pipeline / "README.md").read_text("utf-8")
    assert srsly.read_json(pipeline / "meta.json")["description"].startswith("Gothic (got). Trained on")


def test_card(pipeline, scores, tmp_path):
    license_file = tmp_path / "terms.txt"
    license_file.write_text("Do what you like.")
    write_model_card(pipeline, scores, **ABOUT, license_file=license_file, text="a million words")
    card = (pipeline / "README.md").read_text("utf-8")
    assert card.startswith("# en_made_up\n")
    assert "finds words, tags (`token.tag_`), dependency trees" in card
    assert " and noun chunks (`doc.noun_chunks`)." in card
    assert "| Trained on | UD Made-Up 2.16, https://example.org/made-up |" in card
    assert "| And on | a million words |" in card
    assert re.search(r"\| Needs \| `spacy>=3\..*`, `spacy-nonmono>=0\..*` \|", card)
    assert "| LAS | 50.00 | 25.00 | 33.33 | - |" in card
    assert "| XPOS |" in card and "| Lemmas |" not in card  # there is a tagger, and no lemmatizer
    assert "1,234 words in\n56 sentences" in card and "7,890 words per second" in card
    meta = srsly.read_json(pipeline / "meta.json")
    assert (meta["name"], meta["version"], meta["license"]) == ("made_up", "2.0.0", "CC BY-SA 4.0")
    assert meta["sources"][0]["url"] == ABOUT["url"]
    assert meta["performance"][RAW_TEXT]["las_f"] == pytest.approx(SCORES["las_f"])


# spaCy leaves the files that it writes here to the garbage collector
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_package_has_the_card_and_the_license(pipeline, scores, tmp_path):
    license_file = tmp_path / "terms.txt"
    license_file.write_text("Do what you like.")
    write_model_card(pipeline, scores, **ABOUT, license_file=license_file)
    package(pipeline, tmp_path, create_sdist=False, create_wheel=False, silent=True)
    made = tmp_path / "en_made_up-2.0.0"
    assert (made / "README.md").read_text("utf-8") == (pipeline / "README.md").read_text("utf-8")
    assert (made / "LICENSE").read_text("utf-8") == "Do what you like."
    assert "And on" not in (made / "README.md").read_text("utf-8")


def test_texts_and_names_as_people_write_them(pipeline, scores):
    """A name with the language, bars and lines in a text, and the license that is there."""
    (pipeline / "LICENSE").write_text("Do what you like.")
    about = {**ABOUT, "name": "en_made_up", "text": "a | b\nc", "license_file": pipeline / "LICENSE"}
    write_model_card(pipeline, scores, **about)
    card = (pipeline / "README.md").read_text("utf-8")
    assert card.startswith("# en_made_up\n") and r"| And on | a \| b c |" in card
    assert srsly.read_json(pipeline / "meta.json")["name"] == "made_up"


ONTONOTES = "OntoNotes 5 (commercial)"


@pytest.mark.parametrize(
    "sources", [[{"name": "OntoNotes 5", "license": "commercial"}], [ONTONOTES]], ids=["dicts", "names"]
)
def test_sources_of_other_components_stay(pipeline, scores, sources):
    meta = srsly.read_json(pipeline / "meta.json")
    srsly.write_json(pipeline / "meta.json", {**meta, "performance": {}})
    old = spacy.blank("en")
    old.meta["sources"] = sources
    write_meta(pipeline, old, Path("UD_Made-Up"))
    for data in ("UD made up", ABOUT["data"]):  # the names of one treebank
        write_model_card(pipeline, scores, **{**ABOUT, "data": data})
        found = srsly.read_json(pipeline / "meta.json")["sources"]
        assert [one["name"][:11] for one in found] == [data[:11], "OntoNotes 5"]
    card = (pipeline / "README.md").read_text("utf-8")
    assert "| Trained on | UD Made-Up 2.16, https" in card
    assert f"| Other components from | {ONTONOTES} |" in card


def test_scores_of_merged_tokens(pipeline, scores):
    srsly.write_json(scores, {RAW_TEXT: {**SCORES, "merged": True, "alltags_f": 0.0}})
    write_model_card(pipeline, scores, **{**ABOUT, "name": "en_"})
    card = (pipeline / "README.md").read_text("utf-8")
    assert "1,234 tokens in" in card and "--setting raw --multiword merge\n" in card
    assert "AllTags" not in card and card.startswith("# en_en_\n")


def test_card_is_of_a_nonmono_parser(scores, tmp_path):
    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(ValueError, match=r"\[NM110\]"):
        write_model_card(tmp_path / "blank", scores, **ABOUT)
    assert "sources" not in srsly.read_json(tmp_path / "blank" / "meta.json")


def test_scores_have_to_be_those_of_raw_text(pipeline, scores):
    gold = {"gold_sentences": SCORES}
    for found in (gold, {**gold, RAW_TEXT: None}, {RAW_TEXT: {"n_words": 1}}):
        srsly.write_json(scores, found)
        with pytest.raises(ValueError, match=r"\[NM109\]"):
            write_model_card(pipeline, scores, **ABOUT)
    with pytest.raises(ValueError, match=r"\[NM107\]"):
        write_model_card(pipeline, scores.parent, **ABOUT)
    with pytest.raises(OSError, match=r"\[NM198\]"):
        write_model_card(Path(sys.prefix) / "none", scores, **ABOUT)
