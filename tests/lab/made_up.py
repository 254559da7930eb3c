"""Made-up cells of a benchmark and their results, without any training."""

from pathlib import Path

import numpy as np

from spacy_nonmono.evaluation.names import SETTINGS
from spacy_nonmono.evaluation.scores import ROOT_HEAD, Parses, score_parses
from spacy_nonmono.lab.cells import Cell, Run
from spacy_nonmono.lab.counts import count_arcs, count_groups, count_sentences, count_tags
from spacy_nonmono.lab.treebanks import PARTS

TAGS = ["NOUN", "VERB", "NOUN", "DET", "ADJ", "NOUN", "VERB", "ADP"]

MADE = {"date": "2026-01-01", "code": "0", "versions": {"spacy": "3.8.0"}, "processor": "a processor"}


def make_treebank(folder: Path, n_sentences: int = 3) -> Path:
    """Three files of two-word sentences, of different words."""
    folder.mkdir(parents=True, exist_ok=True)
    for part in ("train", "dev", "test"):
        rows = [f"1\t{part}", "2\truns"]
        ends = ["_\tNOUN\t_\t_\t2\tnsubj\t_\t_", "_\tVERB\t_\t_\t0\troot\t_\t_"]
        lines = [f"{row}\t{end}" for row, end in zip(rows, ends, strict=True)]
        (folder / f"{part}.conllu").write_text(("\n".join(lines) + "\n\n") * n_sentences)
    return folder


def make_run(name: str) -> Run:
    return Run(name=name, config=Path("no.cfg"), overrides={})


def make_cells(
    treebanks: list[str], runs: list[str], n_seeds: int, gold_tags: bool = False
) -> list[Cell]:
    """Cells whose keys tell what they are."""
    return [
        Cell(
            treebank=Path(treebank),
            run=make_run(run),
            seed=seed,
            model="best",
            gold_tags=gold_tags,
            config="",
            key=f"{treebank}-{run}-{seed}",
        )
        for treebank in treebanks
        for seed in range(n_seeds)
        for run in runs
    ]


def gold_parses(n_sentences: int, seed: int) -> Parses:
    """Sentences of 1 to 60 words; each word has a head at random, one of them is the root."""
    dice = np.random.default_rng(seed)
    heads, labels, starts = [], [], []
    for _ in range(n_sentences):
        start, length = len(heads), int(dice.integers(1, 60))
        root = int(dice.integers(length))
        for i in range(length):
            near = i + int(dice.integers(1, 9)) * (1 if i < root else -1)
            heads.append(ROOT_HEAD if i == root else start + min(max(near, 0), length - 1))
            labels.append("root" if i == root else "dep")
            starts.append(i == 0)
    puncts = [i % 9 == 8 for i in range(len(heads))]
    return Parses(np.array(heads), np.array(labels), np.array(starts), np.array(puncts))


def make_result(cell: Cell, *, accuracy: float = 0.8, n_sentences: int = 60) -> dict:
    """A result whose predictions are right with this probability, the labels with 0.9."""
    parts = {}
    speed = 1000.0 * (1 + len(cell.run.name))
    for part in PARTS:
        gold = gold_parses(n_sentences, seed=PARTS.index(part))
        parts[part] = {}
        for setting in SETTINGS:
            dice = np.random.default_rng([*cell.key.encode(), PARTS.index(part)])
            n_words = len(gold.heads_N)
            tags = [TAGS[i % 8] for i in range(n_words)]
            wrong_N = dice.random(n_words) > accuracy
            other_N = (np.arange(n_words) + dice.integers(1, 4, n_words)) % n_words
            labels_N = np.where(dice.random(n_words) > 0.9, "other", gold.labels_N)
            heads_N = np.where(wrong_N, other_N, gold.heads_N)
            predicted = Parses(heads_N, labels_N, gold.starts_N, gold.punct_N)
            parts[part][setting] = {
                "scores": {**score_parses(gold, predicted), "words_per_second": 10 * speed},
                "sentences": count_sentences(gold, predicted),
                "arcs": count_arcs(gold, predicted),
                "groups": count_groups(gold, predicted),
                "tags": count_tags(gold, predicted, tags),
                "far_tags": count_tags(gold, predicted, tags, far=True),
            }
    return {
        "key": cell.key,
        "gold_tags": cell.gold_tags,
        "made": {**MADE, "date": f"2026-01-0{1 + cell.seed}"},
        "training": {"seconds": 60.0, "peak_memory": 2e8, "words_per_second": speed},
        "model_size": 4_000_000,
        "parts": parts,
    }
