"""The stream of sentences that the files are cut from."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from ...treebank.projectivity import crossing_arcs
from .dice import Dice
from .grammar import Grammar
from .lexicon import Lexicon
from .trees import Word

MIN_WORDS, MAX_WORDS = 4, 35
LEXICON_SEED = 1912  # the language stays the same whatever the sentences' seed


class SampleSentence(NamedTuple):
    sent_id: str
    new_doc: str  # the document that starts here, else empty
    words: list[Word]
    heads: list[int]  # 0-based, -1 for the root

    @property
    def text(self) -> str:
        pieces = (word.form + " " * word.space_after for word in self.words)
        return "".join(pieces).rstrip()

    @property
    def crossing(self) -> list[int]:
        """Words whose arc covers a word that is not below their head."""
        return sorted(crossing_arcs(self.heads))

    def to_conllu(self) -> str:
        lines = [f"# newdoc id = {self.new_doc}"] if self.new_doc else []
        lines += [f"# sent_id = {self.sent_id}", f"# text = {self.text}"]
        kinds = sorted({self.words[i].kind or "other" for i in self.crossing})
        if kinds:
            lines.append(f"# crossing = {' '.join(kinds)}")
        for i, (word, head) in enumerate(zip(self.words, self.heads, strict=True)):
            misc = "_" if word.space_after else "SpaceAfter=No"
            columns = (i + 1, word.form, "_", word.upos, "_", "_", head + 1, word.deprel, "_", misc)
            lines.append("\t".join(map(str, columns)))
        return "\n".join(lines) + "\n\n"


def generate(n_sentences: int, seed: int) -> Iterator[SampleSentence]:
    """Sentences in documents of eight to twelve, none twice."""
    grammar = Grammar(seed, Lexicon(LEXICON_SEED))
    dice = Dice(seed + 1)
    seen: set[str] = set()
    n_documents = left = 0
    style = new_doc = ""
    while len(seen) < n_sentences:
        if not left:
            n_documents += 1
            left = 8 + dice.choice(range(5))
            style = dice.weighted({"edited": 16, "unmarked": 2, "lower": 3})
            new_doc = f"d{n_documents}"
        words = grammar.sentence(style == "edited")
        key = " ".join(word.form.lower() for word in words if word.upos != "PUNCT")
        if not MIN_WORDS <= len(words) <= MAX_WORDS or key in seen:
            continue
        seen.add(key)
        left -= 1
        yield _finished(words, f"s{len(seen)}", new_doc, style == "lower")
        new_doc = ""


def _finished(words: list[Word], sent_id: str, new_doc: str, lower: bool) -> SampleSentence:
    if lower:
        for word in words:
            word.form = word.form.lower()
    else:
        words[0].form = words[0].form[0].upper() + words[0].form[1:]
    for word, after in pairwise(words):
        word.space_after = after.upos != "PUNCT"
    index = {word: i for i, word in enumerate(words)}
    heads = [index[word.head] if word.head else -1 for word in words]
    return SampleSentence(sent_id, new_doc, words, heads)
