"""Which annotations are suspect, and in which order."""

from hypothesis import given
from hypothesis import strategies as st

from spacy_nonmono.recipes.suspects import SMOOTHING, compare_trees, find_rarity
from tests.conllu import sentences_of

GOLD = """\
# sent_id = a
1\tDogs\t_\t_\t_\t_\t2\tnsubj\t_\t_
2\tbark\t_\t_\t_\t_\t0\troot\t_\t_
3\tloudly\t_\t_\t_\t_\t2\tadvmod\t_\t_
4\t.\t_\t_\t_\t_\t_\t_\t_\t_

"""
PARSED = """\
1\tDogs\t_\t_\t_\t_\t3\tnsubj\t_\tConf=0.3
2\tbark\t_\t_\t_\t_\t0\troot\t_\tConf=0.9
3\tloudly\t_\t_\t_\t_\t2\tobj\t_\tConf=0.8
4\t.\t_\t_\t_\t_\t2\tpunct\t_\tConf=0.9

"""


def test_differences():
    found = compare_trees(sentences_of(GOLD), sentences_of(PARSED))
    assert [(one.id, one.differs, one.confidence) for one in found] == [
        ("3", "label", 0.8), ("1", "head", 0.3)
    ]  # fmt: skip
    assert [one.rarity for one in found] == [2 / (1 + SMOOTHING)] * 2
    assert found[0].sent_id == "a" and found[0].number == 1 and found[0].elsewhere == ""
    assert (found[0].label, found[0].parser_label) == ("advmod", "obj")


def test_words_that_are_others_elsewhere_come_last():
    gold = sentences_of(GOLD + GOLD + GOLD.replace("nsubj", "obj"))
    same = GOLD.replace("_\n", "Conf=0.9\n")
    parsed = sentences_of(PARSED + same + same.replace("nsubj", "obj"))
    found = compare_trees(gold, parsed)
    assert [(one.number, one.id) for one in found] == [(1, "3"), (1, "1"), (3, "1")]
    assert (found[-1].differs, found[-1].elsewhere) == ("", "nsubj > 2")
    assert compare_trees(gold, gold)[0].elsewhere == "nsubj > 2"


WORDS = st.tuples(st.sampled_from("ab"), st.sampled_from([0.1, 0.9]), st.sampled_from(["", "x", "y"]))


@given(st.lists(WORDS))
def test_rarity_as_slow_search(words):
    """Also where scores are the same: then the order of the words counts for nothing."""
    expected = {}
    for word, (kind, score, how) in enumerate(words):
        same = [h for k, s, h in words if k == kind and s >= score]
        if how:
            expected[word] = (same.count(how) + 1) / (len(same) + SMOOTHING)
    assert find_rarity(*(zip(*words, strict=True) if words else ([], [], []))) == expected


@st.composite
def two_trees(draw):
    """Sentences with heads and labels, some unknown, and the same words with other ones."""
    sides = ["", ""]
    for _ in range(draw(st.integers(1, 4))):
        n = draw(st.integers(1, 5))
        for side in range(2):
            score = draw(st.sampled_from(["_", "Conf=0.5", "SpaceAfter=No|Conf=0.9"])) if side else "_"
            root = draw(st.integers(1, n))
            for word in range(1, n + 1):
                head = 0 if word == root else root
                label = "root" if not head else draw(st.sampled_from(["a", "b", "_"]))
                shown = "_" if side == 0 and draw(st.booleans()) else head
                sides[side] += f"{word}\tw\t_\tNOUN\t_\t_\t{shown}\t{label}\t_\t{score}\n"
        sides = [f"{text}\n" for text in sides]
    return tuple(map(sentences_of, sides))


@given(two_trees())
def test_each_difference_is_there_once(trees):
    gold, parsed = trees
    expected = {}
    for number, (one, other) in enumerate(zip(gold, parsed, strict=True), start=1):
        for word, arc in zip(one.words, other.words, strict=True):
            if word[6] != "_" and word[6] != arc[6]:
                expected[number, word[0]] = "head"
            elif word[6] != "_" and word[7] != arc[7] and "_" not in (word[7], arc[7]):
                expected[number, word[0]] = "label"
    found = compare_trees(gold, parsed)
    assert {(one.number, one.id): one.differs for one in found if one.differs} == expected
    assert len({(one.number, one.id) for one in found}) == len(found)
    assert all(one.differs or one.elsewhere for one in found)
    ranks = [one.rarity for one in found if one.rarity is not None]
    assert ranks == sorted(ranks) and all(one.rarity is None for one in found[len(ranks) :])
