"""Damaged models: bytes that were changed by accident, and weights that were made to deceive.

Accidents must be found, always. A model whose checksum was made to fit may load, if all of it is sound:
then it is another model, and parses.
"""

import json
import random
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy
import srsly
from spacy.language import Language

from spacy_nonmono.pipeline.saved import write_cfg
from spacy_nonmono.scoring.linear.model import read_arrays, write_arrays
from tests.pipeline.util import (
    NAME,
    arcs,
    blank,
    check_doc,
    linear_config,
    with_scorer,
)

from .harness import Outcome, error_outcome

SYSTEMS = ("arc_eager_unshift", "covington_nonmonotonic", "easy_first")
TEXTS = ["foxes and owls hunt mice .", "rain ! the hare sleeps", "a report arrived about wolves ."]
EXTREMES: list[Any] = [None, -1, 0, 1, -5, 2**31, 2**63, 1e300, "", "x", b"", b"\x80", [], {}, True]


@cache
def trained(linear: bool, system: str) -> Language:
    return with_scorer(system, linear)


@cache
def saved(linear: bool, system: str) -> dict[str, bytes]:
    """The parts `cfg` and `model`."""
    data = trained(linear, system).get_pipe(NAME).to_bytes(exclude=["vocab"])
    parts = srsly.msgpack_loads(data)
    return {"cfg": parts["cfg"].encode("utf8"), "model": parts["model"]}


@cache
def expected(linear: bool, system: str) -> list:
    return parses(trained(linear, system))


@cache
def loader(linear: bool, system: str) -> Language:
    return blank(system, **({"model": linear_config()} if linear else {}))


def parses(nlp: Language) -> list:
    docs = list(nlp.pipe(TEXTS))
    for doc in docs:
        check_doc(doc)
    return [arcs(doc) for doc in docs]


def damage(data: bytes, rng: random.Random) -> bytes:
    """The data after an accident."""
    at, other = sorted(rng.choices(range(len(data) + 1), k=2))
    kind = rng.randrange(8)
    if kind < 3 and at < len(data):
        flipped = bytearray(data)
        flipped[at] ^= 1 << rng.randrange(8)
        return bytes(flipped)
    if kind == 3:
        return data[:at]
    if kind == 4:
        return data[:at] + rng.randbytes(rng.randint(1, 8)) + data[at:]
    if kind == 5:
        return data[:at] + bytes(other - at) + data[other:]
    if kind == 6:
        return data[:at] + data[other:]
    return data[:other] + data[at:]


def damaged_bytes(seed: int, *, linear: bool) -> str:
    """A case: an accident on the way to a disk, or to another process."""
    rng = random.Random(seed)
    system = rng.choice(SYSTEMS)
    parts = dict(saved(linear, system))
    parser = loader(linear, system).get_pipe(NAME)
    try:
        if rng.random() < 0.5:
            data = trained(linear, system).get_pipe(NAME).to_bytes(exclude=["vocab"])
            parser.from_bytes(damage(data, rng), exclude=["vocab"])
        else:
            part = rng.choice(["cfg", "model", "model"])
            parts[part] = damage(parts[part], rng)
            if rng.random() < 0.02:
                del parts[part]
            with tempfile.TemporaryDirectory() as folder:
                for name, content in parts.items():
                    (Path(folder) / name).write_bytes(content)
                parser.from_disk(folder, exclude=["vocab"])
        same = parses(loader(linear, system)) == expected(linear, system)
    except Exception as error:
        return error_outcome(error)
    return Outcome.RIGHT.value if same else Outcome.DIFFERS.value


def paths(value: Any, path: tuple = ()) -> list[tuple]:
    """Where something stands in nested lists and tables."""
    found = [path] if path else []
    if isinstance(value, dict):
        return found + [deep for key in value for deep in paths(value[key], (*path, key))]
    if isinstance(value, list):
        return found + [deep for i, item in enumerate(value) for deep in paths(item, (*path, i))]
    return found


def twist(value: Any, rng: random.Random) -> Any:
    """Something else in the place of a value, often of the same type."""
    if rng.random() < 0.2:
        return rng.choice(EXTREMES)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice([value + 1, value - 1, -value, value * 2, 2**31 - 1, 2**32])
    if isinstance(value, float):
        return rng.choice([float("nan"), float("inf"), -value, 1e38])
    if isinstance(value, str):
        return rng.choice([value + "x", value[:-1], ""])
    if isinstance(value, bytes):
        return twist_bytes(value, rng)
    if isinstance(value, numpy.ndarray):
        return twist_array(value, rng)
    if isinstance(value, list):
        return rng.choice([value[:-1], value + value[-1:], value[::-1], []])
    if isinstance(value, dict):
        keys = list(value)
        rng.shuffle(keys)
        return {key: value[key] for key in keys[1:]}
    return rng.choice(EXTREMES)


