"""The words that multiword tokens stand for, as training data showed them: the form of a token leads to
its words, the tag and the label of the token choose among several readings.

Forms that were not seen are read by their endings, if most words with an ending are such tokens: an
ending of the token stands for the words behind the first one, and for a change of the first one's end.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from spacy.training import Example

from ..merged import OUTSIDE, READINGS, Part, Reading
from ..scoring.loading import damaged

# Of a rule: how many forms show it, what part of the forms with the ending they are, how long the ending
# is, and how long what stands before it
MIN_FORMS, MIN_SHARE, MIN_ENDING, MIN_STEM = 3, 0.5, 2, 2

# A token of the data: form, UPOS, label, and what it stands for, None for itself
Token = tuple[str, str, str, Reading | None]
# How often each reading was seen, by the UPOS and the label of the token
Readings = dict[tuple[str, str], Counter[Reading | None]]


class Expansions:
    """forms: readings of each form in lower case, of those that were seen as several words, or that were
    not although they have one of the endings. endings: the reading of forms with that ending, whose
    first word begins as the form does up to there."""

    def __init__(self, forms: dict[str, Readings], endings: dict[str, Reading]) -> None:
        self.forms = forms
        self.endings = endings
        self._longest = max(map(len, endings), default=0)

    def __bool__(self) -> bool:
        return bool(self.forms)

    @classmethod
    def learn(cls, tokens: Iterable[Token]) -> "Expansions":
        seen: defaultdict[str, Readings] = defaultdict(lambda: defaultdict(Counter))
        for form, upos, label, reading in tokens:
            seen[form.lower()][upos, label][reading] += 1
        several = {
            form: dict(readings)
            for form, readings in seen.items()
            if any(reading is not None for counts in readings.values() for reading in counts)
        }
        endings = learn_endings(several, seen)
        found = cls({**several}, endings)
        found.forms.update(
            (form, dict(readings))
            for form, readings in seen.items()
            if form not in several and found._by_ending(form, "") is not None
        )
        return found

    def find(self, form: str, upos: str, label: str) -> Reading | None:
        """The words of a token, written as the token is; None if it is one word. upos: "" if unknown."""
        lower = form.lower()
        readings = self.forms.get(lower)
        reading = choose(readings, upos, label) if readings else self._by_ending(lower, upos)
        return None if reading is None else with_case(reading, form)

    def _by_ending(self, form: str, upos: str) -> Reading | None:
        """The reading by the longest ending, if the main word has the token's UPOS."""
        for length in range(min(self._longest, len(form) - MIN_STEM), MIN_ENDING - 1, -1):
            found = self.endings.get(form[-length:])
            if found is not None and upos in ("", found.parts[found.main].upos):
                first = found.parts[0]
                stem = form[:-length]
                parts = (first._replace(form=stem + first.form, lemma=""), *found.parts[1:])
                return found._replace(parts=parts)
        return None

    def to_json(self) -> dict[str, Any]:
        return {
            "forms": {
                form: [
                    [upos, label, [[reading_to_json(one), n] for one, n in counts.items()]]
                    for (upos, label), counts in readings.items()
                ]
                for form, readings in self.forms.items()
            },
            "endings": {ending: reading_to_json(one) for ending, one in self.endings.items()},
        }

    @classmethod
    def from_json(cls, found: Any) -> "Expansions":
        """Raises TypeError, ValueError, KeyError or AttributeError for what `to_json` did not make."""
        forms: dict[str, Readings] = {
            str(form): {
                (str(upos), str(label)): Counter({reading_from_json(one): int(n) for one, n in counts})
                for upos, label, counts in readings
            }
            for form, readings in found["forms"].items()
        }
        endings = {str(ending): reading_from_json(one) for ending, one in found["endings"].items()}
        if None in endings.values():
            raise ValueError("an ending of one word")
        return cls(forms, endings)  # type: ignore[arg-type]


def tokens_of(example: Example) -> Iterator[Token]:
    """If the gold Doc has multiword tokens, what `Expansions.learn` takes of it."""
    readings = example.reference.user_data.get(READINGS)
    if readings is None:
        return
    for token in example.reference:
        found = readings.get(token.i)
        yield token.text, token.pos_, token.dep_, found if isinstance(found, Reading) else None


