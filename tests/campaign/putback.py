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
        "        sent_id = sentence.sent_id\n",
        "        sent_id = sentence.sent_id\n        int(sent_id.partition('-')[2])\n",
    ),
    "scores of other words": Fault(
        "corpora/rows.py",
        "        scores = sentence.scores or [None] * len(words)\n",
        "        scores = ([1.0] * (number - 1) + sentence.scores)[: len(words)]\n"
        "        scores = scores if sentence.scores else [None] * len(words)\n",
    ),
    "a cut .zst is whole": Fault(
        "files.py",
        "                if self._frame is not None:\n"
        '                    raise EOFError("the archive ends within a frame")\n',
        "",
        ("--damage",),
    ),
    "words of components by their number": Fault(
        "treebank/docs.py",
        "    if kept and forms != [token.text for token in doc]:\n",
        "    if kept and len(forms) != len(doc):\n",
    ),
    "a comment begins a sentence": Fault(
        "treebank/conllu.py",
        "(has_words and not is_word and is_newdoc(line))",
        "(has_words and not is_word)",
    ),
    "names share a sent_id": Fault(
        "treebank/docs.py",
        '    own = NO_ID.sub(lambda found: quote(found[0], safe=""), name)',
        '''    own = re.sub(r"[\\s/]+", "_", name)''',
    ),
    "white space of treebanks": Fault(
        "tokens/white_space.py",
        "    if KEPT in doc.user_data:\n        return numpy.arange(len(doc))\n",
        "",
    ),
    "spans in user data": Fault(
        "corpora/parsing.py",
        "        except Exception:  # of any kind: what a value is, only its component knows\n",
        "        except KeyError:\n",
    ),
    "half a character in a name": Fault(
        "files.py",
        '''    return str(name).encode("utf-8", "backslashreplace").decode("utf-8")\n''',
        "    return str(name)\n",
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
