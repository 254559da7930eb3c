"""Old faults, put back one at a time into a copy of the package: does the campaign find them?

    python -m tests.campaign.putback [NAME ...]

For each it says after how many cases. A fault is a text in a file and what stood there before.
"""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from .pipelines import ROOT

PACKAGE = "spacy_nonmono"
N_CASES = 20_000


@dataclass
class Fault:
    """file: in the package. now, before: a text that is there once, and the old one. options: of the
    campaign that looks for it."""

    file: str
    now: str
    before: str
    options: tuple[str, ...] = ()


FAULTS = {
    "rows with hyphens": Fault(
        "corpora/rows.py",
        '            if line.startswith("#"):\n                continue\n            columns',
        "            columns",
    ),
}


def find(name: str, fault: Fault) -> str:
    """The end of what the campaign says."""
    with TemporaryDirectory() as folder:
        for part in (PACKAGE, "tests", "assets"):
            shutil.copytree(ROOT / part, Path(folder, part))
        path = Path(folder, PACKAGE, fault.file)
        text = path.read_text("utf-8")
        if text.count(fault.now) != 1:
            return f"{name}: {fault.file} has the text {text.count(fault.now)} times"
        path.write_text(text.replace(fault.now, fault.before), "utf-8")
        command = [sys.executable, "-m", "tests.campaign", "--cases", str(N_CASES), "--stop-at-first"]
        ended = subprocess.run(
            [*command, *fault.options],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": folder, "OMP_NUM_THREADS": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
    lines = ended.stdout.splitlines()
    return f"{name}: {lines[-1]}\n    {lines[0][:300]}" if lines else f"{name}: no answer"


if __name__ == "__main__":
    for name in sys.argv[1:] or FAULTS:
        print(find(name, FAULTS[name]), flush=True)
