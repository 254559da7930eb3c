"""What another parser changes in the rest of a pipeline, word by word.

Components behind the parser may read heads, labels or sentence boundaries: an `attribute_ruler` with
patterns on DEP sets other parts of speech then, the lemmatizer reads these, and entities never cross a
sentence boundary.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc, Token

# By what it is called in reports
ATTRIBUTES: dict[str, Callable[[Token], str]] = {
    "TAG": lambda token: token.tag_,
    "POS": lambda token: token.pos_,
    "MORPH": lambda token: str(token.morph),
    "LEMMA": lambda token: token.lemma_,
    "ENT": lambda token: f"{token.ent_iob_}-{token.ent_type_}".rstrip("-"),
}


@dataclass
class Changes:
    """n_words: words of which old and new were compared; n_split: docs whose words differ, which were
    not compared. by_attribute: how many words have which change, "old > new"."""

    by_attribute: dict[str, Counter[str]]
    n_words: int = 0
    n_split: int = 0
    n_boundaries: int = 0  # words that start a sentence in one parse only


def find_changes(old: Iterable[Doc], new: Iterable[Doc]) -> Changes:
    """Compare what two pipelines say of the same texts."""
    changes = Changes({name: Counter() for name in ATTRIBUTES})
    for was, now in zip(old, new, strict=True):
        if [token.text for token in was] != [token.text for token in now]:
            changes.n_split += 1
            continue
        changes.n_words += len(was)
        for a, b in zip(was, now, strict=True):
            changes.n_boundaries += a.is_sent_start != b.is_sent_start
            for name, read in ATTRIBUTES.items():
                if read(a) != read(b):
                    changes.by_attribute[name][_change(read(a), read(b))] += 1
    return changes


def _change(old: str, new: str) -> str:
    """ "old > new"; of several features (`A=1|B=2`), those that differ."""
    if "|" in old + new:
        olds, news = old.split("|"), new.split("|")
        old = "|".join(one for one in olds if one not in news)
        new = "|".join(one for one in news if one not in olds)
    return f"{old or '-'} > {new or '-'}"


def label_readers(nlp: Language) -> list[str]:
    """Return the components that read the labels of arcs: they say so, or have patterns with DEP."""
    found = []
    for name, pipe in nlp.components:
        requires, patterns = nlp.get_pipe_meta(name).requires, getattr(pipe, "patterns", ())
        if "token.dep" in requires or "doc.noun_chunks" in requires or _names_dep(patterns):
            found.append(name)
    return found


def _names_dep(patterns: Any) -> bool:
    """Return whether patterns of spaCy's matchers have a key DEP somewhere."""
    if isinstance(patterns, dict):
        return any(str(key).upper() == "DEP" or _names_dep(value) for key, value in patterns.items())
    return isinstance(patterns, list | tuple) and any(map(_names_dep, patterns))
