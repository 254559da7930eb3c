"""The laws. Each takes what came out of a case and yields what is wrong."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from .drive import Result
from .expected import Parsed, spaces_of
from .inputs import Case
from .lines import own_lines
from .pipelines import CHANGING
from .reading import (
    Sentence,
    read_conllu,
    read_docs,
    read_jsonl,
    read_parquet,
    take_score,
)
from .texts import Expected
from .trees import (
    arcs_of,
    collapse_match,
    is_changed,
    is_loose,
    own_columns,
    row_arcs,
    same_columns,
    same_scores,
    sentences_match,
    written_columns,
)

CODED = re.compile(r"\[(NM|E|W)\d+\]")
Problems = Iterator[str]


# What documents become


def same_id(found: str, document: Expected, is_line: bool = False) -> bool:
    """Whether an id of the output is that of a document. is_line: it is in a comment."""
    name = document.id
    if not name and same_name(found, document.default, is_line):
        return True
    if document.lines is not None and (match := re.fullmatch(r"(.*):(\d+)", found, re.DOTALL)):
        first, last = document.lines
        if same_name(match[1], name, is_line) and first <= int(match[2]) <= last:
            return True
    return same_name(found, name, is_line)


def same_name(found: str, name: str, is_line: bool) -> bool:
    if is_line:
        found, name = " ".join(found.split()), " ".join(name.split())
    if found == name:
        return True
    # Half of a pair, and bytes that are no UTF-8, may be written in any way
    parts = re.split("[\ud800-\udfff]+", name)
    return len(parts) > 1 and bool(re.fullmatch(r"[^\s/:]{1,30}".join(map(re.escape, parts)), found))


def assign(
    case: Case, parsed: list[Parsed], failures: list[tuple[str, str]]
) -> tuple[list[tuple[Expected, Parsed]], list[str]]:
    """The documents that must be in the output, after those that errors name are taken away; and what is
    wrong with the errors (L3)."""
    left = list(zip(case.documents, parsed, strict=True))
    problems = []
    for name, reason in failures:
        order = ("fails", "either", "parsed")
        fates = sorted(
            (document.id != name, order.index(fate_of(document, one, case)), i)
            for i, (document, one) in enumerate(left)
            if same_id(name, document)
        )
        if not fates:
            problems.append(f"L3 lost: an error names {name!r}, which is no document, or twice")
            continue
        _, fate, i = fates[0]
        _, one = left.pop(i)
        if order[fate] == "parsed":
            problems.append(f"L3 refused: {name!r} can be parsed, but: {reason!r}")
        elif not is_understood(reason, one.error):
            problems.append(f"L3 reason: {name!r}: {reason!r}")
    missing = [document.id for document, one in left if fate_of(document, one, case) == "fails"]
    if missing:
        problems.append(f"L3 accepted: no error names {missing!r}, which cannot be parsed")
    return [(document, one) for document, one in left if document.id not in missing], problems


def fate_of(document: Expected, parsed: Parsed, case: Case) -> str:
    if document.fate == "fails" or parsed.error is not None:
        return "fails"
    if not parsed.sentences and (document.sentences is None or case.retokenize):
        return "either" if case.output == "spacy" else "fails"
    if parsed.leaves or document.fate == "either":
        return "either"
    if case.pipeline == "spans" and case.output == "DocBin":  # spaCy says so
        return "either"
    if case.pipeline in CHANGING and document.sentences is not None and not case.retokenize:
        words = [word[1] for sentence in document.sentences for word in sentence.words]
        if words != [text for text, _, _ in parsed.tokens]:
            return "either"
    return "parsed"


def is_understood(reason: str, error: Exception | None) -> bool:
    """A message with a code, or the component's own words."""
    own = str(error) if error is not None else ""
    return bool(CODED.search(reason)) or (len(own) > 3 and (own in reason or repr(own) in reason))


def ends(result: Result) -> Problems:
    """L3: no run ends by an error: what is wrong with a document is that document's."""
    if result.error is not None:
        kind = "coded" if CODED.search(str(result.error)) else "traceback"
        yield f"L3 run ends ({kind}): {type(result.error).__name__}: {result.error}"


def status(result: Result) -> Problems:
    if result.status != int(bool(result.failures)):
        yield f"L3 status: {result.status} with {len(result.failures)} failures"


def counts(case: Case, result: Result, n_documents: int, n_sentences: int, n_words: int) -> Problems:
    if not result.counts:
        return  # a run to standard output leaves none
    found = dict(result.counts)
    expected = {
        "documents": n_documents,
        "sentences": n_sentences,
        "words": n_words,
        "failed": len(result.failures),
    }
    for name, value in expected.items():
        if found.get(name) != value:
            yield f"L3 counts {name}: they are {found.get(name)} in the manifest, {value} in the output"


