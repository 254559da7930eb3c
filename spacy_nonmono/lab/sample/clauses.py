"""Clauses: a verb, its subject and what follows it, other clauses among them."""

from .function_words import PARTICLES
from .noun_phrases import NounPhrases
from .trees import Phrase, Word, attach


class Clauses(NounPhrases):
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
