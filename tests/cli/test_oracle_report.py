"""The command that reports on oracles."""

import pytest
import spacy
import srsly

from tests.lab.test_oracle_report import make_fake_parser  # registers it  # noqa: F401


@pytest.fixture
def model(monkeypatch):
    nlp = spacy.blank("xx")
    nlp.add_pipe("fake_parser")
    monkeypatch.setattr("spacy_nonmono.installed.load_pipeline", lambda name: nlp)
    return "a-model"


def test_all_parts(nonmono, treebank, model, tmp_path, monkeypatch):
    monkeypatch.setattr("spacy_nonmono.lab.oracle_times.SECONDS", 0.2)
    output = tmp_path / "new" / "report.json"
    result = nonmono(
        "oracle-report", treebank, "--model", model, "--transitions", 500, "--output", output
    )
    assert result.exit_code == 0, result.output
    for text in ["Buildable", "Mean loss", "Mean, µs", "that remove an arc", "Precision"]:
        assert text in result.output
    report = srsly.read_json(output)
    assert report["model"] == model and report["made"]["code"]
    figures = report["treebanks"][str(treebank)]
    assert set(figures) == {"round_trip", "bounds", "time", "lengths", "repairs"}
    assert figures["round_trip"][0]["trees"] == 12
    assert {row["n_words"] for row in figures["lengths"]} == {10, 100, 1000}
    means = {(row["system"], row["n_words"]): row["mean"] for row in figures["lengths"]}
    assert means["arc_standard", 1000] is None
    assert means["arc_eager", 1000] > 0
    assert {row["system"] for row in figures["time"]} == {"covington_nonmonotonic"}
    assert "2017, %" in result.output
    assert "36.86" in result.output


def test_some_parts_without_a_model(nonmono, treebank, tmp_path):
    other = tmp_path / "Dutch-other.conllu"
    unknown = treebank.read_text("utf-8").replace("\t3\tpunct", "\t_\t_")
    other.write_text(unknown, encoding="utf-8")
    result = nonmono(
        "oracle-report", treebank, other, "--only", "bounds,round-trip,repairs", "-t", 300
    )
    assert result.exit_code == 0, result.output
    assert "Dutch, 2017" in result.output
    assert "6 trees with unknown heads" in result.output
    assert "Mean, µs" not in result.output
    assert "Precision" not in result.output


def test_model_without_a_dynamic_oracle(nonmono, treebank, model, monkeypatch):
    monkeypatch.setattr("spacy_nonmono.lab.oracle_times.dynamic_oracles", lambda system: [])
    result = nonmono("oracle-report", treebank, "--model", model, "--only", "time,repairs")
    assert result.exit_code == 0, result.output
    assert "nothing to time" in result.output
    assert "Precision" in result.output


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--only", "bounds,colours"], "colours"),
        (["--only", "repairs"], "--model"),
    ],
)
def test_bad_parts(nonmono, treebank, arguments, text):
    result = nonmono("oracle-report", treebank, *arguments)
    assert result.exit_code == 1
    assert text in result.output


def test_without_file(nonmono, tmp_path):
    result = nonmono("oracle-report", tmp_path / "gone.conllu")
    assert result.exit_code == 1
    assert "gone.conllu" in result.output
