"""Pseudo-projective parsing: crossing arcs are lifted for training and put back in the parse."""

from pathlib import Path

import numpy
import pytest
import spacy
from spacy.pipeline._parser_internals import nonproj
from spacy.tokens import Doc, DocBin
from spacy.training import Example
from spacy.util import load_config

from spacy_nonmono import get_oracle, get_system
from spacy_nonmono.pipeline.gold import (
    ROOT,
    lift_arcs,
    read_annotation,
    read_gold,
)
from spacy_nonmono.pipeline.sentences import lower_arcs
from spacy_nonmono.shapes import UNKNOWN_HEAD
from spacy_nonmono.tokens.projectivity import crossing_arcs
from spacy_nonmono.treebank.corpus import create_conllu_corpus

from .test_training import CONFIG, spacy_command
from .util import (
    CROSSING,
    LANG,
    NAME,
    PROJECTIVE,
    SYSTEMS,
    Tree,
    arcs,
    bare,
    blank,
    check_doc,
    crosses,
    gold_doc,
    gold_examples,
    initialized,
    overfitted,
    parser_config,
    train,
)

PROJECTIVE_SYSTEMS = [name for name in SYSTEMS if get_system(name).projective]
SAMPLE = Path(__file__).parents[2] / "assets" / "sample"
# The label of wolves -> report, lifted to arrived
LIFTED = "nmod||nsubj"
# had -> proof is lifted to said; so are proof -> of and of -> what, whose heads are lifted themselves
NESTED: Tree = (
    ["what", "proof", "he", "said", "she", "had", "of"],
    [6, 5, 3, 3, 5, 3, 1],
    ["obj", "dobj", "nsubj", "ROOT", "subj", "ccomp", "case"],
)


def lifted(nlp, tree: Tree) -> tuple[list[int], dict[int, str]]:
    (example,) = gold_examples(nlp, [tree])
    heads, labels = lift_arcs(*read_annotation(example), nlp.vocab.strings)
    return heads.tolist(), labels


# Lifting


def test_a_crossing_arc_is_lifted():
    heads, labels = lifted(spacy.blank(LANG), CROSSING[0])
    assert heads == [1, 2, ROOT, 2, 5, 2, 2]
    assert labels == {5: LIFTED}


@pytest.mark.parametrize("tree", PROJECTIVE, ids=str)
def test_a_projective_tree_stays(tree):
    heads, labels = lifted(spacy.blank(LANG), tree)
    assert [i if head == ROOT else head for i, head in enumerate(heads)] == tree[1]
    assert labels == {}


def test_a_lifted_word_keeps_the_label_of_a_head_that_is_lifted_too():
    heads, labels = lifted(spacy.blank(LANG), NESTED)
    assert not crossing_arcs(heads)
    assert labels == {0: "obj||case", 1: "dobj||ccomp", 6: "case||dobj"}


def test_sentences_of_a_document_are_lifted_alone():
    nlp = spacy.blank(LANG)
    (example,) = gold_examples(nlp, [PROJECTIVE[2], CROSSING[0], PROJECTIVE[2]], together=True)
    heads, labels = lift_arcs(*read_annotation(example), nlp.vocab.strings)
    assert heads.tolist() == [ROOT, 0, 3, 4, ROOT, 4, 7, 4, 4, ROOT, 9]
    assert labels == {7: LIFTED}


@pytest.mark.parametrize(
    ("case", "heads"),
    [
        ("an unknown head", [1, 2, ROOT, UNKNOWN_HEAD, 5, 1, 2]),
        ("no root", [1, 2, 5, 2, 5, 1, 2]),
        ("two roots", [1, 2, ROOT, ROOT, 5, 1, 2]),
        ("a cycle", [1, 5, ROOT, 2, 5, 1, 2]),
        ("a head elsewhere", [1, 2, ROOT, 7, 5, 1, 2]),
    ],
)
def test_what_is_no_tree_stays(case, heads):
    nlp = spacy.blank(LANG)
    heads = numpy.array([*heads, ROOT], dtype="i")
    deps = numpy.full((8,), nlp.vocab.strings.add("x"), dtype="uint64")
    starts = numpy.array([1, *[-1] * 6, 1], dtype="i")
    found, labels = lift_arcs(heads, deps, starts, nlp.vocab.strings)
    assert found.tolist() == heads.tolist() and labels == {}


