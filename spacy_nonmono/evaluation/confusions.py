"""What a parser takes for what: the commonest confusions, with examples.

- `labels`: of words with the right head, the gold label and the predicted one.
- `heads`: of words with a wrong head, the tags of the gold head and of the predicted one.
- `attachments`: of words with a wrong head, the tag of the word; the tag of the gold head and the gold
  label; the tag of the predicted head and the predicted label.

Tags are gold tags: UPOS; where there is none, XPOS; `_` where there is neither. The head of a root has
the tag `root`, and a predicted head that is unknown the tag `none`.

Words of unknown gold head are left out, and those of unknown gold label (`_`) where labels are confused.

A row has the tag of the `word` ("" where it does not matter); what is confused, `gold` and `predicted`;
the `count`; and `examples`, sentences in which a word is confused, with more sentences if its predicted
head is in another. An example has the `sent_id` of the word's sentence, or its number if it has none;
the `words`; `spaces`, for each whether a blank follows; the place of the `word` in them; and the trees
`gold` and `predicted`, each with `heads` (0-based words of the example, -1 for roots, None where they
are unknown or outside) and `labels` (None where they are unknown).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..treebank.sentences import Sentence
from .scores import Parses, sentence_spans, tree_between
from .words import WordTable

N_CONFUSIONS = 10
N_EXAMPLES = 2

Row = dict[str, Any]


def find_confusions(words: WordTable) -> dict[str, list[Row]]:
    """Count the confusions of each kind. The commonest are in the first rows; their examples are from
    the shortest sentences.
    """
    texts = _Texts(words)
    columns = (words.tags_N, words.head_tags_N, words.gold.labels_N)
    predicted = (words.predicted_head_tags_N, words.predicted.labels_N)
    tags, gold_tags, gold_labels = (column_N.tolist() for column_N in columns)
    predicted_tags, labels = (column_N.tolist() for column_N in predicted)
    wrong_labels = np.flatnonzero(words.right_N & ~words.labelled_N & words.has_label_N).tolist()
    wrong_heads = np.flatnonzero(words.counted_N & ~words.right_N).tolist()
    found = {
        "labels": {i: ("", gold_labels[i], labels[i]) for i in wrong_labels},
        "heads": {i: ("", gold_tags[i], predicted_tags[i]) for i in wrong_heads},
        "attachments": {
            i: (
                tags[i],
                f"{gold_tags[i]} {gold_labels[i]}",
                f"{predicted_tags[i]} {labels[i]}".strip(),
            )
            for i in wrong_heads
        },
    }
    return {name: _count(confusions, texts) for name, confusions in found.items()}


def _count(found: dict[int, tuple[str, str, str]], texts: "_Texts") -> list[Row]:
    """found: of each word that is confused its tag, what is gold, and what is predicted."""
    words: dict[tuple[str, str, str], list[int]] = {}
    for word, confusion in found.items():
        words.setdefault(confusion, []).append(word)
    commonest = sorted(words, key=lambda confusion: (-len(words[confusion]), confusion))[:N_CONFUSIONS]
    return [
        {
            **dict(zip(("word", "gold", "predicted"), confusion, strict=True)),
            "count": len(words[confusion]),
            "examples": texts.examples(words[confusion]),
        }
        for confusion in commonest
    ]


def _spaces(sentence: Sentence) -> list[bool]:
    """Return after which words of a sentence a blank stands, also inside multiword tokens that they do
    not spell."""
    spaces = sentence.spaces
    for found in sentence.ranges:
        if not sentence.is_spelled(found):
            spaces[found.start : found.end - 1] = [True] * (found.end - found.start - 1)
    return spaces


class _Texts:
    """The sentences that examples are taken from."""

    def __init__(self, words: WordTable) -> None:
        sentences = words.parsed.gold_sentences
        self.gold, self.predicted = words.gold, words.predicted
        self.words = [form for sentence in sentences for form in sentence.forms]
        self.spaces = [space for sentence in sentences for space in _spaces(sentence)]
        self.ids = [sentence.sent_id for sentence in sentences]
        self.spans = sentence_spans(words.gold.starts_N)
        self.sentences_N = words.sentences_N

    def examples(self, words: Sequence[int]) -> list[Row]:
        """Return the shortest examples, at most one per sentence; treebanks have some sentences
        twice."""
        spans = {word: self._span(word) for word in words}
        chosen: dict[tuple[str, ...], int] = {}
        for word in sorted(words, key=lambda word: (spans[word][1] - spans[word][0], word)):
            if len(chosen) < N_EXAMPLES:
                sentence = slice(*self.spans[self.sentences_N[word]])
                chosen.setdefault(tuple(self.words[sentence]), word)
        return [
            {
                "sent_id": self.ids[self.sentences_N[word]] or str(self.sentences_N[word] + 1),
                "words": self.words[slice(*spans[word])],
                "spaces": self.spaces[slice(*spans[word])],
                "word": word - spans[word][0],
                "gold": _tree(self.gold, *spans[word]),
                "predicted": _tree(self.predicted, *spans[word]),
            }
            for word in chosen.values()
        ]

    def _span(self, word: int) -> tuple[int, int]:
        """Return the gold sentences of the word and of its predicted head, with all between them."""
        head = int(self.predicted.heads_N[word])
        places: NDArray[np.int64] = self.sentences_N[[word, head if head >= 0 else word]]
        return self.spans[places.min()][0], self.spans[places.max()][1]


def _tree(parses: Parses, start: int, end: int) -> Row:
    heads, labels = tree_between(parses, start, end)
    return {"heads": heads, "labels": labels}
