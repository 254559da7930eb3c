"""The parser in somebody's config: only the parser changes."""

import re

import pytest
from spacy.util import load_config, load_model_from_config
from thinc.api import Config

import spacy_nonmono.cli  # attaches its commands  # noqa: F401
from spacy_nonmono.recipes.config import make_config
from spacy_nonmono.recipes.swap import swap_parser
from spacy_nonmono.scoring.committee import members_of
from tests.commands import nonmono

SCORER = """\
[components.syntax.scorer]
@scorers = "spacy.tagger_scorer.v1"

"""
THEIRS = """\
# ours since 2021
[nlp]
lang = "en"
pipeline = ["tok2vec","tagger","syntax"]

[components]

# the tags
[components.tagger]
factory = "tagger"

[components.syntax]
factory = "parser"
learn_tokens = false
min_action_freq = 30

[components.syntax.model]
@architectures = "spacy.TransitionBasedParser.v2"
state_type = "parser"
extra_state_tokens = false
hidden_width = 64
maxout_pieces = 2

# a listener
[components.syntax.model.tok2vec]
@architectures = "spacy.Tok2VecListener.v1"
width = ${components.tok2vec.model.width}

# the vectors
[components.tok2vec]
factory = "tok2vec"

[components.tok2vec.model]
@architectures = "spacy.HashEmbedCNN.v2"
pretrained_vectors = null
width = 16
depth = 1
embed_size = 50
window_size = 1
maxout_pieces = 2
subword_features = true

[initialize]

[initialize.components]

[initialize.components.syntax]

[initialize.components.syntax.labels]
@readers = "spacy.read_labels.v1"
path = "labels/syntax.json"

# the end
[training]
seed = 1
"""


@pytest.fixture
def swap(tmp_path):
    """What becomes of a text."""

    def run(text, **options):
        path = tmp_path / "theirs.cfg"
        path.write_text(text, "utf-8")
        return swap_parser(path, **options)

    return run


@pytest.mark.filterwarnings("ignore:.NM593")
def test_only_the_parser_changes(swap, tmp_path):
    text = swap(THEIRS)
    theirs, ours = THEIRS.splitlines(), text.splitlines()
    assert [line for line in ours if line.startswith("#")] == [
        line for line in theirs if line.startswith("#") and line != "# a listener"
    ]
    path = tmp_path / "ours.cfg"
    path.write_text(text)
    config = load_config(path)
    before = THEIRS.replace('path = "labels/syntax.json"', "")
    for section in ("[components.tagger]", "[components.tok2vec.model]", "[training]"):
        assert before.partition(section)[2].partition("\n[")[0] in text
    assert "components" in config["initialize"] and not config["initialize"]["components"]
    nlp = load_model_from_config(config, auto_fill=True)
    assert nlp.pipe_names == ["tok2vec", "tagger", "syntax"]
    parser = nlp.get_pipe("syntax")
    assert parser.system.name == "covington_nonmonotonic"
    assert "syntax" in nlp.get_pipe("tok2vec").listening_components
    assert parser.model.has_ref("embed")
    again = swap(again_theirs(text), system="arc_eager_unshift")
    assert again == text.replace("CovingtonNonmonotonic", "ArcEagerUnshift")


def again_theirs(text: str) -> str:
    """Without the embedding, which a parser beside another of ours does not get."""
    start = text.index("[components.syntax.model.embed]")
    return text[:start] + text[text.index("# the vectors") :]


@pytest.mark.filterwarnings("ignore:.NM593")
@pytest.mark.parametrize(
    "change",
    [
        ("spacy.Tok2VecListener.v1", "spacy-transformers.TransformerListener.v1"),
        ("spacy.HashEmbedCNN.v2", "spacy-nonmono.MultiHashEmbed.v1"),
    ],
)
def test_no_embedding_beside_what_sees_enough(swap, change):
    assert "model.embed]" not in swap(THEIRS.replace(*change))


@pytest.mark.filterwarnings("ignore:.NM593")
@pytest.mark.parametrize("end", [" ", "\t", "  ; a note"])
@pytest.mark.parametrize("start", ["", "; above\n"])
def test_headers_as_configs_may_have_them(swap, start, end):
    """A list has lines in brackets, too."""
    plain = THEIRS.replace("[training]\n", '[training]\nx = [\n    ["a"],\n    [1]\n  ]\n')
    text = re.sub(r"^(\[.+\])$", rf"{start}\1{end}", plain, flags=re.MULTILINE)
    found, expected = (Config().from_str(swap(one)) for one in (text, plain))
    assert found == expected
    assert found["training"]["x"] == [["a"], [1]] and "model" not in found["components"]["tagger"]


