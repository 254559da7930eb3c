"""The tables of docs/lab/results.md from stored results (`results_page`).

What each kind of table shows is in the template `tables.md`; those that compute more are functions here.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from pathlib import Path
from statistics import mean
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ...evaluation.names import METRICS, SCORES
from ..breakdown_table import Breakdown, mean_breakdown
from ..published import published as read_published
from ..published import published_bounds

SIGNIFICANT = 0.05

Row = dict[str, Any]


def draw_table(kind: str, result: Any, *options: str) -> str:
    """A table in Markdown.

    kind: the name of a macro of `tables.md`, or one of FUNCTIONS.
    result: what is stored.
    options: the other arguments of the macro or of the function.
    """
    if kind in FUNCTIONS:
        return "\n".join(FUNCTIONS[kind](result, *options)).strip()
    tables = TEMPLATES.get_template("tables.md").module
    return str(getattr(tables, kind)(result, *options)).strip()


def against(result: Any, setting: str, published: str, suffix: str = "") -> Iterable[str]:
    """Runs beside those of a paper. published: a file in assets/published; complete match is shown where
    it has that, too. suffix: of the scores that are as the paper's, such as _no_punct."""
    paper = read_published(published)["scores"]
    for treebank, by_setting in result["rows"].items():
        theirs = paper.get(treebank, paper.get("*", {}))
        scores = ["uas", "las", "ucm"][: max([2, *map(len, theirs.values())])]  # some have no LAS
        names = [SCORES[score] for score in scores]
        gained = "difference, UAS" + (" with punctuation" if suffix else "")
        beside = ["p", f"published {names[0]}", *names[1:], "difference, UAS"]
        yield header([treebank, *names, gained, *beside])
        for row in by_setting[setting]:
            cells = [f"{100 * row[f'{name}{suffix}']:.2f}" for name in scores]
            beside = theirs.get(row["run"], [])
            gain = published_gain(theirs, row["run"], result["reference"])
            numbers = [f"{x:.2f}" for x in beside] + [""] * (len(scores) - len(beside))
            yield _line([row["run"], *cells, difference(row, "uas"), *numbers, gain])
        yield ""


def made(result: Any) -> Iterable[str]:
    """When and with what it was measured."""
    makings = result["made"]
    dates = sorted({one["date"] for one in makings})
    versions = sorted(
        {f"{name} {value}" for one in makings for name, value in one["versions"].items()}
    )
    processors = sorted({one["processor"] for one in makings})
    codes = sorted({one["code"] for one in makings})
    seeds = sorted(set(result.get("seeds", {}).values()))
    yield (
        f"Measured {' to '.join(dict.fromkeys((dates[0], dates[-1])))} on {', '.join(processors)}: "
        f"{', '.join(versions)}, code {', '.join(codes)}"
        + (f"; {seeds[-1]} seed{'s' * (seeds[-1] > 1)}" if seeds else "")
        + (" for treebanks with a number beside them, 1 seed for the others" if len(seeds) > 1 else "")
        + (f"; {_hours(result):.1f} hours of training in total" if seeds else "")
        + "."
    )


def _hours(result: Any) -> float:
    return sum(
        row["training_seconds"] * result["seeds"][treebank] / 3600
        for treebank, by_setting in result["rows"].items()
        for row in next(iter(by_setting.values()))
    )


def claims(entries: Any) -> Iterable[str]:
    """What papers claim, beside what was found here: means over treebanks, from the lowest to the
    highest. p: of the randomisation over sentences on each treebank; over treebanks, how often their
    mean difference would be as large if the sign of each were a coin's."""
    yield header(["Paper", "Claim", "There", "Here", "p < .05", "p over treebanks"])
    for entry in entries:
        score = entry["score"]
        if entry["result"] is None:
            yield _line([entry["paper"], entry["claim"], "", "not measured yet", "", ""])
            continue
        found = [
            row
            for by_setting in entry["result"]["rows"].values()
            for row in by_setting[entry["setting"]]
            if row["run"] == entry["run"]
        ]
        gains = [100 * row[f"{score}_difference"] for row in found]
        sure = [
            gain
            for gain, row in zip(gains, found, strict=True)
            if row[f"{score}_p"] < SIGNIFICANT
        ]
        signs = f"{sum(x > 0 for x in sure)} up, {sum(x < 0 for x in sure)} down, of {len(found)}"
        cells = [entry["paper"], entry["claim"], _gain(_published_gains(entry), score)]
        yield _line([*cells, _gain(gains, score), signs, _p(_p_of_signs(gains))])


