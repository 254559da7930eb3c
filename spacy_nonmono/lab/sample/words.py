"""Single words: a stem is drawn from the lexicon and takes its endings."""

from collections.abc import Sequence

from .dice import Dice
from .function_words import TIMES
from .lexicon import ADJECTIVES, NOUN_GROUPS, VERB_GROUPS, Lexeme, Lexicon
from .trees import Word


class Words:
    def __init__(self, seed: int, lexicon: Lexicon):
        self.dice = Dice(seed)
        self.lexicon = lexicon

    def lexeme(self, options: Sequence[Lexeme], rules: dict | None = None) -> Lexeme:
        found = self.dice.zipf(options)
        if rules and self.dice.chance(0.045):  # a word nobody has seen
            return self.lexicon.coin(self.dice, found.group, *rules[found.group][1:])
        return found

    def noun(self, group: str, case: str, plural: bool) -> Word:
        lexeme = self.lexeme(self.lexicon.nouns[group], NOUN_GROUPS)
        return self._tagged(
            lexeme, "NOUN", with_s(lexeme.stem) if plural else lexeme.stem, case, plural
        )

    def _tagged(self, lexeme: Lexeme, upos: str, form: str, case: str, plural: bool) -> Word:
        word = Word(form + ("em" if case == "marked" else ""), upos)
        word.lexeme, word.plural = lexeme, plural
        return word

    def verb(self, group: str, form: str, plural: bool = False) -> Word:
        """form: base, fin (past or present), past, part, ing, or inf, the cluster's infinitive."""
        lexeme = self.lexeme(self.lexicon.verbs[group], VERB_GROUPS)
        if form == "fin":
            form = "past" if self.dice.chance(0.65) else "base" if plural else "s"
        if form == "s":
            return self._tagged(lexeme, "VERB", with_s(lexeme.stem), "", plural)
        ending = {"base": "", "past": "ed", "part": "ed", "ing": "ing", "inf": "en"}[form]
        stem = lexeme.stem
        if lexeme.strong and form == "part":
            ending = "en"  # as the cluster's infinitives
        elif lexeme.strong and form == "past":
            ending = "t"
        return self._tagged(lexeme, "VERB", stem + ending, "", plural)

    def _adjective(self, head: Word | None, deprel: str, case: str = "nom") -> list[Word]:
        lexeme = self.lexeme(self.lexicon.adjectives, {"adjective": ADJECTIVES})
        adjective = self._tagged(lexeme, "ADJ", lexeme.stem, case, False)
        adjective.head, adjective.deprel = head, deprel
        if self.dice.chance(0.12):
            return [
                Word(self.dice.choice(["very", "so", "too"]), "ADV", adjective, "advmod"),
                adjective,
            ]
        return [adjective]

    def _adverb(self, verb: Word) -> Word:
        if self.dice.chance(0.4):
            return Word(self.dice.choice(TIMES), "ADV", verb, "advmod")
        return Word(self.lexeme(self.lexicon.adverbs).stem, "ADV", verb, "advmod")


def with_s(stem: str) -> str:
    return stem + ("es" if stem.endswith(("s", "x", "sh")) else "s")
