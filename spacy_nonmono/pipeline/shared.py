"""What components learn that share a tok2vec with the parser."""

from typing import Any

from spacy.language import Language

TAGGERS = ("tagger", "morphologizer")


def others_learn_tags(nlp: Language, parser: str) -> bool:
    """Whether a tagger or a morphologizer listens to the same tok2vec, or transformer, as the parser.

    parser: its name."""
    for _, upstream in nlp.pipeline:
        # Only what has listeners has a list of them
        listening: Any = getattr(upstream, "listening_components", [])
        if parser in listening:
            return any(nlp.get_pipe_meta(name).factory in TAGGERS for name in listening)
    return False
