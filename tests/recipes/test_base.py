"""The parser in a trained pipeline: the rest of it stays as it is."""

import os
import re
import shutil
from io import StringIO
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import spacy
import srsly
from spacy.lookups import Lookups
from spacy.pipeline import Tok2Vec
from spacy.training import Example
from spacy.training.initialize import init_nlp
from spacy.training.loop import train
from spacy.util import load_config, load_config_from_str, load_model_from_config, registry

import spacy_nonmono.cli  # attaches its commands  # noqa: F401
from spacy_nonmono.evaluation.evaluate import ParsedFile
from spacy_nonmono.evaluation.scores import ROOT_HEAD, Parses
from spacy_nonmono.files import write_text
from spacy_nonmono.recipes import adapt as module
from spacy_nonmono.recipes import base as base_module
from spacy_nonmono.recipes.adapt import find_parts
from spacy_nonmono.recipes.agreement import (
    MIN_WORDS,
    compare_by,
    has_other_labels,
    shared_labels,
)
from spacy_nonmono.recipes.base import adapt_config
from spacy_nonmono.recipes.changes import find_changes, label_readers
from spacy_nonmono.scoring.committee import members_of
from spacy_nonmono.treebank.corpus import create_annotated_corpus, create_conllu_corpus
from spacy_nonmono.treebank.reader import read_sentences
from tests.commands import nonmono, spacy_command
from tests.pipeline.util import same, weights

SAMPLE = Path(__file__).parents[2] / "assets" / "sample"
TEXTS = ["The dog that barked sleeps. The cat does not.", "It rains in London."]
SETTINGS = ["--training.max_steps", "4", "--training.eval_frequency", "2"]
MODEL = {
    "1": ["--components.parser.model.hidden_width", "16"],
    "2": ["--components.parser.model.*.member1.hidden_width", "16"],
}


def lemma_table():
    lookups = Lookups()
    lookups.add_table("lemma_lookup", {"barked": "bark"})
    return lookups


def make_base(path, *, with_parser=True, shared=True):
    """A pipeline of random weights with a tagger, an entity recognizer and a special tokenizer rule."""
    nlp = spacy.blank("en", meta={"name": "base", "license": "CC0", "version": "1.2.3"})
    nlp.meta.update(requirements=["owls>=1"], sources=[{"name": "birds"}])
    nlp.tokenizer.add_special_case("sleeps.", [{"ORTH": "sleeps."}])
    nlp.vocab.set_vector("dog", np.ones((2,), dtype="f"))
    listener = {"@architectures": "spacy.Tok2VecListener.v1", "width": 8}
    model = {"model": {"tok2vec": listener}} if shared else {}
    if shared:
        nlp.add_pipe("tok2vec", config={"model": {"width": 8, "depth": 1, "embed_size": 50}})
    tagger = nlp.add_pipe("tagger", config=model)
    for tag in ("A", "B", "C"):
        tagger.add_label(tag)
    if with_parser:
        parser = nlp.add_pipe("parser", config=model)
        parser.add_label("dobj")
    ner = nlp.add_pipe("ner")
    ner.add_label("X")
    ruler = nlp.add_pipe("attribute_ruler")
    nlp.add_pipe("lemmatizer", config={"mode": "lookup"}, first=True)  # its model is null
    nlp.get_pipe("lemmatizer").initialize(lambda: [], lookups=lemma_table())
    with nlp.select_pipes(disable=["lemmatizer"]):
        nlp.initialize()
    ruler.add([[{"TAG": "A"}]], {"POS": "NOUN"})
    nlp.to_disk(path)
    return str(path)


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    return make_base(tmp_path_factory.mktemp("base") / "base")


@pytest.fixture(scope="module")
def treebank(tmp_path_factory):
    """Ten sentences of each part of the sample."""
    folder = tmp_path_factory.mktemp("treebank")
    for part in ("train", "dev", "test"):
        sentences = (SAMPLE / f"{part}.conllu").read_text("utf-8").split("\n\n")[:10]
        (folder / f"{part}.conllu").write_text("\n\n".join(sentences) + "\n\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module", params=product([False, True], "12"), ids=str)
