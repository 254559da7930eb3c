"""Name and version of the distribution."""

__title__ = "spacy-nonmono"
__version__ = "0.1.0"
