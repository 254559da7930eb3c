"""Noun phrases, prepositional phrases, and the clauses that a noun takes."""

from abc import ABC, abstractmethod

from .function_words import DETERMINERS, NUMERALS, PLURAL_PRONOUNS, POSSESSIVES, PREPS, PRONOUNS
from .lexicon import NAMES
from .trees import Phrase, Word, attach, is_person
from .words import Words


class NounPhrases(Words, ABC):
    """`depth` counts how deep a phrase is embedded and thins out its modifiers."""

    @abstractmethod
    def clause(
        self,
        depth: int,
        *,
        subject: Phrase | None = None,
        gap: bool = False,
        inverted: bool = False,
    ) -> Phrase:
        """What relative clauses are made of. Left to `Clauses`: a clause holds noun phrases."""

    def np(self, depth: int, case: str = "nom", group: str = "", bare: bool = False) -> Phrase:
        """case: nom, prep, marked, acc (marked or not). bare: nothing follows the noun."""
        dice = self.dice
        group = group or dice.weighted({"person": 4, "thing": 5, "place": 2, "idea": 3})
        if case == "acc" and dice.chance(0.3):
            case = "marked"
        if case != "marked" and group == "person" and dice.chance(0.3):
            head = Word(dice.choice(PRONOUNS["nom" if case == "nom" else "acc"]), "PRON")
            head.plural = head.form in PLURAL_PRONOUNS
            return Phrase(head, [head])
        if group == "person" and dice.chance(0.3):
            name = self.lexeme(self.lexicon.names, {"name": NAMES})
            head = self._tagged(name, "PROPN", name.stem, case, False)
            return Phrase(head, self._with_conjuncts(head, [head], depth, case, group, bare))
        head = self.noun(group, case, dice.chance(0.3))
        words = [*self._before_noun(head, case), head]
        if not bare:
            words += self._after_noun(head, depth)
        return Phrase(head, self._with_conjuncts(head, words, depth, case, group, bare))

    def _before_noun(self, head: Word, case: str) -> list[Word]:
        dice = self.dice
        words = []
        if not head.plural or dice.chance(0.5):
            if dice.chance(0.15):
                words.append(Word(dice.choice(POSSESSIVES), "PRON", head, "nmod:poss"))
            else:
                words.append(Word(dice.choice(DETERMINERS[head.plural]), "DET", head, "det"))
        if head.plural and dice.chance(0.2):
            words.append(Word(dice.choice(NUMERALS), "NUM", head, "nummod"))
        for p in (0.24, 0.04):
            if dice.chance(p):
                words += self._adjective(head, "amod", case)
        if dice.chance(0.08):
            words.append(self.noun("thing", "nom", False))
            words[-1].head, words[-1].deprel = head, "compound"
        return words

    def _after_noun(self, head: Word, depth: int) -> list[Word]:
        dice = self.dice
        words: list[Word] = []
        if dice.chance(0.2 / (1 + 0.5 * depth)):
            words += self.pp(head, depth + 1)
        if dice.chance(0.15 / (1 + depth)):
            words += self.relative(head, depth + 1)
        elif dice.chance(0.17 / (1 + depth)):
            words += self.reduced_relative(head, depth + 1)
        elif dice.chance(0.04) and depth < 2:
            other = self.np(depth + 1, bare=True)
            words += [
                Word(",", "PUNCT", other.head, "punct"),
                *attach(other, head, "appos"),
                Word(",", "PUNCT", other.head, "punct"),
            ]
        return words

    def _with_conjuncts(
        self, head: Word, words: list[Word], depth: int, case: str, group: str, bare: bool
    ) -> list[Word]:
        if bare or depth > 2 or not self.dice.chance(0.08):
            return words
        extra = self.dice.choice([1, 1, 1, 2, 3])
        for left in range(extra, 0, -1):
            other = self.np(depth + 1, case, group, bare=True)
            if left > 1:
                words.append(Word(",", "PUNCT", other.head, "punct"))
            else:
                form = self.dice.choice(["and", "and", "or"])
                words.append(Word(form, "CCONJ", other.head, "cc"))
            words += attach(other, head, "conj")
        head.plural = True
        return words

    def pp(self, head: Word, depth: int, deprel: str = "", kind: str = "") -> list[Word]:
        """A prepositional phrase below a noun or a verb, with a preposition that its head likes."""
        dice = self.dice
        nominal = head.upos in ("NOUN", "PROPN")
        liked = head.lexeme.preps if head.lexeme else PREPS
        form = dice.choice(liked if dice.chance(0.85) else PREPS)
        if nominal and dice.chance(0.5 if kind else 0.25):
            form = "of"
        groups = {"thing": 4, "idea": 3, "person" if nominal else "place": 4}
        phrase = self.np(depth + 1, "prep", dice.weighted(groups))
        case = Word(form, "ADP", phrase.head, "case")
        words = attach(phrase, head, deprel or ("nmod" if nominal else "obl"), kind)
        return [case, *words]

    def relative(self, head: Word, depth: int, kind: str = "") -> list[Word]:
        dice = self.dice
        form = "who" if is_person(head) else "which"
        if not kind and dice.chance(0.35):
            form = "that"
        pronoun = Phrase(word := Word(form, "PRON"), [word])
        if dice.chance(0.55):
            word.plural = head.plural
            clause = self.clause(depth, subject=pronoun)
            words = attach(clause, head, "acl:relcl", kind)
        else:
            clause = self.clause(depth, gap=True)
            governor = clause.gap or clause.head
            words = attach(clause, head, "acl:relcl", kind)
            if kind or dice.chance(0.6):
                words = [*attach(pronoun, governor, "obj", "wh"), *words]
        if head.upos == "PROPN" or (dice.chance(0.12) and not kind):
            comma = [Word(",", "PUNCT", clause.head, "punct") for _ in range(2)]
            words = [comma[0], *words, comma[1]]
        return words

    def reduced_relative(self, head: Word, depth: int) -> list[Word]:
        dice = self.dice
        form = dice.choice(["part", "part", "part", "ing"])
        verb = self.verb(dice.choice(["transitive", "optional"]), form)
        verb.head, verb.deprel = head, "acl"
        words = [verb]
        if form == "ing":
            return words + attach(self.np(depth + 1, "acc"), verb, "obj")
        if dice.chance(0.35):
            agent = self.np(depth + 1, "prep", "person", bare=True)
            case = Word("by", "ADP", agent.head, "case")
            return [*words, case, *attach(agent, verb, "obl")]
        return words + self.pp(verb, depth + 1)
