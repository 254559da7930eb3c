"""Exploration policies: probabilities, errors, and what training with them follows."""

import math
from functools import partial

import numpy
import pytest
import spacy
from spacy.tokens import Doc
from spacy.training import Example
from spacy.training.batchers import minibatch_by_words
from spacy.training.loop import create_train_batches
from spacy.util import load_model_from_config, minibatch, registry
from thinc.api import Config, fix_random_seed

from spacy_nonmono.training.exploration import (
    AnnealedExploration,
    Exploration,
    ExplorationPolicy,
)
from spacy_nonmono.training.progress import Progress

from ..pipeline.util import (
    NAME,
    PROJECTIVE,
    blank,
    check_doc,
    gold_doc,
    gold_examples,
    linear_config,
    same,
    train,
    weights,
)

FIXED = "spacy-nonmono.Exploration.v1"
ANNEALED = "spacy-nonmono.AnnealedExploration.v1"


def policy(name: str, **options):
    return registry.misc.get(name)(**options)


# Probabilities


def test_fixed_probability():
    exploration = policy(FIXED, k=2, p=0.75)
    assert exploration == Exploration(k=2, p=0.75)
    assert [exploration.probability(n) for n in range(4)] == [0.0, 0.0, 0.75, 0.75]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"k": 0, "p_start": 0.0, "p_end": 1.0, "steps": 4}, [0.0, 0.25, 0.5, 0.75, 1.0, 1.0, 1.0]),
        ({"k": 2, "p_start": 0.5, "p_end": 1.0, "steps": 2}, [0.0, 0.0, 0.5, 0.75, 1.0, 1.0, 1.0]),
        ({"k": 1, "p_start": 1.0, "p_end": 0.5, "steps": 2}, [0.0, 1.0, 0.75, 0.5, 0.5, 0.5, 0.5]),
        ({"k": 1, "p_start": 0.2, "p_end": 0.9, "steps": 0}, [0.0, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9]),
        ({"k": 0, "p_start": 0.3, "p_end": 0.3, "steps": 5}, [0.3] * 7),
    ],
)
def test_annealed_probability(options, expected):
    exploration = policy(ANNEALED, **options)
    assert exploration == AnnealedExploration(**options)
    found = [exploration.probability(n) for n in range(7)]
    assert found == pytest.approx(expected)
    assert found[-1] == options["p_end"]


def test_passes():
    exploration = policy(FIXED, k=2, p=0.9, unit="passes")
    assert exploration == Exploration(k=2, p=0.9, unit="passes")
    assert [exploration.probability(done) for done in (0, 1.99, 2.0, 2.01)] == [0.0, 0.0, 0.9, 0.9]
    annealed = policy(ANNEALED, k=1, p_start=0.0, p_end=1.0, steps=2, unit="passes")
    found = [annealed.probability(done) for done in (0.5, 1, 1.5, 2, 3, 9)]
    assert found == pytest.approx([0.0, 0.0, 0.25, 0.5, 1.0, 1.0])


@pytest.mark.parametrize("p_end", [0.1, 0.7, 0.9, 1.0])
def test_annealed_probability_is_one_and_monotonic(p_end):
    exploration = AnnealedExploration(k=3, p_start=0.3, p_end=p_end, steps=997)
    found = [exploration.probability(n) for n in range(3, 1100)]
    assert found in (sorted(found), sorted(found, reverse=True))
    assert all(0.0 <= p <= 1.0 for p in found)
    assert (found[0], found[-1]) == (0.3, p_end)


def test_annealed_defaults():
    exploration = policy(ANNEALED)
    assert (exploration.probability(0), exploration.probability(10**6)) == (0.0, 1.0)


# Errors


