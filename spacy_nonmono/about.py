"""Name and version of the distribution."""

__title__ = "spacy-nonmono"
__version__ = "0.2.0"
