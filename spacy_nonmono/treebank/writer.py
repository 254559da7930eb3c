"""Docs as CoNLL-U.

What the corpus reader keeps aside (see `corpus.py`) is restored: per word MISC, the spelling of FEATS,
and DEPREL of a root and of a word of unknown head, which spaCy has no place for; multiword tokens that
lie within a sentence of the Doc; comments, empty nodes and DEPS where the Doc has just the sentence of
the file. DEPS are not changed to fit other heads. A sentence of other boundaries, or of a Doc from
elsewhere, gets the comments `# sent_id`, of the name of the Doc and a number, and `# text`. Whitespace
tokens of a Doc from elsewhere are left out, and their dependents go to their heads; of a root's
dependents the first becomes the root, and heads the others. A token of such a Doc that has several words
(`merged.get_reading`) is written as a multiword token.
"""

import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, TextIO

from spacy.tokens import Doc, Span, Token

from ..errors import Errors, Warnings
from ..files import replace_file
from ..merged import OUTSIDE, Reading, get_reading
from .corpus import KEPT, KEPT_COLUMNS, ROOT_LABEL
from .sentences import EMPTY, FORM, NO_SPACE, SurfaceToken, find_sent_id

# What no column can hold (Python, too, reads a carriage return as the end of a line), and what the words
# of a text are put together with
BREAKS = re.compile(r"[\t\n\r]+")
SPACES = re.compile(r"[ \t\n\r]+")  # nor a tag or a label
WHITE = re.compile(r"[ \t\n\r\f\v]+")
# What a sent_id cannot hold
NO_ID = re.compile(r"[\s/]+")
# Comments in front of a sentence
SENT_ID, TEXT_IS = "# sent_id = ", "# text = "
Kept = tuple[dict[str, Any], ...]


def write_conllu(docs: Iterable[Doc], target: str | Path | TextIO) -> None:
    """Write the sentences of `docs` to a path or to an open text file.

    A path has the old file or the whole new one at any time. Raises OSError (NM169) if it cannot be
    written.
    """
    if isinstance(target, str | Path):
        with replace_file(target) as file:
            for number, doc in enumerate(docs, start=1):
                file.write(conllu_text(doc, str(number)).encode("utf-8"))
        return
    for number, doc in enumerate(docs, start=1):
        target.write(conllu_text(doc, str(number)))


def conllu_text(doc: Doc, name: str = "", *, expand: bool = True) -> str:
    """The sentences of a Doc (all of it is one, if it has no boundaries) in CoNLL-U.

    name: of the Doc, for the `sent_id` of its sentences: "NAME-1" and so on; "1" without a name.
    expand: whether the multiword tokens of a Doc from elsewhere become their words.
    """
    kept = _kept_sentences(doc)
    misc = list(chain.from_iterable(entry["misc"] for entry in kept))
    spelt = {
        name: list(chain.from_iterable(entry.get(name, ()) for entry in kept))
        for name in KEPT_COLUMNS
    }
    sentences = doc.sents if doc.has_annotation("SENT_START") else [doc[:]]
    prefix = f"{id_of(name)}-" if name else ""
    texts: list[str] = []
    for sentence in sentences:
        tokens = [token for token in sentence if kept or not token.is_space]
        if not tokens:
            continue
        readings = _readings(tokens) if expand and not kept else {}
        sent_id = f"{prefix}{len(texts) + 1}"
        texts.append(_sentence_text(sentence, tokens, sent_id, kept, spelt, misc, readings))
    return "".join(texts)


def sentence_texts(doc: Doc) -> list[str]:
    """The texts of the sentences of the file that the Doc is of."""
    kept = _kept_sentences(doc)
    spans = [(entry["start"], entry["end"]) for entry in kept]
    return [
        _surface(doc[start:end], _ranges_within(kept, start, end), is_file=True) for start, end in spans
    ]


def text_tokens(doc: Doc) -> Iterator[SurfaceToken]:
    """The words of a Doc as they stand in the text, where the multiword tokens of its file take the
    place of their words."""
    return _surface_tokens(doc[:], _ranges_within(_kept_sentences(doc), 0, len(doc)))


def sentence_ids(doc: Doc) -> list[str]:
    """The `sent_id` of the sentences of the file that the Doc is of, "" for those that have none."""
    return [find_sent_id(entry["comments"]) for entry in _kept_sentences(doc)]


def id_of(name: str) -> str:
    """A name as a sent_id can hold it."""
    return NO_ID.sub("_", name)


