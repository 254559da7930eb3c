"""The feature templates of the linear scorer, as data.

A template is a list of atoms, separated by spaces: `S0.w N0.p` is the word of S0 together with the
tag of N0. It fires where none of its atoms is missing. An atom is a position and a kind.

Positions: those of the transition systems (`transitions/system.pxd`); `S0lc`, `S0rc`, `N0lc`, the left
and right dependents that are closest to S0 and N0; `S0kl`, `S0kr`, `N0kl`, `N0kr`, the nearest collocate
to the left and to the right of S0 and N0 that waits for a head outside of the context, S2 to N2 (or
every one of them, one after the other, as `LinearTransitionParser` is set); `W-3` to `W+3`, the words
around a word, which the templates of boundaries and roots look at.

Kinds: w word, p tag, b Brown cluster, b4 and b6 the first bits of it, prefix, suffix, shape; l label of
the arc to the head; vl and vr number of left and right dependents; sl and sr set of their labels. `d`
stands alone: the distance between S0 and N0.
"""

from collections.abc import Iterable

WORD_TAG = ("w", "p", "w {0}.p")


def _each(positions: str, *kinds: str) -> list[str]:
    """Every kind at every position; further atoms in a kind name the position as {0}."""
    return [
        f"{position}.{kind.format(position)}" for position in positions.split() for kind in kinds
    ]


# What most systems ask of the two focus words together
FOCUS_WORDS = [
    "S0.w S0.p N0.w N0.p",
    "S0.w S0.p N0.w",
    "S0.w N0.w N0.p",
    "S0.w S0.p N0.p",
    "S0.p N0.w N0.p",
    "S0.w N0.w",
    "S0.p N0.p",
]
DISTANCES = [
    f"{words} d" for words in ("S0.w", "S0.p", "N0.w", "N0.p", "S0.w N0.w", "S0.p N0.p")
]

# Zhang & Nivre (2011, tables 1 and 2), as Honnibal & Johnson (2015) use them
ZHANG_NIVRE_TEMPLATES = [
    *_each("S0 N0 N1 N2", *WORD_TAG),
    *FOCUS_WORDS,
    "N0.p N1.p",
    "N0.p N1.p N2.p",
    "S0.p N0.p N1.p",
    "S0h.p S0.p N0.p",
    "S0.p S0l.p N0.p",
    "S0.p S0r.p N0.p",
    "S0.p N0.p N0l.p",
    *DISTANCES,
    *(
        f"{word} {counted}"
        for word in ("S0.w", "S0.p", "N0.w", "N0.p")
        for counted in ("S0.vl", "S0.vr", "N0.vl", "S0.sl", "S0.sr", "N0.sl")
    ),
    *_each("S0h S0l S0r N0l S0h2 S0l2 S0r2 N0l2", "w", "p"),
    *_each("S0 S0l S0r N0l S0h S0l2 S0r2 N0l2", "l"),
    "S0.p S0l.p S0l2.p",
    "S0.p S0r.p S0r2.p",
    "S0.p S0h.p S0h2.p",
    "N0.p N0l.p N0l2.p",
]

# Fernandez-Gonzalez & Gomez-Rodriguez (2017, table 2); L0, L1 are S0, S1 here, R0 to R2 N0 to N2
COVINGTON_TEMPLATES = [
    *_each("S0 S1 N0 N1 N2 CL CR", *WORD_TAG),
    *_each("S0h S0lc S0rc S0h2 S0l S0r N0h N0h2 N0lc N0l", "w", "p"),
    *_each("S0 S0h S0lc S0rc S0h2 S0l S0r N0h N0lc N0l", "l"),
    *(
        f"{word}.{kind} {counted}"
        for word, counts in (
            ("S0", ("d", "S0.vl", "S0.vr", "S0.sl", "S0.sr")),
            ("N0", ("d", "N0.vl", "N0.sl")),
        )
        for kind in ("w", "p")
        for counted in counts
    ),
    *FOCUS_WORDS,
    "N0.p N1.p",
    "S0.w N0.w d",
    "S0.p N0.p d",
    "N0.p N1.p N2.p",
    "S0.p N0.p N1.p",
    "S0h.p S0.p N0.p",
    "S0.p S0lc.p N0.p",
    "S0.p S0rc.p N0.p",
    "S0.p N0.p N0lc.p",
    "S0.p S0lc.p S0l.p",
    "S0.p S0rc.p S0r.p",
    "S0.p S0h.p S0h2.p",
    "N0.p N0lc.p N0l.p",
]

