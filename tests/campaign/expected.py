"""What the pipeline makes of each document of a case: the words and trees that outputs must have."""

import re
from dataclasses import dataclass, field

from spacy.language import Language
from spacy.tokens import Doc, Token

from .inputs import Case
from .reading import Sentence
from .texts import Expected

ASCII_WHITE = re.compile(r"[ \t\n\r\f\v]+")


@dataclass
class Word:
    """A token of a Doc that is a word. head: its number in the sentence, 0 for a root."""

    form: str
    head: int
    label: str
    score: float | None
    columns: tuple[str | None, str | None, str | None, frozenset[str]]
    has_space: bool


@dataclass
class Parsed:
    """sentences: of words, white space left out. tokens: all of the Doc: text, head, label. leaves:
    whether an arc leaves its sentence. error: what the pipeline raised."""

    sentences: list[list[Word]] = field(default_factory=list)
    tokens: list[tuple[str, int, str]] = field(default_factory=list)
    starts: list[bool] = field(default_factory=list)
    has_white: bool = False
    leaves: bool = False
    error: Exception | None = None


def parse_all(case: Case, nlp: Language) -> list[Parsed]:
    """All together; where that fails and in some cases one after another, as `nlp` does."""
    with nlp.memory_zone():
        found = [Parsed() for _ in case.documents]
        todo = [i for i, document in enumerate(case.documents) if document.fate != "fails"]
        if case.number % 4:
            try:
                docs = [words_doc(nlp, case.documents[i], case) for i in todo]
                for i, doc in zip(todo, nlp.pipe(docs), strict=True):
                    found[i] = parsed_of(doc)
                return found
            except Exception:
                pass
        for i in todo:
            try:
                found[i] = parsed_of(nlp(words_doc(nlp, case.documents[i], case)))
            except Exception as error:
                found[i] = Parsed(error=error)
        return found


def words_doc(nlp: Language, document: Expected, case: Case) -> Doc:
    """The words before the pipeline."""
    if document.doc is not None:
        return Doc(nlp.vocab).from_bytes(document.doc)
    if document.sentences is not None:
        if case.retokenize:
            return nlp.make_doc(text_of(document.sentences))
        return treebank_doc(nlp, document.sentences, case.kind == "conllx")
    if document.lines_of_words:
        words = [word for line in document.lines_of_words for word in ASCII_WHITE.split(line) if word]
        return Doc(nlp.vocab, words)
    assert document.text is not None
    if document.lines_of_words is None:
        return nlp.make_doc(document.text)
    docs = [nlp.make_doc(line.strip()) for line in document.text.split("\n") if line.strip()]
    doc = Doc.from_docs(docs, ensure_whitespace=True)
    assert doc is not None
    starts, n = set(), 0
    for one in docs:
        starts.add(n)
        n += len(one)
    for token in doc:
        token.is_sent_start = token.i in starts
    return doc


def spaces_of(sentence: Sentence) -> list[bool]:
    spaces = ["SpaceAfter=No" not in word[9].split("|") for word in sentence.words]
    for first, last, row in sentence.ranges:
        spaces[first - 1 : last] = [False] * (last - first + 1)
        spaces[last - 1] = "SpaceAfter=No" not in row[9].split("|")
    return spaces


def text_of(sentences: list[Sentence]) -> str:
    text = ""
    for sentence in sentences:
        spaces = spaces_of(sentence)
        surface = {first: (last, row[1]) for first, last, row in sentence.ranges}
        word = 1
        while word <= len(spaces):
            last, form = surface.get(word, (word, sentence.words[word - 1][1]))
            text += form + " " * spaces[last - 1]
            word = last + 1
    return text.strip(" ")


def treebank_doc(nlp: Language, sentences: list[Sentence], is_conllx: bool) -> Doc:
    """In CoNLL-X there are no universal tags and features."""
    words = [word for sentence in sentences for word in sentence.words]
    starts = [i == 0 for sentence in sentences for i in range(len(sentence.words))]
    known = [["" if value == "_" else value for value in word] for word in words]
    doc = Doc(
        nlp.vocab,
        words=[word[1] for word in words],
        spaces=[space for sentence in sentences for space in spaces_of(sentence)],
        sent_starts=starts,  # type: ignore[arg-type]
        pos=["" if is_conllx else word[3] for word in known],
        tags=[word[4] for word in known],
        morphs=["" if is_conllx else word[5] for word in known],
    )
    for token, word in zip(doc, known, strict=True):
        token.lemma_ = word[2]
    return doc


def score_of(token: Token) -> float | None:
    return token._.dep_score if Token.has_extension("dep_score") else None


def parsed_of(doc: Doc) -> Parsed:
    found = Parsed()
    sentences = list(doc.sents) if doc.has_annotation("SENT_START") else [doc[:]] if len(doc) else []
    found.tokens = [(token.text, token.head.i, token.dep_) for token in doc]
    found.starts = [bool(token.is_sent_start) for token in doc]
    found.has_white = any(token.is_space for token in doc)
    for sentence in sentences:
        tokens = [token for token in sentence if not token.is_space]
        ids = {token.i: number for number, token in enumerate(tokens, start=1)}
        words = []
        for token in tokens:
            head = token.head
            if head.i not in ids:
                found.leaves = True
                break
            words.append(
                Word(
                    spelt(token.text),
                    0 if head.i == token.i else ids[head.i],
                    "root" if head.i == token.i and token.dep_ == "ROOT" else token.dep_,
                    score_of(token),
                    (
                        known(spelt(token.lemma_)),
                        token.pos_ or None,
                        token.tag_ or None,
                        frozenset(filter(None, str(token.morph).split("|"))),
                    ),
                    bool(token.whitespace_) or token.i + 1 == len(doc) or token.nbor().is_space,
                )
            )
        if words:
            found.sentences.append(words)
    return found


def known(value: str) -> str | None:
    """Of the lemma of `_` no format says whether it is known."""
    return None if value in ("", "_") else value


def spelt(text: str) -> str:
    """A form as a column can hold it."""
    return re.sub(r"[\t\n\r]+", " ", text)
