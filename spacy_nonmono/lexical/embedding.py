"""The architecture `spacy-nonmono.MultiHashEmbed.v1`: token attributes and Brown clusters as vectors."""

import re
from collections.abc import Callable
from typing import Any

import numpy
from spacy.attrs import intify_attr
from spacy.ml.models import tok2vec as spacy_tok2vec
from spacy.tokens import Doc
from thinc.api import Model
from thinc.types import Floats2d, Ints2d

from ..errors import Errors
from .brown_component import NAME
from .tables import find_table

# The string of a word's cluster, or so many bits of it
BROWN = re.compile(r"BROWN([1-9]\d*)?")


def MultiHashEmbed(
    width: int, attrs: list[str], rows: list[int], include_static_vectors: bool = False
) -> Model[list[Doc], list[Floats2d]]:
    """spaCy's `MultiHashEmbed.v2` with Brown clusters: each attribute has a table of hashed vectors, a
    layer mixes those of a token.

    width: of the vectors.
    attrs: token attributes that spaCy knows, such as NORM, PREFIX, SUFFIX, SHAPE, POS, TAG, MORPH;
        "BROWN", the string of the word's cluster, and "BROWN4", or with any other number, its first
        bits. These need the component `brown_clusters` in the pipeline.
    rows: of the table of each attribute.
    include_static_vectors: also mix in the vectors of the pipeline.

    Raises ValueError: NM156 for an unknown attribute, NM157 if there is not one number of rows for each.
    The model raises NM158 if it is to see Brown clusters, and the pipeline of a Doc has none.
    """
    if len(rows) != len(attrs):
        raise ValueError(Errors.NM157.format(n_attrs=len(attrs), n_rows=len(rows)))
    for attr in attrs:
        if not BROWN.fullmatch(attr) and intify_attr(attr) is None:
            raise ValueError(Errors.NM156.format(found=attr))
    # spaCy's layers, with another one in front.
    model = spacy_tok2vec.MultiHashEmbed(
        width, ["NORM"] * len(attrs), rows, include_static_vectors
    )
    (extract,) = (node for node in model.walk() if node.name == "extract_features")
    model.replace_node(extract, extract_attributes(attrs))
    return model


def extract_attributes(attrs: list[str]) -> Model[list[Doc], list[Ints2d]]:
    """(n, n_attrs) uint64 a doc, one column an attribute; for Brown clusters as `BrownTable.ids`."""
    return Model("extract_attributes", forward, attrs={"names": attrs})


def forward(
    model: Model, docs: list[Doc], is_train: bool
) -> tuple[list[Ints2d], Callable[[list[Ints2d]], list[Doc]]]:
    names = model.attrs["names"]
    brown = [column for column, name in enumerate(names) if BROWN.fullmatch(name)]
    lengths = [int(names[column].removeprefix("BROWN") or 0) or None for column in brown]
    other = [column for column in range(len(names)) if column not in brown]
    ids = [intify_attr(names[column]) for column in other]
    found = []
    for doc in docs:
        values: Any = numpy.zeros((len(doc), len(names)), dtype="uint64")
        if other:
            values[:, other] = doc.to_array(ids).reshape(len(doc), len(ids))
        if brown:
            clusters = find_table(doc.vocab, NAME)
            if clusters is None:
                raise ValueError(Errors.NM158.format(attrs=", ".join(names[k] for k in brown)))
            values[:, brown] = clusters.ids(doc, lengths)
        found.append(model.ops.asarray2i(values, dtype="uint64"))
    return found, lambda d_values: []
