"""Where a Doc keeps the scores of its arcs: under the keys of spaCy's extension attributes, so that they
are saved with it."""

from typing import Any

from spacy.tokens import Doc

DEP_SCORE = "dep_score"  # Token._.dep_score


def read_scores(doc: Doc) -> list[float | None]:
    """Return the scores of the arcs of all tokens, or nothing if no parser gives any."""
    # No parser may be there that has registered the attribute
    kept: dict[Any, Any] = doc.user_data
    scores = [kept.get(("._.", DEP_SCORE, token.idx, None)) for token in doc]
    return [] if set(scores) <= {None} else scores


def forget_scores(doc: Doc) -> None:
    """Take the scores of another parse away."""
    for key in list(doc.user_data):
        if isinstance(key, tuple) and key[:2] == ("._.", DEP_SCORE):
            del doc.user_data[key]
