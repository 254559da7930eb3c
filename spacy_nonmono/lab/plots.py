"""Plots of a benchmark, one panel a treebank, from the table and the cells' results as
`table.read_table` gives them. All return a matplotlib Figure, to be saved or shown."""

import math
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..drawing.plots import Floats, draw_line
from ..errors import Errors
from ..evaluation.names import SETTING_NAMES
from ..installed import import_extra
from .benchmark import CellResult
from .breakdowns import FINE_ARC_BINS, by_arc_length, by_sentence_length, kind_scores
from .table import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Results = Mapping[str, CellResult]
# Of a cell's part and setting: names of bins, how many there are of each (words or arcs), shares
Bins = tuple[list[str], list[int], list[float | None]]

GRID_NAME = re.compile(r"k=(?P<k>\S+) p=(?P<p>\S+)")
N_COLUMNS = 3
MOST_TAGS = 16
SPREAD = 0.3  # of the runs' points at a bin, so that error bars do not hide each other


class Lines(NamedTuple):
    """A plot with a line for each run, which shows means over seeds and their standard deviations."""

    bins: Callable[[dict[str, Any]], Bins]
    x_label: str
    y_label: str
    width: float = 5.6  # of a panel, in inches
    joined: bool = True  # are there lines from bin to bin?


def draw(kind: str, table: Table, results: Results, *, setting: str) -> "Figure":
    """Draw the plot that `nonmono breakdown --kind` names: one of LINES, or the heat map.

    Raises ImportError (NM166) without matplotlib; ValueError (NM168) for a heat map of runs whose names
    have no place in it.
    """
    if kind == HEAT_MAP:
        return draw_heat_map(table, results, setting=setting)
    return draw_lines(LINES[kind], table, results, setting=setting)


def _sentence_bins(found: dict[str, Any]) -> Bins:
    rows = by_sentence_length(found["sentences"])
    return [row["bin"] for row in rows], [row["words"] for row in rows], [row["las"] for row in rows]


def _arc_bins(found: dict[str, Any]) -> Bins:
    rows = by_arc_length(found["arcs"], bins=FINE_ARC_BINS)
    return [row["bin"] for row in rows], [row["gold"] for row in rows], [row["recall"] for row in rows]


def _tag_bins(found: dict[str, Any], counts: str = "tags") -> Bins:
    """Return the errors of the most frequent tags.

    counts: "tags", or "far_tags" for words with a far gold arc.
    """
    tags = list(found[counts])[:MOST_TAGS]
    scores = [kind_scores(found[counts][tag]) for tag in tags]
    shares = [None if one["recall"] is None else 1 - one["recall"] for one in scores]
    return tags, [one["gold"] for one in scores], shares


HEAT_MAP = "heat-map"
LINES = {
    "sentence-length": Lines(
        _sentence_bins, "Words in the sentence\n(words at these lengths)", "LAS, %"
    ),
    "arc-length": Lines(_arc_bins, "Length of the gold arc\n(arcs of these lengths)", "Recall, %"),
    "part-of-speech": Lines(_tag_bins, "Part of speech\n(words)", "Wrong heads, %", 9.0, joined=False),
    "part-of-speech-far": Lines(
        partial(_tag_bins, counts="far_tags"),
        "Part of speech\n(words with an arc longer than 5)",
        "Wrong heads, %",
        width=9.0,
        joined=False,
    ),
}


def draw_heat_map(table: Table, results: Results, *, setting: str) -> "Figure":
    """Draw the mean UAS of runs that are called like "k=1 p=0.5", with p to the right and k upwards.

    Raises ValueError (NM168) where no run, or another one too, is called otherwise; ImportError
    (NM166) without matplotlib.
    """
    places = {}
    runs = list(next(iter(table["cells"].values())))
    for run in runs:
        match = GRID_NAME.fullmatch(run)
        if match is None:
            raise ValueError(Errors.NM168.format(found=repr(run)))
        places[run] = (match["k"], match["p"])
    ks = sorted({k for k, _ in places.values()}, key=_number_first)
    ps = sorted({p for _, p in places.values()}, key=_number_first)
    width, height = max(3.4, 1.6 + 0.7 * len(ps)), max(2.8, 1.4 + 0.5 * len(ks))
    figure, panels = _panels(table, setting, width, height)
    for axes, (treebank, keys) in zip(panels, table["cells"].items(), strict=True):
        uas_KP = np.full((len(ks), len(ps)), np.nan)
        for run, (k, p) in places.items():
            scores = [_found(table, results[key], setting)["scores"]["uas"] for key in keys[run]]
            uas_KP[ks.index(k), ps.index(p)] = 100 * np.mean(scores)
        image = axes.imshow(uas_KP, cmap="viridis", origin="lower", aspect="auto")
        for row, column in zip(*np.nonzero(~np.isnan(uas_KP)), strict=True):
            value = uas_KP[row, column]
            is_dark = float(image.norm(value)) < 0.6  # type: ignore[arg-type]
            axes.text(
                column,
                row,
                f"{value:.2f}",
                ha="center",
                va="center",
                color="white" if is_dark else "black",
            )
        axes.set_xticks(range(len(ps)), ps)
        axes.set_yticks(range(len(ks)), ks)
        axes.set_xlabel("p")
        axes.set_ylabel("k")
        axes.set_title(treebank)
        figure.colorbar(image, ax=axes, label="UAS, %")
    return figure


