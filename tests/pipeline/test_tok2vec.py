"""Where the word vectors come from: shared, frozen, replaced, static, of another width."""

import copy
from typing import Any

import numpy
import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import registry
from spacy.vectors import Vectors
from thinc.api import Adam, Model, fix_random_seed

from spacy_nonmono.pipeline.parser import NonmonoParser
from spacy_nonmono.scoring.neural.architecture import TransitionParser

from .util import (
    CROSSING,
    LISTENER,
    NAME,
    PROJECTIVE,
    TOK2VEC,
    arcs,
    bare,
    blank,
    check_doc,
    gold_doc,
    gold_examples,
    initialized,
    model_config,
    parser_config,
    same,
    system_config,
    train,
    weights,
)

TEXT = "foxes and owls hunt mice ."


def shared(*, tagger: bool = True, last: str = NAME) -> Language:
    """tok2vec, and its listeners in either order."""
    fix_random_seed(0)
    nlp = spacy.blank("xx")
    nlp.add_pipe("tok2vec", config={"model": TOK2VEC})
    if tagger:
        model = {"@architectures": "spacy.Tagger.v2", "tok2vec": LISTENER, "nO": None}
        nlp.add_pipe("tagger", config={"model": model})
    nlp.add_pipe(
        NAME,
        config=parser_config(tok2vec=LISTENER),
        before="tagger" if tagger and last == "tagger" else None,
    )
    return nlp


def tagged_examples(nlp: Language) -> list[Example]:
    examples = gold_examples(nlp, PROJECTIVE)
    for example in examples:
        for token in example.reference:
            token.tag_ = token.dep_
    return examples


