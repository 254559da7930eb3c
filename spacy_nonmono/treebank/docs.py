"""Where sentences and Docs meet: a Doc of sentences, and a document of a Doc.

A token of a Doc of sentences is a word. It is followed by a space unless its MISC, or for the last word
of a multiword token the MISC of that, says SpaceAfter=No. The root's label is `ROOT`, as everywhere in
spaCy, whatever it is in the file. A word of unknown head (`_`) has the label "" and is attached to its
sentence's root. A sentence without a known root has such a word for its root: spaCy derives no boundary
from it, so the Doc keeps that (`tokens/boundaries.py`). A word with UPOS has no features where FEATS is
`_`; without UPOS its features are unknown.

What a Doc has no place for stays with it as text: `Doc.user_data[KEPT]` has the lines of each sentence,
which survive pickling, DocBins and other processes. So a document of such a Doc has what its file said:
the comments, multiword tokens, empty nodes, MISC and DEPS where the Doc has just the sentence of the
file, and the spelling of FEATS and of the labels of roots. DEPS are not changed to fit other heads.

In a document of a Doc from elsewhere white space is no word: the dependents of such a token go to its
head; of a root's dependents the first becomes the root, and heads the others. A token that is several
words (`merged.py`) is a multiword token.
"""

import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise, zip_longest
from urllib.parse import quote

import numpy
from spacy.attrs import MORPH, SENT_START
from spacy.tokens import Doc, Token
from spacy.vocab import Vocab

from ..errors import Errors, Warnings
from ..tokens.boundaries import UNROOTED, sentence_spans
from ..tokens.merged import get_readings, is_known, set_reading
from ..tokens.scores import read_scores
from ..tokens.white_space import KEPT
from .conllu import is_blank, n_columns_of
from .multiword import restore_words
from .sentences import (
    CONFIDENCE,
    DEPREL,
    DEPS,
    EMPTY,
    FEATS,
    FORM,
    HEAD,
    ID,
    LEMMA,
    MISC,
    NO_SPACE,
    SENT_ID,
    TEXT_IS,
    UPOS,
    XPOS,
    Document,
    Sentence,
    make_text,
    sentence_text,
    write_confidence,
)

# In user data, beside the sentences of the file: whether they count, and the name of the document
AS_IN_FILE = "spacy_nonmono.as_in_file"
DOC_ID = "doc_id"
ROOT_LABEL = "ROOT"
# In the user data of a Doc of CoNLL-U Plus: what tells the columns of its first sentence
HEADER = "spacy_nonmono.columns"
# What no column can hold (Python, too, reads a carriage return as the end of a line)
BREAKS = re.compile(r"[\t\n\r]+")
SPACES = re.compile(r"[ \t\n\r]+")  # nor a tag or a label
WHITE = re.compile(r"[ \t\n\r\f\v]+")
# What a sent_id cannot hold; "%" is there so that two names have two
NO_ID = re.compile(r"[\s/%]")


