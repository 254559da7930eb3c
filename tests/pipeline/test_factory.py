"""The factory, its config, and the registered names."""

import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
import spacy
from spacy.cli.package import get_third_party_dependencies
from spacy.language import Language
from spacy.util import load_model_from_config, registry
from thinc.api import Config

from spacy_nonmono.pipeline.parser import NonmonoParser

from .util import (
    FINE_GRAINED,
    LISTENER,
    NAME,
    PROJECTIVE,
    SYSTEMS,
    TOK2VEC,
    TRAININGS,
    blank,
    check_doc,
    gold_examples,
    model_config,
    parser_config,
    system_config,
    train,
)

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SYSTEM_NAMES = {
    "arc_eager",
    "arc_eager_tree_constrained",
    "arc_eager_repair",
    "arc_eager_unshift",
    "arc_eager_distinct_unshift",
    "covington",
    "covington_nonmonotonic",
    "arc_standard",
    "arc_hybrid",
    "arc_swap",
    "easy_first",
    "yamada_matsumoto",
}
# What configuration files name. What a name stands for never changes: a new version is added.
ENTRY_POINTS = {
    "spacy_factories": {
        *("nonmono_parser", "ud_noun_chunks", "brown_clusters", "collocations", "multiword_tokens"),
    },
    "spacy_architectures": {
        "spacy-nonmono.TransitionParser.v2",
        "spacy-nonmono.RecurrentEncoder.v1",
        "spacy-nonmono.Committee.v1",
        "spacy-nonmono.LinearTransitionParser.v1",
        "spacy-nonmono.Tok2Vec.v1",
        "spacy-nonmono.MultiHashEmbed.v1",
    },
    "spacy_readers": {
        "spacy-nonmono.AnnotatedCorpus.v1",
        "spacy-nonmono.ConlluCorpus.v1",
        "spacy-nonmono.MixedCorpus.v1",
    },
    "spacy_misc": {
        "spacy-nonmono.System.v1",
        "spacy-nonmono.ArcEager.v1",
        "spacy-nonmono.ArcEagerTreeConstrained.v1",
        "spacy-nonmono.ArcEagerRepair.v1",
        "spacy-nonmono.ArcEagerUnshift.v1",
        "spacy-nonmono.ArcEagerDistinctUnshift.v1",
        "spacy-nonmono.Covington.v1",
        "spacy-nonmono.CovingtonNonmonotonic.v1",
        "spacy-nonmono.ArcStandard.v1",
        "spacy-nonmono.ArcHybrid.v1",
        "spacy-nonmono.ArcSwap.v1",
        "spacy-nonmono.EasyFirst.v1",
        "spacy-nonmono.YamadaMatsumoto.v1",
        "spacy-nonmono.Exploration.v1",
        "spacy-nonmono.AnnealedExploration.v1",
    },
    "spacy_callbacks": {"spacy-nonmono.CopyTok2Vec.v1"},
    "thinc_optimizers": {"spacy-nonmono.Adam.v1"},
    "spacy_loggers": {"spacy-nonmono.SpeedLogger.v1"},
    "spacy_cli": {"nonmono", "nonmono_lab"},
    "spacy_nonmono_systems": SYSTEM_NAMES,
    "spacy_nonmono_oracles": {*SYSTEM_NAMES, "covington_nonmonotonic.exact"},
    "spacy_nonmono_learners": {"committee", "transition_parser", "linear_transition_parser"},
}
NAMES = [(group, name) for group, names in ENTRY_POINTS.items() for name in sorted(names)]


def test_entry_points_are_pinned():
    path = Path(__file__).parents[2] / "pyproject.toml"
    declared = tomllib.loads(path.read_text("utf8"))["project"]["entry-points"]
    assert {group: set(names) for group, names in declared.items()} == ENTRY_POINTS


@pytest.mark.parametrize(("group", "name"), NAMES)
def test_every_entry_point_is_installed_and_loads(group, name):
    (entry_point,) = metadata.distribution("spacy-nonmono").entry_points.select(
        group=group, name=name
    )
    loaded = entry_point.load()
    assert callable(loaded) or all(callable(make) for make in loaded.values())


@pytest.mark.parametrize(
    ("group", "name"),
    [
        row
        for row in NAMES
        if not row[0].startswith("spacy_nonmono") and row[0] not in ("spacy_factories", "spacy_cli")
    ],
)
def test_registry_finds_every_name(group, name):
    kind = group.split("_", 1)[1]
    assert callable(getattr(registry, kind).get(name))
    # As `spacy package` does for every name in a config
    assert registry.find(kind, name)["module"].split(".")[0] == "spacy_nonmono"


def test_packages_of_pipelines_require_this_one():
    nlp = spacy.blank("xx")
    nlp.add_pipe("nonmono_parser")
    (found,) = get_third_party_dependencies(nlp.config)
    assert found.startswith("spacy-nonmono>=")


