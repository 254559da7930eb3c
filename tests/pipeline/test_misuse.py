"""The component where it is not used as it should be: a coded error, or what one would expect."""

import pytest
import spacy
from spacy.tokens import Doc
from spacy.training import Example
from spacy.vocab import Vocab

from .util import (
    CROSSING,
    LANG,
    NAME,
    PROJECTIVE,
    arcs,
    blank,
    check_doc,
    gold_examples,
    initialized,
    linear_config,
    overfitted,
    train,
)

MODELS = pytest.mark.parametrize("settings", [{}, {"model": linear_config()}], ids=["neural", "linear"])


@MODELS
def test_training_before_initialization(settings):
    nlp = blank(**settings)
    with pytest.raises(ValueError, match="NM051"):
        nlp.get_pipe(NAME).update(gold_examples(nlp, PROJECTIVE))
    with pytest.raises(ValueError, match="NM051"):
        nlp("rain !")
    nlp.resume_training()
    with pytest.raises(ValueError, match="NM051"):
        nlp.get_pipe(NAME).rehearse(gold_examples(nlp, PROJECTIVE))


@pytest.mark.parametrize("labels", ["abc", ["a", ""], ["a", 1], ["a", "a"], {"a": 1}, 3], ids=repr)
def test_labels_that_are_none(labels):
    nlp = blank()
    with pytest.raises(ValueError, match="NM061"):
        nlp.get_pipe(NAME).initialize(lambda: gold_examples(nlp, PROJECTIVE), nlp=nlp, labels=labels)
    assert nlp.get_pipe(NAME).labels == ()


@MODELS
def test_initializing_again(settings):
    """The labels are those of the last time, and those that were added by hand."""
    nlp = initialized(trees=CROSSING, **settings)
    parser = nlp.get_pipe(NAME)
    assert "advmod" in parser.labels
    parser.initialize(lambda: gold_examples(nlp, PROJECTIVE[2:]), nlp=nlp)
    assert parser.labels == ("punct",)
    parser.add_label("vocative")
    parser.initialize(lambda: gold_examples(nlp, PROJECTIVE[2:]), nlp=nlp)
    assert parser.labels == ("vocative", "punct")
    train(nlp, gold_examples(nlp, PROJECTIVE[2:]), 30)
    assert [token.dep_ for token in nlp("rain !")] == ["ROOT", "punct"]
    nlp.from_bytes(nlp.to_bytes())
    check_doc(nlp("rain ! foxes hunt mice"))


@MODELS
def test_a_doc_of_another_vocab(settings):
    nlp = overfitted(**settings)
    own = nlp("foxes and owls hunt mice .")
    doc = Doc(Vocab(), words=[token.text for token in own])
    for token, other in zip(doc, own, strict=True):
        doc.vocab[token.text].norm = nlp.vocab[other.text].norm
    parsed = nlp.get_pipe(NAME)(doc)
    assert arcs(parsed) == arcs(own)


def test_training_on_docs_of_another_vocab():
    nlp = initialized()
    other = spacy.blank(LANG)
    examples = [
        Example(Doc(other.vocab, words=[token.text for token in example.x]), example.y)
        for example in gold_examples(nlp, PROJECTIVE)
    ]
    assert train(nlp, examples, 2)[NAME] > 0


@pytest.mark.parametrize("value", [0, -1, 1.5, "x", None, True], ids=repr)
def test_n_threads(value):
    parser = blank().get_pipe(NAME)
    with pytest.raises(ValueError, match="NM057"):
        parser.n_threads = value
    assert parser.n_threads == 1


@pytest.mark.parametrize("value", [-1, 1.5, True, 1_000_001, 2**31], ids=repr)
def test_max_distance(value):
    parser = blank("covington").get_pipe(NAME)
    with pytest.raises(ValueError, match="NM062"):
        type(parser)(parser.vocab, parser.model, system=parser.system, max_distance=value)


@pytest.mark.parametrize("value", [-0.1, 1, float("nan"), "x"], ids=repr)
def test_pair_threshold(value):
    parser = blank("covington").get_pipe(NAME)
    with pytest.raises(ValueError, match="NM066"):
        type(parser)(parser.vocab, parser.model, system=parser.system, pair_threshold=value)


def test_tie_break():
    parser = blank("covington_nonmonotonic").get_pipe(NAME)
    assert parser.oracle.tie_break == "default"

    def make(oracle, tie_break):
        settings = {"system": parser.system, "oracle": oracle, "tie_break": tie_break}
        return type(parser)(parser.vocab, parser.model, **settings)

    assert make("upper", "none").oracle.tie_break == "none"
    for oracle, tie_break, code in (("upper", "x", "NM188"), ("exact", "none", "NM189")):
        with pytest.raises(ValueError, match=code):
            make(oracle, tie_break)


def test_a_model_of_another_kind():
    parser = blank().get_pipe(NAME)
    model = spacy.blank(LANG).add_pipe("tok2vec").model
    with pytest.raises(ValueError, match=r"NM063.*transition_parser"):
        type(parser)(parser.vocab, model, system=parser.system)
