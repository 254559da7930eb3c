"""The parser in the place of a trained pipeline's parser, and what that changes."""

import shlex
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import srsly
from spacy.language import Language

from ..errors import Errors, count
from ..evaluation.alignment import WordDifference
from ..evaluation.evaluate import ParsedFile, parse_file
from ..evaluation.names import DOCUMENTS, GOLD_SENTENCES, RAW_TEXT
from ..evaluation.raw_text import compare_tokens, evaluate_raw_text
from ..files import check_spared, write_json, write_text
from ..installed import MODEL_BEST, MODEL_LAST, PARSER, SPACY_LABEL, load_pipeline
from ..treebank.corpus import create_conllu_corpus
from ..treebank.formats import DEV, TEST, TRAIN, find_part
from ..treebank.multiword import MERGE
from ..treebank.reader import read_sentences
from ..treebank.sentences import sentence_text
from .agreement import Agreement, compare_by, has_other_labels, shared_labels
from .base import adapt_config
from .changes import Changes, find_changes, label_readers
from .model_card import USED_BY, sources_of
from .text import config_text
from .train import train_best

# What a package says of itself and its makers
KEPT_META = ("author", "email", "url", "license", "description", "requirements")
# The scores that the training measures
MEASURED = ("dep_", "sents_")
# Where more of the words are no tokens of the pipeline, a parser of these words is of no use to it
MAX_LOST = 0.05
N_SHOWN = 5
GROUP = 10


@dataclass
class Tokens:
    """How the words of a treebank, its multiword tokens merged, differ from a pipeline's tokens. n_lost:
    words that are no token."""

    n_words: int
    n_lost: int
    differences: Counter[WordDifference]

    @property
    def share_lost(self) -> float:
        return self.n_lost / max(self.n_words, 1)

    def examples(self) -> str:
        found = self.differences.most_common(N_SHOWN)
        return "; ".join(f"{one.gold!r} is {one.predicted!r} ({n})" for one, n in found)


@dataclass
class Adapted:
    """path: the new pipeline. tokens: of dev. lost_labels: those of the old parser that the treebank
    does not have; label_readers: the components that read labels. The rest is of the test part.
    scores: by setting, {"old": ..., "new": ...}; no old ones where no parser ran. changes: None without
    a test part. agreement: None where few labels are others."""

    path: Path
    tokens: Tokens
    lost_labels: list[str]
    label_readers: list[str]
    scores: dict[str, dict[str, dict[str, Any]]]
    changes: Changes | None = None
    agreement: Agreement | None = None


