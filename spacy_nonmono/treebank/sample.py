"""The sample treebank: an invented language, its grammar, and the command that writes the files.

English function words, invented content words, German-like word order where it is hard. A clause
is built as a list of words that point at their heads; a construction that moves a piece of that
list elsewhere makes arcs cross. `Word.kind` names the construction, for the comment `# crossing`.

`Random.random()` is the only method of the standard generator whose values Python promises to
keep, and every weight is an integer, so the output is the same under every version of Python.

    python -m spacy_nonmono.treebank.sample assets/sample --seed 0
"""

import argparse
import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, islice, pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeVar

from ..files import write_text
from .projectivity import crossing_arcs

T = TypeVar("T")

MIN_WORDS, MAX_WORDS = 4, 35
SPLITS = (("train", 2000), ("dev", 250), ("test", 300))
LEXICON_SEED = 1912  # the language stays the same whatever the sentences' seed

PREPS = ["in", "on", "with", "from", "to", "about", "near", "under", "for", "by", "of"]
PARTICLES = ["up", "off", "under", "on"]
NUMERALS = ["two", "three", "four", "six", "ten", "many", "few"]
TIMES = ["yesterday", "today", "often", "again", "then", "soon", "now", "never"]
PRONOUNS = {"nom": ["he", "she", "it", "they", "we"], "acc": ["him", "her", "it", "them", "us"]}
PLURAL_PRONOUNS = {"they", "we"}
POSSESSIVES = ["his", "her", "their", "our"]
DETERMINERS = [["the", "the", "a", "a", "that", "every"], ["the", "the", "some", "these"]]
CONJUNCTIONS = ["because", "while", "if", "after", "before", "when"]

# group: (how many, endings that hint at it, prepositions that its words like)
NOUN_GROUPS = {
    "person": (150, ["er", "ist", "an", "", ""], ["with", "from", "of"]),
    "thing": (190, ["olt", "le", "in", "", "", ""], ["of", "with", "under"]),
    "place": (80, ["ton", "ery", "", ""], ["near", "in", "of"]),
    "idea": (90, ["ion", "ness", "ity", ""], ["of", "about", "for"]),
}
VERB_GROUPS = {
    "intransitive": (50, ["om", "ish", "", ""], ["in", "from", "to"]),
    "transitive": (80, ["ask", "ab", "", "", ""], ["with", "on", "for"]),
    "optional": (40, ["ust", "", ""], ["near", "on", "in"]),
    "ditransitive": (16, ["erv", ""], ["in", "for"]),
    "say": (18, ["uk", "ont", ""], ["to", "about", "on"]),
    "know": (24, ["ew", "ont", ""], ["from", "by", "about"]),
    "want": (14, ["ist", ""], ["with", "in"]),
    "tell": (12, ["orm", ""], ["about", "in"]),
    "help": (12, ["elp", ""], ["with", "in"]),
    "particle": (14, ["ump", ""], ["in", "with"]),
}
ADJECTIVES = (150, ["ous", "y", "ish", "al", "", ""], ["for", "about"])
ADVERBS = (40, ["ly", "ly", "wise", ""], ["in"])
NAMES = (110, ["a", "o", "ar", "el", ""], ["from", "of"])

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

ONSETS = [*"bdfghklmnprstvwz", *(a + b for a in "bfgkp" for b in "lr"), "dr", "tr", "th"]
ONSETS += ["s" + b for b in "klnmtw"]
VOWELS = [*"aeiouaeiou", "ai", "ee", "ou"]
CODAS = [*"dlmnrv", "lk", "lm", "lt", "mp", "nd", "rk", "rn", "sk", "st", "sh", "lv", "rm"]


class Lexeme(NamedTuple):
    stem: str
    group: str
    preps: Sequence[str]
    strong: bool  # strong verbs tell the past from the participle, the others do not


class Word:
    """A node of a tree in the making: `head` is another word, None for the root."""

    __slots__ = ("deprel", "form", "head", "kind", "lexeme", "plural", "space_after", "upos")

    def __init__(self, form: str, upos: str, head: "Word | None" = None, deprel: str = "root"):
        self.form = form
        self.upos = upos
        self.head = head
        self.deprel = deprel
        self.lexeme: Lexeme | None = None
        self.plural = False
        self.space_after = True
        self.kind = ""


