"""Spark: what is parsed there is what is parsed here."""

import os
import shutil
import sys
import tarfile
from collections.abc import Iterator
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
import spacy
from spacy.util import load_model

import spacy_nonmono.cli  # attaches its commands  # noqa: F401
from spacy_nonmono.corpora.documents import PARQUET, InputSettings
from spacy_nonmono.corpora.rows import ROW_COLUMNS, document_rows
from spacy_nonmono.corpora.run import run
from spacy_nonmono.corpora.worker import Job
from spacy_nonmono.spark import ERROR, parse, parse_partition
from spacy_nonmono.treebank.docs import document_of
from tests.commands import spacy_command
from tests.pipeline.util import words

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet:FutureWarning")

TEXTS = [" ".join(words(n, n)) for n in range(1, 30)]
TABLE = pyarrow.table(
    {
        "id": pyarrow.array(range(len(TEXTS)), "int64"),
        "text": TEXTS,
        "tags": [[f"t{n}", "x"] for n in range(len(TEXTS))],
    }
)


def test_a_partition_is_parsed_document_by_document(pipeline):
    texts = ["foxes hunt .", None, "", "x" * 60, "owls hunt mice ."]
    names = ["a", "a", "b", None, "c"]
    nlp = load_model(pipeline)
    records = pyarrow.record_batch({"": names, "_": texts, "url": ["1", "2", "3", "4", "5"]})
    [*found] = parse_partition([records] * 2, pipeline=str(pipeline), batch_words=5)
    rows = [tuple(row.values()) for batch in found for row in batch.to_pylist()]
    expected = []
    for name, text, url in zip(names, texts, "12345", strict=True):
        if text:
            document = document_of(nlp(text), name or "")
            expected += [(name, *row[1:], url, None) for row in document_rows(document)]
    # A row says what is wrong with each of the two without words
    assert [row for row in rows if row[-1] is None] == expected * 2
    assert [row[-2] for row in rows if row[-1] and "no words" in row[-1]] == ["2", "3"] * 2


def test_a_pipeline_that_sets_no_heads(tmp_path):
    spacy.blank("xx").to_disk(tmp_path / "blank")
    records = pyarrow.record_batch({"": ["a"], "_": ["owls hunt ."]})
    with pytest.raises(ValueError, match="NM103"):
        list(parse_partition([records], pipeline=str(tmp_path / "blank"), batch_words=10))


def test_a_document_that_fails_is_a_row_with_the_reason(pipeline):
    records = pyarrow.record_batch({"": ["a", "b"], "_": ["owls hunt .", "x" * 1_000_001]})
    [found] = parse_partition([records], pipeline=str(pipeline), batch_words=10_000_000)
    rows = found.to_pylist()
    assert [row["form"] for row in rows] == ["owls", "hunt", ".", None]
    assert rows[3]["doc_id"] == "b" and "E088" in rows[3][ERROR]
    assert all(rows[3][name] is None for name in [*ROW_COLUMNS][1:])
    assert [row[ERROR] for row in rows[:3]] == [None] * 3


def test_a_text_that_is_not_in_utf8_is_a_row_with_the_reason(pipeline):
    values = pyarrow.array([b"owls hunt", b"\xe9t\xe9"]).view("string")
    records = pyarrow.record_batch({"": values, "_": values})
    [found] = parse_partition([records], pipeline=str(pipeline), batch_words=10)
    rows = found.to_pylist()
    assert [row["doc_id"] for row in rows] == ["owls hunt", "owls hunt", "\\xe9t\\xe9"]
    assert "NM191" in rows[2][ERROR] and "byte 0xe9 at byte 1" in rows[2][ERROR]


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    sql = pytest.importorskip("pyspark.sql", reason="pip install -e '.[spark]'")
    if not shutil.which("java"):
        pytest.skip("Spark needs Java")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    )
    yield session
    session.stop()


@pytest.fixture
def frame(session, tmp_path) -> Any:
    pyarrow.parquet.write_table(TABLE, tmp_path / "texts.parquet")
    return session.read.parquet(str(tmp_path / "texts.parquet"))


def test_spark_parses_what_the_command_parses(pipeline, frame, tmp_path):
    job = Job(str(pipeline), tmp_path / "here", PARQUET, batch_words=30)
    reading = InputSettings(id_field="id")
    run(job, [str(tmp_path / "texts.parquet")], reading, shard_words=10**6)
    expected = pyarrow.parquet.read_table(job.path(0)).to_pylist()
    trees = parse(frame.repartition(3), str(pipeline), keep=["tags", "text"], batch_words=30)
    trees.write.parquet(str(tmp_path / "there"))
    found = pyarrow.parquet.read_table(tmp_path / "there").to_pylist()
    found.sort(key=lambda row: (int(row["doc_id"]), row["sentence"], row["word"]))
    for row in found:
        number = int(row["doc_id"])
        assert row.pop("tags") == [f"t{number}", "x"]
        assert row.pop("text") == TEXTS[number]
        assert row.pop(ERROR) is None
    assert found == expected


def test_the_pipeline_comes_in_an_archive(pipeline, session, frame, tmp_path):
    with tarfile.open(tmp_path / "model.tar.gz", "w:gz") as archive:
        archive.add(pipeline, arcname=".")
    session.sparkContext.addArchive(f"{tmp_path / 'model.tar.gz'}#shipped_model")
    assert parse(frame, "shipped_model").count() == sum(len(text.split()) for text in TEXTS)


def test_columns_are_checked(frame):
    with pytest.raises(ValueError, match=r"NM197.*'texts'.* id, text, tags"):
        parse(frame, "any", text="texts")
    with pytest.raises(ValueError, match=r"NM199.*'form'"):
        parse(frame.withColumnRenamed("tags", "form"), "any", keep=["form"])
    with pytest.raises(ValueError, match=r"NM199.*'tags'"):
        parse(frame, "any", keep=["tags", "tags"])


def test_the_command(pipeline, session, tmp_path):
    (tmp_path / "texts").mkdir()
    lines = (f'{{"url": "{n}", "text": "{text}"}}\n' for n, text in enumerate(TEXTS))
    (tmp_path / "texts" / "a.jsonl").write_text("".join(lines), encoding="utf-8")
    options = ["--spark", "--input-format", "jsonl", "--id-field", "url", "--keep", "text"]
    arguments = [pipeline, tmp_path / "texts", "--output", tmp_path / "trees", *options]
    printed = spacy_command("nonmono", "parse", *arguments)
    assert f"{sum(len(text.split()) for text in TEXTS):,} words" in printed
    rows = pyarrow.parquet.read_table(tmp_path / "trees").to_pylist()
    assert {(row["doc_id"], row["text"]) for row in rows} == {(str(n), t) for n, t in enumerate(TEXTS)}
