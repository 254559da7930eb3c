"""CoNLL-U and CoNLL-X files, made to hurt."""

import random

from .reading import read_conllu
from .texts import IDS, PER_DOCUMENT, WORDS, Expected


def make_tree(rng: random.Random, n: int) -> list[int]:
    """Heads from 1, 0 for the root, of any shape."""
    root = rng.randrange(n)
    heads = [0] * n
    inside = [root]
    for word in rng.sample(range(n), n):
        if word != root:
            heads[word] = rng.choice(inside) + 1
            inside.append(word)
    return heads


def make_form(rng: random.Random) -> str:
    if rng.random() < 0.04:
        return rng.choice(["10 000", "a\u2028b", "a\u0085b", "a\u00a0b", "c'est à dire"])
    return rng.choice(WORDS)


MISCS = [
    "_",
    "_",
    "_",
    "SpaceAfter=No",
    "SpaceAfter=No|X=1-2",
    "Translit=a=b",
    "X=1|SpaceAfter=No",
    "X=1|Conf=0.500",
    "x y",
]
TAGS = [
    ("NOUN", "N", "Number=Sing"),
    ("VERB", "V", "VerbForm=Inf|Mood=Ind"),
    ("ADP", "_", "_"),
    ("PRON", "P-1", "Case=Nom,Acc|person=1"),
    ("_", "_", "_"),
    ("_", "X", "_"),
    ("_", "_", "A=B"),
]
LABELS = ["nsubj", "obj", "det", "acl:relcl", "dep", "_", "case"]
COMMENTS = [
    "# a comment", "#", "#no blank", "# 1-2 = x", "# text_en = A-B", "# a=b=c", "# sent_id_old = 1",
    "# newpar id = p 1", "#text = ?", "# note = \u2028 x", "# 1\tx\t_", "# source = #",
]  # fmt: skip


def make_sentence(rng: random.Random, sent_id: str, has_wide: bool) -> list[str]:
    """Lines without ends."""
    n = rng.choice([1, 2, 3, 4, 6])
    heads = make_tree(rng, n)
    ranges: dict[int, int] = {}
    word = 1
    while word < n:
        if rng.random() < 0.2:
            ranges[word] = rng.randint(word + 1, min(n, word + 2))
            word = ranges[word]
        word += 1
    lines = [rng.choice(COMMENTS)] * (rng.random() < 0.2)
    is_named, has_text = rng.random() < 0.8, rng.random() < 0.8
    lines += [f"# sent_id = {sent_id}"] * is_named + ["# text = some - text"] * has_text
    lines += [rng.choice(COMMENTS)] * (rng.random() < 0.2)
    if rng.random() < 0.08:
        lines.append("0.1\tnil\t_\t_\t_\t_\t_\t_\t1:x\t_")
    for word in range(1, n + 1):
        if rng.random() < 0.01 and word > 1:
            lines.append(rng.choice(COMMENTS))
        if word in ranges:
            surface = rng.choice(["du", "al", "aux", "l'eau", "A-B", "1-2"])
            lines.append(f"{word}-{ranges[word]}\t{surface}" + "\t_" * 7 + f"\t{rng.choice(MISCS)}")
        form = make_form(rng)
        if has_wide and rng.random() < 0.4:
            form = rng.choice(["\u3000", "\u00a0"])
        upos, xpos, feats = rng.choice(TAGS)
        head, label = str(heads[word - 1]), "root"
        if head != "0":
            label = rng.choice(LABELS)
        elif rng.random() < 0.1:
            label = "_"
        if rng.random() < 0.1:
            head, label = "_", rng.choice(["_", "dep"])
        lemma = rng.choice([form, "_", "x-y"])
        deps = rng.choice(["_", "_", f"{head}:{label}"])
        columns = [str(word), form, lemma, upos, xpos, feats, head, label, deps, rng.choice(MISCS)]
        lines.append("\t".join(columns))
        if rng.random() < 0.05:
            lines.append(f"{word}.1\tnil-1\t_\t_\t_\t_\t_\t_\t1:x\tX=1")
    return lines


BAD_ROWS = [
    "1\tx", "2\ta\t_\t_\t_\t_\t0\troot\t_\t_", "x", "1\ta\t_\t_\t_\t_\t9\troot\t_\t_",
    "1\ta\t_\tNONE\t_\t_\t0\troot\t_\t_", "1\t\t_\t_\t_\t_\t0\troot\t_\t_",
    "1-2\ta\t_\t_\t_\t_\t_\t_\t_\t_", "-\ta\t_\t_\t_\t_\t_\t_\t_\t_",
]  # fmt: skip
HEADERS = [
    "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC", "# made by hand - 1", "#",
]  # fmt: skip
PLUS = f"{HEADERS[0]} PARSEME:MWE"  # CoNLL-U Plus
NEWDOCS = ["# newdoc id = {}", "# newdoc id = {}", "#newdoc id = {}", "# newdoc id={}", "# newdoc"]


