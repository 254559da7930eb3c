"""Where the runs of a benchmark err: precision and recall of kinds of arcs, accuracy in kinds of
sentences and after the first error of a sentence.

The counts are those of `counts`, all seeds together. The bins of lengths are those of
Fernandez-Gonzalez & Gomez-Rodriguez (2017, section 6.3), who tell arcs longer than seven from the rest.
"""

from collections.abc import Mapping, Sequence
from statistics import mean
from typing import TypedDict

from .benchmark import CellResult
from .breakdowns import add_counts, by_arc_length, kind_scores
from .counts import (
    AFTER_ERROR,
    CROSSING_ARCS,
    CROSSING_SENTENCES,
    PROJECTIVE_ARCS,
    PROJECTIVE_SENTENCES,
)
from .table import Table

LENGTH_BINS = (0, 1, 2, 3, 8)  # arcs to the root are at 0
ARC_GROUPS = (PROJECTIVE_ARCS, CROSSING_ARCS)
WORD_GROUPS = (PROJECTIVE_SENTENCES, CROSSING_SENTENCES, AFTER_ERROR)

Pair = tuple[float | None, float | None]


class Breakdown(TypedDict):
    """Where a run errs on a treebank. Shares are from 0 to 1, None if there is nothing to count."""

    arcs: dict[str, Pair]  # precision and recall, labels aside
    words: dict[str, Pair]  # UAS and LAS
    share_after_error: float | None  # of all words


def break_down(
    table: Table, results: Mapping[str, CellResult], *, setting: str
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
    """Take the means over treebanks for each run, from what `break_down` returns."""
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
