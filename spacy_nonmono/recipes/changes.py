"""What another parser changes in the rest of a pipeline, word by word.

Components behind the parser may read heads, labels or sentence boundaries: an `attribute_ruler` with
patterns on DEP sets other parts of speech then, the lemmatizer reads these, and entities never cross a
sentence boundary.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
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
N_EXAMPLES = 5


@dataclass
class Change:
    """Words of which an attribute changed.

    n_with: of these, the words whose cause changed as well: for LEMMA their POS, for ENT a sentence
        boundary in or at the entity. The other attributes have no such cause.
    examples: the most frequent changes, "old > new".
    """

    n_changed: int = 0
    n_with: int = 0
    examples: dict[str, int] = field(default_factory=dict)

    def add(self, old: str, new: str, with_cause: bool) -> None:
        self.n_changed += 1
        self.n_with += with_cause
        key = f"{_without(old, new) or '-'} > {_without(new, old) or '-'}"
        self.examples[key] = self.examples.get(key, 0) + 1

    def most_frequent(self) -> list[str]:
        return sorted(self.examples, key=lambda key: -self.examples[key])[:N_EXAMPLES]


@dataclass
class Changes:
    """n_words: words of which old and new were compared; n_split: docs whose words differ, which were
    not compared."""

    by_attribute: dict[str, Change]
    n_words: int = 0
    n_split: int = 0
    n_boundaries: int = 0  # words that start a sentence in one parse only


def find_changes(old: Iterable[Doc], new: Iterable[Doc]) -> Changes:
    """Compare what two pipelines say of the same texts."""
    changes = Changes({name: Change() for name in ATTRIBUTES})
    for was, now in zip(old, new, strict=True):
        if [token.text for token in was] != [token.text for token in now]:
            changes.n_split += 1
        else:
            _compare(was, now, changes)
    return changes


def label_readers(nlp: Language) -> list[str]:
    """The components that read the labels of arcs: they say so, or have patterns with DEP."""
    found = []
    for name, pipe in nlp.components:
        requires = nlp.get_pipe_meta(name).requires
        if "token.dep" in requires or "doc.noun_chunks" in requires or _names_dep(_patterns(pipe)):
            found.append(name)
    return found


def _patterns(pipe: Any) -> Any:
    patterns = getattr(pipe, "patterns", ())
    return () if callable(patterns) else patterns


def _names_dep(patterns: Any) -> bool:
    """Whether there is a key DEP somewhere in patterns of spaCy's matchers."""
    if isinstance(patterns, dict):
        return any(str(key).upper() == "DEP" or _names_dep(value) for key, value in patterns.items())
    return isinstance(patterns, list | tuple) and any(map(_names_dep, patterns))


def _without(features: str, others: str) -> str:
    """Of several features (`A=1|B=2`) those that the others do not have."""
    if "|" not in features + others:
        return features
    return "|".join(one for one in features.split("|") if one not in others.split("|"))


def _compare(was: Doc, now: Doc, changes: Changes) -> None:
    changes.n_words += len(was)
    pairs = list(zip(was, now, strict=True))
    moved = [a.is_sent_start != b.is_sent_start for a, b in pairs]
    changes.n_boundaries += sum(moved)
    for i, (a, b) in enumerate(pairs):
        for name, read in ATTRIBUTES.items():
            old, new = read(a), read(b)
            if old == new:
                continue
            cause = {
                "LEMMA": a.pos != b.pos,
                "ENT": any(moved[max(i - 1, 0) : i + 2]) or _near(was, now, moved, i),
            }
            changes.by_attribute[name].add(old, new, cause.get(name, False))


def _near(was: Doc, now: Doc, moved: list[bool], i: int) -> bool:
    """Is a boundary that moved in one of the entities that word i belongs to, or at its edge?"""
    spans = [span for doc in (was, now) for span in doc.ents if span.start <= i < span.end]
    return any(any(moved[span.start : span.end + 1]) for span in spans)
