"""Plots of speeds and of a calibration, and the look of all plots. All return a matplotlib Figure, to be
saved or shown.

A figure of its own, without pyplot, needs no display and leaves no global state behind.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import Errors
from ..evaluation.calibration import Calibration
from ..files import replace_file
from ..installed import import_extra

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

# Of Okabe & Ito (2008), which people with any colour vision can tell apart; yellow is too pale here
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = "osD^vPX*"


def check_image(path: Path) -> None:
    """Check that an image can be written.

    Raises ImportError (NM166) without matplotlib, ValueError (NM216) for a format that it lacks.
    """
    known = import_extra("matplotlib.figure").Figure().canvas.get_supported_filetypes()
    if path.suffix and path.suffix.removeprefix(".") not in known:
        raise ValueError(Errors.NM216.format(path=path, known=", ".join(known)))


def save_figure(figure: "Figure", path: Path) -> None:
    """Write an image; the suffix tells the format, PNG if there is none. Raises as `check_image`."""
    check_image(path)
    with replace_file(path) as file:
        figure.savefig(file, dpi=150, format=path.suffix.removeprefix(".") or "png")


def draw_by_length(
    lengths: Sequence[int], values: Mapping[str, Mapping[str, Sequence[float]]]
) -> "Figure":
    """Plot values by sentence length on logarithmic axes, in a panel for each kind of value.

    values: of each kind, by its name, and each pipeline the value at each length.

    Raises ImportError (NM166) without matplotlib.
    """
    kinds = {kind: by_name for kind, by_name in values.items() if by_name}
    size = (5.2 * len(kinds), 5.0)
    ticks = import_extra("matplotlib.ticker").LogLocator
    figure = import_extra("matplotlib.figure").Figure(figsize=size, layout="constrained")
    names: list[str] = []
    for by_name in kinds.values():
        names += [name for name in by_name if name not in names]
    panels = figure.subplots(1, len(kinds), squeeze=False)[0]
    for axes, (kind, by_name) in zip(panels, kinds.items(), strict=True):
        for name, found in by_name.items():
            draw_line(axes, np.array(lengths), np.array(found), None, names.index(name), name)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xticks(lengths, [f"{length:,}" for length in lengths])
        axes.set_xticks([], minor=True)
        axes.yaxis.set_minor_locator(ticks(subs=(2.0, 5.0)))
        axes.yaxis.set_major_formatter("{x:g}")
        axes.yaxis.set_minor_formatter("{x:g}")
        axes.set_xlabel("Words in the sentence")
        axes.set_ylabel(kind)
        axes.grid(which="both", alpha=0.3)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=1 + (len(names) > 3))
    return figure


def draw_calibration(calibration: Calibration, *, title: str) -> "Figure":
    """Plot a reliability diagram: the share of right arcs by their mean score, and how many there are.

    Raises ImportError (NM166) without matplotlib.
    """
    figure_module = import_extra("matplotlib.figure")
    figure = figure_module.Figure(figsize=(4.6, 5.4), layout="constrained")
    diagram, histogram = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1))
    diagram.plot([0, 1], [0, 1], color="grey", linestyle="--", linewidth=1, label="perfect")
    filled_B = calibration.words_B > 0
    scores_B, right_B = calibration.scores_B[filled_B], calibration.right_B[filled_B]
    draw_line(diagram, scores_B, right_B, None, 0, "head and label")
    diagram.set_ylabel("Share of right arcs")
    diagram.set_ylim(0, 1)
    diagram.set_title(f"{title}\nexpected calibration error {calibration.error:.3f}")
    diagram.legend(loc="upper left")
    histogram.stairs(calibration.words_B, calibration.edges_B1, fill=True, color=COLOURS[0])
    histogram.set_xlim(0, 1)
    histogram.set_xlabel("Score")
    histogram.set_ylabel("Words")
    return figure


def draw_line(
    axes: "Axes",
    x_B: NDArray[Any],
    mean_B: Floats,
    sd_B: Floats | None,
    i: int,
    label: str,
    joined: bool = True,
) -> None:
    """Plot values (B,) at x (B,) with their standard deviations, in the look of the i-th of the
    lines.
    """
    axes.errorbar(
        x_B,
        mean_B,
        yerr=sd_B,
        label=label,
        color=COLOURS[i % len(COLOURS)],
        marker=MARKERS[i % len(MARKERS)],
        linestyle="" if not joined else "-" if i < len(COLOURS) else "--",
        markersize=4,
        linewidth=1.3,
        capsize=2.5,
    )
