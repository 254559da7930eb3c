"""What batches share is const (`scoring/scorer.pxd`): otherwise threads would disturb each other."""

import re
from pathlib import Path

import pytest

import spacy_nonmono

ROOT = Path(spacy_nonmono.__file__).parent
SHARED = {
    "TemplatesC": "scoring/linear/templates.pxd",
    "AtomC": "scoring/linear/templates.pxd",
    "AveragedC": "scoring/linear/weights.pxd",
    "CellC": "scoring/linear/weights.pxd",
    "ArcWeightsC": "scoring/neural/arcs.pxd",
    "SystemC": "structs.pxd",
}


def pointers_to_write(text: str, struct: str) -> list[str]:
    """The fields of a struct that point to something that is not const."""
    body = re.search(rf"^cdef struct {struct}:\n((?:    .*\n|\n)+)", text, re.M)
    assert body is not None
    fields = [line.split("#")[0].strip() for line in body[1].splitlines()]
    return [field for field in fields if "*" in field and not field.startswith("const ")]


@pytest.mark.parametrize("struct", SHARED)
def test_shared_structs_are_const(struct):
    assert pointers_to_write((ROOT / SHARED[struct]).read_text("utf8"), struct) == []


def test_finds_what_is_not_const():
    text = "cdef struct XC:\n    int n   # 2 * words\n    int* scratch\n    const int* starts\n"
    assert pointers_to_write(text, "XC") == ["int* scratch"]
