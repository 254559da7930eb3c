"""The architecture `MultiHashEmbed`: as spaCy's, and with Brown clusters, in any component."""

import numpy
import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.strings import get_string_id
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import registry
from thinc.api import HashEmbed, fix_random_seed, set_dropout_rate

from spacy_nonmono.lexical.embedding import (
    HashEmbedSum,
    MultiHashEmbed,
    WordDropout,
    extract_attributes,
    summed_attributes,
)

from .test_brown_component import make_pipeline

CLUSTERS = {"cat": "0110", "dog": "0111", "sees": "1", "hears": "1", "the": "00"}
ATTRS = ["NORM", "PREFIX", "SUFFIX", "SHAPE", "POS", "TAG", "MORPH"]
BROWN = ["NORM", "BROWN2", "SHAPE", "BROWN"]
TEXTS = ["the cat sees a dog", "", "Cats"]


@pytest.fixture
def nlp(tmp_path):
    return make_pipeline(CLUSTERS, tmp_path / "paths")


def tok2vec(attrs):
    return {
        "@architectures": "spacy.Tok2Vec.v2",
        "embed": {
            "@architectures": "spacy-nonmono.MultiHashEmbed.v1",
            "width": 16,
            "attrs": attrs,
            "rows": [50] * len(attrs),
        },
        "encode": {
            "@architectures": "spacy.MaxoutWindowEncoder.v2",
            "width": 16,
            "depth": 1,
            "window_size": 1,
            "maxout_pieces": 2,
        },
    }


def attribute_ids(words, attrs):
    doc = Doc(spacy.blank("fr").vocab, words=words)
    return extract_attributes(attrs).predict([doc])[0].tolist()


def test_one_text_is_one_text():
    """Decomposed letters and other apostrophes have the rows of the plain word; a plain word has those
    that it has beside any others."""
    attrs = ["NORM", "ORTH", "SHAPE", "PREFIX", "SUFFIX", "LOWER", "PREFIX1-5", "SUFFIX3"]
    columns = [column for attr in attrs for column in summed_attributes(attr)]
    plain = ["L'", "Été", "dell'", "chat", "'"]
    others = ["L’", "E\u0301te\u0301", "dellʼ", "chat", "’"]
    rows = attribute_ids(plain, columns)
    assert attribute_ids(others, columns) == rows
    assert attribute_ids([*plain, *others], columns) == rows * 2
    assert attribute_ids(["chat"], columns) == [rows[3]]
    doc = Doc(spacy.blank("fr").vocab, words=plain)
    assert [row[0] for row in rows] == [token.norm for token in doc]
    assert [row[2] for row in rows] == [token.shape for token in doc]


def test_norms_of_the_tokenizer_stay():
    doc = spacy.blank("en")("it’s")
    doc[1].norm_ = "i\u0301s"
    ids = extract_attributes(["NORM"]).predict([doc])[0]
    assert ids[:, 0].tolist() == [get_string_id("it"), get_string_id("ís")]


@pytest.mark.parametrize("attrs", [ATTRS, ["NORM"]])
@pytest.mark.parametrize("static", [False, True])
def test_same_vectors_as_spacy(nlp, attrs, static):
    nlp.vocab.set_vector("cat", numpy.ones((5,), dtype="f"))
    docs = [nlp.make_doc(text) for text in TEXTS]
    found = []
    for make in (MultiHashEmbed, registry.architectures.get("spacy.MultiHashEmbed.v2")):
        fix_random_seed(0)
        model = make(8, attrs, [20 + k for k in range(len(attrs))], static)
        model.initialize(X=docs)
        set_dropout_rate(model, 0.3)
        vectors, backprop = model.begin_update(docs)
        backprop(vectors)
        gradients = [node.get_grad("E") for node in model.walk() if node.name == "hashembed"]
        found.append([*model.predict(docs), *vectors, *gradients])
    for ours, theirs in zip(*found, strict=True):
        numpy.testing.assert_array_equal(ours, theirs)


def test_sums():
    """Columns that share a table: as thinc's layer on each of them."""
    fix_random_seed(0)
    ids = numpy.random.randint(0, 9, size=(6, 4)).astype("uint64")
    ours, theirs = HashEmbedSum(3, 7, 1, 4, seed=5), HashEmbed(3, 7, seed=5)
    ours.initialize(X=ids)
    theirs.initialize(X=ids[:, 0])
    theirs.set_param("E", ours.get_param("E"))
    gradient = numpy.random.rand(6, 3).astype("f")
    vectors, backprop = ours.begin_update(ids)
    backprop(gradient)
    expected = numpy.zeros((6, 3), dtype="f")
    for column in (1, 2, 3):
        of_column, backprop = theirs.begin_update(ids[:, column])
        backprop(gradient)
        expected += of_column
    numpy.testing.assert_allclose(vectors, expected, rtol=1e-5)
    numpy.testing.assert_allclose(ours.get_grad("E"), theirs.get_grad("E"), rtol=1e-5)
    assert ours.predict(ids[:0]).shape == (0, 3)


