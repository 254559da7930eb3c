"""Derivations step by step, and the repairs in them."""

import random

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc

from spacy_nonmono import get_system, list_systems
from spacy_nonmono.lab.traces import (
    ATTACH_REST,
    BROKEN_CYCLE,
    INSERTED_ARC,
    REPLACED_HEAD,
    UNSHIFT,
    Arc,
    trace,
)
from spacy_nonmono.oracles.registry import list_oracles
from tests.lab.util import VOCAB, FakeParser, make_doc, moves, pipeline, projective_heads, run

# Systems whose default oracle is dynamic, and those that have a dynamic one at all
DYNAMIC = [name for name in list_systems() if list_oracles(name)[0] != "static"]
COSTED = [name for name in list_systems() if set(list_oracles(name)) != {"static"}]


def replay(one):
    """The arcs that the steps leave behind, by dependent."""
    arcs: dict[int, Arc] = {}
    for step in one.steps:
        for arc in step.removed:
            assert arcs.pop(arc.dependent) == arc
        for arc in step.added:
            assert arc.dependent not in arcs
            arcs[arc.dependent] = arc
    return arcs


def assert_consistent(one):
    arcs = replay(one)
    assert [arcs[w].head if w in arcs else -1 for w in range(len(one.words))] == list(one.heads)
    assert [arcs[w].label if w in arcs else "" for w in range(len(one.words))] == list(one.labels)


def repairs_of(one):
    return [(i, step.repairs) for i, step in enumerate(one.steps) if step.repairs]


def test_covington_replaces_a_head():
    # w0 on w1, then on w2
    names = ["shift", "left_arc:a", "shift", "no_arc", "left_arc:b", "shift"]
    one = run("covington_nonmonotonic", names, 3, make_doc([2, 2, -1]))
    assert_consistent(one)
    assert repairs_of(one) == [(4, (REPLACED_HEAD,))]
    assert one.steps[4].added == (Arc(2, 0, "b"),)
    assert one.steps[4].removed == (Arc(1, 0, "a"),) == tuple(one.removed)
    assert one.steps[4].stack == (0,) and one.steps[4].buffer == (2,)
    assert one.steps[4].score == 0.5
    assert one.steps[-1].move == ATTACH_REST
    assert one.steps[-1].added == (Arc(1, 2, "rest"),)
    assert one.heads == (2, -1, 1)


def test_covington_breaks_a_cycle():
    # w0 > w1 > w2, then w0 below w2
    names = ["shift", "right_arc:a", "shift", "right_arc:b", "left_arc:c", "shift"]
    one = run("covington_nonmonotonic", names, 3)
    assert_consistent(one)
    assert repairs_of(one) == [(4, (BROKEN_CYCLE,))]
    assert one.steps[4].removed == (Arc(1, 2, "b"),)
    assert one.steps[4].added == (Arc(2, 0, "c"),)
    assert one.heads == (2, 0, -1)


def test_covington_does_both_at_once():
    # w0 > w1 > w2 > w3, then w1 below w3
    names = ["shift", "right_arc:a", "shift", "right_arc:b", "shift", "right_arc:c", "left_arc:d"]
    one = run("covington_nonmonotonic", [*names, "shift"], 4)
    assert_consistent(one)
    assert repairs_of(one) == [(6, (REPLACED_HEAD, BROKEN_CYCLE))]
    assert one.steps[6].removed == (Arc(0, 1, "a"), Arc(2, 3, "c"))
    assert one.steps[6].added == (Arc(3, 1, "d"),)


@pytest.mark.parametrize(
    ("system", "unshift"),
    [("arc_eager_unshift", "reduce"), ("arc_eager_distinct_unshift", "unshift")],
)
def test_unshift(system, unshift):
    # w0 and w1 wait on the stack; w1 goes back, takes w0, is shifted again and replaced
    names = ["shift", "shift", unshift, "left_arc:a", "shift", "right_arc:b", "reduce"]
    one = run(system, names, 3, make_doc([1, -1, 1]))
    assert_consistent(one)
    assert repairs_of(one) == [(2, (UNSHIFT,))]
    assert one.steps[2].stack == (0, 1) and one.steps[3].buffer == (1, 2)
    assert one.steps[2].added == one.steps[2].removed == ()
    assert one.heads == (1, -1, 1)
    assert one.cost == 2  # two labels


