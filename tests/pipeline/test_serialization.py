"""Saved, pickled, copied and sent to other processes: the parser stays the same."""

import copy
import json
import multiprocessing
import pickle
from functools import cache
from pathlib import Path

import pytest
import spacy
import srsly
from spacy import language
from spacy.tokens import Doc, DocBin
from spacy.util import load_config, load_model_from_config

from .util import (
    FINE_GRAINED,
    LANG,
    NAME,
    PROJECTIVE,
    SYSTEMS,
    TEXTS,
    arcs,
    blank,
    check_doc,
    gold_examples,
    initialized,
    linear_config,
    overfitted,
    parser_config,
    parses,
    same,
    train,
    weights,
    wild,
    with_scorer,
    words,
)

left_alone = cache(with_scorer)  # tests do not change these


def label_strings_are_known(nlp) -> bool:
    return all(label in nlp.vocab.strings for label in (*nlp.get_pipe(NAME).labels, "ROOT", "dep"))


@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize("exclude", [[], ["vocab"], ["strings"]], ids=str)
@pytest.mark.parametrize("system", [*SYSTEMS, FINE_GRAINED])
def test_component_to_bytes(system, exclude, linear):
    nlp = left_alone(system, linear)
    data = nlp.get_pipe(NAME).to_bytes(exclude=exclude)
    again = blank(system, **({"model": linear_config()} if linear else {}))
    again.get_pipe(NAME).from_bytes(data, exclude=exclude)
    assert again.get_pipe(NAME).labels == nlp.get_pipe(NAME).labels
    assert label_strings_are_known(again)
    assert parses(again) == parses(nlp)
    assert again.get_pipe(NAME).to_bytes(exclude=["vocab"]) == nlp.get_pipe(NAME).to_bytes(
        exclude=["vocab"]
    )


@pytest.mark.parametrize("exclude", [[], ["vocab"]], ids=str)
def test_component_to_disk(tmp_path, exclude):
    nlp = wild("covington")
    nlp.get_pipe(NAME).to_disk(tmp_path / "parser", exclude=exclude)
    again = blank("covington")
    again.get_pipe(NAME).from_disk(tmp_path / "parser", exclude=exclude)
    assert label_strings_are_known(again)
    assert parses(again) == parses(nlp)


@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize("system", [*SYSTEMS, FINE_GRAINED])
def test_pipeline_to_disk(tmp_path, system, linear):
    nlp = left_alone(system, linear)
    nlp.to_disk(tmp_path / "full")
    again = spacy.load(tmp_path / "full")
    assert again.get_pipe(NAME).system.name == system.split()[0]
    assert again.config.to_str() == nlp.config.to_str()
    assert parses(again) == parses(nlp)
    nlp.to_disk(tmp_path / "bare", exclude=["vocab"])
    again = spacy.load(tmp_path / "bare", exclude=["vocab"])
    assert label_strings_are_known(again)
    assert parses(again) == parses(nlp)


def test_pipeline_to_bytes():
    nlp = wild("arc_eager")
    again = spacy.blank(LANG)
    again.add_pipe(NAME, config=parser_config("arc_eager"))
    again.from_bytes(nlp.to_bytes(exclude=["vocab"]), exclude=["vocab"])
    assert parses(again) == parses(nlp)


def test_saving_a_new_label(tmp_path):
    nlp = overfitted()
    nlp.get_pipe(NAME).add_label("vocative")
    nlp.to_disk(tmp_path)
    again = spacy.load(tmp_path)
    assert again.get_pipe(NAME).labels[-1] == "vocative"
    assert parses(again) == parses(nlp)


def test_a_parser_without_weights_is_saved(tmp_path):
    nlp = blank()
    nlp.get_pipe(NAME).add_label("obj")
    nlp.to_disk(tmp_path)
    again = spacy.load(tmp_path)
    assert again.get_pipe(NAME).labels == ("obj",)
    again.initialize(lambda: gold_examples(again, PROJECTIVE))
    check_doc(again("rain !"))


def test_loading_into_a_parser_that_has_weights():
    nlp = wild("arc_eager_unshift")
    other = initialized(trees=PROJECTIVE[:1])
    other.get_pipe(NAME).from_bytes(nlp.get_pipe(NAME).to_bytes())
    assert parses(other) == parses(nlp)


@pytest.mark.parametrize("system", [*SYSTEMS, FINE_GRAINED])
# The weights are random, so that a sentence may end anywhere
@pytest.mark.filterwarnings("ignore:.*NM552")
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda obj: pickle.loads(pickle.dumps(obj))])
def test_pickle_and_copy(system, copied):
    nlp = wild(system)
    again = copied(nlp)
    assert parses(again) == parses(nlp)
    pipe = copied(nlp.get_pipe(NAME))
    doc = Doc(pipe.vocab, words=words(9))
    same = Doc(nlp.vocab, words=words(9))
    assert arcs(pipe(doc)) == arcs(nlp.get_pipe(NAME)(same))
    train(again, gold_examples(again, PROJECTIVE), 2)
    assert again.get_pipe(NAME).oracle.name == nlp.get_pipe(NAME).oracle.name


