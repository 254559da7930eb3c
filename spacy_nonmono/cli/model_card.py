"""`python -m spacy nonmono model-card`."""

import shlex
from pathlib import Path
from typing import Annotated

import typer
from wasabi import msg

from .arguments import Code
from .screen import check_exist

Pipeline = Annotated[Path, typer.Argument(help="Folder of a trained pipeline")]
Scores = Annotated[
    Path, typer.Argument(help="JSON file of its scores, from `evaluate --setting raw --output`")
]
Name = Annotated[str, typer.Option("--name", help="Name of the package, without the language")]
Data = Annotated[str, typer.Option("--data", help="Name and version of the treebank")]
Url = Annotated[str, typer.Option("--url", help="Web address of the treebank")]
License = Annotated[
    str, typer.Option("--license", help="License of the treebank, and so of the pipeline")
]
LicenseFile = Annotated[
    Path | None,
    typer.Option("--license-file", help="File with the text of the license", show_default=False),
]
Text = Annotated[
    str | None,
    typer.Option(
        "--text",
        help="Description of the raw text that it was also trained on",
        show_default=False,
    ),
]
LanguageName = Annotated[
    str | None,
    typer.Option(
        "--language",
        help="Name of the language, such as 'Gothic (got)', if the code of the pipeline is xx",
        show_default=False,
    ),
]
Version = Annotated[str, typer.Option("--version", help="Version of the package")]


def model_card_cli(
    pipeline: Pipeline,
    scores: Scores,
    name: Name,
    data: Data,
    url: Url,
    license: License,
    license_file: LicenseFile = None,
    text: Text = None,
    language: LanguageName = None,
    version: Version = "1.0.0",
    code: Code = None,
) -> None:
    """Write the model card of a pipeline before you package it.

    The card says what the pipeline predicts, which data it was trained on, its license and its scores.
    The command writes the card to README.md in the folder of the pipeline, and writes the name, version
    and license to meta.json there. `spacy package` then puts both files into the package.
    """
    from packaging.version import InvalidVersion, Version

    from ..recipes.model_card import CARD, write_model_card

    for option, given in {"--name": name, "--data": data, "--url": url, "--license": license}.items():
        if not given:
            raise typer.BadParameter("nothing is given; the card has to say it", param_hint=option)
    if not f"_{name}".isidentifier():
        expected = "expected letters, digits and _, since Python imports the package"
        raise typer.BadParameter(f"{name!r}; {expected}", param_hint="--name")
    try:
        Version(version)
    except InvalidVersion:
        expected = "expected a version such as 1.0.0"
        raise typer.BadParameter(f"{version!r}; {expected}", param_hint="--version") from None
    if license_file is not None and license_file.is_dir():
        raise typer.BadParameter(f"{license_file} is a folder", param_hint="--license-file")
    check_exist([scores, *([] if license_file is None else [license_file])])
    write_model_card(
        pipeline,
        scores,
        name=name,
        version=version,
        data=data,
        url=url,
        license=license,
        license_file=license_file,
        text=text,
        language=language,
    )
    msg.good("Saved the model card", str(pipeline / CARD))
    command = shlex.join(["python", "-m", "spacy", "package", str(pipeline)])
    typer.echo(f"Make a package of it: {command} FOLDER --build wheel")
