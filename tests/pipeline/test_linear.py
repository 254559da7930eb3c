"""The component with the linear model: it learns, is saved, and reads what earlier components set."""

import copy
import pickle
from functools import cache
from pathlib import Path

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.training.initialize import init_nlp
from spacy.training.loop import train as train_loop
from spacy.util import load_config, load_model_from_config
from thinc.api import fix_random_seed

from spacy_nonmono.files import write_text
from spacy_nonmono.lexical.paths import PathsRow, paths_text
from spacy_nonmono.scoring.linear.model import STATES, WEIGHTS, shim_of
from spacy_nonmono.scoring.linear.template_sets import (
    COLLOCATION_TEMPLATES,
    FORM_TEMPLATES,
    default_templates,
    named_templates,
)

from .test_learning import CROSSING_TRAININGS, PROJECTIVE_SYSTEMS, check_learnt, check_survives
from .util import (
    CROSSING,
    FINE_GRAINED,
    LANG,
    NAME,
    PROJECTIVE,
    SOME_UNDERIVABLE,
    SYSTEMS,
    TEXTS,
    TRAININGS,
    arcs,
    bare,
    blank,
    check_doc,
    crosses,
    gold_doc,
    gold_examples,
    initialized,
    linear_config,
    model_of,
    overfitted,
    parses,
    train,
    words,
)

ROOT = Path(__file__).parents[2]
NEW = [(["rain", "sleeps"], [1, 1], ["nsubj", "ROOT"])]
LEARNERS = ["perceptron", "mira"]


def learnt(system="arc_eager_unshift", trees=PROJECTIVE, *, learner="perceptron", **settings):
    return overfitted(system, trees, model=linear_config(learner=learner), **settings)


@cache
def parser(system="arc_eager_unshift"):
    """One that tests leave as it is."""
    return learnt(system, CROSSING)


def untrained(system="arc_eager_unshift", trees=PROJECTIVE, **settings):
    return initialized(system, trees, model=linear_config(), **settings)


def without_vocab(nlp):
    return nlp.get_pipe(NAME).to_bytes(exclude=["vocab"])


# Learning


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize(("system", "oracle"), TRAININGS)
def test_projective_trees_are_learnt(system, oracle, learner):
    nlp = learnt(system, oracle=oracle, learner=learner)
    assert nlp.get_pipe(NAME).oracle.name == oracle
    check_learnt(nlp, PROJECTIVE)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize(("system", "oracle"), CROSSING_TRAININGS)
def test_crossing_trees_are_learnt(system, oracle, learner):
    check_learnt(learnt(system, CROSSING, oracle=oracle, learner=learner), CROSSING)


@SOME_UNDERIVABLE
@pytest.mark.parametrize("system", PROJECTIVE_SYSTEMS)
@pytest.mark.parametrize("oracle", [None, "static"])
def test_projective_systems_survive_crossing_trees(system, oracle):
    check_survives(learnt(system, CROSSING, oracle=oracle))


def test_lifted_arcs_are_put_back():
    nlp = learnt("arc_eager", CROSSING, projectivize="head")
    check_learnt(nlp, CROSSING)
    assert crosses(nlp(" ".join(CROSSING[0][0])))


@pytest.mark.parametrize(
    "exploration",
    [
        {"@misc": "spacy-nonmono.Exploration.v1", "k": 5, "p": 0.0},
        {"@misc": "spacy-nonmono.Exploration.v1", "k": 0, "p": 0.5},
        {"@misc": "spacy-nonmono.AnnealedExploration.v1", "k": 2, "steps": 10},
    ],
    ids=str,
)
def test_exploration(exploration):
    check_learnt(learnt(exploration=exploration), PROJECTIVE)


@pytest.mark.parametrize("system", ["arc_eager", "easy_first"])
def test_until_correct(system):
    model = linear_config(until_correct=True)
    policy = {"@misc": "spacy-nonmono.Exploration.v1", "k": 1, "p": 0.5, "unit": "passes"}
    check_learnt(overfitted(system, model=model, exploration=policy), PROJECTIVE)


def test_loss_counts_mistakes():
    nlp = untrained()
    examples = gold_examples(nlp, PROJECTIVE)
    first = train(nlp, examples, 1)
    assert first[NAME] > 0 and first[NAME] == int(first[NAME])
    assert train(nlp, examples, 20)[NAME] == 0


def test_one_seed_gives_one_parser():
    settings = {"exploration": {"@misc": "spacy-nonmono.Exploration.v1", "p": 0.5}}
    first, second, other = (
        without_vocab(learnt(seed=seed, **settings)) for seed in (1, 1, 2)
    )
    assert first == second != other