def test_factory_is_found_without_an_import():
    code = (
        "import sys, spacy\n"
        "nlp = spacy.blank('en')\n"
        "pipe = nlp.add_pipe('nonmono_parser')\n"
        "print(type(pipe).__name__, nlp.pipe_names)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "NonmonoParser ['nonmono_parser']\n"


def test_factory_meta():
    meta = Language.get_factory_meta(NAME)
    assert set(meta.assigns) == {"token.dep", "token.head", "token.is_sent_start", "doc.sents"}
    assert not meta.requires
    assert meta.default_score_weights["dep_uas"] == 0.5
    assert meta.default_score_weights["dep_las"] == 0.5
    assert "dep_las_per_type" in meta.default_score_weights


def test_pipeline_analysis_finds_no_problem():
    analysis = blank().analyze_pipes()
    assert not analysis["problems"][NAME]
    assert NAME in analysis["attrs"]["doc.sents"]["assigns"]


def test_default_config_is_complete():
    nlp = spacy.blank("en")
    nlp.add_pipe(NAME)
    text = nlp.config.to_str()
    again = load_model_from_config(
        Config().from_str(text, interpolate=False), auto_fill=False, validate=True
    )
    assert again.config.to_str() == text
    assert isinstance(again.get_pipe(NAME), NonmonoParser)


def test_config_of_the_factory_alone_is_filled():
    config = {
        "nlp": {"lang": "en", "pipeline": ["p"]},
        "components": {"p": {"factory": NAME}},
    }
    nlp = load_model_from_config(config, auto_fill=True, validate=True)
    filled = nlp.config["components"]["p"]
    assert filled["system"] == {"@misc": "spacy-nonmono.CovingtonNonmonotonic.v1"}
    policy = {"@misc": "spacy-nonmono.Exploration.v1", "k": 0, "p": 1.0, "unit": "updates"}
    assert filled["exploration"] == policy
    assert filled["oracle"] is None
    assert filled["model"]["tok2vec"]["@architectures"] == "spacy-nonmono.Tok2Vec.v1"


def test_default_pipeline_trains_and_parses():
    nlp = spacy.blank("en")
    nlp.add_pipe(NAME)
    examples = gold_examples(nlp, PROJECTIVE)
    nlp.initialize(lambda: examples)
    first = train(nlp, examples, 1, rate=0.001)
    assert train(nlp, examples, 120, rate=0.001)[NAME] < first[NAME] / 10
    check_doc(nlp("foxes sleep under the oak. Rain!"))


@pytest.mark.parametrize("system", [*SYSTEMS, FINE_GRAINED])
@pytest.mark.parametrize("tok2vec", [TOK2VEC, LISTENER], ids=["own", "listener"])
def test_config_round_trip_of_every_system(system, tok2vec):
    nlp = blank(system, tok2vec=tok2vec, exploration=exploration(3, 0.5), max_distance=30)
    text = nlp.config.to_str()
    again = load_model_from_config(Config().from_str(text, interpolate=False), auto_fill=False)
    assert again.config.to_str() == text
    pipe = again.get_pipe(NAME)
    assert pipe.system.name == system.split()[0]
    assert system != FINE_GRAINED or pipe.system.fine_grained_shift
    assert (pipe.exploration.k, pipe.exploration.p) == (3, 0.5)


def exploration(k: int, p: float) -> dict:
    return {"@misc": "spacy-nonmono.Exploration.v1", "k": k, "p": p}


def test_exploration_follows_the_oracle_first():
    pipe = blank(exploration=exploration(2, 0.75)).get_pipe(NAME)
    assert [pipe.exploration.probability(n) for n in range(4)] == [0.0, 0.0, 0.75, 0.75]


@pytest.mark.parametrize("p", [0.0, 0.5])
def test_exploration_trains(p):
    nlp = blank(exploration=exploration(1, p))
    examples = gold_examples(nlp, PROJECTIVE)
    nlp.initialize(lambda: examples)
    train(nlp, examples, 3)
    assert nlp.get_pipe(NAME).progress.n_updates == 3


@pytest.mark.parametrize(("system", "oracle"), TRAININGS)
def test_oracle_by_name(system, oracle):
    nlp = blank(system, oracle=oracle)
    assert nlp.get_pipe(NAME).oracle.name == oracle
    assert nlp.config["components"][NAME]["oracle"] == oracle


@pytest.mark.parametrize("system", SYSTEMS)
def test_default_oracle(system):
    pipe = blank(system).get_pipe(NAME)
    assert pipe.oracle.name == next(oracle for name, oracle in TRAININGS if name == system)


@pytest.mark.parametrize(
    ("system", "oracle"), [("arc_eager_unshift", "oracular"), ("covington", "lower")]
)
def test_unknown_oracle(system, oracle):
    with pytest.raises(ValueError, match=r"\[NM002\]"):
        blank(system, oracle=oracle)


def test_unknown_setting():
    with pytest.raises(ValueError, match="speed"):
        spacy.blank("en").add_pipe(NAME, config={"speed": 11})


def test_component_can_be_made_without_a_config():
    nlp = spacy.blank("en")
    model = registry.resolve({"model": model_config()})["model"]
    system = registry.resolve({"system": system_config("arc_eager")})["system"]
    pipe = NonmonoParser(nlp.vocab, model, "mine", system=system)
    pipe.initialize(lambda: gold_examples(nlp, PROJECTIVE), nlp=nlp)
    check_doc(pipe(nlp("owls hunt")))
    assert pipe.name == "mine"


def test_two_parsers_in_one_pipeline():
    nlp = blank("arc_eager")
    nlp.add_pipe(NAME, name="second", config=parser_config("covington"))
    examples = gold_examples(nlp, PROJECTIVE)
    nlp.initialize(lambda: examples)
    assert set(train(nlp, examples, 2)) == {NAME, "second"}
    check_doc(nlp("owls hunt . the hare sleeps"))
