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
EXTENSION = Extension(
    "outside.swing", ["outside/swing.pyx"], language="c++", extra_compile_args=["-std=c++17", "-O1"]
)

setup(
    name="outside",
    version="0.1",
    packages=["outside"],
    ext_modules=cythonize([EXTENSION], include_path=INCLUDE, compiler_directives=DIRECTIVES),
    entry_points={
        "spacy_misc": ["outside.Swing.v1 = outside.learner:swing"],
        "spacy_architectures": ["outside.Parser.v1 = outside.learner:OutsideParser"],
        "spacy_nonmono_systems": ["swing = outside.learner:swing"],
        "spacy_nonmono_oracles": ["swing = outside.swing:SWING"],
        "spacy_nonmono_learners": ["outside_parser = outside.learner:OutsideLearner"],
    },
)
