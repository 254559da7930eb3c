"""The report on oracles: every figure beside one that slow code or the public API finds."""

import random
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import spacy
from spacy.language import Language

from spacy_nonmono import get_oracle, get_system, list_systems
from spacy_nonmono.lab import oracle_report, oracle_times, replay
from spacy_nonmono.lab.oracle_report import (
    BOUNDS,
    Moves,
    Trees,
    bounds,
    cut_moves,
    make_trees,
    read_trees,
    round_trip,
    walk_bounds,
)
from spacy_nonmono.lab.oracle_times import (
    chain,
    guide,
    systems_to_walk,
    times,
    times_by_length,
)
from spacy_nonmono.lab.repairs import model_derivations, repairs, to_moves
from spacy_nonmono.oracles import covington
from spacy_nonmono.oracles.covington import CovingtonBound
from spacy_nonmono.tokens.projectivity import crossing_arcs
from tests import naive
from tests.treebanks import DEV_FILES, needs_treebanks

SAMPLE = Path(__file__).parents[2] / "assets" / "sample" / "dev.conllu"


class Move(NamedTuple):
    move: str
    focus: int = 0
    label: str = "dep"
    score: float = 1.0


class Derivation(NamedTuple):
    start: int
    n_words: int
    moves: list[Move]


@pytest.fixture(scope="module")
def sample() -> Trees:
    return read_trees(SAMPLE)


def to_trees(heads_S: list[Any]) -> Trees:
    heads = [-2 if head is None else head for heads in heads_S for head in heads]
    return make_trees([len(heads) for heads in heads_S], heads, [-1] * len(heads), {})


def as_gold(heads: list[int]) -> list[int | None]:
    return [None if head == -2 else head for head in heads]


def follow(trees: Trees, moves: Moves, system: Any):
    """Each configuration, made by the public API, with its gold heads and the move that comes next."""
    t = 0
    for heads, n_moves in zip(trees.heads(), moves.n_moves_S.tolist(), strict=False):
        state = system.initial_state(len(heads))
        for focus, number, label in moves.moves_T[t : t + n_moves].tolist():
            name = system.moves[number]
            move = (name, focus) if system.kind == "list" else name
            yield state, as_gold(heads), move
            # Label ids as strings; "?" is none of a gold tree
            system.apply(state, move, "?" if label < 0 else str(label))
        t += n_moves


