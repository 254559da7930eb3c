"""Damaged CoNLL-U through the reader, the writer, `evaluate` and training.

What comes out is what a simple reading of the file says, or there is an error or a warning with a code
that names file and line. The simple reading (`simple_sentences`) knows nothing of the reader's checks.
"""

import math
import re
import tempfile
import warnings
from functools import cache
from itertools import groupby
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
import spacy
from spacy.language import Language
from spacy.tokens import Doc

from spacy_nonmono.evaluation.evaluate import parse_file
from spacy_nonmono.evaluation.names import SETTINGS
from spacy_nonmono.treebank.corpus import create_conllu_corpus
from spacy_nonmono.treebank.writer import write_conllu
from tests.pipeline.util import SYSTEMS, blank, linear_config

from .harness import Outcome, error_outcome, is_coded

SAMPLE = Path(__file__).parents[2] / "assets" / "sample" / "dev.conllu"
# The sample has none of these: a multiword token, empty nodes, features, spaces, an unknown head
RICH = """\
# newdoc id = rich
# sent_id = rich-1
# text = She didn't  sleep.
0.1\tso\tso\tADV\tRB\t_\t_\t_\t4:advmod\t_
1\tShe\tshe\tPRON\tPRP\tNumber=Sing|Case=Nom\t4\tnsubj\t4:nsubj\t_
2-3\tdidn't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdid\tdo\tAUX\tVBD\tTense=Past\t4\taux\t4:aux\t_
3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t4:advmod\tGloss=pas
4\tsleep\tsleep\tVERB\tVB\tVerbForm=Inf\t0\troot\t0:root\tSpaceAfter=No
4.1\there\there\tADV\tRB\t_\t_\t_\t4:advmod\t_
5\t.\t.\tPUNCT\t.\t_\t4\tpunct\t4:punct\t_

# sent_id = rich-2
1\t10\u00a0000\t10 000\tNUM\t_\tA=1,2|B=x\t2\tnummod\t_\t_
2\tdogs\tdog\tNOUN\tNNS\t_\t0\troot\t_\t_
3\t_\t_\tX\t_\t_\t_\t_\t_\tNote=\u3000

"""
ODD = [
    *("", "_", " ", "\u00a0", "\u3000", "\t", "\r", "\r\n", "\n", "\n\n", "\0", "\x0b", "\x1c", "\x85"),
    *("\u2028", "\ufeff", "\U0001f600", "#", "-", ".", "|", "=", "A=", "=B", "A=B=C", "A=1|A=2"),
    *("0", "-1", "01", "²", "٣", "1.0", "1-1", "2-1", "1-2", "0.1", "2.1", "1.99", "+1", "1e3"),
    *("root", "ROOT", "dep", "dep||x", "SPACE", "NOUN", "noun", "SpaceAfter=No", "w" * 70_000),
    *(",", ":", "5" * 5000, str(2**31 - 1), str(2**31), str(2**64), "-" + str(2**31)),
]
# Those of the file itself have no line
NEWDOC = re.compile(r"#\s*newdoc(\s+id\s*=.*|\s*=.*|\s*)")
NO_LINE = re.compile(r"\[NM(080|082|586)\]")


class SimpleSentence(NamedTuple):
    """comments, empty nodes and ranges as they are written, each in the file's order."""

    comments: list[str]
    words: list[list[str]]
    ranges: list[list[str]]
    empty_nodes: list[list[str]]


def simple_sentences(data: bytes) -> list[SimpleSentence]:
    """What a CoNLL-U file says, if it is one."""
    lines = [line.lstrip("\ufeff").rstrip("\r") for line in data.decode("utf-8").split("\n")]
    # A document ends a sentence
    lines = [one for line in lines for one in ([""] if NEWDOC.fullmatch(line) else []) + [line]]
    sentences: list[SimpleSentence] = []
    early: list[str] = []  # comments in front of the first word of a sentence
    for has_lines, group in groupby(lines, key=lambda line: bool(line.strip(" \t"))):
        block = list(group) if has_lines else []
        early += [line for line in block if line.startswith("#")]
        rows = [line.split("\t") for line in block if not line.startswith("#")]
        if rows:
            sentences.append(
                SimpleSentence(
                    early,
                    [row for row in rows if re.fullmatch(r"\d+", row[0])],
                    [row for row in rows if "-" in row[0]],
                    [row for row in rows if "." in row[0]],
                )
            )
            early = []
    if sentences:
        sentences[-1].comments.extend(early)
    return sentences