def adapted(request, base, treebank, tmp_path_factory):
    output = tmp_path_factory.mktemp("adapted")
    tuned, members = request.param
    options = [*["--tune"] * tuned, "--members", members, *SETTINGS, *MODEL[members]]
    spacy_command("nonmono", "adapt", base, treebank, "--output", output, *options)
    return output, tuned


def test_rest_of_the_pipeline_is_unchanged(base, adapted):
    output, tuned = adapted
    old, new = spacy.load(base), spacy.load(output / "model-best")
    added = {"ud_noun_chunks", "multiword_tokens"}
    assert [name for name in new.pipe_names if name not in added] == old.pipe_names
    assert new.get_pipe_meta("parser").factory == "nonmono_parser"
    for name in ("tok2vec", "tagger", "ner"):
        assert same(weights(new.get_pipe(name).model), weights(old.get_pipe(name).model))
    assert new.get_pipe("attribute_ruler").patterns == old.get_pipe("attribute_ruler").patterns
    exclude = ["vocab"]
    assert new.tokenizer.to_bytes(exclude=exclude) == old.tokenizer.to_bytes(exclude=exclude)
    assert (new.vocab.vectors.data == old.vocab.vectors.data).all()
    assert new.vocab["dog"].vector.tolist() == [1, 1]
    for was, now in zip(old.pipe(TEXTS), new.pipe(TEXTS), strict=True):
        assert [(t.text, t.tag_, t.pos_) for t in was] == [(t.text, t.tag_, t.pos_) for t in now]
        assert all(token.dep_ for token in now)
    listening = new.get_pipe("tok2vec").listening_components
    assert ("parser" in listening) is not tuned


def test_only_a_copy_of_the_tok2vec_is_tuned(base, adapted):
    output, tuned = adapted
    if tuned:
        new = spacy.load(output / "model-best")
        own = members_of(new.get_pipe("parser").model)[0].get_ref("tok2vec")
        assert not same(weights(own), weights(new.get_pipe("tok2vec").model))


def test_package_says_whose_work_it_is(adapted):
    output, _ = adapted
    meta = srsly.read_json(output / "model-best" / "meta.json")
    assert (meta["name"], meta["version"], meta["license"]) == ("base_nonmono", "1.2.3", "CC0")
    assert meta["requirements"] == ["owls>=1"]
    assert [source["name"] for source in meta["sources"]][:1] == ["birds"] and len(meta["sources"]) == 2
    assert {key.partition("_")[0] for key in meta["performance"]} == {"dep", "sents"}


def test_written_config(adapted, treebank):
    output, tuned = adapted
    config = load_config(output / "config.cfg")
    assert config["paths"]["train"] == str(treebank / "train.conllu")
    assert bool(config["initialize"]["after_init"]) is tuned
    frozen = config["training"]["frozen_components"]
    assert set(frozen) == {"lemmatizer", "tok2vec", "tagger", "ner", "attribute_ruler"}


def test_a_pipeline_that_has_words_learns_them_anew(tmp_path):
    nlp = spacy.load(make_base(tmp_path / "base"))
    nlp.add_pipe("multiword_tokens", first=True)
    nlp.to_disk(tmp_path / "other")
    config, _ = adapt_config(str(tmp_path / "other"))
    assert config["nlp"]["pipeline"].count("multiword_tokens") == 1
    assert config["nlp"]["pipeline"][-1] == "multiword_tokens"
    assert "source" not in config["components"]["multiword_tokens"]


def test_pipeline_without_a_parser(tmp_path):
    config, name = adapt_config(make_base(tmp_path / "base", with_parser=False))
    assert name == "nonmono_parser"
    assert config["nlp"]["pipeline"][1:4] == ["tok2vec", "nonmono_parser", "ud_noun_chunks"]
    assert config["components"][name]["model"]["tok2vec"]["upstream"] == "*"


