"""The architecture `spacy-nonmono.MultiHashEmbed.v1`: token attributes, affixes and Brown clusters as
vectors."""

import re
from collections import Counter
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any
from unicodedata import is_normalized, normalize

import numpy
from spacy.attrs import LOWER, intify_attr
from spacy.ml import staticvectors
from spacy.ml.staticvectors import StaticVectors
from spacy.strings import get_string_id
from spacy.tokens import Doc
from thinc.api import (
    HashEmbed,
    Maxout,
    Model,
    chain,
    concatenate,
    list2ragged,
    ragged2list,
    uniform_init,
    with_array,
)
from thinc.types import Floats2d, Ints2d, Ragged

from ..errors import Errors
from ..shapes import check_finite
from ..tokens.tables import BROWN_CLUSTERS, find_table
from ..tokens.white_space import words_of

# The string of a word's cluster, or so many bits of it
BROWN = re.compile(r"BROWN([1-9]\d*)?")
# So many characters of a word in lower case, or the sum of several such
AFFIX = re.compile(r"(PREFIX|SUFFIX)([1-9])(?:-([1-9]))?")
# Attributes that tell a word from all others
IDENTITIES = ("ORTH", "LOWER", "NORM", "LEMMA")
# What other components may say anew of a Doc in each pass
ANNOTATED = ("LEMMA", "POS", "TAG", "MORPH", "DEP", "ENT_TYPE", "ENT_IOB")
# What depends on how a word is written, by the names that lexemes have
WRITTEN = {name: name.lower() for name in ("ORTH", "LOWER", "NORM", "SHAPE", "PREFIX", "SUFFIX")}
APOSTROPHES = str.maketrans("’ʼ", "''")
# Of the hashes of the first attribute, as in spaCy
SEED = 8
# Affixes of so many words are remembered: some megabytes
N_WORDS = 20_000


def MultiHashEmbed(
    width: int,
    attrs: list[str],
    rows: list[int],
    include_static_vectors: bool = False,
    word_dropout: float = 0.0,
) -> Model[list[Doc], list[Floats2d]]:
    """Make spaCy's `MultiHashEmbed.v2` with affixes and Brown clusters: each attribute has a table of
    hashed vectors, and a layer mixes those of a token. A word has the same vectors in composed and in
    decomposed text, and with `'`, `’` and `ʼ`; the static vectors of a pipeline know what is written.

    width: the width of the vectors.
    attrs: token attributes that spaCy knows, such as NORM, PREFIX, SUFFIX, SHAPE, POS, TAG, MORPH;
        "PREFIX4" or "SUFFIX5", or with any other digit, so many first or last characters of the word in
        lower case (of a word that is not longer: none), where spaCy's PREFIX is the first character and
        SUFFIX the last three as they are written; "SUFFIX1-5", the sum of the vectors of SUFFIX1 to
        SUFFIX5, from one table; "BROWN", the string of the word's cluster, and "BROWN4", or with any
        other number, its first bits. These need the component `brown_clusters` in the pipeline.
    rows: the number of rows in the table of each attribute.
    include_static_vectors: also mix in the vectors of the pipeline.
    word_dropout: the number of occurrences in the training data with which a word looks like an unknown
        one half of the time in training; rarer words do so more often, frequent ones hardly ever. So do
        affixes, each by its own occurrences. For what an unknown word looks like, see `WordDropout`.

    Raises ValueError: NM156 for an unknown attribute, NM157 if there is not one number of rows for each.
    The model raises NM158 if it is to see Brown clusters, and the pipeline of a Doc has none, and NM220
    if a vector of the pipeline is not finite.
    """
    if len(rows) != len(attrs):
        raise ValueError(Errors.NM157.format(n_attrs=len(attrs), n_rows=len(rows)))
    for attr in attrs:
        known = BROWN.fullmatch(attr) or AFFIX.fullmatch(attr) or intify_attr(attr) is not None
        if not known or not summed_attributes(attr):
            raise ValueError(Errors.NM156.format(found=attr))
    tables: list[Model] = []
    names: list[str] = []
    for n_rows, columns in zip(rows, map(summed_attributes, attrs), strict=True):
        first, seed = len(names), SEED + len(tables)
        names += columns
        tables.append(
            HashEmbed(width, n_rows, column=first, seed=seed, dropout=0.0)
            if len(columns) == 1
            else HashEmbedSum(width, n_rows, first, len(names), seed=seed)
        )
    layers: list[Model] = [
        extract_attributes(names, word_dropout),
        list2ragged(),
        with_array(concatenate(*tables)),
    ]
    if include_static_vectors:
        static = StaticVectors(width, dropout=0.0)
        static._func = forward_static
        layers = [concatenate(chain(*layers), static)]
    n_inputs = width * (len(attrs) + include_static_vectors)
    mix = Maxout(width, n_inputs, nP=3, dropout=0.0, normalize=True)
    return chain(*layers, with_array(mix), ragged2list())


