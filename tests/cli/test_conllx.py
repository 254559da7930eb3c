"""Commands that read treebanks, on files of CoNLL-X: the suffix is all that they are told."""

import pytest
import srsly

from spacy_nonmono.evaluation.names import GOLD_SENTENCES
from spacy_nonmono.treebank.formats import find_part

from .test_benchmark import CONFIGS, trained  # noqa: F401

# Its coarse tags and features are none that CoNLL-U could have
SENTENCES = """\
1\tdogs\tdog\tN\tNNS\tpl\t2\tSBJ\t_\t_
2\tbark\tbark\tV\tVBP\t_\t0\tROOT\t_\t_
3\t.\t.\tPu\t.\t_\t0\tP\t_\t_

1\ta\ta\tD\tDT\t_\t2\tNMOD\t_\t_
2\tcat\tcat\tN\tNN\tsg|case=x\t3\tSBJ\t_\t_
3\tsleeps\tsleep\tV\tVBZ\t_\t0\tROOT\t_\t_

"""

pytestmark = pytest.mark.usefixtures("own_extensions")


@pytest.fixture
def bank(tmp_path):
    """The folder of one; its files have 12 sentences each."""
    for part in ("train", "dev", "test"):
        (tmp_path / f"{part}.conllx").write_text(SENTENCES.replace("cat", part) * 6)
    return tmp_path


def test_scores(nonmono, nonmono_path, bank):
    output = bank / "scores.json"
    result = nonmono("evaluate", nonmono_path, bank / "test.conllx", "--output", output)
    assert result.exit_code == 0, result.output
    assert "UCM without punctuation" in result.output
    scores = srsly.read_json(output)[GOLD_SENTENCES]
    assert (scores["n_words"], scores["n_sents"]) == (36, 12)
    result = nonmono("evaluate", output, bank / "test.conllx", "--baseline")
    assert result.exit_code == 0, result.output
    assert "attach left" in result.output and "LCM" in result.output


def test_pages_and_tables(nonmono, nonmono_path, bank):
    file = bank / "test.conllx"
    for arguments in (
        ("render", nonmono_path, file, "--output", bank / "a.html"),
        ("trace", nonmono_path, file, "--output", bank / "b.html", "--limit", 1),
        ("calibration", nonmono_path, file),
        ("collocations", file, "--output", bank / "c.tsv"),
        ("oracle-report", file, "--only", "round-trip"),
        ("evaluate", nonmono_path, file, "--setting", "raw"),
    ):
        result = nonmono(*arguments)
        assert result.exit_code == 0, result.output
    assert "SBJ" in (bank / "b.html").read_text("utf-8")


def test_benchmark(nonmono, trained, bank):  # noqa: F811
    runs = ["--run", f"one={CONFIGS / 'linear.cfg'} --components.nonmono_parser.model.tag TAG"]
    result = nonmono("benchmark", bank, *runs, "--gold-tags", "--output", bank / "output")
    assert result.exit_code == 0, result.output
    (cell,) = trained
    assert find_part(cell.treebank, "dev") == bank / "dev.conllx"
    for name in ("UCM", "LCM", "No punct UAS"):
        assert name in result.output
    (row,) = srsly.read_json(bank / "output" / "table.json")["rows"][bank.name][GOLD_SENTENCES]
    assert 0 <= row["lcm"] <= row["ucm"] <= row["ucm_no_punct"] <= 1
    assert row["las_no_punct"] < row["uas_no_punct"]


def test_a_file_in_conllu(nonmono, nonmono_path, bank):
    (bank / "test.conllx").write_text("# text = a\n1\ta\t_\tDET\t_\t_\t0\troot\t_\t_\n")
    result = nonmono("evaluate", nonmono_path, bank / "test.conllx")
    assert result.exit_code == 1
    assert "[NM088]" in result.output
