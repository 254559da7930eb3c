"""The parser with the component `collocations` in front of it."""

from itertools import pairwise
from types import SimpleNamespace

import numpy
import pytest
import spacy
from thinc.api import fix_random_seed

from spacy_nonmono.files import write_text
from spacy_nonmono.lexical.collocation_file import collocations_text
from spacy_nonmono.lexical.collocations import Collocations, Strength, make_pair
from spacy_nonmono.scoring.collocates import DocCollocations
from spacy_nonmono.scoring.linear.model import read_arrays, shim_of, write_arrays
from spacy_nonmono.scoring.neural.model import FOCUS, LEFT_OUT

from .util import (
    NAME,
    SYSTEMS,
    arcs,
    blank,
    check_doc,
    gold_doc,
    gold_examples,
    linear_config,
    model_config,
    model_of,
    train,
)

# Two sentences that differ in the last word alone, which these templates see as a collocate only
FAR = ["S0.w S0kr.w", "N0.w N0kr.w", "N0.w d", "S0.w d"]
FAR_TREES = [
    (["zz", "ab", *"abcde", "gh"], [1, 1, 1, 1, 1, 1, 1, 1], ["x", "ROOT", *"xxxxxx"]),
    (["zz", "ab", *"abcde", "ij"], [0, 0, 1, 1, 1, 1, 1, 1], ["ROOT", *"xxxxxxx"]),
]
LINEAR = linear_config(templates=FAR)
NEURAL = {**model_config(), "collocates": True}


def pipeline(model, path, system="arc_eager_unshift", nearer=None):
    """path: of a file to be written; None: no component `collocations`. nearer: a second collocate of
    "zz"."""
    fix_random_seed(0)
    nlp = blank(system, model=model)
    if path is not None:
        nlp.add_pipe("collocations", first=True)
        words = {("gh", "zz"): Strength(9, 5.0)}
        if nearer is not None:
            words[make_pair(nearer, "zz")] = Strength(9, 4.0)
        write_text(path, collocations_text(Collocations(words=words)))
        nlp.config["initialize"]["components"]["collocations"] = {"path": str(path)}
    nlp.initialize(lambda: gold_examples(nlp, FAR_TREES))
    return nlp


def parses(nlp):
    return [arcs(nlp(" ".join(tree[0]))) for tree in FAR_TREES]


def gold_parses(nlp):
    return [arcs(gold_doc(nlp, [tree])) for tree in FAR_TREES]


@pytest.mark.parametrize("path", ["collocations.tsv", None])
def test_linear_parser_learns_what_only_collocates_tell(tmp_path, path):
    nlp = pipeline(LINEAR, path and tmp_path / path)
    train(nlp, gold_examples(nlp, FAR_TREES), 30)
    assert (parses(nlp) == gold_parses(nlp)) == (path is not None)


@pytest.mark.parametrize("collocates", ["nearest", "all"])
def test_linear_parser_learns_what_only_a_further_collocate_tells(tmp_path, collocates):
    """The nearest one is "e" in both sentences."""
    nlp = pipeline({**LINEAR, "collocates": collocates}, tmp_path / "collocations.tsv", nearer="e")
    train(nlp, gold_examples(nlp, FAR_TREES), 30)
    assert (parses(nlp) == gold_parses(nlp)) == (collocates == "all")
    nlp.to_disk(tmp_path / "nlp")
    assert parses(spacy.load(tmp_path / "nlp")) == parses(nlp)
    nearest = {"components.nonmono_parser.model.collocates": "nearest"}
    if collocates == "all":
        with pytest.raises(ValueError, match=r"NM058.*NM037.*weights for the collocates"):
            spacy.load(tmp_path / "nlp", config=nearest)


def test_linear_weights_of_an_earlier_version(tmp_path):
    """They did not say which collocates they are for: it was the nearest ones."""
    nlp = pipeline(LINEAR, tmp_path / "collocations.tsv")
    train(nlp, gold_examples(nlp, FAR_TREES), 30)
    shim = shim_of(model_of(nlp))
    state, arrays = read_arrays(shim.to_bytes())
    assert state.pop("collocates") == ["nearest", 2]
    again = pipeline(LINEAR, tmp_path / "collocations.tsv")
    shim_of(model_of(again)).from_bytes(write_arrays(state, arrays))
    assert parses(again) == parses(nlp) == gold_parses(nlp)


