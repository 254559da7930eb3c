"""Annotation that is missing, partial or tokenised in another way: it is used or left, never fatal."""

from collections.abc import Sequence

import numpy
import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc
from spacy.training import Example

from spacy_nonmono.pipeline.gold import ROOT, read_gold
from spacy_nonmono.pipeline.sentences import preset_starts
from spacy_nonmono.shapes import UNKNOWN_HEAD
from spacy_nonmono.treebank.docs import document_of
from tests.trees import trees

from .util import (
    FINE_GRAINED,
    NAME,
    PROJECTIVE,
    SOME_UNDERIVABLE,
    SYSTEMS,
    blank,
    check_doc,
    gold_doc,
    gold_examples,
    initialized,
    linear_config,
    train,
)

WORDS = ["the", "hare", "sleeps", "under", "an", "oak"]


def example(nlp, **annotation) -> Example:
    return Example(Doc(nlp.vocab, words=WORDS), Doc(nlp.vocab, words=WORDS, **annotation))


LABELS_ALONE = pytest.mark.filterwarnings(r"ignore:\[NM595\]")
PARTIAL = {
    "nothing": {},
    "starts": {"sent_starts": [True, False, None, True, None, False]},
    "all starts": {"sent_starts": [True, False, False, True, False, False]},
    "some heads": {
        "heads": [1, 2, 2, 3, 4, 5],
        "deps": ["det", "nsubj", "ROOT", "", "", ""],
    },
    "one head": {"heads": [0, 1, 2, 3, 5, 5], "deps": ["", "", "", "", "det", ""]},
    "heads without labels": {"heads": [1, 2, 2, 5, 5, 2], "deps": ["dep"] * 6},
    "labels without heads": {"deps": ["det", "nsubj", "ROOT", "case", "det", "obl"]},
    "tags": {"tags": ["DT", "NN", "VBZ", "IN", "DT", "NN"]},
}


def linear(system: str = "arc_eager_unshift"):
    return initialized(system, model=linear_config())


BOTH_SCORERS = pytest.mark.parametrize("make", [initialized, linear])


@SOME_UNDERIVABLE
@LABELS_ALONE
@BOTH_SCORERS
@pytest.mark.parametrize("case", PARTIAL)
@pytest.mark.parametrize("system", [*SYSTEMS, FINE_GRAINED])
def test_partial_annotation_trains(system, case, make):
    nlp = make(system)
    docs = [example(nlp, **PARTIAL[case]), Example(nlp.make_doc(""), nlp.make_doc(""))]
    losses = train(nlp, docs, 3)
    assert numpy.isfinite(losses[NAME])
    train(nlp, docs + gold_examples(nlp, PROJECTIVE), 2)
    check_doc(nlp(" ".join(WORDS)))


@LABELS_ALONE
@pytest.mark.parametrize("case", PARTIAL)
def test_initialize_on_partial_annotation(case):
    nlp = blank()
    nlp.initialize(lambda: [example(nlp, **PARTIAL[case])])
    train(nlp, [example(nlp, **PARTIAL[case])], 2)
    check_doc(nlp(" ".join(WORDS)))


def test_known_heads_are_learnt_from_partial_trees():
    nlp = initialized()
    train(nlp, [example(nlp, **PARTIAL["some heads"])], 40)
    doc = nlp(Doc(nlp.vocab, words=WORDS))
    check_doc(doc)
    assert [token.head.i for token in doc][:3] == [1, 2, 2]


def test_boundaries_alone_are_learnt():
    nlp = initialized()
    train(nlp, [example(nlp, **PARTIAL["all starts"])], 40)
    doc = nlp(Doc(nlp.vocab, words=WORDS))
    check_doc(doc)
    assert [sent.start for sent in doc.sents] == [0, 3]


@BOTH_SCORERS
def test_unknown_heads_teach_nothing(make):
    nlp = make()
    pipe = nlp.get_pipe(NAME)
    before = pipe.model.to_bytes()
    losses = train(nlp, [example(nlp)], 3)
    assert losses[NAME] == 0.0
    assert pipe.model.to_bytes() == before


def test_gold_of_partial_annotation():
    nlp = initialized()
    labels = {nlp.vocab.strings["det"]: 0}
    gold = read_gold(example(nlp, **PARTIAL["some heads"]), labels)
    assert gold.heads.tolist() == [1, 2, ROOT, *[UNKNOWN_HEAD] * 3]
    assert gold.labels.tolist() == [0, -1, -1, -1, -1, -1]
    gold = read_gold(example(nlp), labels)
    assert gold.heads.tolist() == [UNKNOWN_HEAD] * 6
    assert gold.starts.tolist()[1:] == [0] * 5


# Tokens that differ

OTHER_TOKENS: dict[str, list[str]] = {
    "merged": ["the", "haresleeps", "under", "an", "oak"],
    "split": ["the", "ha", "re", "sleeps", "under", "an", "oak"],
    "both": ["thehare", "sle", "eps", "under", "an", "oak"],
    "one": ["theharesleepsunderanoak"],
    "letters": list("theharesleepsunderanoak"),
}