@pytest.mark.parametrize(
    ("name", "option", "value"),
    [
        (FIXED, "k", -1),
        (FIXED, "p", -0.01),
        (FIXED, "p", 1.01),
        (FIXED, "p", math.nan),
        (FIXED, "unit", "epochs"),
        (ANNEALED, "k", -1),
        (ANNEALED, "steps", -5),
        (ANNEALED, "p_start", -0.5),
        (ANNEALED, "p_end", 1.5),
        (ANNEALED, "p_end", math.nan),
        (ANNEALED, "unit", "pass"),
    ],
)
def test_bad_options(name, option, value):
    with pytest.raises(ValueError, match=rf"\[NM054\] The option '{option}'.*{value}"):
        policy(name, **{option: value})


def test_bad_options_of_a_config():
    with pytest.raises(ValueError, match=r"\[NM054\]"):
        blank(exploration={"@misc": FIXED, "p": 2.0})


@pytest.mark.parametrize("value", [0, 1, 0.0, 1.0])
def test_extreme_probabilities(value):
    assert Exploration(p=value).probability(0) == value


# The component


def test_config_round_trip():
    options = {"k": 3, "p_start": 0.1, "p_end": 0.9, "steps": 50}
    nlp = blank(exploration={"@misc": ANNEALED, **options})
    text = nlp.config.to_str()
    again = load_model_from_config(Config().from_str(text, interpolate=False), auto_fill=False)
    assert again.config.to_str() == text
    assert again.get_pipe(NAME).exploration == AnnealedExploration(**options)


