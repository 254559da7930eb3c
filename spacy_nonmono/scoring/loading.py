"""Loading the weights of a model, which may come from a damaged file or from a stranger.

thinc takes what a file says: the names of the layers, their widths, arrays of any shape. Here a file is
held against the model that the config made before anything of it is taken. What only shows when layers
work together shows in a trial on one word.
"""

import gc
from math import prod
from typing import Any

import numpy
import srsly
from thinc.api import Model
from thinc.model import serialize_attr

from ..errors import Errors
from .committee import COMMITTEE, members_of

# Axes of the parameters of the layers that we know, as products of widths and numbers; "": any length.
SHAPES: dict[str, dict[str, tuple[str, ...]]] = {
    "hashembed": {"E": ("nV", "nO")},
    "maxout": {"W": ("nO", "nP", "nI"), "b": ("nO", "nP")},
    "layernorm": {"G": ("nI",), "b": ("nI",)},
    "linear": {"W": ("nO", "nI"), "b": ("nO",)},
    "static_vectors": {"W": ("nO", "nM")},
    "bidirectional_recurrence": {"W": ("2", "nO", "nI"), "b": ("2", "nO")},
    "narrow_transition_scorer": {
        "W": ("2 nH", "nI"),  # of S0 and N0
        "narrow_W": ("nN", "nI"),
        "others_W": ("", "nN"),
        "empty": ("nF", "nH"),
        "bias": ("nH",),
        "atoms": ("", "nH"),
        "out_W": ("", "nH"),
        "out_b": ("",),
        "head_W": ("nA", "nI"),
        "head_b": ("nA",),
        "dep_W": ("nA", "nI"),
        "dep_b": ("nA",),
        "root": ("nA",),
        "distance": ("",),
    },
}
# Their settings are for training, or the shapes of the weights depend on them: the config's hold.
PARSERS = (COMMITTEE, "linear_transition_parser", "transition_parser")
# Layers whose settings must be those of the config; FREE_SETTINGS are drawn, or training changes them.
# Layers of other packages are left to thinc.
KNOWN = {
    *SHAPES,
    "doc_dropout",
    "dropout",
    "expand_window",
    "extract_attributes",
    "extract_features",
    "residual",
    "with_array",
}
FREE_SETTINGS = ("dropout_rate", "is_enabled", "seed")
FIELDS = ("nodes", "attrs", "params", "shims")


def damaged(found: Any, expected: Any) -> ValueError:
    """Make the error NM037, of saved weights that are not as they should be."""
    return ValueError(Errors.NM037.format(found=found, expected=expected))


def load_weights(model: Model, data: bytes) -> None:
    """Give a model the weights that `Model.to_bytes` saved.

    Raises ValueError (NM037) if they cannot be weights of this model, and whatever the reader of msgpack
    raises.
    """
    message = read_message(data)
    check_message(model, message)
    for node, info, attrs in zip(model.walk(), message["nodes"], message["attrs"], strict=True):
        # Those of a copy, as `Language.replace_listeners` makes one, may be others
        info.update(name=node.name, refs={})
        if node.name in PARSERS:
            attrs.clear()
    model.from_dict(message)
    for part in members_of(model):
        if "scorer" in part.ref_names:
            try_out(part)


def read_message(data: bytes) -> Any:
    """Read msgpack; Python's garbage collector stays on if that fails."""
    collecting = gc.isenabled()
    try:
        return srsly.msgpack_loads(data)
    finally:
        # srsly leaves the collector off when it fails.
        if collecting:
            gc.enable()


def check_message(model: Model, message: Any) -> None:
    """Raises ValueError (NM037) if what was saved is no model of this structure with sound numbers."""
    nodes = list(model.walk())
    if not isinstance(message, dict) or any(
        not isinstance(message.get(part), list) or len(message[part]) != len(nodes) for part in FIELDS
    ):
        raise damaged("another structure", f"{', '.join(FIELDS)} of {len(nodes)} layers")
    n_there = n_missing = 0
    rows = zip(nodes, *(message[part] for part in FIELDS), strict=True)
    for i, (node, info, attrs, params, shims) in enumerate(rows):
        where = f"layer {i} ({node.name})"
        if not all(isinstance(part, dict) for part in (info, attrs, params)):
            raise damaged(f"no tables for {where}", "tables")
        check_widths(node, info, where)
        name = node.name.partition("(")[0]
        if name in (*PARSERS, *KNOWN) and info.get("name") != node.name:
            raise damaged(f"{info.get('name')!r} as {where}", repr(node.name))
        if name in KNOWN:
            check_settings(node, attrs, where)
        check_parameters(node, info["dims"], params, where)
        if not isinstance(shims, list) or len(shims) != len(node.shims):
            raise damaged(f"{shims} as shims of {where}", len(node.shims))
        n_known = sum(params.get(name) is not None for name in SHAPES.get(node.name, ()))
        n_there += n_known
        n_missing += len(SHAPES.get(node.name, ())) - n_known
    if n_there and n_missing:
        raise damaged(f"{n_there} parameters, and {n_missing} missing", "all or none")


