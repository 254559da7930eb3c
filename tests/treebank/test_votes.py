"""Votes on trees, against counting by hand; and the reader that mixes them with gold trees."""

import math
from collections import Counter
from itertools import islice

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st

from spacy_nonmono.pipeline.gold import read_gold
from spacy_nonmono.tokens.merged import get_reading, is_known
from spacy_nonmono.treebank.corpus import create_conllu_corpus, create_mixed_corpus
from spacy_nonmono.treebank.sentences import EMPTY, sentence_text
from spacy_nonmono.treebank.votes import read_votes, vote
from tests.conllu import sentences_of
from tests.naive import all_trees

WORDS = ["the", "cat", "sleeps", "here"]
ROUND_TRIP = """\
# text = vámonos al mar
0.1\tx\t_\t_\t_\t_\t_\t_\t_\t_
1-2\tvámonos\t_\t_\t_\t_\t_\t_\t_\tA=b
1\tvamos\tir\tVERB\tV\tMood=Imp\t0\troot\t0:root\t_
2\tnos\t_\t_\t_\t_\t_\t_\t_\t_
2.1\ty\t_\t_\t_\t_\t_\t_\t_\t_
3-4\tal\t_\t_\t_\t_\t_\t_\t_\t_
3\ta\t_\t_\t_\t_\t5\tcase\t_\t_
4\tel\t_\t_\t_\t_\t5\tdet\t_\t_
5\tmar\t_\t_\t_\t_\t1\tobl\t_\tSpaceAfter=No
5.1\tz\t_\t_\t_\t_\t_\t_\t_\t_

"""


def conllu(heads: list[int | str], labels: list[str]) -> str:
    rows = [
        f"{i}\t{word}\t_\t_\t_\t_\t{head}\t{label}\t_\t_\n"
        for i, (word, head, label) in enumerate(zip(WORDS, heads, labels, strict=True), start=1)
    ]
    return "".join([*rows, "\n"])


def parse(text: str):
    (sentence,) = sentences_of(text, "made up")
    return sentence


TREES = st.tuples(
    st.sampled_from([[head + 1 for head in heads] for heads in all_trees(4, single_root=True)]),
    st.lists(st.sampled_from(["a", "b"]), min_size=4, max_size=4),
)


@given(trees=st.lists(TREES, min_size=1, max_size=5), agreement=st.sampled_from([0.51, 0.6, 0.75, 1]))
def test_same_as_counting(trees, agreement):
    trees = [
        (heads, [label if head else "root" for head, label in zip(heads, labels, strict=True)])
        for heads, labels in trees
    ]
    found = vote([parse(conllu(*tree)) for tree in trees], agreement)
    arcs = []
    for word in range(4):
        votes = Counter((heads[word], labels[word]) for heads, labels in trees)
        arc, n = max(votes.items(), key=lambda item: item[1])
        arcs.append(arc if n >= math.ceil(agreement * len(trees) - 1e-9) else None)
    known = [arc for arc in arcs if arc is not None]
    written = [(columns[6], columns[7]) for columns in found.words]
    for arc, columns, head in zip(arcs, written, found.heads, strict=True):
        if head is None:
            assert columns == (EMPTY, EMPTY)
        else:
            assert columns == (str(head + 1), arc[1]) and arc[0] == head + 1
    # What is left out although the parsers agree would make no tree
    n_known = sum(head is not None for head in found.heads)
    assert n_known <= len(known) and found.heads.count(-1) <= 1
    if agreement == 1 or len(trees) == 1:
        assert n_known == len(known)
    again = parse(sentence_text(found))
    assert again.heads == found.heads and again.words == found.words


def test_everything_else_is_kept():
    assert sentence_text(vote([parse(ROUND_TRIP)] * 3, 1.0)) == ROUND_TRIP


def test_cycles_and_second_roots_are_unknown():
    # Two of three make 2 the head of 1, two of three 1 the head of 2; two roots have two votes each
    heads = [[2, 0, 4, 0], [2, 1, 0, 0], [0, 1, 0, 1]]
    labels = ["a"] * 4
    parses = []
    for row in heads:
        sentence = parse(conllu(["_"] * 4, ["_"] * 4))
        for columns, head, label in zip(sentence.words, row, labels, strict=True):
            columns[6:8] = str(head), label
        parses.append(sentence)
    assert vote(parses, 0.6).heads == [None, None, -1, None]


