"""Trees on an HTML page, or as pictures, with their errors marked if there are gold trees.

The sentences are those of the file: the parser is told their boundaries, so that both trees are
over the same words.
"""

from collections.abc import Sequence
from typing import Any

from ..errors import Errors, check_known, count
from ..treebank.sentences import EMPTY, FORM, LEMMA, UPOS
from .page import GOLD_MARKS, MARKS, make_legend, marks_of_files, render
from .parsed import ParsedSentence, ParsedTreebank, choose_sentences
from .tikz import write_tikz
from .trees import count_right, draw_tree, write_sentence

HTML, SVG, TIKZ = FORMS = (".html", ".svg", ".tex")
CONFIDENCE = "confidence"
# What a pipeline may not set
COLUMNS = {"upos": UPOS, "lemma": LEMMA}
# What may stand under the words
NAMES = {
    "upos": "UPOS",
    "lemma": "lemma",
    CONFIDENCE: "confidence of the arc, between 0 and 1 (arcs with a low one are faint)",
}


def render_trees(
    treebank: ParsedTreebank,
    *,
    form: str = HTML,
    title: str = "Trees",
    limit: int = 5,
    prefer_crossing: bool = True,
    worst: bool = False,
    label: str | None = None,
    sent_ids: Sequence[str] = (),
    with_gold: bool = False,
    show: Sequence[str] = (),
) -> str:
    """Make an HTML page of the first `limit` sentences of a parsed file, with an overview of the file,
    or a picture.

    form: of FORMS. SVG is of one sentence; TIKZ is for LaTeX (`\\usepackage{tikz-dependency}`).
    prefer_crossing: first those with crossing arcs in the predicted tree, then the others.
    worst: first those with the most words of a wrong head or label.
    label: only sentences with an error at a word of this label, in the predicted or in the gold tree.
    sent_ids: all of these sentences, and no others.
    with_gold: draw the gold tree below the words.
    show: of NAMES, what stands under the words. UPOS and lemmas that the pipeline does not set are those
        of the treebank.

    Raises ValueError: NM180 for what is not of NAMES, NM113 if there is no confidence, NM114 if there
    are no UPOS or lemmas, NM117 for an SVG of more or less than one sentence; and the errors of
    `choose_sentences`.
    """
    for name in show:
        check_known("line under the words", name, NAMES)
    if CONFIDENCE in show and not treebank.has_confidence:
        raise ValueError(Errors.NM113)
    chosen, why = choose_sentences(
        treebank,
        limit=limit,
        prefer_crossing=prefer_crossing,
        worst=worst,
        label=label,
        sent_ids=sent_ids,
    )
    is_gold = {name: _is_of_treebank(name, treebank) for name in show}

    def rows_of(sentence: ParsedSentence) -> list[list[str]]:
        return [_row(sentence, name, is_gold[name]) for name in show]

    def draw(sentence: ParsedSentence) -> dict[str, Any]:
        confidence = sentence.scores if CONFIDENCE in show else ()
        return _draw(sentence, treebank.names, with_gold, rows_of(sentence), confidence)

    if form == TIKZ:
        return "\n".join(write_tikz(one, rows_of(one), with_gold=with_gold) for one in chosen)
    if form == SVG:
        if len(chosen) != 1:
            raise ValueError(Errors.NM117.format(found=count(len(chosen), "sentence")))
        return str(draw(chosen[0])["drawing"].svg())
    page = render(
        "trees.html",
        title=title,
        summary=_summary(treebank),
        why=f"{count(len(chosen), 'sentence')} drawn: {why}",
        sentences=chosen,
        warning=treebank.warning,
        legend=_legend(treebank, with_gold),
        differs="" if treebank.scores is None else "Differ" if treebank.names else "Wrong",
        below=[NAMES[name] + " of the treebank" * is_gold[name] for name in show],
        lang=treebank.lang,
        draw=draw,
    )
    return str(page)


def _legend(treebank: ParsedTreebank, with_gold: bool) -> str:
    if treebank.scores is None:
        return ""
    marks = marks_of_files(*treebank.names) if treebank.names else MARKS | GOLD_MARKS
    return make_legend({mark: text for mark, text in marks.items() if with_gold or mark in MARKS})


def _is_of_treebank(name: str, treebank: ParsedTreebank) -> bool:
    """Return whether what stands under the words is from the treebank, not from the pipeline."""
    if name == CONFIDENCE or not treebank.sentences:
        return False
    for is_gold in (False, True):
        sides = (one.gold_sentence.words if is_gold else one.words for one in treebank.sentences)
        if any(word[COLUMNS[name]] != EMPTY for side in sides for word in side):
            return is_gold
    raise ValueError(Errors.NM114.format(path=treebank.path, found=NAMES[name]))


def _row(sentence: ParsedSentence, name: str, is_gold: bool) -> list[str]:
    if name == CONFIDENCE:
        return ["" if score is None else f"{score:.2f}" for score in sentence.scores]
    texts = [w[COLUMNS[name]] for w in (sentence.gold_sentence.words if is_gold else sentence.words)]
    return ["" if text == EMPTY else text for text in texts]


def _summary(treebank: ParsedTreebank) -> str:
    n_words = sum(len(sentence.words) for sentence in treebank.sentences)
    counts = f"{count(len(treebank.sentences), 'sentence')}, {count(n_words, 'word')}"
    if treebank.scores is None:
        n_crossing = sum(sentence.n_crossing > 0 for sentence in treebank.sentences)
        return f"{treebank.path.name}: {counts}; {count(n_crossing, 'sentence')} with crossing arcs."
    suffix = "" if treebank.with_punct else "_no_punct"
    scores = [treebank.scores[name + suffix] for name in ("uas", "las")]
    uas, las = ("-" if score is None else f"{100 * score:.2f}" for score in scores)
    without = "" if treebank.with_punct else "; errors at punctuation do not count"
    return (
        f"{treebank.path.name}: {counts}; UAS {uas}, LAS {las}, with the sentence boundaries of the file"
        f"{without}."
    )


def _draw(
    sentence: ParsedSentence,
    names: tuple[str, str] | None,
    with_gold: bool,
    rows: Sequence[Sequence[str]],
    confidence: Sequence[float | None],
) -> dict[str, Any]:
    number, tree, errors = sentence.number, sentence.tree, sentence.errors
    name = f"tree-{number}"
    how = "same" if names else "right"
    note = [count(len(tree.heads), "word") if sentence.gold is None else count_right(errors, how)]
    if sentence.n_crossing:
        note.append(count(sentence.n_crossing, "crossing arc"))
    gold = sentence.gold if with_gold else None
    above, below = (f"tree of {one}" for one in names) if names else ("predicted tree", "gold tree")
    kind = "Tree" if sentence.gold is None else f"The {above}"
    title = f"{kind}, sentence {number}"
    if gold is not None:
        title += f"; below the words the {below}"
    words = [word[FORM] for word in sentence.words]
    drawing = draw_tree(
        words, tree, gold, errors, title=title, name=name, rows=rows, confidence=confidence
    )
    text = write_sentence(sentence.gold_sentence.surface_tokens(), tree, errors, name=name)
    return {"text": text, "note": "; ".join(note), "drawing": drawing}