def _kept_sentences(doc: Doc) -> Kept:
    kept = doc.user_data.get(KEPT, ())
    # Docs that an earlier version read have no forms
    words = [form for entry in kept for form in entry.get("forms", ())]
    n_words = kept[-1]["end"] if kept else len(doc)
    if n_words != len(doc) or (words and words != [token.text for token in doc]):
        found, expected = len(doc), n_words
        warnings.warn(Warnings.NM582.format(found=found, expected=expected), stacklevel=3)
        return ()
    return kept


def _sentence_text(
    sentence: Span,
    tokens: list[Token],
    sent_id: str,
    kept: Kept,
    spelt: dict[str, list[str]],
    misc: list[str],
    readings: dict[int, Reading],
) -> str:
    """The lines of a sentence, an empty line after them. tokens: those that are written, one or more."""
    ids: dict[int, int] = {}  # of the word that has the dependents of the token
    firsts: list[int] = []
    n_words = 0
    for token in tokens:
        reading = readings.get(token.i)
        firsts.append(n_words + 1)
        ids[token.i] = n_words + 1 + (reading.governor if reading else 0)
        n_words += len(reading.parts) if reading else 1
    start, end = sentence.start, sentence.end
    same = next((entry for entry in kept if (entry["start"], entry["end"]) == (start, end)), None)
    # Lines to put in front of a word, keyed by its ID; a multiword token follows empty nodes
    inserted: dict[int, list[str]] = {}
    for before, number, columns in same.get("empty_nodes", ()) if same else ():
        inserted.setdefault(before + 1, []).append(_line(f"{before}.{number}", columns))
    ranges = _ranges_within(kept, start, end)
    for first, (last, columns) in ranges.items():
        inserted.setdefault(first, []).append(_line(f"{first}-{last}", columns))

    lines = [f"{SENT_ID}{sent_id}", f"{TEXT_IS}{_surface(sentence, ranges, is_file=bool(kept))}"]
    if same:
        lines = list(same["comments"])
    deps = same.get("deps") if same else None
    for number, token in zip(firsts, tokens, strict=True):
        columns = [
            _value(token, "form", token.text),
            *lemma_and_tags(token, spelt["feats"][token.i] if spelt["feats"] else EMPTY),
            *_head_and_label(token, ids, spelt),
            deps[number - 1] if deps else EMPTY,
            misc[token.i] if misc else _spacing(token),
        ]
        if token.i in readings:
            lines += _expanded(number, columns, readings[token.i])
        else:
            lines += [*inserted.pop(number, ()), _line(str(number), columns)]
    lines += chain.from_iterable(inserted.values())
    return "\n".join(lines) + "\n\n"


def _ranges_within(kept: Kept, start: int, end: int) -> dict[int, tuple[int, Sequence[str]]]:
    """The multiword tokens between two tokens: last ID and columns without ID, by first ID."""
    found = {}
    for entry in kept:
        for first, after, columns in entry["ranges"]:
            if entry["start"] + first >= start and entry["start"] + after <= end:
                shift = entry["start"] - start
                found[shift + first + 1] = shift + after, columns
    return found


def _readings(tokens: Sequence[Token]) -> dict[int, Reading]:
    """The words of the multiword tokens, by the place of the token in its Doc."""
    found = ((token.i, get_reading(token)) for token in tokens)
    return {i: reading for i, reading in found if reading is not None}


def _expanded(number: int, columns: list[str], reading: Reading) -> Iterator[str]:
    """The lines of a multiword token and of its words, from this number on.

    columns: those of the token as one word. Its lemmas and tags are those of its words, if they are as
    many; else those of the reading, where the token has any.
    """
    n = len(reading.parts)
    yield _line(f"{number}-{number + n - 1}", [columns[0], *[EMPTY] * 7, columns[8]])
    lemmas, tags = columns[1].split(" "), columns[3].split("_")
    head, label = columns[5:7]
    for word, part in enumerate(reading.parts):
        own_head, own_label = str(number + part.head), part.label
        if word == reading.main:
            own_head, own_label = head, label
        elif part.head == OUTSIDE:
            # There is one root
            own_head = head if head != "0" else str(number + reading.main)
        own = [
            part.form,
            lemmas[word] if len(lemmas) == n else part.lemma,
            part.upos,
            tags[word] if len(tags) == n else part.xpos,
            part.feats,
        ]
        # Features are known where UPOS is
        is_known = [True, *(columns[k] != EMPTY for k in (1, 2, 3, 2))]
        shown = [value if known and value else EMPTY for value, known in zip(own, is_known, strict=True)]
        yield _line(str(number + word), [*shown, own_head, own_label, EMPTY, EMPTY])