@pytest.mark.parametrize(
    "setting", [{"collocates": "some"}, {"collocate_window": 3}, {"collocate_window": -1}], ids=str
)
def test_impossible_settings(setting):
    ((name, value),) = setting.items()
    with pytest.raises(ValueError, match=rf"NM174.*{name}.*{value}"):
        blank("arc_eager_unshift", model={**LINEAR, **setting})


@pytest.mark.parametrize("system", SYSTEMS)
def test_neural_parser_learns_with_collocates(tmp_path, system):
    nlp = pipeline(NEURAL, tmp_path / "collocations.tsv", system)
    train(nlp, gold_examples(nlp, FAR_TREES), 40)
    assert parses(nlp) == gold_parses(nlp)
    nlp.to_disk(tmp_path / "nlp")
    again = spacy.load(tmp_path / "nlp")
    assert parses(again) == parses(nlp)
    for text in ("", "zz", "gh x y z x y z zz ab c gh"):
        check_doc(again(text))


def test_neural_parser_sees_the_collocate(tmp_path):
    """The weights of the places of collocates count where there are some, and only there."""
    nlp = pipeline(NEURAL, tmp_path / "collocations.tsv")
    train(nlp, gold_examples(nlp, FAR_TREES), 40)
    positions = set(nlp.get_pipe(NAME).system.positions) - {*FOCUS, *LEFT_OUT}
    scorer = model_of(nlp).get_ref("scorer")
    n_others = scorer.get_dim("nF") - len(FOCUS)
    weights = scorer.get_param("others_W").reshape(n_others, -1)
    assert n_others == len(positions) + 4
    weights[-4:] *= -50
    (with_pair, without), gold = parses(nlp), gold_parses(nlp)
    assert with_pair != gold[0]
    assert without == gold[1]


def test_neural_parser_without_the_component():
    with pytest.raises(ValueError, match=r"NM035.*collocations"):
        pipeline(NEURAL, None)(FAR_TREES[0][0][0])


@pytest.mark.parametrize("model", [LINEAR, NEURAL], ids=["linear", "neural"])
def test_index_of_a_batch(tmp_path, model):
    nlp = pipeline(model, tmp_path / "collocations.tsv")
    scores = model_of(nlp).predict([nlp.make_doc(text) for text in ("zz a b gh zz", "", "a zz")])
    # Those of a sentence, numbered within it
    starts, partners = scores.collocations.index(numpy.array([5, 1, 1], dtype="i"))
    linked = [partners[start:end].tolist() for start, end in pairwise(starts)]
    assert linked == [[3], [], [], [0, 4], [3], [], []]


@pytest.mark.parametrize("model", [LINEAR, model_config()], ids=["linear", "neural"])
def test_no_index(model):
    nlp = pipeline(model, None)
    assert model_of(nlp).predict([nlp.make_doc("zz gh")]).collocations is None


def test_index_of_the_words_of_sentences():
    """Every sentence is looked up by itself, wherever it stands; collocates are numbered within it."""

    class Neighbours:
        def collocates(self, words, tags, *, all_pairs):
            assert all_pairs
            assert [word + "/" for word in words] == tags
            n = len(words)
            seen.append(words)
            return SimpleNamespace(
                starts=numpy.arange(n + 1, dtype="i"), partners=numpy.arange(n, dtype="i")[::-1]
            )

    seen = []
    words = list("abcdefg")
    found = DocCollocations(Neighbours(), words, [word + "/" for word in words], all_pairs=True)
    starts, partners = found.index(numpy.array([2, 1, 3, 1]))
    assert seen == [["a", "b"], ["c"], ["d", "e", "f"], ["g"]]
    assert starts.tolist() == list(range(8))
    assert partners.tolist() == [1, 0, 0, 2, 1, 0, 0]
