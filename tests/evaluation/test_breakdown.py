"""Accuracy by kinds of words, arcs and sentences, and confusions, against counting word by word."""

from collections import Counter
from unittest.mock import patch

import numpy as np
import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st

from spacy_nonmono.evaluation import breakdown
from spacy_nonmono.evaluation.breakdown import break_down
from spacy_nonmono.evaluation.confusions import N_EXAMPLES, find_confusions
from spacy_nonmono.evaluation.evaluate import ParsedFile, parse_file
from spacy_nonmono.evaluation.names import (
    CONFUSIONS,
    CROSSING,
    CROSSING_SENTENCES,
    KINDS,
    LABEL,
    LENGTH,
    SENTENCE_LENGTH,
    UPOS,
)
from spacy_nonmono.evaluation.scores import Parses, crossing_words, score_parses, sentence_spans
from spacy_nonmono.evaluation.words import WordTable
from spacy_nonmono.shapes import UNKNOWN_HEAD
from spacy_nonmono.treebank.sentences import Sentence
from tests.evaluation.test_scores import pairs_of_parses, parses

TAGS = ["NOUN", "VERB", "PUNCT", ""]
VOCAB = spacy.blank("xx").vocab


@st.composite
def partly_known(draw):
    """Gold trees with some unknown heads and labels, predicted ones with some unknown heads; tags."""
    gold, predicted = draw(pairs_of_parses())
    heads, labels = gold.heads_N.copy(), gold.labels_N.astype("U20")
    guesses, guessed_labels = predicted.heads_N.copy(), predicted.labels_N.astype("U20")
    for word in range(len(heads)):
        match draw(st.integers(0, 8)):
            case 0:
                heads[word], labels[word] = UNKNOWN_HEAD, ""
            case 1:
                labels[word] = "_" if heads[word] >= 0 else labels[word]
            case 2:
                guesses[word], guessed_labels[word] = UNKNOWN_HEAD, ""
    tags = [draw(st.sampled_from(TAGS)) for _ in heads]
    return (
        Parses(heads, labels, gold.starts_N, gold.punct_N),
        Parses(guesses, guessed_labels, predicted.starts_N, predicted.punct_N),
        tags,
    )


def make_parsed(gold, predicted, tags):
    sentences = make_sentences(gold, tags)
    return ParsedFile(gold, predicted, sentences, sentences, None, False, False)


def tables_of(gold, predicted, tags, arc_bins=(1, 2, 4), sentence_bins=(1, 3)):
    with patch.multiple(breakdown, ARC_BINS=arc_bins, SENTENCE_BINS=sentence_bins):
        return break_down(make_parsed(gold, predicted, tags))


def confusions_of(*parsed):
    return find_confusions(WordTable(make_parsed(*parsed)))


def share(part, whole):
    return part / whole if whole else None


