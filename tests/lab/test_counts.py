"""Counts by sentence, arc length, group and part of speech, against counting word by word."""

from collections import Counter

import numpy as np
import pytest
import srsly
from hypothesis import given
from hypothesis import strategies as st

from spacy_nonmono.evaluation.scores import Parses, crossing_words, score_parses, sentence_spans
from spacy_nonmono.lab.breakdowns import add_counts, by_arc_length, by_sentence_length, kind_scores
from spacy_nonmono.lab.counts import (
    AFTER_ERROR,
    CROSSING_ARCS,
    CROSSING_SENTENCES,
    PROJECTIVE_ARCS,
    PROJECTIVE_SENTENCES,
    count_arcs,
    count_groups,
    count_sentences,
    count_tags,
)
from spacy_nonmono.shapes import UNKNOWN_HEAD
from tests.evaluation.test_scores import pairs_of_parses, parses


@st.composite
def partly_annotated(draw):
    """A gold standard with some unknown heads, and a prediction."""
    gold, predicted = draw(pairs_of_parses())
    unknown_N = np.array([draw(st.booleans()) for _ in gold.heads_N])
    heads_N = np.where(unknown_N, UNKNOWN_HEAD, gold.heads_N)
    labels_N = np.where(unknown_N, "", gold.labels_N)
    return Parses(heads_N, labels_N, gold.starts_N, gold.punct_N), predicted


def naive_sentences(gold, predicted):
    """Length, words, right heads, right heads with labels of each gold sentence."""
    rows = []
    for i, head in enumerate(gold.heads_N):
        if gold.starts_N[i]:
            rows.append([0, 0, 0, 0])
        is_known = head != UNKNOWN_HEAD
        is_right = is_known and predicted.heads_N[i] == head
        rows[-1][0] += 1
        rows[-1][1] += is_known
        rows[-1][2] += is_right
        rows[-1][3] += is_right and predicted.labels_N[i] == gold.labels_N[i]
    return rows


def naive_arcs(gold, predicted):
    """Counters by length of gold arcs, predicted, right and right with labels; of words only."""
    counters = [Counter() for _ in range(4)]
    for i, (head, guess) in enumerate(zip(gold.heads_N, predicted.heads_N, strict=True)):
        if head == UNKNOWN_HEAD:
            continue
        if head >= 0:
            counters[0][abs(head - i)] += 1
        if guess >= 0:
            counters[1][abs(guess - i)] += 1
        if head == guess >= 0:
            counters[2][abs(head - i)] += 1
            counters[3][abs(head - i)] += gold.labels_N[i] == predicted.labels_N[i]
    return counters


def naive_after_error(gold, predicted):
    """Words whose arcs come after the first wrong one: pair by pair, in Covington's order."""
    found = set()
    for start, end in sentence_spans(gold.starts_N):
        heads = {i: int(predicted.heads_N[i]) for i in range(start, end)}
        n_words = len(predicted.heads_N)
        order = [
            d
            for j in range(n_words)
            for i in range(j - 1, -1, -1)
            for d in range(start, end)
            if heads[d] >= 0 and {d, heads[d]} == {i, j}
        ]
        order += [d for d in range(start, end) if heads[d] < 0]
        wrong = [gold.heads_N[d] not in (UNKNOWN_HEAD, heads[d]) for d in order]
        if any(wrong):
            found.update(order[wrong.index(True) + 1 :])
    return found


def naive_groups(gold, predicted):
    """Of each group its words by the gold and by the predicted tree."""
    words = set(range(len(gold.heads_N)))
    crossing = [set(np.flatnonzero(crossing_words(parses)).tolist()) for parses in (gold, predicted)]
    spans = [set(range(start, end)) for start, end in sentence_spans(gold.starts_N)]
    hard = set().union(*(span for span in spans if span & crossing[0]))
    after = naive_after_error(gold, predicted)
    return {
        PROJECTIVE_ARCS: (words - crossing[0], words - crossing[1]),
        CROSSING_ARCS: tuple(crossing),
        PROJECTIVE_SENTENCES: (words - hard, words - hard),
        CROSSING_SENTENCES: (hard, hard),
        AFTER_ERROR: (after, after),
    }