# Outputs


def rows_of(case: Case, result: Result) -> list[dict[str, Any]]:
    if case.output == "spark":
        return result.rows
    read = read_jsonl if case.output == "jsonl" else read_parquet
    return [row for data in result.outputs for row in read(data)]


def row_documents(rows: list[dict[str, Any]]) -> list[tuple[str, list[list[dict[str, Any]]]]]:
    """Rows by document and by sentence."""
    found: list[tuple[str, list[list[dict[str, Any]]]]] = []
    before: dict[str, Any] | None = None
    for row in rows:
        is_first = row["word"] == 1 and row["sentence"] == 1
        if before is None or row["doc_id"] != before["doc_id"] or is_first:
            found.append((row["doc_id"], []))
            before = None
        if before is None or row["sentence"] != before["sentence"]:
            found[-1][1].append([])
        found[-1][1][-1].append(row)
        before = row
    return found


def by_sentence(
    found: list[Any], documents: list[tuple[Expected, Parsed]], case: Case
) -> list[tuple[Expected, Parsed, list[Any]]] | None:
    """Sentences of a file without marks of documents, given to these; None if they are too many."""
    taken, rest = [], list(found)
    for document, parsed in documents:
        keeps = is_loose(document, parsed) or is_changed(document, parsed, case)
        n = len(document.sentences if keeps else parsed.sentences)
        taken.append((document, parsed, rest[:n]))
        rest = rest[n:]
    return None if rest else taken


def conllu_output(
    case: Case, result: Result, documents: list[tuple[Expected, Parsed]], *, merged: bool
) -> Problems:
    data = b"".join(result.outputs)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        yield f"L4 read again: the output is not UTF-8: {error}"
        return
    if text and not re.search(r"\n[ \t\r]*\n$", text):
        yield f"L4 read again: the output ends with {text[-20:]!r}"
    found = read_conllu(data)
    keeps = case.kind == "conllu" and not case.retokenize
    sentences = [sentence for document in found for sentence in document.sentences]
    if keeps:
        given = by_sentence(sentences, documents, case)
        if given is None:
            yield f"L3 lost: {len(sentences)} sentences are too many"
            return
    else:
        problem = pair(
            [(document.id, document) for document in found if document.sentences],
            documents,
            is_line=True,
        )
        if isinstance(problem, str) and case.kind != "conllx":
            yield problem
            return
        if isinstance(problem, str):
            given = by_sentence(sentences, documents, case)
            if given is None:
                yield problem
                return
        else:
            given = [(d, p, document.sentences) for (d, p), document in problem]
    n_sentences = len(sentences)
    n_words = sum(len(sentence.words) for sentence in sentences)
    n_ranged = sum(last - first for s in sentences for first, last, _ in s.ranges) if merged else 0
    if not (merged and result.counts.get("words") == n_words - n_ranged):
        yield from counts(case, result, len(documents), n_sentences, n_words)
    else:
        yield from counts(case, result, len(documents), n_sentences, n_words - n_ranged)
    for document, parsed, own in given:
        if merged:
            if len(own) != len(parsed.sentences):
                yield f"L1 words: {document.id!r}: {len(own)} sentences, not {len(parsed.sentences)}"
                continue
            for number, (sentence, tree) in enumerate(zip(own, parsed.sentences, strict=True)):
                yield from collapse_match(sentence, tree, f"{document.id!r}, sentence {number + 1}")
        else:
            yield from sentences_match(own, document, parsed, case, arcs_of, repr(document.id))
            is_known = not (is_loose(document, parsed) or is_changed(document, parsed, case))
            for sentence, tree in zip(own, parsed.sentences, strict=False):
                if is_known:
                    found = [take_score(word[9])[1] for word in sentence.words]
                    yield from same_scores(found, [word.score for word in tree], repr(document.id))
                if document.sentences is None:
                    yield from written_columns(sentence, tree, repr(document.id))
    if keeps:
        yield from own_lines(case, data, documents)
    yield from sent_ids(case, documents, sentences)


def pair(
    found: list[tuple[str | None, Any]],
    documents: list[tuple[Expected, Parsed]],
    *,
    is_line: bool = False,
) -> list[tuple[tuple[Expected, Parsed], Any]] | str:
    """Each document of the output and what it should be, or what is wrong (L3)."""
    ids = [id for id, _ in found]
    fit = len(found) == len(documents) and all(
        id is not None and same_id(id, document, is_line)
        for id, (document, _) in zip(ids, documents, strict=True)
    )
    if not fit:
        return f"L3 lost: the output has {ids!r} instead of {[d.id for d, _ in documents]!r}"
    return [(one, value) for one, (_, value) in zip(documents, found, strict=True)]


