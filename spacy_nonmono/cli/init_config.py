"""`python -m spacy nonmono init-config`."""

import shlex
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from wasabi import msg

from ..errors import refuse
from ..files import write_text
from ..treebank.formats import is_treebank
from .advice import system_advice
from .arguments import Code, Members, System
from .screen import check_exist

STDOUT = "-"


Output = Annotated[Path, typer.Argument(help="File to write, or - for standard output", allow_dash=True)]
Lang = Annotated[str, typer.Option("--lang", "-l", help="Code of the language")]
Scorer = Annotated[
    Literal["neural", "small", "linear"],
    typer.Option("--scorer", help="What scores the moves; small: neural with half the units"),
]
Components = Annotated[
    str,
    typer.Option(
        "--with",
        "-w",
        help="Components to add, separated by commas: tagger, morphologizer, trainable_lemmatizer, "
        "senter, ner, ud_noun_chunks. Those that are trained share the tok2vec of the parser",
    ),
]
Vectors = Annotated[
    str | None, typer.Option("--vectors", help="Pipeline or folder with static vectors to include")
]
Brown = Annotated[str | None, typer.Option("--brown", help="File of Brown clusters that `brown` wrote")]
Collocations = Annotated[
    str | None,
    typer.Option(
        "--collocations",
        help="File of collocations that `collocations` wrote; or the word train, to collect them "
        "from the training data",
    ),
]
Transformer = Annotated[
    str | None,
    typer.Option("--transformer", help="Name or folder of a transformer that replaces the tok2vec"),
]
Base = Annotated[
    str | None,
    typer.Option(
        "--base", "-b", help="Trained pipeline to put the parser into; nothing else in it changes"
    ),
]
Tune = Annotated[
    bool,
    typer.Option("--tune", help="With --base: train the parser together with a copy of its tok2vec"),
]
Theirs = Annotated[
    Path | None,
    typer.Option(
        "--from",
        help="Config with spaCy's parser: put this parser in its place and change nothing else",
        dir_okay=False,
        show_default=False,
    ),
]
Block = Annotated[
    bool,
    typer.Option("--block", help="Write only the sections of the parser, to paste into a config"),
]
Parser = Annotated[
    Literal["nonmono_parser", "parser"],
    typer.Option("--parser", help="Parser of the config; parser: spaCy's own, to compare with"),
]
Force = Annotated[bool, typer.Option("--force", "-F", help="Overwrite the file if it exists")]


def init_config_cli(
    context: typer.Context,
    output: Output,
    lang: Lang = "en",
    system: System = None,
    members: Members = 1,
    scorer: Scorer = "neural",
    components: Components = "",
    vectors: Vectors = None,
    brown: Brown = None,
    collocations: Collocations = None,
    transformer: Transformer = None,
    base: Base = None,
    tune: Tune = False,
    theirs: Theirs = None,
    block: Block = False,
    parser: Parser = "nonmono_parser",
    code: Code = None,
    force: Force = False,
) -> None:
    """Write a config for `spacy train`.

    The config is complete. Its comments explain which settings are worth changing. To train with it,
    run `python -m spacy train`.
    """
    if str(output) != STDOUT and output.exists() and not force:
        msg.fail("The file exists. Overwrite it with --force, or choose another one", output, exits=1)
    names = [name.strip() for name in components.split(",") if name.strip()]
    tables = {"vectors": vectors, "brown": brown, "collocations": collocations}
    from_nothing = {
        "--with": names,
        **{f"--{name}": path for name, path in tables.items()},
        "--transformer": transformer,
        "--parser parser": parser == "parser",
        "--lang": lang != "en",
        "--scorer linear": scorer == "linear",
    }
    chosen: dict[str, Any] = {"system": system, "members": members, "scorer": scorer}
    if theirs is not None:
        refuse("--from", {**from_nothing, "--base": base, "--tune": tune, "--block": block})
        from ..recipes.swap import swap_parser

        check_exist([theirs])
        _write(output, swap_parser(theirs, **chosen))
        if str(output) != STDOUT and system is None:
            _advise(theirs)
    elif base is not None:
        refuse("--base", {**from_nothing, "--block": block})
        from ..recipes.base import adapt_config

        _write_complete(context, output, *adapt_config(base, **chosen, tune=tune))
    elif tune:
        msg.fail("--tune needs --base: there is no tok2vec to copy", exits=1)
    else:
        chosen |= {"lang": lang, "components": names, "transformer": transformer, "parser": parser}
        _make(context, output, {**chosen, **tables}, block)


def _advise(config: Path) -> None:
    """Say which system suits the treebank, if the config names one that is there."""
    from ..recipes.text import read_config
    from ..treebank.reader import read_sentences
    from ..treebank.summary import summarize

    train = Path(str(read_config(config).get("paths", {}).get("train") or ""))
    if train.is_file() and is_treebank(train):
        advice = system_advice(summarize(read_sentences(train)))
        if advice:
            msg.info(advice)


def _make(context: typer.Context, output: Path, chosen: dict[str, Any], only_block: bool) -> None:
    """Write a config of a new pipeline, or only its parser's sections. chosen: what `make_config`
    takes."""
    from ..recipes.config import first_model, make_config, own_embed
    from ..recipes.text import block_text

    config, name, names = make_config(**chosen), chosen["parser"], chosen["components"]
    is_shown = str(output) != STDOUT
    if "senter" in names and is_shown:
        msg.info("The parser finds sentences itself. With a senter it keeps the senter's sentences.")
    if "ud_noun_chunks" in names and "morphologizer" not in names and is_shown:
        msg.info("Noun chunks need parts of speech, which a morphologizer sets. Add it to --with.")
    if not only_block:
        _write_complete(context, output, config, name, "spacy" if "ner" in names else "conllu")
        return
    own = {"--vectors": chosen["vectors"], "--brown": chosen["brown"]}
    refuse("--block", own if chosen["members"] == 1 else {})  # others have these
    if not chosen["transformer"] and chosen["scorer"] != "linear" and name == "nonmono_parser":
        first_model(config["components"][name])["embed"] = own_embed()
    _write(output, block_text(config, parser=name))


def _write_complete(
    context: typer.Context, output: Path, config: Any, parser: str, end: str = "conllu"
) -> None:
    """Write a config, and say how to train with it on files with the suffix `end`."""
    from ..recipes.text import config_text

    to_stdout = str(output) == STDOUT
    path = "CONFIG" if to_stdout else shlex.quote(str(output))
    training = f"python -m spacy train {path} --paths.train train.{end} --paths.dev dev.{end}"
    header = ["To train with this config:", f"  {training}", "It was made by:"]
    header.append(f"  {_command_line(context)}")
    _write(output, config_text(config, header, parser=parser))
    if not to_stdout:
        typer.echo(f"Now train: {training} --output training/mine")


def _write(output: Path, text: str) -> None:

    if str(output) == STDOUT:
        typer.echo(text, nl=False)
    else:
        write_text(output, text)
        msg.good("Saved the config", str(output))


def _command_line(context: typer.Context) -> str:
    """Return the call of this command, without options that say what is the case anyway."""
    words = ["python", "-m", "spacy", "nonmono", "init-config", str(context.params["output"])]
    for option in context.command.params:
        value = context.params[option.name or ""]
        name = option.opts[0]
        if not name.startswith("--") or name == "--force" or value == option.get_default(context):
            continue
        words.append(name)
        if value is not True:
            words.append(str(value))
    return shlex.join(words)
