"""Configs from nothing: they are complete, they train, and those of the repository are made so."""

import re
import shlex
import sys
from itertools import product
from pathlib import Path

import catalogue
import pytest
import spacy
from spacy.training.initialize import init_nlp
from spacy.training.pretrain import get_tok2vec_ref
from spacy.util import load_config, load_model_from_config, registry
from thinc.api import Config

import spacy_nonmono.cli  # attaches its commands  # noqa: F401
from spacy_nonmono.recipes.config import GRAD_FACTOR, SCORERS, first_model, make_config, parser_config
from spacy_nonmono.recipes.text import config_text
from spacy_nonmono.registry import systems
from spacy_nonmono.transitions.registry import get_system
from spacy_nonmono.treebank.corpus import create_conllu_corpus
from tests.commands import nonmono, spacy_command

ROOT = Path(__file__).parents[2]
NAME = "nonmono_parser"
SAMPLE = ROOT / "assets" / "sample"
TINY = {
    "pretrained_vectors": None,
    "width": 8,
    "depth": 1,
    "embed_size": 50,
    "window_size": 1,
    "maxout_pieces": 2,
    "subword_features": False,
}
CONFIGS = sorted((ROOT / "configs").glob("*.cfg"))


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.name)
def test_configs_of_the_repository_are_made_by_the_command_that_they_name(path, monkeypatch):
    monkeypatch.chdir(ROOT)
    text = path.read_text("utf-8")
    line = re.search(r"^# +(python -m spacy nonmono init-config .*)$", text, flags=re.MULTILINE)
    words = shlex.split(line[1])
    assert words[5] == path.relative_to(ROOT).as_posix()
    made = nonmono("init-config", "-", *words[6:])
    assert made.exit_code == 0
    assert without_header(made.stdout) == without_header(text)


def without_header(text):
    return text[text.index("\n\n") :]


@pytest.mark.parametrize(
    ("scorer", "components", "parser"),
    [
        *product(SCORERS, [(), ("morphologizer",)], ["nonmono_parser"]),
        ("neural", (), "parser"),
        ("neural", ("morphologizer",), "parser"),
    ],
)
def test_config_is_complete_and_initializes(scorer, components, parser):
    config = make_config(lang="xx", scorer=scorer, components=components, parser=parser)
    text = config_text(config, ["A header"], parser=parser)
    assert Config().from_str(text, interpolate=False) == config
    # Nothing is left to fill in; spaCy rounds the weights of scores each time
    filled = load_model_from_config(config, auto_fill=True).config
    weights = [one["training"].pop("score_weights") for one in (filled, config)]
    assert filled == config
    assert set(weights[0]) == set(weights[1])
    config["paths"].update(train=str(SAMPLE / "train.conllu"), dev=str(SAMPLE / "dev.conllu"))
    config["corpora"]["train"]["limit"] = 5
    nlp = init_nlp(config)
    shared = ["tok2vec"] if components or scorer != "linear" else []
    assert nlp.pipe_names == [*shared, *components, parser, "multiword_tokens"]
    if shared:
        listening = [name for name in nlp.pipe_names if name not in ("tok2vec", "multiword_tokens")]
        listening = [name for name in listening if scorer != "linear" or name != parser]
        assert nlp.get_pipe("tok2vec").listening_components == listening


