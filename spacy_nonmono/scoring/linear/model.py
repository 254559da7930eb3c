"""The linear model: what it reads of docs, and the shim that carries its weights."""

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy
import srsly
from spacy.attrs import intify_attr
from spacy.tokens import Doc
from thinc.api import Model, Shim

from ...tokens.tables import BROWN_CLUSTERS, find_table
from ...tokens.white_space import words_of
from ..collocates import DocCollocations, doc_collocations
from ..loading import damaged, read_message
from ..positions import MAX_WINDOW
from .linear import mix_values, window_scores
from .template_sets import WINDOW_TEMPLATES, default_templates
from .templates import WORD_KINDS, Templates
from .weights import CELL, MOST_CLASSES, AveragedWeights, Weights

# What there are weights for: the moves, the words that start a sentence, the roots.
STATES, STARTS, ROOTS = WEIGHTS = ("states", "starts", "roots")
# Which of the collocates that wait outside of the context templates see
NEAREST, ALL = COLLOCATE_CHOICES = ("nearest", "all")
# Of the arrays of averaged weights: features, cells, numbers of cells
DTYPES: tuple[numpy.dtype[Any], ...] = (numpy.dtype("u8"), CELL, numpy.dtype("u2"))
# Attributes of the columns that spaCy knows; those of w and p are settings.
FORM_ATTRIBUTES = {"prefix": "PREFIX", "suffix": "SUFFIX", "shape": "SHAPE"}
# How many bits of a Brown cluster a column holds
PREFIXES = {"b": None, "b4": 4, "b6": 6}


class LinearSettings(NamedTuple):
    """The settings of `LinearTransitionParser` on which the features depend, and what is saved of
    them."""

    templates: Sequence[str] | None
    word: str
    tag: str
    min_updates: int
    collocates: str
    collocate_window: int


@dataclass
class LinearScores:
    """What the linear scorer reads of a batch of docs.

    matrix: (N, n_columns) uint64, mixed values of all words, one doc behind the other.
    columns: the kind of each column, None where no word has a value.
    lengths: (n_docs,) int32, words of each doc; white space is none.
    boundaries: (n, 1) float32 a doc; positive where a word starts a sentence.
    collocations: None where no template looks at collocates, or without a table.
    """

    matrix: numpy.ndarray
    columns: tuple[str | None, ...]
    lengths: numpy.ndarray
    boundaries: list[numpy.ndarray]
    collocations: DocCollocations | None


