"""The tables of docs/lab/results.md from stored results (`results_page`).

What each kind of table shows is in the template `tables.md`; those that compute more are functions here.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from spacy_nonmono.evaluation.names import METRICS, SCORES
from spacy_nonmono.lab.breakdowns import mean_breakdowns
from spacy_nonmono.lab.published import published as read_published
from spacy_nonmono.lab.published import published_bounds

SIGNIFICANT = 0.05

Row = dict[str, Any]


def draw_table(kind: str, result: Any, *options: str) -> str:
    """Write a table of stored results in Markdown.

    kind: the name of a macro of `tables.md`, or one of FUNCTIONS.
    result: what is stored.
    options: the other arguments of the macro or of the function.
    """
    if kind in FUNCTIONS:
        return "\n".join(FUNCTIONS[kind](result, *options)).strip()
    tables = TEMPLATES.get_template("tables.md").module
    return str(getattr(tables, kind)(result, *options)).strip()


def against(result: Any, setting: str, published: str, suffix: str = "") -> Iterable[str]:
    """Yield the lines of a table of runs beside those of a paper, for each treebank.

    published: the name of a file in assets/published. Complete match is shown if the file has it.
    suffix: the end of the names of those scores that the paper has, such as _no_punct.
    """
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
    """Yield a line that says when and with what the results were measured."""
    makings = result["made"]
    dates = sorted({one["date"] for one in makings})
    versions = sorted(
        {f"{name} {value}" for one in makings for name, value in one["versions"].items()}
    )
    processors = sorted({one["processor"] for one in makings})
    codes = sorted({one["code"] for one in makings})
    seeds = sorted(set(result.get("seeds", {}).values()))
    trained = ""
    if seeds:
        same = f"{seeds[-1]} seed{'s' * (seeds[-1] > 1)}"
        several = "as many seeds as the number beside a treebank says, 1 seed for the others"
        counted = several if len(seeds) > 1 else same
        trained = f"; {counted}; {_hours(result):.1f} hours of training in total"
    yield (
        f"Measured {' to '.join(dict.fromkeys((dates[0], dates[-1])))} on {', '.join(processors)}: "
        f"{', '.join(versions)}, code {', '.join(codes)}{trained}."
    )


def _hours(result: Any) -> float:
    return sum(
        (row["training_seconds"] or 0) * result["seeds"][treebank] / 3600
        for treebank, by_setting in result["rows"].items()
        for row in next(iter(by_setting.values()))
    )


def claims(entries: Any) -> Iterable[str]:
    """Yield the lines of a table of what papers claim, beside what was found here.

    Gains are means over treebanks, with the lowest and the highest one. The p-values of treebanks are
    those of the randomisation over sentences. The p-value over treebanks says how often their mean
    difference would be as large if a coin decided on the sign of each difference.
    """
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
    """The gains in the paper, on all of its languages that have both runs."""
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
    """Return the names of the runs, in the order of their columns."""
    by_setting = next(iter(result["rows"].values()))
    return [row["run"] for row in next(iter(by_setting.values()))]


def label(result: Any, treebank: str) -> str:
    """Return the name of a treebank, with its number of seeds if another one has fewer."""
    n = result["seeds"][treebank]
    return f"{treebank} ({n})" if n > min(result["seeds"].values()) else treebank


def header(names: Sequence[str]) -> str:
    """Return the two lines that begin a table with columns of these names."""
    return f"{_line(names)}\n|{'---|' * len(names)}"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def marked(row: Row, rows: Sequence[Row], score: str) -> str:
    """Return a score in per cent, in bold if it is the best one of the rows."""
    text = f"{100 * row[score]:.2f}"
    return f"**{text}**" if row[score] == max(one[score] for one in rows) else text


def scored(row: Row, score: str) -> str:
    """Return three cells: the score with its deviation, the difference to the reference, and p."""
    return f"{100 * row[score]:.2f}{spread(row, score)} | {difference(row, score)}"


def spread(row: Row, score: str) -> str:
    """Return the standard deviation of a score; the text is empty for one seed."""
    sd = row.get(f"{score}_sd")
    return "" if sd is None else f" ± {100 * sd:.2f}"


def star(row: Row, score: str) -> str:
    """Return a star if the difference to the reference has p < .05."""
    p = row.get(f"{score}_p")
    return "\\*" if p is not None and p < SIGNIFICANT else ""


def difference(row: Row, score: str) -> str:
    """Return two cells: the difference to the reference, and p. They are empty for the reference."""
    if row[f"{score}_difference"] is None:
        return " | "
    return f"{100 * row[f'{score}_difference']:+.2f} | {_p(row[f'{score}_p'])}"


def _p(p: float) -> str:
    return "< .001" if p < 0.001 else f"{p:.3f}".lstrip("0")


def percent(value: float | None) -> str:
    """Return a share in per cent; the text is empty for None."""
    return "" if value is None else f"{100 * value:.1f}"


def percents(*values: float | None) -> str:
    """Return shares in per cent, with a slash between them; "none" stands for None."""
    return " / ".join(percent(value) or "none" for value in values)


def metrics(names: Sequence[str]) -> list[str]:
    """Return the titles of scores of raw text, such as `las_f`."""
    return [METRICS[name.removesuffix("_f")] for name in names]


def by_system(rows: Sequence[Row]) -> dict[str, Row]:
    """Return the rows of a round trip by the names of their systems."""
    return {row["system"]: row for row in rows}


def paper_bounds(path: str) -> dict[str, float]:
    """Return the bounds that the paper has for the treebank of a path: {} for other treebanks."""
    known = published_bounds(Path(path))
    return known[1] if known else {}


def published_gain(theirs: dict[str, list[float]], run: str, reference: str) -> str:
    """Return the difference of two runs in UAS, in the paper.

    The cell is empty if the paper lacks one of the runs, or has the same scores for both.
    """
    first, second = theirs.get(reference), theirs.get(run)
    return f"{second[0] - first[0]:+.2f}" if first and second and first != second else ""


def spread_of(points: Sequence[tuple[float, float]]) -> str:
    """Write what several seeds have of numbers of heads and of LAS: `51.20 ± 0.31 (1,531 heads)`."""
    heads, scores = zip(*points, strict=True)
    return f"{100 * mean(scores):.2f} ± {100 * stdev(scores):.2f} ({mean(heads):,.0f} heads)"


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
        *(metrics, mean_breakdowns, by_system, paper_bounds, published_gain, spread_of, zip),
    )
}
TEMPLATES.globals["published"] = read_published