def make_doc(
    vocab: Vocab,
    sentences: Sequence[Sentence],
    *,
    boundaries: bool = False,
    tags: bool = False,
    lemmas: bool = False,
    trees: bool = False,
    as_in_file: bool = False,
) -> Doc:
    """Return the sentences as a Doc of their words and spaces.

    boundaries: of the sentences; trees have them, too. tags: POS, TAG and MORPH.
    as_in_file: in a document of the Doc the sentences are these, whatever becomes of the Doc, and so are
        lemmas and tags of words with UPOS; and a sentence without `sent_id` or `text` gets one.

    Without trees, and if it is not `as_in_file`, the Doc keeps nothing that is to be predicted.
    """
    words = [word for sentence in sentences for word in sentence.words]
    starts = [n == 0 for sentence in sentences for n in range(len(sentence.words))]
    labels = {EMPTY: "", "0": ROOT_LABEL}  # by HEAD
    is_whole = trees or as_in_file
    heads, unrooted = _heads(sentences) if trees else (None, [])
    doc = Doc(
        vocab,
        words=[word[FORM] for word in words],
        spaces=[space for sentence in sentences for space in sentence.spaces],
        # With heads spaCy takes no boundaries
        sent_starts=starts if boundaries and not trees else None,  # type: ignore[arg-type]
        heads=heads,
        deps=[labels.get(word[HEAD], word[DEPREL]) for word in words] if trees else None,
        # The lemma of the word _ is written _, too
        lemmas=[_known(word[LEMMA], word[FORM] == EMPTY) for word in words] if lemmas else None,
        pos=[_known(word[UPOS]) for word in words] if tags else None,
        tags=[_known(word[XPOS]) for word in words] if tags else None,
        morphs=[_known(word[FEATS]) for word in words] if tags else None,
        user_data={
            KEPT: [sentence_text(s if is_whole else _bare(s)) for s in sentences],
            **({HEADER: sentences[0].header} if sentences and sentences[0].header else {}),
            **({AS_IN_FILE: True} if as_in_file else {}),
        },
    )
    if trees:
        # spaCy may fail to derive boundaries from deep non-projective trees
        _set(doc, SENT_START, numpy.where(starts, 1, -1))
        if any(unrooted):
            doc.user_data[UNROOTED] = unrooted
        firsts = accumulate((len(sentence.words) for sentence in sentences), initial=0)
        for first, sentence in zip(firsts, sentences, strict=False):
            for token, reading in sentence.readings.items():
                set_reading(doc[first + token], reading)
        # It takes "" for a word that has no features; where no tag is known either, they are unknown
        unknown = [word[UPOS] == word[FEATS] == EMPTY for word in words]
        if any(unknown):
            _set(doc, MORPH, numpy.where(unknown, 0, doc.to_array(MORPH)))
    return doc


def _set(doc: Doc, attribute: int, values: numpy.ndarray) -> None:
    values = values.astype(numpy.uint64)
    if not numpy.array_equal(doc.to_array(attribute), values):
        doc.from_array([attribute], values)  # type: ignore[arg-type]


def _known(value: str, is_value: bool = False) -> str:
    return "" if value == EMPTY and not is_value else value


def _bare(sentence: Sentence) -> Sentence:
    """Return what is known before anything is predicted."""
    rows = []
    for row in sentence.rows:
        if len(row) > 1 and row[ID].isdecimal():
            row = [*row[:LEMMA], *[EMPTY] * (MISC - LEMMA), *row[MISC:]]
        if "." not in row[ID] or len(row) == 1:
            rows.append(row)
    return Sentence(rows)


def _heads(sentences: Iterable[Sentence]) -> tuple[list[int], list[bool]]:
    """Heads as spaCy has them: indices in the Doc, roots head themselves. And what `UNROOTED` needs."""
    heads: list[int] = []
    unrooted: list[bool] = []
    for sentence in sentences:
        start, own = len(heads), sentence.heads
        # Without a known root an unknown one takes its place: no word's heads can lead to a cycle
        root = own.index(-1 if -1 in own else None)
        heads += [start + (root if head is None or head < 0 else head) for head in own]
        unrooted += [-1 not in own, *[False] * (len(own) - 1)]
    return heads, unrooted


def kept_sentences(doc: Doc) -> list[Sentence]:
    """Return the sentences of the file that the Doc is of, with what the Doc keeps of them; none if it
    is from elsewhere, or if its words are other ones, with a warning (NM582).

    Raises ValueError (NM101) for other words in a Doc that is to be as in its file.
    """
    header = doc.user_data.get(HEADER, "")
    kept = []
    for text in doc.user_data.get(KEPT, ()):
        sentence = Sentence(_rows(text))
        header = next(filter(n_columns_of, reversed(sentence.comments)), header)
        sentence.header = header
        kept.append(sentence)
    forms = [form for sentence in kept for form in sentence.forms]
    if kept and forms != [token.text for token in doc]:
        if doc.user_data.get(AS_IN_FILE):
            check_words([token.text for token in doc], forms)
        warnings.warn(Warnings.NM582.format(found=len(doc), expected=len(forms)), stacklevel=3)
        return []
    return kept


def forget_confidence(doc: Doc) -> None:
    """Take the scores of arcs away that the file had."""
    if CONFIDENCE in "".join(doc.user_data.get(KEPT, ())):
        kept = kept_sentences(doc)
        for sentence in kept:
            write_confidence(sentence)
        doc.user_data[KEPT] = [sentence_text(sentence) for sentence in kept]


