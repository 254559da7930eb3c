"""The two-planar system once more, slow and obvious, and what trees fit in two planes."""

from collections.abc import Sequence
from itertools import combinations, product
from typing import NamedTuple

MOVES = ("shift", "reduce", "switch", "left_arc", "right_arc")
Heads = tuple[int, ...]


class Config(NamedTuple):
    """stacks: those of the planes 0 and 1, top last. buffer: front first."""

    stacks: tuple[tuple[int, ...], tuple[int, ...]]
    active: int
    switched: bool
    buffer: tuple[int, ...]
    heads: Heads


def initial(n: int) -> Config:
    return Config(((), ()), 0, False, tuple(range(n)), (-1,) * n)


def ancestors(heads: Sequence[int], word: int) -> list[int]:
    """The word, its head, the head of this one, …"""
    found = [word]
    while heads[found[-1]] >= 0 and len(found) <= len(heads):
        found.append(heads[found[-1]])
    return found


def is_tree(heads: Sequence[int]) -> bool:
    return all(len(ancestors(heads, word)) <= len(heads) for word in range(len(heads)))


def valid(c: Config) -> list[str]:
    return [move for move in MOVES if c.buffer and is_valid(c, move)]


def is_valid(c: Config, move: str) -> bool:
    if move == "shift":
        return True
    if move == "switch":
        return bool(c.stacks[1 - c.active]) and not c.switched
    if not c.stacks[c.active]:
        return False
    if move == "reduce":
        return True
    head, dependent = arc(c, move)
    return c.heads[dependent] < 0 and dependent not in ancestors(c.heads, head)


def arc(c: Config, move: str) -> tuple[int, int]:
    """(head, dependent)"""
    s, b = c.stacks[c.active][-1], c.buffer[0]
    return (b, s) if move == "left_arc" else (s, b)


def apply(c: Config, move: str) -> Config:
    c = c._replace(switched=move == "switch")
    if move == "shift":
        first, second = c.stacks
        b = c.buffer[0]
        return c._replace(stacks=((*first, b), (*second, b)), buffer=c.buffer[1:])
    if move == "switch":
        return c._replace(active=1 - c.active)
    if move == "reduce":
        stacks = list(c.stacks)
        stacks[c.active] = stacks[c.active][:-1]
        return c._replace(stacks=(stacks[0], stacks[1]))
    head, dependent = arc(c, move)
    return c._replace(heads=(*c.heads[:dependent], head, *c.heads[dependent + 1 :]))


def all_trees(n: int) -> list[Heads]:
    """Every tree of n words, those with several roots included."""
    return [heads for heads in product(range(-1, n), repeat=n) if is_tree(heads)]


def cross(first: tuple[int, int], second: tuple[int, int]) -> bool:
    (a, b), (c, d) = sorted((sorted(first), sorted(second)))
    return a < c < b < d


def fits_in_two_planes(heads: Sequence[int]) -> bool:
    """One way at least of putting each arc in a plane leaves no crossing arcs in any."""
    arcs = [(head, word) for word, head in enumerate(heads) if head >= 0]
    pairs = [(i, j) for i, j in combinations(range(len(arcs)), 2) if cross(arcs[i], arcs[j])]
    return any(
        all(planes[i] != planes[j] for i, j in pairs) for planes in product((0, 1), repeat=len(arcs))
    )