class Words:
    """Every word of known gold head as a dict of what it is."""

    def __init__(self, gold, predicted, tags):
        crossing = crossing_words(gold), crossing_words(predicted)
        self.words = []
        for number, (start, end) in enumerate(sentence_spans(gold.starts_N)):
            for i in range(start, end):
                head, guess = int(gold.heads_N[i]), int(predicted.heads_N[i])
                label, guessed = str(gold.labels_N[i]), str(predicted.labels_N[i])
                if head == UNKNOWN_HEAD:
                    continue
                self.words.append(
                    {
                        "i": i,
                        "tag": tags[i],
                        "sentence": number,
                        "size": end - start,
                        "hard": any(crossing[0][start:end]),
                        "has label": label != "_",
                        "has head": guess != UNKNOWN_HEAD,
                        "right": head == guess,
                        "labelled": head == guess and label == guessed,
                        "label": (label, guessed),
                        "length": tuple("root" if h < 0 else abs(h - i) for h in (head, guess)),
                        "crossing": tuple(bool(side[i]) for side in crossing),
                        "head": (head, guess),
                    }
                )

    def arcs(self, is_kind):
        """A row of arcs; is_kind(word, side): is it of the kind in the gold tree (0), predicted (1)?"""
        row = {}
        for name, right, known in (("", "right", True), ("labelled_", "labelled", False)):
            words = [word for word in self.words if known or word["has label"]]
            gold = [word for word in words if is_kind(word, 0)]
            predicted = [word for word in words if word["has head"] and is_kind(word, 1)]
            found = sum(word[right] for word in gold)
            p = share(sum(word[right] for word in predicted), len(predicted))
            r = share(found, len(gold))
            f = None
            if p is not None and r is not None:
                f = 2 * p * r / (p + r) if p and r else 0.0
            if known:
                row |= {"gold": len(gold), "predicted": len(predicted)}
            row |= {f"{name}right": found, f"{name}precision": p, f"{name}recall": r, f"{name}f": f}
        return row

    def attachment(self, is_kind):
        words = [word for word in self.words if is_kind(word)]
        has_label = [word for word in words if word["has label"]]
        return {
            "words": len(words),
            "uas": share(sum(word["right"] for word in words), len(words)),
            "las": share(sum(word["labelled"] for word in has_label), len(has_label)),
        }

    def complete(self, is_kind):
        numbers = {word["sentence"] for word in self.words if is_kind(word)}
        wrong, wrong_labels = set(), set()
        for word in self.words:
            if not word["right"]:
                wrong.add(word["sentence"])
            if not (word["labelled"] or (word["right"] and not word["has label"])):
                wrong_labels.add(word["sentence"])
        return {
            "ucm": share(len(numbers - wrong), len(numbers)),
            "lcm": share(len(numbers - wrong_labels), len(numbers)),
        }


def check(row, expected):
    assert {name: value for name, value in row.items() if name != "kind"} == pytest.approx(expected)


@given(partly_known())
def test_arcs(found):
    words, tables = Words(*found), tables_of(*found)
    rows = tables[LABEL]
    sizes = Counter(word["label"][0] for word in words.words if word["has label"])
    others = {word["label"][1] for word in words.words if word["has label"] and word["has head"]}
    assert {row["kind"] for row in rows} == sizes.keys() | others
    assert [row["gold"] for row in rows] == sorted((sizes[row["kind"]] for row in rows), reverse=True)
    for row in rows:

        def has_label(w, side, row=row):
            return w["has label"] and w["label"][side] == row["kind"]

        check(row, words.arcs(has_label))
    rows = tables[LENGTH]
    assert [row["kind"] for row in rows] == ["root", "1", "2-3", "4+"]
    for row, lengths in zip(rows, (["root"], [1], [2, 3], range(4, 20)), strict=True):
        check(row, words.arcs(lambda w, side, lengths=lengths: w["length"][side] in lengths))
    projective, crossing = tables[CROSSING]
    check(projective, words.arcs(lambda w, side: not w["crossing"][side]))
    check(crossing, words.arcs(lambda w, side: w["crossing"][side]))


@given(partly_known())
def test_words_and_sentences(found):
    gold, _, _ = found
    words, tables = Words(*found), tables_of(*found)
    rows = tables[UPOS]
    assert {row["kind"] for row in rows} == {word["tag"] or "_" for word in words.words}
    for row in rows:
        check(row, words.attachment(lambda w, row=row: (w["tag"] or "_") == row["kind"]))
    spans = sentence_spans(gold.starts_N)
    hard = [bool(crossing_words(gold)[start:end].any()) for start, end in spans]
    sentences = tables[CROSSING_SENTENCES] + tables[SENTENCE_LENGTH]
    sizes = [end - start for start, end in spans]
    kinds = (
        (lambda w: not w["hard"], hard.count(False)),
        (lambda w: w["hard"], hard.count(True)),
        (lambda w: w["size"] < 3, sum(size < 3 for size in sizes)),
        (lambda w: w["size"] >= 3, sum(size >= 3 for size in sizes)),
    )
    for row, (is_kind, n_sentences) in zip(sentences, kinds, strict=True):
        expected = words.attachment(is_kind) | words.complete(is_kind) | {"sentences": n_sentences}
        check(row, expected)


