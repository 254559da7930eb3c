"""`python -m spacy nonmono parse-spark`."""

from enum import Enum
from typing import Annotated

import typer


class TableFormat(str, Enum):
    parquet = "parquet"
    json = "json"


def parse_spark_cli(
    pipeline: Annotated[
        str, typer.Argument(help="Pipeline: a package, a directory, or the name of an archive")
    ],
    inputs: Annotated[list[str], typer.Argument(help="Files or folders with the texts")],
    output: Annotated[str, typer.Option("--output", "-o", help="Folder for the trees, in Parquet")],
    input_format: Annotated[
        TableFormat, typer.Option("--input-format", help="json: an object per line")
    ] = TableFormat.parquet,
    text_field: Annotated[
        str, typer.Option("--text-field", help="Column or field that has the text")
    ] = "text",
    id_field: Annotated[
        str, typer.Option("--id-field", help="Column or field that has the name of the document")
    ] = "id",
    keep: Annotated[
        str, typer.Option("--keep", help="Other columns that the words take over: url,date")
    ] = "",
    partitions: Annotated[
        int | None,
        typer.Option(
            "--partitions",
            min=1,
            help="Cut the input into so many parts first; by default as Spark reads it",
            show_default=False,
        ),
    ] = None,
    batch_words: Annotated[
        int, typer.Option("--batch-words", min=1, help="Words that are parsed together")
    ] = 10_000,
    skip_errors: Annotated[
        bool, typer.Option("--skip-errors", help="End with 0 although documents failed")
    ] = False,
) -> None:
    """Parse a corpus on a Spark cluster.

    The output has a row for every word. A document that cannot be parsed is a row with the reason in the
    column `error`.
    """
    from wasabi import msg

    from ..extras import import_extra
    from ..spark import ERROR, parse

    session = import_extra("pyspark.sql").SparkSession.builder.appName("spacy-nonmono").getOrCreate()
    frame = session.read.format(input_format.value).load(inputs)
    if partitions is not None:
        frame = frame.repartition(partitions)
    kept = [name for name in keep.split(",") if name]
    trees = parse(
        frame, pipeline, text=text_field, doc_id=id_field, keep=kept, batch_words=batch_words
    )
    trees.write.parquet(output)
    written = session.read.parquet(output)
    n_failed = written.where(written[ERROR].isNotNull()).count()
    msg.good(f"{written.count() - n_failed:,} words", output)
    if n_failed:
        msg.warn(f"{n_failed:,} documents could not be parsed", f"column {ERROR!r} of {output}")
        if not skip_errors:
            raise typer.Exit(1)
