"""The component `collocations`: it holds and saves the dictionary, and sets `Token._.collocates`.

The collocates are found in the sentence and with the parts of speech (`token.pos_`) of the time when
they are asked for. If a Doc has no sentence boundaries, the whole Doc is the sentence. Every look-up
builds the index of the sentence again; for the collocates of many words, call
`component.table.collocates(words, tags)` once per sentence.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import ClassVar

from spacy.language import Language
from spacy.tokens import Doc, Token
from spacy.training import Example
from spacy.vocab import Vocab

from ..errors import Errors
from ..tokens.heads import words_on_cycles
from ..tokens.tables import COLLOCATIONS, find_table
from .collocation_file import collocations_text, parse_collocations, read_collocations
from .collocation_training import TaggedTree, train_collocations
from .collocations import Collocations
from .component import TableComponent

COLLOCATES = "collocates"


@Language.factory(COLLOCATIONS, assigns=[f"token._.{COLLOCATES}"])
def make_collocations(nlp: Language, name: str) -> "CollocationsComponent":
    """Make the component; it has no pairs until it is initialized or loaded."""
    return CollocationsComponent(nlp.vocab, name)


def get_collocates(token: Token) -> list[tuple[Token, float]]:
    """Find the tokens of the sentence that collocate with this one, and the scores in bits, best first.

    There are none if the pipeline of the Doc's vocab has no component `collocations`.
    """
    table = find_table(token.vocab, COLLOCATIONS)
    if table is None:
        return []
    doc = token.doc
    sentence = token.sent if doc.has_annotation("SENT_START") else doc[:]
    found = table.collocates([t.text for t in sentence], [t.pos_ for t in sentence])
    i = token.i - sentence.start
    places = slice(found.starts[i], found.starts[i + 1])
    collocates = zip(found.partners[places].tolist(), found.scores[places].tolist(), strict=True)
    # Equal ones in the order of the sentence
    return [(sentence[j], score) for j, score in sorted(collocates, key=lambda item: -item[1])]


def gold_tree(doc: Doc) -> TaggedTree:
    """Read the sentences of a Doc, side by side; a word without a label, or on a cycle, has an unknown
    head."""
    heads = [
        None if not token.dep else -1 if token.head.i == token.i else token.head.i for token in doc
    ]
    on_cycles = words_on_cycles(heads)
    return TaggedTree(
        [token.text for token in doc],
        [token.pos_ for token in doc],
        [None if word in on_cycles else head for word, head in enumerate(heads)],
    )


class CollocationsComponent(TableComponent):
    """Keeps the collocations of a pipeline, and saves them as a text file."""

    TABLE = COLLOCATIONS
    FILE = "collocations.tsv"
    EXTENSIONS: ClassVar = {COLLOCATES: {"getter": get_collocates}}

    def __init__(self, vocab: Vocab, name: str = COLLOCATIONS) -> None:
        super().__init__(vocab, name, Collocations())

    def initialize(
        self,
        get_examples: Callable[[], Iterable[Example]],
        *,
        nlp: Language | None = None,
        path: str | Path | None = None,
        min_word_count: int = 3,
        min_word_score: float = 1.0,
        min_tag_count: int = 10,
        min_tag_score: float = 1.0,
        prepositions: list[str] | None = None,
    ) -> None:
        """Read the pairs of a file, or else collect those that the gold trees of the examples join.

        path: a file that `python -m spacy nonmono collocations` wrote.
        The other settings are those of `train_collocations`, for examples.

        Raises ValueError (NM154) without a path and without any arc, and the errors of
        `read_collocations` and `train_collocations`.
        """
        if path is not None:
            table = read_collocations(Path(path))
        else:
            trees = [gold_tree(example.reference) for example in get_examples()]
            if not any(head is not None and head >= 0 for tree in trees for head in tree.heads):
                raise ValueError(Errors.NM154.format(name=self.name))
            table = train_collocations(
                trees,
                min_word_count=min_word_count,
                min_word_score=min_word_score,
                min_tag_count=min_tag_count,
                min_tag_score=min_tag_score,
                prepositions=prepositions or (),
            )
        self.set_table(table)
        self.meet(nlp)

    def write_table(self) -> str:
        """Write all pairs."""
        return collocations_text(self.table)

    def read_table(self, lines: Iterator[tuple[int, str]], name: str) -> Collocations:
        """Read the pairs in the lines of a file."""
        return parse_collocations(lines, name)