@pytest.mark.parametrize("docs", [[], [""], ["", ""]], ids=len)
@pytest.mark.parametrize("make", [initialized, untrained])
def test_no_words_train(make, docs):
    nlp = make()
    examples = [Example(nlp.make_doc(text), nlp.make_doc(text)) for text in docs]
    assert nlp.update(examples, sgd=nlp.create_optimizer(), losses={}) in ({}, {NAME: 0.0})


# Parsing


def test_no_weights_yet():
    nlp = blank(model=linear_config())
    with pytest.raises(ValueError, match=r"\[NM051\]"):
        nlp("rain !")
    assert len(nlp("")) == 0


@pytest.mark.parametrize("system", [*SYSTEMS, FINE_GRAINED])
def test_short_and_odd_docs(system):
    for nlp in (parser(system), untrained(system)):
        texts = ["", "rain", "rain !", " ", "", "  the hare \n\n sleeps . \t Rain !\n", "a b c"]
        docs = list(nlp.pipe(texts, batch_size=4))
        assert [doc.text for doc in docs] == texts
        for doc in docs:
            check_doc(doc, nlp.get_pipe(NAME).system.projective)
        starts = [True, False, None, True, False, False, False]
        doc = nlp(Doc(nlp.vocab, words=words(7), sent_starts=starts))
        check_doc(doc)
        assert [token.is_sent_start for token in doc if starts[token.i] is not None] == [
            start for start in starts if start is not None
        ]


@pytest.mark.parametrize("system", SYSTEMS)
def test_batches_do_not_change_the_parse(system):
    nlp = parser(system)
    texts = [" ".join(words(n, seed=n)) for n in range(30)]
    assert [arcs(doc) for doc in nlp.pipe(texts)] == [arcs(nlp(text)) for text in texts]


# Labels


@pytest.mark.parametrize("system", SYSTEMS)
def test_weights_survive_a_new_label(system):
    nlp = learnt(system)
    expected = parses(nlp)
    assert nlp.get_pipe(NAME).add_label("vocative") == 1
    assert parses(nlp) == expected
    tree_words, heads, _ = PROJECTIVE[-1]
    new = gold_examples(nlp, [(tree_words, heads, ["ROOT", "vocative"])])
    # It takes as long to outweigh the old label in the averages
    train(nlp, new + gold_examples(nlp, PROJECTIVE[:2]), 120)
    assert nlp("rain !")[1].dep_ == "vocative"


def test_initialize_twice():
    """Training starts anew."""
    nlp = learnt()
    nlp.initialize(lambda: gold_examples(nlp, PROJECTIVE))
    assert without_vocab(nlp) == without_vocab(untrained())


def test_no_labels():
    nlp = blank(model=linear_config())
    nlp.initialize()
    doc = nlp("foxes hunt mice .")
    check_doc(doc)
    assert {token.dep_ for token in doc} <= {"dep", "ROOT"}


# Saving


def test_an_untrained_parser_is_saved(tmp_path):
    blank(model=linear_config()).to_disk(tmp_path / "blank")
    with pytest.raises(ValueError, match=r"\[NM051\]"):
        spacy.load(tmp_path / "blank")("rain !")
    untrained().to_disk(tmp_path / "initialized")
    check_doc(spacy.load(tmp_path / "initialized")("rain !"))


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda obj: pickle.loads(pickle.dumps(obj))])
def test_pickle_and_copy(copied):
    nlp = parser("covington")
    again = copied(nlp)
    assert parses(again) == parses(nlp)
    pipe = copied(nlp.get_pipe(NAME))
    assert arcs(pipe(Doc(pipe.vocab, words=words(9)))) == arcs(nlp(" ".join(words(9))))
    model = model_of(nlp).copy()
    assert model.to_bytes() == model_of(nlp).to_bytes()
    expected = parses(nlp)
    train(again, gold_examples(again, NEW), 20)
    assert parses(nlp) == expected  # the copy has its own weights


def test_sourced_parser():
    nlp = spacy.blank(LANG)
    nlp.add_pipe(NAME, source=parser("covington"), name="borrowed")
    assert parses(nlp) == parses(parser("covington"))


def test_processes():
    nlp = parser("covington_nonmonotonic")
    texts = [" ".join(words(n, seed=n)) for n in range(9)]
    docs = nlp.pipe(texts, n_process=2, batch_size=2)
    assert [arcs(doc) for doc in docs] == [arcs(nlp(text)) for text in texts]


