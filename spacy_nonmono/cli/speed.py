"""`python -m spacy nonmono speed`."""

from pathlib import Path
from typing import Annotated

import typer


def speed_cli(
    model_a: Annotated[str, typer.Argument(help="Pipeline: a directory or an installed package")],
    model_b: Annotated[str, typer.Argument(help="The pipeline to compare with")],
    file: Annotated[Path, typer.Argument(help="Treebank file (.conllu, .conllx), or a folder")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="JSON file for the speeds")
    ] = None,
    repeat: Annotated[
        int, typer.Option("--repeat", "-n", min=1, help="Number of rounds; the best one counts")
    ] = 5,
    gold_tags: Annotated[
        bool, typer.Option("--gold-tags", help="Give the pipelines the gold tags (an oracle setting)")
    ] = False,
) -> None:
    """Compare the speeds of two parsers.

    They are timed alone and with the rest of their pipelines. Both parse the same documents of ten
    sentences in turns and find the sentences themselves. A tok2vec inside of the parser is timed as
    a part of it, a shared one is not.

    To time one thread on one core: OMP_NUM_THREADS=1 taskset -c 0 python -m spacy nonmono speed ...
    """
    from spacy.util import load_model
    from wasabi import msg

    from ..evaluation.made import made_here
    from ..evaluation.speed import measure_speeds
    from ..files import write_json

    if not file.exists():
        msg.fail("No such file or folder", str(file), exits=1)
    speeds = measure_speeds(
        load_model(model_a), load_model(model_b), file, repeat=repeat, gold_tags=gold_tags
    )
    names = " / ".join(dict.fromkeys(speeds["components"]))
    rows = [
        [label, *(f"{speed:,.0f}" for speed in pair), f"{pair[0] / pair[1]:.2f}"]
        for label, pair in (
            (f"Parser alone ({names})", speeds["component"]),
            ("Whole pipeline", speeds["pipeline"]),
        )
    ]
    header = ["Words per second", model_a, model_b, "Ratio"]
    msg.table(rows, header=header, divider=True, aligns=["l", "r", "r", "r"], max_col=60)
    msg.text(f"{speeds['n_words']:,} words, best of {repeat}{', gold tags' if gold_tags else ''}.")
    if output is not None:
        write_json(output, {"made": made_here(), "models": [model_a, model_b], **speeds})
        msg.good("Saved the speeds", str(output))
