"""White space is no word: a text with more of it has the trees of the same text with single blanks."""

from functools import cache

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from thinc.api import Adam

from spacy_nonmono.pipeline.gold import ROOT, UNKNOWN_HEAD, read_gold, read_tags, survey
from spacy_nonmono.scoring.linear.model import STATES

from .util import (
    CROSSING,
    FINE_GRAINED,
    LISTENER,
    SYSTEMS,
    blank,
    check_doc,
    gold_doc,
    initialized,
    linear_config,
    model_config,
    randomize,
    train,
    weights,
)

OWN_TOK2VEC = {
    "@architectures": "spacy-nonmono.Tok2Vec.v1",
    "embed": {
        "@architectures": "spacy-nonmono.MultiHashEmbed.v1",
        "width": 24,
        "attrs": ["NORM", "SUFFIX1-3"],
        "rows": [50, 50],
        "word_dropout": 5.0,
    },
    "encode": {
        "@architectures": "spacy.MaxoutWindowEncoder.v2",
        "width": 24,
        "window_size": 1,
        "maxout_pieces": 2,
        "depth": 2,
    },
}
MODELS = ("own", "shared", "linear")
WHITE = st.text(alphabet=" \n\t\u00a0\u3000", max_size=3)
WORDS = ["the", "hare", "sleeps", "under", "an", "oak", ".", "rain", "!"]


def with_model(kind: str, system: str) -> Language:
    if kind == "linear":
        return initialized(system, CROSSING, model=linear_config())
    if kind == "own":
        return initialized(system, CROSSING, model=model_config(OWN_TOK2VEC))
    nlp = blank(system, model=model_config(LISTENER))
    nlp.add_pipe("tok2vec", first=True, config={"model": OWN_TOK2VEC})
    gold = gold_doc(nlp, CROSSING)
    nlp.initialize(lambda: [Example(nlp.make_doc(gold.text), gold)])
    return nlp


@cache
def parser(kind: str, system: str) -> Language:
    """With some random weights, so that trees differ and sentences are many."""
    nlp = with_model(kind, system)
    if kind == "linear":
        gold = gold_doc(nlp, CROSSING)
        train(nlp, [Example(nlp.make_doc(gold.text), gold)], 3)
    else:
        randomize(nlp, seed=1)
    return nlp


def spaced(nlp: Language, words: list[str], white: list[str]) -> Doc:
    """The words with white space around them, as a tokenizer gives it: a token each."""
    tokens: list[str] = []
    for before, word in zip(white, [*words, ""], strict=True):
        tokens += [token for token in (before, word) if token]
    return Doc(nlp.vocab, words=tokens, spaces=[not token.isspace() for token in tokens])


def of_words(doc: Doc) -> list[tuple[str, int, str, bool]]:
    """Words, the numbers of their heads, labels, and which one is the first of its sentence."""
    words = [token for token in doc if not token.is_space]
    number = {token.i: k for k, token in enumerate(words)}
    firsts = [next(token.i for token in sent if not token.is_space) for sent in doc.sents]
    return [(word.text, number[word.head.i], word.dep_, word.i in firsts) for word in words]


@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize("system", [*SYSTEMS, FINE_GRAINED])
@settings(max_examples=15)
@given(
    words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=12),
    data=st.data(),
)
def test_the_trees_are_those_of_the_words(kind, system, words, data):
    nlp = parser(kind, system)
    white = data.draw(st.lists(WHITE, min_size=len(words) + 1, max_size=len(words) + 1))
    plain = nlp(Doc(nlp.vocab, words=words))
    doc = nlp(spaced(nlp, words, white))
    check_doc(doc)
    assert of_words(doc) == of_words(plain)
    for token in doc:
        if token.is_space:
            assert token.dep_ == "_SP" and not list(token.children)
            before = [word for word in doc[: token.i] if not word.is_space]
            assert token.head == (before[-1] if before else next(t for t in doc if not t.is_space))


@pytest.mark.parametrize("kind", MODELS)
def test_nothing_but_white_space(kind):
    nlp = parser(kind, "covington_nonmonotonic")
    for doc in nlp.pipe(["", " ", "\n\n", "rain !", " \n \t"]):
        check_doc(doc)
        assert len(list(doc.sents)) == (1 if len(doc) else 0) or doc.text == "rain !"