def _surface(
    sentence: Span, ranges: dict[int, tuple[int, Sequence[str]]], *, is_file: bool
) -> str:
    """The text of a sentence, with multiword tokens as they stand there. is_file: whether the words are
    those of a file, which may begin and end with wide spaces.

    ranges: as `_ranges_within` gives them.
    """
    tokens = _surface_tokens(sentence, ranges)
    text = "".join(token.form + " " * token.has_space for token in tokens)
    return WHITE.sub(" ", text).strip(" " if is_file else None)


def _surface_tokens(
    sentence: Span, ranges: dict[int, tuple[int, Sequence[str]]]
) -> Iterator[SurfaceToken]:
    start = 0
    while start < len(sentence):
        end, form, is_multiword = start + 1, sentence[start].text, start + 1 in ranges
        if is_multiword:
            end, columns = ranges[start + 1]
            form = columns[FORM - 1]
        yield SurfaceToken(start, end, form, is_multiword, bool(sentence[end - 1].whitespace_))
        start = end


def _line(identifier: str, columns: Iterable[str]) -> str:
    return "\t".join([identifier, *columns])


def _value(token: Token, column: str, text: str) -> str:
    """What stands in a column: `_` for nothing. Wide and no-break spaces are something."""
    refused, instead = (BREAKS, " ") if column in ("form", "lemma") else (SPACES, "_")
    if refused.search(text):
        message = Warnings.NM584.format(column=column, i=token.i, text=text, instead=instead)
        warnings.warn(message, stacklevel=2)
        text = refused.sub(instead, text)
    return text or EMPTY


def lemma_and_tags(token: Token, feats: str = EMPTY) -> list[str]:
    """LEMMA, UPOS, XPOS and FEATS of a token. feats: as the file spells them."""
    lemma, tag = _value(token, "lemma", token.lemma_), _value(token, "tag", token.tag_)
    return [lemma, token.pos_ or EMPTY, tag, spell_feats(token, feats)]


def spell_feats(token: Token, spelt: str) -> str:
    """The token's morphology; as it is spelt in the file if that means the same. Universal Dependencies
    have features in an order of their own."""
    feats = str(token.morph)
    if spelt != EMPTY and token.vocab.morphology.normalize_features(spelt) == feats:
        return spelt
    return "|".join(sorted(feats.split("|"), key=str.lower)) or EMPTY


def _head_and_label(
    token: Token, ids: dict[int, int], spelt: dict[str, list[str]]
) -> tuple[str, str]:
    """HEAD and DEPREL. A root and a word of unknown head have the DEPREL of the file, if they are the
    same there."""
    if not token.dep:
        return EMPTY, _spelt_label(token, EMPTY, spelt) or EMPTY
    head = _visible_head(token, ids)
    if head.i == token.i:
        if token.dep_ != ROOT_LABEL:
            return "0", _value(token, "label", token.dep_)
        return "0", _spelt_label(token, "0", spelt) or "root"
    if head.is_space and head.i not in ids:
        # The root is left out
        words = (token.doc[i] for i in ids if token.doc[i].dep)
        heir = next(word.i for word in words if _visible_head(word, ids).i == head.i)
        if token.i == heir:
            return "0", "root"
        return str(ids[heir]), _value(token, "label", token.dep_)
    if head.i not in ids:
        raise ValueError(Errors.NM085.format(word=token.text, i=token.i, head=head.i))
    return str(ids[head.i]), _value(token, "label", token.dep_)


def _visible_head(token: Token, ids: dict[int, int]) -> Token:
    """The head, or where that is left out, the next one above it that is not; at the top the root."""
    head = token.head
    while head.i not in ids and head.is_space and head.head.i != head.i:
        head = head.head
    return head


def _spelt_label(token: Token, head: str, spelt: dict[str, list[str]]) -> str:
    """The DEPREL of the file, if the word has this HEAD there; else ""."""
    known = spelt["head"] and spelt["deprel"] and spelt["head"][token.i] == head
    return spelt["deprel"][token.i] if known else ""


def _spacing(token: Token) -> str:
    is_last = token.i + 1 == len(token.doc)
    return EMPTY if is_last or token.whitespace_ or token.nbor().is_space else NO_SPACE
