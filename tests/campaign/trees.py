"""L1: the words, heads, labels, scores and columns of every output are those of the Doc."""

from collections.abc import Iterable, Iterator
from typing import Any

from .expected import Parsed, Word, known, spaces_of
from .inputs import Case
from .pipelines import CHANGING
from .reading import Sentence, take_score
from .texts import Expected

# Batches add floats up in other orders
TOLERANCE = 1e-3
Problems = Iterator[str]
Tree = list[Word]


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
    """found: number, form, head, label. own: the sentence in the file: a root that is one there, too,
    may keep its label."""
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


def loose_tree(
    found: list[tuple[str, str, int | None, str | None]], forms: list[str], where: str
) -> Problems:
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
    at_words, at_tokens = (
        offsets([f for s in words for f in s]),
        offsets([t for t, _, _ in parsed.tokens]),
    )
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
            yield f"L1 trees: {where}: {form!r} hangs from {flat[found][1]!r}, but not in the Doc"
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
    """Ranges of words are tokens of the Doc: one of their words has the token's label, and those whose
    head is outside hang where the token hangs."""
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
        forms = [form for _, _, form in surface]
        yield f"L1 words: {where}: {forms} instead of {[one.form for one in expected]}"
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
            wanted = one.head, one.label
            yield f"L1 trees: {where}: {form!r} hangs from {outside} as {labels}, not {wanted}"


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
    return {
        f"{n}={sorted(v.split(','))}" if v else n
        for n, _, v in (p.partition("=") for p in text.split("|"))
    }


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
        if (take_score(word[9])[0] == "_") != one.has_space:
            yield f"L1 space after: {where}: {word}"
            return
    text = "".join(found.comment("text"))
    if "".join(text.split()) != "".join("".join(one.form.split()) for one in expected):
        yield f"L1 text: {where}: {text!r}"
