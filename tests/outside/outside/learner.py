"""A model and its learner: the neural one under another name."""

from typing import Any

from spacy_nonmono.pipeline.neural import NeuralLearner
from spacy_nonmono.scoring.neural.architecture import TransitionParser


def OutsideParser(tok2vec: Any, hidden_width: int = 64) -> Any:
    model = TransitionParser(tok2vec, hidden_width=hidden_width)
    model.name = "outside_parser"
    return model


class OutsideLearner(NeuralLearner):
    """Counts how often it learns."""

    n_updates = 0

    def update(self, *args: Any) -> float:
        OutsideLearner.n_updates += 1
        return super().update(*args)