class LinearShim(Shim):
    """Carries the weights of a linear model through thinc: those under training, and their averages. The
    averages predict, and they are all that is saved."""

    def __init__(self, settings: LinearSettings) -> None:
        super().__init__(None)
        self.settings = settings
        self.attributes = {"w": settings.word, "p": settings.tag, **FORM_ATTRIBUTES}
        self.n_classes = 1
        self.is_ready = False
        self._training: dict[str, Weights] = {}
        self._averages: dict[str, AveragedWeights] = {}
        self._compiled: dict[tuple[bool, tuple[str | None, ...]], Templates] = {}

    def start(self) -> None:
        """Make the model ready; it has no weights at first."""
        self.is_ready = True
        self._training.clear()
        self._averages.clear()

    def choose_templates(self, kind: str) -> None:
        """Take the templates of a kind of system (`TransitionSystem.kind`), unless the config names
        others."""
        if self.settings.templates is None:
            self.settings = self.settings._replace(templates=default_templates(kind))

    def compiled(self, columns: tuple[str | None, ...], *, window: bool = False) -> Templates:
        """Get the templates that can fire where these columns have values."""
        key = (window, columns)
        if key not in self._compiled:
            names = WINDOW_TEMPLATES if window else self.settings.templates or ()
            self._compiled[key] = Templates(names, columns, self.settings.collocates == ALL)
        return self._compiled[key]

    def weights(self, name: str) -> Weights:
        """Get the weights of this name, to change them."""
        if name not in self._training:
            self._training[name] = (
                Weights.from_averages(self._averages[name])
                if name in self._averages
                else Weights()
            )
        self._averages.pop(name, None)
        return self._training[name]

    def averages(self, name: str) -> AveragedWeights:
        """Get the averages of the weights of this name."""
        if name not in self._averages:
            weights = self._training.get(name) or Weights()
            self._averages[name] = weights.averages(self.settings.min_updates)
        return self._averages[name]

    def finish_update(self, optimizer: Any) -> None:
        """Do nothing: the weights have been updated while the sentences were parsed."""

    def to_device(self, device_type: str, device_id: int) -> None:
        """Do nothing: the weights stay on the CPU."""

    def copy(self) -> "LinearShim":
        """Copy the settings and the averages."""
        return deepcopy(self)

    def __reduce__(self) -> tuple[Callable, tuple[Any, ...]]:
        """For pickle and deepcopy: what is saved is what they keep."""
        return restore, (self.settings, self.to_bytes())

    def to_bytes(self) -> bytes:
        """Save the averages, and what their features are made of; `write_arrays` has the format."""
        arrays = [
            array
            for averages in map(self.averages, WEIGHTS)
            for array in (averages.features, averages.cells, averages.n_cells)
        ]
        state = {
            **self._reads(),
            "is_ready": self.is_ready,
            "n_classes": self.n_classes,
            "sizes": [len(array) for array in arrays],
        }
        return write_arrays(state, arrays)

    def reorder(self, numbers: numpy.ndarray) -> None:
        """Give the classes of the moves other numbers: (n_classes,), new by old."""
        averages = self.averages(STATES)
        cells = averages.cells.copy()
        cells["c"] = numbers[cells["c"]]
        self._averages[STATES] = AveragedWeights(
            averages.features, averages.n_cells, cells, self.n_classes
        )
        self._training.pop(STATES, None)

    def _reads(self) -> dict[str, Any]:
        """Return what the features are made of: weights serve nothing else."""
        return {
            "templates": list(self.settings.templates or ()),
            "attributes": self.attributes,
            "collocates": [self.settings.collocates, self.settings.collocate_window],
        }

    def from_bytes(self, data: bytes) -> "LinearShim":
        """Load what `to_bytes` saved.

        Raises ValueError (NM037) for what it cannot have saved with these settings.
        """
        state, arrays = read_arrays(data)
        # Before there was a choice
        state.setdefault("collocates", [NEAREST, MAX_WINDOW])
        if set(state) != {*self._reads(), "is_ready", "n_classes", "sizes"}:
            raise damaged(f"a header of {', '.join(map(str, state))}", "that of linear weights")
        for name, own in self._reads().items():
            if state[name] != own:
                raise damaged(f"weights for the {name} {state[name]}", own)
        is_ready, n_classes = state["is_ready"], state["n_classes"]
        is_number = type(n_classes) is int and 1 <= n_classes <= MOST_CLASSES
        if type(is_ready) is not bool or not is_number:
            raise damaged(f"{n_classes!r} classes", f"1 to {MOST_CLASSES}")
        averages = {}
        for i, name in enumerate(WEIGHTS):
            features, cells, n_cells = arrays[len(DTYPES) * i :][: len(DTYPES)]
            room = n_classes if name == STATES else 1
            averages[name] = AveragedWeights(features, n_cells, cells, room)
        self.is_ready, self.n_classes = is_ready, n_classes
        self._training.clear()
        self._averages = averages
        return self


def write_arrays(state: dict[str, Any], arrays: Sequence[numpy.ndarray]) -> bytes:
    """Write the length of a header, the header in msgpack, and the arrays, each at a multiple of eight
    bytes: then loading copies none of them. state: for the header, with the sizes of the arrays."""
    header = srsly.msgpack_dumps(state)
    length = numpy.array([len(header)], dtype="u8")
    parts = [length.tobytes(), header, *(array.tobytes() for array in arrays)]
    return b"".join(part + bytes(-len(part) % 8) for part in parts)


