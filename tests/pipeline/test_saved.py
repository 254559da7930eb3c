"""What is refused when a parser is loaded: damage, deceit, other systems, other formats."""

import gc
import itertools
import json

import numpy
import pytest
import spacy
import srsly
from thinc.api import Model

from spacy_nonmono.pipeline.saved import checksum, write_cfg
from spacy_nonmono.scoring.classes import MoveNames, moves_of
from spacy_nonmono.scoring.linear.model import STATES, read_arrays, shim_of, write_arrays
from spacy_nonmono.training.progress import Progress

from .util import (
    CROSSING,
    FINE_GRAINED,
    NAME,
    SYSTEMS,
    arcs,
    blank,
    gold_examples,
    initialized,
    linear_config,
    model_config,
    train,
)

ALL_SYSTEMS = [*SYSTEMS, FINE_GRAINED]


def make(system="arc_eager_unshift", *, linear=False):
    nlp = initialized(system, CROSSING, **({"model": linear_config()} if linear else {}))
    if linear:
        train(nlp, gold_examples(nlp, CROSSING, together=True), 3)
    return nlp


def empty(system="arc_eager_unshift", *, linear=False):
    return blank(system, **({"model": linear_config()} if linear else {})).get_pipe(NAME)


@pytest.fixture(scope="module")
def parts():
    """The saved parts of a parser with each scorer: (cfg, model)."""
    found = {}
    for linear in (False, True):
        data = make(linear=linear).get_pipe(NAME).to_bytes(exclude=["vocab"])
        message = srsly.msgpack_loads(data)
        found[linear] = message["cfg"], message["model"]
    return found


def sealed(described, model):
    return json.dumps({**described, "checksum": checksum(described, model)})


def load(parser, cfg, model):
    return parser.from_bytes(srsly.msgpack_dumps({"cfg": cfg, "model": model}), exclude=["vocab"])


def load_changed(parts, change, *, linear):
    """Load a model that was changed, with a checksum that fits."""
    cfg, model = parts[linear]
    parser = empty(linear=linear)
    message = srsly.msgpack_loads(model)
    change(message)
    weights = srsly.msgpack_dumps(message)
    state = parser._state()._replace(labels=json.loads(cfg)["labels"])
    return load(parser, write_cfg(state, weights), weights)


def node(message, name):
    return next(i for i, info in enumerate(message["nodes"]) if info["name"] == name)


def set_parameter(name, change, layer="narrow_transition_scorer"):
    def apply(message):
        params = message["params"][node(message, layer)]
        params[name] = change(params[name])

    return apply


def put(array, value):
    changed = array.copy()
    changed.flat[0] = value
    return changed


def put_rows(array, n):
    return numpy.concatenate([array[:n], array])


RECURRENT = "bidirectional_recurrence"
DECEIT = {
    "nan": set_parameter("out_W", lambda array: put(array, numpy.nan)),
    "infinity": set_parameter("bias", lambda array: put(array, numpy.inf)),
    "missing": set_parameter("atoms", lambda array: None),
    "all missing but one": lambda message: [
        params.update(dict.fromkeys(params))
        for i, params in enumerate(message["params"])
        if i != node(message, "hashembed")
    ],
    "narrow": set_parameter("out_W", lambda array: array[:, :-1]),
    "short": set_parameter("atoms", lambda array: array[:-1]),
    "more classes": set_parameter("out_b", lambda array: numpy.concatenate([array, array])),
    "double": set_parameter("W", lambda array: array.astype("f8")),
    "empty": set_parameter("root", lambda array: array[:0]),
    "rows moved": lambda message: [
        set_parameter("W", lambda array: array[:-8])(message),
        set_parameter("others_W", lambda array: put_rows(array, 8))(message),
    ],
    "fewer rows": set_parameter("W", lambda array: array[:-8]),
    "one direction": set_parameter("W", lambda array: array[:1], RECURRENT),
    "fewer gates": set_parameter("W", lambda array: array[:, :-1], RECURRENT),
    "short bias": set_parameter("b", lambda array: array[:, :-16], RECURRENT),
    "other vectors": set_parameter("W", lambda array: array[:, :, 1:], RECURRENT),
    "width": lambda message: message["nodes"][node(message, "maxout")]["dims"].update(nI=7),
    "no layers": lambda message: message.update(nodes=[]),
    "name": lambda message: message["nodes"][0].update(name="x"),
    "setting": lambda message: message["attrs"][node(message, "expand_window")].update(
        window_size=srsly.msgpack_dumps(100)
    ),
    "seed": lambda message: message["attrs"][node(message, "hashembed")].update(
        seed=srsly.msgpack_dumps(-1)
    ),
}


