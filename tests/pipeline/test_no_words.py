"""Docs without a word: none, an empty one, white space alone, white space behind some hundred words. For
layers they are nothing, and nothing is learnt from them."""

import numpy
import pytest
import spacy
from spacy.training import Example
from spacy.util import registry
from thinc.api import Model

from .util import NAME

EMBED = {
    "@architectures": "spacy-nonmono.MultiHashEmbed.v1",
    "width": 32,
    "attrs": ["NORM", "SUFFIX1-3"],
    "rows": [50, 50],
    "include_static_vectors": False,
}
RECURRENT = {
    "@architectures": "spacy-nonmono.RecurrentEncoder.v1",
    "width": 32,
    "hidden_width": 16,
    "depth": 1,
}
WINDOW = {
    "@architectures": "spacy.MaxoutWindowEncoder.v2",
    **{"width": 32, "depth": 1, "window_size": 1, "maxout_pieces": 2},
}
OURS, SPACYS = "spacy-nonmono.Tok2Vec.v1", "spacy.Tok2Vec.v2"
TOK2VECS = {
    "window": {"@architectures": OURS, "embed": EMBED, "encode": WINDOW},
    "recurrent": {"@architectures": OURS, "embed": EMBED, "encode": RECURRENT},
    "recurrent in spaCy's": {"@architectures": SPACYS, "embed": EMBED, "encode": RECURRENT},
    "without ours": {"@architectures": "spacy.HashEmbedCNN.v2", "pretrained_vectors": None}
    | {"width": 32, "depth": 1, "embed_size": 50, "window_size": 1, "maxout_pieces": 2}
    | {"subword_features": True},
}
WITHOUT_WIDTH = {"@architectures": "test_no_words.WithoutWidth.v1", "tok2vec": TOK2VECS["window"]}
PARSER = {"@architectures": "spacy-nonmono.TransitionParser.v2", "tok2vec": TOK2VECS["window"]}
PARSERS = {
    "neural": PARSER,
    "with an embedding": {**PARSER, "embed": EMBED},
    "recurrent": {**PARSER, "tok2vec": TOK2VECS["recurrent"]},
    "above a transformer": {**PARSER, "tok2vec": WITHOUT_WIDTH},
    "above a transformer, with an embedding": {**PARSER, "tok2vec": WITHOUT_WIDTH, "embed": EMBED},
    "linear": {"@architectures": "spacy-nonmono.LinearTransitionParser.v1"},
}
pytestmark = pytest.mark.filterwarnings(r"ignore:\[NM550\]")
PIPES = [("tagger", model) for model in TOK2VECS] + [(NAME, model) for model in PARSERS]
DOCS = {
    "none": [],
    "empty": [0],
    "white space": [-1],
    "both": [0, -1, 0],
    "between": [3, -1, 0, 2],
    "a part of white space": [600, -1, 0],
}


@registry.architectures("test_no_words.WithoutWidth.v1")
def without_width(tok2vec):
    """As the listener of spacy-transformers: the vectors of an empty doc have no width, and nothing but
    the vectors of a doc tells theirs."""

    def forward(model, docs, is_train):
        found, backprop = tok2vec(docs, is_train)
        assert all(len(rows) == len(doc) for rows, doc in zip(found, docs, strict=True))
        return [rows if len(rows) else model.ops.alloc2f(0, 0) for rows in found], backprop

    def init(model, X, Y):
        tok2vec.initialize(X)

    return Model("without_width", forward, init=init, layers=[tok2vec])


def pipeline(factory, model):
    nlp = spacy.blank("xx")
    if factory == "tagger":
        nlp.add_pipe("tok2vec", config={"model": TOK2VECS[model]})
        listener = {"@architectures": "spacy.Tok2VecListener.v1", "width": 32}
        tagger = {"@architectures": "spacy.Tagger.v2", "tok2vec": listener}
        nlp.add_pipe("tagger", config={"model": tagger})
    else:
        nlp.add_pipe(factory, config={"model": PARSERS[model]})
    words = {"heads": [1, 1, 1], "deps": ["x", "ROOT", "y"], "tags": ["X", "Y", "X"]}
    examples = [Example.from_dict(nlp.make_doc("a b c"), words)]
    if factory == NAME:
        examples.insert(0, Example.from_dict(nlp.make_doc(""), {}))
    nlp.initialize(lambda: examples)
    return nlp


