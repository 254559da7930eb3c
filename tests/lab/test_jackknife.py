"""Treebanks with predicted tags: who learns from what, and what is not done twice."""

from pathlib import Path

import pytest

from spacy_nonmono.lab import jackknife as module
from spacy_nonmono.lab.jackknife import jackknife
from spacy_nonmono.recipes import folds
from spacy_nonmono.recipes.config import tagger_config
from spacy_nonmono.treebank.reader import read_sentences
from spacy_nonmono.treebank.sentences import FORM, XPOS

N_TRAIN = 7


def sentence(number, upos="NOUN"):
    return (
        f"# sent_id = {number}\n"
        f"1-2\tdogs{number}\t_\t_\t_\t_\t_\t_\t_\t_\n"
        f"1\tdog{number}\tdog\t{upos}\tNN\tNumber=Sing\t2\tnsubj\t_\tx=y\n"
        f"2\ts\tbe\tVERB\tVBZ\t_\t0\troot\t_\t_\n\n"
    )


@pytest.fixture
def treebank(tmp_path):
    folder = tmp_path / "bank"
    folder.mkdir()
    for part, first, n in (("train", 0, N_TRAIN), ("dev", 10, 2), ("test", 20, 3)):
        text = "".join(map(sentence, range(first, first + n)))
        (folder / f"{part}.conllu").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def small_config(tmp_path):
    config = tagger_config(["UPOS", "XPOS", "FEATS"])
    config["components"]["tok2vec"]["model"]["encode"]["width"] = 16
    config["training"].update({"max_steps": 8, "eval_frequency": 4})
    path = tmp_path / "tagger.cfg"
    config.to_disk(path)
    return path


@pytest.fixture
def calls(monkeypatch):
    """Of each tagger: the words that it learns from, and those that it tags, all of them as `XX`."""
    found = []

    def learn(config, folder, dev, use_gpu):
        found.append([words_of(read_sentences(folder / "train.conllu"))])
        return folder

    def tag(tagger, sentences):
        found[-1].append(words_of(sentences))
        for words in (one.words for one in sentences):
            for word in words:
                word[XPOS] = "XX"
        return sentences

    monkeypatch.setattr(folds, "train_last", learn)
    monkeypatch.setattr(module, "tag_sentences", tag)
    return found


def words_of(sentences):
    return [one.words[0][FORM] for one in sentences]


def names(*numbers):
    return [f"dog{number}" for number in numbers]


def test_no_sentence_is_tagged_by_what_learned_from_it(treebank, tmp_path, calls):
    stages = []
    accuracy = jackknife(treebank, tmp_path / "tagged", folds=3, report=stages.append)
    assert calls == [
        [names(2, 3, 4, 5, 6), names(0, 1)],
        [names(0, 1, 4, 5, 6), names(2, 3)],
        [names(0, 1, 2, 3), names(4, 5, 6)],
        [names(0, 1, 2, 3, 4, 5, 6), names(10, 11, 20, 21, 22)],
    ]
    assert stages == ["fold-1", "fold-2", "fold-3", "dev-and-test"]
    for part in ("train", "dev", "test"):
        text = (treebank / f"{part}.conllu").read_text("utf-8")
        expected = text.replace("\tNN\t", "\tXX\t").replace("\tVBZ\t", "\tXX\t")
        assert (tmp_path / "tagged" / "bank" / f"{part}.conllu").read_text("utf-8") == expected
    assert list(accuracy) == ["train", "dev", "test"]