def test_no_words_are_lifted():
    nlp = spacy.blank(LANG)
    gold = read_gold(Example(nlp.make_doc(""), nlp.make_doc("")), {}, lift=True)
    assert [len(array) for array in gold[:3]] == [0, 0, 0] and gold.tags is None


def test_a_sentence_with_an_unknown_head_leaves_the_others_alone():
    nlp = spacy.blank(LANG)
    gold = gold_doc(nlp, [CROSSING[0], CROSSING[0]])
    gold[3].dep_ = ""
    heads, labels = lift_arcs(*read_annotation(Example(bare(nlp, gold), gold)), nlp.vocab.strings)
    assert heads.tolist() == [1, 2, ROOT, UNKNOWN_HEAD, 5, 1, 2, 8, 9, ROOT, 9, 12, 9, 9]
    assert labels == {12: LIFTED}


def test_lifted_gold_has_the_ids_of_decorated_labels():
    nlp = spacy.blank(LANG)
    (example,) = gold_examples(nlp, CROSSING[:1])
    ids = {nlp.vocab.strings.add(label): i for i, label in enumerate(["nmod", LIFTED, "nsubj"])}
    assert read_gold(example, ids).labels.tolist() == [-1, 2, -1, -1, -1, 0, -1]
    assert read_gold(example, ids, lift=True).labels.tolist() == [-1, 2, -1, -1, -1, 1, -1]
    del ids[nlp.vocab.strings[LIFTED]]
    gold = read_gold(example, ids, lift=True)
    assert (gold.heads[5], gold.labels[5]) == (2, 0)


# Putting back


def put_back(heads, deps: list[int], head_deps: list[int]) -> list[int]:
    own = numpy.arange(len(heads))
    relative = numpy.array(heads, dtype="i") - own
    found = lower_arcs(relative, numpy.array(deps), numpy.array(head_deps))
    assert found.dtype == relative.dtype
    return (found + own).tolist()


@pytest.mark.parametrize(
    ("case", "head_deps", "expected"),
    [
        ("nothing lifted", [0, 0, 0, 0, 0], [0, 0, 1, 0, 0]),
        ("to a sister", [0, 0, 0, 0, 5], [0, 0, 1, 0, 3]),
        ("first by levels", [0, 0, 0, 0, 6], [0, 0, 1, 0, 1]),
        ("then below", [0, 0, 0, 0, 7], [0, 0, 1, 0, 2]),
        ("no such label", [0, 0, 0, 0, 9], [0, 0, 1, 0, 0]),
        ("not to itself", [0, 0, 0, 0, 8], [0, 0, 1, 0, 0]),
        ("not below itself", [0, 7, 0, 0, 0], [0, 0, 1, 0, 0]),
        ("a root", [5, 0, 0, 0, 0], [0, 0, 1, 0, 0]),
    ],
)
def test_first_word_with_the_label(case, head_deps, expected):
    # 0 heads 1, 3 and 4; 1 heads 2
    assert put_back([0, 0, 1, 0, 0], [1, 6, 7, 5, 8], head_deps) == expected


def test_two_words_that_keep_each_others_labels_make_no_cycle():
    assert put_back([0, 0, 0], [1, 5, 6], [0, 6, 5]) == [0, 2, 0]


def test_nested_lifting_is_undone():
    nlp = spacy.blank(LANG)
    (example,) = gold_examples(nlp, [NESTED])
    assert round_trip(example) == (3, 3)


