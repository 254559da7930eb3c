"""The component `brown_clusters`: it holds and saves a table of Brown clusters, and gives tokens
`Token._.brown_cluster`, the bit string of the word, "" if it is not known, and
`Token._.brown_prefix(n)`, the first n bits of it.

It changes no Doc: the table is looked up when an attribute is asked for. So the attributes hold for
every Doc of the pipeline's vocab, also for parts of it, merged tokens and what a DocBin restores.
"""

import io
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy
from numpy.typing import NDArray
from spacy.language import Language
from spacy.strings import get_string_id
from spacy.tokens import Doc, Token
from spacy.training import Example
from spacy.vocab import Vocab

from ..errors import Errors
from ..files import decode_lines
from ..tables import BROWN_CLUSTERS, attach_table, find_table
from .paths import PathsRow, parse_paths, read_paths, to_text, write_paths
from .text import read_text

PATHS_FILE = "paths"


@Language.factory(
    BROWN_CLUSTERS,
    assigns=["token._.brown_cluster", "token._.brown_prefix"],
    default_config={"casing": False},
)
def make_brown_clusters(nlp: Language, name: str, casing: bool) -> "BrownClustersComponent":
    """The component, without clusters until it is initialized or loaded."""
    return BrownClustersComponent(nlp.vocab, name, casing=casing)


def get_cluster(token: Token) -> str:
    """The bit string of the word; "" if it or the table is not known."""
    table = find_table(token.vocab, BROWN_CLUSTERS)
    return "" if table is None else table.cluster(token.text)


def get_prefix(token: Token, n: int) -> str:
    """The first n bits, or all if there are fewer."""
    return get_cluster(token)[:n]


EXTENSIONS: dict[str, dict[str, Any]] = {
    "brown_cluster": {"getter": get_cluster},
    "brown_prefix": {"method": get_prefix},
}


class BrownTable:
    """Bit strings of words.

    casing: whether a word that is not known is looked up in lower case, then in title case.
    """

    def __init__(self, rows: Iterable[PathsRow] = (), *, casing: bool = False) -> None:
        self.rows = list(rows)
        self.casing = casing
        self._bits = {row.word: row.bits for row in self.rows}
        self._ids: dict[tuple[int | None, ...], dict[str, list[int]]] = {}

    def __len__(self) -> int:
        return len(self.rows)

    def cluster(self, word: str) -> str:
        """The bit string of the word's cluster, "" if it has none."""
        bits = self._bits.get(word)
        if bits is None and self.casing:
            bits = self._bits.get(word.lower()) or self._bits.get(word.title())
        return bits or ""

    def clusters(self, doc: Doc) -> list[str]:
        """The bit string of each token."""
        return [self.cluster(token.text) for token in doc]

    def ids(self, doc: Doc, lengths: Sequence[int | None]) -> NDArray[numpy.uint64]:
        """(n, n_lengths) of n tokens: the hashes of prefixes of their bit strings, 0 where there is no
        cluster. lengths: in bits; None for the whole string."""
        known = self._ids.setdefault(tuple(lengths), {})
        rows = []
        for bits in self.clusters(doc):
            if bits not in known:
                known[bits] = [get_string_id(bits[:n]) for n in lengths]
            rows.append(known[bits])
        return numpy.array(rows, dtype="uint64").reshape(len(doc), len(lengths))


class BrownClustersComponent:
    """Keeps the Brown clusters of a pipeline where its tokens and its parser find them."""

    def __init__(self, vocab: Vocab, name: str = BROWN_CLUSTERS, *, casing: bool = False) -> None:
        self.vocab = vocab
        self.name = name
        self.table = BrownTable(casing=casing)
        self._register()

    def __call__(self, doc: Doc) -> Doc:
        """Leave the Doc as it is; a sourced component meets its new vocab here.

        Raises ValueError (NM146) if the component has no clusters.
        """
        self._require_table()
        attach_table(doc.vocab, BROWN_CLUSTERS, self.table)
        return doc

    def initialize(
        self,
        get_examples: Callable[[], Iterable[Example]],
        *,
        nlp: Language | None = None,
        path: str | Path | None = None,
    ) -> None:
        """Read the clusters.

        path: a `paths` file. A component that was loaded or sourced with clusters needs none.

        Raises ValueError (NM146) if there is neither a path nor a table, and the errors of `read_paths`.
        """
        if path is not None:
            self._set_rows(read_paths(Path(path)))
        self._require_table()

    def _require_table(self) -> None:
        if not len(self.table):
            raise ValueError(Errors.NM146.format(name=self.name))

    def _set_rows(self, rows: list[PathsRow]) -> None:
        self.table = BrownTable(rows, casing=self.table.casing)
        self._register()

    def _register(self) -> None:
        """Let tokens have the attributes and find the table. spaCy raises E090 if others have them."""
        for name, options in EXTENSIONS.items():
            (function,) = options.values()
            if not (Token.has_extension(name) and function in Token.get_extension(name)):
                Token.set_extension(name, **options)
        attach_table(self.vocab, BROWN_CLUSTERS, self.table)

    # Serialisation: the table, as a `paths` file. `casing` is in the config.

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._register()

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        return to_text(self.table.rows).encode("utf-8")

    def from_bytes(self, bytes_data: bytes, *, exclude: Iterable[str] = ()) -> "BrownClustersComponent":
        name = f"{self.name}.from_bytes"
        self._set_rows(parse_paths(decode_lines(io.BytesIO(bytes_data), name), name))
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        write_paths(self.table.rows, Path(path) / PATHS_FILE)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "BrownClustersComponent":
        file = Path(path) / PATHS_FILE
        self._set_rows(parse_paths(read_text(file, "the clusters of the component"), str(file)))
        return self