def test_a_parser_in_front_of_what_others_share(tmp_path):
    """The new one listens to it."""
    nlp = spacy.load(make_base(tmp_path / "base", with_parser=False))
    nlp.add_pipe("parser", first=True).add_label("dobj")
    nlp.get_pipe("parser").initialize(lambda: [Example(nlp.make_doc("a"), nlp.make_doc("a"))])
    nlp.to_disk(tmp_path / "base")
    config, name = adapt_config(str(tmp_path / "base"))
    order = config["nlp"]["pipeline"]
    assert order[:2] == ["lemmatizer", "tok2vec"] and order.index(name) == 2


def test_what_changes_a_pipeline_when_it_is_made(tmp_path):
    @registry.callbacks("tests.LongTexts.v1")
    def make():
        def allow(nlp):
            nlp.max_length = 5_000_000
            return nlp

        return allow

    nlp = spacy.load(make_base(tmp_path / "base"))
    nlp.config["nlp"]["after_creation"] = {"@callbacks": "tests.LongTexts.v1"}
    nlp.to_disk(tmp_path / "base")
    config, _ = adapt_config(str(tmp_path / "base"))
    assert load_model_from_config(config).max_length == 5_000_000


@pytest.fixture
def adapt(treebank, tmp_path):
    """Runs the command, which is to end well; what it prints, and the new pipeline."""

    def run(base, *options, folder=treebank):
        call = ["nonmono", "adapt", base, folder, "--output", tmp_path / "out", *options]
        printed = spacy_command(*call, "--training.max_steps", 1)
        return printed, spacy.load(tmp_path / "out" / "model-best")

    return run


@pytest.mark.parametrize("shared", [True, False])
def test_command_on_a_pipeline_without_a_parser(tmp_path, adapt, shared):
    """There is nothing to compare the scores with."""
    output, new = adapt(make_base(tmp_path / "base", with_parser=False, shared=shared))
    assert re.search(r"^LAS +- +\d+\.\d+ +-$", output, re.MULTILINE), output
    assert "start a sentence in only one" in output and "of the old parser" not in output
    made = srsly.read_json(tmp_path / "out" / "comparison.json")
    assert made["names"] == ["new"]
    assert new.pipe_names.index("nonmono_parser") == (2 if shared else len(new.pipe_names) - 3)
    assert new("The dog sleeps").has_annotation("DEP")


def test_a_base_is_not_overwritten(treebank, tmp_path):
    (tmp_path / "out").mkdir()
    base = make_base(tmp_path / "out" / "model-best")
    result = nonmono("adapt", base, treebank, "--output", tmp_path / "out")
    assert result.exit_code == 1 and "[NM185]" in result.output
    assert os.listdir(tmp_path / "out") == ["model-best"]


def test_command_on_a_pipeline_with_a_disabled_parser(tmp_path, adapt):
    """The new one runs, and so does what it listens to."""
    nlp = spacy.load(make_base(tmp_path / "base"))
    for name in ("parser", "tok2vec", "ner"):
        nlp.disable_pipe(name)
    nlp.to_disk(tmp_path / "base")
    output, new = adapt(str(tmp_path / "base"))
    assert re.search(r"^LAS +- +\d+\.\d+ +-$", output, re.MULTILINE), output
    assert new.disabled == ["ner"] and new("The dog sleeps").has_annotation("DEP")


def test_pipeline_with_several_parsers(tmp_path):
    """The first that runs is replaced; others that run would parse again."""
    nlp = spacy.load(make_base(tmp_path / "base"))
    for name, factory in (("beam", "beam_parser"), ("ours", "nonmono_parser")):
        nlp.add_pipe(factory, name=name)
    nlp.disable_pipe("parser")
    nlp.to_disk(tmp_path / "base")
    config, name = adapt_config(str(tmp_path / "base"))
    assert name == "beam" and config["components"][name]["factory"] == "nonmono_parser"
    assert "ours" not in config["components"] and config["nlp"]["disabled"] == ["parser"]