# Random weights may divide sentences in training, which the static oracle of arc_swap cannot derive then
@pytest.mark.filterwarnings(r"ignore:\[NM552\]")
@pytest.mark.parametrize("components", [(), ("morphologizer",)])
@pytest.mark.parametrize(
    ("members", "system", "expected"),
    [
        (2, None, "covington_nonmonotonic"),
        (3, "arc_swap", "arc_swap"),
    ],
)
def test_committees(members, system, expected, components, tmp_path):
    """The first member is the parser that there is without the others, which share nothing with it."""
    config = make_config(lang="xx", members=members, system=system, components=components)
    assert Config().from_str(config_text(config, [], parser=NAME), interpolate=False) == config
    alone = make_config(lang="xx", components=components)
    first, *others = config["components"][NAME]["model"]["*"].values()
    assert first == alone["components"][NAME]["model"]
    assert config["nlp"] == alone["nlp"] and config["training"] == alone["training"]
    config["paths"].update(train=str(SAMPLE / "train.conllu"), dev=str(SAMPLE / "dev.conllu"))
    config["corpora"]["train"]["limit"] = 5
    nlp = init_nlp(config)
    parser = nlp.get_pipe(NAME)
    assert parser.system.name == expected
    assert len(nlp.get_pipe("tok2vec").listener_map[NAME]) == 1
    examples = list(create_conllu_corpus(SAMPLE / "train.conllu", limit=2)(nlp))
    nlp.update(examples, losses={})
    nlp.to_disk(tmp_path)
    loaded = spacy.load(tmp_path)
    text = examples[0].reference.text
    assert loaded(text).to_json() == nlp(text).to_json()
    assert len(others) == members - 1


@pytest.mark.parametrize("members", [1, 2])
@pytest.mark.parametrize("owner", ["tok2vec", NAME])
def test_pretrained_vectors(owner, members, tmp_path):
    """A training begins with the vectors of `spacy pretrain`: of a component, of a parser, of the first
    member of a committee."""
    config = make_config(lang="xx", members=members)
    model = config["components"][NAME]["model"]
    first = model["*"]["member1"] if members > 1 else model
    own = {"@architectures": "spacy.HashEmbedCNN.v2", **TINY}
    if owner == NAME:
        first["tok2vec"] = own
        config["nlp"]["pipeline"].remove("tok2vec")
        del config["components"]["tok2vec"]
    else:
        config["components"]["tok2vec"]["model"] = own
        first["tok2vec"]["width"] = own["width"]
    config["paths"].update(train=str(SAMPLE / "train.conllu"), dev=str(SAMPLE / "dev.conllu"))
    config["corpora"]["train"]["limit"] = 5
    plain, filled, vectors = (tmp_path / name for name in ("plain.cfg", "filled.cfg", "vectors"))
    config.to_disk(plain)
    (tmp_path / "texts.jsonl").write_text('{"text": "The dog that barked sleeps."}\n')
    spacy_command("init", "fill-config", plain, filled, "--pretraining")
    config = load_config(filled)
    config["paths"]["raw_text"] = str(tmp_path / "texts.jsonl")
    layer = "tok2vec" if owner == NAME else ""
    config["pretraining"].update(component=owner, layer=layer, max_epochs=1)
    config.to_disk(filled)
    spacy_command("pretrain", filled, vectors)
    saved = vectors / "model-last.bin"
    config["paths"]["init_tok2vec"] = str(saved)
    found = get_tok2vec_ref(init_nlp(config), config["pretraining"])
    assert found.to_bytes() == saved.read_bytes()


def test_sections_are_in_the_order_of_the_pipeline():
    config = make_config(lang="xx", components=["morphologizer", "tagger"], members=2)
    text = config_text(config, [], parser="nonmono_parser")
    sections = re.findall(r"^\[(.+)\]$", text, flags=re.MULTILINE)
    components = [name.split(".")[1] for name in sections if name.startswith("components.")]
    assert list(dict.fromkeys(components)) == config["nlp"]["pipeline"]
    for i, name in enumerate(sections):
        parent = name.rpartition(".")[0].removesuffix(".*")
        assert "." not in name or parent in sections[:i]


def test_collocates_are_found_by_predicted_tags():
    for collocations, annotating in [(None, []), ("train", ["tok2vec", "morphologizer"])]:
        config = make_config(lang="xx", components=["morphologizer"], collocations=collocations)
        assert config["training"]["annotating_components"] == annotating


def test_linear_parser_reads_the_tags_that_are_predicted():
    for components, tag, annotating in [
        (["morphologizer"], "POS", ["tok2vec", "morphologizer"]),
        (["tagger"], "TAG", ["tok2vec", "tagger"]),
        (["tagger", "morphologizer"], "POS", ["tok2vec", "morphologizer"]),
    ]:
        config = make_config(lang="xx", scorer="linear", components=components)
        assert config["components"]["nonmono_parser"]["model"]["tag"] == tag
        assert config["training"]["annotating_components"] == annotating


