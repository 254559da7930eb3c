"""How a model repairs its own mistakes: the arcs that it replaces, and its precision by arc length
(Fernandez-Gonzalez & Gomez-Rodriguez 2017, section 6.3).

A model's derivations are those that the component's `derivations` returns: one per sentence, with
`n_words` and `moves`, each of which has `move`, `focus` and `label`.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypedDict

import numpy as np
from spacy.language import Language

from ..errors import Errors
from ..evaluation.scores import Parses
from ..installed import find_parser
from ..shapes import UNKNOWN_HEAD
from ..transitions.system import TransitionSystem
from ..treebank.corpus import create_conllu_corpus
from .breakdowns import ArcScores, by_arc_length
from .counts import count_arcs
from .oracle_report import UNKNOWN_LABEL, Moves, Trees

LENGTH_BINS = (1, 2, 3, 8)  # the paper speaks of arcs longer than 7


class Repairs(TypedDict):
    """How many transitions attach a word of known gold head, and what those do that remove an arc."""

    arcs: int
    repairs: int  # arcs that take an arc's place, or break a cycle
    builds_gold: int  # repairs by a gold arc
    destroys_gold: int  # repairs by another arc that remove a gold one
    neither: int


def model_derivations(nlp: Language, path: Path) -> tuple[TransitionSystem, list[Any]]:
    """Parse a CoNLL-U file with gold boundaries, and return the system and the derivations.

    Raises ValueError (NM110) if no component tells its derivations.
    """
    name = find_parser(nlp)
    component: Any = nlp.get_pipe(name)
    words = [example.predicted for example in create_conllu_corpus(path, gold_sents=True)(nlp)]
    from_parser_on = nlp.pipe_names[nlp.pipe_names.index(name) :]
    docs = list(nlp.pipe(words, disable=from_parser_on))
    derivations = [each for doc in component.derivations(docs) for each in doc]
    return component.system, derivations


def to_moves(system: TransitionSystem, derivations: Sequence[Any], trees: Trees) -> Moves:
    """Return the derivations of all sentences as arrays. Labels that the gold trees lack get new ids.

    Raises ValueError (NM131) for other sentences.
    """
    check_sentences(derivations, trees)
    label_ids = {"": UNKNOWN_LABEL, **trees.label_ids}
    rows = [
        (
            move.focus,
            system.moves.index(move.move),
            label_ids.setdefault(move.label, len(label_ids)),
        )
        for derivation in derivations
        for move in derivation.moves
    ]
    n_moves = [len(derivation.moves) for derivation in derivations]
    return Moves(np.array(rows, dtype="i").reshape(-1, 3), np.array(n_moves, dtype="i"))


def check_sentences(derivations: Sequence[Any], trees: Trees) -> None:
    """Raise ValueError (NM131) unless the sentences have as many words as the gold trees."""
    found = [derivation.n_words for derivation in derivations]
    expected = trees.lengths_S.tolist()
    if found != expected:
        i = next((i for i, (a, b) in enumerate(zip(found, expected, strict=False)) if a != b), 0)
        raise ValueError(Errors.NM131.format(found=found[i : i + 5], expected=expected[i : i + 5]))


def repairs(
    system: TransitionSystem, derivations: Sequence[Any], trees: Trees
) -> tuple[Repairs, list[ArcScores]]:
    """Count what the derivations repair, and score the arcs of their final trees by length.

    Words that are left without a head, and that the component attaches in the end, count as roots.
    Labels are not looked at.

    Raises ValueError (NM131) for the derivations of other sentences.
    """
    check_sentences(derivations, trees)
    counts = Repairs(arcs=0, repairs=0, builds_gold=0, destroys_gold=0, neither=0)
    found = [
        _replay(system, derivation, gold, counts)
        for derivation, gold in zip(derivations, trees.heads(), strict=True)
    ]
    arcs = count_arcs(_parses(trees.heads()), _parses(found))
    return counts, by_arc_length(arcs, bins=LENGTH_BINS)


def _parses(trees: Iterable[list[int]]) -> Parses:
    """Return trees as scores take them, without labels. trees: the heads of each sentence."""
    heads: list[int] = []
    starts: list[bool] = []
    for of_sentence in trees:
        heads += [head if head < 0 else len(starts) + head for head in of_sentence]
        starts += [word == 0 for word in range(len(of_sentence))]
    no_labels = np.full(len(heads), "")
    no_punct = np.zeros(len(heads), dtype=bool)
    return Parses(np.array(heads, dtype=np.int64), no_labels, np.array(starts, dtype=bool), no_punct)


def _replay(
    system: TransitionSystem, derivation: Any, gold: list[int], counts: Repairs
) -> list[int]:
    """Add the repairs of a derivation to the counts, and return the heads that it ends with."""
    state = system.initial_state(derivation.n_words)
    before = state.heads
    for move in derivation.moves:
        made = (move.move, move.focus) if system.kind == "list" else move.move
        arc = system.arc(state, made)
        system.apply(state, made, label=move.label)
        after = state.heads
        if arc is not None and gold[arc[1]] != UNKNOWN_HEAD:
            removed = [d for d in range(len(gold)) if before[d] >= 0 and after[d] != before[d]]
            counts["arcs"] += 1
            if removed:
                counts["repairs"] += 1
                if arc[0] == gold[arc[1]]:
                    counts["builds_gold"] += 1
                elif any(before[d] == gold[d] for d in removed):
                    counts["destroys_gold"] += 1
                else:
                    counts["neither"] += 1
        before = after
    return before
