"""Words that are annotated in different ways in the same context (Boyd, Dickinson & Meurers 2008, *On
detecting errors in dependency treebanks*).

A *nucleus* is the words from a dependent to its head, these two included. Wherever the same words stand
again, with the same word before and after them, their first and last word have the same relation, unless
one of the two annotations is wrong or the sentences differ elsewhere. Two words without an arc between
them have the relation NIL.

We look at nuclei of at most MAX_WORDS words, compare words in lower case, and name a relation only if
most of the other places have another one.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from .sentences import DEPREL, EMPTY, Sentence

NIL = "no arc"
LEFT = "< "  # in front of a label: the head is on the left
MAX_WORDS = 6
EDGE = ""  # of a sentence

Nucleus = tuple[str, ...]


def find_variation(sentences: Sequence[Sentence]) -> dict[tuple[int, int], Counter[str]]:
    """Find the words whose relation to another one is rare.

    Returns the relations of the same words in the other places, by the numbers of the sentence and of
    the word: the dependent, or where there is no arc the word that is one elsewhere.
    """
    known = {nucleus for one in sentences for _, _, nucleus, relation in _nuclei(one) if relation != NIL}
    places: dict[Nucleus, list[tuple[int, int, int, str]]] = {}
    for number, sentence in enumerate(sentences):
        for first, last, nucleus, relation in _nuclei(sentence):
            if nucleus in known:
                places.setdefault(nucleus, []).append((number, first, last, relation))
    found: dict[tuple[int, int], Counter[str]] = {}
    for same in places.values():
        relations = Counter(relation for *_, relation in same)
        if len(relations) == 1:
            continue
        for number, first, last, relation in same:
            others = relations - Counter([relation])
            common, n = others.most_common(1)[0]
            if common != relation and 2 * n > others.total():
                is_left = (relation if relation != NIL else common).startswith(LEFT)
                word = last if is_left else first
                found.setdefault((number, word), others)
    return found


def _nuclei(sentence: Sentence) -> Iterator[tuple[int, int, Nucleus, str]]:
    """Yield the first and the last word of each nucleus that there may be, its words with those around
    it, and the relation: `obj >` if the head is on the right."""
    words = [EDGE, *(form.lower() for form in sentence.forms), EDGE]
    heads = sentence.heads
    labels = [columns[DEPREL] for columns in sentence.words]
    for first in range(len(heads)):
        for last in range(first + 1, min(first + MAX_WORDS, len(heads))):
            if heads[first] is None or heads[last] is None:
                continue
            relation, label = NIL, None
            if heads[first] == last:
                label = labels[first]
                relation = f"{label} >"
            elif heads[last] == first:
                label = labels[last]
                relation = f"{LEFT}{label}"
            if label != EMPTY:
                yield first, last, tuple(words[first : last + 3]), relation
