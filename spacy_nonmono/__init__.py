"""A spaCy dependency parser that repairs its own mistakes and builds crossing arcs."""

from .about import __version__
from .oracles.registry import get_oracle
from .transitions.registry import get_system, list_systems

__all__ = ["__version__", "get_oracle", "get_system", "list_systems"]
