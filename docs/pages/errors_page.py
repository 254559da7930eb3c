"""docs/errors.md, made from spacy_nonmono/errors.py.

python -m docs.pages.errors_page     writes the page again
"""

import re
from pathlib import Path

from spacy_nonmono import errors

from . import DOCS

PAGE = DOCS / "errors.md"
GROUP = re.compile(r"^ +# (?P<title>[^:\n]+): NM(?P<first>\d+)-NM(?P<last>\d+)$", re.MULTILINE)
INTRODUCTION = """\
# Errors and warnings

Every error and every warning of the package has a code, such as `[NM081]`. The text says what was found,
what was expected and what you can do. Words in *italics* stand for what differs from case to case.

Of earlier versions, the codes NM120, NM130 and NM184 are now NM110, NM153 is now NM083, NM164
is now NM104, and NM178 is now NM181.

This page is made from [spacy_nonmono/errors.py](../spacy_nonmono/errors.py). To make it again:

    python -m docs.pages.errors_page

"""


def codes(messages: type) -> dict[int, str]:
    """Return the texts of a class of messages by their numbers, in Markdown and without their codes."""
    return {
        int(name[2:]): markdown(getattr(messages, name).partition("] ")[2])
        for name in sorted(vars(messages))
        if name.startswith("NM")
    }


def markdown(text: str) -> str:
    """Return the template of a message with its fields in italics."""
    return re.sub(r"\{(\w+)(?:![rs])?\}", r"*\1*", text.replace("\n", " "))


def page() -> str:
    """Return the page in Markdown."""
    source = Path(errors.__file__).read_text("utf-8")
    groups = [(m["title"], int(m["first"]), int(m["last"])) for m in GROUP.finditer(source)]
    found = {**codes(errors.Errors), **codes(errors.Warnings)}
    parts = [INTRODUCTION]
    for title, first, last in groups:
        kind = "warnings" if first >= 500 else "errors"
        parts.append(f"## {title}: {kind} NM{first:03}-NM{last:03}\n\n")
        for code in range(first, last + 1):
            if code in found:
                parts.append(f"- **NM{code:03}** {found.pop(code)}\n")
        parts.append("\n")
    assert not found, f"of no group: {found}"
    return "".join(parts).rstrip("\n") + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