def test_what_follows_the_training_is_tried_before_it(tmp_path, base, treebank, monkeypatch):
    """Here the test part cannot be read, and no file of another run stays."""
    folder = tmp_path / "treebank"
    shutil.copytree(treebank, folder)
    (folder / "test.conllu").write_text("owls\n\n")
    monkeypatch.setattr(module, "train_best", lambda *arguments, **settings: pytest.fail("trains"))
    result = nonmono("adapt", base, folder, "--output", tmp_path / "out")
    assert result.exit_code == 1 and "[NM081]" in result.output


def test_treebank_without_a_test_part(tmp_path, base, treebank, adapt):
    """Nor does it have a dev part; and what another treebank gave does not stay."""
    folder = tmp_path / "treebank"
    folder.mkdir()
    shutil.copy(treebank / "train.conllu", folder)
    write_text(tmp_path / "out" / "comparison.json", "{}")
    output, _ = adapt(base, folder=folder)
    assert "LAS" not in output.partition("Saved")[0].partition("Words")[2]
    assert "The treebank lacks 1 label of the old parser: dobj." in output
    assert not (tmp_path / "out" / "comparison.json").exists()


@pytest.mark.parametrize("members", [1, 3])
@pytest.mark.parametrize("with_parser", [True, False])
def test_pipeline_without_a_shared_tok2vec(tmp_path, members, with_parser):
    path = make_base(tmp_path / "base", shared=False, with_parser=with_parser)
    config, name = adapt_config(path, members=members)
    model = config["components"][name]["model"]
    for one in model["*"].values() if members > 1 else [model]:
        assert one["tok2vec"]["@architectures"] == "spacy-nonmono.Tok2Vec.v1"
    assert config["training"]["annotating_components"] == []
    nlp = load_model_from_config(config, validate=True)
    assert len(members_of(nlp.get_pipe(name).model)) == members
    with pytest.raises(ValueError, match="NM182"):
        adapt_config(path, tune=True)


def test_treebank_without_a_part(base, tmp_path):
    result = nonmono("adapt", base, tmp_path, "--output", tmp_path / "out")
    assert result.exit_code == 1
    assert "train.conllu" in result.output


def test_words_that_are_no_tokens(base, treebank, tmp_path):
    """The sample with a hyphen in every word, which the tokenizer splits at."""
    folder = tmp_path / "treebank"
    folder.mkdir()
    for part in ("train", "dev"):
        text = (treebank / f"{part}.conllu").read_text("utf-8")
        text = re.sub(r"^(\d+\t\w+)\t", r"\1-x\t", text, flags=re.MULTILINE)
        (folder / f"{part}.conllu").write_text(text, "utf-8")
    call = ["adapt", base, folder, "--output", tmp_path / "out", *SETTINGS]
    result = nonmono(*call)
    assert result.exit_code == 1 and "NM201" in result.output and "--force" in result.output
    assert not (tmp_path / "out").exists()
    any_distance = ["--components.parser.max_distance", "0"]
    assert "are no tokens" in spacy_command("nonmono", *call, *any_distance, "--force")
    assert (tmp_path / "out" / "model-best").is_dir()


def test_components_that_read_labels():
    nlp = spacy.blank("xx")
    for name in ("attribute_ruler", "entity_ruler", "span_ruler"):
        nlp.add_pipe(name)
        nlp.add_pipe(name, name=f"{name}_of_tags")
    pattern = [{"DEP": {"IN": ["nsubj"]}}]
    nlp.get_pipe("attribute_ruler").add([pattern], {"POS": "X"})
    nlp.get_pipe("attribute_ruler_of_tags").add([[{"TAG": "dep"}]], {"POS": "X"})
    for name in ("entity_ruler", "span_ruler"):
        nlp.get_pipe(name).add_patterns([{"label": "A", "pattern": pattern}])
        nlp.get_pipe(f"{name}_of_tags").add_patterns([{"label": "DEP", "pattern": "DEP"}])
    nlp.add_pipe("merge_noun_chunks")
    assert label_readers(nlp) == ["attribute_ruler", "entity_ruler", "span_ruler", "merge_noun_chunks"]


