"""The trees that parsers vote for, against all trees of their arcs."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_nonmono import get_system
from spacy_nonmono.decoding.votes import vote_heads

from ..naive.trees import all_trees, is_projective
from ..naive.votes import trees_of, uncrossed, worth
from ..training.treebank import random_tree

SYSTEM = get_system("arc_eager")


def vote(heads, votes, lengths=None, log_probs=None, margin=-np.inf):
    """By default no arc gives way."""
    lengths = [len(heads[0])] if lengths is None else lengths
    arrays = np.array(heads, "i"), np.array(votes, "d")
    log_probs = np.zeros(arrays[0].shape) if log_probs is None else log_probs
    found, crossing = vote_heads(SYSTEM, np.array(lengths, "i"), *arrays, log_probs, margin)
    sentences = np.split(found, np.cumsum(lengths)[:-1]) if len(lengths) else []
    assert crossing.tolist() == [not is_projective(tree.tolist()) for tree in sentences]
    return tuple(found.tolist())


def assert_best(heads, votes):
    found = vote(heads, votes)
    trees = list(trees_of(heads))
    assert found in trees
    assert worth(found, heads, votes) == pytest.approx(max(worth(tree, heads, votes) for tree in trees))


@pytest.mark.parametrize("n", [1, 2, 3])
def test_every_pair_of_trees(n):
    """Of two trees, with votes such that every order of their arcs comes about."""
    rng = np.random.default_rng(0)
    for heads in product(all_trees(n, single_root=True), repeat=2):
        for _ in range(12):
            assert_best(heads, rng.permutation(2 * n).reshape(2, n) + 1.0)


@st.composite
def committees(draw, most=7):
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, n_members = draw(st.integers(1, most)), draw(st.integers(1, 4))
    heads = [random_tree(n, rng) for _ in range(n_members)]
    votes = draw(st.sampled_from(["random", "equal", "whole"]))
    weights = {
        "random": rng.random((n_members, n)),
        "equal": np.ones((n_members, n)),
        "whole": rng.integers(0, 3, (n_members, n)).astype("d"),
    }
    return heads, weights[votes]


@given(committees())
def test_best_of_all_trees(committee):
    assert_best(*committee)


@given(st.lists(committees(), min_size=1, max_size=4))
def test_each_sentence_is_voted_on_by_itself(sentences):
    n_members = min(len(heads) for heads, _ in sentences)
    sentences = [(heads[:n_members], votes[:n_members]) for heads, votes in sentences]
    together = vote(
        np.concatenate([heads for heads, _ in sentences], axis=1),
        np.concatenate([votes for _, votes in sentences], axis=1),
        [len(heads[0]) for heads, _ in sentences],
    )
    assert together == tuple(head for sentence in sentences for head in vote(*sentence))


@pytest.mark.parametrize("n", [2, 50, 3000])
@pytest.mark.parametrize("better", [0, 1])
def test_cycles_within_cycles(n, better):
    """A chain to the right and one to the left: two neighbours are a cycle, with the next word a larger
    one, and so on. Only the whole chains are trees with one root."""
    chains = [[-1, *range(n - 1)], [*range(1, n), -1]]
    votes = np.array([np.arange(n), np.arange(n)[::-1]], "d")
    votes[better] += 0.001
    assert vote(chains, votes) == tuple(chains[better])


def test_no_words():
    assert vote([[]], [[]], []) == vote([[]], [[]], [0, 0]) == ()


@pytest.mark.parametrize(
    ("heads", "lengths", "message"),
    [
        ([[1, 0, -1]], [3], "a cycle in sentence 0"),
        ([[-1, 1, 0]], [1, 2], "a cycle in sentence 1"),
        ([[-1, 2, -1]], [2, 1], r"heads\[0\]\[1\]"),
        ([[-1, -3]], [2], "heads"),
        ([[-1]], [2], "lengths"),
    ],
)
def test_what_is_no_tree(heads, lengths, message):
    with pytest.raises(ValueError, match=rf"NM020.*{message}"):
        vote(heads, np.ones((1, len(heads[0]))), lengths)


@given(committees(), st.integers(0, 2**32), st.sampled_from([0.3, 1.0, float("inf")]))
def test_arcs_that_cross_give_way(committee, seed, margin):
    heads, votes = committee
    # The same arc has the same probability
    table = -np.random.default_rng(seed).random((len(heads[0]), len(heads[0]) + 1))
    log_probs = table[np.arange(len(heads[0])), np.array(heads)]
    voted = list(vote(heads, votes))
    found = vote(heads, votes, log_probs=log_probs, margin=margin)

    def find_exchange(d: int, others: list[int]) -> int | None:
        values = dict(zip((member[d] for member in heads), log_probs[:, d], strict=True))
        least = values[voted[d]] - margin
        choices = [(values[h], h) for h in others if h in values and values[h] > least]
        return max(choices)[1] if choices else None

    assert list(found) == uncrossed(voted, find_exchange)
