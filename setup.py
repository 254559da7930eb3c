"""The compiled modules: pyproject.toml cannot find extensions or set Cython directives."""

from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "embedsignature": True,
}

KERNELS = Path("spacy_nonmono/scoring/kernels.h")

extensions = [
    Extension(
        ".".join(path.with_suffix("").parts),
        [str(path)],
        depends=[str(KERNELS)] if KERNELS.name in path.read_text("utf-8") else [],
        language="c++",
        extra_compile_args=["-std=c++17", "-O3"],
    )
    for path in sorted(Path("spacy_nonmono").rglob("*.pyx"))
]

setup(
    ext_modules=cythonize(extensions, compiler_directives=DIRECTIVES),
    options={"build_ext": {"parallel": 2}},
)