def test_columns(nlp):
    """As the tokens' attributes, looked up one by one."""
    docs = [nlp.make_doc(text) for text in TEXTS]
    for doc, values in zip(docs, extract_attributes(BROWN).predict(docs), strict=True):
        expected = [
            [
                token.norm,
                get_string_id(token._.brown_prefix(2)),
                token.shape,
                get_string_id(token._.brown_cluster),
            ]
            for token in doc
        ]
        assert values.tolist() == expected
        assert values.dtype == numpy.uint64


def test_affixes(nlp):
    """Of the word in lower case; there is none of a word that is not longer."""
    names = ["PREFIX1", "SUFFIX2", "NORM", "PREFIX9", "SUFFIX4"]
    docs = [nlp.make_doc(text) for text in ("The Dogs hear ÉLÈVES", "", "a dogs afternoons")]
    for doc, values in zip(docs, extract_attributes(names).predict(docs), strict=True):
        expected = []
        for token in doc:
            word = token.lower_
            affixes = {1: word[:1], 2: word[-2:], 9: word[:9], 4: word[-4:]}
            shorter = [text if n < len(word) else "" for n, text in affixes.items()]
            first, second, third, fourth = map(get_string_id, shorter)
            expected.append([first, second, token.norm, third, fourth])
        assert values.tolist() == expected
    assert extract_attributes(names).predict([]) == []


def test_sums_beside_others(nlp):
    docs = [nlp.make_doc(text) for text in TEXTS]
    model = MultiHashEmbed(8, ["NORM", "PREFIX1-3", "SHAPE"], [20, 30, 10])
    model.initialize(X=docs)
    vectors, backprop = model.begin_update(docs)
    backprop(vectors)
    tables = [node for node in model.walk() if node.has_param("E")]
    assert {table.get_grad("E").shape for table in tables} == {(20, 8), (30, 8), (10, 8)}
    assert all(table.get_grad("E").any() for table in tables)


def test_ranges_of_affixes():
    assert summed_attributes("PREFIX2-4") == ["PREFIX2", "PREFIX3", "PREFIX4"]
    assert summed_attributes("SUFFIX5-5") == ["SUFFIX5"]
    for attr in ("SUFFIX3", "SUFFIX", "NORM", "BROWN4"):
        assert summed_attributes(attr) == [attr]


COMPONENTS = {
    "tagger": {"tags": ["D", "N", "V", "D", "N"]},
    "morphologizer": {"pos": ["DET", "NOUN", "VERB", "DET", "NOUN"], "morphs": ["A=B"] * 5},
    "senter": {"sent_starts": [True, False, False, False, False]},
    "parser": {"heads": [1, 2, 2, 4, 2], "deps": ["det", "nsubj", "ROOT", "det", "obj"]},
    "nonmono_parser": {"heads": [1, 2, 2, 4, 2], "deps": ["det", "nsubj", "ROOT", "det", "obj"]},
    "ner": {"ents": ["O", "B-ANIMAL", "O", "O", "B-ANIMAL"]},
}


@pytest.mark.parametrize("component", COMPONENTS)
def test_any_component_learns_with_it(nlp, component, tmp_path):
    nlp.add_pipe(component, config={"model": {"tok2vec": tok2vec(BROWN)}})
    reference = Doc(nlp.vocab, words=TEXTS[0].split(), **COMPONENTS[component])
    # spaCy's parser leaves out labels that are rarer than 30
    examples = [Example(nlp.make_doc(TEXTS[0]), reference)] * 30
    fix_random_seed(0)
    nlp.initialize(lambda: examples)
    losses = [nlp.update(examples[:1], losses={})[component] for _ in range(40)]
    assert losses[-1] < losses[0] / 2
    nlp.to_disk(tmp_path / "nlp")
    again = spacy.load(tmp_path / "nlp")
    assert again(TEXTS[0]).to_json() == nlp(TEXTS[0]).to_json()


def test_clusters_tell_words_apart(nlp):
    """Unknown words of one shape differ by their clusters alone."""
    model = MultiHashEmbed(8, ["SHAPE", "BROWN"], [20, 20])
    docs = [nlp.make_doc(text) for text in ("cat", "dog", "cow", "pig", "sees", "hears")]
    model.initialize(X=docs)
    cat, dog, cow, pig, *_ = (vectors[0].tolist() for vectors in model.predict(docs))
    assert cat != dog
    assert cow == pig
    assert cat != cow


