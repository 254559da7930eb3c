"""`python -m spacy nonmono debug-data`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from wasabi import msg

from ..errors import name_some
from .advice import system_advice
from .arguments import Code
from .screen import check_exist, percent, show_table
from .stats import make_counts

if TYPE_CHECKING:
    from ..treebank.summary import Summary

RARE, N_SHOWN = 20, 12
FEW = 2_000  # sentences; a committee gained most on a treebank of 910
MAX_DISTANCE = 200  # of a parser, unless its config says otherwise


def debug_data_cli(
    train: Annotated[Path, typer.Argument(help="Treebank file to train on, or a folder of such files")],
    dev: Annotated[
        Path | None, typer.Argument(help="Treebank file to develop on, or a folder of such files")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option("--model", "-m", help="Pipeline: compare its tokens with words of dev or train"),
    ] = None,
    code: Code = None,
) -> None:
    """Check a treebank before you train on it.

    The command counts words, crossing arcs, unknown heads, unknown labels, and rare labels, as `stats`
    does, and says which options of `init-config` suit the treebank. With a dev file it also lists the
    labels of dev that train does not have. `spacy debug data` reports this for spaCy's parser only.
    """
    from ..treebank.reader import read_sentences
    from ..treebank.summary import summarize

    files = {"train": train, **({"dev": dev} if dev else {})}
    check_exist(files.values())
    parts = {name: summarize(read_sentences(file)) for name, file in files.items()}
    show_table(make_counts(list(parts.values())), ["", *parts])
    for name, part in parts.items():
        if part.n_unknown == part.n_words:
            msg.fail(f"No word of {name} has a head: nothing can be learned or scored.")
        elif part.n_unknown:
            msg.info(f"Words without a head are left out of the scores ({name}: {part.n_unknown:,}).")
    longest = max(part.longest_arc for part in parts.values())
    if longest > MAX_DISTANCE:
        msg.warn(
            f"The longest arc spans {longest} words, but a parser joins words that are at most "
            f"{MAX_DISTANCE} apart. Long arcs need a larger `max_distance`."
        )
    _tell_labels(parts["train"], parts.get("dev"))
    _advise(parts["train"])
    if model is not None:
        _tell_tokens(model, dev or train)


def _tell_labels(train: "Summary", dev: "Summary | None") -> None:
    rare = [f"{label} ({n})" for label, n in reversed(train.labels.most_common()) if n < RARE]
    if rare:
        msg.warn(f"{len(rare)} labels occur fewer than {RARE} times in train: {name_some(rare)}.")
    new = sorted(dev.labels.keys() - train.labels.keys()) if dev else []
    if new:
        msg.warn(f"{len(new)} labels of dev are not in train: {name_some(new)}.")
    if train.labels and not rare and not new:
        msg.good("No label is rare" + (", and train has all labels of dev." if dev else "."))


def _advise(train: "Summary") -> None:
    """Say which options of `init-config` suit the treebank, as far as the pages know."""
    if not train.labels:
        return
    if train.n_sentences < FEW:
        msg.info(
            f"Train has few sentences ({train.n_sentences:,}). With few, a committee of two parsers "
            "(--members 2) gains most; it takes twice the time and memory. See docs/training.md."
        )
    msg.info(
        system_advice(train)
        or f"Arcs cross in {percent(train.nonprojective_share, 1)} % of the sentences of train. The "
        "default system builds such arcs, arc_eager_unshift builds none. See docs/systems.md."
    )


def _tell_tokens(model: str, path: Path) -> None:
    from ..evaluation.raw_text import compare_tokens
    from ..installed import load_pipeline
    from ..recipes.adapt import MAX_LOST

    n_words, n_lost, differences = compare_tokens(load_pipeline(model), path)
    text = f"{n_lost:,} of the {n_words:,} words of {path.name} are no tokens of {model}."
    (msg.warn if n_lost > MAX_LOST * n_words else msg.info)(text)
    rows = [[one.gold, one.predicted, f"{n:,}"] for one, n in differences.most_common(N_SHOWN)]
    if rows:
        show_table(rows, ["Words of the treebank", "Tokens", "Times"], n_left=2)
