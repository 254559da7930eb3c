"""Committees: several models that learn by themselves and parse together."""

import pickle

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc
from thinc.api import fix_random_seed

from spacy_nonmono.lab.traces import trace
from spacy_nonmono.scoring.committee import CommitteeScores, decoder_arrays

from .util import (
    CROSSING,
    LISTENER,
    NAME,
    PROJECTIVE,
    TOK2VEC,
    arcs,
    blank,
    check_doc,
    committee_config,
    crosses,
    gold_examples,
    initialized,
    linear_config,
    model_config,
    overfitted,
    randomize,
    train,
    words,
)

SYSTEMS = ("covington_nonmonotonic", "arc_eager_unshift", "arc_standard")
# Other shapes than those of the other members
WIDER = model_config() | {"hidden_width": 48, "arc_width": 24, "recurrent_depth": 1}


def committee(n=2, system="covington_nonmonotonic", **models):
    """Settings of a committee."""
    return {"system": system, "model": committee_config(n, **models)}


def parts(nlp):
    return nlp.get_pipe(NAME).model.layers


def alone(nlp, number):
    """A pipeline with a member of a committee as its parser."""
    parser = nlp.get_pipe(NAME)
    one = initialized(parser.system.name, dep_scores=True)
    one.get_pipe(NAME).model.from_bytes(parts(nlp)[number].to_bytes())
    return one


# Scores


