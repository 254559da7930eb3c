"""From some sentences to a treebank, with the commands that annotators have, and gold trees in the
place of annotators: how accurate is a parser after so many annotated heads, if the words to annotate are
chosen by one or another measure?

    python -m spacy_nonmono.lab.annotation_loop TREEBANK FOLDER [SETTING OF THE CONFIG ...]

TREEBANK is a folder with train, dev and test. The first N_START sentences of the shuffled training part
are annotated, the next N_POOL are not. In each round a parser is trained, the others are parsed, N_HEADS
words are chosen, and annotated.
"""

import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import srsly
from wasabi import msg

from ..evaluation.made import made_here
from ..files import write_json
from ..treebank.formats import DEV, TEST, TRAIN, find_part
from ..treebank.reader import read_sentences
from ..treebank.selection import ASKED, MEASURES
from ..treebank.sentences import DEPREL, HEAD, MISC, Sentence
from ..treebank.writer import write_sentences

N_START, N_POOL, N_DEV = 100, 3000, 100
N_HEADS, N_ROUNDS, N_SEEDS = 500, 3, 3
MAX_STEPS = 400


def run(*arguments: object) -> None:
    """Run a command of spaCy's command line."""
    command = [sys.executable, "-m", "spacy", *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{result.stdout}\n{result.stderr}")


def annotate(path: Path, gold: dict[tuple[str, ...], Sentence]) -> None:
    """Correct the words that are asked for."""
    sentences = list(read_sentences(path))
    for sentence in sentences:
        for word, right in zip(sentence.words, gold[tuple(sentence.forms)].words, strict=True):
            if ASKED in word[MISC].split("|"):
                word[HEAD], word[DEPREL] = right[HEAD], right[DEPREL]
    write_sentences(path, sentences)


def loop(treebank: Path, folder: Path, by: str, seed: int, settings: Sequence[str]) -> list[list[float]]:
    """Return the number of annotated heads and the LAS of the test part of each round. The first one is
    the same by all measures, and done once."""
    own = folder / f"{by}-{seed}"
    sentences = list(read_sentences(find_part(treebank, TRAIN)))
    random.Random(seed).shuffle(sentences)
    pool = sentences[N_START : N_START + N_POOL]
    gold = {tuple(sentence.forms): sentence for sentence in pool}
    annotated, config, dev = own / "annotated", own / "config.cfg", own / "dev.conllu"
    write_sentences(annotated / "round-0.conllu", sentences[:N_START])
    write_sentences(own / "pool.conllu", pool)
    write_sentences(dev, list(read_sentences(find_part(treebank, DEV)))[:N_DEV])
    run("nonmono", "init-config", config, "--lang", "xx", "--force")
    chosen = ["--system.seed", seed, "--training.max_steps", MAX_STEPS, "--training.patience", 0]
    chosen += ["--training.eval_frequency", MAX_STEPS, *settings]
    curve: list[list[float]] = []
    for number in range(N_ROUNDS + 1):
        output = own / f"round-{number}" if number else folder / f"start-{seed}"
        model, scores = output / "model-last", output / "scores.json"
        if not scores.exists():
            paths = ["--paths.train", annotated, "--paths.dev", dev]
            run("train", config, "--output", output, *paths, *chosen)
            run("nonmono", "evaluate", model, find_part(treebank, TEST), "-s", "gold", "-o", scores)
        n_heads = sum(head is not None for one in read_sentences(annotated) for head in one.heads)
        curve.append([n_heads, srsly.read_json(scores)["gold_sentences"]["las"]])
        if number < N_ROUNDS:
            parsed, asked = own / f"parsed-{number}", own / f"asked-{number + 1}.conllu"
            run("nonmono", "parse", model, own / "pool.conllu", "-o", parsed, "--confidence")
            selecting = ["--by", by, "--n-heads", N_HEADS, "--without", annotated]
            run("nonmono", "select", parsed, "-o", asked, *selecting)
            annotate(asked, gold)
            run("nonmono", "collect", asked, "-o", annotated / f"round-{number + 1}.conllu")
    return curve


def main() -> None:
    treebank, folder, *settings = sys.argv[1:]
    curves: dict[str, list[list[list[float]]]] = {by: [] for by in MEASURES}
    for seed in range(N_SEEDS):
        for by in MEASURES:
            curves[by].append(loop(Path(treebank), Path(folder), by, seed, settings))
            found = {"made": made_here(), "curves": curves}
            write_json(Path(folder) / f"{Path(treebank).name}.json", found)
            msg.text(f"{by}, seed {seed}: {curves[by][-1]}")


if __name__ == "__main__":
    main()