def test_tables_and_vectors():
    config = make_config(lang="xx", vectors="vectors", brown="paths", collocations="pairs.tsv")
    assert config["nlp"]["pipeline"][:2] == ["brown_clusters", "collocations"]
    assert config["paths"]["brown_clusters"] == "paths"
    assert config["initialize"]["components"]["collocations"]["path"] == "${paths.collocations}"
    embed = config["components"]["tok2vec"]["model"]["embed"]
    assert embed["include_static_vectors"]
    assert embed["attrs"][-3:] == ["BROWN4", "BROWN6", "BROWN"]
    assert config["components"]["nonmono_parser"]["model"]["collocates"]


def test_collocations_of_the_training_data():
    config = make_config(lang="xx", scorer="linear", collocations="train")
    assert config["nlp"]["pipeline"] == ["collocations", "nonmono_parser", "multiword_tokens"]
    assert config["paths"]["collocations"] is None
    assert config["initialize"]["components"]["collocations"]["path"] == "${paths.collocations}"


def test_components_that_share_a_tok2vec_get_more_of_its_gradient():
    alone, shared, linear = (
        make_config(**settings)
        for settings in ({}, {"components": ["tagger"]}, {"scorer": "linear", "components": ["tagger"]})
    )
    models = [config["components"]["nonmono_parser"]["model"] for config in (alone, shared, linear)]
    assert [model.get("grad_factor") for model in models] == [1.0, GRAD_FACTOR, None]
    assert [config["training"]["dropout"] for config in (alone, shared)] == [0.2, 0.1]


def test_entities_need_spacys_reader_and_come_last():
    config = make_config(lang="xx", components=["ner", "tagger"])
    assert config["nlp"]["pipeline"] == ["tok2vec", "tagger", "nonmono_parser", "ner"]
    assert config["corpora"]["train"]["@readers"] == "spacy.Corpus.v1"


@pytest.mark.parametrize("name", sorted(systems.get_all()))
def test_every_system(name):
    if name == "swing":  # that of tests/outside
        return
    config = make_config(lang="xx", system=name)
    nlp = load_model_from_config(config)
    assert nlp.get_pipe("nonmono_parser").system.name == name


@pytest.fixture(params=["systems alone", "another name for configs"])
def registered(request):
    """A system that was registered in this process: its name, and the section that makes it."""
    name = "made_up"

    def make():
        return get_system("arc_hybrid")

    systems.register(name, func=make)
    section = {"@misc": "spacy-nonmono.System.v1", "name": name}
    if request.param != "systems alone":
        registry.misc.register("made-up.System.v1", func=make)
        section = {"@misc": "made-up.System.v1"}
    yield name, section
    catalogue.REGISTRY.pop((*systems.namespace, name))
    catalogue.REGISTRY.pop((*registry.misc.namespace, "made-up.System.v1"), None)


def test_a_system_that_is_registered_in_the_process(registered, tmp_path):
    """As `systems.register` does: the config loads, from the command line, too."""
    name, section = registered
    path = tmp_path / "config.cfg"
    result = nonmono("init-config", path, "--system", name)
    assert result.exit_code == 0, result.output
    config = load_config(path)
    assert config["components"]["nonmono_parser"]["system"] == section
    nlp = load_model_from_config(config, auto_fill=True)
    assert nlp.get_pipe("nonmono_parser").system.name == "arc_hybrid"