@given(partly_annotated())
def test_groups(pair):
    gold, predicted = pair
    known = {i for i, head in enumerate(gold.heads_N) if head != UNKNOWN_HEAD}
    right = {i for i in known if gold.heads_N[i] == predicted.heads_N[i]}
    labelled = {i for i in right if gold.labels_N[i] == predicted.labels_N[i]}
    scores = {group: kind_scores(counts) for group, counts in count_groups(gold, predicted).items()}
    assert list(scores) == list(naive_groups(gold, predicted))
    for group, (of_gold, of_predicted) in naive_groups(gold, predicted).items():
        found = scores[group]
        assert found["gold"] == len(of_gold & known)
        assert found["predicted"] == len(of_predicted & known)
        if found["gold"]:
            assert found["recall"] == len(of_gold & right) / found["gold"]
            assert found["labelled_recall"] == len(of_gold & labelled) / found["gold"]
        if found["predicted"]:
            assert found["precision"] == len(of_predicted & right) / found["predicted"]
            assert found["labelled_precision"] == len(of_predicted & labelled) / found["predicted"]
    all_scores = score_parses(gold, predicted)
    assert scores[CROSSING_ARCS]["precision"] == all_scores["nonproj_p"]
    assert scores[CROSSING_ARCS]["recall"] == all_scores["nonproj_r"]


def test_after_the_first_error():
    # The arc from 3 to 2 comes first; that from 0 to 3, which is wrong, before that from 3 to 4
    gold = parses([(-1, "root"), (0, "a"), (3, "b"), (1, "c"), (3, "d")], [(-1, "root")])
    predicted = parses([(-1, "root"), (0, "a"), (3, "b"), (0, "c"), (3, "d")], [(-1, "root")])
    scores = kind_scores(count_groups(gold, predicted)[AFTER_ERROR])
    assert (scores["gold"], scores["precision"]) == (2, 1.0)  # 4 and the root


@given(partly_annotated())
def test_sentences(pair):
    counts = count_sentences(*pair)
    columns = [counts[name] for name in ("lengths_S", "words_S", "heads_S", "labelled_S")]
    assert [list(row) for row in zip(*columns, strict=True)] == naive_sentences(*pair)
    scores = score_parses(*pair)
    if scores["uas"] is not None:
        assert sum(counts["heads_S"]) / sum(counts["words_S"]) == pytest.approx(scores["uas"])
        assert sum(counts["labelled_S"]) / sum(counts["words_S"]) == pytest.approx(scores["las"])


def check_arcs(counts, counters):
    """An arc that is found is right at the same length."""
    assert all(numbers[1:3] == numbers[4:] for numbers in counts.values())
    for place, counter in zip((0, 3, 1, 2), counters, strict=True):
        found = {int(i): numbers[place] for i, numbers in counts.items() if i != "0" and numbers[place]}
        assert found == {i: n for i, n in counter.items() if n}


@given(partly_annotated())
def test_arcs(pair):
    counts = count_arcs(*pair)
    check_arcs(counts, naive_arcs(*pair))
    # Those to the root are at 0: together they are all words of known head
    n_known = (pair[0].heads_N != UNKNOWN_HEAD).sum()
    assert all(sum(numbers[place] for numbers in counts.values()) == n_known for place in (0, 3))


@given(partly_annotated())
def test_bins(pair):
    gold, predicted = pair
    arc_rows = by_arc_length(count_arcs(gold, predicted), bins=(1, 2, 4))
    assert [row["bin"] for row in arc_rows] == ["1", "2-3", "4+"]
    n_gold, n_predicted, n_right, n_labelled = naive_arcs(gold, predicted)
    for row, lengths in zip(arc_rows, ([1], [2, 3], range(4, 20)), strict=True):

        def total(counter, lengths=lengths):
            return sum(counter[length] for length in lengths)

        assert (row["gold"], row["predicted"]) == (total(n_gold), total(n_predicted))
        if row["gold"]:
            assert row["recall"] == total(n_right) / row["gold"]
            assert row["labelled_recall"] == total(n_labelled) / row["gold"]
        if row["predicted"]:
            assert row["precision"] == total(n_right) / row["predicted"]
            assert row["labelled_precision"] == total(n_labelled) / row["predicted"]
    rows = by_sentence_length(count_sentences(gold, predicted), bins=(1, 3))
    assert [row["bin"] for row in rows] == ["1-2", "3+"]
    sentences = naive_sentences(gold, predicted)
    for row, is_in_bin in zip(rows, (lambda n: n < 3, lambda n: n >= 3), strict=True):
        chosen = [sentence for sentence in sentences if is_in_bin(sentence[0])]
        words = sum(sentence[1] for sentence in chosen)
        assert row["words"] == words
        assert row["uas"] == (sum(s[2] for s in chosen) / words if words else None)
        assert row["las"] == (sum(s[3] for s in chosen) / words if words else None)