@pytest.mark.parametrize("change", DECEIT.values(), ids=DECEIT)
def test_neural_weights_that_do_not_fit(parts, change):
    with pytest.raises(ValueError, match=r"NM058.*nonmono_parser.*NM037"):
        load_changed(parts, change, linear=False)


def test_unchanged_weights_fit(parts):
    for linear in (False, True):
        load_changed(parts, lambda message: None, linear=linear)


SHIM_DECEIT = {
    "no labels": {"n_labels": 0},
    "one label": {"n_labels": 1},
    "fewer than no labels": {"n_labels": -5},
    "labels": {"n_labels": "x"},
    "ready": {"is_ready": 1},
    "templates": {"templates": ["S0.w"]},
    "attributes": {"attributes": {"w": "ORTH"}},
    "no sizes": {"sizes": []},
    "too many sizes": {"sizes": [1] * 10},
    "large sizes": {"sizes": [2**62] * 9},
    "small sizes": {"sizes": [0] * 9},
    "negative sizes": {"sizes": [-1] * 9},
    "something else": {"more": 1},
}


@pytest.mark.parametrize("change", SHIM_DECEIT.values(), ids=SHIM_DECEIT)
def test_linear_weights_that_do_not_fit(parts, change):
    def apply(message):
        state, arrays = read_arrays(message["shims"][0][0])
        message["shims"][0][0] = write_arrays({**state, **change}, arrays)

    with pytest.raises(ValueError, match=r"NM058.*nonmono_parser.*NM037"):
        load_changed(parts, apply, linear=True)


def test_words_of_multiword_tokens_are_dropped(parts):
    """Version 0.2.0 had them in the parser."""
    _, model = parts[False]
    first, again = empty(), empty()
    first.from_bytes(srsly.msgpack_dumps(dict(zip(("cfg", "model"), parts[False], strict=True))))
    state = first._state()
    others = {**state.others, "expansions": {"forms": {"du": []}, "endings": {}}}
    old = write_cfg(state._replace(others=others), model)
    with pytest.warns(UserWarning, match="NM590") as warned:
        load(again, old, model)
    assert len(warned) == 1
    assert again.cfg == first.cfg


@pytest.mark.parametrize("saving", [True, False], ids=["on saving", "on loading"])
def test_cfg_may_be_left_out(saving):
    """As spaCy tests its own parser."""
    parser = make().get_pipe(NAME)
    parser.cfg["foo"] = "bar"
    saved = parser.to_bytes(exclude=["vocab"])
    assert empty().from_bytes(saved, exclude=["vocab"]).cfg["foo"] == "bar"
    parts = ["vocab", "cfg"]
    if saving:
        saved = parser.to_bytes(exclude=parts)
    loaded = make().get_pipe(NAME).from_bytes(saved, exclude=parts[: 2 - saving])
    assert "foo" not in loaded.cfg and loaded.labels == parser.labels
    with pytest.raises(ValueError, match=r"NM058.*NM037.*neither"):
        empty().from_bytes(parser.to_bytes(exclude=[*parts, "model"]), exclude=["vocab"])


