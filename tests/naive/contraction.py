"""Tokens of several words, by the words on the way to the root."""

from collections.abc import Sequence

UNKNOWN = -2


def way_up(heads: Sequence[int], word: int) -> list[int]:
    """The words above a word and what is above these; n of them if they go round."""
    above: list[int] = []
    while heads[word] >= 0 and len(above) < len(heads):
        word = heads[word]
        above.append(word)
    return above


def main_word(heads: Sequence[int], group: Sequence[int]) -> int:
    ways = {word: way_up(heads, word) for word in group}
    outside = [
        word
        for word in group
        if heads[word] != UNKNOWN and len(ways[word]) < len(heads) and not set(ways[word]) & set(group)
    ]
    if outside:
        return min(outside, key=lambda word: (len(ways[word]), word))
    return next((word for word in group if heads[word] == UNKNOWN), group[0])


def contract(heads: Sequence[int], groups: Sequence[Sequence[int]]) -> list[int]:
    above = [heads[main_word(heads, group)] for group in groups]
    found = [
        next((k for k, group in enumerate(groups) if head in group), head) for head in above
    ]
    return [UNKNOWN if k in way_up(found, k) else head for k, head in enumerate(found)]