def test_example():
    gold = parses([(1, "det"), (-1, "root"), (1, "obj"), (1, "punct")])
    predicted = parses([(1, "det"), (-1, "root"), (1, "obl"), (2, "punct")])
    counts = count_arcs(gold, predicted)
    assert counts == {"0": [1, 1, 1, 1, 1, 1], "1": [2, 2, 1, 3, 2, 1], "2": [1, 0, 0, 0, 0, 0]}
    two_or_more = by_arc_length(counts)[1]
    assert two_or_more["recall"] == 0.0 and two_or_more["precision"] is None


def test_nothing_to_count():
    counts = count_sentences(parses(), parses())
    assert counts["words_S"] == []
    assert {row["las"] for row in by_sentence_length(counts)} == {None}
    assert {row["recall"] for row in by_arc_length(count_arcs(parses(), parses()))} == {None}


@given(st.lists(partly_annotated(), min_size=1, max_size=3))
def test_adding_up_is_counting_together(pairs):
    """Of arc counts; a right arc is right in any order of the files."""
    counters = [naive_arcs(*pair) for pair in pairs]
    summed = [sum(of_files, Counter()) for of_files in zip(*counters, strict=True)]
    check_arcs(add_counts([count_arcs(*pair) for pair in pairs]), summed)


@given(partly_annotated())
def test_json(pair):
    for counts in (count_sentences(*pair), count_arcs(*pair), count_groups(*pair)):
        assert srsly.json_loads(srsly.json_dumps(counts)) == counts


# Tags, heads and guesses anywhere: nothing here asks whether they make trees
tagged_words = st.tuples(
    st.sampled_from(["NOUN", "VERB", "", "DET"]),
    st.integers(UNKNOWN_HEAD, 15),
    st.integers(-1, 15),
    st.booleans(),
)


@given(st.lists(tagged_words, max_size=16))
def test_tags(sentence):
    tags, *heads, puncts = zip(*sentence, strict=True) if sentence else [()] * 4
    n = len(tags)
    gold, predicted = (
        Parses(np.array(x, int), np.array(["dep"] * n, str), np.arange(n) == 0, np.array(puncts, bool))
        for x in heads
    )
    rows = {}
    for i, (tag, head, guess, punct) in enumerate(sentence):
        if head == UNKNOWN_HEAD or punct:
            continue
        row = rows.setdefault(tag, [0, 0, 0, 0])
        is_far = head >= 0 and abs(head - i) > 5
        for k, is_counted in enumerate([True, head == guess, is_far, is_far and head == guess]):
            row[k] += is_counted
    counts = count_tags(gold, predicted, tags)
    far_counts = count_tags(gold, predicted, tags, far=True)
    assert list(counts) == list(far_counts) == sorted(rows, key=lambda tag: (-rows[tag][0], tag))
    assert {tag: counts[tag][:2] + far_counts[tag][:2] for tag in counts} == rows
    uas = score_parses(gold, predicted)["uas_no_punct"]
    if uas is not None:
        right, words = (sum(numbers[place] for numbers in counts.values()) for place in (1, 0))
        assert right / words == pytest.approx(uas)


def test_same_sentences_have_the_same_fingerprint():
    gold = parses([(-1, "root"), (0, "obj")], [(-1, "root")])
    others = [
        parses([(-1, "root"), (0, "obl")], [(-1, "root")]),
        parses([(1, "obj"), (-1, "root")], [(-1, "root")]),
        parses([(-1, "root")], [(-1, "root"), (0, "obj")]),
    ]
    found = [count_sentences(one, others[0])["sentences"] for one in (gold, gold, *others)]
    assert found[0] == found[1] == count_sentences(gold, gold)["sentences"]
    assert len(set(found)) == 4
