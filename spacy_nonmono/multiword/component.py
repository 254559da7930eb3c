"""The component `multiword_tokens`: it learns which tokens are several words of the treebank, such as
French "du" for "de le", and gives tokens `Token._.words`, these words, None for a token of one word.

It stands behind what sets the UPOS and the labels of tokens, since these choose between readings. It
may be left out or disabled: then all tokens are one word each.
"""

import json
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unicodedata import is_normalized

from spacy.attrs import DEP, ORTH, POS
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example, validate_get_examples
from spacy.util import ensure_path

from ..errors import Errors, Warnings
from ..tokens.merged import (
    MULTIWORD_TOKENS,
    forget_readings,
    get_reading,
    is_known,
    register_words,
    set_reading,
)
from ..tokens.white_space import KEPT
from .rules import N_FOUND, Rules, Token

RULES_FILE = "words.json"


@Language.factory(MULTIWORD_TOKENS, assigns=["token._.words"])
def make_multiword_tokens(nlp: Language, name: str) -> "MultiwordTokens":
    """Make the component; it has no words until it is initialized or loaded."""
    return MultiwordTokens(name)


class MultiwordTokens:
    """Puts the words of multiword tokens on Docs."""

    def __init__(self, name: str = MULTIWORD_TOKENS) -> None:
        self.name = name
        self.rules: Rules | None = None
        register_words()

    def __call__(self, doc: Doc) -> Doc:
        """Give the tokens their words, in the place of those that they have. A Doc of a treebank stays
        as it is: what a word is, the treebank has said.

        Raises ValueError (NM210) if the component has not learned any.
        """
        if self.rules is None:
            raise ValueError(Errors.NM210.format(name=self.name))
        if KEPT in doc.user_data:
            return doc
        forget_readings(doc)
        # Some signs are neither, such as that of ohm
        decomposed = is_normalized("NFD", doc.text) and not is_normalized("NFC", doc.text)
        found = self.rules.found
        if len(found) > N_FOUND:
            found.clear()
        for i, key in enumerate(doc.to_array([ORTH, POS, DEP]).reshape(-1, 3).tolist()):
            asked: tuple[Any, ...] = (*key, decomposed)
            if asked in found:
                reading = found[asked]
            else:
                token = doc[i]
                texts = token.text, token.pos_, token.dep_
                reading = found[asked] = self.rules.find(*texts, decomposed=decomposed)
            if reading is not None:
                set_reading(doc[i], reading)
        return doc

    def initialize(
        self,
        get_examples: Callable[[], Iterable[Example]],
        *,
        nlp: Language | None = None,
        labels: dict[str, Any] | None = None,
    ) -> None:
        """Learn from the gold Docs that say which tokens are several words: those of a reader with
        `multiword = "merge"`.

        labels: what was learned from other examples, as `label_data` gives it.

        Raises ValueError (NM211) if `labels` is something else. Warns (NM591) if no Doc says it.
        """
        if labels is not None:
            with self._refusing("labels"):
                self.rules = Rules.from_plain(labels)
            return
        validate_get_examples(get_examples, "MultiwordTokens.initialize")
        examples = (example for example in get_examples() if is_known(example.reference))
        tokens = [token for example in examples for token in _tokens(example.reference)]
        if not tokens:
            warnings.warn(Warnings.NM591.format(name=self.name), stacklevel=2)
        self.rules = Rules.learn(tokens)

    @property
    def label_data(self) -> dict[str, Any] | None:
        """What `spacy init labels` writes and `initialize` takes."""
        return None if self.rules is None else self.rules.to_plain()

    def _read(self, data: bytes, source: str) -> None:
        with self._refusing(source):
            found = json.loads(data)
            self.rules = None if found is None else Rules.from_plain(found)

    @contextmanager
    def _refusing(self, source: str) -> Iterator[None]:
        try:
            yield
        except (AttributeError, IndexError, KeyError, OSError, TypeError, ValueError) as error:
            message = Errors.NM211.format(found=source, name=self.name, reason=error)
            raise ValueError(message) from error

    # Serialisation

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        register_words()

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Save what was learned."""
        return json.dumps(self.label_data).encode("utf8")

    def from_bytes(self, bytes_data: bytes, *, exclude: Iterable[str] = ()) -> "MultiwordTokens":
        """Load what `to_bytes` saved. Raises ValueError (NM211) if the bytes are damaged."""
        self._read(bytes_data, f"{self.name}.from_bytes")
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Save what was learned in a folder."""
        folder = ensure_path(path)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / RULES_FILE).write_bytes(self.to_bytes())

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "MultiwordTokens":
        """Load what `to_disk` saved. Raises ValueError (NM211) if the file is lost or damaged."""
        file = ensure_path(path) / RULES_FILE
        with self._refusing(str(file)):
            data = file.read_bytes()
        self._read(data, str(file))
        return self


def _tokens(doc: Doc) -> Iterator[Token]:
    for token in doc:
        if not token.is_space:
            yield token.text, token.pos_, token.dep_, get_reading(token)