@pytest.mark.filterwarnings("ignore:.NM593")
def test_settings_that_stay(swap):
    text = THEIRS.replace("# the vectors\n", f"{SCORER}# the vectors\n")
    assert SCORER.strip() in swap(text)


@pytest.mark.parametrize("is_ours", [True, False])
def test_no_embedding_beside_what_sees_enough_elsewhere(swap, tmp_path, is_ours):
    """A tok2vec that comes from a pipeline is as good as one in the config."""
    made = make_config(lang="xx", parser="nonmono_parser" if is_ours else "parser").interpolate()
    load_model_from_config(made).to_disk(tmp_path / "base")
    made["components"]["tok2vec"] = {"source": str(tmp_path / "base")}
    parser = Config().from_str(swap(made.to_str()))["components"]
    (model,) = [one["model"] for name, one in parser.items() if name.endswith("parser")]
    assert (model.get("embed") is None) == is_ours


@pytest.mark.parametrize("system", [None, "arc_hybrid"])
def test_our_parser_keeps_all_but_its_model(swap, system):
    made = make_config(system="arc_eager")
    made["components"]["nonmono_parser"].update(projectivize="head", dep_scores=True)
    after = Config().from_str(swap(made.to_str(), members=2, system=system))
    before, after = (one["components"]["nonmono_parser"] for one in (made, after))
    assert len(after["model"]["*"]) == 2 and after["dep_scores"]
    same = {name for name in before if after.get(name) == before[name]}
    assert (before.keys() - same == {"model"}) == (system is None)


def settings_of(section, path):
    """The paths of all settings and sections within a section."""
    for name, value in section.items():
        yield f"{path}.{name}"
        if isinstance(value, dict):
            yield from settings_of(value, f"{path}.{name}")


OWN = """\
[components.syntax.model.tok2vec]
@architectures = "spacy.Tok2Vec.v2"

[components.syntax.model.tok2vec.embed]
@architectures = "spacy.MultiHashEmbed.v2"
width = ${components.syntax.model.tok2vec.encode.width}
attrs = ["NORM", "TAG"]
rows = [50, 20]
include_static_vectors = false

[components.syntax.model.tok2vec.encode]
@architectures = "spacy.MaxoutWindowEncoder.v2"
width = 16
depth = 1
window_size = 1
maxout_pieces = 2

"""


@pytest.mark.filterwarnings("ignore:.NM593")
@pytest.mark.parametrize("members", [1, 3])
@pytest.mark.parametrize("owns", [True, False], ids=["own", "listener"])
def test_references_to_a_parser_mean_what_they_meant(swap, owns, members):
    """To all of its settings, in others and in itself."""
    text = THEIRS
    if owns:
        text = text[: text.index("# a listener")] + OWN + text[text.index("# the vectors") :]
    before = Config().from_str(text)
    paths = list(settings_of(before["components"]["syntax"], "components.syntax"))
    parts = [re.split(r"\.(?=[^.]*$)", path) for path in paths]
    lines = [f"whole{i} = ${{{path}}}" for i, path in enumerate(paths)]
    lines += [f"colon{i} = ${{{section}:{name}}}" for i, (section, name) in enumerate(parts)]
    for i, path in enumerate(paths):
        value = Config().from_str(f"{text}x = ${{{path}}}")["training"]["x"]
        if not isinstance(value, (dict, list)):
            quote = '"' if isinstance(value, str) else ""
            lines += [f'part{i} = "a/${{{path}}}/b"', f'listed{i} = ["a", {quote}${{{path}}}{quote}]']
    text = "\n".join([text, "[notes]", "# ${components.syntax.factory}", *lines, ""])
    ours = swap(text, members=members)
    assert "# ${components.syntax.factory}\n" in ours
    before, after = Config().from_str(text), Config().from_str(ours)
    assert after["notes"] == before["notes"] and len(after["notes"]) > 40
    model = after["components"]["syntax"]["model"]
    models = list(model["*"].values()) if members > 1 else [model]
    assert len(models) == members and all("tok2vec" in one for one in models)
    if owns:
        own = before["components"]["syntax"]["model"]["tok2vec"]
        assert all(one["tok2vec"] == own for one in models)
    del after["notes"]
    assert load_model_from_config(after, auto_fill=True).has_pipe("syntax")


@pytest.mark.parametrize("factory", ["parser", "beam_parser", "nonmono_parser"])
def test_every_parser_is_replaced(swap, factory):
    second = THEIRS[THEIRS.index("[components.syntax]") : THEIRS.index("# the vectors")]
    second = second.replace(".syntax", ".second").replace('"parser"', f'"{factory}"')
    with pytest.warns(UserWarning, match="NM593.* syntax "):
        text = swap(THEIRS.replace("# the vectors", f"{second}# the vectors"))
    made = Config().from_str(text)["components"]
    assert list(made) == ["tagger", "syntax", "second", "tok2vec"]
    same = ("factory", "system", "model")
    assert all(made["syntax"][key] == made["second"][key] for key in same)
    assert made["second"]["factory"] == "nonmono_parser"


