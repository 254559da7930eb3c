"""The laws. Each takes what came out of a case and yields what is wrong."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from .drive import Result
from .expected import Parsed, Word, known, spaces_of
from .inputs import PER_DOCUMENT, Case, Expected
from .pipelines import CHANGING
from .reading import (
    ADDED,
    NEWDOC,
    Document,
    Sentence,
    is_blank,
    lines_of,
    read_conllu,
    read_docs,
    read_jsonl,
    read_parquet,
    sizes,
    split_lines,
)

CODED = re.compile(r"\[(NM|E|W)\d+\]")
# Batches add floats up in other orders
TOLERANCE = 1e-3
Problems = Iterator[str]
Tree = list[Word]

# What may change in a file's lines besides HEAD and DEPREL. That of ends and empty lines is compared:
# nowhere, since versions differ in it; only the division into sentences is
ADDABLE = ("sent_id", "text", "newdoc id")


# What documents become


def same_id(found: str, document: Expected, is_line: bool = False) -> bool:
    """Whether an id of the output is that of a document. is_line: it is in a comment, which is one line."""
    name = document.id
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
            (order.index(fate_of(document, one, case)), i)
            for i, (document, one) in enumerate(left)
            if same_id(name, document)
        )
        if not fates:
            problems.append(f"L3 lost: an error names {name!r}, which is no document, or twice")
            continue
        fate, i = fates[0]
        document, one = left.pop(i)
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
    if not parsed.sentences and document.sentences is None:
        return "either" if case.output == "spacy" else "fails"
    if parsed.leaves or document.fate == "either":
        return "either"
    if case.pipeline == "spans" and case.output in ("spacy", "DocBin"):
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


# L1: words and trees


def valid_tree(heads: list[int]) -> bool:
    if heads.count(0) != 1 or not all(0 <= head <= len(heads) for head in heads):
        return False
    for word in range(len(heads)):
        for _ in heads:
            word = heads[word] - 1 if word >= 0 else word
        if word >= 0:
            return False
    return True


def same_tree(
    found: list[tuple[str, str, int | None, str | None]],
    expected: Tree,
    where: str,
    own: Sentence | None = None,
) -> Problems:
    """found: number, form, head, label. own: the sentence in the file: a root that is one there, too, may
    keep its label."""
    if [form for _, form, _, _ in found] != [word.form for word in expected]:
        forms = [form for _, form, _, _ in found]
        yield f"L1 words: {where}: {forms} instead of {[word.form for word in expected]}"
        return
    numbers = [number for number, _, _, _ in found]
    if numbers != [str(i + 1) for i in range(len(found))]:
        yield f"L1 words: {where}: the numbers are {numbers}"
    arcs = [(head, label) for _, _, head, label in found]
    wanted = [(word.head, word.label) for word in expected]
    if own is not None and len(own.words) == len(wanted):
        wanted = [
            (head, row[7]) if (head, row[6]) == (0, "0") and arc == (0, row[7]) else (head, label)
            for (head, label), row, arc in zip(wanted, own.words, arcs, strict=False)
        ]
    if arcs != wanted:
        yield f"L1 trees: {where}: {arcs} instead of {wanted}"


def loose_tree(found: list[tuple[str, str, int | None, str | None]], forms: list[str], where: str) -> Problems:
    """Where the Doc does not say which tree it is: the words are those of the file, and it is a tree."""
    if [form for _, form, _, _ in found] != forms:
        yield f"L1 words: {where}: {[form for _, form, _, _ in found]} instead of {forms}"
    heads = [head for _, _, head, _ in found]
    if None in heads or not valid_tree(heads):  # type: ignore[arg-type]
        yield f"L1 trees: {where}: {heads} are no tree"
    labels = [label for _, _, _, label in found]
    if "_SP" in labels:
        yield f"L1 trees: {where}: a word is white space: {labels}"


def number_of(value: str) -> int | None:
    return int(value) if value.isdecimal() else None


def arcs_of(sentence: Sentence) -> list[tuple[str, str, int | None, str | None]]:
    return [(word[0], word[1], number_of(word[6]), word[7]) for word in sentence.words]


def row_arcs(rows: list[dict[str, Any]]) -> list[tuple[str, str, int | None, str | None]]:
    return [(str(row["word"]), row["form"], row["head"], row["deprel"]) for row in rows]


def is_loose(document: Expected, parsed: Parsed) -> bool:
    return document.sentences is not None and document.doc is None and parsed.has_white


def is_changed(document: Expected, parsed: Parsed, case: Case) -> bool:
    """Whether a component has given other tokens to words of a file."""
    if document.sentences is None or case.retokenize or case.pipeline not in CHANGING:
        return False
    return [w[1] for s in document.sentences for w in s.words] != [text for text, _, _ in parsed.tokens]


def has_lines(document: Expected, case: Case) -> bool:
    return document.sentences is not None and not case.retokenize


def sentences_match(
    found: list[Any], document: Expected, parsed: Parsed, case: Case, arcs: Any, where: str
) -> Problems:
    """found: sentences of a document in some format; arcs: what turns one into numbers, forms, heads and
    labels."""
    trees = [arcs(sentence) for sentence in found]
    if is_loose(document, parsed) and not case.retokenize:
        forms = [[word[1] for word in sentence.words] for sentence in document.sentences]
    elif is_changed(document, parsed, case):
        yield from changed_match(trees, document, parsed, where)
        return
    else:
        forms = [[word.form for word in sentence] for sentence in parsed.sentences]
    if len(trees) != len(forms):
        yield f"L1 words: {where}: {len(trees)} sentences instead of {len(forms)}"
        return
    for number, tree in enumerate(trees):
        name = f"{where}, sentence {number + 1}"
        if is_loose(document, parsed) and not case.retokenize:
            yield from loose_tree(tree, forms[number], name)
        else:
            own = document.sentences[number] if has_lines(document, case) else None
            yield from same_tree(tree, parsed.sentences[number], name, own)


def changed_match(trees: list[Any], document: Expected, parsed: Parsed, where: str) -> Problems:
    """Either the tokens with their tree, or the words of the file with one that agrees where both have
    the same words."""
    tokens = [[word.form for word in sentence] for sentence in parsed.sentences]
    words = [[word[1] for word in sentence.words] for sentence in document.sentences]
    forms = [[form for _, form, _, _ in tree] for tree in trees]
    if forms == tokens:
        for number, tree in enumerate(trees):
            yield from same_tree(tree, parsed.sentences[number], f"{where}, sentence {number + 1}")
        return
    if forms != words:
        yield f"L1 words: {where}: {forms} are neither {words} nor {tokens}"
        return
    for number, tree in enumerate(trees):
        yield from loose_tree(tree, words[number], f"{where}, sentence {number + 1}")
    # Words and tokens that begin and end at the same letters
    at_words, at_tokens = offsets([f for s in words for f in s]), offsets([t for t, _, _ in parsed.tokens])
    token_at = {at: i for i, at in enumerate(at_tokens)}
    firsts = [sum(map(len, words[:n])) for n, tree in enumerate(trees) for _ in tree]
    flat = [one for tree in trees for one in tree]
    for word, (_, form, head, _) in enumerate(flat):
        token = token_at.get(at_words[word])
        if token is None or head is None:
            continue
        found = word if head == 0 else firsts[word] + head - 1
        wanted = parsed.tokens[token][1]
        if at_tokens[wanted] in at_words and at_words[found] != at_tokens[wanted]:
            yield f"L1 trees: {where}: {form!r} hangs from {flat[found][1]!r} in the file, not in the Doc"
            return


def offsets(forms: Iterable[str]) -> list[tuple[int, int]]:
    found, at = [], 0
    for form in forms:
        size = len("".join(form.split()))
        found.append((at, at + size))
        at += size
    return found


# Multiword tokens


def collapse_match(found: Sentence, expected: Tree, where: str) -> Problems:
    """Ranges of words are tokens of the Doc: one of their words has the token's label, and those whose head
    is outside hang where the token hangs."""
    token_of: dict[int, int] = {}
    surface = []
    ranges = {first: (last, row[1]) for first, last, row in found.ranges}
    word = 1
    while word <= len(found.words):
        last, form = ranges.get(word, (word, found.words[word - 1][1]))
        surface.append((word, last, form))
        token_of.update(dict.fromkeys(range(word, last + 1), len(surface)))
        word = last + 1
    if [form for _, _, form in surface] != [one.form for one in expected]:
        yield f"L1 words: {where}: {[form for _, _, form in surface]} instead of {[o.form for o in expected]}"
        return
    heads = [number_of(word[6]) for word in found.words]
    if None in heads or not valid_tree(heads):  # type: ignore[arg-type]
        yield f"L1 trees: {where}: {heads} are no tree"
        return
    for (first, last, form), one in zip(surface, expected, strict=True):
        own = range(first, last + 1)
        outside = {token_of.get(heads[w - 1] or 0, 0) for w in own if heads[w - 1] not in own}
        labels = [found.words[w - 1][7] for w in own]
        if outside != {one.head} or one.label not in labels:
            yield f"L1 trees: {where}: {form!r} hangs from {outside} as {labels}, not {one.head, one.label}"


# Scores


def same_scores(found: list[Any], expected: list[float | None], where: str) -> Problems:
    for one, wanted in zip(found, expected, strict=False):
        if (one is None) != (wanted is None) or (one is not None and abs(one - wanted) > TOLERANCE):
            yield f"L1 scores: {where}: {found} instead of {expected}"
            return


def same_columns(rows: list[dict[str, Any]], expected: Tree, where: str) -> Problems:
    for row, word in zip(rows, expected, strict=False):
        feats = frozenset(filter(None, (row["feats"] or "").split("|")))
        found = (known(row["lemma"] or ""), row["upos"], row["xpos"], feats)
        if found != word.columns:
            yield f"L1 columns: {where}: {found} instead of {word.columns}"
            return
        if row["space_after"] != word.has_space:
            yield f"L1 space after: {where}: {word.form!r} has {row['space_after']}"
            return


def features(text: str) -> set[str]:
    """In any order."""
    return {f"{n}={sorted(v.split(','))}" if v else n for n, _, v in (p.partition("=") for p in text.split("|"))}


def own_columns(rows: list[dict[str, Any]], own: Sentence, where: str) -> Problems:
    """What a file says of its words is in their rows, too."""
    names = own.comment("sent_id")
    if names and {row["sent_id"] for row in rows} != {names[0]}:
        yield f"L1 columns: {where}: sent_id is {rows[0]['sent_id']!r} instead of {names[0]!r}"
    for row, word, has_space in zip(rows, own.words, spaces_of(own), strict=False):
        found = [row["lemma"], row["upos"], row["xpos"], features(row["feats"] or "")]
        wanted = [*word[2:5], features(word[5])]
        differ = [(a, b) for a, b in zip(found, wanted, strict=True) if b not in ("_", {"_"}) and a != b]
        if differ:
            yield f"L1 columns: {where}: {differ[0][0]} instead of {differ[0][1]}"
            return
        if row["space_after"] != has_space:
            yield f"L1 space after: {where}: {word[1]!r} has {row['space_after']}"
            return


def written_columns(found: Sentence, expected: Tree, where: str) -> Problems:
    """CoNLL-U of a text: columns and the comment `# text`."""
    for word, one in zip(found.words, expected, strict=False):
        columns = tuple(known(value) for value in word[2:5])
        if columns != tuple(known(value or "") for value in one.columns[:3]) or (
            frozenset(word[5].split("|")) - {"_"} != one.columns[3]
        ):
            yield f"L1 columns: {where}: {word} instead of {one.columns}"
            return
        if (word[9] == "_") != one.has_space:
            yield f"L1 space after: {where}: {word}"
            return
    text = "".join(found.comment("text"))
    if "".join(text.split()) != "".join("".join(one.form.split()) for one in expected):
        yield f"L1 text: {where}: {text!r}"


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
    """Sentences of a file without marks of documents, given to these; None if they are too few or many."""
    taken, rest = [], list(found)
    for document, parsed in documents:
        lengths = {len(parsed.sentences)}
        if document.sentences is not None and (is_loose(document, parsed) or parsed.error is None):
            if is_loose(document, parsed) or is_changed(document, parsed, case):
                lengths = {len(document.sentences)}
        n = lengths.pop()
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
    if text and not text.endswith("\n\n") and not text.endswith("\n\r\n"):
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
            [(document.id, document) for document in found if document.sentences], documents, is_line=True
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
            for sentence, tree in zip(own, parsed.sentences, strict=False):
                if document.sentences is None:
                    yield from written_columns(sentence, tree, repr(document.id))
    if keeps:
        yield from own_lines(case, data, documents)
    yield from sent_ids(case, documents, sentences)


def pair(
    found: list[tuple[str | None, Any]], documents: list[tuple[Expected, Parsed]], *, is_line: bool = False
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
            yield from same_scores([row["dep_score"] for row in sentence], [w.score for w in tree], where)
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
        yield f"L1 space after: rows of multiword tokens {[w[1] for w in words]}: {own} instead of {spaces}"


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


# L2


def own_lines(case: Case, data: bytes, documents: list[tuple[Expected, Parsed]]) -> Problems:
    """A file's own lines stay, but for HEAD and DEPREL."""
    kept = {id(document) for document, _ in documents}
    wanted: list[str] = []
    groups: list[int] = []  # words of each sentence
    at = 0
    for plain in case.plain:
        read = read_conllu(plain, PER_DOCUMENT)
        for document in read:
            if id(case.documents[at]) in kept:
                wanted += lines_of(plain, document.first_line, document.last_line)
                groups += [len(sentence.words) for sentence in document.sentences]
            at += 1
    found = lines_of(data)
    if (n := sizes(data)) != groups:
        yield f"L2 sentences: they have {n} words instead of {groups}"
    names: Counter[str] = Counter()
    i = 0
    for line in found:
        if i < len(wanted) and same_line(line, wanted[i]):
            i += 1
            continue
        match = ADDED.match(line)
        if match is None:
            expected = wanted[i] if i < len(wanted) else "the end"
            yield f"L2 lines: {line!r} instead of {expected!r}"
            return
        names[match[1]] += 1
    if i < len(wanted):
        yield f"L2 lines: {wanted[i]!r} is missing"
    own = [sentence for document, _ in documents for sentence in document.sentences]
    written = [sentence for document in read_conllu(data) for sentence in document.sentences]
    for before, sentence in zip(own, written, strict=False):
        for key in ("sent_id", "text"):
            if len(sentence.comment(key)) != max(1, len(before.comment(key))):
                yield f"L2 comments: {key} {len(sentence.comment(key))} times: {sentence.lines}"
                return


