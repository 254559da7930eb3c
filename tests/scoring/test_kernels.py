"""The kernels on the vectors of GCC and Clang, of each size, against the same kernels in plain C++."""

import ctypes
import os
import shlex
import shutil
import subprocess
import sysconfig
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy
import pytest

KERNELS = Path(__file__).parents[2] / "spacy_nonmono"
LENGTHS = [*range(0, 20), 31, 32, 33, 47, 63, 64, 65, 100, 127, 128, 129, 200]
# What each kernel is given; P: an array, i: int, n: size_t, f: float
SIGNATURES = {
    "add_row": "PPi",
    "add_rows": "PPii",
    "max_row": "PPi",
    "score_sparse_rows": "PiiPiPPiP",
    "dot_rows": "PPiiP",
    "add_scaled": "PPfi",
    "adam_step": "PPPPPnfffffff",
    "normalize_rows": "PiiPPPPP",
    "normalize_rows_backward": "PPPiiPPPP",
}
TYPES = {"P": ctypes.c_void_p, "i": ctypes.c_int, "n": ctypes.c_size_t, "f": ctypes.c_float}
# The products of what is added may be rounded or not, as the processor has instructions
CLOSE = {"rtol": 1e-4, "atol": 1e-4}

SOURCE = """
#include "layers/kernels.h"
#include "scoring/kernels.h"
extern "C" int lanes() { return nonmono::LANES; }
extern "C" int lowest_bit(std::uint64_t word) { return nonmono::lowest_bit(word); }
#ifdef NONMONO_SIZES
#define EXPORT(name) \\
    extern "C" const auto name##_4 = &nonmono::name##_4; \\
    extern "C" const auto name##_8 = &nonmono::name##_8; \\
    extern "C" const auto name##_16 = &nonmono::name##_16; \\
    extern "C" const auto name##_any = &nonmono::name;
#else
#define EXPORT(name) extern "C" const auto name##_any = &nonmono::name;
#endif
"""
SOURCE += "".join(f"EXPORT({name})\n" for name in SIGNATURES)

Kernels = Callable[[str], Callable[..., None]]  # by name


def build(folder: Path, name: str, *flags: str) -> ctypes.CDLL:
    compiler = shlex.split(os.environ.get("CXX") or sysconfig.get_config_var("CXX") or "c++")
    if not KERNELS.exists():
        pytest.skip("the wheel is tested, and the headers are in the source only")
    if shutil.which(compiler[0]) is None or os.name == "nt":
        pytest.skip(f"no compiler that takes the options of GCC: {compiler[0]}")
    source, library = folder / f"{name}.cpp", folder / f"{name}.so"
    source.write_text(SOURCE, encoding="utf-8")
    options = ["-std=c++17", "-O3", "-fPIC", "-shared", f"-I{KERNELS}", *flags]
    subprocess.run([*compiler, *options, str(source), "-o", str(library)], check=True)
    return ctypes.CDLL(str(library))


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> list[ctypes.CDLL]:
    """With the compiler's vectors, and without."""
    folder = tmp_path_factory.mktemp("kernels")
    return [build(folder, "vectors"), build(folder, "plain", "-DNONMONO_PLAIN")]


@pytest.fixture(scope="module")
def kernels(libraries: list[ctypes.CDLL]) -> list[Kernels]:
    """Those in plain C++, those that the parser takes, and with vectors of each size that is there."""
    vectors, plain = libraries
    sizes = [size for size in (4, 8, 16) if size <= vectors.lanes() and hasattr(vectors, "add_row_4")]
    found = [(plain, "any"), (vectors, "any"), *((vectors, str(size)) for size in sizes)]
    return [partial(kernel, library, suffix) for library, suffix in found]


def kernel(library: ctypes.CDLL, suffix: str, name: str) -> Callable[..., None]:
    pointer = ctypes.c_void_p.in_dll(library, f"{name}_{suffix}")
    function = ctypes.CFUNCTYPE(None, *(TYPES[kind] for kind in SIGNATURES[name]))(pointer.value)
    return lambda *arguments: function(
        *(a.ctypes.data if isinstance(a, numpy.ndarray) else a for a in arguments)
    )


