"""Errors by part of speech, against counting word by word."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_nonmono.evaluation.scores import Parses, score_parses
from spacy_nonmono.lab.tag_counts import TagCounts, count_tags
from spacy_nonmono.shapes import UNKNOWN_HEAD

# Heads anywhere: nothing here asks whether they make trees
words = st.tuples(
    st.sampled_from(["NOUN", "VERB", "", "DET"]),
    st.integers(UNKNOWN_HEAD, 15),
    st.integers(-1, 15),
    st.booleans(),
)


def parses(heads, puncts):
    n = len(heads)
    return Parses(
        np.array(heads, int), np.array(["dep"] * n, str), np.arange(n) == 0, np.array(puncts, bool)
    )


@given(st.lists(words, max_size=16))
def test_same_as_naive(sentence):
    tags, heads, guesses, puncts = zip(*sentence, strict=True) if sentence else [()] * 4
    counts = count_tags(parses(heads, puncts), parses(guesses, puncts), tags)
    rows = {}
    for i, (tag, head, guess, punct) in enumerate(sentence):
        if head == UNKNOWN_HEAD or punct:
            continue
        row = rows.setdefault(tag, [0, 0, 0, 0])
        is_far = head >= 0 and abs(head - i) > 5
        for k, is_counted in enumerate([True, head == guess, is_far, is_far and head == guess]):
            row[k] += is_counted
    columns = (counts.words_T, counts.heads_T, counts.far_words_T, counts.far_heads_T)
    found = dict(zip(counts.tags, map(list, zip(*columns, strict=True)), strict=True))
    assert found == rows
    assert counts.tags == sorted(rows, key=lambda tag: (-rows[tag][0], tag))
    assert TagCounts.from_json(counts.to_json()).to_json() == counts.to_json()
    uas = score_parses(parses(heads, puncts), parses(guesses, puncts))["uas_no_punct"]
    if uas is not None:
        assert sum(counts.heads_T) / sum(counts.words_T) == pytest.approx(uas)


def test_errors():
    counts = TagCounts(["NOUN", "DET"], *map(np.array, ([10, 4], [7, 4], [2, 0], [1, 0])))
    assert counts.errors() == ([10, 4], [pytest.approx(0.3), 0.0])
    assert counts.errors(far=True) == ([2, 0], [0.5, None])


def test_lists_of_other_lengths():
    with pytest.raises(ValueError, match="NOUN"):
        TagCounts.from_json(TagCounts(["NOUN"], [1], [1], [1], []).to_json())
