"""The warning NM551: attribute rulers with patterns on labels that the parser does not have."""

import warnings

import pytest
from spacy.attrs import DEP

from spacy_nonmono.pipeline.neighbours import pattern_labels

from .util import CROSSING, NAME, PROJECTIVE, blank, gold_examples

RULER = "attribute_ruler"
OLD = [
    [{"LOWER": "i", "DEP": {"IN": ["dobj", "pobj", "nsubj"]}}],
    [{"dep": "auxpass"}, {"DEP": "ROOT"}],
]
KNOWN = [
    [{"DEP": "obj"}, {"LOWER": "owls"}],
    [{"DEP": {"NOT_IN": ["", "dep"]}}],
    [{"DEP": {"REGEX": "^dobj"}}],
    [{"_": {"mine": "dobj"}, "LOWER": {"IN": ["dobj"]}}],
]


def add_ruler(nlp, patterns, name=RULER):
    ruler = nlp.add_pipe("attribute_ruler", name=name)
    for pattern in patterns:
        ruler.add([pattern], {"POS": "X"})


def initialize(nlp, trees=PROJECTIVE):
    """Only the parser: a ruler that is initialized, too, loses its patterns."""
    nlp.get_pipe(NAME).initialize(lambda: gold_examples(nlp, trees), nlp=nlp)


@pytest.mark.parametrize(
    ("token", "labels"),
    [
        ({"DEP": "obj"}, ["obj"]),
        ({DEP: "obj"}, ["obj"]),
        ({"DEP": {"IN": ["obj", "obl"]}}, ["obj", "obl"]),
        ({"DEP": {"NOT_IN": ["obj", "obl"]}}, ["obj", "obl"]),
        ({"DEP": {"FUZZY": "obj"}}, []),
        ({"TAG": "obj", "OP": "?"}, []),
    ],
)
def test_labels_that_patterns_name(token, labels):
    assert list(pattern_labels([[{}, token]])) == labels


def test_warning_names_component_labels_and_patterns():
    nlp = blank()
    add_ruler(nlp, [*OLD, *KNOWN], "ruler")
    with pytest.warns(UserWarning, match=r"\[NM551\] 2 of .* 'ruler' .*: auxpass, dobj, pobj\."):
        initialize(nlp)


def test_five_labels_are_shown():
    nlp = blank()
    add_ruler(nlp, [[{"DEP": label}] for label in "gfedcba"])
    with pytest.warns(UserWarning, match=r"7 of .*: a, b, c, d, e, \.\.\.\. "):
        initialize(nlp)


@pytest.mark.parametrize("trees", [PROJECTIVE, CROSSING])
def test_no_warning_if_the_labels_are_known(trees):
    nlp = blank(projectivize="head")
    add_ruler(nlp, KNOWN)
    initialize(nlp, trees)


def test_white_space_has_a_label():
    nlp = blank()
    add_ruler(nlp, [[{"DEP": "_SP"}]])
    initialize(nlp)


def test_one_warning_per_ruler_and_initialization():
    nlp = blank()
    add_ruler(nlp, OLD)
    add_ruler(nlp, OLD, "second")
    for _ in range(2):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            initialize(nlp)
        found = [str(warning.message) for warning in caught]
        assert ["'second'" in text for text in found if "NM551" in text] == [False, True]
