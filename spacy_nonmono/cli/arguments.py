"""Arguments and options that several commands have."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from ..evaluation.names import DOCUMENTS, GOLD_SENTENCES, RAW_TEXT, SETTINGS
from ..treebank.formats import format_of

Pipeline = Annotated[str, typer.Argument(help="Pipeline: a folder or an installed package")]
TreebankFile = Annotated[
    Path, typer.Argument(help="Treebank file (.conllu, .conllx, .spacy), or a folder")
]
TreebankFolder = Annotated[
    Path, typer.Argument(help="Folder with the files train, dev and test (.conllu, .conllx or .spacy)")
]
GoldTags = Annotated[
    bool,
    typer.Option(
        "--gold-tags",
        help="Give the pipelines the gold tags: to compare parsers alone. Real texts have no gold tags",
    ),
]


def _import_code(path: str | None) -> str | None:
    if path is not None:
        from spacy.cli._util import import_code

        import_code(path)
    return path


Code = Annotated[
    str | None,
    typer.Option(
        "--code",
        callback=_import_code,
        is_eager=True,
        help="Python file that registers the components, functions and architectures of a pipeline",
        show_default=False,
    ),
]
System = Annotated[
    str | None,
    typer.Option(
        "--system",
        "-s",
        help="Transition system (docs/systems.md lists them); by default "
        "covington_nonmonotonic, or arc_eager_unshift with the linear scorer",
        show_default=False,
    ),
]
Members = Annotated[
    int,
    typer.Option("--members", min=1, help="Number of parsers in a committee, which parse together"),
]
GpuId = Annotated[int, typer.Option("--gpu-id", "-g", help="GPU ID or -1 for CPU")]


def read_overrides(context: typer.Context) -> dict[str, Any]:
    """Return the settings of the config that follow the options."""
    from click import NoSuchOption
    from spacy.cli._util import parse_config_overrides

    try:
        return parse_config_overrides(context.args)
    except NoSuchOption as error:  # of click, which typer does not know
        raise typer.BadParameter(error.format_message()) from None


def is_trees(name: str) -> bool:
    """Is this no pipeline, but a file of trees?"""
    return format_of(Path(name)) is not None and not Path(name).is_dir()


@dataclass(frozen=True)
class Setting:
    """What pipelines are given, as a command is asked for it, and the settings that this stands for."""

    name: str
    settings: tuple[str, ...]
    help: str = ""

    def __str__(self) -> str:
        return self.name


GOLD = Setting("gold", (GOLD_SENTENCES,), "the sentence boundaries are given")
DOCS = Setting("documents", (DOCUMENTS,), "the pipeline finds the sentences")
BOTH = Setting("both", SETTINGS)
RAW = Setting("raw", (RAW_TEXT,), "the pipeline gets only the text, and everything is scored")


def setting_option(
    *choices: Setting, flags: tuple[str, ...] = ("--setting", "-s"), about: str = ""
) -> Any:
    """Return an option that takes the name of one of these settings. about: what the setting is one of,
    in the help."""
    known = {choice.name: choice for choice in choices}

    def parse(found: object) -> Setting:
        if str(found) not in known:
            raise typer.BadParameter(f"{str(found)!r} is not one of: {', '.join(known)}")
        return known[str(found)]

    text = "; ".join(f"{choice.name}: {choice.help}" for choice in choices if choice.help)
    return typer.Option(*flags, parser=parse, metavar=f"[{'|'.join(known)}]", help=about + text)
