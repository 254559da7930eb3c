"""What only the bench needs, installed with `pip install 'spacy-nonmono[bench]'`."""

from importlib import import_module
from types import ModuleType

from ..errors import Errors


def import_extra(name: str) -> ModuleType:
    """A module of the extra `bench`. Raises ImportError (NM166) where it is not installed."""
    try:
        return import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        raise ImportError(Errors.NM166.format(package=package, error=error)) from error