class Phrase(NamedTuple):
    head: Word
    words: list[Word]
    gap: Word | None = None  # the word inside that governs what the phrase leaves out
    nouns: Sequence[Word] = ()  # heads of its own arguments: what a clause can be extraposed from


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


class Dice:
    """Choices made from `Random.random()` alone."""

    def __init__(self, seed: int):
        self._random = Random(seed).random

    def chance(self, p: float) -> bool:
        return self._random() < p

    def choice(self, options: Sequence[T]) -> T:
        return options[int(self._random() * len(options))]

    def weighted(self, weights: dict[str, int]) -> str:
        sums = list(accumulate(weights.values()))
        return list(weights)[bisect_right(sums, int(self._random() * sums[-1]))]

    def zipf(self, options: Sequence[T]) -> T:
        sums = list(accumulate(100_000 // (rank + 4) for rank in range(len(options))))
        return options[bisect_right(sums, int(self._random() * sums[-1]))]


class Lexicon:
    def __init__(self, seed: int):
        self._dice = Dice(seed)
        self._seen: set[str] = set()
        self.nouns = {group: self._make(group, *rule) for group, rule in NOUN_GROUPS.items()}
        self.verbs = {group: self._make(group, *rule) for group, rule in VERB_GROUPS.items()}
        self.adjectives = self._make("adjective", *ADJECTIVES)
        self.adverbs = self._make("adverb", *ADVERBS)
        self.names = self._make("name", *NAMES)
        # Some stems are nouns and verbs alike: "the dorn snats" needs the rest of the sentence.
        for nouns, verbs in (("thing", "transitive"), ("thing", "optional"), ("idea", "know")):
            for rank in range(1, 22, 2):
                verb = self.verbs[verbs][rank]
                slot = rank if verbs != "optional" else rank + 1
                self.nouns[nouns][slot] = self.nouns[nouns][slot]._replace(stem=verb.stem)

    def _make(self, group: str, n: int, endings: list[str], preps: list[str]) -> list[Lexeme]:
        return [self.coin(self._dice, group, endings, preps) for _ in range(n)]

    def coin(self, dice: Dice, group: str, endings: list[str], preps: list[str]) -> Lexeme:
        while True:
            ending = dice.choice(endings)
            stem = dice.choice(ONSETS) + dice.choice(VOWELS) + dice.choice(CODAS)
            if not ending and dice.chance(0.25):
                stem += dice.choice(VOWELS[:5]) + dice.choice(CODAS)
            stem += ending
            if dice is not self._dice or stem not in self._seen:
                break
        if dice is self._dice:
            self._seen.add(stem)
        liked = [*preps, dice.choice(preps), dice.choice(PREPS[:9])]
        strong = dice.chance(0.25) and not ending
        return Lexeme(stem.title() if group == "name" else stem, group, liked, strong)


class Grammar:
    """Draws sentences. `depth` counts how deep a phrase is embedded and thins out its modifiers."""

    def __init__(self, seed: int, lexicon: Lexicon):
        self.dice = Dice(seed)
        self.lexicon = lexicon

    # Words

    def lexeme(self, options: Sequence[Lexeme], rules: dict | None = None) -> Lexeme:
        found = self.dice.zipf(options)
        if rules and self.dice.chance(0.045):  # a word nobody has seen
            return self.lexicon.coin(self.dice, found.group, *rules[found.group][1:])
        return found

    def noun(self, group: str, case: str, plural: bool) -> Word:
        lexeme = self.lexeme(self.lexicon.nouns[group], NOUN_GROUPS)
        return self._tagged(
            lexeme, "NOUN", _with_s(lexeme.stem) if plural else lexeme.stem, case, plural
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
            return self._tagged(lexeme, "VERB", _with_s(lexeme.stem), "", plural)
        ending = {"base": "", "past": "ed", "part": "ed", "ing": "ing", "inf": "en"}[form]
        stem = lexeme.stem
        if lexeme.strong and form == "part":
            ending = "en"  # as the cluster's infinitives
        elif lexeme.strong and form == "past":
            ending = "t"
        return self._tagged(lexeme, "VERB", stem + ending, "", plural)

    # Noun phrases

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
        form = "who" if _is_person(head) else "which"
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

    # Clauses

    def clause(
        self,
        depth: int,
        *,
        subject: Phrase | None = None,
        gap: bool = False,
        inverted: bool = False,
    ) -> Phrase:
        """A finite clause. gap: an object is missing, in it or in a clause that it embeds."""
        dice = self.dice
        if not gap and not inverted and depth < 3 and dice.chance(0.10):
            return self.copular(depth, subject)
        if subject is None:
            group = "person" if dice.chance(0.6) else ""
            subject = self.np(depth + 1, group=group, bare=dice.chance(0.5 if depth else 0.15))
        plural = subject.head.plural
        auxiliary, form = "", "fin"
        if inverted:
            auxiliary, form = dice.choice(["did", "did", "will", "can"]), "base"
        elif dice.chance(0.22):
            auxiliary, form = dice.choice(
                [
                    ("will", "base"),
                    ("can", "base"),
                    ("must", "base"),
                    ("have" if plural else "has", "part"),
                    ("had", "part"),
                    ("are" if plural else "is", "ing"),
                ]
            )
        group = self._frame(depth, gap)
        verb = self.verb(group, form, plural)
        left = [Word(auxiliary, "AUX", verb, "aux")] if auxiliary else []
        start = attach(subject, verb, "nsubj")
        adverb = [self._adverb(verb)] if dice.chance(0.08) else []
        left = [*left, *start, *adverb] if inverted else [*start, *left, *adverb]
        right, governor, nouns = self.complements(verb, depth, gap)
        return Phrase(verb, [*left, verb, *right], governor, [subject.head, *nouns])

    def _frame(self, depth: int, gap: bool) -> str:
        if gap:
            return self.dice.weighted({"transitive": 12, "say": 6 * (depth < 3), "know": 4})
        deep = 1 if depth < 2 else 0
        return self.dice.weighted(
            {
                "intransitive": 16,
                "transitive": 30,
                "optional": 14,
                "ditransitive": 6,
                "say": 5 * deep,
                "know": 6 * deep + 3,
                "want": 5 * deep,
                "tell": 3 * deep,
                "particle": 5,
            }
        )

    def _adverb(self, verb: Word) -> Word:
        if self.dice.chance(0.4):
            return Word(self.dice.choice(TIMES), "ADV", verb, "advmod")
        return Word(self.lexeme(self.lexicon.adverbs).stem, "ADV", verb, "advmod")

    def complements(
        self, verb: Word, depth: int, gap: bool = False
    ) -> tuple[list[Word], Word | None, list[Word]]:
        """What follows a verb, the governor of the gap, and the heads of its noun phrases."""
        dice = self.dice
        group = verb.lexeme.group if verb.lexeme else ""
        words: list[Word] = []
        nouns: list[Word] = []
        governor = verb if gap else None
        clausal = group == "say" or (group == "know" and depth < 3 and dice.chance(0.55))
        if group == "optional":
            takes_object = dice.chance(0.5)
        else:
            takes_object = group in ("transitive", "ditransitive", "tell", "particle", "know")
        if takes_object and not gap and not clausal:
            obj = self.np(depth + 1, "acc", group="person" if group == "tell" else "")
            words += attach(obj, verb, "obj")
            nouns.append(obj.head)
            if group == "ditransitive":
                other = self.np(depth + 1, "acc", group="person", bare=True)
                if dice.chance(0.5):
                    words = [*attach(other, verb, "iobj"), *words]
                else:
                    to = Word("to", "ADP", other.head, "case")
                    words += [to, *attach(other, verb, "obl")]
            elif group == "particle":
                particle = Word(dice.choice(PARTICLES), "ADP", verb, "compound:prt")
                words = [particle, *words] if dice.chance(0.4) else [*words, particle]
        if clausal or (group == "tell" and not gap):
            clause = self.clause(depth + 1, gap=gap) if gap else self.subordinate(depth + 1)
            governor = clause.gap
            words += self._complement_clause(clause, verb, "that", 0.4 if clausal else 0.9)
        elif group == "want":
            inner = self.verb(dice.choice(["transitive", "intransitive", "optional"]), "base")
            words += [Word("to", "PART", inner, "mark"), inner]
            inner.head, inner.deprel = verb, "xcomp"
            more, _, nouns = self.complements(inner, depth + 1)
            words += more
        else:
            words, nouns = self.adjuncts(verb, depth, words, nouns)
        return words, governor, nouns

    def adjuncts(
        self, verb: Word, depth: int, words: list[Word], nouns: list[Word]
    ) -> tuple[list[Word], list[Word]]:
        dice = self.dice
        late: list[Word] = []
        if nouns and nouns[-1].upos == "NOUN" and depth < 2 and dice.chance(0.07):
            late = self.pp(nouns[-1], depth + 1, kind="split_pp")  # "saw a plan today of the town"
            words = [*words, self._adverb(verb)] if dice.chance(0.8) else words + self.pp(verb, 2)
        else:
            if dice.chance(0.36 / (1 + 0.5 * depth)):
                words = words + self.pp(verb, depth + 1)
            if dice.chance(0.13):
                words = [*words, self._adverb(verb)]
        return words + late, nouns

    def _complement_clause(self, clause: Phrase, verb: Word, form: str, p: float) -> list[Word]:
        words = attach(clause, verb, "ccomp")
        if self.dice.chance(p):
            return [Word(form, "SCONJ", clause.head, "mark"), *words]
        return words

    def copular(self, depth: int, subject: Phrase | None) -> Phrase:
        dice = self.dice
        subject = subject or self.np(depth + 1)
        form = "were" if subject.head.plural else "was"
        if dice.chance(0.35):  # passive: "was" says that the participle is no past
            verb = self.verb(dice.choice(["transitive", "optional"]), "part")
            start = attach(subject, verb, "nsubj:pass")
            words = [*start, Word(form, "AUX", verb, "aux:pass"), verb]
            return Phrase(verb, words + self.pp(verb, depth + 1), None, [subject.head])
        if dice.chance(0.65):
            predicate = self._adjective(None, "root")
            head = predicate[-1]
        else:
            head, predicate = self.np(depth + 1, bare=True)[:2]
        if dice.chance(0.2):
            predicate = [*predicate, *self.pp(head, depth + 1)]
        words = [*attach(subject, head, "nsubj"), Word(form, "AUX", head, "cop"), *predicate]
        return Phrase(head, words, None, [subject.head])

    def subordinate(self, depth: int) -> Phrase:
        """A clause below a conjunction: now and then with its verbs in a cluster at the end."""
        if depth < 3 and self.dice.chance(0.15):
            return self.cluster(depth)
        return self.clause(depth)

    def cluster(self, depth: int) -> Phrase:
        """Nouns first, verbs last. Cross-serial: N1 N2 N3 V1 V2; V2 V1 (nested) is rarer."""
        dice = self.dice
        subject = self.np(depth + 1, group="person", bare=True)
        first = self.verb("help", "fin", subject.head.plural)
        nouns = attach(subject, first, "nsubj")
        nouns += attach(self.np(depth + 1, "marked", "person", bare=True), first, "obj")
        verbs = [first]
        for _ in range(2 if dice.chance(0.2) else 1):
            last = dice.chance(0.75)
            inner = self.verb("transitive" if last else "intransitive", "inf")
            inner.head, inner.deprel = verbs[-1], "xcomp"
            verbs.append(inner)
            if not last:
                break
            obj = self.np(depth + 1, "marked", dice.choice(["thing", "thing", "idea"]), bare=True)
            nouns += attach(obj, inner, "obj", "cluster")
        if dice.chance(0.25):
            nouns.append(self._adverb(first))
        if len(verbs) == 2 and dice.chance(0.25):
            verbs.reverse()
        return Phrase(first, nouns + verbs)

    # Sentences

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
            clash = any(_is_person(word) == _is_person(noun) for word in later)
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


def _is_person(word: Word) -> bool:
    return bool(word.lexeme and word.lexeme.group in ("person", "name"))


def _with_s(stem: str) -> str:
    return stem + ("es" if stem.endswith(("s", "x", "sh")) else "s")


def attach(phrase: Phrase, head: Word, deprel: str, kind: str = "") -> list[Word]:
    phrase.head.head, phrase.head.deprel = head, deprel
    phrase.head.kind = phrase.head.kind or kind
    return phrase.words


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


def write(folder: Path, seed: int) -> None:
    """train.conllu, dev.conllu and test.conllu, cut from one stream: no sentence is in two."""
    stream = generate(sum(n for _, n in SPLITS), seed)
    for name, n in SPLITS:
        text = "".join(sentence.to_conllu() for sentence in islice(stream, n))
        write_text(folder / f"{name}.conllu", text)


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Write the sample treebank.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(argv)
    try:
        write(arguments.folder, arguments.seed)
    except OSError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
