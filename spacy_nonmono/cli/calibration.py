"""`python -m spacy nonmono calibration`."""

from math import isnan
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer
from wasabi import msg

from ..evaluation.made import made_here
from ..evaluation.names import SETTING_NAMES
from ..files import telling_write_errors, write_json
from .arguments import DOCS, GOLD, Code, Pipeline, Setting, TreebankFile, setting_option
from .screen import check_exist, number, show_table

Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="Image or JSON file (.json); the suffix decides the format"),
]
GivenSetting = Annotated[Setting, setting_option(GOLD, DOCS)]
Bins = Annotated[int, typer.Option("--bins", "-b", min=1, help="Number of bins of equal width")]
Fit = Annotated[
    bool,
    typer.Option("--fit", "-f", help="Fit the scores to the file, and save the fit in the pipeline"),
]


def calibration_cli(
    pipeline: Pipeline,
    treebank: TreebankFile,
    output: Output = None,
    setting: GivenSetting = GOLD,
    bins: Bins = 10,
    fit: Fit = False,
    code: Code = None,
) -> None:
    """Show how often arcs with a high score are right.

    The score of an arc is the probability that the parser gives it (`dep_scores`). The linear parser has
    no such scores. An arc is right if its head and its label are right. The expected calibration error
    is the mean difference between the score and the share of right arcs. With --fit the table shows what
    to expect on other files: it scores each half of the file with a fit to the other half.
    """
    from ..evaluation.calibration import calibrate, fit_scores
    from ..installed import load_pipeline

    check_exist([treebank], output)
    if output is not None and output.suffix != ".json":
        from ..drawing.plots import check_image, draw_calibration, save_figure

        check_image(output)
    if fit and not Path(pipeline).is_dir():
        msg.fail("--fit needs the folder of a pipeline, to save it there", pipeline, exits=1)
    (chosen,) = setting.settings
    nlp = load_pipeline(pipeline)
    calibration = (fit_scores if fit else calibrate)(nlp, treebank, setting=chosen, n_bins=bins)
    edges = [f"{edge:.3g}" for edge in calibration.edges_B1]
    columns = (calibration.words_B, calibration.scores_B, calibration.right_B)
    rows = [
        (f"{low}-{high}", f"{n_words:,}", *(number(value, "{:.3f}") for value in shares))
        for low, high, n_words, *shares in zip(edges, edges[1:], *columns, strict=False)
    ]
    show_table(rows, ["Score", "Words", "Mean score", "Right"])
    msg.text(f"Expected calibration error: {number(calibration.error, '{:.3f}')}")
    if fit:
        _save_fit(nlp, Path(pipeline), treebank.name)
    if output is None:
        return
    if output.suffix == ".json":
        error = None if isnan(calibration.error) else calibration.error
        found = {"error": error, "setting": chosen, "fitted": fit}
        write_json(output, {"made": made_here(), "model": pipeline, "file": str(treebank), **found})
    else:
        title = f"{treebank.name}, {SETTING_NAMES[chosen].lower()}"
        save_figure(draw_calibration(calibration, title=title), output)
    msg.good("Saved the calibration", str(output))


def _save_fit(nlp: Any, folder: Path, file: str) -> None:
    """Save the parser, whose scores were fitted to a file, in the folder of its pipeline, and say how
    they change."""
    import numpy as np

    from ..installed import find_parser

    name = find_parser(nlp)
    parser: Any = nlp.get_pipe(name)
    with telling_write_errors(folder / name), TemporaryDirectory(dir=folder) as scratch:
        parser.to_disk(scratch, exclude=["vocab"])
        for part in Path(scratch).iterdir():
            part.replace(folder / name / part.name)
    msg.good("Saved the parser", str(folder / name))
    shown = np.array([0.5, 0.9])
    pairs = zip(shown, parser.scaling.scale(shown), strict=True)
    became = ", and ".join(f"from {one:.2f} to {other:.2f}" for one, other in pairs)
    msg.text(f"Its scores now fit {file}: they change {became}. Trees do not change.")
