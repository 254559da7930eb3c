"""Heads of words as numbers: -1 for a root, UNKNOWN_HEAD where it is not annotated."""

from collections.abc import Sequence

from ..shapes import UNKNOWN_HEAD


def contract(heads: Sequence[int], groups: Sequence[Sequence[int]]) -> list[int]:
    """Return the heads of tokens that are one word or more: each has the head of its main word. Where
    heads are unknown, those of tokens may lead back to themselves, although those of words do not; such
    heads become unknown.

    heads: of all words. groups: the words of each token; every word is in one.
    """
    token_of = {word: token for token, group in enumerate(groups) for word in group}
    above = [heads[main_word(heads, group)] for group in groups]
    found = [token_of[head] if head >= 0 else head for head in above]
    on_cycles = words_on_cycles(found)
    return [UNKNOWN_HEAD if token in on_cycles else head for token, head in enumerate(found)]


def main_word(heads: Sequence[int], words: Sequence[int]) -> int:
    """Return the word whose head and label are those of the token: that whose head lies outside of the
    token, and is not below it. Of several, the one that is nearest to the root of its tree, and of these
    the first, as in spaCy's merging. If there is none, a word whose head is unknown.

    heads: of all words. words: those of the token, one or more.
    """
    if len(words) == 1:
        return words[0]
    depths = [(_depth(heads, word, words), word) for word in words if heads[word] != UNKNOWN_HEAD]
    known = [(depth, word) for depth, word in depths if depth >= 0]
    unknown = (word for word in words if heads[word] == UNKNOWN_HEAD)
    return min(known)[1] if known else next(unknown, words[0])


def _depth(heads: Sequence[int], word: int, words: Sequence[int]) -> int:
    """Return how many arcs lead from the top of the tree to the word; -1 if they lead through the
    token."""
    for depth in range(len(heads)):
        if heads[word] < 0:
            return depth
        word = heads[word]
        if word in words:
            break
    return -1


def words_on_cycles(heads: Sequence[int | None]) -> set[int]:
    """Return the words whose heads lead back to themselves. None is an unknown head, too."""
    checked: set[int] = set()
    on_cycles: set[int] = set()
    for start in range(len(heads)):
        chain: list[int] = []
        word: int | None = start
        while word is not None and word >= 0 and word not in checked:
            checked.add(word)
            chain.append(word)
            word = heads[word]
        if word in chain:
            on_cycles.update(chain[chain.index(word) :])
    return on_cycles
