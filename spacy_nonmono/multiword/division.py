"""How a multiword token is divided into words: by lengths, counted from its end, and by letters only
where the words have others than the token.

French "du" keeps its "d", to which "e" is added, and "le" is written; Turkish "FIFA'daki" keeps all but
the last two letters, which are the second word. What stands in a text is never changed: a key, in which
forms are compared, only says where to cut.
"""

from collections.abc import Sequence
from typing import NamedTuple
from unicodedata import is_normalized, normalize

# One letter each. `str.lower` does not know Turkish, and makes two letters of "İ"
SAME = {"İ": "i", "ı": "i", "’": "'", "ʼ": "'"}


class Slice(NamedTuple):
    """Some letters of the token. Their places are counted from its end: 2 and 0 are the last two."""

    start: int
    end: int


class Division(NamedTuple):
    """The way in which a token is divided into words.

    n_ending: how many letters at the token's end are not the beginning of the first word. added: what
    the first word has in their place. others: the other words, in lower case if they are not in the
    token.
    """

    n_ending: int
    added: str
    others: tuple[Slice | str, ...]


def divide(form: str, words: Sequence[str]) -> Division:
    """Find the division that leads from the form of a token to its words, one or more."""
    key, first = key_of(form), key_of(words[0])
    same = 0
    while same < min(len(key), len(first)) and key[same] == first[same]:
        same += 1
    n, end = len(key), len(key)
    others: list[Slice | str] = []
    for word in reversed(words[1:]):
        word_key = key_of(word)
        start = key.rfind(word_key, 0, end)
        if word_key and start >= 0:
            others.append(Slice(n - start, n - start - len(word_key)))
            end = start
        else:
            others.append(lower(word))
    return Division(n - same, lower(words[0])[same:], tuple(reversed(others)))


def fits(division: Division, key: str, n_stem: int) -> bool:
    """Find out whether the token is long enough: n_stem letters must stay before its ending."""
    longest = max([slice.start for slice in division.others if isinstance(slice, Slice)], default=0)
    return len(key) >= max(division.n_ending + n_stem, longest)


def apply(division: Division, form: str, *, decomposed: bool = False) -> list[str]:
    """Divide a token that the division fits; its words are written as the token is. decomposed: whether
    the text is."""
    stem = form[: cut(form, division.n_ending)]
    added = division.added
    if not stem and form[:1].isupper():
        added = upper(added[:1]) + added[1:]
    words = [stem + _as_written(added, form, decomposed)]
    for other in division.others:
        if isinstance(other, Slice):
            words.append(form[cut(form, other.start) : cut(form, other.end)])
        else:
            words.append(_as_written(other, form, decomposed))
    return words


def _as_written(text: str, form: str, decomposed: bool) -> str:
    text = upper(text) if form.isupper() and len(form) > 1 else text
    return normalize("NFD", text) if decomposed else text


def key_of(form: str) -> str:
    """Make the key of a form, which is the same for capitals, kinds of apostrophes, composed and
    decomposed letters. It is as long as the composed form."""
    composed = normalize("NFC", form)
    return "".join(SAME.get(letter) or _one(letter.casefold(), letter) for letter in composed)


def cut(form: str, n: int) -> int:
    """Find where the last n letters of the key of a form begin in the form."""
    if is_normalized("NFC", form):
        return len(form) - n
    # A letter and the marks behind it are as long as the marks alone, or shorter
    return next(place for place in range(len(form) + 1) if len(normalize("NFC", form[place:])) <= n)


def lower(text: str) -> str:
    """Put a text into lower case and compose it, but for letters that would become two."""
    return "".join(_one(letter.lower(), letter) for letter in normalize("NFC", text))


def upper(text: str) -> str:
    """Put a text into capitals, but for letters that would become two."""
    return "".join(_one(letter.upper(), letter) for letter in text)


def _one(changed: str, letter: str) -> str:
    return changed if len(changed) == 1 else letter
