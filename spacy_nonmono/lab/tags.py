"""Sentences with the tags of Docs in the place of their own, and how many of these are right."""

from collections.abc import Iterable, Iterator, Sequence

from spacy.tokens import Doc

from ..treebank.docs import spell_feats
from ..treebank.sentences import EMPTY, FEATS, UPOS, XPOS, Sentence

TAG_COLUMNS = {"UPOS": UPOS, "XPOS": XPOS, "FEATS": FEATS}


def used_tags(sentences: Iterable[Sentence]) -> list[str]:
    """Those of TAG_COLUMNS that some word has."""
    words = [word for sentence in sentences for word in sentence.words]
    return [
        name for name, column in TAG_COLUMNS.items() if any(word[column] != EMPTY for word in words)
    ]


def with_tags(sentences: Sequence[Sentence], doc: Doc) -> Iterator[Sentence]:
    """The sentences with the tags of a Doc of their words; all else stays as it is. A tag that the Doc
    does not have becomes `_`."""
    tokens = iter(doc)
    for sentence in sentences:
        tagged = Sentence([list(row) for row in sentence.rows])
        for word in tagged.words:
            token = next(tokens)
            word[UPOS] = token.pos_ or EMPTY
            word[XPOS] = token.tag_ or EMPTY
            word[FEATS] = spell_feats(token, word[FEATS])
        yield tagged


def tag_accuracy(gold: Sequence[Sentence], found: Sequence[Sentence]) -> dict[str, float]:
    """The share of the words that have the right tag, for each column in which some gold word has one.

    A word counts where it has a tag; in FEATS it counts if it has UPOS, too: `_` are no features then.
    FEATS are right if all features are.
    """
    pairs = [
        (right, word)
        for one, other in zip(gold, found, strict=True)
        for right, word in zip(one.words, other.words, strict=True)
    ]
    accuracy = {}
    for name in used_tags(gold):
        column = TAG_COLUMNS[name]
        tells = (UPOS, FEATS) if column == FEATS else (column,)
        are_right = [
            right[column] == word[column]
            for right, word in pairs
            if any(right[other] != EMPTY for other in tells)
        ]
        accuracy[name] = sum(are_right) / len(are_right)
    return accuracy
