"""How far a training is: in updates, and in passes over the training data; and what these data have.

`spacy train` does not tell a component when a pass ends. But every pass shows it the same words, so the
words that it has learned from, and those of one pass, tell.
"""

from dataclasses import astuple, dataclass

from ..errors import Errors

UPDATES, PASSES = UNITS = ("updates", "passes")
STREAMS = -1  # the `max_epochs` of a config whose training data are read anew in each pass


@dataclass
class Progress:
    """What a parser has learned from so far.

    n_updates: the number of updates; each learns from one batch.
    n_words: the number of words in these batches.
    words_per_pass: the number of words in the training data, or 0 if it is not known.
    arcs_per_pass, crossing_per_pass: the same of arcs, and of those that cross others.
    """

    n_updates: int = 0
    n_words: int = 0
    words_per_pass: int = 0
    arcs_per_pass: int = 0
    crossing_per_pass: int = 0

    @property
    def crossing(self) -> float | None:
        """The share of the arcs of the training data that cross others; None if it is not known."""
        return self.crossing_per_pass / self.arcs_per_pass if self.arcs_per_pass else None

    def add(self, n_words: int) -> None:
        """Count an update on so many words."""
        self.n_updates += 1
        self.n_words += n_words

    def done(self, unit: str) -> float:
        """Get the number of updates or passes so far; passes with a fraction.

        Raises ValueError (NM175) for passes of unknown length.
        """
        if unit != PASSES:
            return self.n_updates
        if not self.words_per_pass:
            raise ValueError(Errors.NM175)
        return self.n_words / self.words_per_pass

    def to_list(self) -> list[int]:
        """Get the numbers, to save them."""
        return list(astuple(self))