def misaligned(nlp, case: str) -> Example:
    return misaligned_as(nlp, OTHER_TOKENS[case])


def misaligned_as(nlp, other: Sequence[str]) -> Example:
    predicted = Doc(nlp.vocab, words=other, spaces=[False] * len(other))
    gold = gold_doc(nlp, PROJECTIVE[:1])
    reference = Doc(
        nlp.vocab,
        words=WORDS,
        spaces=[False] * 6,
        heads=[token.head.i for token in gold],
        deps=[token.dep_ for token in gold],
    )
    return Example(predicted, reference)


@SOME_UNDERIVABLE
@BOTH_SCORERS
@pytest.mark.parametrize("case", OTHER_TOKENS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_misaligned_tokens_train(system, case, make):
    nlp = make(system)
    losses = train(nlp, [misaligned(nlp, case), *gold_examples(nlp, PROJECTIVE)], 3)
    assert numpy.isfinite(losses[NAME])
    check_doc(nlp(misaligned(nlp, case).predicted))


def test_misaligned_words_are_unknown():
    nlp = initialized()
    labels = {nlp.vocab.strings[label]: i for i, label in enumerate(nlp.get_pipe(NAME).labels)}
    gold = read_gold(misaligned(nlp, "split"), labels)
    # the ha re sleeps under an oak: both halves of the hare have its head, none can be a head
    assert len(gold.heads) == len(gold.labels) == len(gold.starts) == 7
    assert gold.heads.tolist() == [UNKNOWN_HEAD, 3, 3, ROOT, 6, 6, 3]
    gold = read_gold(misaligned(nlp, "one"), labels)
    assert gold.heads.tolist() == [ROOT]


def test_a_token_of_several_words():
    nlp = initialized()
    names = nlp.get_pipe(NAME).labels
    labels = {nlp.vocab.strings[label]: i for i, label in enumerate(names)}

    def trees(*words: str) -> list[tuple[int, str]]:
        example = misaligned_as(nlp, words)
        gold = read_gold(example, labels)
        return [
            (head, names[label] if label >= 0 else "")
            for head, label in zip(gold.heads.tolist(), gold.labels.tolist(), strict=True)
        ]

    # The hare is the head of the merged token, and the sleeping one is its root
    assert trees("the", "haresleeps", "under", "an", "oak") == [
        *((1, "det"), (ROOT, "")),
        *((4, "case"), (4, "det"), (1, "obl")),
    ]
    assert trees("thehare", "sleeps", "under", "anoak")[0] == (1, "nsubj")
    assert trees("thehare", "sleeps", "under", "anoak")[3] == (1, "obl")
    # Two words have their heads outside, at the same depth: the first one counts
    assert trees("the", "hare", "sleeps", "underan", "oak")[3] == (4, "case")
    # "sleeps" is nearer to the root than "under"
    assert trees("the", "hare", "sleepsunder", "an", "oak")[2] == (ROOT, "")
    # "hare" is cut: whose head the first token should have is unknown
    assert trees("theha", "re", "sleeps", "under", "an", "oak")[0] == (UNKNOWN_HEAD, "")


def test_tokens_of_several_words_close_no_circle():
    nlp = initialized()
    words, spaces = ["a", "b", "c", "d", "e"], [False] * 5
    # "ab" hangs from "cd" by b, and "cd" from "ab" by d; the heads of a and c are unknown
    deps = ["", "dep", "", "dep", "ROOT"]
    reference = Doc(nlp.vocab, words=words, spaces=spaces, heads=[0, 2, 2, 0, 4], deps=deps)
    predicted = Doc(nlp.vocab, words=["ab", "cd", "e"], spaces=[False] * 3)
    gold = read_gold(Example(predicted, reference), {nlp.vocab.strings["dep"]: 0})
    assert gold.heads.tolist() == [UNKNOWN_HEAD, UNKNOWN_HEAD, ROOT]


@pytest.mark.parametrize("system", SYSTEMS)
def test_one_word_sentences_train(system):
    nlp = initialized(system)
    losses = train(nlp, gold_examples(nlp, [(["rain"], [0], ["ROOT"])] * 3, together=True), 3)
    assert numpy.isfinite(losses[NAME])


STARTS = {
    # sentences: "a bc de", "fg h"; the tokens, and where they start a sentence
    "whole": (["a", "bc", "de", "fg", "h"], [1, -1, -1, 1, -1]),
    "split": (["a", "b", "c", "de", "f", "g", "h"], [1, -1, -1, -1, 1, -1, -1]),
    "merged": (["a", "bcde", "fgh"], [1, -1, 1]),
    "across": (["a", "bc", "def", "g", "h"], [1, -1, -1, -1, -1]),
    "blank": (["a", " ", "bc", "de", " ", "fg", "h", " "], [1, -1, -1, 1, -1]),  # of the words
}


@pytest.mark.parametrize("case", STARTS)
def test_starts_where_tokens_differ(case):
    tokens, expected = STARTS[case]
    nlp = blank()
    predicted = Doc(nlp.vocab, words=tokens, spaces=[False] * len(tokens))
    words, starts = ["a", "bc", "de", "fg", "h"], [True, False, False, True, False]
    reference = Doc(nlp.vocab, words=words, spaces=[False] * 5, sent_starts=starts)
    assert read_gold(Example(predicted, reference), {}).starts.tolist() == expected
    reference = Doc(nlp.vocab, words=words, spaces=[False] * 5)  # nothing is known
    unknown = read_gold(Example(predicted, reference), {}).starts[1:]  # the first word starts a sentence
    assert (unknown <= 0).all() and (case in ("split", "across") or not unknown.any())


@pytest.mark.parametrize(
    "heads,deps,expected",
    [
        ([0, 2, 2], ["", "nsubj", "ROOT"], [0, 0, -1]),
        ([0, 1, 2, 3], ["", "", "", "ROOT"], [0, 0, 0, 0]),
        ([1, 1, 2, 3, 4, 5], ["nsubj", "ROOT", "", "", "", ""], [0, -1, 0, 0, 0, 0]),
        ([1, 1, 1, 4, 4, 5], ["x", "ROOT", "x", "x", "ROOT", ""], [0, -1, -1, 1, -1, 0]),
        ([1, 1, 1, 4, 4, 4], ["x", "ROOT", "x", "x", "ROOT", "x"], [1, -1, -1, 1, -1, -1]),
    ],
)
@pytest.mark.parametrize("is_aligned", [False, True])
def test_starts_are_known_where_arcs_tell(heads, deps, expected, is_aligned):
    """spaCy makes up the others."""
    nlp = spacy.blank("en")
    words = [f"w{i}" for i in range(len(heads))]
    reference = Doc(nlp.vocab, words=words, heads=heads, deps=deps)
    # Other tokens at the end
    own = [*words[:-1], words[-1][:1], words[-1][1:]] if is_aligned else words
    spaces = [True] * (len(own) - 2) + [not is_aligned, False]
    found = read_gold(Example(Doc(nlp.vocab, words=own, spaces=spaces), reference), {}).starts
    assert found.tolist()[: len(words)] == expected


@pytest.mark.parametrize("heads", [[1, 0, 2], [1, 2, 0], [0, 2, 1]])
@pytest.mark.parametrize("words", [["a", "b", "c"], ["a", " ", "c"]])
def test_heads_on_a_cycle_are_unknown(heads, words):
    """`Doc` lets them be."""
    nlp = initialized()
    reference = Doc(nlp.vocab, words=words, heads=heads, deps=["x"] * 3)
    example = Example(Doc(nlp.vocab, words=words), reference)
    found = read_gold(example, {}).heads.tolist()
    assert all(head < 0 for head in found) and found.count(-1) <= 1
    nlp.update([example], sgd=nlp.create_optimizer())


def test_white_space_that_hangs_from_itself():
    doc = Doc(spacy.blank("en").vocab, words=["a", "\n", " ", "b"], heads=[1, 2, 1, 0], deps=["x"] * 4)
    (sentence,) = document_of(doc).sentences
    assert [row[1] for row in sentence.words] == ["a", "b"]


def test_starts_on_white_space_where_tokens_differ():
    """As where they do not: the word behind starts the sentence."""
    vocab = spacy.blank("en").vocab
    starts = [True, False, True, False, False]
    reference = Doc(vocab, ["Hi", ".", "\n", "Bye", "."], [False] * 5, sent_starts=starts)
    for words, spaces in (
        (["Hi", ".", "Bye", "."], [False, True, False, False]),
        (["Hi.", "\n", "Bye", "."], [False] * 4),
    ):
        found = read_gold(Example(Doc(vocab, words, spaces), reference), {}).starts.tolist()
        assert found[-2:] == [1, -1]


@given(st.data())
def test_known_starts_are_those_of_the_whole_trees(data):
    """Whatever heads are hidden: what is said of a boundary is right, and whole trees tell all."""
    heads, starts = [], []
    for n in data.draw(st.lists(st.integers(1, 5), min_size=1, max_size=4)):
        first, own = len(heads), data.draw(trees(n))
        heads += [first + (word if head < 0 else head) for word, head in enumerate(own)]
        starts += [1] + [-1] * (n - 1)
    hidden = data.draw(st.lists(st.booleans(), min_size=len(heads), max_size=len(heads)))
    shown = [i if hides else head for i, (head, hides) in enumerate(zip(heads, hidden, strict=True))]
    labels = ["ROOT" if head == i else "x" for i, head in enumerate(heads)]
    deps = ["" if hides else label for label, hides in zip(labels, hidden, strict=True)]
    vocab = spacy.blank("en").vocab
    words = [f"w{i}" for i in range(len(heads))]
    example = Example(Doc(vocab, words), Doc(vocab, words, heads=shown, deps=deps))
    found = read_gold(example, {}).starts.tolist()
    assert preset_starts(example.reference).tolist() == found  # so it is parsed with what it teaches
    pairs = list(zip(found, starts, strict=True))[1:]
    assert all(one in (0, expected) for one, expected in pairs)
    assert any(hidden) or all(one == expected for one, expected in pairs)
