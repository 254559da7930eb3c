"""Parsing the texts of a Spark DataFrame: trees by the cluster.

What runs on the cluster depends on the texts and the pipeline alone, so when Spark repeats a task that
failed, nothing is lost and nothing is there twice.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spacy.language import Language
from spacy.util import is_package

from .corpora.documents import TEXT, Input, column_values, name_of
from .corpora.parsing import Failed, batches, parse_inputs, remember_words
from .corpora.rows import ROW_COLUMNS, arrow_columns, document_rows
from .errors import Errors
from .installed import import_extra, load_pipeline, sets_no_heads

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

ERROR = "error"


def parse(
    frame: "DataFrame",
    pipeline: str,
    *,
    text: str = "text",
    doc_id: str = "id",
    keep: Sequence[str] = (),
    batch_words: int = 10_000,
) -> "DataFrame":
    """Return a DataFrame with a row for every word.

    pipeline: an installed package, a folder that every node has, or an archive that Spark ships, by
    the name after `#` in `--archives my_pipeline.tar.gz#my_pipeline`. text, doc_id: the columns with the
    texts and their names. keep: columns that all words of a document take over. batch_words: the
    documents that are parsed together have about so many words.

    The columns are those of `corpora.rows`, then `keep`, then `error`. A document that cannot be parsed,
    such as one without words, is one row with the reason in `error` and null for all that words have.

    Raises ValueError: NM197 where the DataFrame lacks a column, NM199 where two columns of the result
    would have the same name.
    """
    for name in (text, doc_id, *keep):
        if name not in frame.columns:
            known = ", ".join(frame.columns)
            raise ValueError(Errors.NM197.format(path="The DataFrame", found=name, known=known))
    kinds = [*ROW_COLUMNS.items()]
    kinds += [(name, frame.schema[name].dataType.simpleString()) for name in keep]
    kinds.append((ERROR, "string"))
    names = [name for name, _ in kinds]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(Errors.NM199.format(found=name))
    inputs = frame.select(
        frame[doc_id].cast("string").alias("nonmono_id"),
        frame[text].cast("string").alias("nonmono_text"),
        *(frame[name] for name in keep),
    )
    task = partial(parse_partition, pipeline=pipeline, batch_words=batch_words)
    return inputs.mapInArrow(task, ", ".join(f"`{name}` {kind}" for name, kind in kinds))


def parse_partition(
    record_batches: Iterable[Any], *, pipeline: str, batch_words: int
) -> Iterator[Any]:
    """Yield the rows of Arrow batches that have names, texts, and columns to keep."""
    nlp = _load(pipeline)
    for records in record_batches:
        names, texts = (column_values(records.column(i)) for i in (0, 1))
        # A document is known by its place, because two may have the same name
        inputs = [
            Input(name_of(name, ""), TEXT, text or b"", line=i)
            for i, (name, text) in enumerate(zip(names, texts, strict=True))
        ]
        remember_words(nlp, inputs)
        # What the texts add to the vocab is gone after them, so that memory does not grow
        with nlp.memory_zone():
            yield from _parse_records(nlp, records, inputs, batch_words)


@cache
def _load(pipeline: str) -> Language:
    """Once per process: Spark uses its Python processes again."""
    if not is_package(pipeline) and not Path(pipeline).exists():
        from pyspark import SparkFiles

        pipeline = SparkFiles.get(pipeline)
    return load_pipeline(pipeline)


def _parse_records(
    nlp: Language, records: Any, inputs: list[Input], batch_words: int
) -> Iterator[Any]:
    arrow = import_extra("pyarrow")
    names = [
        None if name is None else name.decode("utf-8", "backslashreplace")
        for name in column_values(records.column(0))
    ]
    for batch in batches(inputs, batch_words):
        failed: list[Failed] = []
        rows: list[tuple[Any, ...]] = []
        places: list[int] = []
        has_trees = False
        for one, parsed in parse_inputs(nlp, batch, failed):
            has_trees = has_trees or parsed.doc.has_annotation("DEP")
            found = list(document_rows(parsed.document))
            rows += [(names[one.line], *row[1:]) for row in found]
            places += [one.line] * len(found)
        if rows and not has_trees:
            raise sets_no_heads(nlp)
        errors: list[str | None] = [None] * len(rows)
        for one, reason in failed:
            rows.append((names[one.line], *[None] * (len(ROW_COLUMNS) - 1)))
            places.append(one.line)
            errors.append(reason)
        kept = [column.take(arrow.array(places, "int32")) for column in records.columns[2:]]
        columns = [*arrow_columns(rows), *kept, arrow.array(errors, "string")]
        yield arrow.RecordBatch.from_arrays(
            columns, names=[*ROW_COLUMNS, *records.schema.names[2:], ERROR]
        )
