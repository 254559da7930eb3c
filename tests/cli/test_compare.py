"""Scores side by side."""

import pytest
import srsly

from spacy_nonmono.cli.compare import ROWS
from spacy_nonmono.evaluation.baseline import attach_left
from spacy_nonmono.evaluation.compare import COMPARED, RAW_COMPARED, compare, read_scores
from spacy_nonmono.evaluation.evaluate import DOCUMENTS, GOLD_SENTENCES
from spacy_nonmono.evaluation.raw_text import METRICS, RAW_TEXT


def scores(las, speed=1000.0, n_words=54):
    values = dict.fromkeys(COMPARED, las)
    return {**values, "nonproj_p": None, "words_per_second": speed, "n_words": n_words}


@pytest.fixture
def files(tmp_path):
    ours, theirs = tmp_path / "ours.json", tmp_path / "theirs.json"
    srsly.write_json(ours, {GOLD_SENTENCES: scores(0.875, 1500.0), DOCUMENTS: scores(0.75)})
    srsly.write_json(theirs, {GOLD_SENTENCES: scores(0.8, 1000.0), DOCUMENTS: scores(0.755)})
    return [ours, theirs]


def test_every_compared_score_has_a_row():
    assert tuple(ROWS) == COMPARED


def test_differences(files):
    table = compare(read_scores(files))
    assert table["names"] == ["ours", "theirs"]
    assert table["reference"] == "theirs"
    differences = table["differences"][GOLD_SENTENCES]
    assert differences["las"]["ours"] == pytest.approx(0.075)
    assert differences["las"]["theirs"] == 0
    assert differences["words_per_second"]["ours"] == 1.5
    assert differences["nonproj_p"]["ours"] is None
    assert compare(read_scores(files), reference="ours")["differences"][DOCUMENTS]["uas"] == {
        "ours": 0,
        "theirs": pytest.approx(0.005),
    }


def test_a_setting_that_is_missing(files):
    srsly.write_json(files[0], {GOLD_SENTENCES: scores(0.9)})
    table = compare(read_scores(files))
    assert table["scores"][DOCUMENTS]["las"] == {"ours": None, "theirs": 0.755}


def test_names_of_files_with_the_same_stem(files, tmp_path):
    same = tmp_path / "other" / "ours.json"
    same.parent.mkdir()
    srsly.write_json(same, {GOLD_SENTENCES: scores(0.9)})
    assert list(read_scores([files[0], same])) == [
        str(tmp_path / "ours"),
        str(tmp_path / "other" / "ours"),
    ]


def test_errors(files):
    columns = read_scores(files)
    with pytest.raises(ValueError, match=r"\[NM104\].*'gold'.*ours, theirs"):
        compare(columns, reference="gold")
    columns["theirs"][GOLD_SENTENCES]["n_words"] = 53
    with pytest.raises(ValueError, match=r"\[NM105\].*54.*53"):
        compare(columns)


def test_attach_left(treebank):
    baseline = attach_left(treebank, n_sents=4)
    # "." on "bark", its label being the most frequent one; nothing else
    assert baseline[GOLD_SENTENCES]["uas"] == baseline[DOCUMENTS]["uas"] == pytest.approx(6 / 54)
    assert baseline[GOLD_SENTENCES]["sents_f"] == 1.0
    assert baseline[DOCUMENTS]["sents_f"] == 1.0
    assert baseline[GOLD_SENTENCES]["nonproj_r"] == 0.0
    assert baseline[DOCUMENTS]["n_words"] == 54
    assert baseline[DOCUMENTS]["n_sents"] == 12


def test_command(nonmono, files, treebank, tmp_path):
    output = tmp_path / "new" / "table.json"
    result = nonmono("compare", *files, "--gold", treebank, "--output", output)
    assert result.exit_code == 0, result.output
    for text in ["attach left", "ours", "theirs", "87.50   +7.50", "1,500   x1.50"]:
        assert text in result.output
    for text in ["Gold sentences", "Documents", "than theirs", *ROWS.values()]:
        assert text in result.output
    assert srsly.read_json(output)["names"] == ["attach left", "ours", "theirs"]


def test_command_with_another_reference(nonmono, files):
    result = nonmono("compare", *files, "--reference", "ours")
    assert result.exit_code == 0, result.output
    assert "80.00   -7.50" in result.output


def test_command_with_raw_text(nonmono, files, tmp_path):
    """A row per pipeline that has such scores, beside the tables of other settings."""
    for path, score in zip(files, (0.5125, 0.625), strict=True):
        raw = {**dict.fromkeys(RAW_COMPARED, score), "words_per_second": 1500.0, "n_words": 54}
        srsly.write_json(path, {RAW_TEXT: raw})
    output = tmp_path / "table.json"
    result = nonmono("compare", *files, "--output", output)
    assert result.exit_code == 0, result.output
    lines = [line.split() for line in result.output.splitlines()]
    assert ["Raw", "text", *METRICS.values(), "Words", "per", "second"] in lines
    assert ["ours", *["51.25"] * 13, "1,500"] in lines
    assert "Documents" not in result.output and "than theirs" not in result.output
    table = srsly.read_json(output)
    assert table["differences"][RAW_TEXT]["las_f"]["ours"] == pytest.approx(-0.1125)
    other = tmp_path / "other.json"
    srsly.write_json(other, {DOCUMENTS: scores(0.75)})
    result = nonmono("compare", *files, other)
    lines = [line.split() for line in result.output.splitlines()]
    assert ["LAS", "-", "-", "75.00"] in lines
    assert not any(line[0] == "other" for line in lines if line)


def test_command_without_file(nonmono, files, tmp_path):
    result = nonmono("compare", *files, tmp_path / "gone.json")
    assert result.exit_code == 1
    assert "gone.json" in result.output
