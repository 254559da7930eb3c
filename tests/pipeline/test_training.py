"""Averages, rehearsal, and spaCy's own commands on tiny made-up treebanks."""

import json
from pathlib import Path

import numpy
import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.cli._util import app
from spacy.tokens import DocBin
from spacy.training.initialize import init_nlp
from spacy.training.loop import train as train_loop
from spacy.util import load_config
from thinc.api import Adam, Optimizer, PyTorchShim, Shim, fix_random_seed
from typer.testing import CliRunner

from spacy_nonmono.layers.optimizer import Adam as OurAdam
from spacy_nonmono.pipeline.neighbours import others_learn_tags
from tests.commands import spacy_command

from .util import (
    LISTENER,
    NAME,
    PROJECTIVE,
    TOK2VEC,
    arcs,
    bare,
    blank,
    check_doc,
    committee_config,
    gold_doc,
    gold_examples,
    initialized,
    model_config,
    overfitted,
    parser_config,
    same,
    train,
    weights,
)

CONFIG = """
[paths]
train = null
dev = null

[system]
seed = 0

[nlp]
lang = "en"
pipeline = ["nonmono_parser"]

[components]

[components.nonmono_parser]
factory = "nonmono_parser"

[corpora]

[corpora.train]
@readers = "spacy-nonmono.ConlluCorpus.v1"
path = ${paths.train}
n_sents = 2

[corpora.dev]
@readers = "spacy-nonmono.ConlluCorpus.v1"
path = ${paths.dev}

[training]
max_steps = 12
eval_frequency = 6

[training.optimizer]
@optimizers = "Adam.v1"
learn_rate = 0.01
"""


@pytest.fixture
def treebank(tmp_path) -> Path:
    """A CoNLL-U file of the trees."""
    lines: list[str] = []
    for tree_words, heads, labels in PROJECTIVE:
        for i, (word, head, label) in enumerate(zip(tree_words, heads, labels, strict=True)):
            number = 0 if head == i else head + 1
            deprel = "root" if head == i else label
            lines.append("\t".join([str(i + 1), word, *"____", str(number), deprel, "_", "_"]))
        lines.append("")
    path = tmp_path / "tiny.conllu"
    path.write_text("\n".join(lines) + "\n", encoding="utf8")
    return path


@pytest.fixture
def config_path(tmp_path, treebank) -> Path:
    """A training config with a tiny parser."""
    config = spacy.util.Config().from_str(CONFIG, interpolate=False)
    config["components"][NAME].update(parser_config())
    config["paths"] = {"train": str(treebank), "dev": str(treebank)}
    config.to_disk(tmp_path / "short.cfg")
    path = tmp_path / "config.cfg"
    spacy_command("init", "fill-config", tmp_path / "short.cfg", path)
    return path


# Averages


def test_averages_are_switched_on(caplog):
    nlp = initialized()
    sgd = Adam(0.01, use_averages=False)
    assert sgd.averages is None
    with caplog.at_level("INFO", logger="spacy"):
        for _ in range(4):
            nlp.update(gold_examples(nlp, PROJECTIVE), sgd=sgd)
    assert caplog.messages == [f"{NAME} averages the weights of all components"]
    current = weights(nlp.get_pipe(NAME).model)
    with nlp.use_params(sgd.averages):
        assert not same(weights(nlp.get_pipe(NAME).model), current)
        check_doc(nlp("foxes and owls hunt mice ."))
    assert same(weights(nlp.get_pipe(NAME).model), current)


def test_averages_of_our_own_optimizer_can_be_off():
    nlp = initialized()
    sgd = OurAdam(0.01, use_averages=False)
    nlp.update(gold_examples(nlp, PROJECTIVE), sgd=sgd)
    assert sgd.averages is None


class Torch(PyTorchShim):
    """The shim of a layer of PyTorch, without one."""

    def __init__(self):
        Shim.__init__(self, None)

    def finish_update(self, optimizer):
        pass