@given(partly_known())
def test_all_words_are_what_is_scored(found):
    """In one bin, and as the scores have crossing arcs."""
    scores, tables = score_parses(*found[:2]), tables_of(*found, sentence_bins=(1,))
    (row,) = tables[SENTENCE_LENGTH]
    assert {name: row[name] for name in ("uas", "las", "ucm", "lcm")} == {
        name: scores[name] for name in ("uas", "las", "ucm", "lcm")
    }
    assert sum(row["words"] for row in tables[UPOS]) == row["words"]
    for rows in (tables[LENGTH], tables[CROSSING]):
        assert sum(one["gold"] for one in rows) == row["words"]
        assert sum(one["right"] for one in rows) == pytest.approx((row["uas"] or 0) * row["words"])
    crossing = tables[CROSSING][1]
    for name, score in (("precision", "nonproj_p"), ("recall", "nonproj_r"), ("f", "nonproj_f")):
        assert crossing[name] == scores[score]


def make_sentences(gold, tags):
    """Their names are s0, s1, ..."""
    return [
        Sentence(
            [["# x"], [f"# sent_id = s{i}"]]
            + [
                [str(word - start + 1), f"w{word}", "_", tags[word] or "_", *"______"]
                for word in range(start, end)
            ]
        )
        for i, (start, end) in enumerate(sentence_spans(gold.starts_N))
    ]


@given(partly_known())
def test_confusions(found):
    gold, predicted, tags = found
    words = Words(*found).words
    confusions = confusions_of(gold, predicted, tags)
    counts = {name: Counter() for name in confusions}

    def tag(head):
        return {-1: "root", UNKNOWN_HEAD: "none"}.get(head) or tags[head] or "_"

    for word in words:
        (head, guess), (label, guessed) = word["head"], word["label"]
        if word["right"] and word["has label"] and not word["labelled"]:
            counts["labels"]["", label, guessed] += 1
        if not word["right"]:
            counts["heads"]["", tag(head), tag(guess)] += 1
            right, wrong = f"{tag(head)} {label}", f"{tag(guess)} {guessed}".strip()
            counts["attachments"][word["tag"] or "_", right, wrong] += 1
    for name, rows in confusions.items():
        keys = [(row["word"], row["gold"], row["predicted"]) for row in rows]
        expected = sorted(counts[name].items(), key=lambda item: (-item[1], item[0]))
        assert list(zip(keys, (row["count"] for row in rows), strict=True)) == expected[:10]
        for row in rows:
            assert 1 <= len(row["examples"]) <= min(N_EXAMPLES, row["count"])
            names = [example["sent_id"] for example in row["examples"]]
            assert len(set(names)) == len(names)
            for example in row["examples"]:
                check_example(example, name, row, gold, predicted, tags)


def check_example(example, name, row, gold, predicted, tags):
    """Its trees are those of its words, and the word is confused as the row says."""
    start = int(example["words"][0][1:])
    word = start + example["word"]
    sentence = [i for i, (a, b) in enumerate(sentence_spans(gold.starts_N)) if a <= word < b]
    assert example["sent_id"] == f"s{sentence[0]}"
    end = start + len(example["words"])
    for tree, trees in ((example["gold"], gold), (example["predicted"], predicted)):
        for i, (head, label) in enumerate(zip(tree["heads"], tree["labels"], strict=True), start):
            known = int(trees.heads_N[i])
            is_outside = known == UNKNOWN_HEAD or not (known < 0 or start <= known < end)
            assert head == (None if is_outside else known if known < 0 else known - start)
            assert label in (None, str(trees.labels_N[i]))
    heads = [tree["heads"][example["word"]] for tree in (example["gold"], example["predicted"])]
    assert heads[0] is not None
    assert (heads[0] == heads[1]) == (name == "labels")
    if name == "attachments":
        assert row["word"] == (tags[word] or "_")
    if name == "labels":
        labels = [tree["labels"][example["word"]] for tree in (example["gold"], example["predicted"])]
        assert labels == [row["gold"], row["predicted"]]