@cache
def blocks() -> list[bytes]:
    """Sentences to damage: three of the sample and the rich ones."""
    sample = SAMPLE.read_text("utf-8").split("\n\n")
    short = sorted(filter(None, sample), key=len)[:40:15]
    return [(block + "\n\n").encode() for block in [*short, *RICH.strip("\n").split("\n\n")]]


@cache
def folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="nonmono-fuzz-"))


def damaged(dice: Random) -> bytes:
    """One to three sentences with one to three damages."""
    data = b"".join(dice.choices(blocks(), k=dice.randint(1, 3)))
    for _ in range(dice.choice((1, 1, 2, 3))):
        data = dice.choice(DAMAGES)(dice, data)
    return data


def flip_byte(dice: Random, data: bytes) -> bytes:
    at = dice.randrange(len(data) or 1)
    return data[:at] + bytes([dice.randrange(256)]) + data[at + 1 :]


def drop_bytes(dice: Random, data: bytes) -> bytes:
    at = dice.randrange(len(data) or 1)
    return data[:at] + data[at + dice.choice((1, 1, 2, 9)) :]


def double_bytes(dice: Random, data: bytes) -> bytes:
    at = dice.randrange(len(data) or 1)
    return data[: at + dice.choice((1, 1, 2, 30))] + data[at:]


def cut(dice: Random, data: bytes) -> bytes:
    at = dice.randrange(len(data) or 1)
    return dice.choice((data[:at], data[at:]))


def insert_odd(dice: Random, data: bytes) -> bytes:
    at = dice.randrange(len(data) or 1)
    return data[:at] + dice.choice(ODD).encode() + data[at:]


def mark_or_line_ends(dice: Random, data: bytes) -> bytes:
    return dice.choice((b"\xef\xbb\xbf" + data, data.replace(b"\n", b"\r\n"), b"\xff\xfe" + data))


def move_line(dice: Random, data: bytes) -> bytes:
    """Swap, drop or double lines."""
    lines = data.split(b"\n")
    i, j = dice.randrange(len(lines)), dice.randrange(len(lines))
    choice = dice.randrange(3)
    if choice == 0:
        lines[i], lines[j] = lines[j], lines[i]
    elif choice == 1:
        del lines[i]
    else:
        lines.insert(j, lines[i])
    return b"\n".join(lines)


def change_column(dice: Random, data: bytes) -> bytes:
    """Put something odd in a column, or something of the same column of another line; or drop, double or
    swap columns."""
    lines = [line.split(b"\t") for line in data.split(b"\n")]
    places = [i for i, line in enumerate(lines) if len(line) > 1]
    if not places:
        return data
    line = lines[dice.choice(places)]
    other = lines[dice.choice(places)]
    i, j = dice.randrange(len(line)), dice.randrange(len(line))
    choice = dice.randrange(8)
    if choice == 0:
        del line[i]
    elif choice == 1:
        line.insert(j, line[i])
    elif choice == 2:
        line[i], line[j] = line[j], line[i]
    elif choice < 5:
        line[i] = other[i] if i < len(other) else b"_"
    else:
        line[i] = dice.choice(ODD).encode()
    return b"\n".join(b"\t".join(line) for line in lines)


def change_head(dice: Random, data: bytes) -> bytes:
    """Another head, often on a cycle, out of range or a second root; or another label."""
    lines = [line.split(b"\t") for line in data.split(b"\n")]
    places = [line for line in lines if len(line) > 7 and line[0].isdigit()]
    if not places:
        return data
    line = dice.choice(places)
    if dice.randrange(3):
        heads = [str(dice.randint(0, len(places) + 1)).encode(), b"0", line[0], b"_"]
        line[6] = dice.choice(heads)
    else:
        line[7] = dice.choice((b"root", b"ROOT", b"dep", b"_", b"\xc2\xa0"))
    return b"\n".join(b"\t".join(line) for line in lines)