def count_backprops(nlp: Language, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows by one whenever the parser gives its gradient to its listener."""
    listener = nlp.get_pipe(NAME).model.get_ref("tok2vec")
    forward = listener._func
    calls: list[int] = []

    def counting(model, docs, is_train):
        vectors, backprop = forward(model, docs, is_train)

        def count(gradient):
            calls.append(len(gradient))
            return backprop(gradient)

        return vectors, count

    monkeypatch.setattr(listener, "_func", counting)
    return calls


@pytest.mark.parametrize("last", [NAME, "tagger"])
def test_trained_with_a_tagger(last):
    nlp = shared(last=last)
    examples = tagged_examples(nlp)
    nlp.initialize(lambda: examples)
    before = weights(nlp.get_pipe("tok2vec").model)
    train(nlp, examples, 50)
    assert not same(before, weights(nlp.get_pipe("tok2vec").model))
    for example in examples:
        doc = nlp(bare(nlp, example.reference))
        assert arcs(doc) == arcs(example.reference)
        assert [token.tag_ for token in doc] == [token.tag_ for token in example.reference]


def test_backprop_is_called_once(monkeypatch):
    nlp = shared()
    examples = tagged_examples(nlp)
    nlp.initialize(lambda: examples)
    nothing = [Example(nlp.make_doc("a b"), nlp.make_doc("a b"))]
    calls = count_backprops(nlp, monkeypatch)
    sgd = Adam(0.01)
    for n, batch in enumerate([examples, nothing, nothing + examples, nothing * 3], start=1):
        nlp.update(batch, sgd=sgd)
        assert len(calls) == n
        assert calls[-1] == len(batch)


def test_the_tagger_learns_where_the_parser_has_nothing_to_learn():
    """The last listener sends the gradient of all: zeros of the parser's own must be sent, too."""
    nlp = shared(last=NAME)
    examples = tagged_examples(nlp)
    nlp.initialize(lambda: examples)
    for example in examples:
        tags = [token.tag_ for token in example.reference]
        words = [token.text for token in example.reference]
        example.reference = Doc(nlp.vocab, words=words, tags=tags)
    before = weights(nlp.get_pipe("tok2vec").model)
    parser = weights(nlp.get_pipe(NAME).model.get_ref("scorer"))
    # At first the tagger's output layer is zero, and so is what it sends back
    train(nlp, examples, 3)
    assert not same(before, weights(nlp.get_pipe("tok2vec").model))
    assert same(parser, weights(nlp.get_pipe(NAME).model.get_ref("scorer")))


def test_the_gradient_that_goes_on_is_multiplied():
    nlp = shared(tagger=False)
    examples = gold_examples(nlp, PROJECTIVE)
    nlp.initialize(lambda: examples)
    model = nlp.get_pipe(NAME).model
    listener, tok2vec = model.get_ref("tok2vec"), nlp.get_pipe("tok2vec").model
    vectors, _ = tok2vec([example.predicted for example in examples], is_train=True)
    gradients = []
    for factor in (1.0, 0.25):
        model.attrs["grad_factor"] = factor
        docs = [example.predicted for example in examples]
        listener.receive(listener.get_batch_id(docs), vectors, gradients.append)
        fix_random_seed(0)
        nlp.get_pipe(NAME).update(examples)
    whole, quarter = (numpy.vstack(gradient) for gradient in gradients)
    assert numpy.abs(whole).max() > 0
    numpy.testing.assert_allclose(quarter, whole / 4, rtol=1e-5, atol=1e-8)


OWN_EMBED = {
    "@architectures": "spacy-nonmono.MultiHashEmbed.v1",
    "width": 8,
    "attrs": ["NORM", "SUFFIX1-3"],
    "rows": [20, 20],
}


def listening_and_embedding() -> Language:
    nlp = spacy.blank("xx")
    nlp.add_pipe("tok2vec", config={"model": TOK2VEC})
    config = parser_config(tok2vec=LISTENER)
    config["model"]["embed"] = OWN_EMBED
    nlp.add_pipe(NAME, config=config)
    gold = gold_examples(nlp, CROSSING, together=True)
    nlp.initialize(lambda: gold)
    return nlp


def test_an_embedding_beside_the_listener(tmp_path):
    """Its width is added, white space is no word, and the pipeline is saved and loaded."""
    nlp = listening_and_embedding()
    model = nlp.get_pipe(NAME).model
    width = nlp.get_pipe("tok2vec").model.get_dim("nO")
    assert model.get_ref("scorer").get_dim("nI") == width + 8
    train(nlp, gold_examples(nlp, CROSSING, together=True), 30)
    nlp.to_disk(tmp_path)
    loaded = spacy.load(tmp_path)
    doc = nlp(TEXT)
    assert arcs(loaded(TEXT)) == arcs(doc)
    spaced = nlp(f"\n{TEXT}")
    assert spaced[0].dep_ == "_SP"
    check_doc(spaced)
    assert [doc.text for doc in nlp.pipe(["", TEXT])] == ["", TEXT]
    nlp.replace_listeners("tok2vec", NAME, ["model.tok2vec"])
    assert arcs(nlp(TEXT)) == arcs(doc)


@pytest.mark.parametrize("depth", [0, 1])
def test_an_encoder_with_settings_of_its_own(tmp_path, depth):
    config = parser_config()
    settings = {"hidden_width": 32, "depth": depth}
    config["model"]["encoder"] = {"@architectures": "spacy-nonmono.RecurrentEncoder.v1", **settings}
    nlp = spacy.blank("xx")
    nlp.add_pipe(NAME, config=config)
    examples = gold_examples(nlp, PROJECTIVE)
    nlp.initialize(lambda: examples)
    train(nlp, examples, 3)
    layers = nlp.get_pipe(NAME).model.get_ref("encoder").walk()
    widths = [node.get_dim("nO") for node in layers if node.name == "bidirectional_recurrence"]
    assert widths == [64] * depth
    nlp.to_disk(tmp_path)
    text = "foxes hunt mice ."
    assert arcs(spacy.load(tmp_path)(text)) == arcs(nlp(text))


def test_gradients_of_an_embedding_beside_the_listener():
    """What goes on into the tok2vec is multiplied, what goes into the embedding is not."""
    found = []
    for factor in (1.0, 0.25):
        fix_random_seed(0)
        nlp = listening_and_embedding()
        pipe = nlp.get_pipe(NAME)
        pipe.model.attrs["grad_factor"] = factor
        nlp.update(gold_examples(nlp, CROSSING, together=True), sgd=False, drop=0.0)
        layers = pipe.model.get_ref("embed"), nlp.get_pipe("tok2vec").model
        nodes = [next(node for node in layer.walk() if node.has_grad("W")) for layer in layers]
        found.append([node.get_grad("W") for node in nodes])
    (embed, shared), (embed_of_less, shared_of_less) = found
    assert numpy.abs(embed).max() > 0
    assert numpy.allclose(embed, embed_of_less) and numpy.allclose(0.25 * shared, shared_of_less)


def test_replace_listeners(tmp_path):
    nlp = shared()
    examples = tagged_examples(nlp)
    nlp.initialize(lambda: examples)
    train(nlp, examples, 5)
    expected = arcs(nlp(TEXT))
    nlp.replace_listeners("tok2vec", NAME, ["model.tok2vec"])
    filled = nlp.config["components"][NAME]["model"]["tok2vec"]
    assert filled["@architectures"] == "spacy.HashEmbedCNN.v2"
    nlp.remove_pipe("tok2vec")
    nlp.remove_pipe("tagger")
    assert arcs(nlp(TEXT)) == expected
    nlp.to_disk(tmp_path)
    again = spacy.load(tmp_path)
    assert arcs(again(TEXT)) == expected
    train(again, gold_examples(again, PROJECTIVE), 2)


def test_sourced_with_its_listener_replaced():
    source = shared()
    examples = tagged_examples(source)
    source.initialize(lambda: examples)
    expected = arcs(source(TEXT))
    source.replace_listeners("tok2vec", NAME, ["model.tok2vec"])
    nlp = spacy.blank("xx")
    nlp.add_pipe(NAME, source=source)
    assert arcs(nlp(TEXT)) == expected


def test_frozen_tok2vec():
    nlp = shared(tagger=False)
    examples = gold_examples(nlp, PROJECTIVE)
    nlp.initialize(lambda: examples)
    before = weights(nlp.get_pipe("tok2vec").model)
    sgd = Adam(0.01)
    losses: list[float] = []
    for _ in range(30):
        step = nlp.update(examples, sgd=sgd, exclude=["tok2vec"], annotates=["tok2vec"])
        losses.append(step[NAME])
    assert same(before, weights(nlp.get_pipe("tok2vec").model))
    assert losses[-1] < losses[0]


def test_frozen_parser():
    nlp = shared()
    examples = tagged_examples(nlp)
    nlp.initialize(lambda: examples)
    before = weights(nlp.get_pipe(NAME).model)
    nlp.update(examples, sgd=Adam(0.01), exclude=[NAME])
    assert same(before, weights(nlp.get_pipe(NAME).model))


def test_annotating_components():
    nlp = shared()
    nlp.add_pipe("sentencizer", first=True)
    examples = tagged_examples(nlp)
    nlp.initialize(lambda: examples)
    sgd = Adam(0.01)
    for _ in range(3):
        step = nlp.update(examples, sgd=sgd, annotates=["sentencizer", "tok2vec", NAME])
    assert numpy.isfinite(step[NAME])
    check_doc(nlp(TEXT))


STATIC = {
    "spacy": {
        "@architectures": "spacy.Tok2Vec.v2",
        "embed": {"@architectures": "spacy.MultiHashEmbed.v2"},
        "encode": {"@architectures": "spacy.MaxoutWindowEncoder.v2", "window_size": 1}
        | {"width": 16, "depth": 1, "maxout_pieces": 2},
    },
    "ours": {
        "@architectures": "spacy-nonmono.Tok2Vec.v1",
        "embed": {"@architectures": "spacy-nonmono.MultiHashEmbed.v1"},
        "encode": {"@architectures": "spacy-nonmono.RecurrentEncoder.v1"}
        | {"width": 16, "hidden_width": 16},
    },
}
for _tok2vec in STATIC.values():
    _tok2vec["embed"] |= {"width": 16, "attrs": ["NORM"], "rows": [50], "include_static_vectors": True}


def with_static_vectors(tok2vec: str, dtype: str = "f") -> Language:
    nlp = spacy.blank("xx")
    words = sorted({word for tree in PROJECTIVE for word in tree[0]})
    data = numpy.random.RandomState(0).normal(size=(len(words), 12)).astype(dtype)
    nlp.vocab.vectors = Vectors(strings=nlp.vocab.strings, data=data, keys=words)
    nlp.add_pipe(NAME, config=parser_config(tok2vec=STATIC[tok2vec]))
    examples = gold_examples(nlp, PROJECTIVE)
    nlp.initialize(lambda: examples)
    return nlp


@pytest.mark.parametrize("tok2vec,dtype", [("spacy", "f"), ("ours", "f"), ("ours", "d")])
def test_static_vectors(tok2vec, dtype):
    nlp = with_static_vectors(tok2vec, dtype)
    train(nlp, gold_examples(nlp, PROJECTIVE), 40)
    gold = gold_doc(nlp, PROJECTIVE[1:2])
    assert arcs(nlp(bare(nlp, gold))) == arcs(gold)
    assert nlp.vocab.vectors.data.dtype == dtype


@pytest.mark.parametrize("value", [numpy.nan, numpy.inf])
def test_static_vectors_that_are_not_finite(value):
    nlp = with_static_vectors("ours")
    row = nlp.vocab.vectors.find(key="owls")
    nlp.vocab.vectors.data[row, 3] = value
    assert len(nlp("the hare sleeps")) == 3
    with pytest.raises(ValueError, match=r"NM220.*'owls', token 2 of the Doc 'foxes and owls'"):
        nlp("foxes and owls")
    with pytest.raises(ValueError, match=r"NM220.*'owls'"):
        nlp.update(gold_examples(nlp, PROJECTIVE))


@pytest.mark.parametrize("embeds", [False, True])
def test_vectors_of_doubles_and_vectors_that_are_not_finite(embeds):
    """From a tok2vec, or from an embedding beside one."""
    values = {}
    nlp = spacy.blank("xx")

    def forward(model, docs, is_train):
        def vectors(doc):
            rows = [numpy.random.RandomState(t.orth % 2**32).normal(size=24) for t in doc]
            return numpy.array(rows) + numpy.array([[values.get(t.text, 0)] for t in doc])

        return [vectors(doc) for doc in docs], lambda gradients: []

    doubles = Model("elsewhere", forward, dims={"nO": 24})
    if embeds:
        tok2vec = registry.resolve({"model": TOK2VEC})["model"]
        model = TransitionParser(tok2vec, hidden_width=24, embed=doubles)
    else:
        model = TransitionParser(doubles, hidden_width=24)
    system = registry.resolve({"system": system_config("arc_eager_unshift")})["system"]
    pipe = NonmonoParser(nlp.vocab, model, system=system)
    examples = gold_examples(nlp, PROJECTIVE)
    pipe.initialize(lambda: examples, nlp=nlp)
    sgd = Adam(0.01)
    for _ in range(3):
        pipe.update(examples, sgd=sgd)
    assert all(node.get_param(name).dtype == "f" for node in model.walk() for name in node.param_names)
    text = "\nfoxes and owls hunt"
    check_doc(pipe(nlp.make_doc(text)))
    for value in (numpy.nan, -numpy.inf):
        values["owls"] = value
        with pytest.raises(ValueError, match=r"NM220.*'owls', token 3 of the Doc"):
            pipe(nlp.make_doc(text))
        with pytest.raises(ValueError, match=r"NM220.*'owls'"):
            pipe.update(examples, sgd=sgd)


def vectors_of_another_width(nO: int, declared: bool) -> Model[list[Doc], list[Any]]:
    """Like a transformer's listener: vectors from elsewhere, whose width it may not declare."""

    def forward(model, docs, is_train):
        def vectors(doc):
            rows = [numpy.random.RandomState(t.orth % 2**32).normal(size=nO) for t in doc]
            return model.ops.asarray2f(numpy.array(rows, dtype="f").reshape(-1, nO))

        return [vectors(doc) for doc in docs], lambda gradients: []

    return Model("elsewhere", forward, dims={"nO": nO} if declared else {})


@pytest.mark.parametrize("declared", [True, False])
def test_vectors_of_a_transformer(declared):
    nlp = spacy.blank("xx")
    model = TransitionParser(vectors_of_another_width(37, declared), hidden_width=24)
    system = registry.resolve({"system": system_config("arc_eager_unshift")})["system"]
    pipe = NonmonoParser(nlp.vocab, model, system=system)
    examples = gold_examples(nlp, PROJECTIVE)
    pipe.initialize(lambda: examples, nlp=nlp)
    sgd = Adam(0.01)
    for _ in range(40):
        pipe.update(examples, sgd=sgd)
    gold = gold_doc(nlp, PROJECTIVE[1:2])
    doc = bare(nlp, gold)
    assert arcs(pipe(doc)) == arcs(gold)
    assert len(pipe(nlp.make_doc(""))) == 0


@pytest.mark.parametrize("embed", ["MultiHashEmbed.v2", "CharacterEmbed.v2"])
@pytest.mark.parametrize("encode", ["MaxoutWindowEncoder", "MishWindowEncoder"])
@pytest.mark.parametrize("version", ["v1", "v2"])
def test_every_tok2vec_of_spacys_is_loaded(embed, encode, version):
    """v1: of older configs."""
    words = {"rows": [50], "attrs": ["NORM"], "include_static_vectors": False}
    letters = {"rows": 50, "nM": 4, "nC": 4, "include_static_vectors": False}
    tok2vec = {
        "@architectures": f"spacy.Tok2Vec.{version}",
        "embed": {"@architectures": f"spacy.{embed}", "width": 16}
        | (words if embed.startswith("Multi") else letters),
        "encode": {"@architectures": f"spacy.{encode}.{version}", "width": 16, "depth": 1}
        | {"window_size": 1}
        | ({"maxout_pieces": 2} if encode.startswith("Maxout") else {}),
    }
    nlp = initialized(tok2vec=tok2vec)
    again = blank(tok2vec=tok2vec).from_bytes(nlp.to_bytes())
    assert arcs(again(nlp.make_doc(TEXT))) == arcs(nlp(TEXT))


def test_model_names_its_tok2vec():
    nlp = spacy.blank("xx")
    model = registry.resolve({"model": model_config()})["model"]
    assert model.has_ref("tok2vec")
    nlp.add_pipe(NAME)
    assert "tok2vec" in nlp.config["components"][NAME]["model"]


def test_products_of_numpy() -> None:
    """The architecture `Tok2Vec` is spaCy's: the same weights give the same vectors."""
    embed = {"@architectures": "spacy.MultiHashEmbed.v2", "include_static_vectors": False}
    embed |= {"width": 16, "attrs": ["NORM", "SHAPE"], "rows": [50, 20]}
    encode = {"@architectures": "spacy.MaxoutWindowEncoder.v2", "width": 16}
    encode |= {"depth": 2, "window_size": 1, "maxout_pieces": 3}
    doc = spacy.blank("xx")(TEXT)
    found = []
    for name in ("spacy-nonmono.Tok2Vec.v1", "spacy.Tok2Vec.v2"):
        fix_random_seed(0)
        config = {"@architectures": name, "embed": embed, "encode": encode}
        model = registry.resolve({"model": config})["model"]
        model.initialize(X=[doc])
        found.append(model.predict([doc])[0])
        assert {node.ops.use_blis for node in model.walk()} == {name.startswith("spacy.")}
    numpy.testing.assert_allclose(*found, rtol=1e-4, atol=1e-6)


def ops_of(model: Model) -> set[str]:
    return {type(node.ops).__name__ for node in model.walk()}


def test_faster_operations_on_every_road(tmp_path):
    """The parser's own embedding, a tok2vec that is copied, deep copies, what is loaded."""
    nlp = listening_and_embedding()
    doc = nlp(TEXT)
    copied = copy.deepcopy(nlp.get_pipe(NAME))
    nlp.replace_listeners("tok2vec", NAME, ["model.tok2vec"])
    nlp.to_disk(tmp_path)
    loaded = spacy.load(tmp_path)
    restored = nlp.get_pipe(NAME).from_bytes(nlp.get_pipe(NAME).to_bytes())
    for pipe in (copied, nlp.get_pipe(NAME), loaded.get_pipe(NAME), restored):
        pipe.predict([doc])
        assert ops_of(pipe.model) == {"FastNumpyOps"}
    (doc,) = nlp.pipe([TEXT], n_process=2)
    assert arcs(doc) == arcs(nlp(TEXT)) == arcs(loaded(TEXT))
