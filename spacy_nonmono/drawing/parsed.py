"""The sentences of a treebank with the trees that a pipeline or another file gives them, and which to
look at."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from spacy.language import Language

from ..errors import Errors, Warnings, check_known, count
from ..evaluation.annotators import read_with_roots
from ..evaluation.evaluate import ParsedFile, parse_file, read_file_of_trees
from ..evaluation.scores import Parses, Scores, is_punctuation, sentence_spans
from ..shapes import UNKNOWN_LABEL
from ..tokens.projectivity import crossing_arcs
from ..treebank.docs import ROOT_LABEL
from ..treebank.sentences import ROOT_LABELS, Sentence
from .trees import Tree, arc_label, find_errors, tree_of

# Of the labels that are named
N_LABELS = 5


@dataclass(frozen=True)
class ParsedSentence:
    """A sentence of a treebank with its gold tree and the predicted one; or a sentence alone."""

    number: int  # in the file, from 1 on
    gold_sentence: Sentence
    words: list[list[str]]  # as the pipeline made them, in the columns of CoNLL-U
    scores: list[float | None]  # of their arcs; empty if there are none
    tree: Tree
    gold: Tree | None  # None: there is nothing to compare with
    errors: list[str | None]  # as `find_errors` gives them

    @property
    def n_wrong(self) -> int:
        return sum(bool(error) for error in self.errors)

    @property
    def n_crossing(self) -> int:
        return len(crossing_arcs(self.tree.heads))

    def labels(self, *, wrong_only: bool = False) -> set[str]:
        """Return the labels of both trees; with `wrong_only` those of the words with an error."""
        return {
            arc_label(tree.heads[word], tree.labels[word])
            for word, error in enumerate(self.errors)
            for tree in (self.tree, self.gold)
            if tree is not None and (error or not wrong_only)
        }


@dataclass(frozen=True)
class ParsedTreebank:
    """A treebank file with its predicted trees and their scores; or a file of trees alone."""

    path: Path
    lang: str
    sentences: list[ParsedSentence]
    scores: Scores | None  # of `score_parses`; None: there is nothing to compare with
    with_punct: bool  # or errors at punctuation are none
    has_confidence: bool  # of the arcs
    warning: str  # that the labels are other ones (NM587), or ""
    names: tuple[str, str] | None = None  # of two files that are compared, neither of which is gold


def parse_treebank(
    nlp: Language, path: str | Path, *, with_punct: bool = True
) -> ParsedTreebank:
    """Parse a treebank file with its sentence boundaries, as `evaluate` does, and with the confidence of
    the arcs if the parser has any.

    with_punct: False, and errors at punctuation are none.

    Raises what `parse_file` raises.
    """
    path = Path(path)
    parsed = parse_file(nlp, path, confidence=True)
    return ParsedTreebank(
        path,
        nlp.lang or "",
        _read_sentences(parsed, with_punct),
        parsed.scores(),
        with_punct,
        any(sentence.scores for sentence in parsed.sentences) or not parsed.sentences,
        _warn_of_labels(parsed.gold, parsed.predicted, path),
    )


def read_trees(
    trees: str | Path, path: str | Path | None = None, *, with_punct: bool = True
) -> ParsedTreebank:
    """Read a file of trees, of any parser or annotator, as `parse_treebank` does with a pipeline. Roots
    have the labels that stand in the files.

    path: the file to compare it with, which has the same words and sentences; None: none.

    Raises what `read_file_of_trees` raises.
    """
    parsed = read_file_of_trees(trees, trees if path is None else path)
    gold, predicted = map(read_with_roots, (parsed.gold_sentences, parsed.sentences))
    parsed = replace(parsed, gold=gold, predicted=predicted)
    has_confidence = any(score is not None for one in parsed.sentences for score in one.scores)
    return ParsedTreebank(
        Path(trees if path is None else path),
        "",
        _read_sentences(parsed, with_punct, compares=path is not None),
        None if path is None else parsed.scores(),
        with_punct,
        has_confidence,
        "" if path is None else _warn_of_labels(parsed.gold, parsed.predicted, Path(path)),
        None if path is None else (Path(trees).stem, Path(path).stem),
    )


def _read_sentences(
    parsed: ParsedFile, with_punct: bool, compares: bool = True
) -> list[ParsedSentence]:
    words = [word for sentence in parsed.sentences for word in sentence.words]
    scores = [score for sentence in parsed.sentences for score in sentence.scores]
    found = []
    spans = sentence_spans(parsed.gold.starts_N)
    for number, (span, own) in enumerate(zip(spans, parsed.gold_sentences, strict=True), start=1):
        tree = tree_of(parsed.predicted, *span)
        gold = tree_of(parsed.gold, *span) if compares else None
        skipped = {i for i, word in enumerate(own.words) if not with_punct and is_punctuation(word)}
        errors = find_errors(tree, gold, skipped)
        inside = slice(*span)
        found.append(ParsedSentence(number, own, words[inside], scores[inside], tree, gold, errors))
    return found


def _warn_of_labels(gold: Parses, predicted: Parses, path: Path) -> str:
    """Return the warning (NM587) if most labels are none that the treebank has, else ""."""
    known = set(gold.labels_N.tolist()) - {"", UNKNOWN_LABEL}
    ignored = ("root", "", UNKNOWN_LABEL)  # words without a head have none
    labels = [label for label in predicted.labels_N.tolist() if label not in ignored]
    others = Counter(label for label in labels if label not in known)
    if not known or 2 * others.total() <= len(labels):
        return ""
    named = ", ".join(label for label, _ in others.most_common(N_LABELS))
    percent = f"{100 * others.total() / len(labels):.0f}"
    return Warnings.NM587.format(percent=percent, path=path, labels=named)


def choose_sentences(
    treebank: ParsedTreebank,
    *,
    limit: int,
    prefer_crossing: bool = True,
    worst: bool = False,
    label: str | None = None,
    sent_ids: Sequence[str] = (),
) -> tuple[list[ParsedSentence], str]:
    """Choose the sentences to look at. Returns them, and a text that says why these. The parameters
    are those of `render_trees`.

    Raises ValueError: NM115 for an unknown `sent_id`, NM180 for a label that no word has.
    """
    if sent_ids:
        return _find_sentences(treebank, sent_ids), "those that were asked for"
    chosen = list(treebank.sentences)
    group = ""
    if label is not None:
        label = ROOT_LABEL if label in ROOT_LABELS else label
        known = set[str]().union(*(sentence.labels() for sentence in chosen)) - {""}
        check_known("label", label, sorted(known))
        wrong = treebank.scores is not None
        chosen = [sentence for sentence in chosen if label in sentence.labels(wrong_only=wrong)]
        error = "a difference" if treebank.names else "an error"
        named = f"{error} at the label" if wrong else "the label"
        group = f"of the {count(len(chosen), 'sentence')} with {named} {label}, "
    order = "the first ones"
    if worst:
        chosen.sort(key=lambda sentence: -sentence.n_wrong)
        order = f"those with the most {'differences' if treebank.names else 'errors'} first"
    elif prefer_crossing:
        chosen.sort(key=lambda sentence: not sentence.n_crossing)
        order = "those with crossing arcs first"
    return chosen[:limit], group + order


def _find_sentences(treebank: ParsedTreebank, sent_ids: Sequence[str]) -> list[ParsedSentence]:
    found: dict[str, list[ParsedSentence]] = {sent_id: [] for sent_id in sent_ids}
    for sentence in treebank.sentences:
        if sentence.gold_sentence.sent_id in found:
            found[sentence.gold_sentence.sent_id].append(sentence)
    for sent_id, those in found.items():
        if not those:
            raise ValueError(Errors.NM115.format(path=treebank.path, found=sent_id))
    return [sentence for those in found.values() for sentence in those]
