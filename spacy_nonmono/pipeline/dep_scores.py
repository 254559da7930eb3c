"""The attribute `Token._.dep_score`: how likely the parser found the arc of a token; None if it was not
asked. Its values are plain floats in `Doc.user_data`, so that they are saved with a Doc."""

from typing import NamedTuple

import numpy
from spacy.tokens import Doc, Token

from ..tokens.scores import DEP_SCORE, forget_scores
from ..tokens.white_space import words_of
from ..training.losses import sigmoid

# Log-odds of a score of 1 would be infinite
LARGEST_LOG_ODDS = 16.0
# Of Newton's method; some ten are enough
N_STEPS = 30
# Keeps the numbers near 1 and 0 where there are too few arcs to tell them
RIDGE = 1e-3


class Scaling(NamedTuple):
    """Turns scores into probabilities that can be taken at their word (Platt 1999): their log-odds are
    multiplied by `slope`, the inverse of a temperature (Guo et al. 2017), and `shift` is added."""

    slope: float = 1.0
    shift: float = 0.0

    def scale(self, scores: numpy.ndarray) -> numpy.ndarray:
        """Turn scores (n,) between 0 and 1 into probabilities (n,)."""
        if self == Scaling():
            return scores
        return sigmoid(self.slope * log_odds(scores) + self.shift)

    @classmethod
    def fit(cls, scores: numpy.ndarray, right: numpy.ndarray) -> "Scaling":
        """Find the scaling that makes it likeliest that the arcs of scores (n,) are right (n,) or wrong:
        logistic regression by Newton's method. Its targets are not quite 0 and 1, as Platt (1999) sets
        them, so that it is finite where all arcs are right."""
        n_right = int(right.sum())
        n_wrong = len(right) - n_right
        targets = numpy.where(right, (n_right + 1) / (n_right + 2), 1 / (n_wrong + 2))
        inputs = numpy.stack([log_odds(scores), numpy.ones(len(scores))], axis=1)

        def loss(weights: numpy.ndarray) -> float:
            scaled = inputs @ weights
            costs = numpy.logaddexp(0, scaled) - targets * scaled
            return float(costs.sum() + 0.5 * RIDGE * ((weights - cls()) ** 2).sum())

        weights = numpy.array(cls())
        for _ in range(N_STEPS):
            probs = sigmoid(inputs @ weights)
            gradient = inputs.T @ (probs - targets) + RIDGE * (weights - cls())
            hessian = (inputs.T * (probs * (1 - probs))) @ inputs + RIDGE * numpy.eye(2)
            step = numpy.linalg.solve(hessian, gradient)
            while loss(weights - step) > loss(weights) and abs(step).max() > 1e-9:
                step /= 2
            weights -= step
        return cls(*weights.tolist())


def log_odds(scores: numpy.ndarray) -> numpy.ndarray:
    """Compute the log-odds of scores (n,) between 0 and 1, as doubles."""
    scores = scores.astype("d")
    with numpy.errstate(divide="ignore"):
        odds = numpy.log(scores) - numpy.log1p(-scores)
    return numpy.clip(odds, -LARGEST_LOG_ODDS, LARGEST_LOG_ODDS)


def register_dep_score() -> None:
    """Let tokens have the attribute. spaCy raises E090 if another one has its name."""
    is_plain = Token.has_extension(DEP_SCORE) and not any(Token.get_extension(DEP_SCORE))
    if not is_plain:
        Token.set_extension(DEP_SCORE, default=None)


def write_dep_scores(doc: Doc, scores: numpy.ndarray | None) -> None:
    """Write scores (n,) to the words of the doc; the arcs of white space are certain. None: take those
    of another parse away."""
    if scores is None:
        forget_scores(doc)
        return
    # A parser that was unpickled in another process has not registered it there
    register_dep_score()
    of_tokens = numpy.ones((len(doc),))
    of_tokens[words_of(doc)] = scores
    for token, score in zip(doc, of_tokens.tolist(), strict=True):
        token._.dep_score = score
