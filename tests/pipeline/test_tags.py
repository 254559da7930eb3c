"""The gold tags, which the word vectors of a parser learn to tell beside."""

import numpy
import pytest
import spacy
from spacy.tokens import Doc
from spacy.training import Example

from spacy_nonmono.pipeline.gold import read_tags
from spacy_nonmono.training.tag_loss import TagTask

from .util import (
    LANG,
    LISTENER,
    NAME,
    PROJECTIVE,
    TOK2VEC,
    blank,
    gold_examples,
    initialized,
    model_config,
    train,
)

WORDS = ["foxes", "do", "n't", "hunt"]
TAGS = ["NNS", "VBP", "", "VB"]
PARTS = ["NOUN", "AUX", "PART", ""]
MORPHS = ["Number=Plur", "", "", ""]


def example(words: list[str]) -> Example:
    vocab = spacy.blank(LANG).vocab
    spaces = [True, False, True, False]
    gold = Doc(vocab, words=WORDS, tags=TAGS, pos=PARTS, morphs=MORPHS, spaces=spaces)
    return Example(Doc(vocab, words=words, spaces=[True] * len(words)), gold)


def test_tags_of_the_same_words():
    found = read_tags(example(WORDS))
    assert found.dtype == numpy.uint64 and found.shape == (2, 4)
    gold = example(WORDS).reference
    assert found[0].tolist() == [token.tag for token in gold]
    assert (found[1] != 0).tolist() == [True, True, True, False]
    assert len(set(found[1].tolist())) == 4


def test_tags_of_other_words():
    """A word that is two in the gold Doc has no tag; one that is a part of a gold word has its tag."""
    same = read_tags(example(WORDS))
    joined = read_tags(example(["foxes", "don't", "hunt"]))
    assert joined[0, [0, 2]].tolist() == same[0, [0, 3]].tolist()
    assert joined[1, [0, 2]].tolist() == same[1, [0, 3]].tolist()
    assert not joined[:, 1].any()
    parts = read_tags(example(["fox", "es", "do", "n't", "hunt"]))
    assert parts[:, 0].tolist() == parts[:, 1].tolist() == same[:, 0].tolist()


def trained(weight: float, tags: bool) -> list[bytes]:
    """The weights of a tok2vec after some updates, and the pipeline as it is saved."""
    model = {**model_config(), "tag_weight": weight}
    nlp = initialized(model=model)
    examples = gold_examples(nlp, PROJECTIVE)
    for one in examples:
        for token in one.reference if tags else ():
            token.tag_ = token.pos_ = "NOUN" if token.dep_ == "nsubj" else "VERB"
    train(nlp, examples, 3)
    parser = nlp.get_pipe(NAME)
    return [parser.model.get_ref("tok2vec").to_bytes(), parser.to_bytes()]


@pytest.mark.parametrize(("others", "expected"), [((), 0.3), (("tagger",), 0.0), (("senter",), 0.3)])
def test_no_second_task_beside_a_tagger(others, expected, monkeypatch):
    """Unless the config says how much it is to count."""
    tagger = {"@architectures": "spacy.Tagger.v2", "tok2vec": LISTENER}
    found = []
    for weight in (None, 0.2, 0.0):
        nlp = blank(model={**model_config(LISTENER), "tag_weight": weight})
        nlp.add_pipe("tok2vec", first=True, config={"model": TOK2VEC})
        for name in others:
            nlp.add_pipe(name, config={"model": tagger})
        examples = gold_examples(nlp, PROJECTIVE)
        for one in examples:
            for token in one.reference:
                token.tag_ = "X"
        nlp.initialize(lambda examples=examples: examples)
        seen: list[float] = []

        def note(task, vectors, values, weight, seen=seen):
            seen.append(weight)
            return 0.0, 0.0

        monkeypatch.setattr(TagTask, "update", note)
        nlp.update(examples)
        found.append(seen[0] if seen else 0.0)
        assert spacy.util.load_model_from_config(nlp.config).from_bytes(nlp.to_bytes())
    assert found == [expected, 0.2, 0.0]


def test_word_vectors_learn_from_tags():
    plain = trained(0.0, tags=True)
    assert trained(0.3, tags=False)[0] == plain[0] == trained(0.0, tags=False)[0]
    learned = trained(0.3, tags=True)
    assert learned[0] != plain[0]
    assert len(learned[1]) == pytest.approx(len(plain[1]), abs=100)  # the second task is not saved
