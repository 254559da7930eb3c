"""The table of words: what is read back from the file are the words, the trees and the scores."""

import csv
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_nonmono.evaluation.evaluate import ParsedFile
from spacy_nonmono.evaluation.scores import sentence_spans
from spacy_nonmono.evaluation.words import write_words
from spacy_nonmono.shapes import UNKNOWN_HEAD
from spacy_nonmono.treebank.sentences import Sentence
from tests.evaluation.test_breakdown import partly_known

# As they may stand in a field of CoNLL-U, and in a name of a pipeline
FORMS = st.text(st.characters(exclude_characters="\t\n\r", exclude_categories=["Cs"]), min_size=1)


@st.composite
def parsed_files(draw):
    """Partly known trees, with words of all kinds; some sentences have scores, others have none."""
    gold, predicted, tags = draw(partly_known())
    sentences = []
    for start, end in sentence_spans(gold.starts_N):
        words = range(start, end)
        rows = [[str(w - start + 1), draw(FORMS), "_", tags[w] or "_", *"______"] for w in words]
        scores = [draw(st.none() | st.floats(0, 1)) for _ in words] if draw(st.booleans()) else []
        sentences.append(Sentence([[f"# sent_id = {draw(FORMS)}"], *rows], scores))
    return ParsedFile(gold, predicted, sentences, sentences, None, False, False)


def read_back(files):
    with TemporaryDirectory() as folder:
        path = Path(folder, "words.csv")
        write_words(path, files)
        with path.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))


def mean(values):
    known = [int(value) for value in values if value]
    return sum(known) / len(known) if known else None


@given(st.dictionaries(st.tuples(FORMS, FORMS), parsed_files(), max_size=3))
def test_file_holds_the_words_the_trees_and_the_scores(files):
    rows = read_back(files)
    assert len(rows) == sum(len(one.gold.heads_N) for one in files.values())
    for (pipeline, setting), one in files.items():
        own, rows = rows[: len(one.gold.heads_N)], rows[len(one.gold.heads_N) :]
        assert {(row["pipeline"], row["setting"]) for row in own} == {(pipeline, setting)}
        sentences = one.gold_sentences
        assert [row["form"] for row in own] == [form for some in sentences for form in some.forms]
        assert [row["sent_id"] for row in own] == [s.sent_id for s in sentences for _ in s.words]
        for prefix, tree in (("", one.gold), ("predicted_", one.predicted)):
            heads = [int(row[f"{prefix}head"] or UNKNOWN_HEAD + 1) - 1 for row in own]
            assert heads == tree.heads_N.tolist()
            assert [row[f"{prefix}label"] for row in own] == tree.labels_N.tolist()
        scores = [score for some in sentences for score in some.scores or [None] * len(some.words)]
        assert [float(row["confidence"] or -1) for row in own] == [
            -1 if score is None else score for score in scores
        ]
        expected = one.scores()
        for column, score in (("right_head", "uas"), ("right_arc", "las")):
            assert mean(row[column] for row in own) == pytest.approx(expected[score])