def round_trip(example) -> tuple[int, int]:
    """How many arcs were lifted, and how many of them are put back where they were."""
    strings = example.reference.vocab.strings
    gold, deps, starts = read_annotation(example)
    heads, labels = lift_arcs(gold, deps, starts, strings)
    own = numpy.arange(len(heads))
    head_deps = numpy.zeros_like(deps)
    for word, label in labels.items():
        dep, head_dep = nonproj.decompose(label)
        assert dep == strings[int(deps[word])]
        head_deps[word] = strings[head_dep]
    for start, end in zip(*sentence_bounds(starts), strict=True):
        assert not crossing_arcs([max(head - start, -1) for head in heads[start:end].tolist()])
    found = lower_arcs(numpy.where(heads < 0, 0, heads - own), deps, head_deps) + own
    right = found == numpy.where(gold < 0, own, gold)
    assert all(right[word] for word in range(len(own)) if word not in labels)
    return len(labels), int(right[list(labels)].sum())


def sentence_bounds(starts):
    firsts = numpy.flatnonzero(starts > 0).tolist()
    return firsts, [*firsts[1:], len(starts)]


def test_round_trip_of_the_sample_treebank():
    nlp = spacy.blank(LANG)
    counts = [round_trip(eg) for eg in create_conllu_corpus(SAMPLE / "dev.conllu")(nlp)]
    n_lifted, n_back = numpy.sum(counts, axis=0)
    # Two heads are not the first words with their label
    assert (n_lifted, n_back) == (77, 75)


@pytest.mark.parametrize("name", PROJECTIVE_SYSTEMS)
def test_lifted_trees_of_the_sample_treebank_are_built(name):
    system = get_system(name)
    oracle = get_oracle("static", system)
    nlp = spacy.blank(LANG)
    n_trees = 0
    for example in create_conllu_corpus(SAMPLE / "dev.conllu", n_sents=1)(nlp):
        heads, labels = lift_arcs(*read_annotation(example), nlp.vocab.strings)
        if not labels or n_trees == 15:
            continue
        n_trees += 1
        gold = heads.tolist()
        state = system.initial_state(len(gold))
        while not state.is_final:
            (move,) = oracle.optimal(state, gold)
            system.apply(state, move)
        assert system.heads(state) == gold
    assert n_trees == 15


def test_as_the_host_does_where_one_arc_is_lifted():
    nlp = spacy.blank(LANG)
    n_docs = 0
    for example in create_conllu_corpus(SAMPLE / "dev.conllu", n_sents=1)(nlp):
        heads, deps, starts = read_annotation(example)
        heads, labels = lift_arcs(heads, deps, starts, nlp.vocab.strings)
        if len(labels) != 1:
            continue
        n_docs += 1
        deco = [labels.get(token.i, token.dep_) for token in example.reference]
        heads = numpy.where(heads < 0, numpy.arange(len(heads)), heads)
        doc = Doc(nlp.vocab, words=[t.text for t in example.x], heads=heads.tolist(), deps=deco)
        nonproj.deprojectivize(doc)
        head_deps = [nlp.vocab.strings.as_int(nonproj.decompose(label)[1]) for label in deco]
        assert put_back(heads, deps.tolist(), head_deps) == [token.head.i for token in doc]
    assert n_docs > 20


# The component


@pytest.mark.parametrize("value", ["heads", "", "NONE", "path"])
def test_unknown_value(value):
    with pytest.raises(ValueError, match=r"\[NM052\].*none, head"):
        blank(projectivize=value)


@pytest.mark.parametrize("system", sorted(set(SYSTEMS) - set(PROJECTIVE_SYSTEMS)))
def test_systems_that_build_crossing_arcs_lift_nothing(system):
    with pytest.raises(ValueError, match=rf"\[NM053\].*{system}"):
        blank(system, projectivize="head")
    blank(system, projectivize="none")