@pytest.mark.parametrize("saved, loaded", [(["model"], []), ([], ["model"]), ([], ["cfg"])])
def test_parts_that_do_not_fit_change_nothing(saved, loaded):
    nlp, other = wild("covington"), initialized("covington", PROJECTIVE[:1])
    expected = parses(nlp), nlp.get_pipe(NAME).labels
    data = other.get_pipe(NAME).to_bytes(exclude=saved)
    with pytest.raises(ValueError, match="NM058"):
        nlp.get_pipe(NAME).from_bytes(data, exclude=loaded)
    assert (parses(nlp), nlp.get_pipe(NAME).labels) == expected


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_the_default_pipeline_in_other_processes(start, monkeypatch):
    monkeypatch.setattr(language, "mp", multiprocessing.get_context(start))
    config = load_config(Path(__file__).parents[2] / "configs/neural.cfg")
    nlp = load_model_from_config(config, auto_fill=True)
    nlp.disable_pipe("multiword_tokens")
    nlp.initialize(lambda: gold_examples(nlp, PROJECTIVE))
    expected = parses(nlp)
    assert [arcs(doc) for doc in nlp.pipe(TEXTS, n_process=2, batch_size=2)] == expected
    assert parses(pickle.loads(pickle.dumps(nlp))) == expected


def test_no_training_state_but_the_progress_is_saved():
    nlp = initialized()
    pipe = nlp.get_pipe(NAME)
    before = srsly.msgpack_loads(pipe.to_bytes())
    train(nlp, gold_examples(nlp, PROJECTIVE), 2)
    after = srsly.msgpack_loads(pipe.to_bytes())
    assert len(after["model"]) == len(before["model"])
    described, trained = json.loads(before["cfg"]), json.loads(after["cfg"])
    differing = {key for key in trained if trained[key] != described[key]}
    assert differing == {"progress", "checksum"}


def test_what_somebody_puts_into_cfg_is_kept(tmp_path):
    nlp = initialized()
    nlp.get_pipe(NAME).cfg["note"] = {10: 1, 2: 1}  # JSON has other keys
    nlp.get_pipe(NAME).cfg["checksum"] = "none"
    nlp.from_bytes(nlp.to_bytes())
    assert nlp.get_pipe(NAME).cfg.pop("note") == {"10": 1, "2": 1}
    nlp.get_pipe(NAME).cfg["note"] = {"a": 1}
    nlp.to_disk(tmp_path)
    for again in (spacy.load(tmp_path), blank().from_bytes(nlp.to_bytes())):
        assert again.get_pipe(NAME).cfg == {"note": {"a": 1}, "labels": list(nlp.get_pipe(NAME).labels)}
    cfg = tmp_path / NAME / "cfg"
    cfg.write_text(cfg.read_text().replace('"a": 1', '"a": 2'))
    with pytest.raises(ValueError, match="NM037"):
        spacy.load(tmp_path)


def test_training_goes_on_after_loading(tmp_path):
    initialized().to_disk(tmp_path)
    nlp = spacy.load(tmp_path)
    examples = gold_examples(nlp, PROJECTIVE)
    sgd = nlp.resume_training()
    sgd.learn_rate = 0.01
    first = nlp.update(examples, sgd=sgd)
    for _ in range(20):
        last = nlp.update(examples, sgd=sgd)
    assert last[NAME] < first[NAME]


def test_sourced_parser(tmp_path):
    source = wild("covington")
    nlp = spacy.blank(LANG)
    nlp.add_pipe(NAME, source=source, name="borrowed")
    assert [arcs(doc) for doc in nlp.pipe(TEXTS)] == parses(source)
    nlp.to_disk(tmp_path)
    assert load_config(tmp_path / "config.cfg")["components"]["borrowed"]["factory"] == NAME


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_processes_give_the_same_bytes(start, monkeypatch):
    import multiprocessing

    from spacy import language

    monkeypatch.setattr(language, "mp", multiprocessing.get_context(start))
    nlp = wild("covington_nonmonotonic")
    texts = [" ".join(words(n, seed=n)) for n in range(9)]

    def to_bytes(docs) -> bytes:
        return DocBin(attrs=["HEAD", "DEP", "SENT_START"], docs=docs).to_bytes()

    expected = to_bytes(nlp.pipe(texts))
    assert to_bytes(nlp.pipe(texts, n_process=2, batch_size=2)) == expected


def test_one_seed_gives_one_parser():
    first, second, other = (overfitted(seed=seed) for seed in (1, 1, 2))
    assert same(*(weights(nlp.get_pipe(NAME).model) for nlp in (first, second)))
    data = [nlp.get_pipe(NAME).to_bytes(exclude=["vocab"]) for nlp in (first, second, other)]
    assert data[0] == data[1] != data[2]