def test_references_are_those_of_the_config(parts):
    parser = load_changed(
        parts, lambda message: message["nodes"][0]["refs"].update(tok2vec=3, x=99), linear=False
    )
    assert parser.model.get_ref("tok2vec") is parser.model.layers[0]
    assert not parser.model.has_ref("x")


@pytest.mark.parametrize("settings", [{"tag_weight": 0.0}, {"grad_factor": 0.5}], ids=str)
def test_settings_of_training_are_those_of_the_config(parts, settings):
    nlp = blank(model={**model_config(), **settings})
    loaded = load(nlp.get_pipe(NAME), *parts[False])
    assert settings.items() <= loaded.model.attrs.items()


def test_settings_of_linear_training_are_those_of_the_config(parts):
    nlp = blank(model=linear_config(learner="mira", aggressiveness=0.5, until_correct=True))
    loaded = load(nlp.get_pipe(NAME), *parts[True])
    assert loaded.model.attrs == {"aggressiveness": 0.5, "until_correct": True}


def test_settings_that_change_the_weights_are_not(parts):
    nlp = blank(model={**model_config(), "collocates": True})
    with pytest.raises(ValueError, match=r"NM058.*NM221.*S0kl"):
        load(nlp.get_pipe(NAME), *parts[False])


def test_layers_of_other_packages_are_left_to_thinc():
    """A copy of a listener to a transformer has the name and the references of the listener, and those
    of the model that the config makes are others."""

    def replace_tok2vec(nlp, name, refs):
        model = nlp.get_pipe(NAME).model
        inner = model.get_ref("tok2vec")
        outer = Model(
            name,
            lambda outer, docs, is_train: outer.layers[0](docs, is_train),
            init=lambda outer, X, Y: outer.layers[0].initialize(X),
            layers=[inner],
            dims={"nO": inner.get_dim("nO")},
            refs={ref: inner for ref in refs},
            attrs={"of another package": name},
        )
        model.layers[0] = outer
        model.set_ref("tok2vec", outer)
        return nlp

    nlp = replace_tok2vec(make(), "foreign-listener>>mean", ["listener"])
    loaded = replace_tok2vec(blank(), "foreign>>mean", [])
    loaded.get_pipe(NAME).from_bytes(nlp.get_pipe(NAME).to_bytes())
    assert arcs(loaded("foxes hunt mice .")) == arcs(nlp("foxes hunt mice ."))
    assert loaded.get_pipe(NAME).model.layers[0].name == "foreign>>mean"