def test_what_is_tagged_is_not_done_again(treebank, tmp_path, calls):
    output = tmp_path / "tagged"
    jackknife(treebank, output, folds=3)
    (work,) = (output / "bank").glob("folds-*")
    assert sorted(path.name for path in work.iterdir()) == [
        *("dev-and-test.conllu", "fold-1.conllu", "fold-2.conllu", "fold-3.conllu")
    ]
    (work / "fold-2.conllu").unlink()
    (output / "bank" / "train.conllu").unlink()
    calls.clear()
    jackknife(treebank, output, folds=3)
    assert [tagged for _, tagged in calls] == [names(2, 3)]
    assert len(list(read_sentences(output / "bank" / "train.conllu"))) == N_TRAIN
    # With another number of folds, or other words, all is done anew
    calls.clear()
    jackknife(treebank, output, folds=2)
    assert len(calls) == 3
    (treebank / "test.conllu").write_text(sentence(30), encoding="utf-8")
    jackknife(treebank, output, folds=2)
    assert len(calls) == 6


def test_conllx_becomes_conllu(tmp_path, calls):
    folder = tmp_path / "x"
    folder.mkdir()
    for part in ("train", "dev", "test"):
        lines = "1\tdogs\tdog\tN\tNN\tpl\t2\tSBJ\t_\t_\n2\tbark\tbark\tV\tVB\t_\t0\tROOT\t_\t_\n\n"
        (folder / f"{part}.conllx").write_text(lines * 2, encoding="utf-8")
    accuracy = jackknife(folder, tmp_path / "tagged", folds=2)
    found = tmp_path / "tagged" / "x" / "train.conllu"
    assert found.read_text("utf-8").startswith("1\tdogs\tdog\t_\tXX\tpl=Yes\t2\tSBJ\t_\t_\n")
    assert list(accuracy["dev"]) == ["XPOS", "FEATS"]


def test_bad_input(treebank, tmp_path, calls):
    output = tmp_path / "tagged"
    with pytest.raises(ValueError, match=r"\[NM185\]"):
        jackknife(treebank, tmp_path)
    for number in (1, N_TRAIN + 1):
        with pytest.raises(ValueError, match=rf"\[NM187\].*{number}.* 2 to {N_TRAIN}"):
            jackknife(treebank, output, folds=number)
    train = treebank / "train.conllu"
    train.write_text("1\tdogs\t_\t_\t_\t_\t0\troot\t_\t_\n\n" * 3, encoding="utf-8")
    with pytest.raises(ValueError, match=r"\[NM186\].*train.conllu"):
        jackknife(treebank, output, folds=2)
    train.unlink()
    with pytest.raises(FileNotFoundError, match=r"\[NM160\]"):
        jackknife(treebank, output, folds=2)
    assert not calls and not output.exists()


def test_pipeline_that_sets_no_tags(treebank, monkeypatch, tmp_path):
    class Pipeline:
        pipe_names = ("lemmatizer",)
        vocab = module.spacy.blank("xx").vocab

        def pipe(self, docs):
            return docs

    monkeypatch.setattr(module, "load_pipeline", lambda path: Pipeline())
    with pytest.raises(ValueError, match=r"\[NM186\].*lemmatizer"):
        module.tag_sentences(tmp_path, list(read_sentences(treebank / "dev.conllu")))


@pytest.mark.parametrize(
    ("columns", "names"),
    [
        (["XPOS"], ["tagger"]),
        (["UPOS"], ["morphologizer"]),
        (["XPOS", "FEATS"], ["tagger", "morphologizer"]),
    ],
)
def test_config_has_what_sets_the_columns(columns, names):
    assert tagger_config(columns)["nlp"]["pipeline"] == ["tok2vec", *names]


def test_taggers_are_trained(treebank, tmp_path, small_config):
    accuracy = jackknife(treebank, tmp_path / "tagged", folds=2, config_path=small_config)
    for part, shares in accuracy.items():
        assert set(shares) == {"UPOS", "XPOS", "FEATS"}
        path = Path(tmp_path, "tagged", "bank", f"{part}.conllu")
        for one, gold in zip(read_sentences(path), read_sentences(treebank / path.name), strict=True):
            assert (one.forms, one.heads, one.comments) == (gold.forms, gold.heads, gold.comments)
            assert {word[XPOS] for word in one.words} <= {"NN", "VBZ"}
    assert not list((tmp_path / "tagged").rglob("*.unfinished"))
