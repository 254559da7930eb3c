"""Trees that several parsers agree on, to train one parser on: it learns from raw text what the others
know together (Zhou & Li 2005, tri-training; Kuncoro et al. 2016, ensemble distillation)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path

from ..errors import Errors
from ..heads import words_on_cycles
from .sentences import DEPREL, EMPTY, HEAD, ID, Sentence, forms, read_sentences


def read_votes(paths: Sequence[Path], agreement: float) -> Iterator[Sentence]:
    """The sentences of files, or of folders of files, with the heads and labels that they agree on.

    agreement: as `check_agreement` wants it; where fewer of the files have an arc, it is unknown.

    Raises ValueError (NM087) if the files have different words or sentences; and what `read_sentences`
    raises.
    """
    check_agreement(agreement)
    for number, parses in enumerate(zip_longest(*map(read_sentences, paths)), start=1):
        for path, parse in zip(paths, parses, strict=True):
            words, first_words = (one and forms(one) for one in (parse, parses[0]))
            if words != first_words:
                found, expected = (one and " ".join(one) for one in (words, first_words))
                message = Errors.NM087.format(
                    path=path, number=number, found=found, first=paths[0], expected=expected
                )
                raise ValueError(message)
        yield vote(parses, agreement)


def check_agreement(agreement: float) -> None:
    """Raises ValueError (NM086) if this is no share of parsers of more than a half."""
    if not 0.5 < agreement <= 1:
        raise ValueError(Errors.NM086.format(found=agreement))


def vote(parses: Sequence[Sentence], agreement: float) -> Sentence:
    """The first parse, with the heads and labels of enough parses. What no tree can have is unknown: a
    second root, and arcs on a cycle."""
    found = Sentence(parses[0].comments, ranges=parses[0].ranges, empty_nodes=parses[0].empty_nodes)
    for word, columns in enumerate(parses[0].words):
        votes = Counter((parse.heads[word], parse.words[word][DEPREL]) for parse in parses)
        (head, label), n_votes = votes.most_common(1)[0]
        is_known = head is not None and n_votes >= agreement * len(parses)
        if head == -1 and -1 in found.heads:
            is_known = False
        found.heads.append(head if is_known else None)
        found.words.append([*columns[:DEPREL], label, *columns[DEPREL + 1 :]])
    for word in words_on_cycles(found.heads):
        found.heads[word] = None
    for columns, head in zip(found.words, found.heads, strict=True):
        columns[HEAD] = EMPTY if head is None else str(head + 1)
        if head is None:
            columns[DEPREL] = EMPTY
    return found


def sentence_text(sentence: Sentence) -> str:
    """The lines of a sentence, an empty line after them."""
    lines = list(sentence.comments)
    ranges = {start: (end, columns) for start, end, columns in sentence.ranges}
    nodes: dict[int, list[str]] = {}
    for before, number, columns in sentence.empty_nodes:
        nodes.setdefault(before, []).append("\t".join([f"{before}.{number}", *columns]))
    lines += nodes.get(0, [])
    for word, columns in enumerate(sentence.words):
        if word in ranges:
            end, of_range = ranges[word]
            lines.append("\t".join([f"{word + 1}-{end}", *of_range]))
        lines.append("\t".join([str(word + 1), *columns[ID + 1 :]]))
        lines += nodes.get(word + 1, [])
    return "\n".join([*lines, "", ""])