@pytest.mark.parametrize("linear", [False, True], ids=["neural", "linear"])
def test_every_byte_counts(parts, linear):
    cfg, model = parts[linear]
    parser = empty(linear=linear)
    for at in range(0, len(model), max(1, len(model) // 50)):
        changed = bytearray(model)
        changed[at] ^= 4
        with pytest.raises(ValueError, match=r"NM058.*NM037.*checksum"):
            load(parser, cfg, bytes(changed))
    described = json.loads(cfg)
    described["labels"][0] += "x"
    with pytest.raises(ValueError, match=r"NM058.*NM037.*checksum"):
        load(parser, json.dumps(described), model)
    load(parser, cfg, model)


@pytest.mark.parametrize(
    ("name", "content"),
    [("model", None), ("cfg", None), ("model", b""), ("cfg", b""), ("cfg", b"[]"), ("cfg", b"\xff")],
    ids=str,
)
def test_half_a_folder(tmp_path, name, content):
    make().to_disk(tmp_path)
    file = tmp_path / NAME / name
    file.unlink()
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ValueError, match=rf"NM058.*nonmono_parser.*{tmp_path.name}"):
        spacy.load(tmp_path)


@pytest.mark.parametrize("linear", [False, True], ids=["neural", "linear"])
def test_another_system(linear):
    """Both names are told, whichever two they are."""
    exclude = ["vocab"]
    saved, others = {}, {}
    for system in ALL_SYSTEMS:
        saved[system] = make(system, linear=linear).get_pipe(NAME).to_bytes(exclude=exclude)
        others[system] = empty(system, linear=linear)
    for ours, other in itertools.permutations(ALL_SYSTEMS, 2):
        with pytest.raises(ValueError, match="NM059") as caught:
            others[other].from_bytes(saved[ours], exclude=exclude)
        assert repr(ours) in str(caught.value) and repr(other) in str(caught.value)


def test_another_format(parts):
    cfg, model = parts[False]
    labels = json.loads(cfg)["labels"]
    with pytest.raises(ValueError, match=r"NM060.*None.*3"):
        load(empty(), json.dumps({"labels": labels}), model)
    described = {"format": 2, "labels": labels, "system": "arc_eager_unshift"}
    with pytest.raises(ValueError, match=r"NM060.*2.*3"):
        load(empty(), sealed(described, model), model)


def by_class(parser, moves, *, linear):
    """A number that tells the classes of weights apart, by the names of the classes."""
    if linear:
        cells = shim_of(parser.model).averages(STATES).cells
        numbers = numpy.bincount(cells["c"], cells["w"], moves.n_classes(len(parser.labels)))
    else:
        numbers = parser.model.get_ref("scorer").get_param("out_b")
    arcs = [(move, label) for label in parser.labels for move in moves.arcs]
    return dict(zip([*moves.plain, *arcs], numbers.tolist(), strict=True))


@pytest.mark.parametrize("linear", [False, True], ids=["neural", "linear"])
def test_moves_in_another_order(linear, monkeypatch):
    """Weights of a version that has its moves in another order are matched by their names."""
    nlp = make(FINE_GRAINED, linear=linear)
    train(nlp, gold_examples(nlp, CROSSING, together=True), 3)
    docs = ["foxes hunt mice .", "rain !"]
    expected = [arcs(doc) for doc in nlp.pipe(docs)]
    parser = nlp.get_pipe(NAME)
    own = moves_of(parser.system)
    other = MoveNames((*own.plain[1:], own.plain[0]), own.arcs[::-1])
    # What the other version would save
    monkeypatch.setattr(parser._learner, "moves", other)
    before = by_class(parser, own, linear=linear)
    parser._learner.reorder(parser.model, own, len(parser.labels))
    assert by_class(parser, other, linear=linear) == pytest.approx(before)
    assert len({before[move] for move in own.plain}) == len(own.plain) == 3
    data = parser.to_bytes(exclude=["vocab"])
    nlp = blank(FINE_GRAINED, **({"model": linear_config()} if linear else {}))
    nlp.get_pipe(NAME).from_bytes(data, exclude=["vocab"])
    assert [arcs(doc) for doc in nlp.pipe(docs)] == expected


def test_other_moves(parts):
    cfg, model = parts[False]
    described = json.loads(cfg)
    described.pop("checksum")
    for kind, names in (("plain", ["shift", "swap"]), ("arcs", ["left_arc"]), ("plain", 7)):
        changed = {**described, "moves": {**described["moves"], kind: names}}
        with pytest.raises(ValueError, match=r"NM064.*arc_eager_unshift"):
            load(empty(), sealed(changed, model), model)
    changed = {**described, "moves": ["shift"]}
    with pytest.raises(ValueError, match="NM037"):
        load(empty(), sealed(changed, model), model)


def test_positions_in_another_order(parts):
    """The weights of a position are known by its place alone."""
    cfg, model = parts[False]
    described = json.loads(cfg)
    del described["checksum"]
    positions = described["positions"]
    assert positions == list(make().get_pipe(NAME)._learner.positions)
    for other in (positions[::-1], positions[:-1], None):
        changed = {**described, "positions": other}
        with pytest.raises(ValueError, match=r"NM058.*NM221.*arc_eager_unshift"):
            load(empty(), sealed(changed, model), model)
    # A parser that was saved before they were named
    described.pop("positions")
    load(empty(), sealed(described, model), model)
    assert json.loads(parts[True][0])["positions"] == []  # the linear model has none in an order


@pytest.mark.usefixtures("own_extensions")
@pytest.mark.parametrize("in_config", [{}, {"dep_scores": True, "n_threads": 4}], ids=str)
def test_settings_that_were_set_are_saved(tmp_path, in_config):
    set_to = {"dep_scores": not in_config, "n_threads": 2}
    nlp = initialized(**in_config)
    parser = nlp.get_pipe(NAME)

    def settings(nlp):
        return {name: getattr(nlp.get_pipe(NAME), name) for name in set_to}

    for name, value in set_to.items():
        setattr(parser, name, value)
    nlp.to_disk(tmp_path)
    assert settings(spacy.load(tmp_path)) == set_to
    assert settings(blank(**in_config).from_bytes(nlp.to_bytes())) == set_to
    # Saved again, and by a parser that has another value
    spacy.load(tmp_path).to_disk(tmp_path)
    assert settings(spacy.load(tmp_path)) == set_to
    for name, value in set_to.items():
        setattr(parser, name, in_config.get(name, value))
    parser.from_disk(tmp_path / NAME, exclude=["vocab"])
    assert settings(nlp) == set_to
    # A config that says something else than it did
    override = {f"components.{NAME}.n_threads": 3}
    assert settings(spacy.load(tmp_path, config=override)) == {**set_to, "n_threads": 3}


def test_settings_that_cannot_be(parts):
    cfg, model = parts[False]
    described = json.loads(cfg)
    del described["checksum"]
    for found in (3, {"n_threads": 2}, {"n_threads": [1]}, {"n_threads": [1, "2"]}):
        with pytest.raises(ValueError, match=r"NM037.*the settings"):
            load(empty(), sealed({**described, "settings": found}, model), model)
    with pytest.raises(ValueError, match=r"NM058.*NM057"):
        load(empty(), sealed({**described, "settings": {"n_threads": [1, 0]}}, model), model)
    described.pop("settings")  # a parser that was saved before there were any
    load(empty(), sealed({**described, "settings": {"unknown": [1, 2]}}, model), model)
    load(empty(), sealed(described, model), model)


def test_progress(parts):
    cfg, model = parts[False]
    described = json.loads(cfg)
    described.pop("checksum")
    assert described.pop("progress") == [0, 0, 15, 12, 1]
    bad = (None, 3, [1, 2], [1, 2, -3], [1, 2, 3.0], [1, 2, True], ["1", 2, 3], [1, 2, 3, 4])
    for found in (*bad, [1, 2, 3, 4, -1], [1, 2, 3, 4, 5, 6]):
        changed = {**described, "progress": found}
        with pytest.raises(ValueError, match=r"NM037.*the progress"):
            load(empty(), sealed(changed, model), model)
    old = {**described, "progress": [1, 2, 3]}
    assert load(empty(), sealed(old, model), model).progress == Progress(1, 2, 3)
    # A parser that was saved before there was any
    assert load(empty(), sealed(described, model), model).progress == Progress()


def test_a_parser_that_refuses_stays_as_it_was(parts):
    nlp = make("covington")
    before = [arcs(doc) for doc in nlp.pipe(["foxes hunt mice .", "rain !"])]
    for linear in (False, True):
        with pytest.raises(ValueError, match="NM058"):
            load(nlp.get_pipe(NAME), *parts[linear])
    assert [arcs(doc) for doc in nlp.pipe(["foxes hunt mice .", "rain !"])] == before


def test_the_garbage_collector_stays_on(parts):
    with pytest.raises(ValueError, match="NM058"):
        empty().from_bytes(b"\xc1", exclude=["vocab"])
    assert gc.isenabled()
