"""Counts and scores against a recount, thresholds, collapsed prepositions."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_nonmono.lexical.collocation_training import TaggedTree, joined_words, train_collocations
from tests.naive import all_trees
from tests.naive.collocations import collapsed_arcs, pair_scores

EVERYTHING = {
    "min_word_count": 1,
    "min_word_score": -99.0,
    "min_tag_count": 1,
    "min_tag_score": -99.0,
}


@st.composite
def trees(draw):
    heads = draw(st.sampled_from(all_trees(draw(st.integers(1, 4)))))
    words = [draw(st.sampled_from(["a", "A", "b", "c", " "])) for _ in heads]
    tags = [draw(st.sampled_from(["", "P", "N"])) for _ in heads]
    return TaggedTree(words, tags, [head if draw(st.booleans()) else None for head in heads])


def naive_scores(corpus, column, prepositions):
    keys = {
        "words": lambda tree: [word.lower().strip() for word in tree.words],
        "tags": lambda tree: tree.tags,
    }[column]
    return pair_scores(
        [(keys(tree), collapsed_arcs(tree.tags, tree.heads, prepositions)) for tree in corpus]
    )


@given(st.lists(trees(), max_size=4), st.sampled_from([(), ("P",), ("P", "N")]))
def test_recount(corpus, prepositions):
    found = train_collocations(corpus, prepositions=prepositions, **EVERYTHING)
    for column in ("words", "tags"):
        pairs = getattr(found, column)
        expected = naive_scores(corpus, column, prepositions)
        assert {frozenset(pair): strength.n_arcs for pair, strength in pairs.items()} == {
            pair: count for pair, (count, _) in expected.items()
        }
        for pair, strength in pairs.items():
            assert list(pair) == sorted(pair)
            assert strength.score == pytest.approx(expected[frozenset(pair)][1], abs=1e-4)
        ranks = [(-strength.score, pair) for pair, strength in pairs.items()]
        assert ranks == sorted(ranks)


def test_every_short_tree_collapses():
    for heads in all_trees(4):
        for tags in product("PN", repeat=4):
            arcs = list(joined_words(TaggedTree("abcd", tags, heads), {"P"}))
            assert len(set(arcs)) == len(arcs)
            assert set(arcs) == collapsed_arcs(tags, heads, {"P"})


def test_thresholds():
    # "a" and "b" are joined three times, "a" and "c" once: all words are "a" to one half
    corpus = [TaggedTree(["a", "b"], ["N", "N"], [-1, 0])] * 3
    corpus += [TaggedTree(["c", "a"], ["N", "N"], [1, -1])]
    everything = train_collocations(corpus, **EVERYTHING)
    assert {pair: s.n_arcs for pair, s in everything.words.items()} == {("a", "b"): 3, ("a", "c"): 1}
    assert everything.words["a", "b"].score == 1.0  # 3/4 against 2 * 1/2 * 3/8
    assert everything.tags == {("N", "N"): (4, 0.0)}
    assert set(train_collocations(corpus).words) == {("a", "b")}
    assert train_collocations(corpus, min_word_score=1.0001).words == {}
    assert train_collocations(corpus, min_tag_count=1).tags == {}
    assert set(train_collocations(corpus, min_tag_count=4, min_tag_score=0.0).tags) == {("N", "N")}


def test_words_that_no_line_can_hold():
    corpus = [TaggedTree(["a\tb", "\n", "c", ""], ["X", "", "X", "X"], [2, 2, -1, 2])]
    found = train_collocations(corpus, **EVERYTHING)
    assert found.words == {}
    assert {pair: s.n_arcs for pair, s in found.tags.items()} == {("X", "X"): 2}


@pytest.mark.parametrize(
    "option",
    [
        {"min_word_count": 0},
        {"min_tag_count": -1},
        {"min_word_score": float("nan")},
        {"min_tag_score": float("inf")},
    ],
    ids=str,
)
def test_bad_settings(option):
    with pytest.raises(ValueError, match=f"NM152.*{next(iter(option))}"):
        train_collocations([], **option)