def row_output(
    case: Case, result: Result, documents: list[tuple[Expected, Parsed]], conllu: Result | None
) -> Problems:
    """conllu: the same as CoNLL-U, where only that tells which words are one token."""
    try:
        rows = rows_of(case, result)
    except ValueError as error:
        yield f"L4 read again: {error}"
        return
    found = row_documents(rows)
    paired = pair([(id, sentences) for id, sentences in found], documents)
    if isinstance(paired, str):
        yield paired
        return
    if case.output != "spark" and conllu is None:
        n_sentences = sum(len(sentences) for _, sentences in found)
        yield from counts(case, result, len(documents), n_sentences, len(rows))
    for (document, parsed), sentences in paired:
        where = repr(document.id)
        numbers = [sentence[0]["sentence"] for sentence in sentences]
        if numbers != [*range(1, len(sentences) + 1)]:
            yield f"L1 rows: {where}: sentences {numbers}"
        if conllu is not None:
            continue
        yield from sentences_match(sentences, document, parsed, case, row_arcs, where)
        if is_loose(document, parsed) or is_changed(document, parsed, case):
            continue
        for sentence, tree in zip(sentences, parsed.sentences, strict=False):
            yield from same_scores(
                [row["dep_score"] for row in sentence], [w.score for w in tree], where
            )
            if document.sentences is None:
                yield from same_columns(sentence, tree, where)
        if document.sentences is not None and case.kind == "conllu" and not case.retokenize:
            for sentence, own in zip(sentences, document.sentences, strict=False):
                yield from own_columns(sentence, own, where)
    if conllu is not None:
        yield from rows_like_conllu(rows, conllu)
    names = [sentence[0]["sent_id"] for _, sentences in found for sentence in sentences]
    yield from unique_names(case, documents, names)


def rows_like_conllu(rows: list[dict[str, Any]], conllu: Result) -> Problems:
    """L1: formats agree word by word."""
    sentences = [s for document in read_conllu(b"".join(conllu.outputs)) for s in document.sentences]
    words = [(word[0], word[1], word[6], word[7]) for s in sentences for word in s.words]
    spaces = [space for sentence in sentences for space in spaces_of(sentence)]
    found = [(str(r["word"]), r["form"], str(r["head"]), r["deprel"]) for r in rows]
    if found != words:
        at = next((i for i, (a, b) in enumerate(zip(found, words, strict=False)) if a != b), "the end")
        yield f"L1 formats: rows differ from CoNLL-U at {at}: {found} instead of {words}"
    elif (own := [row["space_after"] for row in rows]) != spaces:
        yield f"L1 space after: rows of {[word[1] for word in words]}: {own} instead of {spaces}"
    else:
        scores = [take_score(word[9])[1] for sentence in sentences for word in sentence.words]
        yield from same_scores([row["dep_score"] for row in rows], scores, "rows and CoNLL-U")


def spacy_output(case: Case, result: Result, documents: list[tuple[Expected, Parsed]]) -> Problems:
    docs = [doc for data in result.outputs for doc in read_docs(data)]
    paired = pair([(doc.user_data.get("doc_id"), doc) for doc in docs], documents)
    if isinstance(paired, str):
        yield paired
        return
    for (document, parsed), doc in paired:
        if is_loose(document, parsed):
            continue
        found = [(token.text, token.head.i, token.dep_) for token in doc]
        if found != parsed.tokens:
            law = "words" if [t for t, _, _ in found] != [t for t, _, _ in parsed.tokens] else "trees"
            yield f"L1 {law}: {document.id!r}: {found} instead of {parsed.tokens}"
        elif [bool(token.is_sent_start) for token in doc] != parsed.starts:
            yield f"L1 trees: {document.id!r}: other sentences"


# L5


def sent_ids(
    case: Case, documents: list[tuple[Expected, Parsed]], sentences: list[Sentence]
) -> Problems:
    names = [(sentence.comment("sent_id") or [""])[0] for sentence in sentences]
    yield from unique_names(case, documents, names)


def unique_names(case: Case, documents: list[tuple[Expected, Parsed]], names: list[str]) -> Problems:
    own = [
        name
        for document, _ in documents
        for sentence in document.sentences or ()
        for name in sentence.comment("sent_id")
    ]
    # An empty name is none
    ids = [document.id for document, _ in documents if document.lines is None and document.id]
    if len(set(own)) < len(own) or len(set(ids)) < len(ids):
        return
    twice = [name for name, n in Counter(names).items() if n > 1]
    if twice:
        yield f"L5 names: {twice} twice"
    made = [name for name in names if name not in own]
    bad = [name for name in made if not name or re.search(r"[\s/]", name) or re.fullmatch(r"-\d+", name)]
    if bad:
        yield f"L5 names: {bad}"
