"""Which sentences a doc has, above all those that training parses: those of the gold tree, or sometimes
those that are predicted."""

import numpy
import pytest
from spacy.tokens import Doc
from spacy.vocab import Vocab

from spacy_nonmono.pipeline.gold import GoldParse
from spacy_nonmono.pipeline.sentences import (
    choose_starts,
    local_heads,
    lower_arcs,
    preset_starts,
    sentence_lengths,
    training_starts,
)

from ..training.treebank import random_tree

N = 8
GOLD = [1, -1, 1, -1, 0, 0, 1, -1]
SCORES = [-0.5, 1.0, -3.0, -0.5, 1.0, -0.5, -3.0, 1.0]
PREDICTED = [True, True, False, False, True, False, False, True]
# Gold boundaries; where the annotation is silent, the predicted ones
TAUGHT = [True, False, True, False, True, False, True, False]
# In spaCy a True or False that is set before parsing is to stay
PRESET = {1: False, 2: False, 3: True, 5: True}


def preset_doc(preset: dict[int, bool]) -> Doc:
    doc = Doc(Vocab(), words=["owl"] * N)
    for i, mark in preset.items():
        doc[i].is_sent_start = mark
    return doc


def starts_of(doc: Doc) -> list[bool]:
    unknown = numpy.full((N,), -2, dtype="i")
    gold = GoldParse(unknown, unknown + 1, numpy.array(GOLD, dtype="i"))
    scores = numpy.array(SCORES, dtype="f")[:, None]
    return training_starts(doc, gold, scores).tolist()


@pytest.fixture
def draw(monkeypatch):
    """Makes the random source give one number only."""
    return lambda number: monkeypatch.setattr(numpy.random, "uniform", lambda: number)


@pytest.mark.parametrize("number", [0.0, 0.1, 0.199])
def test_predicted_in_a_fifth_of_the_docs(draw, number):
    draw(number)
    assert starts_of(preset_doc({})) == PREDICTED


@pytest.mark.parametrize("number", [0.2, 0.5, 0.999])
def test_gold_in_the_others(draw, number):
    draw(number)
    assert starts_of(preset_doc({})) == TAUGHT


@pytest.mark.parametrize(("number", "others"), [(0.1, PREDICTED), (0.9, TAUGHT)])
def test_presets_are_kept(draw, number, others):
    draw(number)
    assert starts_of(preset_doc(PRESET)) == [PRESET.get(i, start) for i, start in enumerate(others)]


def test_shares():
    numpy.random.seed(0)
    doc = preset_doc({})
    found = [starts_of(doc) for _ in range(1000)]
    assert all(starts in (PREDICTED, TAUGHT) for starts in found)
    assert found.count(PREDICTED) / len(found) == pytest.approx(0.2, abs=0.04)


def test_presets_of_a_doc():
    preset = preset_starts(preset_doc(PRESET))
    assert preset[1:].tolist() == [-1, -1, 1, 0, 1, 0, 0]
    # A score of 0 starts no sentence; the first word always does
    preset[0] = -1
    scores = numpy.array([-6, 1, 1, -3, 0, -3, 0.5, -1], dtype="f")[:, None]
    assert choose_starts(preset, scores).tolist() == [1, 0, 0, 1, 0, 1, 1, 0]


def test_sentence_lengths():
    starts = numpy.array([1, 0, 0, 1, 1, 0], dtype=bool)
    assert sentence_lengths(starts).tolist() == [3, 1, 2]


def test_heads_within_the_sentence():
    """Three docs, of which the first has two sentences; a head in another sentence is unknown."""
    unknown = numpy.zeros((0,), dtype="i")
    golds = [
        GoldParse(numpy.array(heads, dtype="i"), unknown, unknown)
        for heads in ([1, -1, 3, -1, 2, -2], [-1, 0], [1, -1])
    ]
    for lengths, expected in (
        ([[3, 3], [2], [2]], [1, -1, -2, -1, -2, -2, -1, 0, 1, -1]),
        ([[2, 4], [2], [2]], [1, -1, 1, -1, 0, -2, -1, 0, 1, -1]),
    ):
        rows = zip(golds, lengths, strict=True)
        heads = [local_heads(gold.heads, numpy.array(own)) for gold, own in rows]
        assert numpy.concatenate(heads).tolist() == expected


def lowered(heads: list[int], deps: list[int], head_deps: list[int]) -> list[int]:
    """From the root down, each lifted word goes to the first word below its head that has the label,
    breadth first and from left to right. Heads in the doc, -1 for a root."""

    def below(word: int) -> list[int]:
        found = [d for d, head in enumerate(heads) if head == word]
        for other in found:
            found += [d for d, head in enumerate(heads) if head == other]
        return found

    heads = list(heads)
    for word in below(-1):
        old = heads[word]
        if old >= 0 and head_deps[word]:
            heads[word] = -2  # neither the word nor what is below it
            heads[word] = next((d for d in below(old) if deps[d] == head_deps[word]), old)
    return heads


@pytest.mark.parametrize("seed", range(5))
def test_lowered_arcs(seed):
    rng = numpy.random.default_rng(seed)
    n_lowered = 0
    for n in [*range(1, 8), 12, 12, 20, 20, 20]:
        heads = random_tree(n, rng)
        deps = rng.integers(1, 4, n)
        head_deps = rng.integers(1, 4, n) * (rng.random(n) < 0.5)
        own = numpy.arange(n)
        relative = numpy.where(numpy.array(heads) < 0, 0, heads - own)
        found = own + lower_arcs(relative, deps, head_deps)
        expected = lowered(heads, deps.tolist(), head_deps.tolist())
        assert numpy.where(found == own, -1, found).tolist() == expected
        n_lowered += sum(one != other for one, other in zip(heads, expected, strict=True))
    assert n_lowered > 5