def state_scores(products, weights, rows, atoms):
    """Of the classes, in a state that sees a row of each position, and some atoms."""
    sums = weights["bias"] + weights["atoms"][atoms].sum(axis=0)
    products = np.concatenate(products, axis=2)
    sums = sums + products[np.arange(len(rows)), rows].sum(axis=0)
    return np.maximum(sums, 0) @ weights["out_W"].T + weights["out_b"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(st.integers(0, 2**32), st.integers(0, 12))
def test_scores_are_means(seed, n):
    """Of every state, of every arc and of every root."""
    nlp = initialized(**committee(2, wider=WIDER))
    randomize(nlp, seed % 1000, 0.3)
    model, rng = nlp.get_pipe(NAME).model, np.random.default_rng(seed)
    scores = model.predict([Doc(nlp.vocab, words=words(n, seed))])
    joint = decoder_arrays(model, scores)
    members = [decoder_arrays(*pair) for pair in zip(parts(nlp), scores.members, strict=True)]

    def check(score):
        expected = np.mean([score(*one) for one in members], axis=0)
        np.testing.assert_allclose(score(*joint), expected, rtol=1e-3, atol=1e-3)

    n_positions, n_rows, _ = joint[0][0].shape
    for _ in range(5):
        rows = rng.integers(0, n_rows, n_positions)
        atoms = rng.integers(0, len(joint[-1]["atoms"]), 4)
        check(lambda products, _, __, weights: state_scores(products, weights, rows, atoms))  # noqa: B023
    check(lambda _, heads, deps, weights: heads @ deps.T)
    check(lambda _, heads, deps, weights: deps @ weights["root"])
    check(lambda _, heads, deps, weights: weights["distance"])


def test_boundaries_are_means():
    class Scores:
        def __init__(self, *boundaries):
            self.boundaries = [np.array(each, "f") for each in boundaries]

    found = CommitteeScores([Scores([1.0, 3.0], [5.0]), Scores([3.0, -3.0], [0.0])]).boundaries
    assert [each.tolist() for each in found] == [[2.0, 0.0], [2.5]]


@pytest.mark.parametrize("system", SYSTEMS)
def test_members_that_agree(system):
    """A committee of the same model twice parses as this model does."""
    nlp = initialized(**committee(2, system), dep_scores=True)
    one = initialized(system, dep_scores=True)
    randomize(one, 7)
    for part in parts(nlp):
        part.from_bytes(one.get_pipe(NAME).model.to_bytes())
    for seed in range(5):
        text = " ".join(words(40, seed))
        doc, expected = nlp(text), one(text)
        assert arcs(doc) == arcs(expected)
        # A product of matrices may be rounded in another way where there are more columns
        scores = [t._.dep_score for t in expected]
        assert [t._.dep_score for t in doc] == pytest.approx(scores, rel=1e-5)


@pytest.mark.parametrize("system", SYSTEMS)
def test_scores_of_arcs(system):
    """Those of the members that find them, and that of all together, which is more than 0."""
    nlp = initialized(**committee(3, system), dep_scores=True)
    randomize(nlp, 3, 0.4)
    members = [alone(nlp, number) for number in range(3)]
    n_others = 0
    for seed in range(5):
        starts = [i % 8 == 0 for i in range(40)]
        docs = [Doc(each.vocab, words(40, seed), sent_starts=starts) for each in (nlp, *members)]
        doc, *found = [each(one) for each, one in zip((nlp, *members), docs, strict=True)]
        for i, arc in enumerate(arcs(doc)):
            agree = [one for one in found if arcs(one)[i] == arc]
            n_others += len(found) - len(agree)
            of_members = sum(one[i]._.dep_score for one in agree)
            assert 0 < doc[i]._.dep_score * (len(found) + 1) - of_members < 1 + 1e-5
    assert n_others > 0


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(st.integers(0, 1000), st.integers(0, 60), st.sampled_from(SYSTEMS))
def test_all_documents_become_trees(seed, n, system):
    nlp = initialized(**committee(2, system))
    randomize(nlp, seed)
    doc = nlp(Doc(nlp.vocab, words=[*words(n, seed), "\n"]))
    check_doc(doc, projective=nlp.get_pipe(NAME).system.projective)


# Training


@pytest.mark.parametrize("system", [*SYSTEMS, "arc_hybrid"])
def test_learns(system):
    nlp = overfitted(**committee(2, system))
    for words_, heads, deps in PROJECTIVE:
        doc = nlp(Doc(nlp.vocab, words=words_))
        assert [t.head.i for t in doc] == heads
        assert [t.dep_ for t in doc] == deps


def test_each_member_learns_as_it_does_alone(monkeypatch):
    monkeypatch.setattr(np.random, "randint", lambda *bounds: 7)  # the seeds of rollouts
    nlp = initialized(trees=CROSSING, **committee(2, "arc_eager_unshift"))
    one = initialized(trees=CROSSING)
    parts(nlp)[1].from_bytes(one.get_pipe(NAME).model.to_bytes())
    for each in (nlp, one):
        each.get_pipe(NAME).update(gold_examples(each, CROSSING))
    members = zip(parts(nlp)[1].walk(), one.get_pipe(NAME).model.walk(), strict=True)
    for found, expected in members:
        assert found.grad_names == expected.grad_names
        for name in expected.grad_names:
            np.testing.assert_allclose(
                found.get_grad(name), expected.get_grad(name), rtol=1e-4, atol=1e-5
            )


def test_pseudo_projective_parsing():
    """Lifted arcs are put back afterwards."""
    nlp = overfitted(trees=CROSSING, projectivize="head", **committee(2, "arc_eager_unshift"))
    words_, heads, deps = CROSSING[0]
    doc = nlp(Doc(nlp.vocab, words=words_))
    assert [t.head.i for t in doc] == heads and crosses(doc)
    assert [t.dep_ for t in doc] == deps


def test_listeners():
    """Members may listen to one tok2vec, and it learns from all."""
    members = {f"member{i}": model_config(LISTENER) for i in range(3)}
    fix_random_seed(0)
    nlp = blank(**committee(0, "arc_eager_unshift", **members))
    nlp.add_pipe("tok2vec", config={"model": TOK2VEC}, first=True)
    nlp.initialize(lambda: gold_examples(nlp, PROJECTIVE))
    before = nlp.get_pipe("tok2vec").model.to_bytes()
    train(nlp, gold_examples(nlp, PROJECTIVE), 40)
    assert nlp.get_pipe("tok2vec").model.to_bytes() != before
    doc = nlp(Doc(nlp.vocab, words=PROJECTIVE[0][0]))
    assert [t.head.i for t in doc] == PROJECTIVE[0][1]


def test_rehearsal_and_new_labels():
    nlp = overfitted(**committee())
    sgd = nlp.resume_training()
    assert nlp.get_pipe(NAME).add_label("new") == 1
    losses = nlp.rehearse(gold_examples(nlp, PROJECTIVE), sgd=sgd, losses={})
    assert losses[NAME] > 0
    doc = nlp(Doc(nlp.vocab, words=PROJECTIVE[0][0]))
    assert [t.head.i for t in doc] == PROJECTIVE[0][1]


# Saving


@pytest.fixture(scope="module")
def trained():
    return overfitted(trees=CROSSING, **committee(3))


def test_saved(trained, tmp_path):
    trained.to_disk(tmp_path)
    other = blank(**committee(3))
    other.from_disk(tmp_path)
    copy = pickle.loads(pickle.dumps(trained))
    texts = [" ".join(words(30, seed)) for seed in range(5)]
    expected = [arcs(doc) for doc in trained.pipe(texts)]
    for nlp in (other, copy):
        assert [arcs(doc) for doc in nlp.pipe(texts)] == expected
        assert [arcs(nlp(text)) for text in texts] == expected
    assert [arcs(doc) for doc in trained.pipe(texts, n_process=2)] == expected
    copy.get_pipe(NAME).n_threads = 3
    assert [arcs(doc) for doc in copy.pipe(texts)] == expected


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        (committee(3, "arc_eager_unshift"), "NM059.*covington_nonmonotonic"),
        (committee(2), "NM037"),
        (committee(2, wider=WIDER), "NM037"),
        ({"system": "covington_nonmonotonic"}, "NM037"),
    ],
)
def test_other_parsers(trained, settings, code):
    data = trained.get_pipe(NAME).to_bytes(exclude=["vocab"])
    with pytest.raises(ValueError, match=f"NM058.*{code}"):
        blank(**settings).get_pipe(NAME).from_bytes(data, exclude=["vocab"])
    if "model" in settings:
        one = overfitted(settings["system"]).get_pipe(NAME).to_bytes(exclude=["vocab"])
        with pytest.raises(ValueError, match="NM037"):
            blank(**settings).get_pipe(NAME).from_bytes(one, exclude=["vocab"])


# Configs


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        (committee(1), "NM222"),
        (committee(0), "NM222"),
        (committee(1, linear=linear_config()), "NM223"),
        (committee(1, other=model_config() | {"collocates": True}), "NM223"),
        ({**committee(), "projectivize": "head"}, "NM053.*covington_nonmonotonic"),
    ],
)
def test_what_cannot_be(settings, code):
    with pytest.raises(ValueError, match=code):
        blank(**settings)


@pytest.mark.parametrize("system", SYSTEMS)
def test_derivations(system):
    """What a committee does step by step leads to the trees that it builds."""
    nlp = initialized(**committee(3, system))
    randomize(nlp, 5)
    parser = nlp.get_pipe(NAME)
    doc = nlp.make_doc(" ".join(words(12)))
    for token in doc:
        token.is_sent_start = token.i == 0
    ((derivation,),) = parser.derivations([doc])
    assert derivation.n_words == len(doc)
    (found,) = trace(nlp, doc)
    assert found.system == system
    parsed = parser(doc.copy())
    check_doc(parsed)
    assert list(found.heads) == [-1 if t.head.i == t.i else t.head.i for t in parsed]
