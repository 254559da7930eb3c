"""The attribute `Token._.dep_score`: how likely the parser found the arc of a token; None if it was not
asked. Its values are plain floats in `Doc.user_data`, so that they are saved with a Doc."""

import numpy
from spacy.tokens import Doc, Token

ATTRIBUTE = "dep_score"


def register_dep_score() -> None:
    """Let tokens have the attribute. spaCy raises E090 if another one has its name."""
    is_plain = Token.has_extension(ATTRIBUTE) and not any(Token.get_extension(ATTRIBUTE))
    if not is_plain:
        Token.set_extension(ATTRIBUTE, default=None)


def write_dep_scores(doc: Doc, scores: numpy.ndarray) -> None:
    """Write scores (n,) to the words of the doc."""
    # A parser that was unpickled in another process has not registered it there
    register_dep_score()
    for token, score in zip(doc, scores.tolist(), strict=True):
        token._.dep_score = score
