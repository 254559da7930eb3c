"""P-values: equal to the enumeration of all swaps, or near it."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_nonmono import installed
from spacy_nonmono.lab.counts import SentenceCounts
from spacy_nonmono.lab.significance import add_seeds, compare_sentences


def counts(heads, labelled=None, words=None, sentences="same"):
    """Made-up counts, by sentence."""
    words_S = [9] * len(heads) if words is None else words
    return SentenceCounts(
        sentences=sentences,
        lengths_S=words_S,
        words_S=words_S,
        heads_S=heads,
        labelled_S=heads if labelled is None else labelled,
    )


def exact_p(first, second):
    """The share of all ways to swap that differ at least as much; doubled for both sides, as scipy
    counts them: the smaller side twice."""
    found = sum(first) - sum(second)
    values = [
        sum((a - b) * sign for a, b, sign in zip(first, second, signs, strict=True))
        for signs in product((1, -1), repeat=len(first))
    ]
    greater = sum(value >= found for value in values) / len(values)
    less = sum(value <= found for value in values) / len(values)
    return min(1.0, 2 * min(greater, less))


pairs = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=6)


@settings(max_examples=40)
@given(pairs)
def test_few_sentences_are_exact(pair):
    first, second = map(list, zip(*pair, strict=True))
    difference = compare_sentences(counts(first), counts(second))
    assert difference["uas_p"] == pytest.approx(exact_p(first, second))
    assert difference["uas_difference"] == pytest.approx((sum(first) - sum(second)) / (9 * len(first)))
    # The other way round
    back = compare_sentences(counts(second), counts(first))
    assert back["uas_difference"] == -difference["uas_difference"]
    assert back["uas_p"] == pytest.approx(difference["uas_p"])


def test_many_sentences_are_near():
    dice = np.random.default_rng(0)
    first, second = dice.integers(3, 9, 15).tolist(), dice.integers(2, 8, 15).tolist()
    expected = exact_p(first, second)  # of 2 ** 15 ways
    difference = compare_sentences(counts(first), counts(second))
    assert difference["uas_p"] == pytest.approx(expected, abs=0.01)
    assert difference["uas_p"] == compare_sentences(counts(first), counts(second))["uas_p"]


def test_heads_and_labels_are_tested_apart():
    first = counts([9] * 10, labelled=[4] * 10)
    second = counts([9] * 10, labelled=[2] * 10)
    difference = compare_sentences(first, second)
    assert (difference["uas_difference"], difference["uas_p"]) == (0.0, 1.0)
    assert difference["las_difference"] == pytest.approx(2 / 9)
    assert difference["las_p"] == pytest.approx(2 / 2**10)


def test_seeds_are_summed():
    seeds = [counts([1, 2, 3], labelled=[0, 1, 2]), counts([3, 2, 2], labelled=[3, 2, 1])]
    total = add_seeds(seeds)
    assert total["heads_S"] == [4, 4, 5]
    assert total["labelled_S"] == [3, 3, 3]
    assert total["words_S"] == [18, 18, 18]
    assert total["lengths_S"] == [9, 9, 9]


@pytest.mark.parametrize(
    "other",
    [
        counts([1, 2], sentences="others"),
        counts([1, 2, 3], sentences="same"),
        counts([1, 2], words=[9, 8]),
        add_seeds([counts([1, 2]), counts([1, 2])]),
    ],
    ids=["fingerprint", "number", "words", "seeds"],
)
def test_different_sentences(other):
    with pytest.raises(ValueError, match=r"\[NM165\].*2 \(same\)"):
        compare_sentences(counts([1, 2]), other)
    with pytest.raises(ValueError, match=r"\[NM165\]"):
        add_seeds([counts([1, 2]), other])


def test_without_scipy(monkeypatch):
    def fail(name):
        raise ImportError(f"No module named {name!r}")

    monkeypatch.setattr(installed, "import_module", fail)
    with pytest.raises(ImportError, match=r"\[NM166\].*needs scipy.*\[lab\]"):
        compare_sentences(counts([1, 2]), counts([2, 1]))