def parses(heads, labels):
    n = len(heads)
    return Parses(np.array(heads), np.array(labels), np.arange(n) == 0, np.zeros(n, dtype=bool))


def test_what_two_conventions_agree_on():
    """Of `det` the old parser finds all heads, of `case` none; of `x` there are too few words."""
    n = MIN_WORDS
    labels = ["root", *["det"] * n, *["case:sub"] * n, "x"]
    gold = parses([ROOT_HEAD, *[0] * n, *[1] * n, 0], labels)
    old = parses([ROOT_HEAD, *[0] * n, *[2] * n, 0], ["root", *["DET"] * n, *["prep"] * n, "x"])
    new = parses([ROOT_HEAD, *[1] * n, *[1] * n, 0], labels)
    parsed = {
        name: ParsedFile(gold, found, [], [], 1.0, False, False)
        for name, found in (("old", old), ("new", new))
    }
    assert has_other_labels(parsed["old"]) and not has_other_labels(parsed["new"])
    assert shared_labels(parsed["old"]) == ["det"]
    assert shared_labels(parsed["new"]) == ["case"]
    agreement = compare_by(["det"], parsed)
    assert (agreement.n_words, agreement.uas) == (n, {"old": 1.0, "new": 0.0})


def test_changes():
    old, new = spacy.blank("xx"), spacy.blank("xx")
    old.add_pipe("sentencizer")
    new.add_pipe("sentencizer", config={"punct_chars": ["!"]})
    for nlp, pos in ((old, "NOUN"), (new, "VERB")):
        ruler = nlp.add_pipe("attribute_ruler")
        ruler.add([[{"ORTH": "b"}]], {"POS": pos, "LEMMA": pos.lower()})
        ruler.add([[{"ORTH": "c"}]], {"LEMMA": pos.lower(), "MORPH": f"A=1|B={pos}"})
    for nlp, label in ((old, "X"), (new, "Y")):
        nlp.add_pipe("entity_ruler").add_patterns([{"label": label, "pattern": "d"}])
    texts = ["a b . d c", "c d"]
    changes = find_changes(old.pipe(texts), new.pipe(texts))
    assert (changes.n_words, changes.n_split, changes.n_boundaries) == (7, 0, 1)
    found = {name: found.total() for name, found in changes.by_attribute.items()}
    assert found == {"TAG": 0, "POS": 1, "MORPH": 2, "LEMMA": 3, "ENT": 2}
    assert changes.by_attribute["MORPH"] == {"B=NOUN > B=VERB": 2}
    assert changes.by_attribute["ENT"] == {"B-X > B-Y": 2}


def test_other_words_are_not_compared():
    old, new = spacy.blank("en"), spacy.blank("xx")
    texts = ["I don't.", "No."]
    changes = find_changes(old.pipe(texts), new.pipe(texts))
    assert (changes.n_words, changes.n_split) == (2, 1)


def test_treebank_without_a_dev_part(tmp_path):
    """Ten sentences in a hundred are taken for it."""
    treebank, output = tmp_path / "treebank", tmp_path / "out"
    treebank.mkdir()
    row = "1\t{}\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    (treebank / "xx_y-ud-train.conllu").write_text("".join(row.format(i) for i in range(105)))
    train, dev = find_parts(treebank, output)
    found = [[sentence.forms[0] for sentence in read_sentences(file)] for file in (train, dev)]
    assert found == [[str(i) for i in [*range(90), *range(100, 105)]], [str(i) for i in range(90, 100)]]
    (treebank / "dev.conllu").write_text(row)
    assert find_parts(treebank, output)[1] == treebank / "dev.conllu"


