"""`python -m spacy nonmono speed-by-length`."""

from pathlib import Path
from typing import Annotated

import typer

LENGTHS = [10, 100, 1_000, 10_000]


def speed_by_length_cli(
    file: Annotated[
        Path, typer.Argument(help="Treebank file (.conllu, .conllx), or a folder, for its words")
    ],
    models: Annotated[list[str], typer.Argument(help="Pipelines: directories or installed packages")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Image to write; its suffix tells the format"),
    ] = None,
    length: Annotated[
        list[int] | None,
        typer.Option("--length", "-l", min=1, help="Words per sentence; default: 10, 100, 1000, 10000"),
    ] = None,
    repeat: Annotated[
        int, typer.Option("--repeat", "-n", min=1, help="Number of rounds; the best one counts")
    ] = 3,
) -> None:
    """Time parsers alone in sentences of given lengths.

    Does the time per word grow with the length? Choices are moves that had an alternative: those are
    what the parser scores.

    To time one thread on one core, see `speed`.
    """
    from spacy.util import load_model
    from wasabi import msg

    from ..drawing.plots import draw_by_length, save_figure
    from ..evaluation.speed import measure_lengths

    if not file.exists():
        msg.fail("No such file or folder", str(file), exits=1)
    lengths = length or LENGTHS
    speeds = {
        model: measure_lengths(load_model(model), file, lengths, repeat=repeat) for model in models
    }
    times = {
        model: [1e6 / speed.words_per_second for speed in found] for model, found in speeds.items()
    }
    choices = {
        model: [speed.choices_per_word for speed in found if speed.choices_per_word is not None]
        for model, found in speeds.items()
        if found[0].choices_per_word is not None
    }
    for what, values in (("Microseconds per word", times), ("Choices per word", choices)):
        if values:
            rows = [
                [model, *(f"{value:.1f}" for value in found), f"{max(found) / min(found):.2f}"]
                for model, found in values.items()
            ]
            header = [what, *(f"{number:,}" for number in lengths), "Largest / smallest"]
            aligns = ["l", *"r" * (len(lengths) + 1)]
            msg.table(rows, header=header, divider=True, aligns=aligns, max_col=60)
    if output is not None:
        figure = draw_by_length(
            lengths, {"Microseconds per word": times, "Choices per word": choices}
        )
        save_figure(figure, output)
        msg.good("Saved the plot", str(output))
