"""What training data lacks is said: with a code, and once."""

import warnings

import numpy
import pytest
from spacy.attrs import DEP
from spacy.tokens import Doc
from spacy.training import Example

from spacy_nonmono.errors import name_some
from spacy_nonmono.pipeline.gold import read_gold
from spacy_nonmono.shapes import UNKNOWN_HEAD

from .util import (
    LISTENER,
    NAME,
    PROJECTIVE,
    TOK2VEC,
    blank,
    gold_examples,
    initialized,
    model_config,
    train,
)

WORDS = ["foxes", "hunt", "mice", "owls", "too"]
HEADS = [1, 1, 1, 3, 3]
DEPS = ["nsubj", "ROOT", "obj", "ROOT", "advmod"]
STARTS = [True, False, False, True, False]


def examples(**annotation) -> list[Example]:
    nlp = blank()
    return [
        Example(Doc(nlp.vocab, words=WORDS), Doc(nlp.vocab, words=WORDS, **annotation))
        for _ in range(2)
    ]


def told(action) -> list[str]:
    """The codes of the warnings."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        action()
    return [str(one.message)[1:6] for one in found]


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        ({}, ["NM554"]),
        ({"sent_starts": STARTS}, ["NM554"]),
        ({"heads": [1, 1, 1, 1, 3], "deps": DEPS}, ["NM555"]),
        ({"heads": HEADS, "deps": DEPS}, []),
    ],
)
def test_of_training_data(annotation, expected):
    nlp = blank()
    assert told(lambda: nlp.initialize(lambda: examples(**annotation))) == expected


def test_heads_without_labels_are_unknown():
    found = examples(heads=HEADS, deps=DEPS)
    for one in found:
        one.reference.from_array([DEP], numpy.zeros((len(WORDS),), dtype="uint64"))
    assert told(lambda: blank().initialize(lambda: found)) == ["NM554"]
    assert told(lambda: blank().initialize()) == []  # there is no data


def labels_alone(nlp, other_tokens=False):
    words = ["foxes hunt", *WORDS[2:]] if other_tokens else WORDS
    reference = Doc(nlp.vocab, words=WORDS, deps=["nsubj", "root", "obj", "ROOT", "advmod"])
    return Example(Doc(nlp.vocab, words=words), reference)


@pytest.mark.parametrize("other_tokens", [False, True])
def test_labels_without_heads_are_no_roots(other_tokens):
    nlp = initialized()
    example = labels_alone(nlp, other_tokens)
    gold = read_gold(example, {nlp.vocab.strings["obj"]: 0})
    assert set(gold.heads.tolist()) == {UNKNOWN_HEAD}
    assert not gold.starts.any()
    losses = {}
    assert told(lambda: nlp.update([example, example], losses=losses)) == ["NM595"]
    assert told(lambda: nlp.update([example], losses=losses)) == []
    assert losses == {NAME: 0.0}
    found = [example, labels_alone(nlp, other_tokens)]
    assert told(lambda: blank().initialize(lambda: found)) == ["NM554"]


def test_sentences_of_one_word_are_roots():
    nlp = initialized()
    for words, label in ((["Yes"], "intj"), (["Yes", "No"], "ROOT"), (["Yes", "No"], "root")):
        n = len(words)
        reference = Doc(nlp.vocab, words=words, heads=range(n), deps=[label] * n)
        gold = read_gold(Example(Doc(nlp.vocab, words=words), reference), {})
        assert gold.heads.tolist() == [-1] * n and gold.starts.tolist() == [1] * n


def test_boundaries_that_are_given_need_not_be_learnt():
    found = examples(heads=[1, 1, 1, 1, 3], deps=DEPS)
    for one in found:
        for token in one.predicted[1:]:
            token.is_sent_start = False
    assert told(lambda: blank().initialize(lambda: found)) == []


def test_labels_that_the_parser_does_not_have():
    nlp = initialized()
    other = gold_examples(nlp, [(["owls", "hunt"], [1, 1], ["new", "ROOT"])])
    with pytest.warns(UserWarning, match=r"\[NM556\].*: new\."):
        train(nlp, other, 1)
    assert told(lambda: train(nlp, other, 1)) == []
    fresh = initialized()
    assert told(lambda: train(fresh, gold_examples(fresh, PROJECTIVE), 1)) == []
    assert name_some("abcdefg") == "a, b, c, d, e and others"


def test_a_head_without_a_label_is_learnt():
    """The label `_` is unknown: it is no label of the parser, and nobody is told of it."""
    nlp = blank()
    found = gold_examples(nlp, [(["owls", "hunt", "mice"], [1, 1, 1], ["_", "ROOT", "obj"])])
    nlp.initialize(lambda: found)
    assert nlp.get_pipe(NAME).labels == ("obj",)
    assert told(lambda: train(nlp, found, 40)) == []
    doc = nlp(Doc(nlp.vocab, words=["owls", "hunt", "mice"]))
    assert [token.head.i for token in doc] == [1, 1, 1]


@pytest.mark.parametrize("embed", [None, TOK2VEC])
def test_vectors_that_are_missing(embed):
    """Also where the parser has vectors of its own beside them."""
    nlp = blank(model={**model_config(LISTENER), "embed": embed})
    nlp.add_pipe("tok2vec", first=True, config={"model": TOK2VEC})
    nlp.initialize(lambda: gold_examples(nlp, PROJECTIVE))
    assert told(lambda: nlp("owls hunt")) == told(lambda: nlp("")) == []
    with nlp.select_pipes(disable=["tok2vec"]):
        assert told(lambda: nlp("owls hunt")) == ["NM557"]
        assert told(lambda: nlp("")) == []
    nlp.replace_listeners("tok2vec", NAME, ["model.tok2vec"])
    with nlp.select_pipes(disable=["tok2vec"]):
        assert told(lambda: nlp("owls hunt")) == []
    assert numpy.isfinite(train(nlp, gold_examples(nlp, PROJECTIVE), 1)[NAME])
