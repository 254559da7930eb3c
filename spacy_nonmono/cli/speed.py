"""`python -m spacy nonmono speed`."""

from pathlib import Path
from typing import Annotated, Any

import typer
from wasabi import msg

from ..errors import refuse
from ..evaluation.made import made_here
from ..files import write_json
from .arguments import Code, GoldTags, TreebankFile
from .screen import check_exist, show_table


def speed_cli(
    pipelines: Annotated[
        list[str],
        typer.Argument(help="Pipelines (folders or installed packages)"),
    ],
    treebank: TreebankFile,
    lengths: Annotated[
        str | None,
        typer.Option(
            "--lengths",
            "-l",
            metavar="N,N,...",
            help="Time the parsers alone in sentences of these lengths, in words: 10,100,1000,10000",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="JSON file; with --lengths an image, unless the suffix is .json"
        ),
    ] = None,
    repeat: Annotated[
        int, typer.Option("--repeat", "-n", min=1, help="Number of rounds; the fastest one counts")
    ] = 5,
    gold_tags: GoldTags = False,
    code: Code = None,
) -> None:
    """Compare the speeds of parsers.

    The parsers are timed alone and with the rest of their pipelines. They take turns on the same
    documents of ten sentences, and they find the sentences themselves. A tok2vec inside the parser is
    timed as a part of it; a shared tok2vec is not. Ratios are to the first pipeline.

    With --lengths, the parsers are timed alone, in sentences of these lengths. The tables show whether
    the time per word grows with the length. They also count choices, that is, moves that had an
    alternative. The parser scores only these.

    To time one thread on one core: OMP_NUM_THREADS=1 taskset -c 0 python -m spacy nonmono speed ...
    """
    if lengths is not None:
        refuse("--lengths", {"--gold-tags": gold_tags})
        numbers = _read_lengths(lengths)
        check_exist([treebank], output)
        _time_by_length(pipelines, treebank, numbers, output, repeat)
        return
    check_exist([treebank], output)
    _compare(pipelines, treebank, output, repeat, gold_tags)


def _compare(models: list[str], file: Path, output: Path | None, repeat: int, gold_tags: bool) -> None:
    from ..evaluation.speed import measure_speeds
    from ..installed import load_pipeline

    speeds = measure_speeds(map(load_pipeline, models), file, repeat=repeat, gold_tags=gold_tags)
    first = speeds["component"][0], speeds["pipeline"][0]
    found = zip(models, speeds["components"], speeds["component"], speeds["pipeline"], strict=True)
    rows = [
        [
            f"{model} ({name})",
            *(f"{one:,.0f}" for one in both),
            *(f"{one / start:.2f}" for one, start in zip(both, first, strict=True)),
        ]
        for model, name, *both in found
    ]
    show_table(rows, ["Words per second", "Parser alone", "Whole pipeline", "Ratio, alone", "whole"])
    msg.text(f"{speeds['n_words']:,} words, best of {repeat}{', gold tags' if gold_tags else ''}.")
    if output is not None:
        _save(output, {"models": models, **speeds})


def _time_by_length(
    models: list[str], file: Path, lengths: list[int], output: Path | None, repeat: int
) -> None:
    from ..drawing.plots import check_image, draw_by_length, save_figure
    from ..evaluation.speed import measure_lengths
    from ..installed import load_pipeline

    if output is not None and output.suffix != ".json":
        check_image(output)
    speeds = {
        model: measure_lengths(load_pipeline(model), file, lengths, repeat=repeat) for model in models
    }
    times = {model: [1e6 / speed.words_per_second for speed in found] for model, found in speeds.items()}
    choices = {
        model: [speed.choices_per_word for speed in found if speed.choices_per_word is not None]
        for model, found in speeds.items()
        if found[0].choices_per_word is not None
    }
    values = {"Microseconds per word": times, "Choices per word": choices}
    for what, by_model in values.items():
        if by_model:
            rows = [
                [model, *(f"{value:.1f}" for value in found), _growth(found)]
                for model, found in by_model.items()
            ]
            show_table(rows, [what, *(f"{number:,}" for number in lengths), "Largest / smallest"])
    if output is None:
        return
    if output.suffix == ".json":
        found = {"microseconds_per_word": times, "choices_per_word": choices}
        _save(output, {"lengths": lengths, "repeat": repeat, **found})
    else:
        save_figure(draw_by_length(lengths, values), output)
        msg.good("Saved the plot", str(output))


def _growth(found: list[float]) -> str:
    """Return how much larger the largest is; a sentence of one word leaves no choice."""
    return f"{max(found) / min(found):.2f}" if min(found) else "-"


def _read_lengths(text: str) -> list[int]:
    try:
        lengths = [int(number) for number in text.split(",")]
    except ValueError:
        lengths = []
    if not lengths or min(lengths) < 1:
        raise typer.BadParameter(f"{text!r} is not a list such as 10,100,1000", param_hint="--lengths")
    return lengths


def _save(output: Path, found: dict[str, Any]) -> None:

    write_json(output, {"made": made_here(), **found})
    msg.good("Saved the speeds", str(output))
