"""The sample treebank is sound, and it is no walk-over."""

from pathlib import Path

import pytest

from spacy_nonmono.tokens.projectivity import crossing_arcs
from spacy_nonmono.treebank.reader import read_sentences
from spacy_nonmono.treebank.sentences import DEPREL, FORM

ASSETS = Path(__file__).parents[2] / "assets" / "sample"
SIZES = {"train": 2000, "dev": 250, "test": 300}


@pytest.fixture(scope="module")
def treebank():
    return {name: list(read_sentences(ASSETS / f"{name}.conllu")) for name in SIZES}


def test_every_sentence_is_a_tree_with_one_root(treebank):
    for sentence in (sentence for part in treebank.values() for sentence in part):
        heads = sentence.heads
        assert heads.count(-1) == 1
        assert sentence.words[heads.index(-1)][DEPREL] == "root"
        assert [word[DEPREL] for word in sentence.words].count("root") == 1
        for word in range(len(heads)):
            steps = 0
            while word != -1:
                word = heads[word]
                steps += 1
                assert steps <= len(heads), "a cycle"


def test_many_sentences_have_crossing_arcs_and_every_one_is_explained(treebank):
    sentences = [sentence for part in treebank.values() for sentence in part]
    crossing = [sentence for sentence in sentences if crossing_arcs(sentence.heads)]
    assert 0.2 < len(crossing) / len(sentences) < 0.3
    assert all(sentence.find_comment("crossing") for sentence in crossing)


def test_neighbours_as_heads_are_a_poor_guess(treebank):
    sentences = (sentence for part in treebank.values() for sentence in part)
    heads = [(i, head) for sentence in sentences for i, head in enumerate(sentence.heads)]
    assert sum(head == i - 1 for i, head in heads) < 0.5 * len(heads)
    assert sum(head == i + 1 for i, head in heads) < 0.5 * len(heads)


def test_no_sentence_is_in_two_parts(treebank):
    texts = [
        tuple(word[FORM].lower() for word in sentence.words if word[DEPREL] != "punct")
        for part in treebank.values()
        for sentence in part
    ]
    assert {name: len(part) for name, part in treebank.items()} == SIZES
    assert len(set(texts)) == len(texts) == sum(SIZES.values())
