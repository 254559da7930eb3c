"""What comes out: valid trees for any words, hard boundaries, docs in order."""

from functools import cache

import numpy
import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc
from spacy.training import Example
from spacy.vocab import Vocab

from spacy_nonmono import get_system
from spacy_nonmono.pipeline.gold import survey
from spacy_nonmono.pipeline.learner import ENOUGH_WORDS, PAIR_THRESHOLD, Pairs, worth_of_crossing
from spacy_nonmono.tokens.projectivity import crossing_arcs
from spacy_nonmono.training.progress import Progress

from ..training.treebank import random_tree
from .util import (
    CROSSING,
    FINE_GRAINED,
    NAME,
    PROJECTIVE,
    SYSTEMS,
    arcs,
    blank,
    check_doc,
    committee_config,
    gold_examples,
    initialized,
    linear_config,
    overfitted,
    train,
    wild,
    words,
)

# A start as `Doc` takes it: starts a sentence, does not, unknown
PRESETS = [True, False, None]


@cache
def parser(system: str = "arc_eager_unshift"):
    return initialized(system)


wild_parser = cache(wild)


@cache
def trained_parser():
    return overfitted()


def parse(nlp, doc_words, starts=None, spaces=None):
    return nlp(Doc(nlp.vocab, words=doc_words, sent_starts=starts, spaces=spaces))


# Threads


@pytest.mark.parametrize("model", ["neural", "linear", "committee"])
@pytest.mark.parametrize("n_words", [1, 20, 400])
def test_parts_and_threads_find_the_same_trees(monkeypatch, model, n_words):
    """However many words are scored at once, and by how many threads."""
    models = {"linear": linear_config(), "committee": committee_config(2)}
    nlp = overfitted(**({"model": models[model]} if model in models else {}))
    texts = [" ".join(words(n, n)) for n in (3, 0, 30, 7, 1, 12, 25, 9)] * 20
    alone = [arcs(nlp(text)) for text in texts]
    monkeypatch.setattr("spacy_nonmono.layers.minibatch.PART", n_words)
    for n_threads in (1, 3):
        nlp.get_pipe(NAME).n_threads = n_threads
        assert [arcs(doc) for doc in nlp.pipe(texts)] == alone


def test_no_threads():
    with pytest.raises(ValueError, match=r"\[NM057\]"):
        blank(n_threads=0)


# Odd documents


def test_no_weights_yet():
    with pytest.raises(ValueError, match=r"\[NM051\]"):
        blank()("rain !")


def test_no_weights_needed_for_no_words():
    assert len(blank()("")) == 0


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("n_words", [0, 1, 2, 3])
def test_short_docs(system, n_words):
    doc = parse(parser(system), words(n_words))
    assert len(doc) == n_words
    check_doc(doc, get_system(system).projective)


def test_lone_word_is_a_root():
    (word,) = parser()("rain")
    assert (word.head.i, word.dep_, word.is_sent_start) == (0, "ROOT", True)


@pytest.mark.parametrize("text", [" ", "\n\n", " \t \n "])
@pytest.mark.parametrize("system", SYSTEMS)
def test_whitespace_alone(system, text):
    doc = parser(system)(text)
    assert len(doc)
    check_doc(doc)


@pytest.mark.parametrize("system", SYSTEMS)
def test_whitespace_among_words(system):
    doc = parser(system)("  the hare \n\n sleeps .  \t Rain !\n")
    assert any(token.is_space for token in doc)
    check_doc(doc)


@pytest.mark.parametrize("system", SYSTEMS)
def test_whitespace_with_boundaries(system):
    doc_words = ["\n", "rain", "!", " ", "\n", "rain", "\n"]
    starts = [True, False, False, False, False, True, False]
    doc = parse(parser(system), doc_words, starts, spaces=[False] * 7)
    check_doc(doc)
    assert [sent.start for sent in doc.sents] == [0, 5]


