"""Predicted trees, and the gold ones below them, as a page that displaCy draws.

The sentences are those of the file: the parser is told their boundaries, so that both trees are
over the same words.
"""

from html import escape
from pathlib import Path
from typing import Any

from spacy import displacy
from spacy.language import Language
from spacy.tokens import Doc

from ..treebank.corpus import create_conllu_corpus
from ..treebank.projectivity import crossing_arcs

OPTIONS = {"distance": 125, "arrow_spacing": 12, "word_spacing": 35}


def render_trees(
    nlp: Language,
    path: str | Path,
    *,
    limit: int = 5,
    prefer_crossing: bool = True,
    with_gold: bool = False,
) -> str:
    """An HTML page of the first `limit` sentences of a CoNLL-U file.

    prefer_crossing: first those with crossing arcs in the predicted tree, then the others.
    with_gold: draw the gold tree below the predicted one.
    """
    examples = list(create_conllu_corpus(Path(path), n_sents=1, gold_sents=True)(nlp))
    golds = [example.reference for example in examples]
    docs = list(nlp.pipe(example.predicted for example in examples))
    chosen = list(range(len(docs)))
    if prefer_crossing:
        chosen.sort(key=lambda i: not _crossing(docs[i]))
    figures = []
    for i in chosen[:limit]:
        figures.append(_figure(docs[i], _title(i, "predicted", docs[i], golds[i])))
        if with_gold:
            figures.append(_figure(golds[i], _title(i, "gold", golds[i])))
    return displacy.render(
        figures, style="dep", page=True, manual=True, jupyter=False, options=OPTIONS
    )


def _figure(doc: Doc, title: str) -> dict[str, Any]:
    """The tree as displaCy takes it. Words of unknown head have no arc; neither have roots, which
    have their label below the word."""
    words, arcs = [], []
    for token in doc:
        is_root = token.head.i == token.i
        words.append({"text": token.text, "tag": escape(token.dep_ if is_root else token.tag_)})
        if token.dep and not is_root:
            start, end = sorted((token.i, token.head.i))
            direction = "left" if token.i < token.head.i else "right"
            arcs.append({"start": start, "end": end, "label": escape(token.dep_), "dir": direction})
    return {"words": words, "arcs": arcs, "title": title}


def _title(i: int, kind: str, doc: Doc, gold: Doc | None = None) -> str:
    parts = [f"Sentence {i + 1}, {kind}"]
    n_crossing = len(_crossing(doc))
    if n_crossing:
        parts.append(f"{n_crossing} crossing {'arc' if n_crossing == 1 else 'arcs'}")
    if gold is not None:
        pairs = [(a, b) for a, b in zip(doc, gold, strict=True) if b.dep]
        n_right = sum(a.head.i == b.head.i and a.dep == b.dep for a, b in pairs)
        parts.append(f"{n_right} of {len(pairs)} heads and labels right")
    return "; ".join(parts)


def _crossing(doc: Doc) -> set[int]:
    """The dependents of crossing arcs; unknown heads are None."""
    heads: list[int | None] = []
    for token in doc:
        known_head = -1 if token.head.i == token.i else token.head.i
        heads.append(known_head if token.dep else None)
    return crossing_arcs(heads)
