"""The kinds of sentences and how often they come."""

from itertools import pairwise

from .clauses import Clauses
from .function_words import CONJUNCTIONS, NUMERALS, PREPS, PRONOUNS
from .trees import Phrase, Word, attach, is_person

SENTENCES = {
    "plain": 36,
    "extraposed": 5,
    "question": 7,
    "topic": 5,
    "split": 3,
    "adverbial": 9,
    "coordinated": 8,
    "quoted": 4,
    "imperative": 4,
    "compared": 1,
    "clustered": 1,
}


class Grammar(Clauses):
    """Draws sentences."""

    def sentence(self, final_mark: bool) -> list[Word]:
        maker = self.dice.weighted(SENTENCES)
        root, words = getattr(self, f"_{maker}")()
        if self.dice.chance(0.04):
            words = self._interrupted(root, words)
        mark = {"question": "?", "imperative": self.dice.choice(["!", "."])}.get(maker, ".")
        words = [*words, Word(mark, "PUNCT", root, "punct")]
        # Of two marks side by side the later stays.
        followed = pairwise(words)
        kept = [word for word, after in followed if not word.upos == after.upos == "PUNCT"]
        return kept + words[-1:] * final_mark

    def _plain(self) -> tuple[Word, list[Word]]:
        clause = self.clause(0)
        words = clause.words
        if self.dice.chance(0.1):
            words = words + self._adverbial(clause.head)[1]
        return clause.head, words

    def _extraposed(self) -> tuple[Word, list[Word]]:
        """ "A man came yesterday who had seen the town": the last noun, or the one before it."""
        dice = self.dice
        strict = dice.chance(0.9)  # "who" and "which" then tell the noun from those after it
        while True:
            clause = self.clause(0)
            noun = dice.choice([*clause.nouns, clause.nouns[0]])
            at = clause.words.index(noun)
            later = [word for word in clause.words[at + 1 :] if word.upos in ("NOUN", "PROPN")]
            clash = any(is_person(word) == is_person(noun) for word in later)
            moved = noun not in (clause.words[-1], clause.words[-1].head)
            if noun.upos == "NOUN" and moved and len(later) < 4 and not (strict and clash):
                break
        comma = []
        if dice.chance(0.2):
            words = self.pp(noun, 1, kind="extraposed")
        else:
            words = self.relative(noun, 1, kind="extraposed")
            if dice.chance(0.5):
                verb = next(word for word in words if word.deprel == "acl:relcl")
                comma = [Word(",", "PUNCT", verb, "punct")]
        return clause.head, [*clause.words, *comma, *words]

    def _question(self) -> tuple[Word, list[Word]]:
        dice = self.dice
        if dice.chance(0.2):  # stranded: "who did she speak near": near belongs to who
            word = Word(dice.choice(["who", "what"]), "PRON")
            subject = self.np(1, group="person", bare=True)
            verb = self.verb(dice.choice(["intransitive", "optional"]), "base")
            did = Word("did", "AUX", verb, "aux")
            form = dice.choice(verb.lexeme.preps if verb.lexeme else PREPS)
            stranded = Word(form, "ADP", word, "case")
            word.head, word.deprel, stranded.kind = verb, "obl", "stranded"
            return verb, [word, did, *attach(subject, verb, "nsubj"), verb, stranded]
        clause = self.clause(0, gap=True, inverted=True)
        if dice.chance(0.4):
            noun = self.noun(dice.choice(["thing", "idea"]), "marked", dice.chance(0.3))
            front = Phrase(noun, [Word(dice.choice(["which", "what"]), "DET", noun, "det"), noun])
        else:
            front = Phrase(word := Word(dice.choice(["what", "what", "who"]), "PRON"), [word])
        return clause.head, [*attach(front, clause.gap or clause.head, "obj", "wh"), *clause.words]

    def _topic(self) -> tuple[Word, list[Word]]:
        """A marked object in front, its verb here or in an embedded clause, a comma at times."""
        dice = self.dice
        group = dice.choice(["thing", "idea", "person"])
        topic = self.np(1, "marked", group, bare=dice.chance(0.7))
        clause = self.clause(0, gap=True)
        words = attach(topic, clause.gap or clause.head, "obj", "topic")
        if dice.chance(0.25):
            words = [*words, Word(",", "PUNCT", clause.head, "punct")]
        return clause.head, [*words, *clause.words]

    def _split(self) -> tuple[Word, list[Word]]:
        """Half of a marked object in front: "Skirems he bought three", "Redem he saw a skirem"."""
        dice = self.dice
        clause = self.clause(0, gap=True)
        governor = clause.gap or clause.head
        noun = self.noun(dice.choice(["thing", "idea"]), "marked", dice.chance(0.6))
        noun.head, noun.deprel = governor, "obj"
        at = clause.words.index(governor) + 1
        if dice.chance(0.5):
            front = [noun]
            rest = self._adjective(noun, "amod", "marked")
            if noun.plural and dice.chance(0.6):
                rest = [Word(dice.choice(NUMERALS) + "em", "NUM", noun, "nummod")]
            noun.kind = "topic"
            rest[-1].kind = "split"
        else:
            front = self._adjective(noun, "amod", "marked")
            front[-1].kind = "split"
            rest = [Word("the" if dice.chance(0.6) else "some", "DET", noun, "det"), noun]
        return clause.head, [*front, *clause.words[:at], *rest, *clause.words[at:]]

    def _adverbial(self, main: Word | None = None) -> tuple[Word, list[Word]]:
        """ "While he hunted the deer ran": the comma is often missing. After `main`: at the end."""
        dice = self.dice
        inner = self.subordinate(1)
        mark = Word(dice.choice(CONJUNCTIONS), "SCONJ", inner.head, "mark")
        if main is not None:
            return main, [mark, *attach(inner, main, "advcl")]
        clause = self.clause(0)
        words = [mark, *attach(inner, clause.head, "advcl")]
        if dice.chance(0.55):
            words.append(Word(",", "PUNCT", inner.head, "punct"))
        return clause.head, [*words, *clause.words]

    def _coordinated(self) -> tuple[Word, list[Word]]:
        dice = self.dice
        first = self.clause(0)
        if dice.chance(0.45):  # a second verb of the same subject
            verb = self.verb(dice.choice(["transitive", "optional", "intransitive"]), "past")
            second = Phrase(verb, [verb, *self.complements(verb, 1)[0]])
        else:
            second = self.clause(1)
        link = [Word(dice.choice(["and", "and", "and", "but"]), "CCONJ", second.head, "cc")]
        if dice.chance(0.25):
            link = [Word(",", "PUNCT", second.head, "punct"), *link]
        return first.head, [*first.words, *link, *attach(second, first.head, "conj")]

    def _quoted(self) -> tuple[Word, list[Word]]:
        """ "The town fell, said the man": the root comes after a whole sentence."""
        said = self.clause(1)
        subject = self.np(1, group="person", bare=True)
        verb = self.verb("say", "past")
        comma = Word(",", "PUNCT", said.head, "punct")
        tail = [verb, *attach(subject, verb, "nsubj")]
        return verb, [*attach(said, verb, "ccomp"), comma, *tail]

    def _imperative(self) -> tuple[Word, list[Word]]:
        verb = self.verb(self.dice.choice(["transitive", "optional", "ditransitive"]), "base")
        words = [verb, *self.complements(verb, 0)[0]]
        if self.dice.chance(0.3):
            name = Word(self.lexeme(self.lexicon.names).stem, "PROPN", verb, "vocative")
            words = [name, Word(",", "PUNCT", name, "punct"), *words]
        return verb, words

    def _compared(self) -> tuple[Word, list[Word]]:
        """ "More men came to the town than horses": the second half belongs to "more"."""
        noun = self.noun(self.dice.choice(["person", "thing"]), "nom", True)
        more = Word("more", "ADJ", noun, "amod")
        clause = self.clause(0, subject=Phrase(noun, [more, noun]))
        other = self.np(1, "prep", "person", bare=True)
        than = Word("than", "ADP", other.head, "case")
        return clause.head, [*clause.words, than, *attach(other, more, "obl", "compared")]

    def _clustered(self) -> tuple[Word, list[Word]]:
        clause = self.cluster(0)
        return clause.head, clause.words

    def _interrupted(self, root: Word, words: list[Word]) -> list[Word]:
        """ "A big, he says, town": an aside that hangs on the root, wherever it stands."""
        dice = self.dice
        spots = [
            i
            for i, word in enumerate(words[:-1])
            if word.deprel in ("amod", "nsubj", "obl") and words[i + 1].form != ","
        ]
        if not spots:
            return words
        at = dice.choice(spots) + 1
        verb = self.verb("say", "fin")
        subject = Word(dice.choice(PRONOUNS["nom"][:3]), "PRON", verb, "nsubj")
        verb.head, verb.deprel = root, "parataxis"
        for word in words:
            word.kind = word.kind or "aside"
        comma = [Word(",", "PUNCT", verb, "punct") for _ in range(2)]
        return [*words[:at], comma[0], subject, verb, comma[1], *words[at:]]