@pytest.mark.parametrize("where", [NAME, "tok2vec", "frozen", "none", "later"])
def test_no_averages_where_pytorch_learns(where):
    """thinc gives such layers no averages, so that others would be averaged alone. later: the parser has
    got a copy of a frozen transformer when it was initialized, as by `adapt --tune`."""
    nlp = blank("arc_eager_unshift")
    nlp.add_pipe("tok2vec")
    if where in (NAME, "tok2vec", "frozen"):
        nlp.get_pipe(where.replace("frozen", "tok2vec")).model.shims.append(Torch())
    nlp.config["training"]["frozen_components"] = ["tok2vec"] if where == "frozen" else []
    nlp.initialize(lambda: gold_examples(nlp, PROJECTIVE))
    if where == "later":
        nlp.get_pipe(NAME).model.get_ref("tok2vec").shims.append(Torch())
    sgd = Adam(0.01, use_averages=False)
    nlp.update(gold_examples(nlp, PROJECTIVE), sgd=sgd)
    assert bool(sgd.averages) == (where in ("frozen", "none"))


def test_averages_above_pytorch_are_told_of():
    nlp = blank("arc_eager_unshift")
    nlp.get_pipe(NAME).model.shims.append(Torch())
    nlp.config["training"]["optimizer"]["use_averages"] = True
    with pytest.warns(UserWarning, match=r"NM558.*use_averages = false"):
        nlp.initialize(lambda: gold_examples(nlp, PROJECTIVE))


class Scales(Optimizer):
    """Notes by how much the learn rate of each weight is multiplied."""

    noted: dict

    def __call__(self, key, weights, gradient, *, lr_scale=1.0):
        self.noted[key] = lr_scale
        return super().__call__(key, weights, gradient, lr_scale=lr_scale)


@pytest.mark.parametrize("where", ["copied", "heard", "beside", "none"])
@pytest.mark.parametrize("is_frozen", [True, False])
@pytest.mark.parametrize("rate", [None, 0.003])
def test_own_layers_have_a_learn_rate_of_their_own(where, is_frozen, rate):
    """By default above a layer of PyTorch, frozen or not, and beside one that learns; a copy of that
    layer in the parser has the other rate."""
    tok2vec = LISTENER if where == "heard" else None
    nlp = spacy.blank("xx")
    nlp.add_pipe("tok2vec", config={"model": TOK2VEC})
    nlp.add_pipe(NAME, config=parser_config(model={**model_config(tok2vec), "learn_rate": rate}))
    model = nlp.get_pipe(NAME).model
    of_pytorch = model.get_ref("tok2vec") if where == "copied" else nlp.get_pipe("tok2vec").model
    if where != "none":
        of_pytorch.shims.append(Torch())
    frozen = ["tok2vec"] * is_frozen
    nlp.config["training"]["frozen_components"] = frozen
    nlp.initialize(lambda: gold_examples(nlp, PROJECTIVE))
    sgd = Scales(5e-5, use_averages=False)
    sgd.noted = {}
    by_default = where in ("copied", "heard") or (where == "beside" and not is_frozen)
    expected = {None: 40.0 if by_default else 1.0, 0.003: 60.0}[rate]
    for current in (5e-5, 1e-5):  # it follows the schedule
        sgd.learn_rate = current
        nlp.update(gold_examples(nlp, PROJECTIVE), sgd=sgd, exclude=frozen, annotates=frozen)
        for layer in model.layers:
            if layer is model.get_ref("tok2vec") and where == "heard":
                continue
            scale = 1.0 if layer is of_pytorch else expected
            found = [sgd.noted[node.id, name] for node in layer.walk() for name in node.param_names]
            assert found == pytest.approx([scale] * len(found))


@given(rates=st.lists(st.floats(0, 1, width=32), min_size=1, max_size=20), own=st.floats(1e-6, 1))
def test_the_own_rate_falls_as_that_of_the_optimizer(rates, own):
    """Of any schedule: it is the share of the highest rate so far that the present one is."""
    nlp = blank("arc_eager_unshift", model={**model_config(), "learn_rate": own})
    parser = nlp.get_pipe(NAME)
    learner = parser._learner
    sgd = Scales(0.0, use_averages=False)
    for i, rate in enumerate(rates):
        sgd.learn_rate, sgd.noted = rate, {}
        scaled = learner._own_rate(parser.model, sgd)
        scaled((0, "W"), *numpy.ones((2, 3), dtype="f"))
        highest = max(rates[: i + 1])
        expected = own * rate / highest if highest else 0.0
        assert sgd.noted[0, "W"] * rate == pytest.approx(expected)


