"""What components learn that share a tok2vec with the parser."""

from typing import Any

from spacy.language import Language

TAGGERS = ("tagger", "morphologizer")


def others_learn_tags(nlp: Language, parser: str) -> bool:
    """Whether a tagger or a morphologizer learns from the same tok2vec, or transformer, as the parser.

    parser: its name."""
    frozen = nlp.config["training"].get("frozen_components", [])
    for _, upstream in nlp.components:
        # Only what has listeners has a list of them
        listening: Any = getattr(upstream, "listening_components", [])
        if parser in listening:
            learning = [name for name in listening if name not in frozen]
            return any(nlp.get_pipe_meta(name).factory in TAGGERS for name in learning)
    return False
