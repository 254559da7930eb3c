"""Collocations the slow way: every pair of tokens, every partner, counted and ranked anew.

Keys are the words or the tags of a sentence; a pair is a frozenset of one or two keys.
"""

from math import log2


def all_collocates(keys, scores, *, max_partners, n_nearest):
    """{(i, j): score} of the tokens i and j that collocate, in both orders."""
    limits = (max_partners, n_nearest)
    return {
        (i, j): scores[frozenset((keys[i], keys[j]))]
        for i in range(len(keys))
        for j in range(len(keys))
        if i != j and (finds(keys, scores, i, j, *limits) or finds(keys, scores, j, i, *limits))
    }


def finds(keys, scores, i, j, max_partners, n_nearest):
    """Whether j's key is among the strongest partners of i's, and j among the nearest tokens of it."""
    mine, other = keys[i], keys[j]
    strengths = {}
    for pair, score in scores.items():
        if mine in pair:
            (partner,) = pair - {mine} or {mine}
            strengths[partner] = score
    if other not in strengths:
        return False
    better = [key for key in strengths if (-strengths[key], key) < (-strengths[other], other)]
    between = [key for key in keys[min(i, j) + 1 : max(i, j)] if key == other]
    return len(better) < max_partners and len(between) < n_nearest


def pair_scores(sentences):
    """{pair: (number of arcs, mutual information)}; a sentence is its keys and its (word, word) arcs."""
    keys = [key for keys, _ in sentences for key in keys]
    ordered = []  # each arc in both orders
    for own, arcs in sentences:
        for i, j in arcs:
            ordered += [(own[i], own[j]), (own[j], own[i])]
    found = {}
    for first, second in ordered:
        if first and second:
            chance = keys.count(first) / len(keys) * keys.count(second) / len(keys)
            share = ordered.count((first, second)) / len(ordered)
            # An arc that joins a key with itself is the same in both orders
            n_arcs = ordered.count((first, second)) // (2 if first == second else 1)
            found[frozenset((first, second))] = n_arcs, log2(share / chance)
    return found


def collapsed_arcs(tags, heads, prepositions):
    """{(dependent, head)}: one preposition after the other hands its dependents to its own head."""
    heads = dict(enumerate(heads))
    for word, tag in enumerate(tags):
        dependents = [other for other, head in heads.items() if head == word]
        if tag in prepositions and dependents:
            for dependent in dependents:
                heads[dependent] = heads[word]
            heads[word] = None
    return {(word, head) for word, head in heads.items() if head is not None and head >= 0}