class Seen:
    """A policy of a user's own: every second update follows the oracle."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def probability(self, n_updates: int) -> float:
        self.asked.append(n_updates)
        return float(n_updates % 2)


def test_a_policy_of_ones_own():
    registry.misc.register("tests.Seen.v1", func=Seen)
    nlp = blank(exploration={"@misc": "tests.Seen.v1"})
    exploration = nlp.get_pipe(NAME).exploration
    assert isinstance(exploration, Seen) and isinstance(exploration, ExplorationPolicy)
    examples = gold_examples(nlp, PROJECTIVE)
    nlp.initialize(lambda: examples)
    train(nlp, examples, 3)
    assert exploration.asked == [0, 1, 2]


class Passes(Seen):
    unit = "passes"


def counting_passes(corpus, **config):
    """A pipeline with a policy that remembers the passes it was told; the policy."""
    nlp = blank(model=linear_config(), **config)
    pipe = nlp.get_pipe(NAME)
    pipe.exploration = Passes()
    nlp.initialize(lambda: corpus(nlp))
    return nlp, pipe.exploration


def sentences(nlp):
    """Eight examples; one has no words."""
    empty = Example(nlp.make_doc(""), nlp.make_doc(""))
    return [*gold_examples(nlp, PROJECTIVE), empty, *gold_examples(nlp, PROJECTIVE, together=True)]


@pytest.mark.parametrize("batcher", [minibatch_by_words, minibatch], ids=["words", "examples"])
@pytest.mark.parametrize("size", [1, 7, 1000])
def test_a_pass_is_an_epoch_of_spacy(batcher, size):
    """Batches end with an epoch; where one begins, so many passes are done."""
    nlp, exploration = counting_passes(sentences)
    batches = create_train_batches(nlp, sentences, partial(batcher, size=size), 4)
    epochs = []
    for epoch, batch in batches:
        nlp.update(batch)
        if any(len(example.x) for example in batch):
            epochs.append(epoch)
    assert [int(done) for done in exploration.asked] == epochs
    assert [done for done in exploration.asked if done == int(done)] == [0, 1, 2, 3]
    assert exploration.asked == sorted(exploration.asked)


def test_a_training_that_goes_on_keeps_the_count(tmp_path):
    nlp, _ = counting_passes(sentences)
    examples = sentences(nlp)
    train(nlp, examples, 3)
    train(nlp, examples[:1], 1)
    progress = nlp.get_pipe(NAME).progress
    n_words = sum(len(example.x) for example in examples)
    n_arcs = sum(token.head.i != token.i for example in examples for token in example.y)
    assert progress == Progress(4, 3 * n_words + len(examples[0].x), n_words, n_arcs)
    nlp.to_disk(tmp_path)
    again = spacy.load(tmp_path)
    pipe = again.get_pipe(NAME)
    assert pipe.progress == progress
    pipe.exploration = Passes()
    sgd = again.resume_training()
    again.update(sentences(again), sgd=sgd)
    assert pipe.exploration.asked == [3 + len(examples[0].x) / n_words]
    data = pipe.to_bytes()
    again.initialize(lambda: sentences(again))
    assert pipe.progress == Progress(0, 0, n_words, n_arcs)
    pipe.from_bytes(data)
    assert pipe.progress.n_updates == 5


def test_passes_of_unknown_length():
    """Of a parser that was saved when it was not counted yet."""
    nlp = blank(exploration={"@misc": FIXED, "k": 1, "unit": "updates"})
    examples = gold_examples(nlp, PROJECTIVE)
    nlp.initialize(lambda: examples)
    nlp.get_pipe(NAME).progress.words_per_pass = 0
    nlp.get_pipe(NAME).exploration = Exploration(k=1, unit="passes")
    with pytest.raises(ValueError, match=r"\[NM175\]"):
        train(nlp, examples, 1)


def test_no_pass_without_data():
    """spaCy makes up a Doc where it is given none."""
    nlp = blank(exploration={"@misc": FIXED, "k": 1, "unit": "passes"})
    nlp.get_pipe(NAME).add_label("det")
    sgd = nlp.initialize()
    with pytest.raises(ValueError, match=r"\[NM175\]"):
        nlp.update(gold_examples(nlp, PROJECTIVE), sgd=sgd)


def test_what_has_no_probability_is_no_policy():
    with pytest.raises(ValueError, match=r"\[NM055\]"):
        blank(exploration={"@misc": "spacy-nonmono.ArcEager.v1"})


@pytest.mark.parametrize("name", [FIXED, ANNEALED])
def test_training(name):
    fix_random_seed(0)
    nlp = blank(exploration={"@misc": name, "k": 1})
    examples = gold_examples(nlp, PROJECTIVE)
    nlp.initialize(lambda: examples)
    first = train(nlp, examples, 1)
    assert train(nlp, examples, 8)[NAME] < first[NAME]
    check_doc(nlp("foxes hunt . rain !"))


def trained_weights(exploration: dict, seed: int) -> list[numpy.ndarray]:
    """After some updates with that seed, from the same weights. The boundaries are given, so that
    nothing but the exploration is left to chance."""
    fix_random_seed(0)
    nlp = blank(exploration=exploration)
    examples = []
    for tree in PROJECTIVE:
        gold = gold_doc(nlp, [tree])
        starts = [token.is_sent_start for token in gold]
        examples.append(Example(Doc(nlp.vocab, words=tree[0], sent_starts=starts), gold))
    nlp.initialize(lambda: examples)
    fix_random_seed(seed)
    train(nlp, examples, 6)
    return weights(nlp.get_pipe(NAME).model)


@pytest.mark.parametrize(
    ("exploration", "chance"),
    [
        ({"@misc": FIXED, "p": 0.0}, False),
        ({"@misc": FIXED, "p": 0.5}, True),
        ({"@misc": FIXED, "p": 1.0}, False),
        ({"@misc": ANNEALED, "p_start": 0.3, "p_end": 0.7, "steps": 6}, True),
        ({"@misc": ANNEALED, "p_start": 0.0, "p_end": 1.0, "steps": 0}, False),
    ],
)
def test_the_seed_decides(exploration, chance):
    first = trained_weights(exploration, 1)
    assert same(first, trained_weights(exploration, 1))
    others = [trained_weights(exploration, seed) for seed in (2, 3)]
    assert all(same(first, other) for other in others) != chance