def test_unshift_system_replaces_a_head():
    names = ["shift", "right_arc:a", "left_arc:b", "left_arc:c", "shift"]
    one = run("arc_eager_unshift", names, 3, make_doc([2, 2, -1]))
    assert_consistent(one)
    assert repairs_of(one) == [(2, (REPLACED_HEAD,))]
    assert one.steps[2].removed == (Arc(0, 1, "a"),)
    assert one.oracle == "dynamic"


def test_repair_inserts_an_arc_and_gives_a_word_to_root():
    # The system starts with w0 on the stack; w1 is shifted, and attached when it is popped
    names = ["shift", "reduce", "right_arc:b", "left_arc", "left_arc"]
    one = run("arc_eager_repair", names, 3)
    assert_consistent(one)
    assert repairs_of(one) == [(1, (INSERTED_ARC,)), (3, (REPLACED_HEAD,))]
    assert one.steps[1].added == (Arc(0, 1, ""),)
    assert one.steps[3].removed == (Arc(0, 2, "b"),) and one.steps[3].added == ()
    assert one.steps[3].buffer == (-1,)
    assert one.steps[-1].move == ATTACH_REST
    assert one.steps[-1].added == (Arc(0, 1, "rest"), Arc(0, 2, "rest"))
    assert one.steps[-1].removed == (Arc(0, 1, ""),) and one.removed == [Arc(0, 2, "b")]
    assert one.steps[-1].score is None and one.steps[-1].cost is None


@pytest.mark.parametrize("name", list_systems())
@given(seed=st.integers(0, 10**6), n_words=st.integers(1, 7))
def test_arcs_added_and_removed_rebuild_the_tree(name, seed, n_words):
    choose = random.Random(seed)
    system = get_system(name)
    state = system.initial_state(n_words)
    names = []
    while not state.is_final:
        move = choose.choice(system.valid_moves(state))
        place = move if isinstance(move, str) else f"{move[0]}@{move[1]}"
        label = choose.choice("ab") if place.startswith(("left_arc", "right_arc")) else ""
        names.append(f"{place}:{label}")
        system.apply(state, move)
    gold = make_doc(projective_heads(choose, n_words))
    one = run(name, names, n_words, gold)
    assert_consistent(one)
    assert (one.cost is None) == (name not in COSTED or not names)
    for step in one.steps:
        if step.cost is not None:
            assert isinstance(step.cost, int) and step.optimal


@pytest.mark.parametrize("name", DYNAMIC)
@given(seed=st.integers(0, 10**6), n_words=st.integers(1, 7))
def test_oracle_derivations_end_in_the_gold_tree(name, seed, n_words):
    heads = projective_heads(random.Random(seed), n_words)
    gold = make_doc(heads)
    (one,) = trace(get_system(name), gold, gold)
    assert list(one.heads) == heads == list(one.gold_heads)
    assert_consistent(one)
    assert list(one.labels) == [label or "" for label in one.gold_labels]
    assert one.cost == (0 if one.steps else None)
    for step in one.steps:
        if step.move == ATTACH_REST:
            # An arc that was inserted gets its label
            assert [arc[:2] for arc in step.added] == [arc[:2] for arc in step.removed]
            continue
        action = step.move if step.focus is None else (step.move, step.focus)
        assert action == step.optimal[0]
        assert step.score is None


def test_static_oracle_has_no_costs():
    gold = make_doc([1, -1, 1])
    for name in [name for name in list_systems() if "static" in list_oracles(name)]:
        (one,) = trace(get_system(name), gold, gold, oracle="static")
        assert one.heads == (1, -1, 1)
        assert one.oracle == "static"
        assert all(step.cost is None and step.optimal is None for step in one.steps)
        assert one.cost is None
    with pytest.raises(ValueError, match=r"\[NM007\]"):
        crossing = make_doc([2, 3, -1, 2])
        trace(get_system("arc_eager"), crossing, crossing, oracle="static")


def test_component_that_trains_with_static_has_costs():
    names = ["shift", "right_arc:a", "reduce"]
    one = run("arc_eager_unshift", names, 2, make_doc([1, -1]), "static")
    assert one.oracle == "dynamic"
    assert [step.cost for step in one.steps] == [0, 2, 0]
    assert one.steps[1].optimal == ("left_arc",)