def make_conllu(rng: random.Random, name: str) -> tuple[bytes, list[Expected]]:
    is_marked = rng.random() < 0.6
    has_wide = rng.random() < 0.1
    lines: list[str] = []
    # One oddity at a time, mostly, so that one fault does not hide the others
    has_blanks, has_note, is_close = (rng.random() < 0.06 for _ in range(3))
    newdocs = NEWDOCS if is_close else NEWDOCS[:2] + NEWDOCS[3:]
    if rng.random() < 0.08:
        lines += [rng.choice(HEADERS)] + [""] * (rng.random() < 0.6)
    bad: set[int] = set()
    n_sentences = 0
    n_documents = rng.randint(1, 3) if is_marked else 1
    used = rng.random() < 0.9
    for document in range(n_documents):
        newdoc = []
        id = rng.choice([*filter(None, IDS[:14]), f"d{document}", f"d{document}"]).strip()
        if is_marked and (document or rng.random() < 0.8):
            mark = rng.choice(newdocs)
            newdoc = [mark.format(id)] if rng.random() < 0.9 else ["# newdoc id ="]
        size = rng.randint(1, 3) if is_marked else rng.choice([1, 2, 3, 9, 10, 11])
        for sentence in range(size):
            n_sentences += 1
            sent_id = f"s-{n_sentences}" if used else f"{id}-{sentence + 2}".replace("/", "_")
            block = make_sentence(rng, sent_id, has_wide)
            if sentence == 0 and newdoc:
                place = 0 if rng.random() < 0.8 else min(1, len(block) - 1)
                block = (
                    [*newdoc, *block]
                    if not block[0].startswith("#") or not place
                    else [block[0], *newdoc, *block[1:]]
                )
            if newdoc and rng.random() < 0.03:
                bad.add(document)
                block = [line for line in block if line.startswith("#")] + [rng.choice(BAD_ROWS)]
            if has_note:
                lines.append("# newdoc_note = x")
            lines += block
            blanks = ["", " ", "\t"] if has_blanks else [""]
            lines += [rng.choice(blanks) for _ in range(rng.choice([1, 1, 1, 2]))]
    if rng.random() < 0.08:
        lines += [rng.choice(COMMENTS[:6]), ""]
    is_plus = rng.random() < 0.02
    if is_plus:
        lines = [
            PLUS,
            *(f"{line}\t*" if line[:1] not in ("#", "", " ", "\t") else line for line in lines),
        ]
    end = "\r\n" if rng.random() < 0.15 else "\n"
    text = end.join(lines)
    if rng.random() < 0.2:
        text = text.rstrip("\r\n \t")
    data = b"\xef\xbb\xbf" * (rng.random() < 0.05) + text.encode("utf-8", "surrogatepass")
    # Half a surrogate pair is no UTF-8: its document fails
    found = []
    for document in read_conllu(data, PER_DOCUMENT):
        lines_in = text.split("\n")[document.first_line - 1 : document.last_line]
        words = [row for sentence in document.sentences for row in sentence.rows]
        is_bad = any("\t".join(row[:10]) in BAD_ROWS for row in words) or not words
        is_bad = is_bad or any("\ud83d" in line for line in lines_in)
        expected = Expected(document.id or name, sentences=document.sentences)
        expected.is_marked = document.is_marked
        if not document.id:
            expected.lines = (1 if not found else document.first_line, document.last_line)
        expected.fate = "fails" if is_bad else "either" if is_plus else "parsed"
        found.append(expected)
    return data, found


def make_conllx(rng: random.Random, name: str) -> tuple[bytes, list[Expected]]:
    lines, found = [], []
    for _ in range(rng.choice([1, 2, 3, 10, 11])):
        n = rng.randint(1, 4)
        heads = make_tree(rng, n)
        if rng.random() < 0.2:
            heads = [0] * n  # several roots
        for word in range(1, n + 1):
            form = rng.choice(WORDS)
            tag = rng.choice(["N", "P-1", "_"])
            feats = rng.choice(["_", "x", "a=b|a=c", "Number=Sing"])
            head = heads[word - 1]
            label = rng.choice(LABELS[:4])
            lines.append("\t".join([str(word), form, form, "C", tag, feats, str(head), label, "_", "_"]))
        lines.append("")
    data = "\n".join([*lines, ""] * (rng.random() < 0.9) or lines).encode()
    for document in read_conllu(data, PER_DOCUMENT):
        span = document.first_line, document.last_line
        found.append(Expected(name, sentences=document.sentences, lines=span))
    return data, found
