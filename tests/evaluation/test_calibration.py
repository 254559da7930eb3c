"""Calibration against sums over plain Python lists."""

import math

import numpy as np
import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.language import Language
from spacy.tokens import Doc, Token

from spacy_nonmono.evaluation.calibration import bin_scores, calibrate
from spacy_nonmono.evaluation.names import DOCUMENTS

# "dogs" has its head and label, "bark" is the root, "." has the wrong label and a head that is unknown
# in the last sentence
SENTENCE = """\
1\tdogs\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_
2\tbark\t_\tVERB\t_\t_\t0\troot\t_\t_
3\t.\t_\tPUNCT\t_\t_\t{head}\tpunct\t_\t_

"""
SCORES = (0.2, 1.0, 0.7)
pytestmark = pytest.mark.usefixtures("own_extensions")


@Language.factory("test_scored_parser")
class FakeParser:
    """Parses sentences of the three words above, with scores if asked."""

    def __init__(self, nlp: Language, name: str) -> None:
        self.dep_scores = False

    def derivations(self, docs: list[Doc]) -> None:
        """What tells our parser from other components."""

    def __call__(self, doc: Doc) -> Doc:
        Token.set_extension("dep_score", default=None, force=True)
        n = len(doc) // 3
        heads = [3 * i + head for i in range(n) for head in (1, 1, 1)]
        parsed = Doc(
            doc.vocab,
            words=[token.text for token in doc],
            heads=heads,
            deps=["nsubj", "ROOT", "obj"] * n,
        )
        for token in parsed:
            token._.dep_score = SCORES[token.i % 3] if self.dep_scores else None
        return parsed


@pytest.fixture
def nlp():
    nlp = spacy.blank("xx")
    nlp.add_pipe("test_scored_parser")
    return nlp


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "made-up.conllu"
    path.write_text(SENTENCE.format(head=2) * 3 + SENTENCE.format(head="_"))
    return path


def naive_bins(scores, right, n_bins):
    """Words, mean score and share of right ones of each bin (None if empty), and the error."""
    rows = []
    error = 0.0
    for b in range(n_bins):
        edges = np.linspace(0, 1, n_bins + 1)
        members = [
            i
            for i, score in enumerate(scores)
            if edges[b] < score <= edges[b + 1] or (b == 0 and score == 0)
        ]
        if not members:
            rows.append((0, None, None))
            continue
        mean = sum(scores[i] for i in members) / len(members)
        share = sum(right[i] for i in members) / len(members)
        rows.append((len(members), mean, share))
        error += len(members) / len(scores) * abs(mean - share)
    return rows, error


@given(
    words=st.lists(
        st.tuples(
            st.one_of(st.floats(0, 1), st.integers(0, 10).map(lambda n: n / 10)), st.booleans()
        ),
        min_size=1,
        max_size=30,
    ),
    n_bins=st.integers(1, 12),
)
def test_same_as_naive(words, n_bins):
    scores, right = [list(column) for column in zip(*words, strict=True)]
    rows, error = naive_bins(scores, right, n_bins)
    found = bin_scores(np.array(scores), np.array(right), n_bins=n_bins)
    assert found.words_B.tolist() == [n for n, _, _ in rows]
    for values, k in ((found.scores_B, 1), (found.right_B, 2)):
        expected = [math.nan if row[k] is None else row[k] for row in rows]
        assert values.tolist() == pytest.approx(expected, nan_ok=True)
    assert found.error == pytest.approx(error)


def test_perfect_and_empty():
    perfect = bin_scores(np.array([0.5, 0.5, 1.0]), np.array([True, False, True]))
    assert perfect.error == 0
    none = bin_scores(np.zeros(0), np.zeros(0, dtype=bool))
    assert none.words_B.sum() == 0 and math.isnan(none.error)


@pytest.mark.parametrize("setting", ["gold_sentences", DOCUMENTS])
def test_calibrate(nlp, path, setting):
    found = calibrate(nlp, path, setting=setting, n_bins=5)
    # The full stop of the last sentence has no gold head
    assert found.words_B.tolist() == [4, 0, 0, 3, 4]
    assert found.scores_B[[0, 3, 4]].tolist() == pytest.approx([0.2, 0.7, 1.0])
    assert found.right_B[[0, 3, 4]].tolist() == [1, 0, 1]
    assert found.error == pytest.approx((4 * 0.8 + 3 * 0.7) / 11)
    assert not nlp.get_pipe("test_scored_parser").dep_scores


def test_errors(path):
    nlp = spacy.blank("xx")
    nlp.add_pipe("sentencizer")
    with pytest.raises(ValueError, match=r"\[NM110\].*sentencizer"):
        calibrate(nlp, path)
    nlp.add_pipe(
        "nonmono_parser",
        config={"model": {"@architectures": "spacy-nonmono.LinearTransitionParser.v1"}},
    )
    with pytest.raises(ValueError, match=r"\[NM056\]"):
        calibrate(nlp, path)
