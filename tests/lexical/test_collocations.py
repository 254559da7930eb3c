"""The index of a sentence against all pairs of tokens, and its promise of linear size."""

import math
from itertools import combinations_with_replacement, product
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_nonmono.lexical import collocations as module
from spacy_nonmono.lexical.collocations import Collocations, Strength, make_pair
from tests.naive.collocations import all_collocates

KEYS = "abcd"
ALL_PAIRS = list(combinations_with_replacement(KEYS, 2))
LIMITS = [(1, 1), (2, 1), (1, 2), (256, 3)]

scores = st.integers(-8, 60).map(lambda quarters: quarters / 4)  # exact in float32
tables = st.dictionaries(st.sampled_from(ALL_PAIRS), st.builds(Strength, st.just(3), scores))


def by_pair(pairs):
    return {frozenset(pair): strength.score for pair, strength in pairs.items()}


def as_dict(found):
    rows = np.repeat(np.arange(len(found.starts) - 1), np.diff(found.starts))
    return dict(zip(zip(rows.tolist(), found.partners.tolist(), strict=True), found.scores, strict=True))


def check(collocations, words, tags, limits, *, all_pairs=False):
    found = collocations.collocates(words, tags, all_pairs=all_pairs)
    max_partners, n_nearest = limits if not all_pairs else (math.inf, math.inf)
    expected = all_collocates(
        [word.lower() for word in words],
        by_pair(collocations.words),
        max_partners=max_partners,
        n_nearest=n_nearest,
    )
    by_tag = all_collocates(
        tags, by_pair(collocations.tags), max_partners=max_partners, n_nearest=n_nearest
    )
    for pair, score in by_tag.items():
        expected[pair] = max(score, expected.get(pair, score))
    assert as_dict(found) == expected
    assert [array.dtype for array in found] == [np.int32, np.int32, np.float32]
    for start, end in zip(found.starts, found.starts[1:], strict=False):
        assert np.all(np.diff(found.partners[start:end]) > 0)


def limited(limits):
    return patch.multiple(module, MAX_PARTNERS=limits[0], N_NEAREST=limits[1])


@pytest.mark.parametrize("limits", LIMITS, ids=str)
def test_every_short_sentence(limits):
    pairs = [("a", "a"), ("a", "b"), ("a", "c"), ("b", "c")]
    strengths = [Strength(3, score) for score in (2.0, 3.0, 3.0, 1.0)]
    with limited(limits):
        collocations = Collocations(words=dict(zip(pairs, strengths, strict=True)))
        for n_words in range(6):
            for words in product("abc", repeat=n_words):
                check(collocations, words, [""] * n_words, limits)


@given(
    tables,
    tables,
    st.lists(st.tuples(st.sampled_from("abcdABCDx"), st.sampled_from(["", *KEYS])), max_size=14),
    st.sampled_from(LIMITS),
)
def test_all_pairs_of_tokens(words, tags, sentence, limits):
    with limited(limits):
        collocations = Collocations(words=words, tags=tags)
        for all_pairs in (False, True):
            keys = [w for w, _ in sentence], [t for _, t in sentence]
            check(collocations, *keys, limits, all_pairs=all_pairs)


def test_higher_score_counts():
    collocations = Collocations(
        words={("dogs", "see"): Strength(3, 2.5), ("cats", "see"): Strength(3, 0.5)},
        tags={("NOUN", "VERB"): Strength(10, 1.5)},
    )
    found = collocations.collocates(["Dogs", "see", "cats"], ["NOUN", "VERB", "NOUN"])
    assert found.starts.tolist() == [0, 1, 3, 4]
    assert found.partners.tolist() == [1, 0, 2, 1]
    assert found.scores.tolist() == [2.5, 2.5, 1.5, 1.5]


def test_size_is_linear():
    """Of n words that all collocate with one another, not n(n-1) are kept."""
    names = [f"w{i:04}" for i in range(400)]
    table = {make_pair(a, b): Strength(3, 1.0) for i, a in enumerate(names) for b in names[:i]}
    with limited((4, 1)):
        collocations = Collocations(words=table, tags={("X", "X"): Strength(10, 1.0)})
        found = collocations.collocates(names, ["X"] * 400)
    assert len(found.partners) <= 2 * 400 * (4 + 2)


def test_one_tag_a_word():
    with pytest.raises(ValueError, match=r"NM155.*2 words was given 1 tags"):
        Collocations().collocates(["a", "b"], ["X"])
