"""Evaluation of whole pipelines, from Python and from the command line."""

import pytest
import spacy
import srsly
from spacy.language import Language
from spacy.tokens import Doc

import spacy_nonmono.cli  # attaches its commands  # noqa: F401
from spacy_nonmono.evaluation.evaluate import evaluate
from spacy_nonmono.evaluation.made import made_here
from spacy_nonmono.evaluation.names import (
    COUNTS,
    DOCUMENTS,
    GOLD_SENTENCES,
    METRICS,
    RAW_TEXT,
    SCORES,
)
from spacy_nonmono.evaluation.scores import read_parses
from tests.commands import nonmono
from tests.conllu import sentences_of_docs

SENTENCE = """\
1\ta\t_\tDET\t_\t_\t2\tdet\t_\t_
2\tcat\t_\tNOUN\t_\t_\t3\tnsubj\t_\t_
3\tsleeps\t_\tVERB\t_\t_\t0\troot\t_\t_
4\t.\t_\tPUNCT\t_\t_\t{head}\tpunct\t_\t_

"""


@Language.component("test_right_branching", assigns=["token.head"])
def right_branching(doc: Doc) -> Doc:
    """Each word heads the one before; without boundaries the whole Doc is a sentence."""
    has_boundaries = doc.has_annotation("SENT_START")
    ends = [sentence.end - 1 for sentence in doc.sents] if has_boundaries else [len(doc) - 1]
    heads = [i if i in ends else i + 1 for i in range(len(doc))]
    deps = ["ROOT" if i in ends else "det" for i in range(len(doc))]
    words, spaces = [t.text for t in doc], [bool(t.whitespace_) for t in doc]
    return Doc(doc.vocab, words=words, spaces=spaces, heads=heads, deps=deps)


@Language.component("test_merger", assigns=["token.head"])
def merger(doc: Doc) -> Doc:
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[0:2], attrs={"DEP": "ROOT"})
    return doc


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "made-up.conllu"
    path.write_text(SENTENCE.format(head=3) * 12 + SENTENCE.format(head="_"))
    return path


@pytest.fixture
def parser_path(tmp_path):
    """A saved pipeline with spaCy's parser."""
    nlp = spacy.blank("xx")
    nlp.add_pipe("parser").add_label("det")
    nlp.initialize()
    nlp.to_disk(tmp_path / "pipeline")
    return tmp_path / "pipeline"


def test_both_settings(path):
    nlp = spacy.blank("xx")
    nlp.add_pipe("test_right_branching")
    scores = evaluate(nlp, path)
    assert list(scores) == [GOLD_SENTENCES, DOCUMENTS]
    gold_sentences, documents = scores[GOLD_SENTENCES], scores[DOCUMENTS]
    for setting in (gold_sentences, documents):
        assert setting["n_words"] == 52
        assert setting["n_sents"] == 13
        assert setting["words_per_second"] > 0
    # In each sentence "a" and "cat" get their heads, "a" its label, too
    assert gold_sentences["uas"] == 26 / 51
    assert gold_sentences["las"] == 13 / 51
    assert gold_sentences["uas_no_punct"] == 26 / 39
    assert gold_sentences["ucm"] == 0.0
    assert gold_sentences["sents_f"] == 1.0
    assert documents["uas"] == 26 / 51
    assert documents["sents_f"] == 0.0


def test_one_setting_and_size(path):
    nlp = spacy.blank("xx")
    nlp.add_pipe("test_right_branching")
    scores = evaluate(nlp, path, settings=[DOCUMENTS], n_sents=1)
    assert list(scores) == [DOCUMENTS]
    assert scores[DOCUMENTS]["sents_f"] == 1.0


@Language.component("test_tag_reader", assigns=["token.head"])
def tag_reader(doc: Doc) -> Doc:
    """Attaches every word to the first verb."""
    verbs = [i for i, token in enumerate(doc) if token.pos_ == "VERB"]
    root = verbs[0] if verbs else 0
    deps = ["ROOT" if i == root else "det" for i in range(len(doc))]
    words, spaces = [t.text for t in doc], [bool(t.whitespace_) for t in doc]
    return Doc(doc.vocab, words=words, spaces=spaces, heads=[root] * len(doc), deps=deps)


def test_gold_tags(path):
    nlp = spacy.blank("xx")
    nlp.add_pipe("test_tag_reader")
    without = evaluate(nlp, path, settings=[GOLD_SENTENCES], n_sents=1)[GOLD_SENTENCES]
    scores = evaluate(nlp, path, settings=[GOLD_SENTENCES], n_sents=1, gold_tags=True)[GOLD_SENTENCES]
    assert (without["gold_tags"], scores["gold_tags"]) == (False, True)
    assert without["uas"] == 0.0
    assert scores["uas"] == (12 * 3 + 2) / 51


def test_errors(path):
    nlp = spacy.blank("xx")
    with pytest.raises(ValueError, match=r"\[NM102\].*'silver'.*gold_sentences, documents"):
        evaluate(nlp, path, settings=["silver"])
    nlp.add_pipe("sentencizer")
    with pytest.raises(ValueError, match=r"\[NM103\].*sentencizer"):
        evaluate(nlp, path)
    nlp.add_pipe("test_merger")
    with pytest.raises(ValueError, match=r"\[NM101\].*word 1 is 'a cat', expected 'a'"):
        evaluate(nlp, path, settings=[GOLD_SENTENCES], n_sents=5)


