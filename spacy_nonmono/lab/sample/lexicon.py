"""The content words: stems coined from syllables, and groups of words that behave alike."""

from collections.abc import Sequence
from typing import NamedTuple

from .dice import Dice
from .function_words import PREPS

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

ONSETS = [*"bdfghklmnprstvwz", *(a + b for a in "bfgkp" for b in "lr"), "dr", "tr", "th"]
ONSETS += ["s" + b for b in "klnmtw"]
VOWELS = [*"aeiouaeiou", "ai", "ee", "ou"]
CODAS = [*"dlmnrv", "lk", "lm", "lt", "mp", "nd", "rk", "rn", "sk", "st", "sh", "lv", "rm"]


class Lexeme(NamedTuple):
    stem: str
    group: str
    preps: Sequence[str]
    strong: bool  # strong verbs tell the past from the participle, the others do not


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
