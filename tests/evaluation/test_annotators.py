"""How far two annotators agree, against counting word by word."""

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_nonmono.evaluation.annotators import (
    ARCS,
    HEADS,
    LABELS,
    N_NO_HEAD,
    N_NO_LABEL,
    N_WORDS,
    kappa,
    measure_agreement,
    read_annotators,
)
from spacy_nonmono.evaluation.evaluate import read_file_of_trees
from spacy_nonmono.evaluation.names import LABEL, UPOS
from spacy_nonmono.evaluation.scores import score_parses
from spacy_nonmono.tokens.heads import words_on_cycles
from tests.trees import random_tree

HEAD, DEPREL, TAG = range(3)


def text_of(sentences):
    """sentences: of words with HEAD, DEPREL and UPOS."""
    blocks = [
        "".join(
            f"{i}\tw\t_\t{tag}\t_\t_\t{head}\t{label}\t_\t_\n"
            for i, (head, label, tag) in enumerate(words, start=1)
        )
        for words in sentences
    ]
    return "".join(block + "\n" for block in blocks)


def is_possible(words):
    heads = [None if head == "_" else int(head) - 1 for head, *_ in words]
    return not words_on_cycles(heads) and heads.count(-1) <= 1


@st.composite
def annotations(draw):
    """The same sentences twice, with some heads and labels unknown."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))

    def sentence(size):
        heads = st.sampled_from([*range(size + 1), "_"])
        labels = st.sampled_from(["obj", "obl", "root", "_"])
        words = st.tuples(heads, labels, st.sampled_from(["NOUN", "VERB"]))
        return st.lists(words, min_size=size, max_size=size).filter(is_possible)

    a = [draw(sentence(size)) for size in sizes]
    # Random trees share little
    return a, [draw(st.one_of(st.just(one), sentence(len(one)))) for one in a]


def slow_kappa(a, b):
    """By the definition: the sum over the categories of what A and B have of them."""
    if not a:
        return None
    counts_a, counts_b, n = Counter(a), Counter(b), len(a)
    agreed = sum(x == y for x, y in zip(a, b, strict=True)) / n
    chance = sum(counts_a[one] / n * counts_b[one] / n for one in counts_a)
    return None if set(a) == set(b) and len(set(a)) == 1 else (agreed - chance) / (1 - chance)


def categories(sentences):
    """Of each word its offset, label and tag; None where it has none."""
    return [
        (
            None if head == "_" else 0 if head == 0 else head - i,
            "root" if head == 0 and label == "_" else None if label == "_" else label,
            tag,
        )
        for words in sentences
        for i, (head, label, tag) in enumerate(words, start=1)
    ]


def measure(a, b, folder):
    paths = [folder / "a.conllu", folder / "b.conllu"]
    for path, sentences in zip(paths, (a, b), strict=True):
        path.write_text(text_of(sentences), encoding="utf-8")
    return measure_agreement(read_annotators(*paths))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("annotators")


@pytest.mark.filterwarnings(r"ignore:\[NM583\]")
@settings(max_examples=30)
@given(annotations())
def test_same_as_counting(folder, given_annotations):
    a, b = given_annotations
    found = measure(a, b, folder)
    pairs = [
        (x, y)
        for x, y in zip(categories(a), categories(b), strict=True)
        if None not in (x[HEAD], y[HEAD])
    ]
    labelled = [(x, y) for x, y in pairs if None not in (x[DEPREL], y[DEPREL])]
    n_words = sum(map(len, a))
    assert found[N_WORDS] == len(pairs) and found[N_NO_HEAD] == n_words - len(pairs)
    assert found[N_NO_LABEL] == len(pairs) - len(labelled)
    for name, counted, part in (
        (HEADS, pairs, slice(1)),
        (LABELS, labelled, slice(1, 2)),
        (ARCS, labelled, slice(2)),
    ):
        sides = [[pair[side][part] for pair in counted] for side in (0, 1)]
        same = [x == y for x, y in zip(*sides, strict=True)]
        assert found[name]["agreed"] == (sum(same) / len(same) if same else None)
        assert found[name]["kappa"] == pytest.approx(slow_kappa(*sides))
    for name, column in ((LABEL, DEPREL), (UPOS, TAG)):
        rows = {row["kind"]: row for row in found[name]}
        assert set(rows) == {side[column] for pair in labelled for side in pair}
        for kind, row in rows.items():
            n_a, n_b = (sum(pair[side][column] == kind for pair in labelled) for side in (0, 1))
            agreed = [x for x, y in labelled if x[:2] == y[:2] and kind == x[column] == y[column]]
            assert (row["a"], row["b"], row["agreed"]) == (n_a, n_b, len(agreed))
            assert row["f"] == 2 * len(agreed) / (n_a + n_b)


@pytest.mark.filterwarnings(r"ignore:\[NM583\]")
@settings(max_examples=30)
@given(annotations())
def test_laws(folder, given_annotations):
    a, b = given_annotations
    found, other, same = measure(a, b, folder), measure(b, a, folder), measure(a, a, folder)
    names = {"a": "b", "b": "a"}
    for name in (LABEL, UPOS):
        swapped = [{names.get(key, key): value for key, value in row.items()} for row in other[name]]
        assert swapped == found[name]
    assert {**other, LABEL: 0, UPOS: 0} == {**found, LABEL: 0, UPOS: 0}
    for name in (HEADS, LABELS, ARCS):
        assert same[name]["agreed"] in (1.0, None) and same[name]["kappa"] in (1.0, None)
    assert all(row["f"] == 1 for row in same[LABEL])


def random_trees(rng, n_sentences, size):
    sentences = []
    for _ in range(n_sentences):
        heads = random_tree(rng, size)
        sentences.append([(h + 1, "root" if h < 0 else rng.choice("abcd"), "X") for h in heads])
    return sentences


def test_agreement_by_chance(folder):
    rng = random.Random(0)
    a, b = random_trees(rng, 300, 20), random_trees(rng, 300, 20)
    found = measure(a, b, folder)
    assert all(abs(found[name]["kappa"]) < 0.04 for name in (HEADS, ARCS))
    # Each of them has 5 % roots and four labels
    assert found[LABELS]["agreed"] == pytest.approx(0.23, abs=0.02)
    assert abs(found[LABELS]["kappa"]) < 0.02


def test_heads_and_arcs_are_uas_and_las(folder):
    rng = random.Random(1)
    a, b = random_trees(rng, 20, 3), random_trees(rng, 20, 3)
    found = measure(a, b, folder)
    parsed = read_file_of_trees(folder / "b.conllu", folder / "a.conllu")
    scores = score_parses(parsed.gold, parsed.predicted)
    assert found[HEADS]["agreed"] == scores["uas"] and found[ARCS]["agreed"] == scores["las"]


def test_an_example_by_hand():
    """Of 10 words both say x of 4 and y of 3; A says x of 6, B of 5: 0.7 agreed, 0.5 by chance."""
    a, b = "xxxxxxyyyy", "xxxxyyyyyx"
    assert kappa(np.array(list(a)), np.array(list(b))) == pytest.approx((0.7 - 0.5) / (1 - 0.5))
    assert kappa(np.array(list("xy")), np.array(list("yx"))) == -1
    assert kappa(np.array(["x"]), np.array(["x"])) is None
    assert kappa(np.array([], dtype=str), np.array([], dtype=str)) is None


def test_labels_of_roots(folder):
    """`root` and `ROOT` are the same; other labels are what they are."""
    a = [[(0, "root", "X"), (1, "x", "X")], [(0, "foo", "X")]]
    b = [[(0, "ROOT", "X"), (1, "x", "X")], [(0, "root", "X")]]
    with pytest.warns(UserWarning, match="NM583"):
        found = measure(a, b, folder)
    assert found[HEADS]["agreed"] == 1 and found[LABELS]["agreed"] == 2 / 3
