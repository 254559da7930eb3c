"""Scores of whole pipelines from raw text, counted as in the CoNLL 2018 shared task (Zeman et al. 2018).

The pipeline gets nothing but the text of the file. What the CoNLL-U writer makes of its Docs is
compared with the file, where words are aligned as in `alignment.py`. Whitespace is no word.

- `tokens` and `sents`: those of the same span are right. `words`: those that are aligned are right.
- `upos`, `xpos`, `ufeats` (universal features only), `alltags` (all three), `lemmas`: aligned words of
  the same value are right. Where the file has no lemma, any lemma is right.
- `uas`: aligned words whose heads are aligned, or which are both roots, are right. `las`: the labels
  have to be the same, too. Labels have no subtypes here.
- `clas`: `las` of the content words. A word is one by its label.
- `mlas`: as `clas`, but UPOS and universal features have to be right, too, and the function words
  that depend on the word have to be the same, and right in the same way.
- `blex`: as `clas`, but lemmas have to be right, too.

There are precision (`_p`), recall (`_r`) and F-score (`_f`) of each. From `upos` on there is the share
of the aligned words that are right (`_aligned`); that of `clas`, `mlas` and `blex` is about aligned
words that are content words in the file. A score with nothing to count is None.

Words of unknown gold head, and words aligned with them, are left out from `uas` on; of `las` those of
unknown gold label (`_`), too.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, takewhile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from spacy.language import Language

from ..shapes import UNKNOWN_HEAD, UNKNOWN_LABEL
from ..treebank.docs import document_of
from ..treebank.multiword import MERGE, SPLIT
from ..treebank.reader import read_words
from ..treebank.sentences import EMPTY, FEATS, LEMMA, UPOS, XPOS, Sentence, make_text
from .alignment import UNALIGNED, WordDifference, align_words, count_differences, segment
from .evaluate import time_docs, with_root_labels
from .names import DIFFERENCES
from .progress_bar import parse_shown
from .scores import (
    CONTENT_LABELS,
    ROOT_HEAD,
    Parses,
    Scores,
    ratios,
    read_parses,
    share,
    universal_labels,
)

FUNCTION_LABELS = frozenset({"aux", "cop", "mark", "det", "clf", "case", "cc"})
_LEXICAL_FEATURES = {"PronType", "NumType", "Poss", "Reflex", "Foreign", "Abbr"}
_NOMINAL_FEATURES = {"Gender", "Animacy", "Number", "Case", "Definite", "Degree"}
_VERBAL_FEATURES = {"VerbForm", "Mood", "Tense", "Aspect", "Voice", "Evident", "Polarity", "Person"}
UNIVERSAL_FEATURES = _LEXICAL_FEATURES | _NOMINAL_FEATURES | _VERBAL_FEATURES | {"Polite"}
DOC_MARK = re.compile(r"#\s*new(doc|par)\b")
LOST_HEAD = -3  # one that is aligned with no gold word
N_DIFFERENCES = 100


def evaluate_raw_text(nlp: Language, path: str | Path, *, multiword: str = SPLIT) -> dict[str, Any]:
    """Score a pipeline that gets nothing but the text of a CoNLL-U file.

    Returns the scores of `score_raw_text`, the numbers of gold words and sentences (`n_words`,
    `n_sents`), and the words per second through the whole pipeline, timed on a second pass. The key
    DIFFERENCES has the commonest `WordDifference`s, each with its number.

    multiword: with "split" the words of multiword tokens are scored, which a pipeline may have learned.
        With "merge" a multiword token is one word, unless the pipeline's tokenizer cuts it into its
        words.
    """
    sentences = list(read_words(path, nlp, multiword))
    texts = [make_text(group) for group in split_docs(sentences)]
    # The first pass fills caches
    docs = parse_shown(nlp, texts, len(texts))
    expand = multiword == SPLIT
    predicted = [one for doc in docs for one in document_of(doc, expand=expand).sentences]
    seconds = time_docs(nlp.pipe(texts))
    n_words = sum(len(sentence.words) for sentence in sentences)
    sides = segment(sentences), segment(predicted)
    differences = count_differences(*sides, align_words(*sides))
    return {
        **score_raw_text(sentences, predicted),
        "n_words": n_words,
        "n_sents": len(sentences),
        "words_per_second": n_words / seconds,
        "merged": multiword == MERGE,
        DIFFERENCES: [
            {**one._asdict(), "count": n} for one, n in differences.most_common(N_DIFFERENCES)
        ],
    }


def compare_tokens(nlp: Language, path: str | Path) -> tuple[int, int, Counter[WordDifference]]:
    """Compare the tokens of a pipeline with the words of a file, whose multiword tokens are merged.

    Returns the number of words, the number of words that are no token, and the differences.
    """
    sentences = list(read_words(path, nlp, MERGE))
    texts = [make_text(group) for group in split_docs(sentences)]
    gold = segment(sentences)
    tokens = segment(s for text in texts for s in document_of(nlp.make_doc(text)).sentences)
    words_M = align_words(gold, tokens)
    n_lost = len(gold.forms_N) - int((words_M != UNALIGNED).sum())
    return len(gold.forms_N), n_lost, count_differences(gold, tokens, words_M)


def split_docs(sentences: Sequence[Sentence], n_sents: int = 10) -> Iterator[list[Sentence]]:
    """Divide the sentences of a file into those of each Doc. Where comments above sentences mark
    paragraphs or documents, a Doc is one of these, else it has `n_sents` sentences.
    """
    above = (takewhile(lambda row: len(row) == 1, sentence.rows) for sentence in sentences)
    has_mark = [any(DOC_MARK.match(row[0]) for row in rows) for rows in above]
    starts = [i for i, is_marked in enumerate(has_mark) if is_marked and i]
    if not any(has_mark):
        starts = list(range(n_sents, len(sentences), n_sents))
    rest = iter(sentences)
    for start, end in zip([0, *starts], [*starts, len(sentences)], strict=True):
        yield list(islice(rest, end - start))


def score_raw_text(gold: Sequence[Sentence], predicted: Sequence[Sentence]) -> Scores:
    """Compute all scores of this module by name. A score is a share between 0 and 1, or None if there is
    nothing to count.

    Raises ValueError (NM177) if the texts differ.
    """
    one, other = segment(gold), segment(predicted)
    words_M = align_words(one, other)
    aligned_M = words_M != UNALIGNED

    def same(column: int, change: Callable[[str], str] = str) -> NDArray[np.bool_]:
        gold_N, predicted_M = (_column(side, column, change) for side in (gold, predicted))
        return aligned_M & (gold_N[words_M] == predicted_M)

    upos_M, xpos_M, feats_M = same(UPOS), same(XPOS), same(FEATS, _universal_features)
    lemmas_M = same(LEMMA) | (aligned_M & (_column(gold, LEMMA)[words_M] == EMPTY))
    gold_trees, parses = read_parses(gold), read_parses(predicted)
    parses = with_root_labels(parses, predicted, gold, gold_trees.heads_N == ROOT_HEAD, words_M)
    gold_trees, trees = (
        replace(one, labels_N=universal_labels(one.labels_N)) for one in (gold_trees, parses)
    )
    # The gold words that predicted heads are aligned with
    places_M = np.where(aligned_M, words_M, LOST_HEAD)
    found_M = np.where(trees.heads_N >= 0, places_M[trees.heads_N], trees.heads_N)
    heads_M = aligned_M & (gold_trees.heads_N[words_M] == found_M)
    labelled_M = heads_M & (gold_trees.labels_N[words_M] == trees.labels_N)
    tagged_M = labelled_M & upos_M & feats_M

    known_N = gold_trees.heads_N != UNKNOWN_HEAD
    known_M = ~aligned_M | known_N[words_M]
    has_label_N = known_N & (gold_trees.labels_N != UNKNOWN_LABEL)
    content_N = known_N & np.isin(gold_trees.labels_N, list(CONTENT_LABELS))
    content_M = (~aligned_M | has_label_N[words_M]) & np.isin(trees.labels_N, list(CONTENT_LABELS))
    families_M = _same_function_words(gold_trees, trees, words_M, tagged_M, known_N, known_M)

    scores = {
        **ratios("tokens", *_count_spans(one.token_spans_T, other.token_spans_T)),
        **ratios("sents", *_count_spans(one.sentence_spans_S, other.sentence_spans_S)),
        **ratios("words", aligned_M.sum(), len(known_N), len(known_M)),
    }
    every_N, every_M = np.ones_like(known_N), np.ones_like(known_M)
    for name, right_M, counted_N, counted_M in (
        ("upos", upos_M, every_N, every_M),
        ("xpos", xpos_M, every_N, every_M),
        ("ufeats", feats_M, every_N, every_M),
        ("alltags", upos_M & xpos_M & feats_M, every_N, every_M),
        ("lemmas", lemmas_M, every_N, every_M),
        ("uas", heads_M, known_N, known_M),
        ("las", labelled_M, has_label_N, ~aligned_M | has_label_N[words_M]),
        ("clas", labelled_M, content_N, content_M),
        ("mlas", tagged_M & families_M, content_N, content_M),
        ("blex", labelled_M & lemmas_M, content_N, content_M),
    ):
        counted_words_M = aligned_M & counted_N[words_M]
        n_right = (right_M & counted_words_M).sum()
        scores.update(ratios(name, n_right, counted_N.sum(), counted_M.sum()))
        scores[f"{name}_aligned"] = share(n_right, counted_words_M.sum())
    return scores


def _column(
    sentences: Sequence[Sentence], column: int, change: Callable[[str], str] = str
) -> NDArray[np.object_]:
    values = [change(word[column]) for sentence in sentences for word in sentence.words]
    return np.array(values, dtype=object)


def _universal_features(feats: str) -> str:
    pairs = (pair for pair in feats.split("|") if pair.partition("=")[0] in UNIVERSAL_FEATURES)
    return "|".join(sorted(pairs))


def _same_function_words(
    gold: Parses,
    predicted: Parses,
    words_M: NDArray[np.int64],
    right_M: NDArray[np.bool_],
    known_N: NDArray[np.bool_],
    known_M: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Are the function words below a word those below its gold word, and right, too?"""
    function_N = known_N & np.isin(gold.labels_N, list(FUNCTION_LABELS))
    function_M = known_M & np.isin(predicted.labels_N, list(FUNCTION_LABELS))
    found_N = np.zeros_like(known_N)
    found_N[words_M[right_M & function_M]] = True
    expected_M = _count_dependents(gold.heads_N, function_N)[words_M]
    is_found_M = _count_dependents(gold.heads_N, found_N)[words_M] == expected_M
    return is_found_M & (_count_dependents(predicted.heads_N, function_M) == expected_M)


def _count_dependents(
    heads_N: NDArray[np.int64], counted_N: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Return how many of the counted words each word heads."""
    return np.bincount(heads_N[counted_N & (heads_N >= 0)], minlength=len(heads_N))


def _count_spans(
    gold_T: NDArray[np.int64], predicted_U: NDArray[np.int64]
) -> tuple[int, int, int]:
    """Return the numbers of spans that are in both, in gold, and predicted."""
    gold, predicted = (set(map(tuple, spans.tolist())) for spans in (gold_T, predicted_U))
    return len(gold & predicted), len(gold_T), len(predicted_U)
