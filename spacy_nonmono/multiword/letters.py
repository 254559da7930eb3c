"""Forms as they are compared, and words as they are cut out of what is written.

What stands in a text is never changed: a key only says where to cut.
"""

from unicodedata import is_normalized, normalize

# One letter each. `str.lower` does not know Turkish, and makes two letters of "İ"
SAME = {"İ": "i", "ı": "i", "’": "'", "ʼ": "'"}


def key_of(form: str) -> str:
    """What is the same for capitals, kinds of apostrophes, composed and decomposed letters. It is as
    long as the composed form."""
    composed = normalize("NFC", form)
    return "".join(SAME.get(letter) or _one(letter.casefold(), letter) for letter in composed)


def cut(form: str, n: int) -> int:
    """Where the last n letters of the key of a form begin in the form."""
    if is_normalized("NFC", form):
        return len(form) - n
    # A letter and the marks behind it are as long as the marks alone, or shorter
    return next(place for place in range(len(form) + 1) if len(normalize("NFC", form[place:])) <= n)


def lower(text: str) -> str:
    """In lower case and composed, but for letters that would become two."""
    return "".join(_one(letter.lower(), letter) for letter in normalize("NFC", text))


def upper(text: str) -> str:
    """In capitals, but for letters that would become two."""
    return "".join(_one(letter.upper(), letter) for letter in text)


def _one(changed: str, letter: str) -> str:
    return changed if len(changed) == 1 else letter
