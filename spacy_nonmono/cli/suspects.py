"""`python -m spacy nonmono suspects`."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from wasabi import msg

from ..errors import count
from ..files import write_text
from .arguments import Code, GpuId, TreebankFile, read_overrides
from .screen import check_exist, number, show_table

N_SHOWN, N_DRAWN = 10, 100

Output = Annotated[Path, typer.Option("--output", "-o", help="Folder for the list and the page")]
NFolds = Annotated[int, typer.Option("--folds", "-f", min=2, help="Number of folds")]
OwnConfig = Annotated[
    Path | None,
    typer.Option(
        "--config",
        "-c",
        help="Config to train the parsers with; by default that of init-config, with 1,000 steps",
        show_default=False,
    ),
]


def suspects_cli(
    context: typer.Context,
    treebank: TreebankFile,
    output: Output,
    folds: NFolds = 5,
    config: OwnConfig = None,
    code: Code = None,
    use_gpu: GpuId = -1,
) -> None:
    """List annotations that may be wrong.

    The treebank is divided into folds. Each fold is parsed by a parser that is trained on the others.
    Where parser and treebank differ, one of them is wrong. The first rows of the list are words where it
    is rarest that they differ: there it is often the treebank. The last ones are words that have another
    relation than the same words in other places. The folder also has a page with the first 100, and
    parsed.conllu with the trees of the parsers. Settings of the config may follow the options:
    --training.max_steps 500. If the run is stopped, start it again with the same command.
    """
    from ..drawing import render_suspects
    from ..recipes.suspects import IN_HEAD, IN_LABEL, NOWHERE, PARSED, find_suspects
    from ..treebank.reader import read_sentences

    check_exist([treebank, *([config] if config else [])])
    suspects = find_suspects(
        treebank,
        output,
        folds=folds,
        config_path=config,
        overrides=read_overrides(context),
        use_gpu=use_gpu,
        report=msg.info,
    )
    arcs = [(f"{one.head} {one.label}", f"{one.parser_head} {one.parser_label}") for one in suspects]
    rows = [
        [one.sent_id or str(one.number), one.id, one.form, *arc, number(one.confidence, "{:.3f}")]
        for one, arc in zip(suspects[:N_SHOWN], arcs, strict=False)
    ]
    show_table(rows, ["Sentence", "ID", "Word", "Treebank", "Parser", "Confidence"], n_left=5)
    n = Counter(one.differs for one in suspects)
    msg.text(
        f"{count(n[IN_HEAD], 'other head')}, {count(n[IN_LABEL], 'other label')}, and "
        f"{count(n[NOWHERE], 'word')} with another relation elsewhere"
    )
    drawn: dict[int, dict[int, str]] = {}
    for one in suspects[:N_DRAWN]:
        note = f"confidence {number(one.confidence, '{:.2f}')}" if one.differs else ""
        elsewhere = f"elsewhere: {one.elsewhere}" if one.elsewhere else ""
        notes = drawn.setdefault(one.number, {})
        notes[int(one.id) - 1] = "; ".join(filter(None, [note, elsewhere]))
    trees = list(zip(read_sentences(treebank), read_sentences(output / PARSED), strict=True))
    page = render_suspects(
        {number: (*trees[number - 1], notes) for number, notes in drawn.items()},
        title=f"Suspects of {treebank.name}",
    )
    write_text(output / "suspects.html", page)
    msg.good("Saved the list and the page", str(output))