def check_words(found: Sequence[str], expected: Sequence[str]) -> None:
    """Raises ValueError (NM101) if a pipeline has made other words of those that it got."""
    if list(found) != list(expected):
        pairs = zip_longest(found, expected)
        number, (one, other) = next((n, pair) for n, pair in enumerate(pairs, 1) if pair[0] != pair[1])
        raise ValueError(Errors.NM101.format(number=number, found=one, expected=other))


def _rows(text: str) -> list[list[str]]:
    lines = text.removesuffix("\n").split("\n")
    return [[line] if line.startswith("#") or is_blank(line) else line.split("\t") for line in lines]


def document_of(doc: Doc, name: str = "", *, expand: bool = True) -> Document:
    """Return the sentences of a Doc; all of it is one, if it has no boundaries.

    name: of the Doc, for the `sent_id` of its sentences: "NAME-1" and so on; "1" without a name. A name
        in its user data (`doc_id`) goes first; with it, all sentences get a `sent_id` and a `text`.
    expand: whether tokens that are several words become multiword tokens; in a Doc of a treebank only if
        the treebank said so.

    Raises ValueError: NM085 if an arc leaves its sentence, NM101 as `kept_sentences` does.
    """
    name = str(doc.user_data.get(DOC_ID, name))
    kept = kept_sentences(doc)
    as_in_file = bool(doc.user_data.get(AS_IN_FILE))
    readings = get_readings(doc) if expand and (not kept or is_known(doc)) else {}
    file_words: list[list[str] | None] = [word for sentence in kept for word in sentence.words]
    file_words = file_words or [None] * len(doc)
    headers = [sentence.header for sentence in kept for _ in sentence.words] or [""] * len(doc)
    firsts = accumulate((len(sentence.words) for sentence in kept), initial=0)
    of_file = dict(zip(firsts, kept, strict=False))  # by the first word
    spans = list(pairwise([*of_file, len(doc)])) if kept and as_in_file else sentence_spans(doc)
    whole = {i: of_file[i] for i, end in spans if i in of_file and len(of_file[i].words) == end - i}
    taken = {sentence.sent_id for sentence in whole.values()}
    scores = read_scores(doc)
    sentences: list[Sentence] = []
    for start, end in spans:
        tokens = [token for token in doc[start:end] if kept or not token.is_space]
        if not tokens:
            continue
        same = whole.get(start)
        is_same = same is not None
        ids = {token.i: number for number, token in enumerate(tokens, start=1)}
        words = (_word_row(token, ids, file_words[token.i], is_same, as_in_file) for token in tokens)
        layout = same.rows if same is not None else _layout(tokens, of_file)
        sentence = Sentence(
            [[row[ID], *next(words)] if row[ID].isdecimal() else row for row in layout],
            header=headers[start],
        )
        sentence.scores = [scores[token.i] for token in tokens] if scores else []
        if not is_same or as_in_file or DOC_ID in doc.user_data:
            if sentence.find_comment("sent_id") is None:
                sent_id = _new_id(name, len(sentences) + 1, len(spans), taken)
                sentence.add_comment(f"{SENT_ID}{sent_id}")
            if sentence.find_comment("text") is None:
                text = make_text([sentence])
                sentence.add_comment(f"{TEXT_IS}{text if kept else WHITE.sub(' ', text).strip()}")
        if readings:
            places = enumerate(token.i for token in tokens)
            sentence.readings = {i: readings[place] for i, place in places if place in readings}
            sentence = restore_words(sentence)
        if scores or as_in_file:
            write_confidence(sentence)
        sentences.append(sentence)
    return Document(name, sentences)


def _layout(tokens: Sequence[Token], of_file: Mapping[int, Sentence]) -> Iterator[list[str]]:
    """Yield the rows of a sentence that the file does not have: a row for each word, and the multiword
    tokens of the file that fit into it. of_file: its sentences by their first words."""
    ranges = {first + one.start: one for first, own in of_file.items() for one in own.ranges}
    for number, token in enumerate(tokens, start=1):
        found = ranges.get(token.i)
        if found is not None and number - 1 + found.end - found.start <= len(tokens):
            yield [f"{number}-{number - 1 + found.end - found.start}", *found.columns[FORM:]]
        yield [str(number)]


def _new_id(name: str, number: int, step: int, taken: set[str]) -> str:
    """Return a `sent_id` that is not taken, and take it."""
    own = NO_ID.sub(lambda found: quote(found[0], safe=""), name)  # each name has another one
    front = f"{own}-" if name else ""
    while (found := f"{front}{number}") in taken:
        number += step
    taken.add(found)
    return found