def test_examples_are_of_the_shortest_sentences():
    short, long = [(-1, "root"), (0, "obj")], [(-1, "root"), (0, "obj"), (0, "punct")]
    gold = parses(long, short, long, short)
    labels_N = np.where(gold.labels_N == "obj", "iobj", gold.labels_N)
    predicted = Parses(gold.heads_N, labels_N, gold.starts_N, gold.punct_N)
    (row,) = confusions_of(gold, predicted, [""] * 10)["labels"]
    assert (row["gold"], row["predicted"], row["count"]) == ("obj", "iobj", 4)
    assert [example["sent_id"] for example in row["examples"]] == ["s1", "s3"]
    assert row["examples"][0] == {
        "sent_id": "s1",
        "words": ["w3", "w4"],
        "spaces": [True, True],
        "word": 1,
        "gold": {"heads": [-1, 0], "labels": ["root", "obj"]},
        "predicted": {"heads": [-1, 0], "labels": ["root", "iobj"]},
    }


def test_a_head_in_another_sentence():
    """The example has both sentences."""
    gold = parses([(-1, "root")], [(-1, "root"), (0, "obj")], [(-1, "root")])
    predicted = parses([(-1, "root"), (0, "conj"), (1, "obj")], [(-1, "root")])
    tags = ["A", "B", "C", "D"]
    found = confusions_of(gold, predicted, tags)
    (row,) = found["attachments"]
    assert (row["word"], row["gold"], row["predicted"]) == ("B", "root root", "A conj")
    (example,) = row["examples"]
    assert example["words"] == ["w0", "w1", "w2"] and example["sent_id"] == "s1"
    assert example["predicted"]["heads"] == [-1, 0, 1]


def test_nothing_to_count():
    gold = parses()
    tables = tables_of(gold, gold, [])
    assert tables[LABEL] == tables[UPOS] == []
    assert {row["f"] for row in tables[LENGTH]} == {None}
    assert {row["lcm"] for row in tables[SENTENCE_LENGTH]} == {None}
    assert tables[CONFUSIONS] == {"labels": [], "heads": [], "attachments": []}


def test_a_pipeline(tmp_path):
    """Chosen tables, with the tags and names of the file."""
    path = tmp_path / "made-up.conllu"
    rows = ["1\tbig\t_\tADJ\t_\t_\t2\tamod\t_\t_", "2\tdogs\t_\tNOUN\t_\t_\t0\troot\t_\t_"]
    sentence = "\n".join(rows) + "\n\n"
    other = sentence.replace("big", "small")
    path.write_text(f"# sent_id = one\n{sentence}{sentence}{other}", encoding="utf-8")
    nlp = spacy.blank("xx")
    nlp.add_pipe("parser").add_label("det")
    nlp.initialize()
    parsed = parse_file(nlp, path)
    assert set(break_down(parsed)) == {*KINDS, CROSSING_SENTENCES, CONFUSIONS}
    found = break_down(parsed, [CROSSING, "upos"])
    assert set(found) == {CROSSING, CROSSING_SENTENCES, "upos", CONFUSIONS}
    assert [(row["kind"], row["words"]) for row in found["upos"]] == [("ADJ", 3), ("NOUN", 3)]
    names = {
        example["sent_id"]
        for rows in found[CONFUSIONS].values()
        for row in rows
        for example in row["examples"]
    }
    assert names == {"one", "3"}  # the second is the first again