def test_costs_of_labels():
    one = run("arc_eager_unshift", ["shift", "left_arc:d0", "shift"], 2, make_doc([1, -1]))
    assert one.cost == 0
    one = run("arc_eager_unshift", ["shift", "left_arc:d1", "shift"], 2, make_doc([1, -1]))
    assert [step.cost for step in one.steps] == [0, 1, 0]


def test_without_gold():
    one = run("arc_eager_unshift", ["shift", "left_arc:a", "shift"], 2)
    assert one.oracle is None and one.gold_heads is None and one.gold_labels is None
    assert one.cost is None
    assert one.system == "arc_eager_unshift"


def test_unknown_gold_heads():
    gold = make_doc([1, -1, 1], unknown=[2])
    names = ["shift", "left_arc:d0", "shift", "shift", "reduce", "left_arc:x", "shift"]
    one = run("arc_eager_unshift", names, 3, gold)
    assert one.gold_heads == (1, -1, None)
    assert one.gold_labels == ("d0", None, None)


def test_sentences():
    text = ["Dogs", "bark", ".", "Cats", "sleep"]
    first = moves("shift", "left_arc:nsubj", "shift", "right_arc:punct", "reduce")
    second = moves("shift", "left_arc:nsubj", "shift")
    parser = FakeParser("arc_eager_unshift", [first, second])
    doc = Doc(VOCAB, words=text)
    # The gold tree has one sentence; the head of "sleep" is in the other one
    gold = make_doc([1, -1, 1, 4, 1], words=text)
    traces = trace(pipeline(parser), doc, gold)
    assert [one.start for one in traces] == [0, 3]
    assert [one.words for one in traces] == [("Dogs", "bark", "."), ("Cats", "sleep")]
    assert traces[1].heads == (1, -1)
    assert traces[1].gold_heads == (1, None)
    assert not doc.has_annotation("DEP") and not doc.has_annotation("SENT_START")
    assert all(seen is not doc for seen in parser.seen)


def test_sentences_of_gold_with_a_system():
    gold = Doc(VOCAB, words=["a", "b", "c"], heads=[1, 1, 2], deps=["x", "ROOT", "ROOT"])
    traces = trace(get_system("covington"), Doc(VOCAB, words=["a", "b", "c"]), gold)
    assert [(one.start, one.heads) for one in traces] == [(0, (1, -1)), (2, (-1,))]


def test_no_words():
    empty = Doc(VOCAB)
    assert trace(get_system("covington"), empty, empty) == []
    assert trace(pipeline(FakeParser("covington", [])), empty, empty) == []


def test_white_space():
    """A parser does not see it, but an oracle takes the tokens of the gold Doc for words."""
    gold = Doc(VOCAB, words=["a", "\n", "b"], heads=[0, 0, 0], deps=["ROOT", "x", "y"])
    assert trace(get_system("covington"), gold, gold)[0].words == ("a", "\n", "b")
    with pytest.raises(ValueError, match=r"\[NM123\] Token 1 "):
        trace(pipeline(FakeParser("covington", [])), gold)


def test_errors():
    nlp = spacy.blank("xx")
    doc = Doc(nlp.vocab, words=["a", "b"])
    with pytest.raises(ValueError, match=r"\[NM110\].*none"):
        trace(nlp, doc)
    nlp.add_pipe("sentencizer")
    with pytest.raises(ValueError, match=r"\[NM110\].*sentencizer"):
        trace(nlp, doc)
    system = get_system("covington")
    with pytest.raises(ValueError, match=r"\[NM121\].*from word 1.*'c'.*'b'"):
        trace(system, doc, Doc(nlp.vocab, words=["a", "c"]))
    with pytest.raises(ValueError, match=r"\[NM121\].*3 words.*2; they differ from word 2"):
        trace(system, doc, Doc(nlp.vocab, words=["a", "b", "c"]))
    with pytest.raises(ValueError, match=r"\[NM122\].*'covington'"):
        trace(system, doc)
    with pytest.raises(ValueError, match=r"\[NM002\]"):
        trace(system, doc, doc, oracle="upper")
