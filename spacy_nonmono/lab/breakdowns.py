"""Where runs err: accuracy by the length of sentences and of arcs, and for other kinds of words, told
from counts; and tables of these for the runs of a benchmark.

Recall is the share of the gold arcs of a kind that are found, precision the share of the predicted ones
that are right, as in McDonald & Nivre (2007). The arcs to the root have the length 0. The bins
of the tables are those of Fernandez-Gonzalez & Gomez-Rodriguez (2017, section 6.3), who tell arcs longer
than seven from the rest.
"""

from collections.abc import Mapping, Sequence
from statistics import mean
from typing import TYPE_CHECKING, TypedDict

import numpy as np

from ..evaluation.breakdown import ARC_BINS, SENTENCE_BINS, bin_name, ranges
from ..evaluation.scores import share
from .counts import (
    AFTER_ERROR,
    CROSSING_ARCS,
    CROSSING_SENTENCES,
    PROJECTIVE_ARCS,
    PROJECTIVE_SENTENCES,
    KindCounts,
    SentenceCounts,
)

if TYPE_CHECKING:
    from .benchmark import CellResult
    from .table import Table

FINE_ARC_BINS = (1, 2, 3, 4, 5, 6, 7, 9, 11, 16, 21)  # the lower ends; the last one is open
LENGTH_BINS = (0, 1, 2, 3, 8)  # arcs to the root are at 0
ARC_GROUPS = (PROJECTIVE_ARCS, CROSSING_ARCS)
WORD_GROUPS = (PROJECTIVE_SENTENCES, CROSSING_SENTENCES, AFTER_ERROR)

Pair = tuple[float | None, float | None]


class LengthScores(TypedDict):
    """The accuracy in sentences of one bin of lengths. A share is None if there are no words."""

    bin: str
    words: int
    uas: float | None
    las: float | None


class KindScores(TypedDict):
    """Precision and recall of words of one kind, None if there is nothing to count.

    Shares with "labelled" in their name count words whose head and label are right, the others words
    whose head is right.
    """

    gold: int
    predicted: int
    precision: float | None
    recall: float | None
    labelled_precision: float | None
    labelled_recall: float | None


class ArcScores(KindScores):
    """Precision and recall of the arcs of one bin of lengths."""

    bin: str


class Breakdown(TypedDict):
    """Where a run errs on a treebank. Shares are from 0 to 1, None if there is nothing to count."""

    arcs: dict[str, Pair]  # precision and recall, labels aside
    words: dict[str, Pair]  # UAS and LAS
    share_after_error: float | None  # of all words


def add_counts(counts: Sequence[KindCounts]) -> KindCounts:
    """Add the counts of several files or seeds, kind by kind."""
    total: KindCounts = {}
    for one in counts:
        for kind, numbers in one.items():
            total[kind] = [a + b for a, b in zip(total.get(kind, [0] * 6), numbers, strict=True)]
    return total


def kind_scores(numbers: Sequence[int]) -> KindScores:
    """Return precision and recall of a kind, from its six numbers (`KindCounts`)."""
    gold, found, found_labelled, predicted, right, right_labelled = numbers
    return KindScores(
        gold=gold,
        predicted=predicted,
        precision=share(right, predicted),
        recall=share(found, gold),
        labelled_precision=share(right_labelled, predicted),
        labelled_recall=share(found_labelled, gold),
    )


def by_arc_length(counts: KindCounts, *, bins: Sequence[int] = ARC_BINS) -> list[ArcScores]:
    """Return precision and recall by the length of the arc, a row for each bin.

    bins: the shortest arc of each bin, ascending; the last bin is open.
    """
    rows = []
    for start, end in ranges(bins):
        of_bin = [{"": numbers} for n, numbers in counts.items() if start <= int(n) < end]
        scores = kind_scores(add_counts(of_bin).get("", [0] * 6))
        rows.append(ArcScores(bin=bin_name(start, end), **scores))
    return rows


def by_sentence_length(
    counts: SentenceCounts, *, bins: Sequence[int] = SENTENCE_BINS
) -> list[LengthScores]:
    """Return UAS and LAS by the length of the gold sentence, a row for each bin.

    bins: the shortest sentence of each bin, ascending; the last bin is open.
    """
    rows = []
    lengths_S = np.array(counts["lengths_S"], dtype=np.int64)
    for start, end in ranges(bins):
        in_bin_S = (start <= lengths_S) & (lengths_S < end)
        words, heads, labelled = (
            int(np.array(values_S, dtype=np.int64)[in_bin_S].sum())
            for values_S in (counts["words_S"], counts["heads_S"], counts["labelled_S"])
        )
        name = bin_name(start, end)
        rows.append(
            LengthScores(bin=name, words=words, uas=share(heads, words), las=share(labelled, words))
        )
    return rows


def break_down_cells(
    table: "Table", results: Mapping[str, "CellResult"], *, setting: str
) -> dict[str, dict[str, Breakdown]]:
    """Find out where each run errs on each treebank, from what `table.read_table` returns.

    The result has a breakdown by treebank and run.
    """
    return {
        treebank: {
            run: _break_down([results[key]["parts"][table["part"]][setting] for key in keys])
            for run, keys in keys_of.items()
        }
        for treebank, keys_of in table["cells"].items()
    }


def mean_breakdown(breakdowns: Sequence[Breakdown]) -> Breakdown:
    """Take the means of the breakdowns of a run over treebanks, which all have the same weight.

    Treebanks that have no words of a kind are left out of its mean.
    """

    def mean_pairs(pairs: Sequence[Pair]) -> Pair:
        first, second = zip(*pairs, strict=True)
        return _mean(first), _mean(second)

    return Breakdown(
        arcs={name: mean_pairs([b["arcs"][name] for b in breakdowns]) for name in breakdowns[0]["arcs"]},
        words={name: mean_pairs([b["words"][name] for b in breakdowns]) for name in WORD_GROUPS},
        share_after_error=_mean([b["share_after_error"] for b in breakdowns]),
    )


def mean_breakdowns(found: Mapping[str, Mapping[str, Breakdown]]) -> dict[str, Breakdown]:
    """Take the means over treebanks for each run, from what `break_down_cells` returns."""
    runs = next(iter(found.values()))
    return {run: mean_breakdown([of_runs[run] for of_runs in found.values()]) for run in runs}


def _break_down(found: list[dict]) -> Breakdown:
    lengths = add_counts([each["arcs"] for each in found])
    counts = add_counts([each["groups"] for each in found])
    groups = {group: kind_scores(numbers) for group, numbers in counts.items()}
    arcs: dict[str, Pair] = {}
    for row in by_arc_length(lengths, bins=LENGTH_BINS):
        name = "arcs to the root" if row["bin"] == "0" else f"arcs of length {row['bin']}"
        arcs[name] = (row["precision"], row["recall"])
    for group in ARC_GROUPS:
        arcs[group] = (groups[group]["precision"], groups[group]["recall"])
    n_words = sum(groups[group]["gold"] for group in ARC_GROUPS)
    return Breakdown(
        arcs=arcs,
        words={
            group: (groups[group]["recall"], groups[group]["labelled_recall"]) for group in WORD_GROUPS
        },
        share_after_error=groups[AFTER_ERROR]["gold"] / n_words if n_words else None,
    )


def _mean(shares: Sequence[float | None]) -> float | None:
    known = [share for share in shares if share is not None]
    return mean(known) if known else None
