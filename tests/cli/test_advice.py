"""Which system suits the treebank, said before somebody trains on it."""

from .conftest import CROSSING, PLAIN


def advises(result):
    return "take --system arc_eager_unshift" in " ".join(result.output.split())


def test_config_that_names_a_treebank(nonmono, tmp_path):
    theirs, ours, train = (tmp_path / name for name in ("theirs.cfg", "ours.cfg", "train.conllu"))
    assert nonmono("init-config", theirs, "--parser", "parser").exit_code == 0

    def call(*options, output=ours):
        result = nonmono("init-config", output, "--from", theirs, "--force", *options)
        assert result.exit_code == 0, result.output
        return advises(result)

    assert not call()
    text = theirs.read_text("utf-8")
    assert "train = null" in text
    theirs.write_text(text.replace("train = null", f'train = "{train}"', 1), "utf-8")
    assert not call()
    train.write_text(PLAIN, "utf-8")
    assert call() and not call(output="-")
    assert not call("--system", "covington")
    train.write_text(PLAIN + CROSSING, "utf-8")
    assert not call()


def test_adapt(nonmono, tmp_path):
    """Before anything is loaded, here a pipeline that does not exist."""
    call = ("adapt", tmp_path / "none", tmp_path, "--output", tmp_path / "out")
    train = tmp_path / "train.conllu"
    train.write_text(PLAIN, "utf-8")
    assert advises(nonmono(*call)) and not advises(nonmono(*call, "--system", "arc_eager"))
    train.write_text(PLAIN + CROSSING, "utf-8")
    assert not advises(nonmono(*call))