def twist_array(array: numpy.ndarray, rng: random.Random) -> numpy.ndarray:
    changed = array.copy()
    kind = rng.randrange(7)
    if kind == 0 and changed.size:
        changed.flat[rng.randrange(changed.size)] = rng.choice([numpy.nan, numpy.inf, -numpy.inf])
    elif kind == 1:
        return changed.astype(rng.choice(["f8", "i4", "f2", "u1"]))
    elif kind == 2:
        return changed[: rng.randint(0, len(changed))]
    elif kind == 3:
        return numpy.concatenate([changed, changed])
    elif kind == 4:
        return changed.reshape(-1)
    elif kind == 5:
        return changed * numpy.float32(rng.choice([0, -1, 1e30, 1e38]))
    return changed[..., None] if kind == 6 else changed


def twist_bytes(data: bytes, rng: random.Random) -> bytes:
    """Bytes of a message, of an array of numbers, or of anything."""
    kind = rng.randrange(4)
    if kind == 0:
        try:
            return srsly.msgpack_dumps(twist_message(srsly.msgpack_loads(data), rng))
        except Exception:
            return damage(data, rng)
    if kind == 1 and len(data) >= 8:
        at = rng.randrange(len(data) // 8) * 8 + rng.choice([0, 2, 4])
        number = rng.choice([0, 1, 2**16 - 1, 2**31 - 1, 2**31, 2**32 - 1])
        return (data[:at] + number.to_bytes(4, "little") + data[at + 4 :])[: len(data)]
    return damage(data, rng)


def twist_message(message: Any, rng: random.Random) -> Any:
    """A message with something changed somewhere in it."""
    places = paths(message)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        *way, last = rng.choice(places)
        owner = message
        try:
            for step in way:
                owner = owner[step]
            owner[last] = twist(owner[last], rng)
        except (LookupError, TypeError):
            continue  # an earlier change took it away
    return message


def twist_linear(data: bytes, rng: random.Random) -> bytes:
    state, arrays = read_arrays(data)
    if rng.random() < 0.5:
        return write_arrays(twist_message(state, rng), arrays)
    k = rng.randrange(len(arrays))
    changed = twist_bytes(arrays[k].tobytes(), rng)
    if len(changed) % arrays[k].itemsize == 0:
        arrays[k] = numpy.frombuffer(changed, arrays[k].dtype)
        state["sizes"][k] = len(arrays[k])
    return write_arrays(state, arrays)


def twisted_model(seed: int, *, linear: bool) -> str:
    """A case: weights that a stranger has changed, with a checksum that fits."""
    rng = random.Random(seed)
    system = rng.choice(SYSTEMS)
    nlp = loader(linear, system)
    message = srsly.msgpack_loads(saved(linear, system)["model"])
    labels = json.loads(saved(linear, system)["cfg"])["labels"]
    if linear and rng.random() < 0.8:
        # Almost everything of a linear model is in its shim.
        message["shims"][0][0] = twist_linear(message["shims"][0][0], rng)
    else:
        message = twist_message(message, rng)
    if rng.random() < 0.1:
        labels = twist(labels, rng)
    try:
        weights = srsly.msgpack_dumps(message)
        parser = nlp.get_pipe(NAME)
        cfg = write_cfg(parser._state()._replace(labels=labels), weights)
    except Exception:
        return Outcome.RIGHT.value  # this cannot be written
    try:
        data = srsly.msgpack_dumps({"cfg": cfg, "model": weights})
        nlp.get_pipe(NAME).from_bytes(data, exclude=["vocab"])
        parses(nlp)
    except Exception as error:
        return error_outcome(error)
    return Outcome.RIGHT.value


def neural_bytes(seed: int) -> str:
    return damaged_bytes(seed, linear=False)


def linear_bytes(seed: int) -> str:
    return damaged_bytes(seed, linear=True)


def neural_structures(seed: int) -> str:
    return twisted_model(seed, linear=False)


def linear_structures(seed: int) -> str:
    return twisted_model(seed, linear=True)


def test_neural_bytes(fuzz):
    fuzz("model, neural, bytes", neural_bytes, few=60, many=5_000)


def test_linear_bytes(fuzz):
    fuzz("model, linear, bytes", linear_bytes, few=60, many=5_000)


def test_neural_structures(fuzz):
    fuzz("model, neural, structures", neural_structures, few=60, many=5_000)


def test_linear_structures(fuzz):
    fuzz("model, linear, structures", linear_structures, few=60, many=5_000)
