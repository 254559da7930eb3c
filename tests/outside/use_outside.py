"""Trains, saves and loads parsers with what the package `outside` registers."""

import sys
from pathlib import Path

import numpy
import spacy
from outside.learner import OutsideLearner
from outside.swing import Lopsided
from spacy.tokens import Doc
from spacy.training import Example

from spacy_nonmono import get_oracle, get_system, list_systems
from spacy_nonmono.decoding.linear_batch import LinearBatch
from spacy_nonmono.scoring.linear.templates import Templates
from spacy_nonmono.scoring.linear.weights import Weights

system = get_system("swing")
assert "swing" in list_systems()
assert system.moves == ("shift", "left_arc", "right_arc") and system.arc_moves == system.moves[1:]
oracle = get_oracle(None, system)
state = system.initial_state(3)
heads = [1, -1, 1]
while not state.is_final:
    (move,) = oracle.optimal(state, heads)
    system.apply(state, move)
assert system.heads(state) == heads

arrays = numpy.array([2], "i"), numpy.zeros((2, 9), "uint64"), numpy.zeros(2, "f")
try:
    LinearBatch(Lopsided(), Templates(["S0.w"]), Weights(), 3, *arrays)
except ValueError as error:
    assert "NM038" in str(error)
else:
    raise AssertionError("a system without right_arc is decoded")

MODELS = {
    "neural": {"@architectures": "outside.Parser.v1"},
    "linear": {"@architectures": "spacy-nonmono.LinearTransitionParser.v1"},
}
TOK2VEC = {"@architectures": "spacy.HashEmbedCNN.v2", "width": 16, "depth": 1, "embed_size": 100}
TOK2VEC |= {"window_size": 1, "maxout_pieces": 2, "subword_features": False, "pretrained_vectors": None}
SENTENCES = [
    (["the", "dog", "sees", "a", "cat"], [1, 2, 2, 4, 2], ["det", "subj", "ROOT", "det", "obj"]),
    (["cats", "sleep"], [1, 1], ["subj", "ROOT"]),
]

for name, model in MODELS.items():
    config = {"system": {"@misc": "outside.Swing.v1"}, "model": dict(model)}
    if name == "neural":
        config["model"]["tok2vec"] = {**TOK2VEC}
    nlp = spacy.blank("en")
    parser = nlp.add_pipe("nonmono_parser", config=config)
    examples = [
        Example(nlp.make_doc(" ".join(words)), Doc(nlp.vocab, words=words, heads=heads, deps=deps))
        for words, heads, deps in SENTENCES
    ]
    optimizer = nlp.initialize(lambda examples=examples: examples)
    for _ in range(40):
        nlp.update(examples, sgd=optimizer)
    folder = Path(sys.argv[1]) / name
    folder.mkdir(parents=True)
    with nlp.use_params(optimizer.averages or {}):
        nlp.to_disk(folder)
        expected = [[(t.head.i, t.dep_) for t in nlp(" ".join(words))] for words, _, _ in SENTENCES]
    loaded = spacy.load(folder)
    found = [[(t.head.i, t.dep_) for t in loaded(" ".join(words))] for words, _, _ in SENTENCES]
    assert found == expected
    assert found == [list(zip(heads, deps, strict=True)) for _, heads, deps in SENTENCES], found

assert OutsideLearner.n_updates == 40
print("The outside package works.")
