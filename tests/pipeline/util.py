"""Tiny parsers, made-up documents, and what every parsed document must satisfy."""

import random
from collections.abc import Sequence
from typing import Any

import numpy
import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from thinc.api import Adam, Model, fix_random_seed

from spacy_nonmono import list_systems
from spacy_nonmono.oracles.registry import list_oracles

SYSTEMS = list_systems()
FINE_GRAINED = "yamada_matsumoto fine_grained_shift"
# A system with an oracle: all that there are
TRAININGS = [
    (system, oracle)
    for system in (*SYSTEMS, FINE_GRAINED)
    for oracle in list_oracles(system.split()[0])
]
NAME = "nonmono_parser"
# For tests that train static oracles with trees that these cannot derive
SOME_UNDERIVABLE = pytest.mark.filterwarnings(r"ignore:\[NM552\]")
# The tokenizer of "en" takes five times as long to make
LANG = "xx"

TOK2VEC: dict[str, Any] = {
    "@architectures": "spacy.HashEmbedCNN.v2",
    "pretrained_vectors": None,
    "width": 24,
    "depth": 1,
    "embed_size": 80,
    "window_size": 1,
    "maxout_pieces": 2,
    "subword_features": False,
}
LISTENER: dict[str, Any] = {
    "@architectures": "spacy.Tok2VecListener.v1",
    "width": 24,
    "upstream": "*",
}

# (words, heads in the sentence with the root heading itself, labels)
Tree = tuple[list[str], list[int], list[str]]
PROJECTIVE: list[Tree] = [
    (
        ["the", "hare", "sleeps", "under", "an", "oak"],
        [1, 2, 2, 5, 5, 2],
        ["det", "nsubj", "ROOT", "case", "det", "obl"],
    ),
    (
        ["foxes", "and", "owls", "hunt", "mice", "."],
        [3, 2, 0, 3, 3, 3],
        ["nsubj", "cc", "conj", "ROOT", "obj", "punct"],
    ),
    (["rain", "!"], [0, 0], ["ROOT", "punct"]),
]
# The first has crossing arcs: report -> wolves and arrived -> the full stop.
CROSSING: list[Tree] = [
    (
        ["a", "report", "arrived", "yesterday", "about", "wolves", "."],
        [1, 2, 2, 2, 5, 1, 2],
        ["det", "nsubj", "ROOT", "advmod", "case", "nmod", "punct"],
    ),
    *PROJECTIVE[1:],
]
TEXTS = ["", "foxes and owls hunt mice .", "rain !", "the hare sleeps under an oak . rain ! owls"]


def system_config(name: str) -> dict[str, Any]:
    """name: that of the system, and those of its options to be switched on."""
    name, *options = name.split()
    camel = "".join(part.capitalize() for part in name.split("_"))
    return {"@misc": f"spacy-nonmono.{camel}.v1", **dict.fromkeys(options, True)}


def model_config(tok2vec: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "@architectures": "spacy-nonmono.TransitionParser.v2",
        "hidden_width": 64,
        "arc_width": 16,
        "boundary_width": 16,
        "recurrent_width": 16,
        "tok2vec": tok2vec or TOK2VEC,
    }


def committee_config(n: int, **models: Any) -> dict[str, Any]:
    """n: the number of members. models: more of them."""
    members = {f"member{i}": model_config() for i in range(n)} | models
    return {"@architectures": "spacy-nonmono.Committee.v1", "*": members}


def linear_config(**settings: Any) -> dict[str, Any]:
    return {"@architectures": "spacy-nonmono.LinearTransitionParser.v1", **settings}


def parser_config(
    system: str = "arc_eager_unshift",
    tok2vec: dict[str, Any] | None = None,
    **settings: Any,
) -> dict[str, Any]:
    return {"system": system_config(system), "model": model_config(tok2vec), **settings}


def blank(system: str = "arc_eager_unshift", **settings: Any) -> Language:
    """A pipeline that holds a tiny parser without weights."""
    nlp = spacy.blank(LANG)
    nlp.add_pipe(NAME, config=parser_config(system, **settings))
    return nlp


def gold_doc(nlp: Language, trees: Sequence[Tree]) -> Doc:
    """A doc of annotated sentences."""
    words: list[str] = []
    heads: list[int] = []
    deps: list[str] = []
    starts: list[bool] = []
    for tree_words, tree_heads, tree_deps in trees:
        heads.extend(len(words) + head for head in tree_heads)
        starts.extend(i == 0 for i in range(len(tree_words)))
        words.extend(tree_words)
        deps.extend(tree_deps)
    doc = Doc(nlp.vocab, words=words, heads=heads, deps=deps)
    assert [token.is_sent_start for token in doc] == starts
    return doc


def gold_examples(nlp: Language, trees: Sequence[Tree], together: bool = False) -> list[Example]:
    """Examples of a sentence each, or one of them all; the predicted docs are bare."""
    docs = [gold_doc(nlp, trees)] if together else [gold_doc(nlp, [tree]) for tree in trees]
    return [Example(bare(nlp, doc), doc) for doc in docs]


