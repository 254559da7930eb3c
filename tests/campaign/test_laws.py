"""What the laws say of outputs that somebody has changed: a checker that finds nothing is no checker."""

import json
import os
from collections.abc import Callable, Iterator

import pytest

from .cases import check, files, run, scratch
from .drive import Result
from .expected import parse_all
from .inputs import Case
from .pipelines import ROOT, pipeline
from .putback import FAULTS, PACKAGE
from .reading import read_conllu
from .texts import Expected, text_document

TREEBANK = """\
# newdoc id = x
# sent_id = s-1
# text = al mar
1-2\tal\t_\t_\t_\t_\t_\t_\t_\t_
1\ta\ta\tADP\t_\t_\t3\tcase\t_\t_
2\tel\tel\tDET\t_\t_\t3\tdet\t_\t_
3\tmar\tmar\tNOUN\t_\tNumber=Sing\t0\troot\t_\tX=1-2

# sent_id = s-2
# text = foxes
1\tfoxes\tfox\tNOUN\t_\t_\t0\troot\t_\t_

"""
TEXT = "Tom meets a hare .\nfoxes hunt A-B in an oak .\n"


@pytest.fixture(autouse=True)
def folder() -> Iterator[None]:
    with scratch():
        yield


def treebank_case(output: str) -> Case:
    data = TREEBANK.encode()
    documents = [Expected("x", sentences=read_conllu(data)[0].sentences, is_marked=True)]
    files = [("a.conllu", data)]
    return Case(1, "conllu", output, "scored", files=files, plain=[data], documents=documents)


def text_case(output: str) -> Case:
    data = TEXT.encode()
    documents = [text_document(f"a.txt:{i}", line) for i, line in enumerate(data.splitlines(), start=1)]
    return Case(1, "line", output, "scored", files=[("a.txt", data)], plain=[data], documents=documents)


def problems(case: Case, change: Callable[[Result], None]) -> set[str]:
    """The laws that are broken after a change of what a run left."""
    nlp = pipeline(case.pipeline)
    with files(case):
        parsed = parse_all(case, nlp)
        result = run(case, nlp, case.output, f"trees-{len(os.listdir())}")
    assert list(check(case, nlp, result, parsed)) == []
    change(result)
    return {problem.partition(":")[0] for problem in check(case, nlp, result, parsed)}


def edit(old: str, new: str) -> Callable[[Result], None]:
    def change(result: Result) -> None:
        text = b"".join(result.outputs).decode()
        assert old in text
        result.outputs = [text.replace(old, new, 1).encode()]

    return change


def edit_row(**values: object) -> Callable[[Result], None]:
    """Change the second row of JSONL."""

    def change(result: Result) -> None:
        rows = [json.loads(line) for line in b"".join(result.outputs).split(b"\n")[:-1]]
        rows[1] |= values
        result.outputs = ["".join(f"{json.dumps(row)}\n" for row in rows).encode()]

    return change


@pytest.mark.parametrize(
    ("change", "law"),
    [
        (edit("\tX=1-2|", "\tX=1|"), "L2 lines"),
        (edit("1-2\tal", "1-2\taal"), "L2 lines"),
        (edit("mar\tNOUN\t_\tNumber=Sing", "mar\tNOUN\t_\t_"), "L2 lines"),
        (edit("# text = al mar\n", ""), "L2 lines"),
        (edit("# text = al mar\n", "# text = al mar\n# text = al mar\n"), "L2 comments"),
        (edit("\n\n# sent_id = s-2", "\n# sent_id = s-2"), "L2 sentences"),
        (edit("3\tmar", "3\tmas"), "L1 words"),
        (edit("1\tfoxes\tfox\tNOUN\t_\t_\t0\troot", "1\tfoxes\tfox\tNOUN\t_\t_\t1\tdep"), "L1 trees"),
        (edit("# newdoc id = x\n", ""), "L2 lines"),
    ],
)
def test_lines_of_a_treebank(change: Callable[[Result], None], law: str) -> None:
    assert law in problems(treebank_case("conllu"), change)


@pytest.mark.parametrize(
    ("change", "law"),
    [
        (edit("\tTom\t", "\tTim\t"), "L1 words"),
        (edit("# newdoc id = a.txt:2", "# newdoc id = a.txt:3"), "L3 lost"),
        (edit("# newdoc id = a.txt:2\n", ""), "L3 lost"),
        (edit("# sent_id = a.txt:2-1", "# sent_id = a.txt:1-1"), "L5 names"),
        (edit("# sent_id = a.txt:2-1", "# sent_id = a.txt:2 1"), "L5 names"),
        (edit("# text = Tom", "# text = Tim"), "L1 text"),
        (edit("SpaceAfter=No", "_"), "L1 space after"),
        (edit("Conf=0", "Conf=1"), "L1 scores"),
        (edit("|Conf=", "|Cnof="), "L1 scores"),
        (edit("\tTom\t_\t_\t", "\tTom\tTom\t_\t"), "L1 columns"),
    ],
)
def test_conllu_of_a_text(change: Callable[[Result], None], law: str) -> None:
    assert law in problems(text_case("conllu"), change)


@pytest.mark.parametrize(
    ("values", "law"),
    [
        ({"form": "a"}, "L1 words"),
        ({"head": 9}, "L1 trees"),
        ({"deprel": "x"}, "L1 trees"),
        ({"dep_score": 0.5}, "L1 scores"),
        ({"dep_score": None}, "L1 scores"),
        ({"lemma": "x"}, "L1 columns"),
        ({"space_after": False}, "L1 space after"),
        ({"doc_id": "b"}, "L3 lost"),
        ({"sentence": 3}, "L1 words"),
    ],
)
def test_rows_of_a_text(values: dict[str, object], law: str) -> None:
    assert law in problems(text_case("jsonl"), edit_row(**values))


def test_failures() -> None:
    def fail(*failures: tuple[str, str]) -> Callable[[Result], None]:
        def change(result: Result) -> None:
            result.failures = list(failures)

        return change

    refused = problems(text_case("conllu"), fail(("a.txt:1", "[NM191] so")))
    assert {"L3 refused", "L3 status", "L3 lost"} <= refused
    assert "L3 lost" in problems(text_case("conllu"), fail(("a.txt:7", "[NM191] so")))
    case = text_case("conllu")
    case.files = [("a.txt", case.plain[0] + b"\xff\n")]
    case.documents.append(Expected("a.txt:3", fate="fails"))
    assert problems(case, fail(("a.txt:3", "StopIteration()"))) == {"L3 reason"}
    assert "L3 accepted" in problems(case, fail())


def test_counts() -> None:
    def change(result: Result) -> None:
        result.counts["words"] += 1

    assert problems(text_case("parquet"), change) == {"L3 counts words"}


@pytest.mark.parametrize("name", FAULTS)
def test_every_fault_can_be_put_back(name: str) -> None:
    fault = FAULTS[name]
    assert (ROOT / PACKAGE / fault.file).read_text(encoding="utf-8").count(fault.now) == 1