# Easy-first and Yamada & Matsumoto: the two words of the focus, their neighbours in the list, and their
# dependents, after Goldberg & Elhadad (2010, table 1)
FOCUS_PAIR_TEMPLATES = [
    *_each("S2 S1 S0 N0 N1 N2", *WORD_TAG),
    *_each("S1l S1r S0l S0r N0l N0r", "w", "p", "l"),
    *FOCUS_WORDS,
    "S1.p S0.p",
    "N0.p N1.p",
    "S1.w S0.w",
    "N0.w N1.w",
    "S1.p N0.p",
    "S0.p N1.p",
    "S2.p S1.p S0.p",
    "S1.p S0.p N0.p",
    "S0.p N0.p N1.p",
    "N0.p N1.p N2.p",
    "S1.p S0.p N0.p N1.p",
    "S0.p S0l.p N0.p",
    "S0.p S0r.p N0.p",
    "S0.p N0.p N0l.p",
    "S0.p N0.p N0r.p",
    "S0.p S0l.p S0r.p N0.p",
    "S0.p N0.p N0l.p N0r.p",
    "S0.p S0r.w N0.p",
    "S0.p N0.p N0r.w",
    *DISTANCES,
    *(
        f"{word}.{kind} {word}.{counted}"
        for word in ("S1", "S0", "N0", "N1")
        for kind in ("w", "p")
        for counted in ("vl", "vr")
    ),
    *(
        f"{word}.{kind} {word}.{counted}"
        for word in ("S0", "N0")
        for kind in ("w", "p")
        for counted in ("sl", "sr")
    ),
]

# Where no tags are set: what a word looks like
FORM_TEMPLATES = [
    *_each("S0 N0 N1", "prefix", "suffix", "shape"),
    *(f"S0.{kind} N0.{kind}" for kind in ("suffix", "shape")),
    "S0.suffix N0.w",
    "S0.w N0.suffix",
    "N0.suffix N1.suffix",
    "S0.suffix N0.suffix N1.suffix",
    "S0.suffix N0.suffix d",
    "S1.suffix S0.suffix N0.suffix",
    *_each("S1 N2 S0l S0r S0h N0l", "suffix"),
]

# Koo et al. (2008), Honnibal & Johnson (2015)
BROWN_TEMPLATES = [
    *_each("S0 N0 N1", "b4", "b6", "b"),
    *(f"S0.{bits} N0.{bits}" for bits in ("b4", "b6", "b")),
    *(f"S0.{bits} N0.p" for bits in ("b4", "b6", "b")),
    *(f"S0.p N0.{bits}" for bits in ("b4", "b6", "b")),
    *(
        f"{' '.join(f'{position}.{bits}' for position in positions.split())}"
        for positions in ("S0 S0r N0", "S0 N0l N0", "S1 S0 N0", "S0l S0 N0", "S0 N0 N1")
        for bits in ("b4", "b6")
    ),
]

# Zhu, Qiu & Huang (2015, section 3.2): a focus word and a collocate that waits further away
COLLOCATION_TEMPLATES = [
    template
    for word in ("S0", "N0")
    for side in ("kl", "kr")
    for template in (f"{word}.w {word}{side}.w", f"{word}.p {word}{side}.p", f"{word}.p {word}{side}.w")
]

# Of a word that may start a sentence, and of one that may be the root
WINDOW_TEMPLATES = [
    *_each("W-2 W-1 W+0 W+1 W+2", *WORD_TAG, "suffix", "shape", "b"),
    *_each("W-1 W+0 W+1", "prefix", "b4"),
    *(
        f"{left}.{kind} {right}.{kind}"
        for left, right in (("W-2", "W-1"), ("W-1", "W+0"), ("W+0", "W+1"))
        for kind in ("w", "p", "shape", "suffix")
    ),
    "W-1.w W+0.shape",
    "W-1.shape W+0.w",
    "W-1.w W+0.p",
    "W-1.p W+0.w",
    *(f"W-1.{kind} W+0.{kind} W+1.{kind}" for kind in ("p", "shape")),
    *(f"W-2.{kind} W-1.{kind} W+0.{kind}" for kind in ("p", "shape")),
]


# What a config may name in a list of templates
TEMPLATE_GROUPS = {
    "zhang_nivre": ZHANG_NIVRE_TEMPLATES,
    "covington": COVINGTON_TEMPLATES,
    "focus_pair": FOCUS_PAIR_TEMPLATES,
    "forms": FORM_TEMPLATES,
    "brown": BROWN_TEMPLATES,
    "collocations": COLLOCATION_TEMPLATES,
}


def named_templates(templates: Iterable[str]) -> list[str]:
    """Put the templates of a group in the place of its name."""
    return [template for name in templates for template in TEMPLATE_GROUPS.get(name, [name])]


def default_templates(kind: str) -> list[str]:
    """Get the templates of a kind of system."""
    own = {
        "stack and buffer": ZHANG_NIVRE_TEMPLATES,
        "list": FOCUS_PAIR_TEMPLATES,
        "pairs": COVINGTON_TEMPLATES,
    }[kind]
    return [*own, *FORM_TEMPLATES, *BROWN_TEMPLATES, *COLLOCATION_TEMPLATES]
