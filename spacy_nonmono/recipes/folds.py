"""Sentences annotated by pipelines that have not learned from them (n-way jackknifing; Honnibal &
Johnson 2015, section 4, name it): each fold is annotated by a pipeline that learns from the others.

Folds are runs of sentences in the order of the file, so that few documents are divided. Of each training
the last weights are taken, so none are chosen by their scores.
"""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from spacy.cli.train import train
from thinc.api import Config

from ..errors import Errors
from ..evaluation.fingerprints import fingerprint
from ..files import write_text
from ..treebank.reader import read_sentences
from ..treebank.sentences import Sentence
from ..treebank.writer import write_sentences

KEY_LENGTH = 16

# From a pipeline and the sentences that it has not learned from to what it makes of them
Annotate = Callable[[Path, Sequence[Sentence]], list[Sentence]]


class Folds:
    """What pipelines make of sentences that they have not learned from. It is kept in a folder, so that
    nothing is done twice.

    folder: for the folder of these settings. settings: all that the result depends on, as JSON has it.
    config: of the trainings. report: is told the name of each training.
    """

    def __init__(
        self,
        folder: Path,
        settings: Any,
        config: Config,
        annotate: Annotate,
        *,
        use_gpu: int = -1,
        report: Callable[[str], None] = lambda stage: None,
    ) -> None:
        self.folder = folder / f"folds-{fingerprint(settings)[:KEY_LENGTH]}"
        self.config, self.annotate = config, annotate
        self.use_gpu, self.report = use_gpu, report

    def annotate_all(
        self, sentences: Sequence[Sentence], n_folds: int, dev: Path | None = None
    ) -> list[Sentence]:
        """Return the sentences, as pipelines annotate them that learn from the other folds. dev: as
        `annotate_rest` takes it."""
        found = []
        for fold in range(n_folds):
            start, end = (len(sentences) * at // n_folds for at in (fold, fold + 1))
            others = [*sentences[:start], *sentences[end:]]
            found += self.annotate_rest(f"fold-{fold + 1}", others, sentences[start:end], dev)
        return found

    def annotate_rest(
        self, name: str, known: Sequence[Sentence], rest: Sequence[Sentence], dev: Path | None = None
    ) -> list[Sentence]:
        """Return the rest of the sentences, as a pipeline does that learns from the known ones.

        dev: the file that the training is scored on; by default the rest itself.
        """
        path = self.folder / f"{name}.conllu"
        if not path.exists():
            self.report(name)
            unfinished = self.folder / f"{name}.unfinished"
            # What a stopped training left
            shutil.rmtree(unfinished, ignore_errors=True)
            parts = {"train": known, **({} if dev else {"dev": rest})}
            for part, sentences in parts.items():
                write_sentences(unfinished / f"{part}.conllu", sentences)
            pipeline = train_last(self.config, unfinished, dev, self.use_gpu)
            annotated = self.annotate(pipeline, rest)
            for one, own in zip(annotated, rest, strict=True):
                one.header = own.header
            write_sentences(path, annotated)
            shutil.rmtree(unfinished)
        return list(read_sentences(path))


def train_last(config: Config, folder: Path, dev: Path | None, use_gpu: int) -> Path:
    """Train a pipeline on the file `train.conllu` of a folder, and return the path of what it is in the
    end. dev: the file that it is scored on; by default `dev.conllu` of the folder."""
    paths = {"paths.train": str(folder / "train.conllu"), "paths.dev": str(dev or folder / "dev.conllu")}
    write_text(folder / "config.cfg", config.to_str(interpolate=False))
    train(folder / "config.cfg", folder, use_gpu=use_gpu, overrides=paths)
    return folder / "model-last"


def check_folds(n_folds: int, sentences: Sequence[Sentence], path: Path) -> None:
    """Raise ValueError (NM187) unless there are sentences for all folds."""
    if not 2 <= n_folds <= len(sentences):
        raise ValueError(Errors.NM187.format(found=n_folds, most=len(sentences), path=path))
