"""python -m tests.campaign --cases 1000 [--from 0] [--stop-at-first] [--show CASE]"""

import argparse

from . import damage
from .cases import cell_of, problems_of
from .inputs import make_case
from .running import run_cases

parser = argparse.ArgumentParser(prog="python -m tests.campaign")
parser.add_argument("--cases", type=int, default=1000)
parser.add_argument("--from", type=int, default=0, dest="first")
parser.add_argument("--stop-at-first", action="store_true")
parser.add_argument("--damage", action="store_true", help="damaged files instead")
parser.add_argument("--show", type=int, help="a case: its files, and what is wrong with it")
given = parser.parse_args()
if given.show is not None:
    case = make_case(given.show)
    print(
        case.cell,
        {
            name: getattr(case, name)
            for name in ("by_command", "shard_words", "batch_words", "retokenize")
        },
    )
    for (name, _), data in zip(case.files, case.plain, strict=True):
        print(f"--- {name!r}")
        print(data if case.kind in ("spacy", "parquet") else data.decode("utf-8", "backslashreplace"))
    for problem in problems_of(given.show):
        print("***", problem.encode("utf-8", "backslashreplace").decode())
else:
    tally = run_cases(
        given.first,
        given.cases,
        damage.problems_of if given.damage else problems_of,
        damage.cell_of if given.damage else cell_of,
        stop=lambda tally: given.stop_at_first and bool(tally.laws),
    )
    for line in (*tally.shown, "", *tally.lines()):
        print(line.encode("utf-8", "backslashreplace").decode())
