"""Which words a token stands for, as training data showed it.

The end of a token tells: its last two letters, its last three, up to MAX_ENDING, at last the whole
form. Each of these knows how often tokens that end so were divided in each way, and how often they were
one word; of all tokens, of those with the label, with the UPOS, and with both. In this order, from what
is general to what is special, the share of each division is the mean of what was counted here and of
the share so far, which weighs as much as MEMORY tokens (interpolation; Jelinek & Mercer 1980). If all
divisions together have LEAST_SHARE in the end, the token is divided as the largest of them says.

Endings count forms, so that frequent forms do not outvote the others; the whole form counts tokens.
Votes are for the division; lemmas, tags and arcs of the words are those that are commonest with it,
where the most special of these tokens are looked at first. On Turkish-IMST, dev, 173 of 272 multiword
tokens are right, and 4 other tokens are divided. With votes for words and tags at once: 106, and 4.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ..tokens.merged import Part, Reading, check_tree
from .division import Division, Slice, apply, divide, fits, key_of

MIN_ENDING, MAX_ENDING = 2, 8
MEMORY, FORM_MEMORY = 3.0, 0.2  # of endings, of whole forms
LEAST_SHARE = 0.85
MIN_STEM = 2  # letters before the ending of a form that was not seen
WHOLE = "\n"  # in front of a whole form
N_FOUND = 20_000  # so many answers are remembered

# A token of the data: form, UPOS, label, and its words, None if it is one
Token = tuple[str, str, str, Reading | None]
# UPOS and label, either of them "" for any
Context = tuple[str, str]
Votes = dict[Context, tuple[int, dict[Division, int]]]
NO_VOTES: tuple[int, dict[Division, int]] = 0, {}


class Pattern(NamedTuple):
    """The words of a token without their forms. tags: lemma, UPOS, XPOS, FEATS, head and label of each
    word."""

    division: Division
    main: int
    governor: int
    tags: tuple[tuple[str, str, str, str, int, str], ...]


# How often tokens with a UPOS and a label had a pattern, None for those of one word
Rows = dict[tuple[str, str, Pattern | None], int]


class Rules:
    """What was learned of multiword tokens.

    rows: of each ending, and of each whole form with WHOLE in front of it.
    """

    def __init__(self, rows: dict[str, Rows]) -> None:
        self.rows = rows
        self._votes = {ending: votes_of(of_ending) for ending, of_ending in rows.items()}
        # Answers, by the numbers of form, UPOS and label, and whether the text is decomposed
        self.found: dict[tuple[int, ...], Reading | None] = {}

    @classmethod
    def learn(cls, tokens: Iterable[Token]) -> "Rules":
        """Learn from tokens of a treebank."""
        seen: defaultdict[tuple[str, str, str], Counter[Pattern | None]] = defaultdict(Counter)
        for form, upos, label, reading in tokens:
            seen[key_of(form), upos, label][reading and _pattern(form, reading)] += 1
        several = {key for (key, _, _), counts in seen.items() if set(counts) != {None}}
        shared = {ending for key in several for ending in endings(key)}
        rows: defaultdict[str, Rows] = defaultdict(Counter)
        for (key, upos, label), counts in seen.items():
            patterns = list(_commonest(counts))
            for ending in endings(key):
                # Where the next shorter ending is not one of several words either, nothing is new
                if {ending, ending[1:]} & shared:
                    for pattern in patterns:
                        rows[ending][upos, label, pattern] += 1
            if key in several:
                for whole, n in counts.items():
                    rows[WHOLE + key][upos, label, whole] += n
        rules = cls({**rows})
        for (key, upos, label), counts in seen.items():
            # Of forms that were not divided, those are kept that their endings would divide
            if key not in several and any(rules._chosen(key, pair) for pair in contexts(upos, label)):
                rows[WHOLE + key][upos, label, None] += counts.total()
        return cls({**rows})

    def find(self, form: str, upos: str, label: str, *, decomposed: bool = False) -> Reading | None:
        """Find the words of a token, None if it is one. upos, label: "" if unknown. decomposed: whether
        the text is."""
        pattern = self._chosen(key_of(form), (upos, label))
        return pattern and _reading(pattern, form, decomposed)

    def _chosen(self, key: str, context: Context) -> Pattern | None:
        asked = contexts(*context)
        is_seen = WHOLE + key in self.rows
        known = [ending for ending in [*endings(key), WHOLE + key] if ending in self.rows]
        shares: defaultdict[Division, float] = defaultdict(float)
        for ending in known:
            memory = FORM_MEMORY if ending.startswith(WHOLE) else MEMORY
            votes = self._votes[ending]
            for pair in asked:
                total, counts = votes.get(pair, NO_VOTES)
                for division in shares:
                    shares[division] *= memory / (memory + total)
                for division, n in counts.items():
                    shares[division] += n / (memory + total)
        n_stem = 0 if is_seen else MIN_STEM
        possible = [division for division in shares if fits(division, key, n_stem)]
        if sum(map(shares.__getitem__, possible)) < LEAST_SHARE:
            return None
        return self._pattern(max(possible, key=shares.__getitem__), known, asked)

    def _pattern(self, division: Division, known: list[str], asked: list[Context]) -> Pattern:
        """Return the commonest pattern with this division, of the most special tokens that have it; one
        with unknown arcs only if there is no other."""
        with_unknown = None
        for ending in reversed(known):
            for pair in reversed(asked):
                counts: Counter[Pattern] = Counter()
                for (upos, label, pattern), n in self.rows[ending].items():
                    if pattern and pattern.division == division and pair in contexts(upos, label):
                        counts[pattern] += n
                for one, _ in counts.most_common():
                    if all(word[-1] for i, word in enumerate(one.tags) if i != one.main):
                        return one
                    with_unknown = with_unknown or one
        assert with_unknown is not None  # a division is one of a pattern
        return with_unknown

    def to_plain(self) -> dict[str, Any]:
        """Turn what was learned into lists and tables, which JSON can hold."""
        numbers: dict[Pattern | None, int] = {None: -1}
        rows = {
            ending: [
                [upos, label, numbers.setdefault(pattern, len(numbers) - 1), n]
                for (upos, label, pattern), n in of_ending.items()
            ]
            for ending, of_ending in self.rows.items()
        }
        return {"patterns": [_plain(one) for one in numbers if one is not None], "rows": rows}

    @classmethod
    def from_plain(cls, found: Any) -> "Rules":
        """Make the rules of what `to_plain` gave. Raises TypeError, ValueError, KeyError, IndexError or
        AttributeError for anything else."""
        patterns = [*map(_from_plain, found["patterns"]), None]
        rows: dict[str, Rows] = {
            str(ending): {
                (str(upos), str(label), patterns[number]): int(n) for upos, label, number, n in of_ending
            }
            for ending, of_ending in found["rows"].items()
        }
        return cls(rows)


def votes_of(rows: Rows) -> Votes:
    """Count by the context how many tokens there are, and how often each division was seen."""
    votes: Votes = {}
    for (upos, label, pattern), n in rows.items():
        for pair in contexts(upos, label):
            total, counts = votes.get(pair, (0, {}))
            if pattern is not None:
                counts[pattern.division] = counts.get(pattern.division, 0) + n
            votes[pair] = total + n, counts
    return votes


def contexts(upos: str, label: str) -> list[Context]:
    """List the contexts that a token counts for, from the most general to the most special one."""
    return list(dict.fromkeys([("", ""), ("", label), (upos, ""), (upos, label)]))


def endings(key: str) -> Iterator[str]:
    """List the endings of a key, the shortest first."""
    for n in range(MIN_ENDING, min(MAX_ENDING, len(key)) + 1):
        yield key[len(key) - n :]


def _commonest(counts: Counter[Pattern | None]) -> Iterator[Pattern | None]:
    """Return the commonest pattern of each division, without the lemma of a first word that is not
    whole."""
    found: dict[Division | None, Pattern | None] = {}
    for pattern, _ in counts.most_common():
        found.setdefault(pattern and pattern.division, pattern)
    for pattern in found.values():
        if pattern is None:
            yield None
        else:
            first, *others = pattern.tags
            yield pattern._replace(tags=(("", *first[1:]), *others))


def _pattern(form: str, reading: Reading) -> Pattern:
    division = divide(form, [part.form for part in reading.parts])
    return Pattern(division, reading.main, reading.governor, tuple(part[1:] for part in reading.parts))


def _reading(pattern: Pattern, form: str, decomposed: bool) -> Reading:
    words = apply(pattern.division, form, decomposed=decomposed)
    parts = (Part(word, *tags) for word, tags in zip(words, pattern.tags, strict=True))
    return Reading(tuple(parts), pattern.main, pattern.governor)


def _plain(pattern: Pattern) -> list[Any]:
    division = pattern.division
    others = [other if isinstance(other, str) else list(other) for other in division.others]
    tags = [list(word) for word in pattern.tags]
    return [division.n_ending, division.added, others, pattern.main, pattern.governor, tags]


def _from_plain(found: Any) -> Pattern:
    n_ending, added, others, main, governor, tags = found
    division = Division(
        int(n_ending),
        str(added),
        tuple(other if isinstance(other, str) else Slice(*map(int, other)) for other in others),
    )
    slices = [other for other in division.others if isinstance(other, Slice)]
    if min([n_ending, *(place for one in slices for place in one)]) < 0 or len(tags) != len(others) + 1:
        raise ValueError("words that are not in the token")
    check_tree([word[4] for word in tags], main, governor)
    rows = ((*map(str, word[:4]), int(word[4]), str(word[5])) for word in tags)
    return Pattern(division, int(main), int(governor), tuple(rows))  # type: ignore[arg-type]
