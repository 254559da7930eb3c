"""Warnings of training data from which there is nothing to learn, or less than it seems."""

import warnings
from collections.abc import Iterable

from spacy.attrs import DEP
from spacy.training import Example

from ..errors import Warnings
from ..shapes import UNKNOWN_LABEL
from ..tokens.boundaries import token_starts
from .gold import GoldParse, lacks_heads, read_annotation

# Docs that are looked at before training
N_CHECKED = 1000


def check_examples(examples: Iterable[Example]) -> None:
    """Warns if no head is known (NM554), or if no Doc has two sentences (NM555)."""
    n_docs = n_known = n_inner_starts = 0
    for example in examples:
        gold = example.reference
        n_docs += 1
        if lacks_heads(gold):
            continue
        n_known += int((gold.to_array([DEP]) != 0).sum())
        # Nobody learns boundaries where all are given
        is_given = token_starts(example.predicted)[1:].any()
        n_inner_starts += int((token_starts(gold)[1:] == 1).sum()) or bool(is_given)
    if n_docs < 2:  # spaCy makes up one where it is given none
        return
    if not n_known:
        warnings.warn(Warnings.NM554.format(n=n_docs), stacklevel=3)
    elif not n_inner_starts:
        warnings.warn(Warnings.NM555.format(n=n_docs), stacklevel=3)


def unknown_labels(example: Example, gold: GoldParse) -> list[str]:
    """List the labels of an example that the parser does not have. gold: what the parser reads of it."""
    if not ((gold.labels < 0) & (gold.heads >= 0)).any():
        return []
    deps = read_annotation(example)[1]
    strings = example.reference.vocab.strings
    found = {strings[int(dep)] for dep in deps[(gold.labels < 0) & (gold.heads >= 0)]}
    return sorted(found - {UNKNOWN_LABEL})