def forward_static(
    model: Model[list[Doc], Ragged], docs: list[Doc], is_train: bool
) -> tuple[Ragged, Callable[[Ragged], list[Doc]]]:
    """Do what spaCy's static vectors do, in single floats, and refuse numbers that are not finite."""
    ops: Any = model.ops
    found, backprop_doubles = staticvectors.forward(model, docs, is_train)
    check_finite("The static vector", found.data, (token for doc in docs for token in doc))

    def backprop(d_found: Ragged) -> list[Doc]:
        backprop_doubles(d_found)
        model.set_grad("W", ops.asarray2f(model.get_grad("W")))
        return docs

    return Ragged(ops.asarray2f(found.data), found.lengths), backprop


def summed_attributes(attr: str) -> list[str]:
    """List PREFIX2, PREFIX3 and PREFIX4 for PREFIX2-4; other attributes stand for themselves."""
    affix = AFFIX.fullmatch(attr)
    if affix is None:
        return [attr]
    kind, first, last = affix.groups()
    return [f"{kind}{n}" for n in range(int(first), int(last or first) + 1)]


def HashEmbedSum(
    width: int, n_rows: int, first: int, end: int, *, seed: int
) -> Model[Ints2d, Floats2d]:
    """Make thinc's `HashEmbed` of the columns from `first` up to `end`, which share a table: the sum of
    their vectors."""
    return Model(
        "hashembed",
        forward_sum,
        init=init_sum,
        params={"E": None},
        dims={"nO": width, "nV": n_rows, "nI": None},
        attrs={"seed": seed, "first": first, "end": end, "dropout_rate": 0.0},
    )


def init_sum(model: Model[Ints2d, Floats2d], X: Any = None, Y: Any = None) -> None:
    """Draw the vectors of the table."""
    model.set_param("E", uniform_init(model.ops, (model.get_dim("nV"), model.get_dim("nO"))))


def forward_sum(
    model: Model[Ints2d, Floats2d], ids: Ints2d, is_train: bool
) -> tuple[Floats2d, Callable[[Floats2d], Ints2d]]:
    """Sum the vectors of the columns."""
    ops = model.ops
    table: Any = model.get_param("E")
    columns: Any = ops.as_contig(ids[:, model.attrs["first"] : model.attrs["end"]], dtype="uint64")
    hashes: Any = ops.hash(columns.reshape(columns.size), model.attrs["seed"])
    keys = (hashes % len(table)).reshape(len(ids), hashes.shape[1] * columns.shape[1])
    output = ops.gather_add(table, keys) if len(ids) else ops.alloc2f(0, table.shape[1])
    mask: Any = None
    if is_train:
        mask = ops.get_dropout_mask((table.shape[1],), model.attrs["dropout_rate"])
        output *= mask

    def backprop(d_output: Floats2d) -> Ints2d:
        if mask is not None:
            d_output = d_output * mask
        d_table = ops.alloc2f(*table.shape)
        for rows in ops.as_contig(keys.T, dtype="i"):
            ops.scatter_add(d_table, rows, d_output)
        model.inc_grad("E", d_table)
        return ops.alloc(ids.shape, dtype=ids.dtype)  # type: ignore[no-any-return]

    return output, backprop


class WordDropout:
    """Replaces ids of words by random ones, with probability rate / (rate + occurrences in the training
    data) (Iyyer et al. 2015; Kiperwasser & Goldberg 2016, 4.3).

    A new word finds vectors of the hash table that belong to others, another mix for every word. A
    random id does so, too: the parser learns to trust the word's shape and its context then. The
    occurrences are counted on the way, in docs that were not seen before, so that the number of passes
    does not matter.
    """

    def __init__(self, rate: float, groups: list[list[int]], lexical: list[int]) -> None:
        """groups: columns that are replaced together; the first of them counts. lexical: those of what
        the same Doc has in each pass, whatever a tagger says."""
        self.rate = rate
        self._lexical = lexical
        self._groups = [(columns, Counter[int]()) for columns in groups]
        self._seen: set[int] = set()

    def clear(self) -> None:
        """Forget what was counted."""
        self._seen.clear()
        for _, counts in self._groups:
            counts.clear()

    def __call__(self, values: numpy.ndarray, words: numpy.ndarray) -> None:
        """Replace ids (n, n_attrs) in place. words: (n_words,), which tokens are words."""
        for columns, chances in self.chances(values, words):
            chosen = words[numpy.random.uniform(size=len(words)) < chances]
            for column in columns:
                values[chosen, column] = numpy.random.randint(2**63, size=len(chosen))

    def chances(
        self, values: numpy.ndarray, words: numpy.ndarray
    ) -> list[tuple[list[int], numpy.ndarray]]:
        """Count the ids of a doc if it is new. Returns the columns of each group, and how likely each
        word (n_words,) is replaced there."""
        doc = hash(values[:, self._lexical].tobytes())
        is_new = doc not in self._seen
        self._seen.add(doc)
        found = []
        for columns, counts in self._groups:
            ids = values[words, columns[0]].tolist()
            if is_new:
                counts.update(ids)
            occurrences = numpy.array([counts[word] for word in ids], dtype="f")
            found.append((columns, self.rate / (self.rate + occurrences)))
        return found


