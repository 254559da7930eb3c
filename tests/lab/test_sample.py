"""The sample treebank: assets/ holds what the generator writes, and it is no walk-over."""

from pathlib import Path

import pytest

from spacy_nonmono.lab.sample.files import SPLITS, write
from spacy_nonmono.lab.sample.stream import MAX_WORDS, MIN_WORDS, generate
from spacy_nonmono.treebank.reader import read_sentences
from spacy_nonmono.treebank.sentences import DEPREL, FORM

ASSETS = Path(__file__).parents[2] / "assets" / "sample"
NAMES = [name for name, _ in SPLITS]


@pytest.fixture(scope="module")
def treebank():
    return {name: list(read_sentences(ASSETS / f"{name}.conllu")) for name in NAMES}


@pytest.fixture(scope="module")
def drawn():
    return list(generate(sum(n for _, n in SPLITS), seed=0))


def test_files_are_what_the_generator_writes(tmp_path):
    write(tmp_path, seed=0)
    for name in NAMES:
        found = (ASSETS / f"{name}.conllu").read_bytes()
        assert found == (tmp_path / f"{name}.conllu").read_bytes(), name
        assert len(found) < 2**20


def test_a_prefix_does_not_depend_on_the_number_of_sentences():
    few = [sentence.to_conllu() for sentence in generate(5, seed=3)]
    more = [sentence.to_conllu() for sentence in generate(12, seed=3)]
    assert few == more[:5]
    assert few != [sentence.to_conllu() for sentence in generate(5, seed=4)]


def test_every_sentence_is_a_tree_with_one_root(treebank):
    for sentence in (sentence for part in treebank.values() for sentence in part):
        heads = sentence.heads
        assert MIN_WORDS <= len(heads) <= MAX_WORDS
        assert heads.count(-1) == 1
        assert sentence.words[heads.index(-1)][DEPREL] == "root"
        assert [word[DEPREL] for word in sentence.words].count("root") == 1
        for word in range(len(heads)):
            steps = 0
            while word != -1:
                word = heads[word]
                steps += 1
                assert steps <= len(heads), "a cycle"


def test_many_sentences_have_crossing_arcs_and_every_one_is_explained(drawn):
    crossing = [sentence for sentence in drawn if sentence.crossing]
    assert 0.2 < len(crossing) / len(drawn) < 0.3
    kinds = {sentence.words[i].kind for sentence in crossing for i in sentence.crossing}
    assert kinds == {
        "aside",
        "cluster",
        "compared",
        "extraposed",
        "split",
        "split_pp",
        "stranded",
        "topic",
        "wh",
    }


def test_neighbours_as_heads_are_a_poor_guess(drawn):
    heads = [(i, head) for sentence in drawn for i, head in enumerate(sentence.heads)]
    assert sum(head == i - 1 for i, head in heads) < 0.5 * len(heads)
    assert sum(head == i + 1 for i, head in heads) < 0.5 * len(heads)


def test_no_sentence_is_in_two_parts(treebank):
    texts = [
        tuple(word[FORM].lower() for word in sentence.words if word[DEPREL] != "punct")
        for part in treebank.values()
        for sentence in part
    ]
    assert len(set(texts)) == len(texts) == sum(n for _, n in SPLITS)