def test_read_parses():
    vocab = spacy.blank("xx").vocab
    docs = [
        Doc(vocab, words=["a", "b", "c"], heads=[1, 1, 2], deps=["det", "ROOT", "ROOT"]),
        Doc(vocab),
        Doc(vocab, words=["a", "b"], heads=[1, 1], deps=["", "ROOT"]),
    ]
    trees = read_parses(sentences_of_docs(docs))
    assert trees.heads_N.tolist() == [1, -1, -1, -2, -1]
    assert trees.labels_N.tolist() == ["det", "root", "root", "", "root"]
    assert trees.starts_N.tolist() == [True, False, True, True, False]


def test_punctuation():
    """By UPOS; where there is none, by the form, all of which is of categories P ($ and ` are of S)."""
    vocab = spacy.blank("xx").vocab
    words = ["!", "word", ".", "«...»", "-a", "``", "$", "''"]
    pos = ["NOUN", "PUNCT", "PUNCT", "", "", "", "", ""]
    doc = Doc(vocab, words=words, pos=pos, heads=[0] * 8, deps=["ROOT"] + ["punct"] * 7)
    marks = [False, True, True, True, False, False, False, True]
    assert read_parses(sentences_of_docs([doc])).punct_N.tolist() == marks


CONLLX = """\
1\t«\t_\tPu\tPu\t_\t0\tPunc\t_\t_
2\tcat\t_\tN\tNn\tsg\t3\tSubj\t_\t_
3\tsleeps\t_\tV\tVb\t_\t0\tROOT\t_\t_
4\t.\t_\tPu\tPu\t_\t0\tPunc\t_\t_

"""


def test_conllx(tmp_path):
    """The words get their heads, the punctuation behind the root does not."""
    path = tmp_path / "made-up.conllx"
    path.write_text(CONLLX * 3, encoding="utf-8")
    nlp = spacy.blank("xx")
    nlp.add_pipe("test_right_branching")
    scores = evaluate(nlp, path)[GOLD_SENTENCES]
    assert scores["n_words"] == 12 and scores["n_sents"] == 3
    assert scores["uas"] == 1 / 4
    assert scores["uas_no_punct"] == 1 / 2
    assert scores["ucm_no_punct"] == 0.0


def test_root_labels_below_a_root():
    """Only a root's ROOT is `root`; the same label elsewhere is what it is."""
    vocab = spacy.blank("xx").vocab
    labels = ["ROOT", "ROOT", "root"]
    doc = Doc(vocab, words=["a", "b", "c"], heads=[0, 0, 0], deps=labels)
    assert read_parses(sentences_of_docs([doc])).labels_N.tolist() == ["root", "ROOT", "root"]


def test_command(path, parser_path, tmp_path):
    output = tmp_path / "new" / "scores.json"
    result = nonmono("evaluate", parser_path, path, "--output", output)
    assert result.exit_code == 0, result.output
    for heading in ["Gold sentences", "Documents", *SCORES.values(), *COUNTS.values()]:
        assert heading in result.output
    scores = srsly.read_json(output)
    assert scores.pop("made") == made_here()
    assert list(scores) == [GOLD_SENTENCES, DOCUMENTS]
    assert set(scores[DOCUMENTS]) == {*SCORES, *COUNTS, "gold_tags", "merged"}
    assert scores[DOCUMENTS]["gold_tags"] is False


def test_command_with_gold_tags(path, parser_path, tmp_path):
    output = tmp_path / "scores.json"
    result = nonmono("evaluate", parser_path, path, "--gold-tags", "--output", output)
    assert result.exit_code == 0, result.output
    assert "oracle setting" in result.output
    scores = srsly.read_json(output)
    assert scores[GOLD_SENTENCES]["gold_tags"] and scores[DOCUMENTS]["gold_tags"]


@pytest.mark.parametrize(
    ("setting", "shown", "hidden"),
    [("gold", "Gold sentences", "Documents"), ("documents", "Documents", "Gold sentences")],
)
def test_command_with_one_setting(path, parser_path, setting, shown, hidden):
    result = nonmono("evaluate", parser_path, path, "--setting", setting)
    assert result.exit_code == 0, result.output
    assert shown in result.output and hidden not in result.output


def test_command_with_raw_text(path, parser_path, tmp_path):
    output = tmp_path / "scores.json"
    result = nonmono("evaluate", parser_path, path, "--setting", "raw", "--output", output)
    assert result.exit_code == 0, result.output
    for heading in ["Raw text", "Of aligned words", "Words: 52, sentences: 13", *METRICS.values()]:
        assert heading in result.output
    scores = srsly.read_json(output)
    assert scores.pop("made") == made_here()
    assert list(scores) == [RAW_TEXT]
    assert scores[RAW_TEXT]["tokens_f"] == 1.0
    assert {f"{metric}_f" for metric in METRICS} < set(scores[RAW_TEXT])


def test_command_with_raw_text_and_gold_tags(path, parser_path):
    result = nonmono("evaluate", parser_path, path, "--setting", "raw", "--gold-tags")
    assert result.exit_code == 1
    assert "[NM181]" in result.output


def test_gold_tags_for_nobody(path):
    result = nonmono("evaluate", path, path, "--gold-tags")
    assert result.exit_code == 1
    assert "[NM181]" in result.output


def test_command_without_file(parser_path, tmp_path):
    result = nonmono("evaluate", parser_path, tmp_path / "gone.conllu")
    assert result.exit_code == 1
    assert "gone.conllu" in result.output