def test_nothing_is_lifted_by_default():
    nlp = initialized(trees=CROSSING)
    assert nlp.get_pipe(NAME).projectivize == "none"
    assert nlp.config["components"][NAME]["projectivize"] == "none"
    assert LIFTED not in nlp.get_pipe(NAME).labels


def test_decorated_labels_are_collected():
    nlp = blank(projectivize="head")
    examples = gold_examples(nlp, PROJECTIVE) * 60 + gold_examples(nlp, CROSSING[:1])
    nlp.initialize(lambda: examples)
    labels = nlp.get_pipe(NAME).labels
    assert {label for label in labels if "||" in label} == {LIFTED}
    assert "nmod" in labels and list(labels) == sorted(labels)


@pytest.mark.parametrize("system", PROJECTIVE_SYSTEMS)
def test_crossing_arcs_are_learnt(system):
    nlp = overfitted(system, CROSSING, projectivize="head")
    gold = gold_doc(nlp, CROSSING)
    assert crosses(gold)
    doc = nlp(bare(nlp, gold))
    check_doc(doc)
    assert arcs(doc) == arcs(gold)
    doc = nlp(bare(nlp, gold_doc(nlp, CROSSING[:1])))
    assert crosses(doc) and arcs(doc) == arcs(gold)[:7]


def test_crossing_arcs_are_not_learnt_without_lifting():
    nlp = overfitted("arc_eager_unshift", CROSSING)
    doc = nlp(bare(nlp, gold_doc(nlp, CROSSING)))
    check_doc(doc, projective=True)


def test_nested_lifting_is_learnt():
    nlp = overfitted(trees=[NESTED], projectivize="head")
    gold = gold_doc(nlp, [NESTED])
    assert arcs(nlp(bare(nlp, gold))) == arcs(gold)


def test_a_static_oracle_derives_lifted_trees():
    nlp = overfitted("arc_eager", CROSSING, oracle="static", projectivize="head")
    gold = gold_doc(nlp, CROSSING[:1])
    assert arcs(nlp(bare(nlp, gold))) == arcs(gold)


def test_scores_see_no_decorated_label():
    nlp = overfitted(trees=CROSSING, projectivize="head")
    scores = nlp.evaluate(gold_examples(nlp, CROSSING))
    assert scores["dep_las"] == 1.0
    assert "nmod" in scores["dep_las_per_type"]
    assert not any("||" in label for label in scores["dep_las_per_type"])


@pytest.mark.parametrize("label", ["x||y", "x||", "||y", "||", "x||y||z", "x||ROOT"])
def test_no_decorated_label_reaches_a_doc(label):
    nlp = blank(projectivize="head")
    pipe = nlp.get_pipe(NAME)
    pipe.add_label(label)
    pipe.initialize(lambda: gold_examples(nlp, PROJECTIVE), nlp=nlp, labels=[])
    doc = nlp("foxes and owls hunt mice . rain !")
    check_doc(doc)
    assert {token.dep_ for token in doc} <= {label.partition("||")[0] or "dep", "ROOT"}


def test_wild_parsers_make_trees():
    nlp = initialized(trees=CROSSING, projectivize="head")
    pipe = nlp.get_pipe(NAME)
    for label in ("det||nmod", "nmod||nmod", "nmod||det||nsubj", "case||gone"):
        pipe.add_label(label)
    rng = numpy.random.RandomState(0)
    scorer = pipe.model.get_ref("scorer")
    for _ in range(20):
        for name in ("atoms", "bias", "out_W", "out_b"):
            scorer.set_param(name, rng.normal(size=scorer.get_param(name).shape).astype("f"))
        doc = nlp(" ".join(["hare", "fox", "owl", "rain", "the"] * 8))
        check_doc(doc)
        assert not any("||" in token.dep_ for token in doc)