def test_training_with_whitespace_tokens():
    nlp = initialized()
    gold = Doc(
        nlp.vocab,
        words=["the", "\n", "hare", " ", "sleeps", "\n\n"],
        spaces=[False] * 6,
        heads=[2, 0, 4, 2, 4, 4],
        deps=["det", "", "nsubj", "", "ROOT", ""],
    )
    bare = Doc(nlp.vocab, words=[token.text for token in gold], spaces=[False] * 6)
    train(nlp, [spacy.training.Example(bare, gold)], 20)
    doc = nlp(bare.copy())
    check_doc(doc)
    assert [doc[i].head.i for i in (0, 2, 4)] == [2, 4, 4]


def test_empty_batch():
    pipe = parser().get_pipe(NAME)
    assert pipe.predict([]) == []
    pipe.set_annotations([], [])
    assert list(pipe.pipe([])) == []
    assert list(parser().pipe([])) == []


def test_empty_docs_among_others():
    nlp = parser()
    texts = ["", "rain !", "", "", "the hare sleeps under an oak", ""]
    docs = list(nlp.pipe(texts, batch_size=4))
    assert [doc.text for doc in docs] == texts
    for doc, text in zip(docs, texts, strict=True):
        check_doc(doc)
        assert arcs(doc) == arcs(nlp(text))


def test_only_empty_docs():
    assert [len(doc) for doc in parser().pipe(["", ""])] == [0, 0]


def test_order_is_kept():
    nlp = parser()
    texts = [" ".join(words(n, seed=n)) for n in (9, 1, 30, 2, 4, 17, 1, 8)]
    for batch_size in (1, 3, 100):
        docs = list(nlp.pipe(texts, batch_size=batch_size))
        assert [doc.text for doc in docs] == texts
        for doc in docs:
            check_doc(doc)


def test_batches_do_not_change_the_parse():
    nlp = trained_parser()
    texts = ["the hare sleeps under an oak", "rain !", "foxes and owls hunt mice ."] * 30
    assert [arcs(doc) for doc in nlp.pipe(texts)] == [arcs(nlp(text)) for text in texts]


def test_tuples_keep_their_context():
    rows = list(parser().pipe([("rain !", 1), ("", 2), ("owls hunt", 3)], as_tuples=True))
    assert [context for _, context in rows] == [1, 2, 3]


def test_error_handler_gets_the_docs_of_a_failing_batch(monkeypatch):
    nlp = initialized()
    pipe = nlp.get_pipe(NAME)
    predict = pipe.predict
    seen = []

    def fail(docs):
        docs = list(docs)
        if any(doc.text == "bad" for doc in docs):
            raise RuntimeError("bad luck")
        return predict(docs)

    monkeypatch.setattr(pipe, "predict", fail)
    nlp.set_error_handler(lambda name, proc, docs, error: seen.append((name, docs, str(error))))
    docs = list(nlp.pipe(["rain !", "bad", "owls hunt"], batch_size=1))
    assert [doc.text for doc in docs] == ["rain !", "owls hunt"]
    ((name, bad, message),) = seen
    assert (name, [doc.text for doc in bad], message) == (NAME, ["bad"], "bad luck")
    with pytest.raises(RuntimeError, match="bad luck"):
        initialized_and_failing(fail)("bad")


def initialized_and_failing(fail):
    nlp = initialized()
    nlp.get_pipe(NAME).predict = fail
    return nlp


def test_predict_leaves_docs_alone():
    nlp = parser()
    docs = [nlp.make_doc("the hare sleeps")]
    before = docs[0].to_bytes()
    (scores,) = nlp.get_pipe(NAME).predict(docs)
    assert docs[0].to_bytes() == before
    assert len(scores.heads) == len(scores.labels) == len(scores.starts) == 3


def test_an_old_parse_is_overwritten():
    nlp = trained_parser()
    doc = nlp("the hare sleeps under an oak")
    expected = arcs(doc)
    doc[0].head, doc[0].dep_ = doc[3], "odd"
    wrong = Doc(
        nlp.vocab,
        words=[token.text for token in doc],
        heads=[5] * 6,
        deps=["odd"] * 5 + ["ROOT"],
    )
    assert arcs(nlp.get_pipe(NAME)(wrong)) == expected


# Boundaries