def test_small_treebank_without_a_dev_part(tmp_path):
    """No part is empty, about a tenth is for dev, and no file of the treebank is overwritten."""
    row = "1\tx\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    for n in (0, 1, 2, 3, 9, 10, 11, 19, 55, 90, 99, 100, 190):
        (tmp_path / "train.conllu").write_text(row * n)
        if n < 2:
            with pytest.raises(ValueError, match=rf"NM215.* {n} sentence"):
                find_parts(tmp_path, tmp_path)
            continue
        train, dev = (len(list(read_sentences(file))) for file in find_parts(tmp_path, tmp_path))
        assert train + dev == n and train and 1 <= dev <= max(1, n / 9)
        assert (tmp_path / "train.conllu").read_text() == row * n


@pytest.mark.parametrize("members,epochs", [*product((1, 2), (0, -1))])
def test_vectors_that_a_corpus_has(base, treebank, monkeypatch, caplog, members, epochs):
    """As above a frozen transformer: the parser learns the same as with vectors of each step, which are
    computed once for all epochs if the corpus is read once. spaCy does not ask for others."""
    seen = []
    predict = Tok2Vec.predict
    monkeypatch.setattr(Tok2Vec, "predict", lambda pipe, docs: seen.extend(docs) or predict(pipe, docs))
    section = "components.parser.model" + ".*.member1" * (members > 1)
    settings = {
        f"{section}.hidden_width": 16,
        "paths.train": str(treebank / "train.conllu"),
        "paths.dev": str(treebank / "dev.conllu"),
        "corpora.train.n_sents": 1,
        "training.max_epochs": epochs,
        "training.max_steps": 8,
        "training.eval_frequency": 100,
        "training.batcher.size": 50,
    }

    def trained(of_corpus):
        monkeypatch.setattr(base_module, "is_transformers", lambda listener: of_corpus)
        config, _ = adapt_config(base, members=members)
        assert config["training"]["annotating_components"] == ([] if of_corpus else ["tok2vec"])
        assert config["training"]["eval_frequency"] == (500 if of_corpus else 200)
        seen.clear()
        nlp = init_nlp(load_config_from_str(config.to_str(), settings))
        train(nlp, stdout=StringIO())
        return weights(nlp.get_pipe("parser").model), len(seen)

    (was, n_was), (now, n_now) = trained(False), trained(True)
    for before, after in zip(was, now, strict=True):
        np.testing.assert_allclose(after, before, atol=1e-5)
    assert n_now < n_was or epochs == -1
    assert "W086" not in caplog.text
    monkeypatch.setattr(base_module, "is_transformers", lambda listener: False)
    config, _ = adapt_config(base, members=members)
    config["training"]["annotating_components"] = []
    init_nlp(load_config_from_str(config.to_str(), settings))
    assert "W086" in caplog.text  # where nobody annotates


def test_members_do_not_tune_a_transformer(base, monkeypatch):
    monkeypatch.setattr(base_module, "is_transformers", lambda listener: True)
    adapt_config(base, tune=True)
    with pytest.raises(ValueError, match=r"NM181.*--tune above a transformer.*--members"):
        adapt_config(base, tune=True, members=2)


def test_corpus_annotated_by_no_component(treebank):
    corpus = create_conllu_corpus(treebank / "train.conllu")
    with pytest.raises(KeyError, match=r"E001.*tok3vec"):
        next(create_annotated_corpus(corpus, ["tok3vec"])(spacy.blank("xx")))


@pytest.mark.parametrize("is_new", [True, False])
def test_corpus_annotated_by_a_component_that_learns(base, treebank, monkeypatch, is_new):
    """It has weights already, or none."""
    monkeypatch.setattr(base_module, "is_transformers", lambda listener: True)
    config, _ = adapt_config(base)
    config["training"]["frozen_components"] = []
    if is_new:
        config["components"]["tok2vec"] = spacy.load(base).get_pipe_config("tok2vec")
    part = str(treebank / "train.conllu")
    with pytest.raises(ValueError, match=r"NM092.*'tok2vec' learns.*frozen_components.*train_corpus"):
        init_nlp(load_config_from_str(config.to_str(), {"paths.train": part, "paths.dev": part}))