def test_averages_alone_are_saved():
    nlp = learnt()
    shim = shim_of(model_of(nlp))
    current = {name: shim.weights(name) for name in WEIGHTS}
    expected = parses(nlp)
    data = without_vocab(nlp)
    for _ in range(3):  # more passes without a mistake: other averages, the same current weights
        train(nlp, gold_examples(nlp, PROJECTIVE), 10)
    assert without_vocab(nlp) != data
    assert {name: shim.weights(name) for name in WEIGHTS} == current
    again = blank(model=linear_config())
    again.get_pipe(NAME).from_bytes(data)
    assert parses(again) == expected
    states = shim_of(model_of(again)).averages(STATES)
    n_bytes = sum(array.nbytes for array in (states.features, states.n_cells, states.cells))
    assert n_bytes < len(data) < 2 * n_bytes


@pytest.mark.parametrize("learner", LEARNERS)
def test_training_goes_on_after_loading(tmp_path, learner):
    learnt(learner=learner).to_disk(tmp_path)
    nlp = spacy.load(tmp_path)
    train(nlp, gold_examples(nlp, [*PROJECTIVE, *NEW]), 20)
    check_learnt(nlp, PROJECTIVE)
    assert arcs(nlp("rain sleeps")) == arcs(gold_doc(nlp, NEW))


def test_rare_features_are_left_out():
    sizes = []
    for min_updates in (0, 3, 9):
        model = linear_config(min_updates=min_updates)
        nlp = overfitted(model=model)
        check_doc(nlp(TEXTS[3]))
        shim = shim_of(model_of(nlp))
        sizes.append(len(shim.averages(STATES)))
        assert len(shim.weights(STATES)) >= sizes[0]  # training goes on with all of them
    assert sizes[0] > sizes[1] > sizes[2] > 0


# Settings


def test_parsers_that_were_saved_before_there_were_these_settings(tmp_path):
    parser().to_disk(tmp_path)
    config = (tmp_path / "config.cfg").read_text("utf8")
    for setting in ('unit = "updates"\n', "until_correct = false\n"):
        assert setting in config
        config = config.replace(setting, "")
    (tmp_path / "config.cfg").write_text(config, "utf8")
    assert parses(spacy.load(tmp_path)) == parses(parser())


def test_rehearse():
    nlp = learnt()
    examples = gold_examples(nlp, PROJECTIVE)
    assert nlp.get_pipe(NAME).rehearse(examples) == {NAME: 0.0}
    nlp.rename_pipe(NAME, "linear")
    sgd = nlp.resume_training()
    with pytest.raises(NotImplementedError, match=r"\[NM034\]"):
        nlp.rehearse(examples, sgd=sgd)
    with nlp.select_pipes(disable=["linear"]):
        nlp.rehearse(examples, sgd=sgd)


@pytest.mark.parametrize(
    ("setting", "code"),
    [
        ({"learner": "svm"}, "NM032.*'svm'.*perceptron, mira"),
        ({"word": "FORM"}, "NM033.*'FORM'"),
        ({"tag": "XPOS"}, "NM033.*'XPOS'"),
        ({"templates": ["S0.w", "N0.w S0.size"]}, "NM030.*'S0.size'"),
        ({"templates": ["S0.w N0.w", "N0.w S0.w"]}, "NM031"),
    ],
    ids=str,
)
def test_wrong_settings(setting, code):
    with pytest.raises(ValueError, match=code):
        blank(model=linear_config(**setting))


def test_groups_of_templates():
    """The names of all that a kind of system has are its default."""
    model = linear_config(templates=["S0.w N0.b", "forms", "collocations"])
    expected = ["S0.w N0.b", *FORM_TEMPLATES, *COLLOCATION_TEMPLATES]
    assert shim_of(model_of(blank(model=model))).settings.templates == expected
    groups = ["zhang_nivre", "forms", "brown", "collocations"]
    assert named_templates(groups) == default_templates("stack and buffer")


def test_settings_are_saved(tmp_path):
    model = linear_config(
        word="LOWER", tag="TAG", templates=["S0.w", "N0.w", "S0.p N0.p"], learner="mira"
    )
    nlp = overfitted(model=model)
    nlp.to_disk(tmp_path)
    again = spacy.load(tmp_path)
    assert shim_of(model_of(again)).settings.templates == model["templates"]
    assert parses(again) == parses(nlp)
    assert arcs(again("RAIN !")) == arcs(again("rain !"))


# What earlier components set

# Nothing but their tags tells these apart
TAGGED = {"NOUN VERB": [1, 1], "VERB NOUN": [0, 0]}


@Language.component("set_tags")
def set_tags(doc):
    """The tags are the tail of the text: `a a #NOUN #VERB`."""
    for token in doc:
        if token.text.isupper():
            token.pos_ = token.text
        elif token.i + 2 < len(doc):
            token.pos_ = doc[token.i + 2].text
    return doc


