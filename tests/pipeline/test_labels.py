"""Labels: added at any time, collected, never lost."""

import numpy
import pytest
from spacy.training import Example
from thinc.api import Adam

from .util import (
    NAME,
    PROJECTIVE,
    SOME_UNDERIVABLE,
    SYSTEMS,
    arcs,
    bare,
    blank,
    check_doc,
    gold_doc,
    gold_examples,
    initialized,
    overfitted,
    train,
)

TEXT = "foxes and owls hunt mice ."
GOLD_LABELS = {label for _, _, labels in PROJECTIVE for label in labels} - {"ROOT"}


def relabelled(nlp, label: str) -> list[Example]:
    """The last tree with another label at its only arc."""
    tree_words, heads, _ = PROJECTIVE[-1]
    return gold_examples(nlp, [(tree_words, heads, ["ROOT", label])])


def test_labels_are_collected():
    pipe = initialized().get_pipe(NAME)
    assert set(pipe.labels) == GOLD_LABELS
    assert isinstance(pipe.labels, tuple)
    assert list(pipe.labels) == sorted(pipe.labels)
    assert "ROOT" not in pipe.labels


def test_a_rare_label_is_kept():
    nlp = blank()
    examples = gold_examples(nlp, PROJECTIVE) * 60 + relabelled(nlp, "vocative")
    nlp.initialize(lambda: examples)
    assert "vocative" in nlp.get_pipe(NAME).labels


def test_add_label():
    pipe = blank().get_pipe(NAME)
    assert [pipe.add_label(label) for label in ("obj", "nsubj", "obj")] == [1, 1, 0]
    assert pipe.labels == ("obj", "nsubj")


@pytest.mark.parametrize("label", ["", None, 5, 1.0, b"obj", ["obj"]])
@pytest.mark.parametrize("ready", [False, True])
def test_bad_label(label, ready):
    pipe = (initialized() if ready else blank()).get_pipe(NAME)
    before = pipe.labels
    with pytest.raises(ValueError, match=r"\[NM050\]"):
        pipe.add_label(label)
    assert pipe.labels == before


def test_labels_added_before_initialize_come_first():
    nlp = blank()
    pipe = nlp.get_pipe(NAME)
    pipe.add_label("vocative")
    pipe.add_label("punct")
    nlp.initialize(lambda: gold_examples(nlp, PROJECTIVE))
    assert pipe.labels[:2] == ("vocative", "punct")
    assert set(pipe.labels) == GOLD_LABELS | {"vocative"}
    assert len(pipe.labels) == len(set(pipe.labels))
    check_doc(nlp(TEXT))


@SOME_UNDERIVABLE
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_new_label_leaves_predictions_alone(system):
    nlp = overfitted(system)
    pipe = nlp.get_pipe(NAME)
    texts = [TEXT, "rain !", "the hare sleeps under an oak", "mice sleep and foxes . owls"]
    expected = [arcs(nlp(text)) for text in texts]
    weights = pipe.model.predict([nlp.make_doc(TEXT)]).words.products.copy()
    # New classes score 0: above no class that was trained to be taken
    assert pipe.add_label("vocative") == 1
    assert numpy.array_equal(pipe.model.predict([nlp.make_doc(TEXT)]).words.products, weights)
    assert [arcs(nlp(text)) for text in texts[:3]] == expected[:3]
    check_doc(nlp(texts[3]))


def test_a_new_label_is_learnt():
    nlp = overfitted()
    nlp.get_pipe(NAME).add_label("vocative")
    train(nlp, relabelled(nlp, "vocative") + gold_examples(nlp, PROJECTIVE[:2]), 40)
    assert nlp("rain !")[1].dep_ == "vocative"


def test_a_new_label_between_updates_with_one_optimizer():
    nlp = initialized()
    examples = gold_examples(nlp, PROJECTIVE)
    sgd = Adam(0.01)
    for label in ("vocative", "dislocated"):
        nlp.update(examples, sgd=sgd)
        nlp.get_pipe(NAME).add_label(label)
        with nlp.use_params(sgd.averages):
            check_doc(nlp(TEXT))
    for _ in range(40):
        nlp.update(examples + relabelled(nlp, "vocative"), sgd=sgd)
    with nlp.use_params(sgd.averages):
        check_doc(nlp(TEXT))
    gold = gold_doc(nlp, PROJECTIVE[1:2])
    assert arcs(nlp(bare(nlp, gold))) == arcs(gold)


def test_label_data_makes_the_same_parser():
    first = initialized()
    data = first.get_pipe(NAME).label_data
    assert isinstance(data, list) and all(isinstance(label, str) for label in data)
    second = blank()
    second.config["initialize"]["components"][NAME] = {"labels": data}
    second.initialize(lambda: gold_examples(second, PROJECTIVE[-1:]))
    assert second.get_pipe(NAME).labels == first.get_pipe(NAME).labels


def test_given_labels_are_the_labels():
    nlp = blank()
    pipe = nlp.get_pipe(NAME)
    pipe.initialize(lambda: gold_examples(nlp, PROJECTIVE), nlp=nlp, labels=["punct", "vocative"])
    assert pipe.labels == ("punct", "vocative")
    # Arcs with other labels still teach where arcs go
    train(nlp, gold_examples(nlp, PROJECTIVE), 40)
    doc = nlp(TEXT)
    check_doc(doc)
    assert [token.head.i for token in doc] == PROJECTIVE[1][1]


def test_initialize_twice():
    nlp = initialized()
    train(nlp, gold_examples(nlp, PROJECTIVE), 2)
    nlp.get_pipe(NAME).add_label("vocative")
    nlp.initialize(lambda: gold_examples(nlp, PROJECTIVE))
    assert set(nlp.get_pipe(NAME).labels) == GOLD_LABELS | {"vocative"}
    train(nlp, gold_examples(nlp, PROJECTIVE), 2)
    check_doc(nlp(TEXT))


@pytest.mark.parametrize("again", ["initialize", "from_bytes"])
def test_other_labels_in_a_parser_that_has_learned(again):
    """Gradients have the shapes of weights."""
    nlp, other = initialized(), initialized(trees=PROJECTIVE[:1])
    train(nlp, gold_examples(nlp, PROJECTIVE), 1)
    examples = gold_examples(nlp, PROJECTIVE[:1])
    if again == "initialize":
        nlp.initialize(lambda: examples)
    else:
        nlp.from_bytes(other.to_bytes())
    assert nlp.get_pipe(NAME).labels == other.get_pipe(NAME).labels
    train(nlp, examples, 2)
    check_doc(nlp(TEXT))


def test_initialize_without_annotation():
    nlp = blank()
    nlp.initialize()
    pipe = nlp.get_pipe(NAME)
    assert pipe.labels == ()
    doc = nlp(TEXT)
    check_doc(doc)
    assert {token.dep_ for token in doc} <= {"dep", "ROOT"}
    pipe.add_label("obj")
    check_doc(nlp(TEXT))


def test_initialize_needs_examples():
    pipe = blank().get_pipe(NAME)
    with pytest.raises(TypeError):
        pipe.initialize([])
    with pytest.raises(TypeError, match="E930"):
        pipe.initialize(lambda: [])


def test_subtyped_labels():
    nlp = initialized()
    train(nlp, relabelled(nlp, "punct:odd||x"), 1)
    nlp = blank()
    examples = relabelled(nlp, "punct:odd||x")
    nlp.initialize(lambda: examples)
    train(nlp, examples, 30)
    assert nlp("rain !")[1].dep_ == "punct:odd||x"