@pytest.mark.filterwarnings("ignore:.NM593")
@pytest.mark.parametrize("listens", [True, False])
def test_parser_that_comes_from_a_pipeline(swap, tmp_path, listens):
    """It gets the tok2vec that it had there, but no copy that `replace_listeners` made."""
    config = make_config(lang="xx", parser="parser")
    load_model_from_config(config, auto_fill=True).to_disk(tmp_path / "base")
    start, end = THEIRS.index("[components.syntax]"), THEIRS.index("# the vectors")
    section = '[components.syntax]\nsource = ${paths.base}\ncomponent = "parser"\n'
    section += "" if listens else 'replace_listeners = ["model.tok2vec"]\n'
    text = f'{THEIRS[:start]}{section}\n{THEIRS[end:]}frozen_components = ["syntax"]\n'
    text = f'{text}\n[paths]\nbase = "{tmp_path / "base"}"\n'
    with pytest.warns(UserWarning, match=r"NM594.*\(syntax\)"):
        made = Config().from_str(swap(text))["components"]["syntax"]
    assert made["factory"] == "nonmono_parser" and made["scorer"]
    architecture = made["model"].get("tok2vec", {}).get("@architectures")
    assert architecture == ("spacy.Tok2VecListener.v1" if listens else None)
    named = f"{text}frozen = [\"syntax\"]\n".replace('= ["syntax"]\n\n', "= ${paths.frozen}\n\n")
    with pytest.warns(UserWarning, match=r"NM594.*\(syntax\)"):
        swap(named)
    with pytest.raises(ValueError, match=r"NM202.*has no component 'gone', but .*parser, tok2vec"):
        swap(text.replace('component = "parser"', 'component = "gone"'))


@pytest.mark.parametrize(
    "text",
    [
        "owls hunt",
        "",
        "[nlp]\nlang = en\n",
        "[a]\nb = 1",
        f"{THEIRS}[training]\n",
        '[components]\nsyntax = {"factory": "parser"}\n',
    ],
)
def test_no_config(swap, text):
    with pytest.raises(ValueError, match=r"NM202.*theirs.cfg"):
        swap(text)


@pytest.mark.parametrize(
    "section", ["[notes]\nb = ${components.syntax.factory}", "[components.x]\nsource = a"]
)
def test_a_reference_to_nothing(swap, section):
    with pytest.raises(ValueError, match=r"NM202.*theirs.cfg.*no.where"):
        swap(f"{THEIRS}a = ${{no.where}}\n{section}\n")


def test_no_parser(swap):
    with pytest.raises(ValueError, match="NM110"):
        swap(THEIRS.replace('"parser"', '"senter"'))


def test_command(swap, tmp_path):
    theirs, ours = tmp_path / "theirs.cfg", tmp_path / "ours.cfg"
    theirs.write_text(THEIRS)
    with pytest.warns(UserWarning, match="NM593"):
        result = nonmono("init-config", ours, "--from", theirs)
    assert result.exit_code == 0
    with pytest.warns(UserWarning, match="NM593"):
        assert ours.read_text() == swap(THEIRS)
    assert nonmono("init-config", "-", "--from", theirs, "--with", "ner").exit_code == 1
    block = nonmono("init-config", "-", "--block").output
    assert block.startswith("# The parser.") and "[training" not in block
    assert "[components.nonmono_parser.system]" in block
    assert "[NM181]" in nonmono("init-config", "-", "--block", "--brown", "paths").output
    theirs.write_bytes(THEIRS.replace("the end", "die Mäuse").encode("latin-1"))
    result = nonmono("init-config", "-", "--from", theirs)
    assert result.exit_code == 1 and "[NM202]" in result.output and "utf-8" in result.output


@pytest.mark.parametrize("members", [1, 3])
@pytest.mark.parametrize(
    "model",
    ["", '\n[components.parser.model]\n@architectures = "spacy-nonmono.LinearTransitionParser.v1"\n'],
)
def test_parser_without_a_tok2vec(swap, model, members):
    """Each member gets one of its own."""
    factory = "nonmono_parser" if model else "parser"
    text = f"""[nlp]
lang = "xx"
pipeline = ["parser"]

[components]

[components.parser]
factory = "{factory}"
{model}"""
    config = Config().from_str(swap(text, members=members), interpolate=False)
    nlp = load_model_from_config(config, auto_fill=True)
    assert len(members_of(nlp.get_pipe("parser").model)) == members
