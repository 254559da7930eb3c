"""What the components `brown_clusters` and `collocations` have in common: a table, which is one text
file, and extension attributes that look it up.

Such a component changes no Doc: an attribute is looked up when somebody asks for it. So the attributes
hold for every Doc of the pipeline's vocab, also for parts of it, merged tokens and what a DocBin
restores.
"""

import io
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, ClassVar

from spacy.language import Language
from spacy.tokens import Doc, Token
from spacy.vocab import Vocab

from ..files import decode_lines, write_text
from ..tokens.tables import attach_table
from .text import read_text


class TableComponent(ABC):
    """Keeps a table where the tokens and the parser of its pipeline find it, and saves it.

    A subclass says under which name they find it, what its file is called, which extension attributes
    tokens get (each with one option of `Token.set_extension`), and how the file is written and read.
    """

    TABLE: str
    FILE: str
    EXTENSIONS: ClassVar[dict[str, dict[str, Any]]]

    def __init__(self, vocab: Vocab, name: str, table: Any) -> None:
        self.vocab = vocab
        self.name = name
        self.set_table(table)

    def __call__(self, doc: Doc) -> Doc:
        """Leave the Doc as it is; a sourced component meets its new vocab here."""
        attach_table(doc.vocab, self.TABLE, self.table)
        return doc

    def set_table(self, table: Any) -> None:
        """Use this table from now on, and let tokens have the attributes.

        Raises ValueError (E090, of spaCy) if another package has attributes of these names.
        """
        self.table = table
        for name, options in self.EXTENSIONS.items():
            (function,) = options.values()
            if not (Token.has_extension(name) and function in Token.get_extension(name)):
                Token.set_extension(name, **options)
        attach_table(self.vocab, self.TABLE, table)

    def meet(self, nlp: Language | None) -> None:
        """Let the tokens of a pipeline find the table: a sourced component has another vocab."""
        if nlp is not None:
            attach_table(nlp.vocab, self.TABLE, self.table)

    @abstractmethod
    def write_table(self) -> str:
        """Write the text of the file."""

    @abstractmethod
    def read_table(self, lines: Iterator[tuple[int, str]], name: str) -> Any:
        """Read the table in the numbered lines of a file; `name` is what errors call the file."""

    # Serialisation

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.set_table(self.table)

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Save the table."""
        return self.write_table().encode("utf-8")

    def from_bytes(self, bytes_data: bytes, *, exclude: Iterable[str] = ()) -> "TableComponent":
        """Load a table; an error names the line."""
        name = f"{self.name}.from_bytes"
        self.set_table(self.read_table(decode_lines(io.BytesIO(bytes_data), name), name))
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Save the table in a folder."""
        write_text(Path(path) / self.FILE, self.write_table())

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "TableComponent":
        """Load the table of a folder; an error names the file and the line."""
        file = Path(path) / self.FILE
        lines = read_text(file, f"the table of the component {self.name!r}")
        self.set_table(self.read_table(lines, str(file)))
        return self