def extract_attributes(
    attrs: list[str], word_dropout: float = 0.0
) -> Model[list[Doc], list[Ints2d]]:
    """Make the layer that reads the attributes of tokens: (n, n_attrs) uint64 per doc, one column per
    attribute; for Brown clusters as `BrownTable.ids`."""
    groups = [[column] for column, name in enumerate(attrs) if AFFIX.fullmatch(name)]
    groups.append([column for column, name in enumerate(attrs) if name in IDENTITIES])
    lexical = [column for column, name in enumerate(attrs) if name not in ANNOTATED]
    dropout = WordDropout(word_dropout, [group for group in groups if group], lexical)
    return Model(
        "extract_attributes",
        partial(forward, dropout=dropout),
        init=partial(forget, dropout=dropout),
        attrs={"names": attrs},
    )


def forget(model: Model, X: Any = None, Y: Any = None, *, dropout: WordDropout) -> None:
    """A second initialization starts from nothing. A function of the module, since a pipeline is
    pickled."""
    dropout.clear()


def forward(
    model: Model, docs: list[Doc], is_train: bool, *, dropout: WordDropout
) -> tuple[list[Ints2d], Callable[[list[Ints2d]], list[Doc]]]:
    """Read the attributes of tokens; in training some of them are replaced by random ones."""
    names = model.attrs["names"]
    brown, affixes = (
        [column for column, name in enumerate(names) if kind.fullmatch(name)]
        for kind in (BROWN, AFFIX)
    )
    lengths = [int(names[column].removeprefix("BROWN") or 0) or None for column in brown]
    other = [column for column in range(len(names)) if column not in {*brown, *affixes}]
    ids = [intify_attr(names[column]) for column in other]
    affix_names = tuple(names[column] for column in affixes)
    written = {column: WRITTEN[names[column]] for column in other if names[column] in WRITTEN}
    found = []
    for doc in docs:
        values: Any = numpy.zeros((len(doc), len(names)), dtype="uint64")
        words = lower_words(doc)
        if other:
            values[:, other] = doc.to_array(ids).reshape(len(doc), len(ids))
        if affixes:
            values[:, affixes] = affix_ids(words, affix_names)
        if not is_plain("\n".join(words)):
            make_plain(values, doc, words, written)
        if brown:
            clusters = find_table(doc.vocab, BROWN_CLUSTERS)
            if clusters is None:
                raise ValueError(Errors.NM158.format(attrs=", ".join(names[k] for k in brown)))
            values[:, brown] = clusters.ids(doc, lengths)
        if is_train and dropout.rate > 0:
            dropout(values, words_of(doc))
        found.append(model.ops.asarray2i(values, dtype="uint64"))
    return found, lambda d_values: []


def lower_words(doc: Doc) -> list[str]:
    """Get the tokens of a Doc in lower case."""
    strings = doc.vocab.strings
    ids: Any = doc.to_array([LOWER])
    return [strings[word] for word in ids.reshape(len(doc)).tolist()]


def is_plain(text: str) -> bool:
    """Find out whether a text is composed, and has one kind of apostrophe."""
    return is_normalized("NFC", text) and "’" not in text and "ʼ" not in text


def plain(text: str) -> str:
    """Compose a text, and give it one kind of apostrophe."""
    return normalize("NFC", text).translate(APOSTROPHES)


def make_plain(values: numpy.ndarray, doc: Doc, words: list[str], written: dict[int, str]) -> None:
    """Give words that are not plain the ids (n, n_attrs) of those that are, in place. written: by the
    column, the attribute of a lexeme."""
    for i, word in enumerate(words):
        if not is_plain(word):
            lexeme = doc.vocab[plain(doc[i].text)]
            for column, name in written.items():
                values[i, column] = getattr(lexeme, name)
                if name == "norm":  # a tokenizer may give norms of its own
                    values[i, column] = get_string_id(plain(doc[i].norm_))


def affix_ids(words: list[str], names: tuple[str, ...]) -> numpy.ndarray:
    """Get the hashes of the affixes of words in lower case: (n, n_names) uint64."""
    packed = b"".join([word_affixes(word, names) for word in words])
    return numpy.frombuffer(packed, dtype="uint64").reshape(len(words), len(names))


@lru_cache(maxsize=N_WORDS)
def word_affixes(word: str, names: tuple[str, ...]) -> bytes:
    """Get the hashes of affixes of a word, packed as uint64."""
    ids = [get_string_id(affix(plain(word), name)) for name in names]
    return numpy.array(ids, dtype="uint64").tobytes()


def affix(word: str, name: str) -> str:
    """Cut an affix from a word; it is empty if the word is not longer than that. With whole words in
    their place the sum of SUFFIX1-5 says little about short words: it loses 2.5 LAS on Chinese (dev),
    and 0.4 on English."""
    n = int(name[-1])
    if len(word) <= n:
        return ""
    return word[-n:] if name.startswith("SUFFIX") else word[:n]
