"""Trees that several parsers agree on, to train one parser on: it learns from raw text what the others
know together (Zhou & Li 2005, tri-training; Kuncoro et al. 2016, ensemble distillation)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path

from ..errors import Errors
from ..tokens.heads import words_on_cycles
from .reader import read_sentences
from .sentences import DEPREL, EMPTY, HEAD, Sentence


def read_votes(paths: Sequence[Path], agreement: float) -> Iterator[Sentence]:
    """Yield the sentences of files, or of folders of files, with the heads and labels that they agree
    on.

    agreement: more than 0.5, 1 at most; where fewer of the files have an arc, it is unknown.

    Raises ValueError (NM087) if the files have different words or sentences; and what `read_sentences`
    raises.
    """
    for number, parses in enumerate(zip_longest(*map(read_sentences, paths)), start=1):
        for path, parse in zip(paths, parses, strict=True):
            words, first_words = (one and one.forms for one in (parse, parses[0]))
            if words != first_words:
                found, expected = (one and " ".join(one) for one in (words, first_words))
                message = Errors.NM087.format(
                    path=path, number=number, found=found, first=paths[0], expected=expected
                )
                raise ValueError(message)
        yield vote(parses, agreement)


def vote(parses: Sequence[Sentence], agreement: float) -> Sentence:
    """Return the first parse, with the heads and labels of enough parses. What no tree can have is
    unknown: a second root, and arcs on a cycle."""
    found = Sentence([list(row) for row in parses[0].rows], header=parses[0].header)
    heads: list[int | None] = []
    for word, arcs in enumerate(zip(*(_arcs(parse) for parse in parses), strict=True)):
        (head, label), n_votes = Counter(arcs).most_common(1)[0]
        is_known = head is not None and n_votes >= agreement * len(parses)
        if head == -1 and -1 in heads:
            is_known = False
        heads.append(head if is_known else None)
        found.words[word][DEPREL] = label
    for word in words_on_cycles(heads):
        heads[word] = None
    for columns, head in zip(found.words, heads, strict=True):
        columns[HEAD] = EMPTY if head is None else str(head + 1)
        if head is None:
            columns[DEPREL] = EMPTY
    return found


def _arcs(parse: Sentence) -> Iterator[tuple[int | None, str]]:
    return zip(parse.heads, (columns[DEPREL] for columns in parse.words), strict=True)