def test_training_loop_saves_the_averages(config_path, tmp_path):
    nlp = init_nlp(load_config(config_path, interpolate=True))
    (tmp_path / "out").mkdir()
    train_loop(nlp, tmp_path / "out")
    best, last = (spacy.load(tmp_path / "out" / f"model-{name}") for name in ("best", "last"))
    # The pipeline at hand ends with the weights of the last step, what is saved is their average
    assert not same(weights(last.get_pipe(NAME).model), weights(nlp.get_pipe(NAME).model))
    for trained in (best, last):
        check_doc(trained("foxes and owls hunt mice ."))


# Rehearsal


def test_rehearse_without_a_model_to_keep_to():
    nlp = initialized()
    examples = gold_examples(nlp, PROJECTIVE)
    before = weights(nlp.get_pipe(NAME).model)
    sgd = Adam(0.01)
    assert nlp.get_pipe(NAME).rehearse(examples, sgd=sgd) == {NAME: 0.0}
    assert same(before, weights(nlp.get_pipe(NAME).model))


def test_rehearse_keeps_predictions():
    nlp = overfitted()
    texts = [" ".join(tree[0]) for tree in PROJECTIVE]
    expected = [arcs(nlp(text)) for text in texts]
    sgd = nlp.resume_training()
    sgd.learn_rate = 0.01
    docs = gold_examples(nlp, PROJECTIVE)
    for _ in range(5):
        losses = nlp.rehearse(docs, sgd=sgd, losses={})
    assert numpy.isfinite(losses[NAME])
    assert [arcs(nlp(text)) for text in texts] == expected
    new = gold_examples(nlp, [(["rain", "sleeps"], [1, 1], ["nsubj", "ROOT"])])
    for _ in range(30):
        nlp.update(new, sgd=sgd)
        nlp.rehearse(docs, sgd=sgd)
    assert [arcs(nlp(text)) for text in texts] == expected
    assert arcs(nlp("rain sleeps")) == arcs(new[0].reference)


def test_rehearse_of_a_listener():
    """The copy to keep to gets no vectors of words, until the parser has a tok2vec of its own."""
    nlp = blank(model=model_config(LISTENER))
    nlp.add_pipe("tok2vec", config={"model": TOK2VEC}, first=True)
    examples = gold_examples(nlp, PROJECTIVE)
    nlp.initialize(lambda: examples)
    train(nlp, examples, 40)
    expected = [arcs(nlp(" ".join(tree[0]))) for tree in PROJECTIVE]
    sgd = nlp.resume_training(sgd=Adam(0.01))
    with pytest.raises(ValueError, match="NM036"):
        nlp.rehearse(examples, sgd=sgd)
    nlp.replace_listeners("tok2vec", NAME, ["model.tok2vec"])
    sgd = nlp.resume_training(sgd=sgd)
    for _ in range(5):
        nlp.rehearse(examples, sgd=sgd)
    assert [arcs(nlp(" ".join(tree[0]))) for tree in PROJECTIVE] == expected


def test_rehearse_with_a_label_that_is_new():
    """The model to keep to has no such label, so what it says stays as it was; the label is learnt."""
    nlp = overfitted()
    texts = [" ".join(tree[0]) for tree in PROJECTIVE]
    expected = [arcs(nlp(text)) for text in texts]
    sgd = nlp.resume_training()
    sgd.learn_rate = 0.01
    nlp.get_pipe(NAME).add_label("vocative")
    new = gold_examples(nlp, [(["rain", "sleeps"], [1, 1], ["vocative", "ROOT"])])
    for _ in range(30):
        nlp.update(new, sgd=sgd)
        nlp.rehearse(gold_examples(nlp, PROJECTIVE), sgd=sgd)
    assert [arcs(nlp(text)) for text in texts] == expected
    assert arcs(nlp("rain sleeps")) == arcs(new[0].reference)


def test_rehearse_after_loading():
    """A parser with the same labels goes on with the model to keep to; one with others has none."""
    nlp = initialized()
    parser = nlp.get_pipe(NAME)
    examples = gold_examples(nlp, PROJECTIVE)
    saved = parser.to_bytes()
    parser.add_label("vocative")
    nlp.resume_training()
    parser.from_bytes(parser.to_bytes())
    assert parser.rehearse(examples)[NAME] > 0
    parser.from_bytes(saved)
    assert parser.rehearse(examples) == {NAME: 0.0}