def draw_costs(costs: Mapping[str, tuple[float, float]], *, title: str) -> "Figure":
    """Draw accuracy against speed, with a point and a name for each parser.

    costs: words per second and LAS in % of each parser.

    Raises ImportError (NM166) without matplotlib.
    """
    figure = import_extra("matplotlib.figure").Figure(figsize=(7.0, 4.2), layout="constrained")
    axes = figure.subplots()
    ranks = sorted(costs, key=lambda name: -costs[name][1])
    fastest = max(costs, key=lambda name: costs[name][0])
    for i, (name, (speed, las)) in enumerate(costs.items()):
        draw_line(axes, np.array([speed]), np.array([las]), None, i, name, joined=False)
        # Names on alternate sides, so that those of close points stand apart, and all inside the frame
        is_right = ranks.index(name) % 2 == 1 and name != fastest
        axes.annotate(
            name,
            (speed, las),
            xytext=(7 if is_right else -7, 0),
            textcoords="offset points",
            ha="left" if is_right else "right",
            va="center",
            fontsize="small",
        )
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(import_extra("matplotlib.ticker").LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.xaxis.set_minor_formatter("")
    axes.tick_params(axis="x", labelsize="small")
    axes.margins(x=0.22, y=0.12)
    axes.set_xlabel("Words per second, whole pipeline, one core")
    axes.set_ylabel("LAS, %")
    axes.set_title(title)
    axes.grid(which="both", alpha=0.3)
    return figure


def draw_lines(lines: Lines, table: Table, results: Results, *, setting: str) -> "Figure":
    """Draw the lines of all runs, in a panel for each treebank.

    Raises ImportError (NM166) without matplotlib.
    """
    figure, panels = _panels(table, setting, lines.width, 4.0)
    for axes, (treebank, keys) in zip(panels, table["cells"].items(), strict=True):
        names: list[str] = []
        sizes: list[int] = []
        for i, (run, keys_of_run) in enumerate(keys.items()):
            shares = []
            for key in keys_of_run:
                names, sizes, of_seed = lines.bins(_found(table, results[key], setting))
                shares.append(of_seed)
            percent_SB: Floats = 100 * np.array(shares, dtype=np.float64)
            mean_B = percent_SB.mean(axis=0)  # NaN of an empty bin
            sd_B = percent_SB.std(axis=0, ddof=1) if len(shares) > 1 else None
            shift = 0.0 if len(keys) == 1 else SPREAD * (i / (len(keys) - 1) - 0.5)
            draw_line(axes, np.arange(len(names)) + shift, mean_B, sd_B, i, run, lines.joined)
        labels = [f"{name}\n({size:,})" for name, size in zip(names, sizes, strict=True)]
        axes.set_xticks(range(len(names)), labels, fontsize="x-small")
        axes.set_xlim(-0.5, len(names) - 0.5)
        axes.set_xlabel(lines.x_label)
        axes.set_ylabel(lines.y_label)
        axes.set_title(treebank)
        axes.grid(axis="y", alpha=0.3)
    handles, labels = panels[0].get_legend_handles_labels()
    # Some 60 letters fit below the narrowest figure, the marks among them
    n_columns = max(1, 60 // (max(map(len, labels)) + 6))
    figure.legend(handles, labels, loc="outside lower center", ncols=min(n_columns, len(labels)))
    return figure


def _panels(
    table: Table, setting: str, width: float, height: float
) -> tuple["Figure", list["Axes"]]:
    """Make a figure, and return it with the axes of each treebank. Width and height are in inches."""
    # The Figure class draws with Agg: files only
    figure_module = import_extra("matplotlib.figure")
    n_panels = len(table["cells"])
    n_columns = min(N_COLUMNS, n_panels)
    n_rows = math.ceil(n_panels / n_columns)
    size = (width * n_columns, height * n_rows)
    figure = figure_module.Figure(figsize=size, layout="constrained")
    grid = figure.subplots(n_rows, n_columns, squeeze=False).flat
    panels = [axes for axes, _ in zip(grid, range(n_panels), strict=False)]
    for axes in list(figure.axes)[n_panels:]:
        axes.set_axis_off()
    figure.suptitle(f"{table['part']}, {SETTING_NAMES[setting].lower()}")
    return figure, panels


def _found(table: Table, result: CellResult, setting: str) -> dict[str, Any]:
    return result["parts"][table["part"]][setting]


def _number_first(text: str) -> tuple[float, str]:
    """Return a key that sorts numbers by their values, and other texts after them."""
    try:
        return float(text), text
    except ValueError:
        return math.inf, text