def adapt(
    base: str,
    treebank: Path,
    output: Path,
    *,
    system: str | None = None,
    members: int = 1,
    tune: bool = False,
    force: bool = False,
    use_gpu: int = -1,
    overrides: Mapping[str, Any] | None = None,
) -> Adapted:
    """Train the parser for a pipeline, on the tokens that its tokenizer finds, and compare the pipelines
    on the test part of the treebank.

    Writes `output/config.cfg`, and the pipeline as `output/model-best`.

    base: a pipeline, a package or a folder. treebank: a folder with train.conllu and, if there is one,
        dev.conllu, or with the same in another format; see `find_parts`.
    system, members, tune: as in `adapt_config`.
    force: go on although many words of the treebank are no tokens of the pipeline.
    overrides: of the config, as those of `spacy train`.

    Raises ValueError: NM185 if the new pipeline would overwrite the old one, NM201 where too many words
    are no tokens, NM182 as `adapt_config` does, NM215 as `find_parts` does.
    """
    old = load_pipeline(base)
    check_spared(base, [output / MODEL_BEST, output / MODEL_LAST])
    (train_file, dev), test = find_parts(treebank, output), find_part(treebank, TEST)
    tokens = Tokens(*compare_tokens(old, dev))
    if tokens.share_lost > MAX_LOST and not force:
        raise ValueError(
            Errors.NM201.format(
                share=f"{tokens.share_lost:.1%}", path=dev, base=base, examples=tokens.examples()
            )
        )
    config, name = adapt_config(base, system=system, members=members, tune=tune)
    config["paths"].update(train=str(train_file), dev=str(dev))
    path = output / "config.cfg"
    command = shlex.join(["python", "-m", "spacy", "train", str(path), "--output", str(output)])
    header = ["To train with this config:", f"  {command}"]
    write_text(path, config_text(config, header, parser=name))
    adapted = Adapted(output / MODEL_BEST, tokens, [], label_readers(old), {})
    parsed: dict[str, ParsedFile] = {}

    def score(key: str, nlp: Language) -> None:
        parsed[key] = parse_file(nlp, test, setting=DOCUMENTS, multiword=MERGE)
        raw = evaluate_raw_text(nlp, test, multiword=MERGE)
        adapted.scores[key] = {RAW_TEXT: raw, DOCUMENTS: parsed[key].scores()}

    # The old pipeline comes first: what fails here would also fail after the training
    has_parser, has_test = name in old.pipe_names, test.exists()
    reader = create_conllu_corpus(test, multiword=MERGE)
    old_docs = list(old.pipe([one.text for one in reader(old)])) if has_test else []
    shared: list[str] | None = None
    if has_parser and has_test:
        score("old", old)
        if has_other_labels(parsed["old"]):
            shared = shared_labels(parse_file(old, dev, setting=GOLD_SENTENCES, multiword=MERGE))
    train_best(path, output, use_gpu=use_gpu, overrides=overrides)
    write_meta(adapted.path, old, treebank)
    new = load_pipeline(adapted.path)
    if has_parser:
        lost = set(old.pipe_labels[name]) - set(new.pipe_labels[name]) - {"ROOT", SPACY_LABEL}
        adapted.lost_labels = sorted(lost)
    if has_test:
        score("new", new)
        adapted.changes = find_changes(old_docs, new.pipe([doc.text for doc in old_docs]))
    if shared is not None:
        adapted.agreement = compare_by(shared, parsed)
    return adapted


def find_parts(treebank: Path, output: Path) -> tuple[Path, Path]:
    """Return the training part and the dev part. Where there is no dev part, every tenth group of ten
    sentences of the training part is one, or of less, as many as leave no part empty; both are written
    to a folder in `output`.

    Raises ValueError (NM215) if there are fewer than two sentences.
    """
    train_file, dev = find_part(treebank, TRAIN), find_part(treebank, DEV)
    if dev.exists():
        return train_file, dev
    texts = [sentence_text(sentence) for sentence in read_sentences(train_file)]
    n = len(texts)
    if n < 2:
        raise ValueError(Errors.NM215.format(path=train_file, n=count(n, "sentence")))
    size, n_groups = max(1, min(GROUP, n // GROUP)), min(GROUP, n)
    is_dev = [i // size % n_groups == n_groups - 1 for i in range(n)]
    files = output / "parts" / "train.conllu", output / "parts" / "dev.conllu"
    for file, wanted in zip(files, (False, True), strict=True):
        chosen = (text for text, is_one in zip(texts, is_dev, strict=True) if is_one is wanted)
        write_text(file, "".join(chosen))
    return files


def write_meta(path: Path, old: Language, treebank: Path) -> None:
    """Give a saved pipeline the old one's authors, license, requirements, and name with `_nonmono`
    behind it; the sources of both; and no score that the training did not measure."""
    meta: dict[str, Any] = srsly.read_json(path / "meta.json")
    meta.update({key: old.meta[key] for key in KEPT_META if old.meta.get(key)})
    meta.update(name=f"{old.meta['name']}_nonmono", version=old.meta["version"])
    of_others = [{**one, USED_BY: "others"} for one in sources_of(old.meta)]
    meta["sources"] = [*of_others, {"name": treebank.resolve().name, USED_BY: PARSER}]
    measured = {key: value for key, value in meta["performance"].items() if key.startswith(MEASURED)}
    meta["performance"] = measured
    write_json(path / "meta.json", meta)