def test_files(tmp_path):
    tree, other = conllu([2, 3, 0, 3], ["det", "nsubj", "root", "advmod"]), ROUND_TRIP
    paths = [tmp_path / name for name in ("a.conllu", "b.conllu", "c.conllu")]
    for path in paths[:2]:
        path.write_text(tree + other)
    found = list(read_votes(paths[:2], 1.0))
    assert "".join(map(sentence_text, found)) == tree + other
    paths[2].write_text(other)
    with pytest.raises(ValueError, match=r"\[NM087\].*1 of .*c.conllu"):
        list(read_votes([paths[0], paths[2]], 1.0))
    paths[2].write_text(tree)
    with pytest.raises(ValueError, match=r"\[NM087\].*2 of .*None"):
        list(read_votes([paths[0], paths[2]], 1.0))


@pytest.fixture
def readers(tmp_path):
    nlp = spacy.blank("xx")
    for name, n in (("gold", 3), ("silver", 7)):
        (tmp_path / f"{name}.conllu").write_text(
            "".join(f"1\t{name}{i}\t_\t_\t_\t_\t0\troot\t_\t_\n\n" for i in range(n))
        )
    gold, silver = (
        create_conllu_corpus(tmp_path / f"{name}.conllu", n_sents=1) for name in ("gold", "silver")
    )

    def mixed(ratio, seed=0):
        read = create_mixed_corpus(gold, silver, ratio, seed)
        return lambda: [example.reference.text.strip() for example in read(nlp)]

    return mixed


def test_mixture(readers):
    """Each epoch has the whole gold part, and the silver one goes on where it was."""
    read = readers(ratio=4 / 3)
    epochs = [read() for _ in range(4)]
    gold = {"gold0", "gold1", "gold2"}
    for epoch in epochs:
        assert len(epoch) == 7 and gold < set(epoch)
    numbers = [sorted(int(word[-1]) for word in epoch if word not in gold) for epoch in epochs]
    assert numbers == [[0, 1, 2, 3], [0, 4, 5, 6], [1, 2, 3, 4], [0, 1, 5, 6]]
    same = readers(ratio=4 / 3)
    assert [same() for _ in range(4)] == epochs != [sorted(epoch) for epoch in epochs]
    assert set(readers(ratio=0)()) == gold
    assert len(readers(ratio=5)()) == 18
    with pytest.raises(ValueError, match=r"\[NM084\]"):
        readers(ratio=-1)


def test_silver_trees_teach_no_boundaries(tmp_path):
    """Nor do those whose root is unknown."""
    path, votes = tmp_path / "trees.conllu", tmp_path / "votes.conllu"
    tree = "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n2\tb\t_\t_\t_\t_\t1\tobj\t_\t_\n\n"
    path.write_text(tree * 2)
    votes.write_text(tree + tree.replace("0\troot", "_\t_"))
    gold = create_conllu_corpus(path)
    silver = create_conllu_corpus(votes, gold_sents=True)
    nlp = spacy.blank("xx")
    found = {}
    for example in create_mixed_corpus(gold, silver, 1.0)(nlp):
        is_silver = example.predicted.has_annotation("SENT_START")
        found[is_silver] = read_gold(example, {nlp.vocab.strings["obj"]: 0})
        assert is_silver is not example.reference.has_annotation("SENT_START")
    assert found[False].starts.tolist() == [1, -1, 1, -1] and not found[True].starts.any()
    assert found[False].heads.tolist() == [-1, 0, -1, 2]
    assert found[True].heads.tolist() == [-1, 0, -2, 2]


def test_silver_trees_teach_no_multiword_tokens(tmp_path):
    path = tmp_path / "trees.conllu"
    path.write_text(ROUND_TRIP)
    gold = create_conllu_corpus(path, multiword="merge")
    silver = create_conllu_corpus(path, gold_sents=True, multiword="merge")
    for example in create_mixed_corpus(gold, silver, 1.0)(spacy.blank("xx")):
        assert [token.text for token in example.reference] == ["vámonos", "al", "mar"]
        is_silver = example.predicted.has_annotation("SENT_START")
        assert is_silver is not is_known(example.reference)
        assert is_silver is not any(map(get_reading, example.reference))


def test_silver_part_may_be_empty():
    def nothing(nlp):
        return iter(())

    examples = islice(create_mixed_corpus(nothing, nothing, 2.0)(spacy.blank("xx")), 5)
    assert list(examples) == []
