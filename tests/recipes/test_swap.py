"""The parser in somebody's config: only the parser changes."""

import pytest
from spacy.cli._util import app
from spacy.util import load_config, load_model_from_config
from typer.testing import CliRunner

import spacy_nonmono.cli  # attaches its commands  # noqa: F401
from spacy_nonmono.recipes.swap import swap_parser

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


def test_only_the_parser_changes(tmp_path):
    text, name, has_labels = swap_parser(THEIRS)
    assert (name, has_labels) == ("syntax", True)
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
    again, _, has_labels = swap_parser(again_theirs(text), system="arc_eager_unshift")
    assert not has_labels
    assert again == text.replace("CovingtonNonmonotonic", "ArcEagerUnshift")


def again_theirs(text: str) -> str:
    """Without the embedding, which a parser beside another of ours does not get."""
    start = text.index("[components.syntax.model.embed]")
    return text[:start] + text[text.index("# the vectors") :]


@pytest.mark.parametrize(
    "change",
    [
        ("spacy.Tok2VecListener.v1", "spacy-transformers.TransformerListener.v1"),
        ("spacy.HashEmbedCNN.v2", "spacy-nonmono.MultiHashEmbed.v1"),
    ],
)
def test_no_embedding_beside_what_sees_enough(change):
    assert "model.embed]" not in swap_parser(THEIRS.replace(*change))[0]


@pytest.mark.parametrize("text", ["owls hunt", "", "[nlp]\nlang = en\n", "[a]\nb = 1"])
def test_no_config(text):
    with pytest.raises(ValueError, match="NM202"):
        swap_parser(text)


def test_no_parser():
    with pytest.raises(ValueError, match="NM110"):
        swap_parser(THEIRS.replace('"parser"', '"senter"'))


def test_command(tmp_path):
    theirs, ours = tmp_path / "theirs.cfg", tmp_path / "ours.cfg"
    theirs.write_text(THEIRS)

    def call(*arguments):
        return CliRunner().invoke(app, ["nonmono", "init-config", *map(str, arguments)])

    result = call(ours, "--from", theirs)
    assert result.exit_code == 0 and "labels of 'syntax'" in " ".join(result.output.split())
    assert ours.read_text() == swap_parser(THEIRS)[0]
    assert call("-", "--from", theirs, "--with", "ner").exit_code == 1
    block = call("-", "--block").output
    assert block.startswith("# The parser.") and "[training" not in block
    assert "[components.nonmono_parser.system]" in block
