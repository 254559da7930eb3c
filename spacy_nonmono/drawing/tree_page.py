"""Predicted trees on an HTML page, with their errors marked.

The sentences are those of the file: the parser is told their boundaries, so that both trees are
over the same words.
"""

from collections.abc import Iterator
from pathlib import Path

from spacy.language import Language

from ..evaluation.evaluate import check_heads
from ..treebank.corpus import create_conllu_corpus
from ..treebank.multiword import learned_words
from ..treebank.projectivity import crossing_arcs
from .page import GOLD_MARKS, MARKS, make_legend, make_page
from .trees import Tree, count, count_right, draw_tree, read_tree, write_sentence


def render_trees(
    nlp: Language,
    path: str | Path,
    *,
    title: str = "Trees",
    limit: int = 5,
    prefer_crossing: bool = True,
    with_gold: bool = False,
) -> str:
    """An HTML page of the first `limit` sentences of a CoNLL-U file.

    prefer_crossing: first those with crossing arcs in the predicted tree, then the others.
    with_gold: draw the gold tree below the words.

    Raises ValueError (NM103) if the pipeline sets no heads.
    """
    read_corpus = create_conllu_corpus(
        Path(path), n_sents=1, gold_sents=True, multiword=learned_words(nlp)
    )
    examples = list(read_corpus(nlp))
    docs = list(nlp.pipe(example.predicted for example in examples))
    check_heads(nlp, docs)
    trees = [read_tree(doc, 0, len(doc)) for doc in docs]
    chosen = list(range(len(docs)))
    if prefer_crossing:
        chosen.sort(key=lambda i: not crossing_arcs(trees[i].heads))
    lang = nlp.lang or ""
    body = [make_legend(MARKS | (GOLD_MARKS if with_gold else {}))]
    for i in chosen[:limit]:
        words = [token.text for token in docs[i]]
        gold = read_tree(examples[i].reference, 0, len(words))
        body += _section(i + 1, lang, words, trees[i], gold, with_gold)
    return make_page(title, body)


def _section(
    number: int, lang: str, words: list[str], tree: Tree, gold: Tree, with_gold: bool
) -> Iterator[str]:
    name = f"tree-{number}"
    n_crossing = len(crossing_arcs(tree.heads))
    parts = [count_right(tree, gold)] + [count(n_crossing, "crossing arc")] * bool(n_crossing)
    title = f"Predicted tree of sentence {number}" + with_gold * "; below the words the gold tree"
    yield f"<section>\n<h2>Sentence {number}</h2>"
    yield f'<div lang="{lang}">{write_sentence(words, tree, gold, name=name)}</div>'
    yield f'<p class="note">{"; ".join(parts)}</p>'
    yield draw_tree(words, tree, gold, title=title, name=name, with_gold=with_gold)
    yield "</section>"
