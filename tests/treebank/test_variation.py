"""Words that are annotated in different ways in the same context, against a slow search."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_nonmono.treebank.sentences import Sentence
from spacy_nonmono.treebank.variation import MAX_WORDS, find_variation


def make(forms, heads, labels):
    return Sentence(
        [[str(i + 1), form, *["_"] * 4, "_" if head is None else str(head + 1), label, "_", "_"]
         for i, (form, head, label) in enumerate(zip(forms, heads, labels, strict=True))]
    )  # fmt: skip


@st.composite
def treebanks(draw):
    rng = random.Random(draw(st.integers(0, 10**6)))
    found = []
    for _ in range(draw(st.integers(1, 12))):
        n = rng.randint(1, 9)
        heads = [rng.choice([None, *range(-1, i), *range(i + 1, n)]) for i in range(n)]
        found.append(make(rng.choices("aAb", k=n), heads, rng.choices(["x", "y", "_"], k=n)))
    return found


def relation(sentence, first, last):
    heads, labels = sentence.heads, [word[7] for word in sentence.words]
    if heads[first] is None or heads[last] is None:
        return None
    if heads[first] == last:
        found = f"{labels[first]} >"
    else:
        found = f"< {labels[last]}" if heads[last] == first else "no arc"
    return None if "_" in found else found


def slow(sentences):
    def context(n, first, last):
        forms = ["", *(form.lower() for form in sentences[n].forms), ""]
        return forms[first : last + 3]

    places = [
        (n, first, last)
        for n, sentence in enumerate(sentences)
        for last in range(len(sentence.words))
        for first in range(max(last - MAX_WORDS + 1, 0), last)
        if relation(sentence, first, last) is not None
    ]
    found = {}
    for place in places:
        n, first, last = place
        own = relation(sentences[n], first, last)
        same = [other for other in places if context(*other) == context(*place)]
        others = Counter(relation(sentences[m], a, b) for m, a, b in same) - Counter([own])
        common = max(others, key=others.__getitem__, default=own)
        if common == own or 2 * others[common] <= sum(others.values()):
            continue
        told = common if own == "no arc" else own
        found.setdefault((n, last if told.startswith("<") else first), []).append(others)
    return found


@given(treebanks())
def test_as_slow_search(sentences):
    found, expected = find_variation(sentences), slow(sentences)
    assert found.keys() == expected.keys()
    assert all(found[place] in expected[place] for place in found)


def test_a_wrong_label_among_right_ones():
    right = make(["Dogs", "bark", "."], [1, -1, 1], ["nsubj", "root", "punct"])
    wrong = make(["dogs", "bark", "."], [1, -1, 1], ["obj", "root", "punct"])
    assert find_variation([right, wrong, right]) == {(1, 0): Counter({"nsubj >": 2})}
    assert find_variation([right, right]) == {}


@pytest.mark.parametrize("labels", ["xy zw", "x_y z_w", "<x <y", "_x y_"])
def test_labels_of_any_letters(labels):
    right, wrong = (make(["a", "b"], [1, -1], [label, "root"]) for label in labels.split())
    others = Counter({f"{labels.split()[0]} >": 3})
    assert find_variation([right, right, right, wrong]) == {(3, 0): others}