def tagged_example(nlp, tags, tag_words="aa aa"):
    heads = TAGGED[tags]
    given = [*tag_words.split(), *tags.split()]
    deps = ["nsubj" if head != i else "ROOT" for i, head in enumerate(heads)]
    root = heads[0]
    reference = Doc(
        nlp.vocab, words=given, heads=[*heads, root, root], deps=[*deps, "dep", "dep"]
    )
    return Example(bare(nlp, reference), reference)


def test_tags_of_an_earlier_component_are_used():
    nlp = blank(model=linear_config(templates=["S0.p N0.p", "S0.p", "N0.p", "N0.p N1.p N2.p"]))
    nlp.add_pipe("set_tags", first=True)
    examples = [tagged_example(nlp, tags) for tags in TAGGED]
    nlp.initialize(lambda: examples)
    sgd = nlp.create_optimizer()
    for _ in range(20):
        nlp.update(examples, sgd=sgd, annotates=["set_tags"])
    for tags in TAGGED:
        expected = tagged_example(nlp, tags, "never seen")
        doc = nlp(expected.predicted)
        assert arcs(doc) == arcs(expected.reference)


def test_no_tags():
    """Templates with tags do not fire, rather than all alike."""
    scores = model_of(parser()).predict([parser().make_doc("foxes hunt mice .")])
    assert "p" not in scores.columns and "w" in scores.columns
    shim = shim_of(model_of(parser()))
    assert not any(
        atom.endswith(".p") for name in shim.compiled(scores.columns).names for atom in name.split()
    )


def brown_pipeline(path):
    """Words of one cluster are subjects of those of the other, in either order."""
    fix_random_seed(0)
    nlp = blank(model=linear_config())
    nlp.add_pipe("brown_clusters", first=True)
    clusters = {"00101": ["ab", "cd", "ef"], "11010": ["gh", "ij", "kl"]}
    rows = [PathsRow(bits, word, 9) for bits, some in clusters.items() for word in some]
    write_text(path, paths_text(rows))
    nlp.config["initialize"]["components"]["brown_clusters"] = {"path": str(path)}
    pairs = [(subject, verb) for subject in ("ab", "cd") for verb in ("gh", "ij")]
    trees = [([subject, verb], [1, 1], ["nsubj", "ROOT"]) for subject, verb in pairs]
    trees += [([verb, subject], [0, 0], ["ROOT", "nsubj"]) for subject, verb in pairs]
    examples = gold_examples(nlp, trees)
    nlp.initialize(lambda: examples)
    train(nlp, examples, 20)
    return nlp


def test_clusters_of_a_pipeline_that_gives_another_component(tmp_path):
    """spaCy loads all of it into the vocab of the new one, which has no clusters."""
    other = brown_pipeline(tmp_path / "paths")
    other.add_pipe("sentencizer")
    other.to_disk(tmp_path / "nlp")
    parts = {"sentencizer": {"source": str(tmp_path / "nlp")}, NAME: {"factory": NAME}}
    parts[NAME] |= {"model": linear_config()}
    config = {"nlp": {"lang": LANG, "pipeline": list(parts)}, "components": parts}
    nlp = load_model_from_config(config, auto_fill=True)
    nlp.initialize(lambda: gold_examples(nlp, PROJECTIVE))
    columns = model_of(nlp).predict([nlp.make_doc("ab gh")]).columns
    assert "w" in columns and "b" not in columns


def test_clusters_of_unseen_words_are_used(tmp_path):
    nlp = brown_pipeline(tmp_path / "paths")
    for n_pass in range(2):
        assert [token.head.i for token in nlp("ef kl")] == [1, 1]
        assert [token.head.i for token in nlp("kl ef")] == [0, 0]
        docs = list(nlp.pipe(["", "ef kl", "", "zz"]))
        assert [len(doc) for doc in docs] == [0, 2, 0, 1]
        if n_pass == 0:
            nlp.to_disk(tmp_path / "nlp")
            nlp = spacy.load(tmp_path / "nlp")


# Commands


def test_config(tmp_path):
    config = load_config(
        ROOT / "configs" / "linear.cfg",
        overrides={
            "paths.train": str(ROOT / "assets" / "sample" / "dev.conllu"),
            "paths.dev": str(ROOT / "assets" / "sample" / "dev.conllu"),
            "corpora.train.limit": 40,
            "corpora.dev.limit": 20,
            "training.max_steps": 2,
            "training.eval_frequency": 1,
        },
        interpolate=True,
    )
    nlp = init_nlp(config)
    assert nlp.get_pipe(NAME).model.name == "linear_transition_parser"
    (tmp_path / "out").mkdir()
    train_loop(nlp, tmp_path / "out")
    trained = spacy.load(tmp_path / "out" / "model-best")
    assert trained.meta["performance"]["dep_uas"] > 0.2
    check_doc(trained("owls hunt mice ."))