@pytest.mark.parametrize("system", [*SYSTEMS, FINE_GRAINED])
@settings(max_examples=30)
@given(data=st.data())
def test_random_docs_and_presets(system, data):
    nlp = wild_parser(system, data.draw(st.integers(0, 2)))
    n_docs = data.draw(st.integers(1, 4))
    docs, presets = [], []
    for _ in range(n_docs):
        starts = data.draw(st.lists(st.sampled_from(PRESETS), max_size=14))
        docs.append(
            Doc(
                nlp.vocab,
                words=words(len(starts), data.draw(st.integers(0, 99))),
                sent_starts=starts,
            )
        )
        presets.append(starts)
    for doc, starts in zip(nlp.pipe(docs), presets, strict=True):
        check_doc(doc, nlp.get_pipe(NAME).system.projective)
        for token, start in list(zip(doc, starts, strict=True))[1:]:
            assert start is None or token.is_sent_start == start


@pytest.mark.parametrize("system", SYSTEMS)
def test_sentences_of_one_word_each(system):
    doc = parse(parser(system), words(7), [True] * 7)
    assert [token.dep_ for token in doc] == ["ROOT"] * 7
    check_doc(doc)


@pytest.mark.parametrize("first", PRESETS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_no_boundary_allowed(system, first):
    doc = parse(parser(system), words(30), [first] + [False] * 29)
    assert len(list(doc.sents)) == 1
    check_doc(doc)


def test_boundaries_of_a_sentencizer_are_kept():
    nlp = initialized()
    nlp.add_pipe("sentencizer", first=True)
    doc = nlp("rain ! foxes hunt . rain ! owls and mice")
    assert [sent.start for sent in doc.sents] == [0, 2, 5, 7]
    check_doc(doc)


def test_boundaries_change_nothing_elsewhere():
    nlp = trained_parser()
    doc = parse(nlp, ["rain", "!", "rain", "!"], [True, None, True, None])
    assert arcs(doc) == [
        (0, "ROOT", True),
        (0, "punct", False),
        (2, "ROOT", True),
        (2, "punct", False),
    ]


# Long documents


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.filterwarnings("ignore:.*NM550")
def test_thousand_words(system):
    nlp = wild_parser(system, 1)
    open_doc = parse(nlp, words(1000))
    check_doc(open_doc)
    one_sentence = parse(nlp, words(1000), [True] + [False] * 999)
    check_doc(one_sentence)
    assert len(list(one_sentence.sents)) == 1


@pytest.mark.parametrize("system", ["covington", "covington_nonmonotonic"])
@pytest.mark.parametrize("seed", range(3))
def test_deep_crossing_trees_have_the_right_boundaries(system, seed):
    nlp = wild_parser(system, seed)
    starts = [i % 90 == 0 for i in range(360)]
    doc = parse(nlp, words(360, seed), starts)
    assert [token.is_sent_start for token in doc] == starts
    for sent in doc.sents:
        assert sum(token.head.i == token.i for token in sent) == 1
    again = Doc(nlp.vocab).from_bytes(doc.to_bytes())
    assert [token.head.i for token in again] == [token.head.i for token in doc]


def test_covington_warns_of_a_long_sentence():
    nlp = initialized("covington", max_distance=20)
    with pytest.warns(UserWarning, match="NM550"):
        doc = parse(nlp, words(30), [True] + [False] * 29)
    check_doc(doc)
    parse(nlp, words(21), [True] + [False] * 20)
    # It names the longest sentence
    starts = [i in (0, 5) for i in range(40)]
    found = words(40)
    with pytest.warns(UserWarning, match=f"with '{' '.join(found[5:10])}' has 35 words"):
        parse(nlp, found, starts)


def test_pair_threshold(tmp_path):
    """It can be changed where a pipeline is loaded."""
    nlp = overfitted("covington_nonmonotonic")
    nlp.to_disk(tmp_path)
    path = ("components", NAME, "pair_threshold")
    n_scored = []
    for threshold in (0.0, 0.002, 0.999999):
        again = spacy.load(tmp_path, config={".".join(path): threshold})
        assert again.config[path[0]][path[1]][path[2]] == threshold
        doc = parse(again, words(40), [True] + [False] * 39)
        check_doc(doc)
        derivation = again.get_pipe(NAME).derivations([doc])[0][0]
        n_scored.append(sum(move.score < 1 for move in derivation.moves))
    assert n_scored[0] >= n_scored[1] > n_scored[2]


def test_pair_threshold_by_the_words_of_training():
    nlp = blank("covington_nonmonotonic")
    examples = gold_examples(nlp, PROJECTIVE)
    nlp.initialize(lambda: examples)
    parser = nlp.get_pipe(NAME)
    n_words = sum(len(example.x) for example in examples)
    assert parser._learner.n_words == n_words < ENOUGH_WORDS
    pairs = Pairs(0, None)
    assert pairs.threshold_after(n_words) == pytest.approx(PAIR_THRESHOLD * n_words / ENOUGH_WORDS)
    assert pairs.threshold_after(0) == pairs.threshold_after(10**9) == PAIR_THRESHOLD
    assert Pairs(0, 0.3).threshold_after(n_words) == 0.3
    again = blank("covington_nonmonotonic").get_pipe(NAME).from_bytes(parser.to_bytes())
    assert again._learner.n_words == n_words


def test_crossing_arcs_are_worth_more_where_they_are_frequent():
    nlp = blank("covington_nonmonotonic")
    shares = []
    for trees in (PROJECTIVE, [*PROJECTIVE, *CROSSING], CROSSING):
        examples = gold_examples(nlp, trees)
        nlp.initialize(lambda examples=examples: examples)
        shares.append(nlp.get_pipe(NAME).progress.crossing)
    assert 0 == shares[0] < shares[1] < shares[2] < 1
    again = blank("covington_nonmonotonic").get_pipe(NAME).from_bytes(nlp.get_pipe(NAME).to_bytes())
    assert again.progress.crossing == shares[2]
    worth = [worth_of_crossing(share) for share in [*shares, None]]
    assert worth == sorted(worth) and worth[-1] == float("inf")


@given(st.integers(0, 2**32), st.integers(1, 12))
def test_arcs_that_cross_are_counted(seed, n):
    heads = random_tree(n, numpy.random.default_rng(seed))
    absolute = [d if h < 0 else h for d, h in enumerate(heads)]
    doc = Doc(Vocab(), words=["x"] * n, heads=absolute, deps=["dep"] * n)
    _, found = survey([Example(Doc(doc.vocab, words=["x"] * n), doc)], lift=False)
    assert found == Progress(0, 0, n, n - 1, len(crossing_arcs(heads)))


# The host's ways of running a pipeline


def test_memory_zone():
    nlp = trained_parser()
    expected = arcs(nlp("the hare sleeps under an oak"))
    for zone in range(3):
        with nlp.memory_zone():
            doc = nlp(f"the hare sleeps under an oak qwx{zone}")
            check_doc(doc)
            assert arcs(nlp("the hare sleeps under an oak")) == expected
    assert arcs(nlp("the hare sleeps under an oak")) == expected
    assert all(label in nlp.vocab.strings for label in nlp.get_pipe(NAME).labels)


def test_read_only_weights():
    nlp = initialized()
    text = "the hare sleeps under an oak . rain !"
    expected = arcs(nlp(text))
    model = nlp.get_pipe(NAME).model
    # thinc's own HashEmbed, in the tok2vec, asks for writable tables
    for node in [*model.get_ref("scorer").walk(), *model.get_ref("boundaries").walk()]:
        for name in node.param_names:
            param = node.get_param(name).copy()
            param.flags.writeable = False
            node.set_param(name, param)
    assert arcs(nlp(text)) == expected
    nlp.get_pipe(NAME).add_label("vocative")
    check_doc(nlp(text))


def test_select_pipes():
    nlp = initialized()
    with nlp.select_pipes(disable=[NAME]):
        assert not nlp("rain !").has_annotation("DEP")
    check_doc(nlp("rain !"))


def test_projective_trees_are_projective():
    assert {name for name in SYSTEMS if not get_system(name).projective} == {
        "arc_swap",
        "covington",
        "covington_nonmonotonic",
    }
    assert len(PROJECTIVE) == len(CROSSING)
