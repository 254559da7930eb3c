"""Parsers with what the package registers: trained, saved, loaded, traced, their arcs scored."""

import numpy
import pytest
import spacy
from outside.learner import OutsideLearner
from spacy.tokens import Doc
from spacy.training import Example
from thinc.api import fix_random_seed

from spacy_nonmono import get_system
from spacy_nonmono.lab.traces import ATTACH_REST, trace

MODELS = {
    "neural": {
        "@architectures": "outside.Parser.v1",
        "tok2vec": {
            "@architectures": "spacy.HashEmbedCNN.v2",
            "pretrained_vectors": None,
            "width": 16,
            "depth": 1,
            "embed_size": 100,
            "window_size": 1,
            "maxout_pieces": 2,
            "subword_features": False,
        },
    },
    "linear": {"@architectures": "spacy-nonmono.LinearTransitionParser.v1"},
}
N_UPDATES = 100
# In the second one hearing -> issue crosses scheduled -> today
SENTENCES = [
    (["the", "dog", "sees", "a", "cat"], [1, 2, 2, 4, 2], ["det", "subj", "ROOT", "det", "obj"]),
    (
        ["hearing", "is", "scheduled", "on", "issue", "today"],
        [2, 2, 2, 4, 0, 2],
        ["subj", "aux", "ROOT", "case", "nmod", "advmod"],
    ),
    (["cats", "sleep"], [1, 1], ["subj", "ROOT"]),
]


def blank(model, **settings):
    nlp = spacy.blank("xx")
    config = {"system": {"@misc": "outside.TwoPlanar.v1"}, "model": MODELS[model], **settings}
    nlp.add_pipe("nonmono_parser", config=config)
    return nlp


def gold_docs(nlp):
    return [Doc(nlp.vocab, words=words, heads=heads, deps=deps) for words, heads, deps in SENTENCES]


def bare(nlp, words):
    """A Doc that is one sentence for the parser."""
    return Doc(nlp.vocab, words=words, sent_starts=[i == 0 for i in range(len(words))])


def bare_docs(nlp):
    return [bare(nlp, words) for words, _, _ in SENTENCES]


def trained(model, oracle):
    fix_random_seed(0)
    nlp = blank(model, oracle=oracle)
    examples = [Example(*docs) for docs in zip(bare_docs(nlp), gold_docs(nlp), strict=True)]
    optimizer = nlp.initialize(lambda: examples)
    for _ in range(N_UPDATES):
        nlp.update(examples, sgd=optimizer)
    return nlp, optimizer


def arcs(doc):
    return [(token.head.i, token.dep_) for token in doc]


@pytest.mark.parametrize("oracle", ["static", "dynamic"])
@pytest.mark.parametrize("model", MODELS)
def test_trained_saved_and_loaded(model, oracle, tmp_path):
    OutsideLearner.n_updates = 0
    nlp, optimizer = trained(model, oracle)
    assert OutsideLearner.n_updates == (N_UPDATES if model == "neural" else 0)
    with nlp.use_params(optimizer.averages or {}):
        nlp.to_disk(tmp_path)
        expected = [arcs(doc) for doc in nlp.pipe(bare_docs(nlp))]
    assert expected == [arcs(doc) for doc in gold_docs(nlp)]
    loaded = spacy.load(tmp_path)
    assert [arcs(doc) for doc in loaded.pipe(bare_docs(loaded))] == expected


@pytest.mark.parametrize("model", MODELS)
def test_traced(model):
    nlp, _ = trained(model, "static")
    gold = gold_docs(nlp)[1]
    (found,) = trace(nlp, bare_docs(nlp)[1], gold)
    assert found.system == "two_planar"
    assert [-1 if t.head.i == t.i else t.head.i for t in gold] == list(found.heads)
    (expected,) = trace(get_system("two_planar"), gold, gold, oracle="static")
    assert [(s.move, s.label, s.added) for s in found.steps] == [
        (s.move, s.label, s.added) for s in expected.steps
    ]
    assert "switch" in [step.move for step in found.steps]
    assert not [step for step in found.steps if step.repairs or step.removed]
    assert {step.cost for step in found.steps} == {0}


def wild(n_words, seed=6):
    """A parser that has learnt nothing, with large weights, and a text of so many words that is one
    sentence for it."""
    fix_random_seed(0)
    nlp = blank("neural", dep_scores=True)
    nlp.initialize(lambda: [Example(doc, doc) for doc in gold_docs(nlp)])
    numbers = numpy.random.default_rng(seed)
    model = nlp.get_pipe("nonmono_parser").model
    for node in model.walk():
        for name in node.param_names:
            if node.has_param(name) and "tok2vec" not in node.name:
                array = node.get_param(name)
                node.set_param(name, array + numbers.normal(0, 0.3, array.shape).astype("f"))
    return nlp, bare(nlp, [f"w{i % 11}" for i in range(n_words)])


def test_scores_of_arcs_are_those_of_the_moves():
    nlp, doc = wild(60)
    parser = nlp.get_pipe("nonmono_parser")
    ((derivation,),) = parser.derivations([doc])
    system, state = parser.system, parser.system.initial_state(len(doc))
    expected = {}
    for move in derivation.moves:
        if move.move in system.arc_moves:
            _, dependent = system.arc(state, move.move)
            expected[dependent] = move.score
        system.apply(state, move.move)
    found = {token.i: token._.dep_score for token in parser(doc)}
    assert {word: found[word] for word in expected} == pytest.approx(expected, rel=1e-5)
    # Enough of them, in both planes
    moves = [move.move for move in derivation.moves]
    assert len(set(expected.values())) > 10 and moves.count("switch") >= 3
    assert all(0 <= score <= 1 for score in found.values())


def test_rest_is_attached():
    traces = [trace(*wild(60, seed))[0] for seed in range(10)]
    with_rest = [found for found in traces if found.steps[-1].move == ATTACH_REST]
    assert with_rest
    for found in with_rest:
        assert found.heads.count(-1) == 1 and all(label for label in found.labels if label)
