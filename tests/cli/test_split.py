"""`split`: a treebank in parts."""

from spacy_nonmono.treebank.reader import read_sentences

from .conftest import CROSSING, PLAIN


def test_conllu(nonmono, tmp_path):
    file, folder = tmp_path / "all.conllu", tmp_path / "parts"
    texts = [f"# newdoc id = {n}\n{PLAIN}{CROSSING}" for n in range(10)]
    file.write_text("".join(texts), encoding="utf-8")
    result = nonmono("split", file, "--output", folder, "--dev", 0.2)
    assert result.exit_code == 0 and "Each document is in one part." in result.output
    parts = {path.stem: path.read_text("utf-8") for path in folder.iterdir()}
    assert {part: text.count("newdoc") for part, text in parts.items()} == {
        "train": 7,
        "dev": 2,
        "test": 1,
    }
    assert sorted(texts) == sorted(
        f"# newdoc{one}" for text in parts.values() for one in text.split("# newdoc")[1:]
    )
    result = nonmono("split", file, "--output", folder)
    found = "".join(result.output.split())
    assert result.exit_code == 1 and "[NM185]" in found and "train.conlluistherealready" in found
    assert {path.stem: path.read_text("utf-8") for path in folder.iterdir()} == parts


def test_conllx(nonmono, tmp_path):
    """Its columns are copied as they are, also those that are not read."""
    file, folder = tmp_path / "all.conllx", tmp_path / "parts"
    texts = [f"1\tw{n}\t_\tN\tNN\tsg\t0\tROOT\t7\tx\n\n" for n in range(10)]
    file.write_text("".join(texts), encoding="utf-8")
    result = nonmono("split", file, "-o", folder, "--test", 0, "--seed", 3)
    assert result.exit_code == 0 and "Sentences with the same words" in result.output
    dev, train = sorted(folder.iterdir())
    assert (dev.name, train.name) == ("dev.conllx", "train.conllx")
    assert len(list(read_sentences(dev))) == 1 and len(list(read_sentences(train))) == 9
    found = [path.read_text("utf-8") for path in (dev, train)]
    assert sorted("".join(found)) == sorted("".join(texts)) and found[0] in texts


def test_errors(nonmono, treebank, tmp_path):
    for arguments, text in (
        ([tmp_path], "is no file in CoNLL-U or CoNLL-X"),
        ([treebank, "--dev", 0.5, "--test", 0.5], "leave nothing to train on"),
    ):
        result = nonmono("split", *arguments, "--output", tmp_path / "parts")
        assert result.exit_code == 2 and text in " ".join(result.output.split())
    result = nonmono("split", treebank, "--output", tmp_path / "parts")
    assert result.exit_code == 1
    assert "has 2 different sentences, and each part needs one" in " ".join(result.output.split())
    assert not (tmp_path / "parts").exists()
