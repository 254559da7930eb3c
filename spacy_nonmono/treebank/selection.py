"""Which words of parsed sentences to annotate next: those that the parser is least certain of
(uncertainty sampling; Lewis & Gale 1994, of trees Hwa 2004).

What is asked for is marked in MISC, so annotators see whole trees, and the file is valid CoNLL-U. Of an
annotated file only the answers are learned from: the other heads are guesses, and become unknown.
"""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..errors import Errors
from ..files import read_lines
from .conllu import Numbered, blocks, is_newdoc, parse_sentences
from .formats import treebank_files
from .reader import read_sentences
from .sentences import CONFIDENCE, DEPREL, DEPS, EMPTY, HEAD, ID, MISC, Sentence, read_confidence

ASKED = "Asked=Yes"
WORDS, SENTENCES, RANDOM = MEASURES = ("words", "sentences", "random")
N_WORDS = 6  # of a sentence, by WORDS


def select(
    path: Path, n_heads: int, *, by: str = WORDS, without: Sequence[Path] = (), seed: int = 0
) -> Iterator[Sentence]:
    """Yield the sentences to annotate next, the least certain ones first, until so many words are asked
    for. Words that are asked for have ASKED in MISC.

    path: a file or folder of CoNLL-U with the confidence of arcs, as `parse --confidence` writes it.
    by: WORDS: the N_WORDS least certain words of each sentence, and sentences by the mean confidence of
        these; SENTENCES: all words, and sentences by their mean confidence; RANDOM: all words of
        sentences in random order, to compare with. Sentences with the same words come once, and
        below the mark of their document (`# newdoc`).
    without: files or folders of sentences that are annotated already.

    Raises ValueError: NM118 for a file without confidence, but not by RANDOM; and what `read_sentences`
    raises.
    """
    # A corpus does not fit into the memory, but a few numbers of each sentence do
    known = {hash(tuple(one.forms)) for file in without for one in read_sentences(file)}
    rng = random.Random(seed)
    ranked: list[tuple[float, int, int]] = []
    document = 0, "# newdoc"
    documents: list[tuple[int, str]] = []  # of each sentence
    for number, sentence in enumerate(read_sentences(path)):
        for mark in filter(is_newdoc, sentence.comments):
            document = number + 1, mark
        documents.append(document)
        forms = hash(tuple(sentence.forms))
        if forms in known:
            continue
        known.add(forms)
        scores = _scores(path, sentence, by)
        words = _least_certain(scores, by)
        rank = rng.random() if by == RANDOM else sum(scores[word] for word in words) / len(words)
        ranked.append((rank, number, len(words)))
    chosen: list[int] = []
    for _, number, n_words in sorted(ranked):
        if n_heads <= 0:
            break
        chosen.append(number)
        n_heads -= n_words
    wanted = set(chosen)
    found = {n: one for n, one in enumerate(read_sentences(path)) if n in wanted}
    before = 0
    for number in chosen:
        sentence = found[number]
        start, mark = documents[number]
        sentence.rows = [row for row in sentence.rows if len(row) > 1 or not is_newdoc(row[0])]
        if start != before:
            sentence.rows.insert(0, [mark])
            before = start
        asked = _least_certain(_scores(path, sentence, by), by)
        for word, columns in enumerate(sentence.words):
            marks = [ASKED] * (word in asked)
            columns[MISC] = "|".join([*_without(columns[MISC]), *marks]) or EMPTY
        yield sentence


def _least_certain(scores: Sequence[float], by: str) -> list[int]:
    """Return the words of a sentence to ask for."""
    return sorted(range(len(scores)), key=scores.__getitem__)[: N_WORDS if by == WORDS else None]


def _scores(path: Path, sentence: Sentence, by: str) -> list[float]:
    scores = read_confidence(sentence)
    if by != RANDOM and all(score is None for score in scores):
        raise ValueError(Errors.NM118.format(path=path, sentence=" ".join(sentence.forms)))
    return [1.0 if score is None else score for score in scores]


def read_answers(path: Path) -> Iterator[Sentence]:
    """Yield the sentences of a file or folder of CoNLL-U with what is annotated. Heads and labels are
    guesses, and become unknown, in words that are not asked for, if they have a confidence or another
    word of the sentence is asked for. The marks and the confidence are removed from MISC.

    Raises what `parse_sentences` raises. Trees are checked without the guesses: an answer may close a
    cycle with one of them.
    """
    for file, format_of_file in treebank_files(path):
        blocks_of_file = blocks(read_lines(file))
        lines = (line for block in blocks_of_file for line in _keep_answers(block))
        for sentence in parse_sentences(lines, file, format_of_file):
            for word in sentence.words:
                if word[HEAD] == EMPTY:
                    word[DEPREL] = EMPTY
            yield sentence


def _keep_answers(block: Numbered[str]) -> Numbered[str]:
    rows = [line.split("\t") for _, line in block]
    words = [row for row in rows if len(row) > MISC and row[ID].isdecimal()]
    is_asked = [is_asked_for(word) for word in words]
    for word, is_answer in zip(words, is_asked, strict=True):
        kept = [one for one in _without(word[MISC]) if not one.startswith(CONFIDENCE)]
        if not is_answer and (any(is_asked) or len(kept) < len(_without(word[MISC]))):
            word[HEAD] = word[DEPREL] = word[DEPS] = EMPTY
        word[MISC] = "|".join(kept) or EMPTY
    return [(number, "\t".join(row)) for (number, _), row in zip(block, rows, strict=True)]


def is_asked_for(word: Sequence[str]) -> bool:
    """Is this the row of a word that is asked for? Small letters count, too."""
    return ASKED.lower() in word[MISC].lower().split("|")


def _without(misc: str) -> list[str]:
    """Return the parts of MISC but ASKED."""
    return [one for one in misc.split("|") if one != EMPTY and one.lower() != ASKED.lower()]
