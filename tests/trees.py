"""Random trees: the head of each word, -1 for the root; arcs may cross."""

from collections.abc import Callable, Sequence
from random import Random

from hypothesis import strategies as st


def grow(order: Sequence[int], choose: Callable[[Sequence[int]], int]) -> list[int]:
    """Words are attached in an order, each to one before it that is chosen."""
    heads = [-1] * len(order)
    for place, word in enumerate(order[1:], start=1):
        heads[word] = choose(order[:place])
    return heads


def random_tree(rng: Random, n: int) -> list[int]:
    return grow(rng.sample(range(n), n), rng.choice)


@st.composite
def trees(draw: st.DrawFn, n: int) -> list[int]:
    return grow(draw(st.permutations(range(n))), lambda before: draw(st.sampled_from(before)))
