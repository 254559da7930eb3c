"""Calibration from the command line."""

import pytest

pytestmark = pytest.mark.usefixtures("own_extensions")


@pytest.mark.parametrize("setting", ["gold", "documents"])
def test_table_and_figure(nonmono, nonmono_path, treebank, tmp_path, setting):
    pytest.importorskip("matplotlib")
    output = tmp_path / "new" / "calibration.png"
    arguments = ["--setting", setting, "--output", output, "--bins", 4]
    result = nonmono("calibration", nonmono_path, treebank, *arguments)
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    bins = [line.split()[:2] for line in lines if line[:2] in ("0-", "0.")]
    assert [name for name, _ in bins] == ["0-0.25", "0.25-0.5", "0.5-0.75", "0.75-1"]
    assert sum(int(n_words) for _, n_words in bins) == 54
    assert "Expected calibration error: 0." in result.output
    assert output.stat().st_size > 0


def test_errors(nonmono, nonmono_path, parser_path, treebank, tmp_path):
    result = nonmono("calibration", nonmono_path, tmp_path / "gone.conllu")
    assert result.exit_code == 1 and "gone.conllu" in result.output
    result = nonmono("calibration", parser_path, treebank)
    assert "[NM110]" in result.output
    assert nonmono("calibration", nonmono_path, treebank, "--bins", 0).exit_code == 2