DAMAGES = (
    *(flip_byte, drop_bytes, double_bytes, cut, insert_odd, mark_or_line_ends),
    *(move_line, change_column, change_column, change_head, change_head),
)


def read(nlp: Language, path: Path) -> tuple[list[Doc], list[str]]:
    """The annotated Docs of a file, and the warnings on the way."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        docs = [example.reference for example in create_conllu_corpus(path)(nlp)]
    return docs, [str(warning.message) for warning in caught]


def told_outcome(error: Exception, path: Path) -> str:
    """The outcome of an error. One with a code names the file, and the line if it is of one."""
    if is_coded(error) and not names_place(str(error), path):
        return f"{Outcome.UNCODED.value} no file or line: {error}"
    return error_outcome(error)


def names_place(text: str, path: Path) -> bool:
    return str(path) in text and bool(NO_LINE.search(text) or re.search(r", line \d+", text))


def contents(docs: list[Doc]) -> list[object]:
    """All that Docs tell."""
    return [
        (
            doc.user_data,
            [(t.text, t.whitespace_, t.lemma_, t.pos_, t.tag_, str(t.morph)) for t in doc],
            [(t.head.i, t.dep_, t.is_sent_start) for t in doc],
        )
        for doc in docs
    ]


def rows_of(docs: list[Doc]) -> list[list[tuple[str, ...]]]:
    """Form, lemma, tags, head (from 1; 0 the root, _ unknown) and label of each word by sentence."""
    sentences = []
    for doc in docs:
        for sentence in doc.sents:
            rows = []
            for token in sentence:
                head = 0 if token.head == token else token.head.i - sentence.start + 1
                label = "root" if token.dep_ == "ROOT" and head == 0 else token.dep_
                rows.append(
                    (token.text, token.lemma_ or "_", token.pos_ or "_", token.tag_ or "_")
                    + (("_", "_") if not token.dep_ else (str(head), label))
                )
            sentences.append(rows)
    return sentences


def expected_rows(sentences: list[SimpleSentence]) -> list[list[tuple[str, ...]]]:
    return [
        [
            (row[1], row[2], row[3], row[4])
            + (("_", "_") if row[6] == "_" else (row[6], {"0": "root"}.get(row[6], row[7])))
            for row in sentence.words
        ]
        for sentence in sentences
    ]


def round_trip(seed: int) -> Outcome | str:
    """Read, write, read again."""
    path, again = folder() / "damaged.conllu", folder() / "again.conllu"
    data = damaged(Random(seed))
    path.write_bytes(data)
    nlp = spacy_blank()
    try:
        docs, told = read(nlp, path)
    except Exception as error:
        return told_outcome(error, path)
    if wrong := [text for text in told if not names_place(text, path)]:
        return f"{Outcome.UNCODED.value} warning: {wrong[0]}"
    sentences = simple_sentences(data)
    if not told and rows_of(docs) != expected_rows(sentences):
        return f"{Outcome.DIFFERS.value} in the Docs"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        write_conllu(docs, again)
    told += [str(warning.message) for warning in caught]
    if not told and simple_sentences(again.read_bytes()) != sentences:
        return f"{Outcome.DIFFERS.value} in the file"
    back, told_again = read(nlp, again)
    if not {text[:7] for text in told_again} <= {text[:7] for text in told}:
        return f"{Outcome.DIFFERS.value} in the second reading: {told_again}"
    if not told and contents(docs) != contents(back):
        return f"{Outcome.DIFFERS.value} in the second Docs"
    if rows_of(docs) != rows_of(back) and not any("[NM584]" in text for text in told):
        return f"{Outcome.DIFFERS.value} in the second rows"
    return Outcome.CODED if told else Outcome.RIGHT


@cache
def spacy_blank() -> Language:
    return spacy.blank("xx")


def score(seed: int) -> Outcome | str:
    """Through what `spacy nonmono evaluate` calls, with a parser that has learnt nothing."""
    path = folder() / "scored.conllu"
    dice = Random(seed)
    data = damaged(dice)
    path.write_bytes(data)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            parsed = parse_file(trained_pipeline(), path, setting=dice.choice(SETTINGS), n_sents=2)
            scores = parsed.scores()
        except Exception as error:
            return told_outcome(error, path)
    told = [str(warning.message) for warning in caught]
    if wrong := [text for text in told if not names_place(text, path)]:
        return f"{Outcome.UNCODED.value} warning: {wrong[0]}"
    gold = [row for sentence in expected_rows(simple_sentences(data)) for row in sentence]
    if scores["n_words"] != len(gold):
        return f"{Outcome.DIFFERS.value} {scores['n_words']} words of {len(gold)}"
    if told:
        return Outcome.CODED
    found = [tuple(word[6:8]) for sentence in parsed.sentences for word in sentence.words]
    if not np.array_equal(parsed.gold.starts_N, parsed.predicted.starts_N):
        return Outcome.RIGHT  # heads here are counted from the start of a sentence
    pairs = [(row[-2:], pair) for row, pair in zip(gold, found, strict=True) if row[-2] != "_"]
    labelled = [(one, two) for one, two in pairs if one[1] != "_"]
    expected = (
        share(sum(one[0] == two[0] for one, two in pairs), len(pairs)),
        share(sum(one == two for one, two in labelled), len(labelled)),
    )
    if expected != (scores["uas"], scores["las"]):
        return f"{Outcome.DIFFERS.value} {scores['uas']}, {scores['las']}, expected {expected}"
    return Outcome.RIGHT


def share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


@cache
def trained_pipeline() -> Language:
    nlp = blank("arc_eager_unshift", model=linear_config())
    examples = list(create_conllu_corpus(SAMPLE, limit=2)(nlp))
    nlp.initialize(lambda: examples)
    nlp.update(examples)
    return nlp


def train(seed: int) -> Outcome | str:
    """As `spacy train` does: initialize from the corpus, then update on all of it."""
    path = folder() / "trained.conllu"
    dice = Random(seed)
    path.write_bytes(damaged(dice))
    system, scorer = dice.choice(SYSTEMS), dice.choice(("linear", "neural"))
    nlp = blank(system, **({"model": linear_config()} if scorer == "linear" else {}))
    corpus = create_conllu_corpus(path, n_sents=2, gold_sents=dice.random() < 0.5)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        # Of trees without a static derivation, and of what cannot be learnt; the component knows no file
        warnings.filterwarnings("ignore", r"\[NM55[2456]\]")
        try:
            sgd = nlp.initialize(lambda: corpus(nlp))
            examples = list(corpus(nlp))
            losses = [nlp.update(examples, sgd=sgd)["nonmono_parser"] for _ in range(2)]
            docs = list(nlp.pipe(example.predicted for example in examples))
        except Exception as error:
            if "[NM068]" in str(error):
                return Outcome.CODED  # the file is empty; the component knows no file
            return told_outcome(error, path)
    if wrong := [one for one in caught if not names_place(str(one.message), path)]:
        return f"{Outcome.UNCODED.value} warning: {wrong[0].message}"
    if not all(math.isfinite(loss) for loss in losses):
        return f"{Outcome.DIFFERS.value} losses {losses}"
    for doc in docs:
        for sentence in doc.sents:
            if [token.dep_ for token in sentence if token.head == token] != ["ROOT"]:
                return f"{Outcome.DIFFERS.value} no tree ({system}, {scorer})"
    return Outcome.CODED if caught else Outcome.RIGHT


def test_reader_and_writer(fuzz):
    fuzz("CoNLL-U: reader and writer", round_trip, few=300, many=90_000)


def test_evaluate(fuzz):
    fuzz("CoNLL-U: evaluate", score, few=100, many=8_000)


def test_training(fuzz):
    fuzz("CoNLL-U: training", train, few=15, many=2_000)
