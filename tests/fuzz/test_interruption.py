"""Commands that are killed at any moment: afterwards there is the old file or the whole new one.

A case starts a real command on a small input and kills it, with all that it started: with an even seed
at a random moment, with an odd one just after something has appeared in the output folder.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from itertools import islice
from pathlib import Path
from random import Random

import pytest
import spacy

from spacy_nonmono.treebank.corpus import create_conllu_corpus
from spacy_nonmono.treebank.reader import read_sentences
from spacy_nonmono.treebank.sentences import FORM

from .harness import Outcome

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "assets" / "sample"
CONFIG = ROOT / "configs" / "linear.cfg"
# Seconds for a case: a command takes several to start, more on a busy machine
START_OF_COMMANDS = 60.0
OLD = "old"
LAST = 3.0  # seconds after which a command is killed at the latest
NONMONO = [sys.executable, "-m", "spacy", "nonmono"]
# The treebank writer has no command
WRITE = """
import sys, spacy
from spacy_nonmono.treebank.corpus import create_conllu_corpus
from spacy_nonmono.treebank.writer import write_conllu
examples = create_conllu_corpus(sys.argv[1])(spacy.blank("xx"))
write_conllu((example.reference for example in examples), sys.argv[2])
"""


@cache
def folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="nonmono-killed-"))


@cache
def bank() -> Path:
    """A treebank of a few sentences."""
    bank = folder() / "bank"
    bank.mkdir()
    for part, n in (("train", 20), ("dev", 5), ("test", 5)):
        sentences = (SAMPLE / f"{part}.conllu").read_text("utf-8").split("\n\n")[:n]
        (bank / f"{part}.conllu").write_text("\n\n".join(sentences) + "\n\n", encoding="utf-8")
    return bank


@cache
def text() -> Path:
    """The words of the treebank."""
    path = folder() / "text"
    words = [[word[FORM] for word in one.words] for one in read_sentences(bank() / "train.conllu")]
    path.write_text("".join(" ".join(line) + "\n" for line in words), encoding="utf-8")
    return path


@cache
def model() -> Path:
    """A pipeline that has learnt a little."""
    path = folder() / "model"
    nlp = spacy.blank("xx")
    linear = {"@architectures": "spacy-nonmono.LinearTransitionParser.v1"}
    nlp.add_pipe("nonmono_parser", config={"model": linear})
    examples = list(create_conllu_corpus(bank() / "train.conllu")(nlp))
    nlp.initialize(lambda: examples)
    nlp.update(examples)
    nlp.to_disk(path)
    return path


def killed(command: list[object], output: Path, dice: Random, last: float, seed: int) -> None:
    """Run a command and kill it, after `last` seconds at most."""
    before = listing(output)
    with (output.parent / "log").open("wb") as log:
        child = subprocess.Popen(
            [str(part) for part in command],
            stdout=log,
            stderr=log,
            start_new_session=True,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )
        end = time.perf_counter() + (last if seed % 2 else dice.uniform(0, last))
        while time.perf_counter() < end and child.poll() is None:
            if seed % 2 and listing(output) != before:
                time.sleep(dice.choice((0, 0, 0.0003, 0.002, 0.5)))
                break
            time.sleep(0.0002)
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def listing(folder: Path) -> list[tuple[str, int]]:
    """What is in the folder; other tables of files have other times."""
    return sorted((entry.name, entry.stat().st_mtime_ns) for entry in os.scandir(folder))


def old_or_new(
    seed: int, command: Callable[[Path], list[object]], is_new: Callable[[str], bool]
) -> Outcome | str:
    """Kill a command that is to replace a file."""
    output = folder() / f"output-{command.__name__}"
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir()
    path = output / "file"
    path.write_text(OLD)
    killed(command(path), output, Random(seed), LAST, seed)
    found = path.read_text("utf-8")
    if found != OLD and not is_new(found):
        return f"{Outcome.DIFFERS.value} {found[:100]!r} of {len(found)}"
    names = [one.name for one in output.iterdir() if one != path]
    if not all(name.startswith(".nonmono-") for name in names):
        return f"{Outcome.DIFFERS.value} {names}"
    return Outcome.RIGHT


def brown_command(path: Path) -> list[object]:
    return [*NONMONO, "brown", text(), "--output", path, "--clusters", 20]


def collocations_command(path: Path) -> list[object]:
    return [*NONMONO, "collocations", bank() / "train.conllu", "--output", path]


def evaluate_command(path: Path) -> list[object]:
    test = bank() / "test.conllu"
    return [*NONMONO, "evaluate", model(), test, "--output", path]


def writer_command(path: Path) -> list[object]:
    return [sys.executable, "-c", WRITE, SAMPLE / "dev.conllu", path]


@cache
def undisturbed(command: Callable[[Path], list[object]]) -> str:
    """What the command writes."""
    path = folder() / f"undisturbed-{command.__name__}"
    subprocess.run([str(part) for part in command(path)], check=True, stdout=subprocess.DEVNULL)
    return path.read_text("utf-8")


def brown(seed: int) -> Outcome | str:
    return old_or_new(seed, brown_command, lambda text: text == undisturbed(brown_command))


def collocations(seed: int) -> Outcome | str:
    return old_or_new(seed, collocations_command, lambda text: text == undisturbed(collocations_command))


def evaluate(seed: int) -> Outcome | str:
    def is_new(text: str) -> bool:
        return without_times(text) == without_times(undisturbed(evaluate_command))

    return old_or_new(seed, evaluate_command, is_new)


def without_times(text: str) -> object:
    """Scores but for the speed; None of what is no JSON."""
    try:
        values = json.loads(text)
    except ValueError:
        return None
    return {
        setting: {name: value for name, value in scores.items() if name != "words_per_second"}
        for setting, scores in values.items()
    }


def writer(seed: int) -> Outcome | str:
    expected = (SAMPLE / "dev.conllu").read_text("utf-8")
    return old_or_new(seed, writer_command, lambda text: text == expected)


def benchmark(seed: int) -> Outcome | str:
    """Kill a benchmark, then run it to its end: the scores are those of one that was let alone."""
    output = folder() / "benchmark"
    shutil.rmtree(output, ignore_errors=True)
    (output / "cells").mkdir(parents=True)
    dice = Random(seed)
    killed(benchmark_command(output), output / "cells", dice, 4 * LAST, seed)
    for path in (output / "cells").glob("*.json"):
        json.loads(path.read_text("utf-8"))
    for path in list((output / "cells").glob("*.json"))[:1]:
        if dice.random() < 0.5:  # what other software than ours may do to it
            path.write_bytes(path.read_bytes()[: dice.randrange(path.stat().st_size)])
    subprocess.run(
        [str(part) for part in benchmark_command(output)], check=True, stdout=subprocess.DEVNULL
    )
    found, expected = scores_of(output), undisturbed_benchmark()
    return Outcome.RIGHT if found == expected else f"{Outcome.DIFFERS.value} {found}, {expected}"


def benchmark_command(output: Path) -> list[object]:
    run = f"linear={CONFIG} --training.max_epochs 2 --nlp.lang xx --training.eval_frequency 1"
    return [*NONMONO, "benchmark", bank(), "--run", run, "--output", output]


@cache
def undisturbed_benchmark() -> object:
    output = folder() / "undisturbed-benchmark"
    command = [str(part) for part in benchmark_command(output)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return scores_of(output)


def scores_of(output: Path) -> object:
    """The table and the cells, but for times."""
    table = json.loads((output / "table.json").read_text("utf-8"))
    ((rows,),) = [list(of_treebank.values())[:1] for of_treebank in table["rows"].values()]
    cells = [json.loads(path.read_text("utf-8")) for path in sorted((output / "cells").glob("*.json"))]
    parts = [
        {
            part: {
                setting: (found["sentences"], found["arcs"], found["scores"]["las"])
                for setting, found in of_part.items()
            }
            for part, of_part in cell["parts"].items()
        }
        for cell in cells
    ]
    return [[row["uas"], row["las"], row["sentence_lengths"]] for row in rows], parts


def control_c(seed: int) -> Outcome | str:
    """Interrupt `spacy train` while it trains: what it saves loads and parses."""
    output = folder() / "trained"
    shutil.rmtree(output, ignore_errors=True)
    command = [sys.executable, "-m", "spacy", "train", CONFIG, "--output", output, "--nlp.lang", "xx"]
    command += ["--paths.train", bank() / "train.conllu", "--paths.dev", bank() / "dev.conllu"]
    command += ["--training.max_epochs", 100_000, "--training.eval_frequency", 5]
    child = subprocess.Popen(
        [str(part) for part in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        # Where the tests run in the background, a shell may have told them to ignore it
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    assert child.stdout is not None
    # The table of scores has begun, so the training has
    for line in child.stdout:
        if line.startswith("---"):
            break
    list(islice(child.stdout, Random(seed).randrange(5)))
    time.sleep(Random(seed).uniform(0, 0.3))
    child.send_signal(signal.SIGINT)
    child.communicate()
    nlp = spacy.load(output / "model-last")
    doc = nlp("That is what was left of it .")
    roots = [token for token in doc if token.head == token]
    is_tree = len(roots) == len(list(doc.sents)) and child.returncode != 0
    return Outcome.RIGHT if is_tree else f"{Outcome.DIFFERS.value} exit code {child.returncode}"


def test_brown(fuzz):
    fuzz("killed: brown", brown, few=1, many=15, patience=START_OF_COMMANDS)


def test_collocations(fuzz):
    fuzz("killed: collocations", collocations, few=1, many=15, patience=START_OF_COMMANDS)


def test_evaluate(fuzz):
    fuzz("killed: evaluate", evaluate, few=1, many=15, patience=START_OF_COMMANDS)


def test_writer(fuzz):
    fuzz("killed: treebank writer", writer, few=1, many=15, patience=START_OF_COMMANDS)


@pytest.mark.fuzz
def test_benchmark(fuzz):
    """Too slow for the normal tests."""
    fuzz("killed: benchmark", benchmark, few=1, many=8, patience=2 * START_OF_COMMANDS)


def test_train(fuzz):
    fuzz("Ctrl-C: spacy train", control_c, few=1, many=15, patience=START_OF_COMMANDS)