def test_other_attribute():
    with pytest.raises(ValueError, match=r"NM156.*'BROWN0'"):
        MultiHashEmbed(8, ["NORM", "BROWN0"], [20, 20])
    for name in ("PREFIX0", "SUFFIX10", "SUFFIX1-", "PREFIX3-2", "NORM1-2"):
        with pytest.raises(ValueError, match=rf"NM156.*'{name}'"):
            MultiHashEmbed(8, [name], [20])
    with pytest.raises(ValueError, match=r"NM156.*'CLUSTER4'"):
        MultiHashEmbed(8, ["CLUSTER4"], [20])


def test_other_number_of_rows():
    with pytest.raises(ValueError, match=r"NM157.*2 attributes and 1 numbers"):
        MultiHashEmbed(8, ["NORM", "SHAPE"], [20])


def test_pipeline_without_clusters():
    nlp = spacy.blank("xx")
    nlp.add_pipe("tagger", config={"model": {"tok2vec": tok2vec(BROWN)}})
    reference = Doc(nlp.vocab, words=["a"], tags=["D"])
    with pytest.raises(ValueError, match=r"NM158.*BROWN2, BROWN.*brown_clusters"):
        nlp.initialize(lambda: [Example(nlp.make_doc("a"), reference)])


def test_word_dropout(nlp):
    """Rare words lose what tells them from others, rare affixes what they are, and only in training. How
    often depends on the training data, not on the number of passes."""
    docs = [nlp.make_doc("the cat " * 100 + f"{i}dog") for i in range(50)]
    names = ["NORM", "SHAPE", "LOWER", "SUFFIX1", "PREFIX2"]
    model = extract_attributes(names, word_dropout=50)
    plain = extract_attributes(names).predict(docs)
    fix_random_seed(0)
    for _ in range(3):
        dropped, _ = model(docs, is_train=True)
    changed = numpy.stack(dropped) != numpy.stack(plain)
    assert not changed[:, :, 1].any()
    numpy.testing.assert_array_equal(changed[:, :, 0], changed[:, :, 2])
    assert changed[:, :200, 0].mean() == pytest.approx(0.01, abs=0.003)
    assert changed[:, -1, 0].mean() > 0.9
    assert changed[:, -1, 3].mean() == pytest.approx(0.5, abs=0.2)
    assert (changed[:, :, 0] != changed[:, :, 4]).any()
    for ours, theirs in zip(model.predict(docs), plain, strict=True):
        numpy.testing.assert_array_equal(ours, theirs)


def test_word_dropout_forgets(nlp):
    """What another training has counted."""
    model = extract_attributes(["NORM"], word_dropout=5)
    found = []
    for _ in range(2):
        model.initialize()
        fix_random_seed(0)
        found.append(model([nlp.make_doc("the cat " * 20)] * 3, is_train=True)[0][0])
    numpy.testing.assert_array_equal(*found)


@pytest.mark.parametrize("n", [1, 4, 16])
def test_chances_of_word_dropout(n):
    """A word that occurs n times is dropped as often as kept where the rate is n."""
    fix_random_seed(0)
    dropout = WordDropout(n, [[0]], [0])
    ids = numpy.tile(numpy.arange(100, dtype="u8"), n)[:, None]
    shares = []
    for _ in range(200):
        values = ids.copy()
        dropout(values, numpy.arange(len(ids)))
        shares.append(values != ids)
    numpy.testing.assert_allclose(numpy.mean(shares, axis=0), 0.5, atol=0.2)


@given(
    st.lists(st.lists(st.integers(0, 5), max_size=6), max_size=6),
    st.lists(st.randoms(use_true_random=False), min_size=1, max_size=4),
    st.sampled_from([0.5, 5.0]),
)
def test_word_dropout_knows_the_training_data(docs, passes, rate):
    """After a pass the chances are those of the occurrences in all different docs, in any order and
    after any number of passes, whatever tags the words have in each."""
    arrays = [numpy.array([(w, 10 + w // 2, 0) for w in doc], dtype="u8").reshape(-1, 3) for doc in docs]
    dropout = WordDropout(rate, [[0], [1]], [0, 1])
    for random in passes:
        for k in random.sample(range(len(docs)), len(docs)):
            arrays[k][:, 2] = random.random() * 9
            dropout.chances(arrays[k], numpy.arange(len(arrays[k])))
    different = {array[:, :2].tobytes(): array for array in arrays}.values()
    for array in arrays:
        for (column,), found in dropout.chances(array, numpy.arange(len(array))):
            n = [sum((other[:, column] == w).sum() for other in different) for w in array[:, column]]
            numpy.testing.assert_allclose(found, [rate / (rate + k) for k in n], rtol=1e-6)