def learnt(nlp: Language) -> list[numpy.ndarray]:
    """The weights of the neural parser and its tok2vec; of the linear one the averages."""
    models = [pipe.model for _, pipe in nlp.pipeline]
    shims = [shim for model in models for node in model.walk() for shim in node.shims]
    averages = [shim.averages(STATES).cells["w"] for shim in shims]
    return averages + [array for model in models for array in weights(model)]


@pytest.mark.parametrize("kind", MODELS)
def test_it_teaches_nothing(kind):
    """Trained with white space or without, a parser has the same weights, rounding aside."""
    found = []
    for white in ("", "\n\n "):
        nlp = with_model(kind, "covington_nonmonotonic")
        gold = gold_doc(nlp, CROSSING)
        words = [token.text for token in gold]
        rows = [white if k in (0, 3, len(words)) else "" for k in range(len(words) + 1)]
        examples = [Example(spaced(nlp, words, rows), gold)]
        sgd = Adam(0.01)
        for _ in range(3):
            numpy.random.seed(0)
            nlp.update(examples, sgd=sgd)
        found.append(learnt(nlp))
    for left, right in zip(*found, strict=True):
        numpy.testing.assert_allclose(left, right, atol=1e-3)


def test_a_boundary_on_it_counts_for_the_next_word():
    nlp = parser("own", "arc_eager_unshift")
    doc = Doc(nlp.vocab, words=["the", "hare", "\n", "sleeps", "!"])
    doc[2].is_sent_start = True
    for token in (doc[1], doc[3], doc[4]):
        token.is_sent_start = False
    assert [sent.text for sent in nlp(doc).sents] == ["the hare \n", "sleeps !"]


def test_gold_trees_with_it():
    """In the annotation of others it may be anything: a head, a root, a start of a sentence."""
    nlp = blank()
    words = ["\n", "owls", "hunt", " ", "mice", "\n", "rain", "!"]
    heads = [0, 2, 0, 2, 3, 5, 5, 6]
    deps = ["ROOT", "nsubj", "dep", "space", "obj", "ROOT", "dep", "punct"]
    starts = [True, False, False, False, False, True, False, False]
    doc = Doc(nlp.vocab, words=words, heads=heads, deps=deps, sent_starts=starts, tags=["X"] * 8)
    example = Example(Doc(nlp.vocab, words=words), doc)
    gold = read_gold(example, {nlp.vocab.strings[dep]: k for k, dep in enumerate(deps)})
    assert gold.heads.tolist() == [1, ROOT, 1, ROOT, 3]
    bare = Example(Doc(nlp.vocab, words=[word for word in words if not word.isspace()]), doc)
    assert read_gold(bare, {}).heads.tolist() == gold.heads.tolist()
    assert gold.starts.tolist() == [1, -1, -1, 1, -1]
    assert [deps[label] for label in gold.labels] == ["nsubj", "dep", "obj", "dep", "punct"]
    assert read_tags(example).shape == (2, 5)
    assert "space" not in survey([example], lift=False)[0]


def test_a_root_of_it_has_one_heir():
    nlp = blank()
    doc = Doc(nlp.vocab, words=["a", "\n", "b"], heads=[1, 1, 1], deps=["x", "ROOT", "y"])
    for words in (["a", "\n", "b"], ["a", "b"]):
        example = Example(Doc(nlp.vocab, words=words), doc)
        assert read_gold(example, {}).heads.tolist() == [ROOT, 0]


def test_one_word_of_unknown_head():
    nlp = blank()
    words = ["owls", " ", "\n"]
    doc = Doc(nlp.vocab, words=words, heads=[0, 0, 0], deps=["", "x", "x"])
    for tokens in (words, words[:1], ["owls", " \n"]):
        example = Example(Doc(nlp.vocab, words=tokens, spaces=[False] * len(tokens)), doc)
        assert read_gold(example, {}).heads.tolist() == [UNKNOWN_HEAD]


def test_a_circle_of_it_is_an_unknown_head():
    nlp = blank()
    words = ["owls", " ", "\n", "hunt"]
    doc = Doc(nlp.vocab, words=words, heads=[1, 2, 1, 3], deps=["nsubj", "x", "x", "ROOT"])
    gold = read_gold(Example(Doc(nlp.vocab, words=words), doc), {})
    assert gold.heads.tolist() == [UNKNOWN_HEAD, ROOT]
