"""What only some commands need, installed with the extras of the package: `spacy-nonmono[lab]`."""

from importlib import import_module
from types import ModuleType

from .errors import Errors

# By package, the extra that it is in
EXTRAS = {
    "matplotlib": "lab",
    "scipy": "lab",
    "pyarrow": "corpora",
    "zstandard": "corpora",
    "pyspark": "spark",
}


def import_extra(name: str) -> ModuleType:
    """A module of an extra. Raises ImportError (NM166) where it is not installed."""
    try:
        return import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        text = Errors.NM166.format(package=package, error=error, extra=EXTRAS[package])
        raise ImportError(text) from error
