"""Tokens of several words."""

from collections.abc import Sequence

from spacy_nonmono.multiword.rules import Rules, Token
from spacy_nonmono.tokens.merged import Part, Reading

FRENCH = """\
1\tIl\til\tPRON\tP\t_\t2\tnsubj\t_\t_
2\tparle\tparler\tVERB\tV\t_\t0\troot\t_\t_
3-4\tdu\t_\t_\t_\t_\t_\t_\t_\t_
3\tde\tde\tADP\tS\t_\t5\tcase\t_\t_
4\tle\tle\tDET\tD\t_\t5\tdet\t_\t_
5\ttemps\ttemps\tNOUN\tN\t_\t2\tobl\t_\tSpaceAfter=No
6\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

"""
TEXT = "Il parle du temps. Du temps !"


def reading(*words: str, upos: str = "NOUN", label: str = "obl") -> Reading:
    """The first word is the main one, the others depend on it."""
    first, *others = words
    parts = [Part(first, first, upos, "_", "_", -1, label)]
    parts += [Part(word, word, "PRON", "_", "_", 0, "obj") for word in others]
    return Reading(tuple(parts), 0, 0)


def token(form: str, *words: str, upos: str = "NOUN", label: str = "obl") -> Token:
    """words: those of the token; none for a token of one word."""
    return form, upos, label, reading(*words, upos=upos, label=label) if words else None


def forms(rules: Rules, form: str, upos: str = "NOUN", label: str = "obl") -> list[str]:
    """The words of a token."""
    found = rules.find(form, upos, label)
    return [form] if found is None else [part.form for part in found.parts]


def learn(pairs: Sequence[str], **tags: str) -> Rules:
    """From tokens such as "du=de+le" and "temps"."""
    rows = (pair.replace("=", "+").split("+") for pair in pairs)
    return Rules.learn(token(form, *words, **tags) for form, *words in rows)
