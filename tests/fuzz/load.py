"""What long sentences and long runs take, in two tables.

    python -m tests.fuzz.load lengths     one sentence of 10,000 words through every system, one of
                                          100,000 through those that take linear time
    python -m tests.fuzz.load memory      resident memory while 200,000 Docs with a million different
                                          words go through `nlp.pipe`

The parsers have their default sizes and are trained for a minute on the sample treebank; every row is a
process of its own. Run it with `OMP_NUM_THREADS=1`.
"""

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.util import minibatch
from thinc.api import Adam, fix_random_seed

from spacy_nonmono.treebank.corpus import create_conllu_corpus
from tests.pipeline.util import LANG, NAME, SYSTEMS, linear_config, system_config

SAMPLE = Path(__file__).parents[2] / "assets" / "sample"
# Those that look at every word a bounded number of times
LINEAR_TIME = [
    system
    for system in SYSTEMS
    if system not in ("easy_first", "yamada_matsumoto", "covington", "covington_nonmonotonic")
]
N_UPDATES = 40
N_DOCS, N_NEW, ZONE = 200_000, 5, 2_000


def make(system: str, linear: bool) -> Language:
    """A parser of the default size, trained a little."""
    fix_random_seed(0)
    nlp = spacy.blank(LANG)
    config: dict[str, Any] = {"system": system_config(system)}
    if linear:
        config["model"] = linear_config()
    nlp.add_pipe(NAME, config=config)
    examples = list(islice(create_conllu_corpus(SAMPLE / "train.conllu", n_sents=4)(nlp), 400))
    nlp.initialize(lambda: examples)
    sgd = Adam(0.001)
    for batch in islice(minibatch(cycle(examples), 20), N_UPDATES):
        nlp.update(batch, sgd=sgd, drop=0.1)
    return nlp


def peak() -> float:
    """The most memory that this process has had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def resident() -> float:
    """The memory that this process has now, in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def sample_words(nlp: Language) -> Iterator[str]:
    corpus = create_conllu_corpus(SAMPLE / "test.conllu")
    return cycle([token.text for example in corpus(nlp) for token in example.predicted])


def parse_long(folder: str, n_words: int) -> None:
    """Print the seconds and the MB of one sentence."""
    nlp = spacy.load(folder)
    words = sample_words(nlp)
    nlp(Doc(nlp.vocab, words=list(islice(words, 10))))
    starts: list[bool | int | None] = [i == 0 for i in range(n_words)]
    doc = Doc(nlp.vocab, words=list(islice(words, n_words)), sent_starts=starts)
    before, begun = peak(), time.perf_counter()
    nlp(doc)
    assert sum(1 for _ in doc.sents) == 1
    print(f"{time.perf_counter() - begun:.1f} s, {peak() - before:,.0f} MB")


def parse_much(folder: str) -> None:
    """Print the resident memory after every tenth of the Docs."""
    nlp = spacy.load(folder)
    known = list(islice(sample_words(spacy.blank(LANG)), 3_000))
    found, begun = [], time.perf_counter()
    for first in range(0, N_DOCS, ZONE):
        texts = (
            " ".join(known[(i * 7) % 2_990 :][:N_NEW] + [f"w{i}x{k}" for k in range(N_NEW)])
            for i in range(first, first + ZONE)
        )
        with nlp.memory_zone():
            for _ in nlp.pipe(texts):
                pass
        if (first + ZONE) % (N_DOCS // 10) == 0:
            found.append(resident())
    seconds = time.perf_counter() - begun
    print("  ".join(f"{megabytes:7.1f}" for megabytes in found), f" {seconds:7.0f} s")


def child(*arguments: str) -> str:
    """What this script prints in a process of its own, or how it died."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.load", *arguments], stdout=subprocess.PIPE, text=True
    )
    return done.stdout.strip() if done.returncode == 0 else f"exit code {done.returncode}"


def lengths_table() -> None:
    print(f"{'one sentence':32}{'10,000 words':>24}{'100,000 words':>24}")
    for linear in (False, True):
        for system in SYSTEMS:
            with tempfile.TemporaryDirectory() as folder:
                make(system, linear).to_disk(folder)
                cells = [child("long", folder, "10000")]
                cells.append(child("long", folder, "100000") if system in LINEAR_TIME else "")
            name = f"{system}{', linear' if linear else ''}"
            print(f"{name:32}{cells[0]:>24}{cells[1]:>24}", flush=True)


def memory_table() -> None:
    print(f"{'MB after Docs':16}" + "  ".join(f"{N_DOCS * k // 10_000:>6}k" for k in range(1, 11)))
    pipelines = {
        "no parser": lambda: spacy.blank(LANG),
        "neural": lambda: make("arc_eager_unshift", False),
        "linear": lambda: make("arc_eager_unshift", True),
    }
    for name, pipeline in pipelines.items():
        with tempfile.TemporaryDirectory() as folder:
            pipeline().to_disk(folder)
            print(f"{name:16}" + child("much", folder), flush=True)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["long", folder, n_words]:
            parse_long(folder, int(n_words))
        case ["much", folder]:
            parse_much(folder)
        case ["lengths"]:
            lengths_table()
        case ["memory"]:
            memory_table()
        case _:
            print(__doc__)