def same_line(found: str, wanted: str) -> bool:
    if found == wanted:
        return True
    row, own = found.split("\t"), wanted.split("\t")
    if found.startswith("#") or len(row) != len(own) or not own[0].isdecimal():
        return False
    may = {6, 7}
    if own[3] == "_":
        may |= {column for column in range(2, 6) if own[column] == "_"}
    return all(a == b for column, (a, b) in enumerate(zip(row, own, strict=True)) if column not in may)


# L5


def sent_ids(
    case: Case, documents: list[tuple[Expected, Parsed]], sentences: list[Sentence]
) -> Problems:
    names = [(sentence.comment("sent_id") or [""])[0] for sentence in sentences]
    yield from unique_names(case, documents, names)


def unique_names(
    case: Case, documents: list[tuple[Expected, Parsed]], names: list[str]
) -> Problems:
    own = [
        name
        for document, _ in documents
        for sentence in document.sentences or ()
        for name in sentence.comment("sent_id")
    ]
    ids = [document.id for document, _ in documents if document.lines is None]
    if len(set(own)) < len(own) or len(set(ids)) < len(ids):
        return
    twice = [name for name, n in Counter(names).items() if n > 1]
    if twice:
        yield f"L5 names: {twice} twice"
    made = [name for name in names if name not in own]
    bad = [name for name in made if not name or re.search(r"[\s/]", name) or re.fullmatch(r"-\d+", name)]
    if bad:
        yield f"L5 names: {bad}"


