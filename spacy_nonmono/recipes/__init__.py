"""Configs for `spacy train`, and the parser in the place of another pipeline's parser."""