def unaligned(rng: numpy.random.Generator, *shape: int) -> numpy.ndarray:
    """Random numbers of a shape, at an address that is a multiple of four bytes alone."""
    size = int(numpy.prod(shape))
    return rng.normal(size=size + 3).astype("f")[rng.integers(4) :][:size].reshape(shape)


def run(kernels: Kernels, name: str, n: int, seed: int) -> list[numpy.ndarray]:
    """The arrays that a kernel has written for random rows of length n."""
    rng = numpy.random.default_rng([seed, n])
    call = kernels(name)

    def rows(*shape: int) -> numpy.ndarray:
        return unaligned(rng, *shape)

    n_rows = int(rng.integers(0, 5))
    if name in ("add_row", "max_row"):
        written: Any = [rows(n)]
        call(*written, rows(n), n)
    elif name == "add_rows":
        written, added = [rows(n)], [rows(n) for _ in range(n_rows)]
        call(*written, numpy.array([row.ctypes.data for row in added], "uintp"), n_rows, n)
    elif name == "score_sparse_rows":
        n_hidden, width = int(rng.integers(0, 20)), -(-n // 16) * 16
        hidden, weights, bias = rows(n_rows, n_hidden), rows(n_hidden, width), rows(width)
        hidden[hidden < 0] = 0
        written, units = [rows(n_rows, n)], numpy.zeros(n_hidden, "i")
        call(hidden, n_rows, n_hidden, weights, width, bias, *written, n, units)
    elif name == "dot_rows":
        vector, matrix, written = rows(n), rows(n_rows, n), [rows(n_rows)]
        call(vector, matrix, n_rows, n, *written)
    elif name == "add_scaled":
        written = [rows(n)]
        call(*written, rows(n), 0.3, n)
    elif name == "adam_step":
        weights, gradient, mom1, average = (rows(n) for _ in range(4))
        mom2 = rows(n)
        numpy.abs(mom2, out=mom2)
        written = [weights, gradient, mom1, mom2, average]
        call(*written, n, 0.5, 0.9, 0.999, 1e-8, 0.01, 0.001, 0.1)
    elif name == "normalize_rows":
        X, gain, bias = rows(n_rows, n), rows(n), rows(n)
        written = [rows(n_rows, n), rows(n_rows, n), rows(n_rows)]
        call(X, n_rows, n, gain, bias, *written)
    else:
        dY, hat, scale, gain = rows(n_rows, n), rows(n_rows, n), rows(n_rows), rows(n)
        written = [rows(n_rows, n), rows(n), rows(n)]
        call(dY, hat, scale, n_rows, n, gain, *written)
    return written


@pytest.mark.parametrize("name", SIGNATURES)
def test_plain_kernel_gives_the_same(name: str, kernels: list[Kernels]) -> None:
    exact = name in ("add_row", "add_rows", "max_row")
    plain, *others = kernels
    for n in LENGTHS:
        for seed in range(4):
            expected = run(plain, name, n, seed)
            for other in others:
                for array, same in zip(run(other, name, n, seed), expected, strict=True):
                    if exact:
                        assert array.tolist() == same.tolist(), (n, seed)
                    else:
                        numpy.testing.assert_allclose(array, same, err_msg=f"{n} {seed}", **CLOSE)


def test_max_of_what_is_no_number(kernels: list[Kernels]) -> None:
    values = numpy.array([numpy.nan, 1, numpy.inf, -numpy.inf, 0], "f")
    row, highest = (numpy.repeat(grid.ravel(), 16) for grid in numpy.meshgrid(values, values))
    results = [highest.copy() for _ in kernels]
    for some, result in zip(kernels, results, strict=True):
        some("max_row")(result, row, row.size)
        numpy.testing.assert_array_equal(result, results[0])


def test_lowest_bit(libraries: list[ctypes.CDLL]) -> None:
    for library in libraries:
        for k in range(64):
            for above in (0, 1 << 63, -1 << k):
                assert library.lowest_bit(ctypes.c_uint64(1 << k | above)) == k


def test_lanes(libraries: list[ctypes.CDLL]) -> None:
    assert [library.lanes() == 1 for library in libraries] == [False, True]
