"""Treebanks with predicted tags, in which no sentence is tagged by a tagger that has learned from it.

Each fold of the training part is tagged by a tagger that learns from the others (`recipes/folds.py`).
The development and the test part are tagged by one that learns from the whole training part. So a
parser learns from tags with the errors that it will meet when it parses.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import spacy
from spacy.tokens import Doc

from ..errors import Errors
from ..files import check_spared
from ..installed import load_pipeline
from ..recipes.config import tagger_config
from ..recipes.folds import Folds, check_folds
from ..recipes.text import read_config
from ..treebank.docs import make_doc, spell_feats
from ..treebank.formats import DEV, TEST, TRAIN, find_part
from ..treebank.multiword import split_words
from ..treebank.reader import read_sentences
from ..treebank.sentences import EMPTY, FEATS, UPOS, XPOS, Sentence, groups
from ..treebank.writer import write_sentences
from .treebanks import data_fingerprints

TAG_COLUMNS = {"UPOS": UPOS, "XPOS": XPOS, "FEATS": FEATS}
# Sentences per Doc, as the corpus reader makes them
N_SENTS = 10

# By part and column: the share of the words whose tag is right
Accuracy = dict[str, dict[str, float]]


def jackknife(
    folder: Path,
    output: Path,
    *,
    folds: int = 10,
    config_path: Path | None = None,
    use_gpu: int = -1,
    report: Callable[[str], None] = lambda stage: None,
) -> Accuracy:
    """Write a treebank with predicted tags to the folder of its name in `output`, in CoNLL-U.

    UPOS, XPOS and FEATS are those that the taggers predict, `_` where they predict none; all else is as
    it was. What is tagged is not tagged again unless the treebank, the config or the number of folds has
    changed.

    folder: with train, dev and test, .conllu or .conllx.
    config_path: a config for `spacy train` of a pipeline that sets tags; by default `tagger_config` for
        the columns that the training part has.
    report: is told the name of each stage.

    Raises FileNotFoundError (NM160) where a part is missing; ValueError: NM185 if the treebank itself
    would be overwritten, NM186 without tags to learn or to write, NM187 for a number of folds that does
    not suit; what reading and training raise.
    """
    treebank = folder.resolve()
    target = output / treebank.name
    check_spared(folder, [target])
    data = data_fingerprints(treebank)
    parts = {part: list(read_sentences(find_part(treebank, part))) for part in (TRAIN, DEV, TEST)}
    learned = parts[TRAIN]
    if not used_tags(learned):
        raise ValueError(Errors.NM186.format(what=find_part(treebank, TRAIN)))
    check_folds(folds, learned, find_part(treebank, TRAIN))
    config = read_config(config_path) if config_path else tagger_config(used_tags(learned))
    split_words(config)
    text = config.to_str(interpolate=False)
    settings = {"config": text, "data": data, "folds": folds, "spacy": spacy.__version__}
    taggers = Folds(target, settings, config, tag_sentences, use_gpu=use_gpu, report=report)
    dev = find_part(treebank, DEV)
    tagged = {TRAIN: taggers.annotate_all(learned, folds, dev)}
    rest = taggers.annotate_rest("dev-and-test", learned, parts[DEV] + parts[TEST], dev)
    tagged[DEV], tagged[TEST] = rest[: len(parts[DEV])], rest[len(parts[DEV]) :]
    for part, sentences in tagged.items():
        write_sentences(target / f"{part}.conllu", sentences)
    return {part: tag_accuracy(parts[part], sentences) for part, sentences in tagged.items()}


def tag_sentences(tagger: Path, sentences: Sequence[Sentence]) -> list[Sentence]:
    """Return the sentences with the tags that a pipeline gives to their words.

    Raises ValueError (NM186) if it sets none.
    """
    nlp = load_pipeline(tagger)
    parts = list(groups(sentences, N_SENTS))
    docs = nlp.pipe(make_doc(nlp.vocab, part) for part in parts)
    tagged = [one for part, doc in zip(parts, docs, strict=True) for one in with_tags(part, doc)]
    if not used_tags(tagged):
        what = f"what the pipeline predicts ({', '.join(nlp.pipe_names)})"
        raise ValueError(Errors.NM186.format(what=what))
    return tagged


def used_tags(sentences: Iterable[Sentence]) -> list[str]:
    """Return the names of those TAG_COLUMNS in which some word has a value."""
    words = [word for sentence in sentences for word in sentence.words]
    return [
        name for name, column in TAG_COLUMNS.items() if any(word[column] != EMPTY for word in words)
    ]


def with_tags(sentences: Sequence[Sentence], doc: Doc) -> Iterator[Sentence]:
    """Yield copies of the sentences with the tags of a Doc of the same words.

    A tag that the Doc does not have becomes `_`. The other columns do not change.
    """
    tokens = iter(doc)
    for sentence in sentences:
        tagged = Sentence([list(row) for row in sentence.rows])
        for word in tagged.words:
            token = next(tokens)
            word[UPOS] = token.pos_ or EMPTY
            word[XPOS] = token.tag_ or EMPTY
            word[FEATS] = spell_feats(token, word[FEATS])
        yield tagged


def tag_accuracy(gold: Sequence[Sentence], found: Sequence[Sentence]) -> dict[str, float]:
    """Return the share of words with the right tag, for each column in which some gold word has a tag.

    A word counts where it has a tag; in FEATS it counts if it has UPOS, too: `_` are no features then.
    FEATS are right if all features are.
    """
    pairs = [
        (right, word)
        for one, other in zip(gold, found, strict=True)
        for right, word in zip(one.words, other.words, strict=True)
    ]
    accuracy = {}
    for name in used_tags(gold):
        column = TAG_COLUMNS[name]
        tells = (UPOS, FEATS) if column == FEATS else (column,)
        are_right = [
            right[column] == word[column]
            for right, word in pairs
            if any(right[other] != EMPTY for other in tells)
        ]
        accuracy[name] = sum(are_right) / len(are_right)
    return accuracy