def _word_row(
    token: Token, ids: dict[int, int], word: list[str] | None, is_same: bool, as_in_file: bool
) -> list[str]:
    """Return the columns of a token but for ID. ids: the numbers of all tokens of the sentence. word:
    its columns in the file. is_same: whether that has just this sentence."""
    if word is None:
        texts, form = lemma_and_tags(token), _value(token, "form", token.text)
        return [form, *texts, *_head_and_label(token, ids), EMPTY, _spacing(token)]
    if as_in_file and word[UPOS] != EMPTY:
        texts = word[LEMMA:HEAD]
    else:
        texts = lemma_and_tags(token, word[FEATS])
        if as_in_file:
            pairs = zip(word[LEMMA:HEAD], texts, strict=True)
            texts = [new if old == EMPTY else old for old, new in pairs]
    head, label = _head_and_label(token, ids)
    # spaCy has no place for the label of a root, nor of a word of unknown head
    if head == word[HEAD] and (head == EMPTY or (head == "0" and label == "root")):
        label = label if as_in_file and word[DEPREL] == EMPTY else word[DEPREL]
    deps = word[DEPS] if is_same else EMPTY
    return [word[FORM], *texts, head, label, deps, *word[MISC:]]


def _value(token: Token, column: str, text: str) -> str:
    """Return what stands in a column: `_` for nothing. Wide and no-break spaces are something."""
    if not text:
        return EMPTY
    if text.isprintable() and (" " not in text or column in ("form", "lemma")):
        return text  # nearly always
    refused, instead = (BREAKS, " ") if column in ("form", "lemma") else (SPACES, "_")
    if refused.search(text):
        message = Warnings.NM584.format(column=column, i=token.i, text=text, instead=instead)
        warnings.warn(message, stacklevel=2)
        text = refused.sub(instead, text)
    return text


def lemma_and_tags(token: Token, feats: str = EMPTY) -> list[str]:
    """LEMMA, UPOS, XPOS and FEATS of a token. feats: as the file spells them."""
    lemma, tag = _value(token, "lemma", token.lemma_), _value(token, "tag", token.tag_)
    return [lemma, token.pos_ or EMPTY, tag, spell_feats(token, feats)]


def spell_feats(token: Token, spelt: str) -> str:
    """Return the token's morphology; as it is spelt in the file if that means the same. Universal
    Dependencies have features in an order of their own."""
    feats = str(token.morph)
    if spelt != EMPTY and token.vocab.morphology.normalize_features(spelt) == feats:
        return spelt
    return "|".join(sorted(feats.split("|"), key=str.lower)) if feats else EMPTY


def _head_and_label(token: Token, ids: dict[int, int]) -> tuple[str, str]:
    """HEAD and DEPREL."""
    if not token.dep:
        return EMPTY, EMPTY
    head, label = token.head.i, token.dep_
    if head == token.i:
        return "0", "root" if label == ROOT_LABEL else _value(token, "label", label)
    if head in ids:
        return str(ids[head]), _value(token, "label", label)
    return _found_head(token, ids)


def _found_head(token: Token, ids: dict[int, int]) -> tuple[str, str]:
    """HEAD and DEPREL of a token whose head is no word of the sentence."""
    head = _visible_head(token, ids)
    heir = head.i
    if head.is_space and head.i not in ids:
        # The root is left out
        words = (token.doc[i] for i in ids if token.doc[i].dep)
        heir = next(word.i for word in words if _visible_head(word, ids).i == head.i)
    if heir == token.i:
        return "0", "root"
    if heir not in ids:
        raise ValueError(Errors.NM085.format(word=token.text, i=token.i, head=heir))
    return str(ids[heir]), _value(token, "label", token.dep_)


def _visible_head(token: Token, ids: dict[int, int]) -> Token:
    """Return the head, or where that is left out, the next one above it that is not; at the top the
    root."""
    head = token.head
    for _ in token.doc:  # white space may hang from itself in a circle
        if head.i in ids or not head.is_space or head.head.i == head.i:
            break
        head = head.head
    return head


def _spacing(token: Token) -> str:
    if token.whitespace_:
        return EMPTY
    is_last = token.i + 1 == len(token.doc)
    return EMPTY if is_last or token.nbor().is_space else NO_SPACE