def test_rehearse_after_initialization():
    nlp = initialized()
    nlp.resume_training()
    parser = nlp.get_pipe(NAME)
    examples = gold_examples(nlp, PROJECTIVE)
    parser.initialize(lambda: examples[2:], nlp=nlp)
    assert parser.rehearse(examples) == {NAME: 0.0}


def test_rehearse_on_nothing():
    nlp = initialized()
    nlp.resume_training()
    pipe = nlp.get_pipe(NAME)
    assert pipe.rehearse([], sgd=Adam(0.01)) == {NAME: 0.0}
    assert pipe.rehearse(gold_examples(nlp, PROJECTIVE), losses={NAME: 2.0})[NAME] >= 2.0


# Commands


def test_training_warns_of_a_frozen_ruler_with_other_labels(config_path, tmp_path):
    source = spacy.blank("en")
    source.add_pipe("attribute_ruler").add([[{"DEP": "dobj"}]], {"POS": "NOUN"})
    source.to_disk(tmp_path / "source")
    config = load_config(config_path)
    config["components"]["attribute_ruler"] = {"source": str(tmp_path / "source")}
    config["nlp"]["pipeline"] = [NAME, "attribute_ruler"]
    config["training"]["frozen_components"] = ["attribute_ruler"]
    with pytest.warns(UserWarning, match=r"\[NM551\] 1 of the patterns .* 'attribute_ruler' .*: dobj\."):
        init_nlp(config.interpolate())


def test_train_evaluate_and_assemble(config_path, treebank, tmp_path):
    out = tmp_path / "out"
    spacy_command("train", config_path, "--output", out, "--training.max_steps", 40)
    nlp = spacy.load(out / "model-best")
    assert nlp.meta["performance"]["dep_las"] > 0.9
    assert set(nlp.meta["labels"][NAME]) == set(nlp.get_pipe(NAME).labels)
    gold = gold_doc(nlp, PROJECTIVE)
    path = tmp_path / "gold.spacy"
    DocBin(docs=[gold]).to_disk(path)
    metrics = tmp_path / "metrics.json"
    spacy_command("evaluate", out / "model-best", path, "--output", metrics)
    scores = json.loads(metrics.read_text("utf8"))
    assert scores["dep_uas"] > 0.9 and "sents_f" in scores and "dep_las_per_type" in scores
    config = spacy.util.Config()
    config["nlp"] = {"lang": "en", "pipeline": [NAME]}
    config["components"] = {NAME: {"source": str(out / "model-best")}}
    config.to_disk(tmp_path / "assemble.cfg")
    spacy_command("assemble", tmp_path / "assemble.cfg", tmp_path / "assembled")
    assembled = spacy.load(tmp_path / "assembled")
    assert arcs(assembled(bare(assembled, gold))) == arcs(nlp(bare(nlp, gold)))


def test_one_seed_gives_one_model(config_path, tmp_path):
    """With dropout of hidden units and of words, exploration and averages."""
    models = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        spacy_command("train", config_path, "--output", tmp_path / name, "--system.seed", seed)
        models.append((tmp_path / name / "model-last" / NAME / "model").read_bytes())
    assert models[0] == models[1] != models[2]


def test_init_labels(config_path, tmp_path):
    spacy_command("init", "labels", config_path, tmp_path / "labels")
    path = tmp_path / "labels" / f"{NAME}.json"
    labels = json.loads(path.read_text("utf8"))
    assert labels == sorted({d for _, _, deps in PROJECTIVE for d in deps} - {"ROOT"})
    config = load_config(config_path)
    config["initialize"] = {
        "components": {NAME: {"labels": {"@readers": "spacy.read_labels.v1", "path": str(path)}}}
    }
    nlp = init_nlp(config.interpolate())
    assert list(nlp.get_pipe(NAME).labels) == labels


def test_debug_data(config_path):
    done = CliRunner().invoke(app, ["debug", "data", str(config_path), "--no-format"])
    assert f"Training pipeline: {NAME}" in done.output
    # That so few documents are an error is all that it has to say
    assert isinstance(done.exception, SystemExit)
    assert "1 error" in done.output and "Low number of examples" in done.output


