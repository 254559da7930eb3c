"""What the oracles do on a treebank: which trees they rebuild, and how good the bounds on the loss of
`covington_nonmonotonic` are (Table 1 of Fernandez-Gonzalez & Gomez-Rodriguez 2017).

What they cost is in `oracle_times`, how a model repairs its own mistakes in `repairs`.

Derivations are a model's (`repairs.model_derivations`), or walks: the first optimal move at each step,
and now and then a random one. All oracles of a system see the configurations of the same derivations.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from ..oracles.oracle import StaticOracle
from ..oracles.registry import get_oracle, list_oracles
from ..shapes import UNKNOWN_HEAD
from ..tokens.projectivity import crossing_arcs
from ..transitions.registry import get_system, list_systems
from ..treebank.reader import read_sentences
from ..treebank.sentences import DEPREL
from .replay import find_losses, rebuilds, walk

Ints = NDArray[np.int32]

UNKNOWN_LABEL = -1
N_TRANSITIONS = 100_000
# Leads to a mean loss of the order of that in the paper; with 0.1 it is five times as high
P_RANDOM = 0.02
BOUNDS = ("lower", "pc_upper", "upper")
EXACT = "exact"


@dataclass(frozen=True)
class Trees:
    """The gold trees of S sentences, which have N words in all."""

    lengths_S: Ints
    heads_N: Ints  # within the sentence, -1 root, -2 unknown
    labels_N: Ints  # ids, -1 unknown
    label_ids: dict[str, int]

    def heads(self) -> Iterator[list[int]]:
        """Yield the heads of each sentence."""
        for heads_n in np.split(self.heads_N, np.cumsum(self.lengths_S)[:-1]):
            yield heads_n.tolist()


@dataclass(frozen=True)
class Moves:
    """The derivations of the first S' of some sentences, which have T transitions in all."""

    moves_T: Ints  # (T, 3): focus, move, label of the arc; see `replay`
    n_moves_S: Ints  # (S',)


class RoundTrip(TypedDict):
    """How many trees the static oracle of a system rebuilds.

    Trees with unknown heads are counted in `unknown`. All other numbers leave them out.
    """

    system: str
    trees: int
    unknown: int
    buildable: int | None  # trees of the system's kind; None where no simple rule tells them
    rebuilt: int
    failed: list[int]  # buildable, not rebuilt: sentences of the file, from 0


class Bounds(TypedDict):
    """Means over transitions of the loss and of its bounds, by the names of the oracles."""

    transitions: int
    means: dict[str, float]
    differences: dict[str, float]  # empty without the exact loss


def read_trees(path: Path) -> Trees:
    """Read the trees of a CoNLL-U file, or of a folder of such files.

    Raises what `read_sentences` raises.
    """
    lengths, heads, labels = [], [], []
    label_ids: dict[str, int] = {}
    for sentence in read_sentences(path):
        lengths.append(len(sentence.words))
        for columns, head in zip(sentence.words, sentence.heads, strict=True):
            known = head is not None and head >= 0
            heads.append(UNKNOWN_HEAD if head is None else head)
            labels.append(
                label_ids.setdefault(columns[DEPREL], len(label_ids)) if known else UNKNOWN_LABEL
            )
    return make_trees(lengths, heads, labels, label_ids)


def make_trees(
    lengths: Sequence[int],
    heads: Sequence[int],
    labels: Sequence[int],
    label_ids: dict[str, int],
) -> Trees:
    lengths_S, heads_N, labels_N = (np.asarray(one, dtype="i") for one in (lengths, heads, labels))
    return Trees(lengths_S, heads_N, labels_N, label_ids)


