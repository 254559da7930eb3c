"""Committees: several models that learn together and vote on trees."""

import json
import pickle

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc
from thinc.api import fix_random_seed

from spacy_nonmono import get_system
from spacy_nonmono.decoding.votes import vote_heads
from spacy_nonmono.lab.traces import trace
from spacy_nonmono.pipeline.committee import CommitteeBatch
from spacy_nonmono.scoring.committee import CommitteeScores

from ..naive.trees import is_projective, is_tree
from ..training.treebank import projective_tree, random_tree
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

SYSTEMS = ("covington_nonmonotonic", "arc_eager_unshift")


def committee(n=2, system=SYSTEMS, **models):
    """Settings of a committee."""
    return {"system": system, "model": committee_config(n, **models)}


def parts(nlp):
    return nlp.get_pipe(NAME).model.layers


# Votes


class Member:
    """A batch that found some trees."""

    def __init__(self, heads, labels, scores):
        self.found = heads, labels, scores

    def parse(self, *, scores, worth):
        self.heads, self.labels, self.scores = self.found

    def arc_probs(self, heads):
        return np.zeros(heads.shape, "f")


@given(st.integers(0, 2**32), st.integers(1, 6), st.integers(2, 4))
def test_votes(seed, n, n_members):
    rng = np.random.default_rng(seed)
    heads = np.array([random_tree(n, rng) for _ in range(n_members)], "i")
    labels = np.where(heads < 0, -1, rng.integers(0, 2, heads.shape)).astype("i")
    scores = rng.random(heads.shape).astype("f")
    lengths = np.array([n], "i")
    system = get_system("arc_swap")
    members = list(map(Member, heads, labels, scores))
    batch = CommitteeBatch(members, [system] * n_members, lengths)
    batch.parse(scores=True)
    best, _ = vote_heads(system, lengths, heads, scores.astype("d"), np.zeros(heads.shape), 1.0)
    assert batch.heads.tolist() == best.tolist()
    for word in range(n):
        votes = {}
        for member in range(n_members):
            if heads[member, word] == batch.heads[word]:
                label = int(labels[member, word])
                votes[label] = votes.get(label, 0.0) + float(scores[member, word])
        assert votes[int(batch.labels[word])] == pytest.approx(max(votes.values()))
        assert batch.scores[word] == pytest.approx(max(votes.values()) / n_members)


@given(st.integers(0, 2**32), st.integers(1, 8), st.integers(2, 4))
def test_projective_members_have_a_projective_committee(seed, n, n_members):
    rng = np.random.default_rng(seed)
    heads = np.array([projective_tree(n, rng) for _ in range(n_members)], "i")
    scores = rng.random(heads.shape).astype("f")
    members = list(map(Member, heads, np.zeros(heads.shape, "i"), scores))
    systems = [get_system("arc_eager")] * n_members
    batch = CommitteeBatch(members, systems, np.array([n], "i"))
    batch.parse()
    assert is_projective(batch.heads.tolist()) and is_tree(batch.heads.tolist())
    for head, column in zip(batch.heads, heads.T, strict=True):
        assert head in column


def test_boundaries_are_means():
    class Scores:
        def __init__(self, *boundaries):
            self.boundaries = [np.array(each, "f") for each in boundaries]

    found = CommitteeScores([Scores([1.0, 3.0], [5.0]), Scores([3.0, -3.0], [0.0])]).boundaries
    assert [each.tolist() for each in found] == [[2.0, 0.0], [2.5]]


def test_members_that_agree():
    """A committee of the same model twice parses as this model does."""
    nlp = initialized(**committee(2, "arc_eager_unshift"))
    alone = initialized("arc_eager_unshift")
    randomize(alone, 7)
    for part in parts(nlp):
        part.from_bytes(alone.get_pipe(NAME).model.to_bytes())
    for parser in (nlp.get_pipe(NAME), alone.get_pipe(NAME)):
        parser.dep_scores = True
    for seed in range(5):
        text = " ".join(words(40, seed))
        doc, expected = nlp(text), alone(text)
        assert arcs(doc) == arcs(expected)
        assert [t._.dep_score for t in doc] == pytest.approx([t._.dep_score for t in expected])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(st.integers(0, 1000), st.integers(0, 60))
def test_all_documents_become_trees(seed, n):
    nlp = initialized(**committee())
    randomize(nlp, seed)
    doc = nlp(Doc(nlp.vocab, words=[*words(n, seed), "\n"]))
    check_doc(doc)


# Training