def test_config_that_spacy_writes_trains(treebank, tmp_path):
    path = tmp_path / "base.cfg"
    spacy_command("init", "config", path, "--lang", "en", "--pipeline", NAME)
    config = load_config(path)
    assert config["components"][NAME]["factory"] == NAME
    reader = {"@readers": "spacy-nonmono.ConlluCorpus.v1", "path": str(treebank)}
    config["corpora"] = {"train": reader, "dev": reader}
    config["training"].update({"max_steps": 2, "eval_frequency": 1})
    config["initialize"]["vectors"] = None
    nlp = init_nlp(config.interpolate())
    (tmp_path / "out").mkdir()
    train_loop(nlp, tmp_path / "out")
    check_doc(spacy.load(tmp_path / "out" / "model-best")("owls hunt"))


@pytest.mark.parametrize("drop", [0, 1, 0.5, numpy.float32(0.5), True])
def test_any_dropout_is_saved(drop, tmp_path):
    nlp = initialized()
    nlp.update(gold_examples(nlp, PROJECTIVE), drop=drop, sgd=nlp.create_optimizer())
    nlp.to_disk(tmp_path)
    assert arcs(spacy.load(tmp_path)("owls hunt mice .")) == arcs(nlp("owls hunt mice ."))


def test_a_dropout_that_was_saved_as_a_whole_number():
    """As version 0.2.0 does."""
    nlp = initialized()
    for node in nlp.get_pipe(NAME).model.walk():
        if "dropout_rate" in node.attrs:
            node.attrs["dropout_rate"] = 0
    blank().from_bytes(nlp.to_bytes())


@pytest.mark.parametrize("max_epochs", [0, -1])
def test_a_stream_does_not_tell_the_words_of_a_pass(config_path, max_epochs):
    """spaCy shows 100 Docs, so the threshold of pairs would be far too low."""
    config = load_config(config_path)
    config["training"]["max_epochs"] = max_epochs
    parser = init_nlp(config.interpolate()).get_pipe(NAME)
    n_words = sum(len(words) for words, *_ in PROJECTIVE)
    assert parser.progress.words_per_pass == (0 if max_epochs else n_words)


def test_a_second_training_is_as_the_first():
    """What the first one learned and counted is forgotten."""
    nlp = blank()
    found = []
    for _ in range(2):
        fix_random_seed(0)
        optimizer = nlp.initialize(lambda: gold_examples(nlp, PROJECTIVE))
        for _ in range(3):
            nlp.update(gold_examples(nlp, PROJECTIVE), sgd=optimizer)
        found.append(weights(nlp.get_pipe(NAME).model))
    assert same(*found)


@pytest.mark.parametrize("frozen", [["morphologizer"], "${paths.frozen}", []])
def test_frozen_components_that_a_variable_names(config_path, frozen):
    config = load_config(config_path)
    config["nlp"]["pipeline"] = ["tok2vec", "morphologizer", NAME]
    listener = {"@architectures": "spacy.Tok2VecListener.v1", "width": 96}
    config["components"]["tok2vec"] = {"factory": "tok2vec"}
    model = {"@architectures": "spacy.Tagger.v2", "tok2vec": listener}
    config["components"]["morphologizer"] = {"factory": "morphologizer", "model": model}
    config["components"][NAME]["model"]["tok2vec"] = listener
    config["paths"]["frozen"] = ["morphologizer"]
    config["training"]["frozen_components"] = frozen
    nlp = spacy.util.load_model_from_config(config, auto_fill=True)
    assert others_learn_tags(nlp, NAME) is (frozen == [])


@pytest.mark.parametrize("upstream", ["first", "second"])
def test_a_tagger_beside_one_of_two_tok2vecs(upstream):
    nlp = spacy.blank("xx")
    for name in ("first", "second"):
        nlp.add_pipe("tok2vec", name, config={"model": TOK2VEC})
    listener = {"@architectures": "spacy.Tok2VecListener.v1", "width": 24}
    tagger = {"@architectures": "spacy.Tagger.v2", "tok2vec": {**listener, "upstream": upstream}}
    nlp.add_pipe("tagger", config={"model": tagger})
    members = {name: model_config({**listener, "upstream": name}) for name in ("first", "second")}
    nlp.add_pipe(NAME, config={"model": committee_config(0, **members)})
    assert others_learn_tags(nlp, NAME)
