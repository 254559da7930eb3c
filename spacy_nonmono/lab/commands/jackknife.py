"""`python -m spacy nonmono jackknife`."""

from pathlib import Path
from typing import Annotated

import typer
from wasabi import msg

from ...cli.arguments import GpuId
from ...cli.screen import show_table
from ...files import make_folder


def jackknife_cli(
    treebanks: Annotated[
        list[Path],
        typer.Argument(help="Folders with the files train, dev and test (.conllu or .conllx)"),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Folder for the treebanks with predicted tags")
    ],
    folds: Annotated[
        int, typer.Option("--folds", "-f", min=2, help="Number of folds of the training part")
    ] = 10,
    config: Annotated[
        Path | None,
        typer.Option(
            "--config",
            "-c",
            help="Config of a pipeline that sets tags; by default a tagger and a morphologizer",
        ),
    ] = None,
    use_gpu: GpuId = -1,
) -> None:
    """Write treebanks with predicted tags.

    The training part is divided into folds. Each fold is tagged by a tagger that is trained on the other
    folds. The dev and test parts are tagged by a tagger that is trained on the whole training part.
    Words and trees do not change. If the run is stopped, start it again with the same command: finished
    folds are not tagged again.
    """
    from ..cells import check_names
    from ..jackknife import TAG_COLUMNS, jackknife

    check_names("treebanks", [folder.resolve().name for folder in treebanks])
    make_folder(output)
    rows = []
    for folder in treebanks:
        name = folder.resolve().name
        msg.divider(name)
        accuracy = jackknife(
            folder, output, folds=folds, config_path=config, use_gpu=use_gpu, report=msg.info
        )
        for part, found in accuracy.items():
            shares = [f"{found[column]:.2%}" if column in found else "" for column in TAG_COLUMNS]
            rows.append([name, part, *shares])
    header = ["Right tags", "", *TAG_COLUMNS]
    show_table(rows, header, n_left=2)
    msg.good("Saved the treebanks", str(output))
