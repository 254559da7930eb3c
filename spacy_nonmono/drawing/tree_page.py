"""Predicted trees on an HTML page, with their errors marked.

The sentences are those of the file: the parser is told their boundaries, so that both trees are
over the same words.
"""

from collections.abc import Iterator, Sequence
from html import escape

from ..errors import Errors, count
from ..treebank.sentences import EMPTY, FORM
from ..treebank.sentences import LEMMA as LEMMA_COLUMN
from ..treebank.sentences import UPOS as UPOS_COLUMN
from .page import GOLD_MARKS, MARKS, make_legend, make_page
from .parsed import ParsedSentence, ParsedTreebank, choose_sentences
from .trees import count_right, draw_tree, write_sentence

UPOS, LEMMA, CONFIDENCE = SHOWN = ("upos", "lemma", "confidence")
# What a pipeline may not set
COLUMNS = {UPOS: UPOS_COLUMN, LEMMA: LEMMA_COLUMN}
NAMES = {UPOS: "UPOS", LEMMA: "lemma", CONFIDENCE: "confidence of the arc, between 0 and 1"}

STYLE = """
table { border-collapse: collapse; margin: 10px 0; font-size: 13px; }
th { text-align: left; border-bottom: 2px solid var(--line); padding: 3px 16px 3px 0; }
td { border-bottom: 1px solid var(--rule); padding: 3px 16px 3px 0; overflow-wrap: anywhere; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td a { color: inherit; }
h2 .id { color: var(--faint); font-weight: normal; font-size: 14px; overflow-wrap: anywhere; }
p.warning { border-left: 4px solid var(--wrong); padding-left: 10px; max-width: 1160px; }
section { scroll-margin-top: -50vh; }
"""


def render_trees(
    treebank: ParsedTreebank,
    *,
    title: str = "Trees",
    limit: int = 5,
    prefer_crossing: bool = True,
    worst: bool = False,
    label: str | None = None,
    sent_ids: Sequence[str] = (),
    with_gold: bool = False,
    show: Sequence[str] = (),
) -> str:
    """An HTML page of the first `limit` sentences of a parsed file, with an overview of the file.

    prefer_crossing: first those with crossing arcs in the predicted tree, then the others.
    worst: first those with the most words of a wrong head or label.
    label: only sentences with an error at a word of this label, in the predicted or in the gold tree.
    sent_ids: all of these sentences, and no others.
    with_gold: draw the gold tree below the words.
    show: of SHOWN, what stands under the words. UPOS and lemmas that the pipeline does not set are those
        of the treebank.

    Raises ValueError: NM180 for what is not of SHOWN, NM113 if there is no confidence, NM114 if there
    are no UPOS or lemmas; and the errors of `choose_sentences`.
    """
    for name in show:
        if name not in SHOWN:
            known = ", ".join(SHOWN)
            raise ValueError(Errors.NM180.format(what="line under the words", found=name, known=known))
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
    body = [*_overview(treebank, chosen, why)]
    if treebank.warning:
        body.append(f'<p class="warning">{escape(treebank.warning)}</p>')
    body.append(make_legend(MARKS | (GOLD_MARKS if with_gold else {})))
    is_gold = {name: _is_of_treebank(name, treebank) for name in show}
    if show:
        names = (NAMES[name] + " of the treebank" * is_gold[name] for name in show)
        body.append(f'<p class="note">Under the words: {"; ".join(names)}.</p>')
    for sentence in chosen:
        rows = [_row(sentence, name, is_gold[name]) for name in show]
        body += _section(sentence, treebank.lang, with_gold, rows)
    return make_page(title, body, style=STYLE)


def _is_of_treebank(name: str, treebank: ParsedTreebank) -> bool:
    """Whether what stands under the words is of the treebank, not of the pipeline."""
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


def _overview(
    treebank: ParsedTreebank, chosen: Sequence[ParsedSentence], why: str
) -> Iterator[str]:
    n_words = sum(len(sentence.words) for sentence in treebank.sentences)
    suffix = "" if treebank.with_punct else "_no_punct"
    scores = [treebank.scores[name + suffix] for name in ("uas", "las")]
    uas, las = ("-" if score is None else f"{100 * score:.2f}" for score in scores)
    without = "" if treebank.with_punct else "; errors at punctuation do not count"
    yield (
        f"<p>{escape(treebank.path.name)}: {count(len(treebank.sentences), 'sentence')}, "
        f"{count(n_words, 'word')}; UAS {uas}, LAS {las}, with the sentence boundaries of the file"
        f"{without}.</p>"
    )
    yield f"<p>{count(len(chosen), 'sentence')} drawn: {escape(why)}.</p>"
    if chosen:
        head = '<th class="number">#</th><th>sent_id</th><th class="number">Words</th>'
        yield f'<table>\n<thead><tr>{head}<th class="number">Wrong</th></tr></thead>\n<tbody>'
        for sentence in chosen:
            link = f'<a href="#sentence-{sentence.number}">{{}}</a>'
            yield (
                f'<tr><td class="number">{link.format(sentence.number)}</td>'
                f"<td>{link.format(escape(sentence.gold_sentence.sent_id))}</td>"
                f'<td class="number">{len(sentence.words)}</td>'
                f'<td class="number">{sentence.n_wrong}</td></tr>'
            )
        yield "</tbody>\n</table>"


def _section(
    sentence: ParsedSentence, lang: str, with_gold: bool, rows: Sequence[Sequence[str]]
) -> Iterator[str]:
    number, errors = sentence.number, sentence.errors
    name = f"tree-{number}"
    parts = [count_right(errors)]
    if sentence.n_crossing:
        parts.append(count(sentence.n_crossing, "crossing arc"))
    title = f"Predicted tree of sentence {number}" + with_gold * "; below the words the gold tree"
    name_of_file = sentence.gold_sentence.sent_id
    sent_id = f' <span class="id">{escape(name_of_file)}</span>' * bool(name_of_file)
    yield f'<section id="sentence-{number}">\n<h2>Sentence {number}{sent_id}</h2>'
    tokens = sentence.gold_sentence.surface_tokens()
    text = write_sentence(tokens, sentence.tree, errors, name=name)
    yield f'<div lang="{lang}">{text}</div>'
    yield f'<p class="note">{"; ".join(parts)}</p>'
    words = [word[FORM] for word in sentence.words]
    gold = sentence.gold if with_gold else None
    yield draw_tree(words, sentence.tree, gold, errors, title=title, name=name, rows=rows)
    yield "</section>"