@pytest.mark.parametrize(
    ("choices", "code"),
    [
        ({"components": ["parser"]}, "NM180"),
        ({"scorer": "bogus"}, "NM180"),
        ({"scorer": "bogus", "parser": "parser"}, "NM180"),
        ({"parser": "bogus"}, "NM180"),
        ({"system": "unknown"}, "NM001"),
        ({"scorer": "linear", "vectors": "x"}, "NM181"),
        ({"scorer": "linear", "transformer": "x"}, "NM181"),
        ({"scorer": "linear", "members": 2}, "NM181"),
        ({"system": "arc_eager,arc_swap"}, "NM001"),
        ({"parser": "parser", "members": 2}, "NM181"),
        ({"transformer": "x", "brown": "y"}, "NM181"),
        ({"parser": "parser", "collocations": "y"}, "NM181"),
        ({"parser": "parser", "scorer": "linear"}, "NM181"),
    ],
)
def test_choices_that_cannot_be(choices, code):
    with pytest.raises(ValueError, match=code):
        make_config(**choices)


@pytest.mark.parametrize("members", [1, 2])
def test_layers_are_smaller_above_a_transformer(members):
    """Of whatever package. A tok2vec has not seen as much of a sentence."""

    def sizes(listener, scorer="neural"):
        model = parser_config(None, scorer, {"@architectures": listener}, members=members)["model"]
        models = list(model["*"].values()) if members > 1 else [model]
        return [(one["hidden_width"], one.get("recurrent_depth")) for one in models]

    for package in ("spacy-transformers.Transformer", "spacy-curated-transformers.LastTransformerLayer"):
        assert sizes(f"{package}Listener.v1") == [(192, 1)] * members
        assert sizes(f"{package}Listener.v1", "small") == [(128, 1)] * members
    assert sizes("spacy.Tok2VecListener.v1") == [(256, None)] * members


def test_a_transformer_needs_a_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "spacy_transformers", None)
    with pytest.raises(ImportError, match=r"NM183.*pip install spacy-transformers"):
        make_config(transformer="x")


def test_command_refuses_to_overwrite(tmp_path):
    path = tmp_path / "config.cfg"
    path.write_text("mine")
    call = ["init-config", path, "--scorer", "small", "--with", "tagger"]
    assert nonmono(*call).exit_code == 1
    assert path.read_text() == "mine"
    assert nonmono(*call, "--force").exit_code == 0
    config = load_config(path)
    assert config["components"]["nonmono_parser"]["model"]["hidden_width"] == 128
    assert config["nlp"]["pipeline"] == ["tok2vec", "tagger", "nonmono_parser", "multiword_tokens"]
    assert f"init-config {path} --scorer small --with tagger\n" in path.read_text()


@pytest.mark.parametrize(
    "options", [["--tune"], ["--base", "x", "--vectors", "y"], ["--base", "x", "--scorer", "linear"]]
)
def test_options_that_do_not_go_together(options):
    assert nonmono("init-config", "-", *options).exit_code == 1


def test_noun_chunks():
    """They learn nothing, so that the parser learns as if it were alone; they come behind it."""
    config = make_config(lang="xx", components=["ud_noun_chunks"])
    behind = ["nonmono_parser", "ud_noun_chunks", "multiword_tokens"]
    assert config["nlp"]["pipeline"] == ["tok2vec", *behind]
    alone = make_config(lang="xx")
    assert config["components"]["nonmono_parser"] == alone["components"]["nonmono_parser"]
    assert config["training"] == alone["training"]
    linear = make_config(lang="xx", scorer="linear", components=["ud_noun_chunks"])
    assert linear["nlp"]["pipeline"] == behind


@pytest.mark.parametrize("lang", ["got", "cu", "be", "", "zz"])
def test_languages_that_spacy_does_not_know(lang):
    with pytest.raises(ValueError, match=rf"NM205.*{lang!r}.*`xx`"):
        make_config(lang=lang)


def test_a_lemmatizer_sees_rare_endings():
    def word_dropout(**options):
        components = make_config(lang="xx", **options)["components"]
        return components["tok2vec"]["model"]["embed"].get("word_dropout")

    assert word_dropout(components=["tagger"]) == 5.0
    assert word_dropout(components=["trainable_lemmatizer"]) == 1.0
    assert word_dropout(components=["trainable_lemmatizer"], parser="parser") is None


def test_a_setting_that_is_called_model():
    """It may be the name of a model of another kind, or nothing."""
    assert first_model({"model": "x/y"}) == first_model({"model": None}) == first_model({}) == {}
