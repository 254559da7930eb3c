"""`python -m spacy nonmono adapt`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .arguments import Code, GpuId, Pipeline, TreebankFolder
from .scores import show_comparison
from .screen import check_exist

if TYPE_CHECKING:
    from ..recipes.changes import Changes

CAUSES = {
    "LEMMA": "whose POS changed",
    "ENT": "at a sentence boundary that moved",
}


def adapt_cli(
    context: typer.Context,
    pipeline: Pipeline,
    treebank: TreebankFolder,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for the new pipeline")],
    system: Annotated[
        str | None,
        typer.Option(
            "--system",
            "-s",
            help="Transition system, one of those in docs/systems.md; by default covington_nonmonotonic",
            show_default=False,
        ),
    ] = None,
    tune: Annotated[
        bool,
        typer.Option("--tune", help="Train a copy of the pipeline's tok2vec together with the parser"),
    ] = False,
    code: Code = None,
    use_gpu: GpuId = -1,
) -> None:
    """Put the parser into a trained pipeline.

    The parser takes the place and the name of the pipeline's parser and is trained on a treebank; all
    else stays as it is. In the end the old and the new pipeline are compared on the test part. Settings
    of the config may follow the options, as for `spacy train`: --training.max_steps 2000.
    """
    from spacy.cli._util import parse_config_overrides
    from wasabi import msg

    from ..evaluation.compare import MADE, compare
    from ..evaluation.made import made_here
    from ..files import write_json
    from ..recipes.adapt import adapt
    from ..treebank.formats import DEV, TRAIN, find_part

    check_exist(find_part(treebank, part) for part in (TRAIN, DEV))
    adapted = adapt(
        pipeline,
        treebank,
        output,
        system=system,
        tune=tune,
        use_gpu=use_gpu,
        overrides=parse_config_overrides(context.args),
    )
    if adapted.scores is not None and adapted.changes is not None:
        msg.divider("Test part, gold words")
        made = {MADE: made_here()}
        table = compare({name: {**made, **scores} for name, scores in adapted.scores.items()})
        show_comparison(table)
        msg.text("The labels are those of the treebank. If the old ones are others, compare the UAS.")
        msg.divider("Test part, as text")
        _show_changes(adapted.changes)
        write_json(output / "comparison.json", table)
    msg.good("Saved the pipeline", str(adapted.path))
    msg.text(f"Make a package of it: python -m spacy package {adapted.path} {output}")


def _show_changes(changes: "Changes") -> None:
    from wasabi import msg

    rows = []
    for name, change in changes.by_attribute.items():
        share = 100 * change.n_changed / max(changes.n_words, 1)
        why = f"{change.n_with} {CAUSES[name]}" if change.n_changed and name in CAUSES else ""
        rows.append([name, f"{change.n_changed:,}", f"{share:.2f} %", why])
        for example in change.most_frequent():
            rows.append([f"  {example}", f"{change.examples[example]:,}", "", ""])
    header = [f"Of {changes.n_words:,} words", "Changed", "", "Of these"]
    msg.table(rows, header=header, divider=True, aligns=["l", "r", "r", "l"], max_col=50)
    msg.text(f"{changes.n_boundaries:,} words start a sentence in one of the parses only.")
    if changes.n_split:
        msg.warn(f"{changes.n_split} texts were split into other words, and not compared.")
