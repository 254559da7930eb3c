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
the `words`; the place of the `word` in them; and the trees `gold` and `predicted`, each with `heads`
(0-based words of the example, -1 for roots, None where they are unknown or outside) and `labels` (None
where they are unknown).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..shapes import UNKNOWN_HEAD, UNKNOWN_LABEL
from ..treebank.sentences import Sentence
from .scores import ROOT_HEAD, Parses, right_words, sentence_spans

N_CONFUSIONS = 10
N_EXAMPLES = 2
NO_TAG, NO_HEAD, ROOT = "_", "none", "root"

Row = dict[str, Any]


def find_confusions(
    gold: Parses, predicted: Parses, tags: Sequence[str], sentences: Sequence[Sentence]
) -> dict[str, list[Row]]:
    """Rows of each kind, the commonest first. The examples are those of the shortest sentences.

    tags: (N,) gold tags. sentences: the gold ones.
    """
    texts = _Texts(gold, predicted, sentences)
    heads_N, labelled_N = right_words(gold, predicted)
    wrong_label_N = heads_N & ~labelled_N & (gold.labels_N != UNKNOWN_LABEL)
    wrong_head_N = (gold.heads_N != UNKNOWN_HEAD) & ~heads_N
    gold_tags, predicted_tags = _head_tags(gold, tags), _head_tags(predicted, tags)
    gold_labels, labels = gold.labels_N.tolist(), predicted.labels_N.tolist()
    label_pairs = {i: ("", gold_labels[i], labels[i]) for i in np.flatnonzero(wrong_label_N).tolist()}
    wrong_heads = np.flatnonzero(wrong_head_N).tolist()
    head_pairs = {i: ("", gold_tags[i], predicted_tags[i]) for i in wrong_heads}
    attachments = {
        i: (
            tags[i] or NO_TAG,
            f"{gold_tags[i]} {gold_labels[i]}",
            f"{predicted_tags[i]} {labels[i]}".strip(),
        )
        for i in wrong_heads
    }
    found = {"labels": label_pairs, "heads": head_pairs, "attachments": attachments}
    return {name: _count(confusions, texts) for name, confusions in found.items()}


def _head_tags(parses: Parses, tags: Sequence[str]) -> list[str]:
    """Of the head of each word."""
    others = {ROOT_HEAD: ROOT, UNKNOWN_HEAD: NO_HEAD}
    return [others[head] if head in others else tags[head] or NO_TAG for head in parses.heads_N.tolist()]


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


class _Texts:
    """The sentences that examples are taken from."""

    def __init__(self, gold: Parses, predicted: Parses, sentences: Sequence[Sentence]) -> None:
        self.gold, self.predicted = gold, predicted
        self.words = [form for sentence in sentences for form in sentence.forms]
        self.ids = [sentence.sent_id for sentence in sentences]
        self.spans = sentence_spans(gold.starts_N)
        self.sentences_N = np.cumsum(gold.starts_N) - 1

    def examples(self, words: Sequence[int]) -> list[Row]:
        """The shortest, one of a sentence; treebanks have some sentences twice."""
        spans = {word: self._span(word) for word in words}
        chosen: dict[tuple[str, ...], int] = {}
        for word in sorted(words, key=lambda word: (spans[word][1] - spans[word][0], word)):
            if len(chosen) < N_EXAMPLES:
                sentence = slice(*self.spans[self.sentences_N[word]])
                chosen.setdefault(tuple(self.words[sentence]), word)
        return [
            {
                "sent_id": self._id(word),
                "words": self.words[slice(*spans[word])],
                "word": word - spans[word][0],
                "gold": _tree(self.gold, *spans[word]),
                "predicted": _tree(self.predicted, *spans[word]),
            }
            for word in chosen.values()
        ]

    def _id(self, word: int) -> str:
        sentence = int(self.sentences_N[word])
        return self.ids[sentence] or str(sentence + 1)

    def _span(self, word: int) -> tuple[int, int]:
        """The gold sentences of the word and of its predicted head, with all between them."""
        head = int(self.predicted.heads_N[word])
        places: NDArray[np.int64] = self.sentences_N[[word, head if head >= 0 else word]]
        return self.spans[places.min()][0], self.spans[places.max()][1]


def _tree(parses: Parses, start: int, end: int) -> Row:
    heads: list[int | None] = []
    labels: list[str | None] = []
    for head, label in zip(
        parses.heads_N[start:end].tolist(), parses.labels_N[start:end].tolist(), strict=True
    ):
        is_known = head == ROOT_HEAD or start <= head < end
        heads.append(None if not is_known else head if head == ROOT_HEAD else head - start)
        labels.append(label if is_known and label != UNKNOWN_LABEL else None)
    return {"heads": heads, "labels": labels}