def test_given_labels_without_the_decorated_ones():
    nlp = blank(projectivize="head")
    pipe = nlp.get_pipe(NAME)
    labels = sorted({label for _, _, labels in CROSSING for label in labels} - {"ROOT"})
    pipe.initialize(lambda: gold_examples(nlp, CROSSING), nlp=nlp, labels=labels)
    train(nlp, gold_examples(nlp, CROSSING), 40)
    doc = nlp(bare(nlp, gold_doc(nlp, CROSSING[:1])))
    # What cannot be lifted with its label is lifted without
    assert (doc[5].head.i, doc[5].dep_) == (2, "nmod")


def test_label_data_holds_the_decorated_labels():
    data = initialized(trees=CROSSING, projectivize="head").get_pipe(NAME).label_data
    assert LIFTED in data
    nlp = blank(projectivize="head")
    nlp.config["initialize"]["components"][NAME] = {"labels": data}
    nlp.initialize(lambda: gold_examples(nlp, PROJECTIVE))
    assert nlp.get_pipe(NAME).label_data == data


def test_partial_trees_train():
    nlp = initialized(trees=CROSSING, projectivize="head")
    gold = gold_doc(nlp, CROSSING)
    for i in (3, 9):
        gold[i].dep_ = ""
    losses = train(nlp, [Example(bare(nlp, gold), gold)], 3)
    assert numpy.isfinite(losses[NAME])
    check_doc(nlp(bare(nlp, gold)))


def test_misaligned_tokens_train():
    nlp = initialized(trees=CROSSING, projectivize="head")
    gold = gold_doc(nlp, CROSSING[:1])
    text = "".join(token.text for token in gold)
    gold = Doc(
        nlp.vocab,
        words=[token.text for token in gold],
        spaces=[False] * 7,
        heads=[token.head.i for token in gold],
        deps=[token.dep_ for token in gold],
    )
    merged = ["areport", "arrived", "yesterday", "about", "wolves", "."]
    predicted = Doc(nlp.vocab, words=merged, spaces=[False] * 6)
    assert predicted.text == text
    losses = train(nlp, [Example(predicted, gold)], 3)
    assert numpy.isfinite(losses[NAME])


def test_saved_and_loaded(tmp_path):
    nlp = overfitted(trees=CROSSING, projectivize="head")
    gold = gold_doc(nlp, CROSSING[:1])
    nlp.to_disk(tmp_path)
    for again in (spacy.load(tmp_path), spacy.load(tmp_path, exclude=["vocab"])):
        pipe = again.get_pipe(NAME)
        assert pipe.projectivize == "head"
        assert pipe.labels == nlp.get_pipe(NAME).labels
        doc = again(bare(again, gold))
        assert arcs(doc) == arcs(gold)
        assert all(token.dep_ in again.vocab.strings for token in doc)


def test_spacy_trains_it(tmp_path):
    nlp = spacy.blank(LANG)
    path = tmp_path / "tiny.spacy"
    DocBin(docs=[gold_doc(nlp, [tree]) for tree in CROSSING]).to_disk(path)
    config = spacy.util.Config().from_str(CONFIG, interpolate=False)
    config["components"][NAME].update(parser_config(projectivize="head"))
    reader = {"@readers": "spacy.Corpus.v1", "path": str(path)}
    config["corpora"] = {"train": reader, "dev": reader}
    config.to_disk(tmp_path / "short.cfg")
    spacy_command("init", "fill-config", tmp_path / "short.cfg", tmp_path / "full.cfg")
    assert load_config(tmp_path / "full.cfg")["components"][NAME]["projectivize"] == "head"
    out = tmp_path / "out"
    spacy_command("train", tmp_path / "full.cfg", "--output", out, "--training.max_steps", 60)
    trained = spacy.load(out / "model-best")
    assert trained.meta["performance"]["dep_las"] > 0.9
    assert LIFTED in trained.meta["labels"][NAME]
    assert not any("||" in label for label in trained.meta["performance"]["dep_las_per_type"])
