"""Docs in parts that the processor's cache can hold while they are scored."""

from collections.abc import Iterator

from spacy.tokens import Doc

# Words that are scored together: their products take 14 kB each. The memory of much larger arrays is
# mapped anew each time: with 2,000 words the parser took 5 % longer (English-EWT, dev).
PART = 500


def minibatch_words(docs: list[Doc], n_words: int = 0) -> Iterator[slice]:
    """Divide docs into parts of about `n_words` words, or `PART` if that is more. Tells where in the
    list each part is."""
    enough = max(n_words, PART)
    first, n = 0, 0
    for end, doc in enumerate(docs, start=1):
        n += len(doc)
        if n >= enough or end == len(docs):
            yield slice(first, end)
            first, n = end, 0
