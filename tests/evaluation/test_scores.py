"""Attachment scores: equal to the UD scorer's, and right on small examples."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_nonmono.evaluation.scores import (
    CONTENT_LABELS,
    Parses,
    crossing_words,
    score_parses,
    sentence_spans,
)
from spacy_nonmono.lab.counts import count_sentences
from tests.trees import trees

LABELS = ["nsubj", "nsubj:pass", "obl", "obl:tmod", "case", "det", "punct", "dobj", "aux:pass"]


def parses(*sentences: list[tuple[int, str]]) -> Parses:
    """Sentences of (head in the sentence, label); -1 is the root, -2 unknown. `punct` is punctuation."""
    heads, labels, starts = [], [], []
    for sentence in sentences:
        start = len(heads)
        for i, (head, label) in enumerate(sentence):
            heads.append(head if head < 0 else start + head)
            labels.append(label)
            starts.append(i == 0)
    puncts = np.array([label == "punct" for label in labels], bool)
    return Parses(np.array(heads, int), np.array(labels, str), np.array(starts, bool), puncts)


@st.composite
def random_parses(draw, n_words: int):
    """Trees of one root each over random sentences."""
    sentences = []
    while n_words:
        size = draw(st.integers(1, n_words))
        heads, labels = draw(trees(size)), st.sampled_from(LABELS)
        sentences.append([(head, "root" if head < 0 else draw(labels)) for head in heads])
        n_words -= size
    return parses(*sentences)


@st.composite
def pairs_of_parses(draw):
    n_words = draw(st.integers(1, 12))
    gold, predicted = draw(random_parses(n_words)), draw(random_parses(n_words))
    # Random trees share little: else the prediction has the gold arcs, with some labels changed
    if draw(st.booleans()):
        labels = gold.labels_N.tolist()
        for word in range(n_words):
            if labels[word] != "root":
                labels[word] = draw(st.sampled_from([labels[word], draw(st.sampled_from(LABELS))]))
        predicted = Parses(gold.heads_N, np.array(labels, str), gold.starts_N, gold.punct_N)
    return gold, predicted


def load_with_ud_scorer(scorer, trees: Parses):
    lines = []
    for start, end in sentence_spans(trees.starts_N):
        for number, word in enumerate(range(start, end), start=1):
            head = trees.heads_N[word]
            head = 0 if head < 0 else head - start + 1
            columns = [number, "w", *"____", head, trees.labels_N[word], "_", "_"]
            lines.append("\t".join(map(str, columns)))
        lines.append("")
    return scorer.load_conllu(io.StringIO("\n".join(lines) + "\n"), "made-up", {})


@given(pairs_of_parses())
def test_same_as_ud_scorer(pair):
    scorer = pytest.importorskip("udtools.udeval")
    gold, predicted = pair
    scores = score_parses(gold, predicted)
    theirs = scorer.evaluate(load_with_ud_scorer(scorer, gold), load_with_ud_scorer(scorer, predicted))
    assert scores["uas"] == pytest.approx(theirs["UAS"].f1)
    assert scores["las_universal"] == pytest.approx(theirs["LAS"].f1)
    assert (scores["clas"] or 0) == pytest.approx(theirs["CLAS"].f1)
    assert scores["sents_p"] == pytest.approx(theirs["Sentences"].precision)
    assert scores["sents_r"] == pytest.approx(theirs["Sentences"].recall)
    assert scores["sents_f"] == pytest.approx(theirs["Sentences"].f1)


def test_same_content_labels_as_ud_scorer():
    assert pytest.importorskip("udtools.udeval").CONTENT_DEPRELS == CONTENT_LABELS


def test_scores_of_gold():
    gold = parses([(1, "nsubj"), (-1, "root"), (1, "punct")], [(-1, "root")])
    scores = score_parses(gold, gold)
    attachment = ["uas", "las", "las_universal", "clas", "ucm", "lcm"]
    perfect = [*attachment, *(f"{name}_no_punct" for name in attachment)]
    assert {scores[name] for name in [*perfect, "sents_p", "sents_r", "sents_f"]} == {1.0}
    assert scores["nonproj_p"] is scores["nonproj_r"] is scores["nonproj_f"] is None
    assert scores["nonproj_sents_gold"] == scores["nonproj_arcs_gold"] == 0.0


def test_counts():
    gold = parses([(1, "nsubj:pass"), (-1, "root"), (3, "case"), (1, "obl"), (1, "punct")])
    predicted = parses([(1, "nsubj"), (-1, "root"), (1, "case"), (1, "obl"), (3, "punct")])
    scores = score_parses(gold, predicted)
    assert scores["uas"] == 3 / 5
    assert scores["las"] == 2 / 5
    assert scores["las_universal"] == 3 / 5
    assert scores["clas"] == 1.0
    assert scores["uas_no_punct"] == 3 / 4
    assert scores["las_no_punct"] == 2 / 4
    assert scores["las_universal_no_punct"] == 3 / 4


def test_complete_match():
    """Of gold sentences with words that count, wherever the predicted ones end."""
    full = [(-1, "root"), (0, "obj:x"), (1, "punct")]
    gold = parses(full, full, full, full, [(-1, "punct")], [(-2, "")], [(-1, "root"), (-2, "")])
    other_label = [(-1, "root"), (0, "obj"), (1, "punct")]
    other_point = [(-1, "root"), (0, "obj:x"), (0, "punct")]
    other_head = [(-1, "root"), (2, "obj:x"), (0, "punct")]
    predicted = parses(
        full, other_label, other_point, other_head, [(-1, "x"), (0, "obj"), (-1, "root"), (2, "a")]
    )
    scores = score_parses(gold, predicted)
    assert scores["ucm"] == (1 + 1 + 0 + 0 + 1 + 1) / 6
    assert scores["lcm"] == (1 + 0 + 0 + 0 + 0 + 1) / 6
    assert scores["ucm_no_punct"] == (1 + 1 + 1 + 0 + 1) / 5
    assert scores["lcm_no_punct"] == (1 + 0 + 1 + 0 + 1) / 5


@given(pairs_of_parses())
def test_complete_match_is_that_of_the_counts(pair):
    gold, predicted = pair
    counts = count_sentences(gold, predicted)
    scores = score_parses(gold, predicted)
    assert scores["ucm"] == np.equal(counts["heads_S"], counts["words_S"]).mean()
    assert scores["lcm"] == np.equal(counts["labelled_S"], counts["words_S"]).mean()


def test_punctuation_is_what_the_gold_trees_say():
    gold = parses([(-1, "root"), (0, "punct"), (0, "obj")])
    marks = np.array([False, False, True])
    gold = Parses(gold.heads_N, gold.labels_N, gold.starts_N, marks)
    predicted = parses([(-1, "root"), (0, "punct"), (1, "punct")])
    scores = score_parses(gold, predicted)
    assert scores["uas"] == 2 / 3
    assert scores["uas_no_punct"] == scores["las_no_punct"] == 1.0


def test_clas_without_punctuation():
    """A content label predicted for punctuation counts against CLAS with punctuation only."""
    gold = parses([(-1, "root"), (0, "punct")])
    predicted = parses([(-1, "root"), (0, "obj")])
    scores = score_parses(gold, predicted)
    assert scores["clas"] == 2 / 3
    assert scores["clas_no_punct"] == 1.0


def test_unknown_heads_are_left_out():
    gold = parses([(-1, "root"), (-2, ""), (0, "obj")], [(-2, "")])
    predicted = parses([(-1, "root"), (0, "obj"), (1, "obj")], [(-1, "root")])
    scores = score_parses(gold, predicted)
    assert scores["uas"] == scores["las"] == 1 / 2
    assert scores["clas"] == 1 / 2
    assert scores["sents_f"] == 1.0


def test_unknown_labels_are_left_out_where_labels_count():
    gold = parses([(-1, "root"), (0, "_"), (0, "obj"), (0, "x")])
    predicted = parses([(-1, "root"), (0, "obj"), (0, "obj"), (2, "x")])
    scores = score_parses(gold, predicted)
    assert scores["uas"] == 3 / 4
    assert scores["las"] == scores["las_universal"] == 2 / 3
    gold, predicted = parses([(-1, "root"), (0, "_")]), parses([(-1, "root"), (0, "nsubj")])
    scores = score_parses(gold, predicted)
    assert scores["clas"] == scores["las"] == scores["lcm"] == 1.0
    wrong = parses([(1, "obj"), (-1, "root")])
    assert score_parses(parses([(-1, "root"), (0, "_")]), wrong)["lcm"] == 0.0


def test_sentences():
    gold = parses([(-1, "root")], [(-1, "root"), (0, "obj")], [(-1, "root")])
    predicted = parses([(-1, "root")], [(-1, "root"), (0, "obj"), (0, "obj")])
    scores = score_parses(gold, predicted)
    assert scores["sents_p"] == 1 / 2
    assert scores["sents_r"] == 1 / 3
    assert scores["sents_f"] == 2 / 5


def test_non_projective_arcs():
    crossing = [(3, "obj"), (-1, "root"), (0, "obl"), (1, "obj")]  # words 0 and 2
    gold = parses(crossing, crossing, [(-1, "root")], [(-1, "root")])
    projective = [(1, "obj"), (-1, "root"), (1, "obl"), (1, "obj")]
    half_right = [(3, "obj"), (-1, "root"), (1, "obl"), (1, "obj")]  # word 0 only
    predicted = parses(projective, half_right, [(-1, "root"), (0, "obj")])
    assert np.flatnonzero(crossing_words(gold)).tolist() == [0, 2, 4, 6]
    assert np.flatnonzero(crossing_words(predicted)).tolist() == [4]
    scores = score_parses(gold, predicted)
    assert scores["nonproj_p"] == 1.0
    assert scores["nonproj_r"] == 1 / 4
    assert scores["nonproj_f"] == pytest.approx(2 / 5)
    assert scores["nonproj_arcs_gold"] == 4 / 10
    assert scores["nonproj_arcs_predicted"] == 1 / 10
    assert scores["nonproj_sents_gold"] == 2 / 4
    assert scores["nonproj_sents_predicted"] == 1 / 3


def test_non_projective_arcs_all_wrong():
    gold = parses([(3, "obj"), (-1, "root"), (1, "obl"), (1, "obj")])
    predicted = parses([(1, "obj"), (-1, "root"), (0, "obl"), (1, "obj")])
    scores = score_parses(gold, predicted)
    assert scores["nonproj_p"] == scores["nonproj_r"] == scores["nonproj_f"] == 0.0


def test_nothing_to_score():
    scores = score_parses(parses(), parses())
    assert set(scores.values()) == {None}


def test_arrays_that_do_not_fit():
    with pytest.raises(ValueError, match=r"\[NM020\].*\[1, 2\]"):
        Parses(np.array([-1, 0]), np.array(["root", "obj"]), np.array([True]), np.array([True, False]))
    with pytest.raises(ValueError, match=r"\[NM020\].*\[1, 2\]"):
        Parses(np.array([-1]), np.array(["root"]), np.array([True]), np.array([True, False]))
    with pytest.raises(ValueError, match=r"\[NM020\]"):
        Parses(np.array([-1]), np.array(["root"]), np.array([False]), np.array([False]))