def read_arrays(data: bytes) -> tuple[dict[str, Any], list[numpy.ndarray]]:
    """Read what `write_arrays` was given; the arrays are views of the data.

    Raises ValueError (NM037) if they do not fill the data exactly.
    """
    length = int(numpy.frombuffer(data[:8].ljust(8, b"\0"), dtype="u8")[0])
    state = read_message(data[8 : 8 + length])
    sizes = state.get("sizes") if isinstance(state, dict) else None
    dtypes = DTYPES * len(WEIGHTS)
    if not isinstance(sizes, list) or len(sizes) != len(dtypes):
        raise damaged(f"the sizes {sizes}", f"{len(dtypes)} of arrays")
    arrays = []
    at = 8 + length + -length % 8
    for size, dtype in zip(sizes, dtypes, strict=True):
        if type(size) is not int or not 0 <= size <= (len(data) - at) // dtype.itemsize:
            raise damaged(f"an array of {size!r} numbers", f"no more than the {len(data)} bytes hold")
        arrays.append(numpy.frombuffer(data, dtype, size, at) if size else numpy.zeros((0,), dtype))
        at += size * dtype.itemsize + -size * dtype.itemsize % 8
    if at != len(data):
        raise damaged(f"{len(data)} bytes", at)
    return state, arrays


def restore(settings: LinearSettings, data: bytes) -> LinearShim:
    """Make a shim of these settings with what `LinearShim.to_bytes` saved."""
    return LinearShim(settings).from_bytes(data)


def shim_of(model: Model) -> LinearShim:
    """Get the shim of a linear model."""
    shim: Any = model.shims[0]
    return shim


def forward(
    model: Model, docs: list[Doc], is_train: bool
) -> tuple[LinearScores, Callable[[Any], list[Doc]]]:
    """Read the words of docs, and score where sentences start."""
    shim = shim_of(model)
    matrix, columns, lengths = read_words(docs, shim.attributes)
    weights = shim.weights(STARTS) if is_train else shim.averages(STARTS)
    starts = window_scores(shim.compiled(columns, window=True), weights, matrix, lengths)
    boundaries = numpy.split(starts[:, None], numpy.cumsum(lengths))[: len(docs)]
    asks = shim.compiled(columns).collocates
    collocations = doc_collocations(docs, all_pairs=shim.settings.collocates == ALL) if asks else None
    scores = LinearScores(matrix, columns, lengths, boundaries, collocations)
    return scores, lambda d_scores: docs


def init(model: Model, X: list[Doc] | None = None, Y: None = None) -> None:
    """Make the model ready."""
    shim_of(model).start()


def read_words(
    docs: list[Doc], attributes: dict[str, str]
) -> tuple[numpy.ndarray, tuple[str | None, ...], numpy.ndarray]:
    """Read the matrix of the words of docs, its columns, and how many words each doc has, as in
    `LinearScores`.

    attributes: spaCy's attribute of a kind.
    """
    ids = [intify_attr(name) for name in attributes.values()]
    words_of_docs = [words_of(doc) for doc in docs]
    lengths = numpy.array([len(words) for words in words_of_docs], dtype="i")
    matrix = numpy.zeros((lengths.sum(), len(WORD_KINDS)), dtype="uint64")
    kinds = [WORD_KINDS.index(kind) for kind in attributes]
    bits = [WORD_KINDS.index(kind) for kind in PREFIXES]
    first = 0
    for doc, words in zip(docs, words_of_docs, strict=True):
        rows = slice(first, first + len(words))
        matrix[rows, kinds] = doc.to_array(ids).reshape(len(doc), len(ids))[words]
        clusters = find_table(doc.vocab, BROWN_CLUSTERS)
        if clusters is not None:
            matrix[rows, bits] = clusters.ids(doc, tuple(PREFIXES.values()))[words]
        first += len(words)
    mix_values(matrix)
    columns = tuple(
        kind if column.any() else None for kind, column in zip(WORD_KINDS, matrix.T, strict=True)
    )
    return matrix, columns, lengths