def test_reads_trees(tmp_path):
    path = tmp_path / "three.conllu"
    words = [("2", "nsubj"), ("0", "root"), ("2", "det"), ("_", "_")]
    path.write_text(
        "".join(f"{i}\tw\t_\t_\t_\t_\t{h}\t{d}\t_\t_\n" for i, (h, d) in enumerate(words, 1))
        + "\n1\tw\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    )
    trees = read_trees(path)
    assert trees.lengths_S.tolist() == [4, 1]
    assert list(trees.heads()) == [[1, -1, 1, -2], [-1]]
    assert trees.labels_N.tolist() == [0, -1, 1, -1, -1]
    assert trees.label_ids == {"nsubj": 0, "det": 1}


def test_round_trip_of_every_small_tree():
    heads_S = [tree for n in range(1, 5) for tree in naive.all_trees(n)]
    rows = {row["system"]: row for row in round_trip(to_trees(heads_S))}
    for name, system in naive.SYSTEMS.items():
        rebuilt = [naive.static_derivation(system, heads) is not None for heads in heads_S]
        assert rows[name]["rebuilt"] == sum(rebuilt)
        assert rows[name]["buildable"] == sum(rebuilt)
        assert rows[name]["failed"] == []
        assert rows[name]["trees"] == len(heads_S)
        assert rows[name]["unknown"] == 0


def test_round_trip_of_the_sample(sample):
    heads_S = [tuple(heads) for heads in sample.heads()]
    rows = {row["system"]: row for row in round_trip(sample)}
    for name, system in naive.SYSTEMS.items():
        rebuilt = [naive.static_derivation(system, heads) is not None for heads in heads_S]
        assert rows[name]["rebuilt"] == sum(rebuilt)
        assert rows[name]["failed"] == []


@pytest.mark.filterwarnings("ignore:.*NM58")
@needs_treebanks
@pytest.mark.parametrize("path", DEV_FILES, ids=lambda path: path.parent.name)
def test_round_trip_of_real_treebanks(path: Path) -> None:
    for row in round_trip(read_trees(path)):
        assert row["failed"] == []
        assert row["rebuilt"] == row["buildable"] > 0


def test_round_trip_counts_unknown_heads_apart():
    for row in round_trip(to_trees([(1, -1), (None, -1), (None, None)])):
        assert (row["trees"], row["unknown"], row["rebuilt"]) == (1, 2, 1)


def test_round_trip_names_trees_that_fail(monkeypatch):
    def rebuilds(oracle, lengths_S, heads_N):
        return np.array([True, False, True, False])

    monkeypatch.setattr(oracle_report, "rebuilds", rebuilds)
    trees = to_trees([(1, -1), (-1, 0), (1, -1), (2, 3, -1, 2)])
    rows = {row["system"]: row for row in round_trip(trees)}
    assert rows["covington"]["failed"] == [1, 3]
    assert rows["arc_eager"]["failed"] == [1]
    assert rows["arc_eager"]["buildable"] == 3


@pytest.mark.parametrize("system", systems_to_walk(), ids=lambda system: system.name)
def test_walk_follows_the_oracle(sample, system):
    oracle = guide(system)
    few = to_trees(list(sample.heads())[:40])
    moves = Moves(*replay.walk(oracle, few.lengths_S, few.heads_N, few.labels_N, 0.0, 0, 10**6))
    assert len(moves.n_moves_S) == 40
    for state, gold, move in follow(few, moves, system):
        assert move == oracle.optimal(state, gold)[0]


@pytest.mark.parametrize("system", systems_to_walk(), ids=lambda system: system.name)
def test_walk_strays(sample, system):
    oracle = guide(system)
    arrays = sample.lengths_S, sample.heads_N, sample.labels_N
    moves = Moves(*replay.walk(oracle, *arrays, 0.1, 7, 3000))
    assert len(moves.moves_T) == moves.n_moves_S.sum() == 3000
    again = replay.walk(oracle, *arrays, 0.1, 7, 3000)
    assert (again[0] == moves.moves_T).all()
    n_costly = sum(
        oracle.costs(state, gold)[move] > min(oracle.costs(state, gold).values())
        for state, gold, move in follow(sample, moves, system)
    )
    assert 0.01 < n_costly / 3000 < 0.1


def test_bounds_are_those_of_the_public_api(sample):
    sentences, moves = walk_bounds(sample, 2000, 3)
    system = get_system("covington_nonmonotonic")
    losses: dict[str, list[int]] = {name: [] for name in BOUNDS}
    for state, gold, _ in follow(sentences, moves, system):
        for name in BOUNDS:
            losses[name].append(get_oracle(name, system).loss(state, gold))
    found = bounds(sample, n_transitions=2000, seed=3)
    assert found["transitions"] == 2000
    for name in BOUNDS:
        assert found["means"][name] == pytest.approx(sum(losses[name]) / 2000)
    assert found["means"]["lower"] > 0


def test_bounds_beside_the_exact_loss(monkeypatch, sample):
    def exact(system):
        return CovingtonBound(system, "pc_upper")

    monkeypatch.setitem(covington.COVINGTON_NONMONOTONIC, "exact", exact)
    found = bounds(sample, n_transitions=10_000)
    means = found["means"]
    assert means["exact"] == means["pc_upper"] > means["lower"]
    assert found["differences"]["pc_upper"] == 0
    assert 0 < found["differences"]["lower"] < means["exact"] - means["lower"]


def test_exact_loss_leaves_roots_out(monkeypatch):
    asked = []

    def find_losses(oracle, lengths_S, heads_N, moves_T, n_moves_S):
        asked.append(heads_N.tolist())
        return np.zeros(len(moves_T))

    monkeypatch.setattr(oracle_report, "find_losses", find_losses)
    bounds(to_trees([(1, -1, 1)]), n_transitions=5)
    assert asked[0][:3] == [1, -2, 1]


def test_bounds_go_through_a_short_treebank_again():
    sentences, moves = walk_bounds(to_trees([(1, -1, 1)]), 50, 0)
    assert len(moves.moves_T) == 50
    assert len(sentences.lengths_S) == 17


def test_cut():
    moves = Moves(np.zeros((9, 3), dtype="i"), np.array([4, 3, 2], dtype="i"))
    assert cut_moves(moves, 5).n_moves_S.tolist() == [4, 1]
    assert len(cut_moves(moves, 5).moves_T) == 5
    assert cut_moves(moves, 4).n_moves_S.tolist() == [4]
    assert cut_moves(moves, 100).n_moves_S.tolist() == [4, 3, 2]


def test_times(sample):
    rows = times(sample, n_transitions=1500)
    assert {row["system"] for row in rows} == {system.name for system in systems_to_walk()}
    assert {row["oracle"] for row in rows if row["system"] == "covington_nonmonotonic"} >= set(BOUNDS)
    for row in rows:
        assert row["transitions"] == 1500
        assert row["mean"] > 0
        assert row["p99"] > 0


class Searcher:
    name, system, searches = "exact", get_system("covington"), 1


def test_share_of_transitions_with_cap_hits(monkeypatch):
    def time_costs(*arguments):
        return np.full(12, 2000), np.arange(12) % 4 == 1

    monkeypatch.setattr(oracle_times, "time_costs", time_costs)
    row = oracle_times._time(Searcher(), to_trees([(-1,)]), twelve_moves())  # type: ignore[arg-type]
    assert row["cap_hits"] == 0.25
    assert row["mean"] == row["p99"] == 2.0


def twelve_moves() -> Moves:
    return Moves(np.zeros((12, 3), dtype="i"), np.array([12], dtype="i"))


def time_all(oracle, trees, moves, seconds=10.0):
    """What `time_costs` tells of every transition."""
    timed = np.arange(len(moves.moves_T), dtype="i")
    arrays = trees.lengths_S, trees.heads_N, trees.labels_N, moves.moves_T, moves.n_moves_S
    return replay.time_costs(oracle, *arrays, timed, seconds)


def test_cap_hits_are_seen(monkeypatch, sample):
    monkeypatch.setattr("spacy_nonmono.oracles.covington.CYCLE_CAP", 0)
    sentences, moves = walk_bounds(sample, 3000, 0)
    oracle = CovingtonBound(get_system("covington_nonmonotonic"), "upper")
    capped = time_all(oracle, sentences, moves)[1]
    assert 0 < capped.sum() < 3000
    assert capped.sum() <= oracle.cap_hits


def test_time_is_limited(sample):
    sentences, moves = walk_bounds(sample, 1000, 0)
    oracle = get_oracle("lower", get_system("covington_nonmonotonic"))
    assert len(time_all(oracle, sentences, moves)[0]) == 1000
    assert len(time_all(oracle, sentences, moves, seconds=0)[0]) == 1


def test_times_by_length(sample):
    rows = times_by_length(sample, lengths=(5, 40), n_timed=200)
    assert {row["n_words"] for row in rows} == {5, 40}
    for row in rows:
        assert 80 <= row["transitions"] <= 200
        searches = row["oracle"] in ("pc_upper", "upper", "exact")
        assert row["cap_hits"] == 0.0 if searches else row["cap_hits"] is None


def test_slow_systems_in_long_sentences(monkeypatch, sample):
    monkeypatch.setattr(oracle_times, "LONG", 40)
    rows = times_by_length(sample, lengths=(40,), n_timed=100)
    assert all(row["transitions"] >= 40 for row in rows)
    cubic = {name for name in list_systems() if get_oracle(None, get_system(name)).is_cubic}
    assert {row["system"] for row in rows} >= cubic == {"arc_eager_tree_constrained", "arc_standard"}


def test_few_slow_transitions_among_many(monkeypatch):
    monkeypatch.setattr(oracle_times, "N_PILOT", 1)

    def time_costs(*arguments):
        n_timed = len(arguments[-2])
        complete = n_timed <= 10
        return np.full(n_timed if complete else 3, 1000), np.zeros(n_timed)

    monkeypatch.setattr(oracle_times, "time_costs", time_costs)
    row = oracle_times._time(Searcher(), to_trees([(-1,)]), twelve_moves())  # type: ignore[arg-type]
    assert row["transitions"] == 10


@pytest.mark.parametrize(("milliseconds", "transitions"), [(1, 2500), (10, 250), (90, 50), (200, 0)])
def test_fewer_transitions_of_a_slow_oracle(monkeypatch, sample, milliseconds, transitions):
    def time_costs(oracle, lengths_S, heads_N, labels_N, moves_T, n_moves_S, timed, seconds):
        assert (np.diff(timed) > 0).all()
        affordable = int(seconds * 1000 / milliseconds)
        return np.full(len(timed), milliseconds * 1e6)[:affordable], np.zeros(len(timed))

    monkeypatch.setattr(oracle_times, "time_costs", time_costs)
    rows = times_by_length(sample, lengths=(10,))
    assert {row["transitions"] for row in rows} == {transitions}
    assert {row["mean"] for row in rows} == {1000 * milliseconds if transitions else None}


def test_guide():
    assert guide(get_system("covington_nonmonotonic")).name == "lower"
    assert guide(get_system("arc_eager_repair"), 1000).name == "dynamic"
    assert guide(get_system("arc_standard"), 100).name == "dynamic"
    assert guide(get_system("arc_standard"), 1000).name == "static"


@pytest.mark.parametrize("n_words", [1, 2, 10, 33, 250])
def test_chains_are_projective_trees_with_one_root(sample, n_words):
    chains = chain(sample, n_words, 20)
    assert chains.lengths_S.tolist() == [n_words] * 20
    for heads in chains.heads():
        assert naive.is_tree(heads)
        assert naive.is_projective(heads)
        assert not crossing_arcs(heads)
        assert heads.count(-1) == 1


def test_chain_cuts_and_hangs():
    trees = to_trees([(2, 0, -1), (-1, 2, 0), (None, -1), (2, 3, -1, 2)])
    assert list(chain(trees, 5, 1).heads()) == [[2, 0, -1, 2, 3]]
    assert list(chain(trees, 2, 2).heads()) == [[-1, 0], [-1, 0]]
    assert list(chain(to_trees([(None, -1)]), 3, 1).heads()) == [[-1, 0, 1]]


# Name of the system, gold heads, moves; arcs, repairs, those that build gold, destroy gold, neither
HAND_MADE = [
    # The gold arc from 1 to 2 gives way to one from 0
    (
        "covington_nonmonotonic",
        (1, -1, 1),
        "shift left_arc shift right_arc right_arc shift",
        (3, 1, 0, 1, 0),
    ),
    # 0 gets its gold head 2 in place of 1
    (
        "covington_nonmonotonic",
        (2, -1, 1),
        "shift left_arc shift right_arc left_arc shift",
        (3, 1, 1, 0, 0),
    ),
    # The arc from 0 to 2 closes a cycle: the one from 1 to 0 is removed
    (
        "covington_nonmonotonic",
        (-1, 0, 0),
        "shift left_arc shift left_arc right_arc shift",
        (3, 1, 1, 0, 0),
    ),
    # A gold arc to 1 and a wrong one to 0 give way to wrong ones
    (
        "covington_nonmonotonic",
        (-1, 0, 1, None),
        "shift right_arc shift no_arc left_arc shift left_arc left_arc left_arc shift",
        (5, 2, 0, 1, 1),
    ),
    # The arc to 3, whose head is unknown, is not counted, though it breaks a cycle
    (
        "covington_nonmonotonic",
        (-1, 0, 1, None),
        "shift right_arc shift no_arc left_arc shift left_arc left_arc right_arc shift",
        (4, 1, 0, 1, 0),
    ),
    (
        "arc_eager_unshift",
        (2, 2, -1),
        "shift right_arc left_arc left_arc shift",
        (3, 1, 1, 0, 0),
    ),
    # ROOT takes 1 from 0
    ("arc_eager_repair", (-1, -1), "right_arc left_arc left_arc", (3, 1, 1, 0, 0)),
    ("arc_eager_repair", (-1, 0), "right_arc left_arc left_arc", (3, 1, 0, 1, 0)),
    # Reduce inserts an arc
    ("arc_eager_repair", (-1, 0), "shift reduce left_arc", (2, 0, 0, 0, 0)),
]


@pytest.mark.parametrize(("name", "heads", "moves", "expected"), HAND_MADE)
def test_repairs_by_hand(name, heads, moves, expected):
    derivation = Derivation(0, len(heads), [Move(move) for move in moves.split()])
    counts, _ = repairs(get_system(name), [derivation], to_trees([heads]))
    assert tuple(counts.values()) == expected


def test_repairs_of_a_list_system():
    # ROOT gets the last word, 0, which keeps no head; its gold head is 1
    moves = [Move("right_arc", 1), Move("right_arc", 0)]
    trees = to_trees([(1, -1)])
    counts, _ = repairs(get_system("easy_first"), [Derivation(0, 2, moves)], trees)
    assert tuple(counts.values()) == (2, 0, 0, 0, 0)


def test_precision_by_arc_length():
    heads = (1, -1, 1, 0, None)
    moves = "shift left_arc shift no_arc right_arc shift no_arc no_arc right_arc shift right_arc shift"
    derivation = Derivation(0, 5, [Move(move) for move in moves.split()])
    _, lengths = repairs(get_system("covington_nonmonotonic"), [derivation], to_trees([heads]))
    found = [(row["bin"], row["gold"], row["predicted"]) for row in lengths]
    assert found == [("1", 2, 1), ("2", 0, 1), ("3-7", 1, 1), ("8+", 0, 0)]
    assert [row["precision"] for row in lengths] == [1.0, 0.0, 1.0, None]
    assert [row["recall"] for row in lengths] == [0.5, None, 1.0, None]


class FakeParser:
    """Strays at random through a system."""

    def __init__(self, system: str):
        self.system = get_system(system)

    def __call__(self, doc):
        raise AssertionError("the parser itself need not run")

    def derivations(self, docs):
        return [[self.derive(sentence) for sentence in doc.sents] for doc in docs]

    def derive(self, sentence):
        dice = random.Random(len(sentence))
        state = self.system.initial_state(len(sentence))
        moves = []
        while not state.is_final:
            chosen = dice.choice(self.system.valid_moves(state))
            move, place = chosen if self.system.kind == "list" else (chosen, 0)
            label = dice.choice(["det", "unheard"]) if move in ("left_arc", "right_arc") else ""
            moves.append(Move(move, place, label))
            self.system.apply(state, chosen, label)
        return Derivation(sentence.start, len(sentence), moves)


@Language.factory("fake_parser", default_config={"system": "covington_nonmonotonic"})
def make_fake_parser(nlp, name, system: str):
    return FakeParser(system)


@pytest.fixture
def nlp():
    nlp = spacy.blank("xx")
    nlp.add_pipe("fake_parser")
    return nlp


def test_model_derivations(nlp, sample):
    system, derivations = model_derivations(nlp, SAMPLE)
    assert system.name == "covington_nonmonotonic"
    moves = to_moves(system, derivations, sample)
    unheard = len(sample.label_ids) + 1
    assert set(moves.moves_T[:, 2]) == {-1, sample.label_ids["det"], unheard}
    followed = [move for *_, move in follow(sample, moves, system)]
    assert followed == [move.move for each in derivations for move in each.moves]


def test_figures_of_a_model(nlp, sample):
    system, derivations = model_derivations(nlp, SAMPLE)
    moves = to_moves(system, derivations, sample)
    n_moves = len(moves.moves_T)
    rows = times(sample, system=system, moves=moves, n_transitions=1000)
    assert {row["system"] for row in rows} == {system.name}
    assert {row["transitions"] for row in rows} == {1000}
    found = bounds(sample, moves=moves, n_transitions=10 * n_moves)
    assert found["transitions"] == n_moves
    counts, lengths = repairs(system, derivations, sample)
    arcs = [move for each in derivations for move in each.moves if move.label]
    assert counts["arcs"] == len(arcs)
    assert 0 < counts["repairs"] < counts["arcs"]
    assert counts["repairs"] == (
        counts["builds_gold"] + counts["destroys_gold"] + counts["neither"]
    )
    assert sum(row["gold"] for row in lengths) == (sample.heads_N >= 0).sum()


@pytest.mark.parametrize("name", ["easy_first", "yamada_matsumoto"])
def test_figures_of_a_model_of_a_list_system(name, sample):
    nlp = spacy.blank("xx")
    nlp.add_pipe("fake_parser", config={"system": name})
    system, derivations = model_derivations(nlp, SAMPLE)
    moves = to_moves(system, derivations, sample)
    followed = [move for *_, move in follow(sample, moves, system)]
    assert followed == [(move.move, move.focus) for each in derivations for move in each.moves]
    rows = times(sample, system=system, moves=moves, n_transitions=500)
    assert [(row["system"], row["transitions"]) for row in rows] == [(name, 500)]
    counts, _ = repairs(system, derivations, sample)
    n_words = len(sample.heads_N)
    assert counts["arcs"] == (n_words if name == "easy_first" else n_words - len(derivations))
    assert counts["repairs"] == 0


def test_pipeline_without_derivations():
    nlp = spacy.blank("xx")
    nlp.add_pipe("sentencizer")
    with pytest.raises(ValueError, match=r"\[NM110\].*sentencizer"):
        model_derivations(nlp, SAMPLE)


def test_derivations_of_other_sentences():
    with pytest.raises(ValueError, match=r"\[NM131\].*\[3\].*\[2\]"):
        found = [Derivation(0, 1, []), Derivation(1, 3, [])]
        to_moves(get_system("covington"), found, to_trees([(-1,), (-1, 0)]))
    with pytest.raises(ValueError, match=r"\[NM131\]"):
        repairs(get_system("covington"), [], to_trees([(-1,)]))
