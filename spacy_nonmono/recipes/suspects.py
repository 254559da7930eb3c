"""Annotations of a treebank to look at again: those that a parser which has not learned from them finds
otherwise, the most surprising ones first, and arcs that the same words do not have elsewhere.

Where parser and treebank differ, it is mostly the parser that is wrong, and it is surer of some kinds of
words than it should be. So what counts is how rare it is that they differ: of the words of the same part
of speech to which the parser gives the same label, with at least this confidence, the share on which
they differ in the same way, in the head or only in the label.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from itertools import groupby
from pathlib import Path
from typing import Any

import spacy
from thinc.api import Config

from ..errors import Errors
from ..evaluation.evaluate import dep_scores_on
from ..evaluation.fingerprints import file_fingerprint
from ..files import check_spared, make_folder, write_csv
from ..installed import find_parser, load_pipeline
from ..treebank.docs import document_of, make_doc
from ..treebank.formats import treebank_files
from ..treebank.multiword import split_words
from ..treebank.reader import read_sentences
from ..treebank.sentences import (
    DEPREL,
    EMPTY,
    FORM,
    HEAD,
    ID,
    ROOT_LABELS,
    Sentence,
    groups,
    read_confidence,
    tag_of,
)
from ..treebank.variation import find_variation
from ..treebank.writer import write_sentences
from .config import first_model, make_config
from .folds import Folds, check_folds
from .text import check_reads_train, override, read_config

MAX_STEPS = 1000
SMOOTHING = 20  # words of the kind, on one of which parser and treebank differ
N_SENTS = 10  # per Doc
PARSED, TABLE = "parsed.conllu", "suspects.csv"
IN_HEAD, IN_LABEL, NOWHERE = "head", "label", ""


@dataclass(frozen=True)
class Suspect:
    """A word whose annotation may be wrong. Its fields are the columns of the table.

    number: that of its sentence in the file, from 1 on. head, label: of the treebank. differs: in what
    the parser differs. rarity: how rare that is, with SMOOTHING; the smaller, the more suspect.
    confidence: of the parser's arc. elsewhere: how often the same words have which
    relation in other places, where they mostly have another one than here.
    """

    sent_id: str
    number: int
    id: str
    form: str
    head: str
    label: str
    parser_head: str
    parser_label: str
    differs: str
    rarity: float | None
    confidence: float | None
    elsewhere: str


def find_suspects(
    path: Path,
    output: Path,
    *,
    folds: int = 5,
    config_path: Path | None = None,
    overrides: Mapping[str, Any] | None = None,
    use_gpu: int = -1,
    report: Callable[[str], None] = lambda stage: None,
) -> list[Suspect]:
    """Write the file `suspects.csv`, with a row per Suspect, and the trees that the parsers found,
    `parsed.conllu`, to the folder `output`. Returns the rows.

    Each fold is parsed, with its sentence boundaries, by a parser that learns from the others. First
    come the words that it attaches or labels in another way, by their rarity; then those that are
    suspect only because the same words have other arcs elsewhere.

    path: a treebank, or a folder of files.
    config_path: a config with a `nonmono_parser`, for all trainings; by default that of `init-config`
        with MAX_STEPS steps. overrides: of this config, as those of `spacy train`.
    report: is told the name of each training.

    Raises ValueError: NM187 for a number of folds that does not suit, NM110 for a config without a
    `nonmono_parser`, NM185 if the output is a folder of the treebank; what reading and training raise.
    """
    sentences = list(read_sentences(path))
    check_folds(folds, sentences, path)
    config = read_config(config_path, overrides) if config_path else short_config(overrides)
    model = first_model(config["components"][find_parser(config)])
    if "Linear" in str(model.get("@architectures")):
        raise ValueError(Errors.NM056)
    if config_path:
        check_reads_train(config, config_path)
    split_words(config)
    check_spared(path, [output, output / PARSED])  # trees in the folder would be read as the treebank's
    make_folder(output)
    data = [file_fingerprint(file) for file, _ in treebank_files(path)]
    text = config.to_str(interpolate=False)
    settings = {"config": text, "data": data, "folds": folds, "spacy": spacy.__version__}
    parsers = Folds(output, settings, config, parse_sentences, use_gpu=use_gpu, report=report)
    parsed = parsers.annotate_all(sentences, folds)
    write_sentences(output / PARSED, parsed)
    found = compare_trees(sentences, parsed)
    header = [field.name for field in fields(Suspect)]
    write_csv(output / TABLE, header, map(astuple, found))
    return found


def short_config(overrides: Mapping[str, Any] | None = None) -> Config:
    """Return the config of a parser that is trained for MAX_STEPS steps and scored once."""
    config = make_config(lang="xx")
    config["training"].update({"max_steps": MAX_STEPS, "patience": 0, "eval_frequency": MAX_STEPS})
    return override(config, overrides)


def parse_sentences(pipeline: Path, sentences: Sequence[Sentence]) -> list[Sentence]:
    """Return the sentences with the heads and labels that a pipeline gives to their words, and the
    confidence of the arcs in MISC."""
    nlp = load_pipeline(pipeline)
    docs = (
        make_doc(nlp.vocab, part, boundaries=True, as_in_file=True)
        for part in groups(sentences, N_SENTS)
    )
    with dep_scores_on(nlp.get_pipe(find_parser(nlp))):
        return [
            sentence
            for number, doc in enumerate(nlp.pipe(docs), start=1)
            for sentence in document_of(doc, str(number), expand=False).sentences
        ]


def compare_trees(sentences: Sequence[Sentence], parsed: Sequence[Sentence]) -> list[Suspect]:
    """Return the words whose annotation may be wrong, the most suspect ones first.

    parsed: the same sentences with the trees of a parser, and their confidence in MISC.
    """
    variation = find_variation(sentences)
    words = [word for sentence in sentences for word in sentence.words]
    arcs = [word for parse in parsed for word in parse.words]
    scores = [score or 0.0 for parse in parsed for score in read_confidence(parse)]
    differs = list(map(_difference, words, arcs))
    # Words of unknown head are of no kind
    kinds = [
        None if word[HEAD] == EMPTY else (tag_of(word), arc[DEPREL])
        for word, arc in zip(words, arcs, strict=True)
    ]
    rarity = find_rarity(kinds, scores, differs)
    places = ((number, word) for number, one in enumerate(sentences) for word in range(len(one.words)))
    found = []
    for i, (number, word) in enumerate(places):
        elsewhere = variation.get((number, word), Counter())
        if differs[i] or elsewhere:
            own, other = words[i], arcs[i]
            suspect = Suspect(
                sentences[number].sent_id,
                number + 1,
                own[ID],
                own[FORM],
                own[HEAD],
                own[DEPREL],
                other[HEAD],
                other[DEPREL],
                differs[i],
                rarity.get(i),
                scores[i],
                ", ".join(f"{relation} {n}" for relation, n in elsewhere.items()),
            )
            found.append(suspect)
    return sorted(found, key=lambda one: (one.rarity or 1, -(one.confidence or 0)))


def find_rarity(
    kinds: Sequence[Hashable], scores: Sequence[float], differs: Sequence[str]
) -> dict[int, float]:
    """Return of each word that differs the share of words that differ in the same way, among those of
    its kind whose score is not lower."""
    n_words, n_differ = Counter[Hashable](), Counter[tuple[Hashable, str]]()
    rarity = {}
    order = sorted(range(len(scores)), key=scores.__getitem__, reverse=True)
    for _, found in groupby(order, key=scores.__getitem__):
        same = list(found)
        n_words.update(kinds[word] for word in same)
        same = [word for word in same if differs[word]]
        n_differ.update((kinds[word], differs[word]) for word in same)
        for word in same:
            n_same = n_differ[kinds[word], differs[word]]
            rarity[word] = (n_same + 1) / (n_words[kinds[word]] + SMOOTHING)
    return rarity


def _difference(own: Sequence[str], other: Sequence[str]) -> str:
    if own[HEAD] == EMPTY:
        return NOWHERE
    if own[HEAD] != other[HEAD]:
        return IN_HEAD
    labels = {"root" if row[DEPREL] in ROOT_LABELS else row[DEPREL] for row in (own, other)}
    return IN_LABEL if len(labels) > 1 and EMPTY not in labels else NOWHERE