def _published_gains(entry: Any) -> list[float]:
    """Of all languages of the paper that have both runs; none where the paper did not measure it."""
    if "published" not in entry:
        return []
    column = ("uas", "las").index(entry["score"])
    run, reference = entry["run"], entry["result"]["reference"]
    return [
        runs[run][column] - runs[reference][column]
        for runs in read_published(entry["published"])["scores"].values()
        if run in runs and reference in runs
    ]


def _gain(gains: Sequence[float], score: str) -> str:
    if not gains:
        return ""
    text = f"{mean(gains):+.2f} {score.upper()}"
    return text if len(gains) == 1 else f"{text} ({min(gains):+.2f}, {max(gains):+.2f})"


def _p_of_signs(gains: Sequence[float]) -> float:
    size = abs(sum(gains)) - 1e-9
    sums = [abs(sum(signs)) for signs in product(*((gain, -gain) for gain in gains))]
    return sum(value >= size for value in sums) / len(sums)


FUNCTIONS: dict[str, Callable[..., Iterable[str]]] = {"against": against, "made": made, "claims": claims}


def runs_of(result: Any) -> list[str]:
    by_setting = next(iter(result["rows"].values()))
    return [row["run"] for row in next(iter(by_setting.values()))]


def label(result: Any, treebank: str) -> str:
    """With the number of its seeds, if others have another."""
    n = result["seeds"][treebank]
    return f"{treebank} ({n})" if n > min(result["seeds"].values()) else treebank


def header(names: Sequence[str]) -> str:
    return f"{_line(names)}\n|{'---|' * len(names)}"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def marked(row: Row, rows: Sequence[Row], score: str) -> str:
    """A score, which is bold if it is the best one."""
    text = f"{100 * row[score]:.2f}"
    return f"**{text}**" if row[score] == max(one[score] for one in rows) else text


def scored(row: Row, score: str) -> str:
    """Three cells: the score and its deviation, the difference to the reference, and p."""
    return f"{100 * row[score]:.2f}{spread(row, score)} | {difference(row, score)}"


def spread(row: Row, score: str) -> str:
    sd = row.get(f"{score}_sd")
    return "" if sd is None else f" ± {100 * sd:.2f}"


def star(row: Row, score: str) -> str:
    p = row.get(f"{score}_p")
    return "\\*" if p is not None and p < SIGNIFICANT else ""


def difference(row: Row, score: str) -> str:
    """Two cells: the difference to the reference, and p; empty ones for the reference itself."""
    if row[f"{score}_difference"] is None:
        return " | "
    return f"{100 * row[f'{score}_difference']:+.2f} | {_p(row[f'{score}_p'])}"


def _p(p: float) -> str:
    return "< .001" if p < 0.001 else f"{p:.3f}".lstrip("0")


def percent(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.1f}"


def percents(*values: float | None) -> str:
    return " / ".join(percent(value) or "none" for value in values)


def metrics(names: Sequence[str]) -> list[str]:
    """How scores of raw text are called."""
    return [METRICS[name.removesuffix("_f")] for name in names]


def mean_breakdowns(found: dict[str, dict[str, Breakdown]]) -> dict[str, Breakdown]:
    """The means over treebanks, by run."""
    runs = next(iter(found.values()))
    return {run: mean_breakdown([of_runs[run] for of_runs in found.values()]) for run in runs}


def by_system(rows: Sequence[Row]) -> dict[str, Row]:
    return {row["system"]: row for row in rows}


def paper_bounds(path: str) -> dict[str, float]:
    """What the paper has for the treebank of a path; nothing for other treebanks."""
    known = published_bounds(Path(path))
    return known[1] if known else {}


def published_gain(theirs: dict[str, list[float]], run: str, reference: str) -> str:
    """The difference in UAS, where the paper has both runs, and other scores for them."""
    first, second = theirs.get(reference), theirs.get(run)
    return f"{second[0] - first[0]:+.2f}" if first and second and first != second else ""


TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent),
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
)
TEMPLATES.globals |= {
    function.__name__: function
    for function in (
        *(runs_of, label, header, marked, scored, spread, star, difference, percent, percents),
        *(metrics, mean_breakdowns, by_system, paper_bounds, published_gain),
    )
}
TEMPLATES.globals["published"] = read_published