def read_expansions(found: Any) -> Expansions:
    """What was saved; nothing for None. Raises ValueError (NM037) if it is damaged."""
    if found is None:
        return Expansions({}, {})
    try:
        return Expansions.from_json(found)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise damaged(f"words of multiword tokens: {error}", "those of a parser") from error


def choose(readings: Readings, upos: str, label: str) -> Reading | None:
    """The commonest reading of tokens with this UPOS and label; where there are none, of those with the
    label, with the UPOS, or of all."""
    for agrees in (
        lambda key: key == (upos, label),
        lambda key: key[1] == label,
        lambda key: key[0] == upos,
        lambda key: True,
    ):
        counts: Counter[Reading | None] = Counter()
        for key, of_key in readings.items():
            if agrees(key):
                counts.update(of_key)
        if counts:
            return counts.most_common(1)[0][0]
    return None


def with_case(reading: Reading, form: str) -> Reading:
    """The words as the token is written: all in capitals, or the first one with a capital."""
    if form.isupper() and len(form) > 1:
        return reading._replace(parts=tuple(p._replace(form=p.form.upper()) for p in reading.parts))
    if form[:1].isupper():
        first = reading.parts[0]
        capital = first._replace(form=first.form[:1].upper() + first.form[1:])
        return reading._replace(parts=(capital, *reading.parts[1:]))
    return reading


def learn_endings(several: dict[str, Readings], seen: Iterable[str]) -> dict[str, Reading]:
    """The rules for forms that were not seen. seen: all forms."""
    n_forms: Counter[str] = Counter()
    for form in seen:
        n_forms.update(form[-length:] for length in range(MIN_ENDING, len(form) - MIN_STEM + 1))
    found: defaultdict[str, Counter[Reading]] = defaultdict(Counter)
    for form, readings in several.items():
        reading = choose(readings, "", "")
        if reading is not None:
            for ending, rule in rules_of(form, reading):
                found[ending][rule] += 1
    endings = {}
    for ending, rules in found.items():
        rule, n = rules.most_common(1)[0]
        if n >= MIN_FORMS and n >= MIN_SHARE * n_forms[ending]:
            endings[ending] = rule
    return endings


def rules_of(form: str, reading: Reading) -> Iterator[tuple[str, Reading]]:
    """The ending of a form that tells its words, and longer ones, as long as what is left of the first
    word is long enough. In a rule the form and the lemma of the first word are those of its end."""
    first, *others = (part.form.lower() for part in reading.parts)
    n_same = 0
    while n_same < min(len(form), len(first)) and form[n_same] == first[n_same]:
        n_same += 1
    if not others:
        return
    for n_stem in range(n_same, MIN_STEM - 1, -1):
        ending = form[n_stem:]
        if len(ending) < MIN_ENDING:
            continue
        end = reading.parts[0]._replace(form=first[n_stem:], lemma="")
        yield ending, reading._replace(parts=(end, *reading.parts[1:]))


def _leads_nowhere(heads: list[int], word: int) -> bool:
    for _ in heads:
        word = heads[word] if word != OUTSIDE else word
    return word != OUTSIDE


def reading_to_json(reading: Reading | None) -> Any:
    return None if reading is None else [reading.main, reading.governor, *map(list, reading.parts)]


def reading_from_json(found: Any) -> Reading | None:
    if found is None:
        return None
    main, governor, *rows = found
    parts = tuple(
        Part(str(form), str(lemma), str(upos), str(xpos), str(feats), int(head), str(label))
        for form, lemma, upos, xpos, feats, head, label in rows
    )
    heads = [part.head for part in parts]
    n = len(parts)
    are_there = all(OUTSIDE <= head < n for head in heads) and {main, governor} <= set(range(n))
    if not are_there or heads[main] != OUTSIDE or any(_leads_nowhere(heads, word) for word in range(n)):
        raise ValueError("words that are no tree")
    return Reading(parts, int(main), int(governor))