def check_widths(node: Model, info: dict, where: str) -> None:
    """Raises ValueError (NM037) unless the widths of a layer are whole numbers that the config allows.
    """
    dims = info.get("dims")
    if not isinstance(dims, dict) or not set(dims) <= set(node.dim_names):
        raise damaged(f"the widths {dims} of {where}", ", ".join(node.dim_names) or "none")
    for name, value in dims.items():
        own = node.maybe_get_dim(name)
        if value is not None and not (type(value) is int and value > 0 and own in (None, value)):
            raise damaged(f"{name} = {value!r} of {where}", own or "1 or more")


def check_settings(node: Model, attrs: dict, where: str) -> None:
    """Raises ValueError (NM037) unless the settings of a layer are those of the config, as far as these
    decide."""
    for name, value in attrs.items():
        if name not in node.attrs or not isinstance(value, bytes):
            raise damaged(f"the setting {name!r} of {where}", ", ".join(node.attrs) or "none")
        own = node.attrs[name]
        if value == serialize_attr(own, own, name, node):
            continue
        found = read_message(value)
        # Version 0.2.0 saved a dropout of 0 as it was given
        is_number = type(own) is float and type(found) is int
        is_free = name in FREE_SETTINGS and (is_number or type(found) is type(own))
        if not is_free or (name == "seed" and not 0 <= found < 2**32):
            raise damaged(f"{name} = {found!r} of {where}", repr(own))


def check_parameters(node: Model, dims: dict, params: dict, where: str) -> None:
    """Raises ValueError (NM037) unless the arrays of a layer have their shapes and finite numbers."""
    if not set(params) <= set(node.param_names):
        raise damaged(f"the parameters {', '.join(params)} of {where}", ", ".join(node.param_names))
    shapes = SHAPES.get(node.name, {})
    for name, array in params.items():
        if array is None:
            continue
        if not isinstance(array, numpy.ndarray) or (shapes and array.dtype != "f4"):
            raise damaged(f"no array of float32 as {name} of {where}", "one")
        if array.dtype.kind == "f" and not numpy.isfinite(array).all():
            raise damaged(f"numbers that are not finite in {name} of {where}", "finite ones")
        axes = shapes.get(name)
        if axes is None:
            continue
        if len(axes) != array.ndim or any(
            axis and not 0 < length == product_of(axis, dims)
            for axis, length in zip(axes, array.shape, strict=True)
        ):
            found = f"{name} of {where} with the shape {array.shape}, and the widths {dims}"
            raise damaged(found, axes)


def product_of(axis: str, dims: dict) -> int:
    """Multiply the widths and numbers that an axis of `SHAPES` names; the product is 0 if there is no
    such width."""
    return prod(int(name) if name.isdigit() else dims.get(name) or 0 for name in axis.split())


def try_out(model: Model) -> None:
    """Raises ValueError (NM037) if the layers of a neural model do not fit each other."""
    scorer, tok2vec = model.get_ref("scorer"), model.get_ref("tok2vec")
    embed = model.maybe_get_ref("embed")
    for node in [*tok2vec.walk(), *(embed.walk() if embed is not None else ())]:
        if node.name != ">>".join(layer.name for layer in node.layers):  # no chain
            continue
        for one, other in zip(node.layers, node.layers[1:], strict=False):
            width, expected = one.maybe_get_dim("nO"), other.maybe_get_dim("nI")
            if None not in (width, expected) and width != expected:
                raise damaged(f"vectors of {width} for {other.name}", expected)
    if not scorer.has_param("W"):
        return
    width = scorer.get_dim("nI")
    vectors = model.ops.alloc2f(1, width)
    try:
        encode = tok2vec.maybe_get_ref("encode")
        # That of spaCy's `Tok2Vec.v1` takes no lists: it stands within another layer
        if encode in tok2vec.layers and embed is None:
            vectors = encode.predict([vectors])[0]
        vectors = model.get_ref("encoder").predict([vectors])[0]
        scorer.predict(vectors)
        model.get_ref("boundaries").predict([vectors])
    except Exception as error:
        raise damaged(error, "layers that fit each other") from error
    expected = (tok2vec.maybe_get_dim("nO") if embed is None else None) or width
    if vectors.shape[1] != expected:
        raise damaged(f"vectors of {vectors.shape[1]}", expected)