@pytest.mark.parametrize("system", [SYSTEMS, SYSTEMS[::-1], "arc_hybrid"])
def test_learns(system):
    nlp = overfitted(**committee(2, system))
    for words_, heads, deps in PROJECTIVE:
        doc = nlp(Doc(nlp.vocab, words=words_))
        assert [t.head.i for t in doc] == heads
        assert [t.dep_ for t in doc] == deps


def test_each_member_learns_as_it_does_alone(monkeypatch):
    monkeypatch.setattr(np.random, "randint", lambda *bounds: 7)  # the seeds of rollouts
    nlp = initialized(trees=CROSSING, **committee(2, "arc_eager_unshift"))
    alone = initialized(trees=CROSSING)
    parts(nlp)[1].from_bytes(alone.get_pipe(NAME).model.to_bytes())
    for one in (nlp, alone):
        one.get_pipe(NAME).update(gold_examples(one, CROSSING))
    members = zip(parts(nlp)[1].walk(), alone.get_pipe(NAME).model.walk(), strict=True)
    for found, expected in members:
        assert found.grad_names == expected.grad_names
        for name in expected.grad_names:
            np.testing.assert_allclose(
                found.get_grad(name), expected.get_grad(name), rtol=1e-4, atol=1e-5
            )


def test_pseudo_projective_parsing():
    """Lifted arcs are voted on, and put back afterwards."""
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
    return overfitted(trees=CROSSING, **committee(3, (*SYSTEMS, "arc_standard")))


def test_saved(trained, tmp_path):
    trained.to_disk(tmp_path)
    other = blank(**committee(3, (*SYSTEMS, "arc_standard")))
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
    assert [arcs(copy(text)) for text in texts] == expected


@pytest.mark.parametrize(
    "settings",
    [
        committee(3, (*SYSTEMS, "arc_hybrid")),
        committee(3, (*SYSTEMS[::-1], "arc_standard")),
        committee(2),
        {"system": "arc_standard"},
    ],
)
def test_other_systems(trained, settings):
    data = trained.get_pipe(NAME).to_bytes(exclude=["vocab"])
    with pytest.raises(ValueError, match=r"NM058.*NM059.*covington_nonmonotonic, arc_eager_unshift"):
        blank(**settings).get_pipe(NAME).from_bytes(data, exclude=["vocab"])
    alone = overfitted("arc_standard").get_pipe(NAME).to_bytes(exclude=["vocab"])
    if "model" in settings:
        with pytest.raises(ValueError, match="NM059"):
            blank(**settings).get_pipe(NAME).from_bytes(alone, exclude=["vocab"])


@pytest.mark.parametrize("members", [None, 3, [], [1, 2, 3], [{}, {}, {}], "abc"])
def test_damaged(trained, members, tmp_path):
    parser = trained.get_pipe(NAME)
    parser.to_disk(tmp_path)
    described = json.loads((tmp_path / "cfg").read_text())
    (tmp_path / "cfg").write_text(json.dumps({**described, "members": members}))
    other = blank(**committee(3, (*SYSTEMS, "arc_standard"))).get_pipe(NAME)
    with pytest.raises(ValueError, match="NM058"):
        other.from_disk(tmp_path)


# Configs


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        (committee(1, "arc_hybrid"), "NM222"),
        (committee(0, "arc_hybrid"), "NM222"),
        (committee(1, "arc_hybrid", linear=linear_config()), "NM223"),
        (committee(2, (*SYSTEMS, "arc_swap")), "NM224"),
        ({"system": SYSTEMS}, "NM224"),
        ({**committee(), "projectivize": "head"}, "NM053.*covington_nonmonotonic"),
    ],
)
def test_what_cannot_be(settings, code):
    with pytest.raises(ValueError, match=code):
        blank(**settings)


def test_members_by_themselves(trained):
    parser = trained.get_pipe(NAME)
    doc = trained.make_doc("the hare sleeps under an oak")
    for token in doc:
        token.is_sent_start = token.i == 0
    with pytest.raises(ValueError, match="NM225"):
        parser.derivations([doc])
    for number, system in enumerate((*SYSTEMS, "arc_standard")):
        member = parser.member(number)
        assert member.system.name == system and member.labels == parser.labels
        ((derivation,),) = member.derivations([doc])
        assert derivation.n_words == len(doc)
        check_doc(member(doc.copy()))
        (found,) = trace(trained, doc, member=number)
        assert found.system == system
        heads = [-1 if t.head.i == t.i else t.head.i for t in member(doc.copy())]
        assert list(found.heads) == heads
    for number in (-1, 3):
        with pytest.raises(ValueError, match="NM226"):
            parser.member(number)
