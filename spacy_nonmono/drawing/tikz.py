"""A tree for LaTeX, in the language of the package tikz-dependency."""

from collections.abc import Sequence

from ..treebank.sentences import FORM
from .parsed import ParsedSentence
from .trees import WRONG_HEAD, WRONG_LABEL, Tree, arc_label

SPECIAL = str.maketrans(
    {
        **{letter: f"\\{letter}" for letter in "#$%_{}"},
        "&": r"\symbol{38}",  # \& stands between words
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        # At the beginning of a cell these two are options of it
        "[": "{[}",
        "|": r"\textbar{}",
        # Of two of these, or of one in old fonts, TeX makes others
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "-": "{-}",
        "'": "{'}",
        "`": "{`}",
    }
)
STYLES = {WRONG_HEAD: "edge style={dashed}", WRONG_LABEL: "label style={fill=black!15}"}


def write_tikz(
    sentence: ParsedSentence, rows: Sequence[Sequence[str]], *, with_gold: bool
) -> str:
    """Write the tree of a sentence, with the gold tree below the words if there is one, as a
    `dependency`. Wrong heads are dashed, wrong labels are grey.

    rows: what stands in lines under the words; one text per word in each.
    """
    words = [word[FORM] for word in sentence.words]
    lines = [r"\begin{dependency}", r"\begin{deptext}[column sep=1em]"]
    lines += [r" \& ".join(map(escape, row)) + r" \\" for row in (words, *rows)]
    lines.append(r"\end{deptext}")
    lines += _edges(sentence.tree, [STYLES.get(error or "", "") for error in sentence.errors])
    if with_gold and sentence.gold is not None:
        lines += _edges(sentence.gold, ["edge below"] * len(words))
    return "\n".join([*lines, r"\end{dependency}", ""])


def _edges(tree: Tree, styles: Sequence[str]) -> list[str]:
    lines = []
    for word, (head, label, style) in enumerate(zip(*tree, styles, strict=True), start=1):
        if head is not None:
            arc = r"\deproot" if head == -1 else r"\depedge"
            ends = f"{{{word}}}" if head == -1 else f"{{{head + 1}}}{{{word}}}"
            option = f"[{style}]" if style else ""
            lines.append(f"{arc}{option}{ends}{{{escape(arc_label(head, label))}}}")
    return lines


def escape(text: str) -> str:
    """Write a text so that LaTeX prints it as it is."""
    return text.translate(SPECIAL)
