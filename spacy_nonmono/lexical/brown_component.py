"""The component `brown_clusters`: it holds and saves a table of Brown clusters, and gives tokens
`Token._.brown_cluster`, the bit string of the word, "" if it is not known, and
`Token._.brown_prefix(n)`, the first n bits of it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import ClassVar

import numpy
from numpy.typing import NDArray
from spacy.language import Language
from spacy.strings import get_string_id
from spacy.tokens import Doc, Token
from spacy.training import Example
from spacy.vocab import Vocab

from ..errors import Errors
from ..tokens.tables import BROWN_CLUSTERS, find_table
from .component import TableComponent
from .embedding import plain
from .paths import PathsRow, parse_paths, paths_text, read_paths


@Language.factory(
    BROWN_CLUSTERS,
    assigns=["token._.brown_cluster", "token._.brown_prefix"],
    default_config={"casing": False},
)
def make_brown_clusters(nlp: Language, name: str, casing: bool) -> "BrownClustersComponent":
    """Make the component; it has no clusters until it is initialized or loaded."""
    return BrownClustersComponent(nlp.vocab, name, casing=casing)


def get_cluster(token: Token) -> str:
    """Get the bit string of the word; it is empty if the word is not in the table, or if there is no
    table."""
    table = find_table(token.vocab, BROWN_CLUSTERS)
    return "" if table is None else table.cluster(token.text)


def get_prefix(token: Token, n: int) -> str:
    """Get the first n bits of the word's bit string, or all if there are fewer."""
    return get_cluster(token)[:n]


class BrownTable:
    """A table of the bit strings of words.

    casing: whether a word that is not known is looked up in lower case, then in title case. Last it is
        looked up composed, and with `'` in the place of other apostrophes.
    """

    def __init__(self, rows: Iterable[PathsRow] = (), *, casing: bool = False) -> None:
        self.rows = list(rows)
        self.casing = casing
        self._bits = {row.word: row.bits for row in self.rows}
        self._ids: dict[tuple[int | None, ...], dict[str, list[int]]] = {}

    def cluster(self, word: str) -> str:
        """Get the bit string of the word's cluster; it is empty if the word has none."""
        if word in self._bits:
            return self._bits[word]
        return next((self._bits[form] for form in self._forms(word) if form in self._bits), "")

    def _forms(self, word: str) -> Iterator[str]:
        """Yield the forms under which a word may be known."""
        for form in (word, plain(word)):
            yield form
            if self.casing:
                yield from (form.lower(), form.title(), form.capitalize())

    def ids(self, doc: Doc, lengths: Sequence[int | None]) -> NDArray[numpy.uint64]:
        """Get the hashes of prefixes of the bit strings of n tokens: (n, n_lengths), 0 where there is no
        cluster. lengths: in bits; None for the whole string."""
        known = self._ids.setdefault(tuple(lengths), {})
        rows = []
        for bits in (self.cluster(token.text) for token in doc):
            if bits not in known:
                known[bits] = [get_string_id(bits[:n]) for n in lengths]
            rows.append(known[bits])
        return numpy.array(rows, dtype="uint64").reshape(len(doc), len(lengths))


class BrownClustersComponent(TableComponent):
    """Keeps the Brown clusters of a pipeline, and saves them as a `paths` file."""

    TABLE = BROWN_CLUSTERS
    FILE = "paths"
    EXTENSIONS: ClassVar = {
        "brown_cluster": {"getter": get_cluster},
        "brown_prefix": {"method": get_prefix},
    }

    def __init__(self, vocab: Vocab, name: str = BROWN_CLUSTERS, *, casing: bool = False) -> None:
        super().__init__(vocab, name, BrownTable(casing=casing))

    def __call__(self, doc: Doc) -> Doc:
        """Leave the Doc as it is. Raises ValueError (NM146) if the component has no clusters."""
        self._require_table()
        return super().__call__(doc)

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
            self.set_table(BrownTable(read_paths(Path(path)), casing=self.table.casing))
        self._require_table()
        self.meet(nlp)

    def _require_table(self) -> None:
        if not self.table.rows:
            raise ValueError(Errors.NM146.format(name=self.name))

    def write_table(self) -> str:
        """Write the clusters alone: `casing` is in the config."""
        return paths_text(self.table.rows)

    def read_table(self, lines: Iterator[tuple[int, str]], name: str) -> BrownTable:
        """Read the clusters in the lines of a `paths` file."""
        return BrownTable(parse_paths(lines, name), casing=self.table.casing)