def round_trip(trees: Trees) -> list[RoundTrip]:
    """Count the trees that their static derivations rebuild, for each system with a static oracle.

    A system builds a tree if it is projective, or crossing arcs are allowed, and has one root, or
    several are allowed. None of these should fail, and no other tree be rebuilt. Of a system that
    builds some of the trees with crossing arcs, not all, it is only known which ones are rebuilt.
    """
    heads_S = list(trees.heads())
    known_S = np.array([UNKNOWN_HEAD not in heads for heads in heads_S])
    crossing_S = np.array(
        [bool(known and crossing_arcs(h)) for known, h in zip(known_S, heads_S, strict=True)]
    )
    single_S = np.array([heads.count(-1) == 1 for heads in heads_S])
    rows = []
    for name in list_systems():
        if "static" not in list_oracles(name):
            continue
        system = get_system(name)
        oracle = get_oracle("static", system)
        assert isinstance(oracle, StaticOracle)
        rebuilt_S = rebuilds(oracle, trees.lengths_S, trees.heads_N) & known_S
        buildable_S = known_S.copy()
        if system.projective:
            buildable_S &= ~crossing_S
        if system.single_root:
            buildable_S &= single_S
        rows.append(
            RoundTrip(
                system=name,
                trees=int(known_S.sum()),
                unknown=int((~known_S).sum()),
                buildable=None if system.limited else int(buildable_S.sum()),
                rebuilt=int(rebuilt_S.sum()),
                failed=[] if system.limited else np.flatnonzero(buildable_S & ~rebuilt_S).tolist(),
            )
        )
    return rows


def walk_bounds(trees: Trees, n_transitions: int, seed: int) -> tuple[Trees, Moves]:
    """Make derivations for `bounds` without a model, and return them with their sentences."""
    # A word has one Shift at least
    n_passes = -(-n_transitions // max(1, len(trees.heads_N)))
    arrays = (trees.lengths_S, trees.heads_N, trees.labels_N)
    lengths_S, heads_N, labels_N = (np.tile(array, n_passes) for array in arrays)
    sentences = Trees(lengths_S, heads_N, labels_N, trees.label_ids)
    oracle = get_oracle("lower", get_system("covington_nonmonotonic"))
    moves = walk(
        oracle, sentences.lengths_S, sentences.heads_N, None, P_RANDOM, seed, n_transitions
    )
    return sentences, Moves(*moves)


def bounds(
    trees: Trees, *, moves: Moves | None = None, n_transitions: int = N_TRANSITIONS, seed: int = 0
) -> Bounds:
    """Measure how good the bounds on the loss of `covington_nonmonotonic` are.

    Bounds and loss are computed before each of the first transitions, without labels, and their means
    are returned (Fernandez-Gonzalez & Gomez-Rodriguez 2017, section 5).

    The paper looks at the first 100,000 transitions of each treebank, of derivations that it does not
    describe: with a mean loss of 0.6, they hold errors. Here they are those of `moves`, or walks over
    the sentences in their order, as many times as needed: the first move that is optimal by the lower
    bound, and with probability 0.02 a random valid one.

    Words whose gold head is ROOT are left out, of the exact loss too. A relative difference is
    |bound - loss| / max(1, loss) at each configuration: the paper does not say what it divides by
    where the loss is 0.
    """
    sentences = trees
    if moves is None:
        sentences, moves = walk_bounds(trees, n_transitions, seed)
    moves = cut_moves(moves, n_transitions)
    system = get_system("covington_nonmonotonic")
    heads_N = np.where(sentences.heads_N == -1, UNKNOWN_HEAD, sentences.heads_N).astype("i")
    losses = {
        name: find_losses(
            get_oracle(name, system), sentences.lengths_S, heads_N, moves.moves_T, moves.n_moves_S
        )
        for name in (*BOUNDS, EXACT)
    }
    exact = losses[EXACT]
    return Bounds(
        transitions=len(moves.moves_T),
        means={name: mean(values) for name, values in losses.items()},
        differences={
            name: mean(np.abs(losses[name] - exact) / np.maximum(exact, 1)) for name in BOUNDS
        },
    )


def cut_moves(moves: Moves, n_transitions: int) -> Moves:
    """Return the first `n_transitions` transitions of derivations."""
    ends = np.minimum(np.cumsum(moves.n_moves_S), n_transitions)
    n_moves_S = np.diff(ends, prepend=0)
    return Moves(moves.moves_T[:n_transitions], n_moves_S[n_moves_S > 0].astype("i"))


def mean(values: NDArray) -> float:
    """Return the mean of an array; 0.0 if it is empty."""
    return float(values.mean()) if len(values) else 0.0
