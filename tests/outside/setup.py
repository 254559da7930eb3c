"""Builds the package `outside`; see docs/extending.md."""

from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

import spacy_nonmono

# Where Cython finds the .pxd files
INCLUDE = [str(Path(spacy_nonmono.__file__).parents[1])]
# Those of spacy-nonmono
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
}
EXTENSIONS = [
    Extension(
        f"outside.{name}",
        [f"outside/{name}.pyx"],
        language="c++",
        extra_compile_args=["-std=c++17"],
    )
    for name in ("two_planar", "two_planar_static", "two_planar_dynamic", "lopsided")
]

setup(
    name="outside",
    version="0.1",
    packages=["outside"],
    package_data={"outside": ["*.pxd"]},
    ext_modules=cythonize(EXTENSIONS, include_path=INCLUDE, compiler_directives=DIRECTIVES),
    entry_points={
        "spacy_misc": ["outside.TwoPlanar.v1 = outside.systems:two_planar"],
        "spacy_architectures": ["outside.Parser.v1 = outside.learner:OutsideParser"],
        "spacy_nonmono_systems": ["two_planar = outside.systems:two_planar"],
        "spacy_nonmono_oracles": ["two_planar = outside.two_planar_dynamic:TWO_PLANAR"],
        "spacy_nonmono_learners": ["outside_parser = outside.learner:OutsideLearner"],
    },
)