def make_docs(nlp, lengths):
    texts = ["\n" if n < 0 else " ".join(f"w{k}" for k in range(n)) for n in lengths]
    return [nlp.make_doc(text) for text in texts]


@pytest.mark.parametrize("docs", DOCS)
@pytest.mark.parametrize("factory,model", PIPES)
def test_prediction(factory, model, docs):
    nlp = pipeline(factory, model)
    found = list(nlp.pipe(make_docs(nlp, DOCS[docs]), batch_size=1000))
    for doc, alone in zip(found, make_docs(nlp, DOCS[docs]), strict=True):
        expected = nlp(alone)
        assert [t.head.i for t in doc] == [t.head.i for t in expected]
        numpy.testing.assert_allclose(doc.tensor, expected.tensor, rtol=1e-4, atol=1e-5)
        for token in doc:
            assert token.is_space is not doc.tensor.any() or factory == NAME or "spaCy" in model
    if factory == NAME:
        derivations = nlp.get_pipe(NAME).derivations(make_docs(nlp, DOCS[docs]))
        assert [bool(d) for d in derivations] == [n > 0 for n in DOCS[docs]]


@pytest.mark.parametrize("docs", DOCS)
@pytest.mark.parametrize("factory,model", PIPES)
def test_training(factory, model, docs):
    nlp = pipeline(factory, model)
    sgd = nlp.resume_training()
    before = nlp.get_pipe(nlp.pipe_names[-1]).to_bytes(exclude=["vocab", "cfg"])
    examples = [
        Example.from_dict(doc, {"tags": ["X"] * n, "heads": [0] * n, "deps": ["x"] * n})
        for doc, n in ((doc, len(doc)) for doc in make_docs(nlp, DOCS[docs]))
    ]
    losses = nlp.update(examples, sgd=sgd)
    assert numpy.isfinite(list(losses.values())).all()
    if factory == NAME:
        if "linear" not in model:
            nlp.rehearse(examples, sgd=sgd)
        after = nlp.get_pipe(NAME).to_bytes(exclude=["vocab", "cfg"])
        assert (after == before) is (max(DOCS[docs], default=0) <= 0)


@pytest.mark.parametrize("model", PARSERS)
def test_layers_by_themselves(model):
    nlp = pipeline(NAME, model)
    for docs in DOCS.values():
        scores = nlp.get_pipe(NAME).model.predict(make_docs(nlp, docs))
        assert [boundaries.shape for boundaries in scores.boundaries] == [(max(n, 0), 1) for n in docs]


LETTERS = {
    "@architectures": "spacy.CharacterEmbed.v2",
    **{"width": 32, "rows": 50, "nM": 8, "nC": 4, "feature": "NORM", "include_static_vectors": False},
}
VECTORS = {**EMBED, "include_static_vectors": True}


@pytest.mark.parametrize("embed", [LETTERS, VECTORS])
@pytest.mark.parametrize("lengths", [[600, 0], [0, 600, 0, 0, 3], [0]])
def test_embeddings_that_fail_without_words(embed, lengths):
    """They are never asked: an empty doc is in a part with others."""
    nlp = spacy.blank("xx")
    nlp.vocab.set_vector("w1", numpy.ones(4, "f"))
    nlp.add_pipe(NAME, config={"model": {**PARSER, "tok2vec": {**TOK2VECS["window"], "embed": embed}}})
    words = Example.from_dict(nlp.make_doc("a b"), {"heads": [1, 1], "deps": ["x", "ROOT"]})
    nlp.initialize(lambda: [words])
    docs = list(nlp.pipe(make_docs(nlp, lengths)))
    assert [len(doc) for doc in docs] == lengths
    assert all(doc.has_annotation("DEP") for doc in docs if len(doc))
    found = nlp.get_pipe(NAME).derivations(make_docs(nlp, lengths))
    assert [bool(derivations) for derivations in found] == list(map(bool, lengths))
