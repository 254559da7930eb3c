"""`parse --spark`: what it asks Spark for, and what it does not go with. tests/corpora has the rest."""

from types import SimpleNamespace

import pytest

from spacy_nonmono import installed, spark


class FakeSession:
    """Stands for a session of Spark and its builder: notes what it is asked."""

    def __init__(self):
        self.asked = []
        self.builder = self.read = self.write = self

    def __getattr__(self, name):
        def ask(*arguments):
            self.asked.append((name, *arguments))
            return self

        return ask

    def __getitem__(self, name):
        return self

    def count(self):
        return 0


@pytest.fixture
def session(monkeypatch):
    session = FakeSession()
    module = SimpleNamespace(SparkSession=session)
    monkeypatch.setattr(installed, "import_module", lambda name: {"pyspark.sql": module}[name])

    def parse(frame, pipeline, **settings):
        session.asked.append(("parse", pipeline, settings))
        return frame

    monkeypatch.setattr(spark, "parse", parse)
    return session


def test_defaults(nonmono, session):
    result = nonmono("parse", "model", "a", "b", "--spark", "--output", "trees")
    assert result.exit_code == 0, result.output
    settings = {"text": "text", "doc_id": "id", "keep": [], "batch_words": 10_000}
    assert ("format", "parquet") in session.asked and ("load", ["a", "b"]) in session.asked
    assert ("parse", "model", settings) in session.asked
    assert ("parquet", "trees") in session.asked
    assert not any(name == "repartition" for name, *_ in session.asked)


def test_options(nonmono, session):
    options = ["--input-format", "jsonl", "--text-field", "body", "--id-field", "url"]
    options += ["--keep", "date,lang", "--partitions", 7, "--batch-words", 5, "--format", "parquet"]
    result = nonmono("parse", "model", "a", "--spark", "--output", "trees", *options)
    assert result.exit_code == 0, result.output
    settings = {"text": "body", "doc_id": "url", "keep": ["date", "lang"], "batch_words": 5}
    assert ("format", "json") in session.asked and ("repartition", 7) in session.asked
    assert ("parse", "model", settings) in session.asked


@pytest.mark.parametrize(
    "options",
    [
        ["--spark", "--output", "-"],
        ["--spark", "--unit", "file"],
        ["--spark", "--retokenize"],
        ["--spark", "--n-process", 2],
        ["--spark", "--n-threads", 2],
        ["--spark", "--shard-words", 5],
        ["--spark", "--gpu-id", 0],
        ["--spark", "--format", "conllu"],
        ["--spark", "--input-format", "text"],
        ["--keep", "url"],
        ["--partitions", 2],
    ],
)
def test_what_does_not_go_together(nonmono, session, options):
    result = nonmono("parse", "model", "a", "--output", "trees", *options)
    assert result.exit_code == 1 and "[NM181]" in result.output
    assert session.asked == []
