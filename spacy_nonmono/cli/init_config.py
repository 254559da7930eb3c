"""`python -m spacy nonmono init-config`."""

import shlex
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from .arguments import Code
from .screen import check_exist


class Scorer(str, Enum):
    neural = "neural"
    small = "small"
    linear = "linear"


class Parser(str, Enum):
    nonmono_parser = "nonmono_parser"
    parser = "parser"


def init_config_cli(
    context: typer.Context,
    output: Annotated[
        Path, typer.Argument(help="File to write, or - for standard output", allow_dash=True)
    ],
    lang: Annotated[str, typer.Option("--lang", "-l", help="Code of the language")] = "en",
    system: Annotated[
        str | None,
        typer.Option(
            "--system",
            "-s",
            help="Transition system (docs/systems.md lists them); by default "
            "covington_nonmonotonic, or arc_eager_unshift with the linear scorer",
            show_default=False,
        ),
    ] = None,
    scorer: Annotated[
        Scorer, typer.Option("--scorer", help="What scores the moves; small: neural with half the units")
    ] = Scorer.neural,
    components: Annotated[
        str,
        typer.Option(
            "--with",
            "-w",
            help="Components to add, separated by commas: tagger, morphologizer, trainable_lemmatizer, "
            "senter, ner, ud_noun_chunks. Those that are trained share the tok2vec of the parser",
        ),
    ] = "",
    vectors: Annotated[
        str | None, typer.Option("--vectors", help="Pipeline or folder with static vectors to include")
    ] = None,
    brown: Annotated[
        str | None, typer.Option("--brown", help="File of Brown clusters that `brown` wrote")
    ] = None,
    collocations: Annotated[
        str | None,
        typer.Option(
            "--collocations",
            help="File of collocations that `collocations` wrote; or the word train, to collect them "
            "from the training data",
        ),
    ] = None,
    transformer: Annotated[
        str | None,
        typer.Option("--transformer", help="Name or folder of a transformer that replaces the tok2vec"),
    ] = None,
    base: Annotated[
        str | None,
        typer.Option(
            "--base", "-b", help="Trained pipeline to put the parser into; nothing else in it changes"
        ),
    ] = None,
    tune: Annotated[
        bool,
        typer.Option("--tune", help="With --base: train the parser together with a copy of its tok2vec"),
    ] = False,
    theirs: Annotated[
        Path | None,
        typer.Option(
            "--from",
            help="Config with spaCy's parser: put this parser in its place and change nothing else",
            dir_okay=False,
            show_default=False,
        ),
    ] = None,
    block: Annotated[
        bool,
        typer.Option("--block", help="Write only the sections of the parser, to paste into a config"),
    ] = False,
    parser: Annotated[
        Parser,
        typer.Option("--parser", help="Parser of the config; parser: spaCy's own, to compare with"),
    ] = Parser.nonmono_parser,
    code: Code = None,
    force: Annotated[
        bool, typer.Option("--force", "-F", help="Overwrite the file if it exists")
    ] = False,
) -> None:
    """Write a config for `spacy train`.

    The config is complete. Its comments explain which settings are worth changing. To train with it,
    run `python -m spacy train`.
    """
    from wasabi import msg

    from ..errors import refuse
    from ..recipes.base import adapt_config
    from ..recipes.config import make_config, own_embed
    from ..recipes.swap import swap_parser
    from ..recipes.text import block_text, config_text

    to_stdout = str(output) == "-"
    if not to_stdout and output.exists() and not force:
        msg.fail("The file exists. Overwrite it with --force, or choose another one", output, exits=1)
    names = [name.strip() for name in components.split(",") if name.strip()]
    from_nothing = {
        "--with": names,
        "--vectors": vectors,
        "--brown": brown,
        "--collocations": collocations,
        "--transformer": transformer,
        "--parser parser": parser is Parser.parser,
        "--lang": lang != "en",
        "--scorer linear": scorer is Scorer.linear,
    }
    if theirs is not None:
        refuse("--from", {**from_nothing, "--base": base, "--tune": tune, "--block": block})
        check_exist([theirs])
        return _write(output, swap_parser(theirs, system=system, scorer=scorer.value))
    if base is not None:
        refuse("--base", {**from_nothing, "--block": block})
        config, name = adapt_config(base, system=system, scorer=scorer.value, tune=tune)
    else:
        if tune:
            msg.fail("--tune needs --base: there is no tok2vec to copy", exits=1)
        name = parser.value
        config = make_config(
            lang=lang,
            system=system,
            scorer=scorer.value,
            components=names,
            vectors=vectors,
            brown=brown,
            collocations=collocations,
            transformer=transformer,
            parser=parser.value,
        )
    if "senter" in names and not to_stdout:
        msg.info("The parser finds sentences itself. With a senter it keeps the senter's sentences.")
    if "ud_noun_chunks" in names and "morphologizer" not in names and not to_stdout:
        msg.info("Noun chunks need parts of speech, which a morphologizer sets. Add it to --with.")
    if block:
        if transformer is None and scorer is not Scorer.linear and parser is Parser.nonmono_parser:
            config["components"][name]["model"]["embed"] = own_embed()
        _write(output, block_text(config, parser=name))
        return
    path = "CONFIG" if to_stdout else shlex.quote(str(output))
    end = "spacy" if "ner" in names else "conllu"
    training = f"python -m spacy train {path} --paths.train train.{end} --paths.dev dev.{end}"
    header = ["To train with this config:", f"  {training}", "It was made by:"]
    header.append(f"  {_command_line(context)}")
    _write(output, config_text(config, header, parser=name))
    if not to_stdout:
        typer.echo(f"Now train: {training} --output training/mine")


def _write(output: Path, text: str) -> None:
    from wasabi import msg

    from ..files import write_text

    if str(output) == "-":
        typer.echo(text, nl=False)
    else:
        write_text(output, text)
        msg.good("Saved the config", str(output))


def _command_line(context: typer.Context) -> str:
    """The call of this command, without options that say what is the case anyway."""
    words = ["python", "-m", "spacy", "nonmono", "init-config", str(context.params["output"])]
    for option in context.command.params:
        value = context.params[option.name or ""]
        name = option.opts[0]
        if not name.startswith("--") or name == "--force" or value == option.get_default(context):
            continue
        words.append(name)
        if value is not True:
            words.append(value.value if isinstance(value, Enum) else str(value))
    return shlex.join(words)