def bare(nlp: Language, doc: Doc) -> Doc:
    """The words and spaces of a doc."""
    return Doc(
        nlp.vocab,
        words=[token.text for token in doc],
        spaces=[bool(token.whitespace_) for token in doc],
    )


def initialized(
    system: str = "arc_eager_unshift",
    trees: Sequence[Tree] = PROJECTIVE,
    seed: int = 0,
    **settings: Any,
) -> Language:
    """A pipeline with the labels of the trees and random weights."""
    fix_random_seed(seed)
    nlp = blank(system, **settings)
    nlp.initialize(lambda: gold_examples(nlp, trees))
    return nlp


def train(
    nlp: Language, examples: Sequence[Example], steps: int, rate: float = 0.01
) -> dict[str, float]:
    """Update on all examples at once, several times; the losses of the last time."""
    sgd = Adam(rate)
    losses: dict[str, float] = {}
    for _ in range(steps):
        losses = nlp.update(examples, sgd=sgd, drop=0.0, losses={})
    return losses


def overfitted(
    system: str = "arc_eager_unshift",
    trees: Sequence[Tree] = PROJECTIVE,
    **settings: Any,
) -> Language:
    """A pipeline that knows the trees by heart, alone and as one document."""
    nlp = initialized(system, trees, **settings)
    train(nlp, gold_examples(nlp, trees) + gold_examples(nlp, trees, together=True), 40)
    return nlp


def arcs(doc: Doc) -> list[tuple[int, str, bool]]:
    """Head, label and whether a sentence starts, a word."""
    return [(token.head.i, token.dep_, bool(token.is_sent_start)) for token in doc]


def words(n: int, seed: int = 0) -> list[str]:
    rng = random.Random(seed)
    return [rng.choice(["hare", "fox", "owl", "rain", "the", "under", "."]) for _ in range(n)]


def parameters(model: Model, *layers: str) -> list[tuple[Model, str]]:
    """(layer, name of a parameter) of layers of a model; of all if none are named."""
    nodes = [node for layer in layers for node in model.get_ref(layer).walk()] or model.walk()
    return [(node, name) for node in nodes for name in node.param_names if node.has_param(name)]


def weights(model: Model) -> list[Any]:
    """As they are now."""
    return [node.get_param(name).copy() for node, name in parameters(model)]


def same(first: Sequence[Any], second: Sequence[Any]) -> bool:
    return all(numpy.array_equal(a, b) for a, b in zip(first, second, strict=True))


def randomize(nlp: Language, seed: int, scale: float = 1.0) -> None:
    """Overwrite the weights with noise: a parser that takes unusual decisions."""
    rng = numpy.random.RandomState(seed)
    for node, name in parameters(nlp.get_pipe(NAME).model):
        node.set_param(name, rng.normal(0.0, scale, node.get_param(name).shape).astype("f"))


def wild(
    system: str = "arc_eager_unshift", seed: int = 3, scale: float = 1.0, **settings: Any
) -> Language:
    """A pipeline whose parser takes unusual decisions."""
    nlp = initialized(system, CROSSING, **settings)
    randomize(nlp, seed, scale)
    return nlp


def with_scorer(system: str, linear: bool, **settings: Any) -> Language:
    """A wild neural parser, or a linear one that has learnt a little."""
    if not linear:
        return wild(system, **settings)
    nlp = initialized(system, CROSSING, model=linear_config())
    train(nlp, gold_examples(nlp, CROSSING, together=True), 10)
    return nlp


def parses(nlp: Language) -> list[list[tuple[int, str, bool]]]:
    return [arcs(doc) for doc in nlp.pipe(TEXTS)]


def model_of(nlp: Language) -> Any:
    return nlp.get_pipe(NAME).model


def check_doc(doc: Doc, projective: bool = False) -> None:
    """Every sentence is one tree with one root `ROOT`, and all words are annotated."""
    assert doc.has_annotation("DEP") or len(doc) == 0
    assert doc.has_annotation("SENT_START") or len(doc) <= 1
    assert sum(len(sent) for sent in doc.sents) == len(doc)
    for sent in doc.sents:
        assert all(token.is_sent_start == (token.i == sent.start) for token in sent)
        roots = [token for token in sent if token.head.i == token.i]
        assert len(roots) == 1
        assert roots[0].dep_ == "ROOT" and sent.root.i == roots[0].i
        for token in sent:
            assert sent.start <= token.head.i < sent.end
            assert token.dep_ and (token.dep_ != "ROOT" or token.i == roots[0].i)
            node = token
            for _ in range(len(sent)):
                node = node.head
            assert node.i == roots[0].i, "a cycle"
    if projective:
        assert not crosses(doc)


def crosses(doc: Doc) -> bool:
    """Whether two arcs cross, those from ROOT not counted."""
    spans = [
        (min(token.i, token.head.i), max(token.i, token.head.i))
        for token in doc
        if token.head.i != token.i
    ]
    return any(a < c < b < d for a, b in spans for c, d in spans)
