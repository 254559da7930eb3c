"""Pipelines by name, and which component of a pipeline is its parser."""

import pytest
import spacy

from spacy_nonmono.installed import find_parser, load_pipeline


def test_loaded_pipelines():
    nlp = spacy.blank("xx")
    with pytest.raises(ValueError, match=r"\[NM110\].*components: none\. Expected nonmono_parser:"):
        find_parser(nlp)
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("parser", name="theirs")
    with pytest.raises(ValueError, match=r"\[NM110\].*sentencizer, theirs"):
        find_parser(nlp)
    assert find_parser(nlp, or_spacys=True) == "theirs"
    nlp.add_pipe("nonmono_parser", name="trees")
    nlp.add_pipe("nonmono_parser", name="more")
    assert find_parser(nlp) == "trees"
    assert find_parser(nlp, or_spacys=True) == "theirs"
    nlp.disable_pipe("trees")
    assert find_parser(nlp) == "more"


def test_configs():
    nlp = spacy.blank("xx")
    nlp.add_pipe("parser")
    with pytest.raises(ValueError, match=r"\[NM110\].*: parser\. Expected nonmono_parser:"):
        find_parser(nlp.config)
    nlp.add_pipe("nonmono_parser", name="trees")
    assert find_parser(nlp.config) == "trees"
    assert find_parser(nlp.config, or_spacys=True) == "parser"
    sourced = {"components": {"trees": {"source": "en_core_web_sm"}}}
    with pytest.raises(ValueError, match=r"\[NM110\].*trees.*nonmono_parser or parser"):
        find_parser(sourced, or_spacys=True)


def test_a_pipeline_that_is_not_there(tmp_path):
    (tmp_path / "mine").mkdir()
    spacy.blank("xx").to_disk(tmp_path / "mine" / "model-best")
    for name in ("gone", tmp_path, tmp_path / "mine" / "model-best" / "meta.json"):
        with pytest.raises(OSError, match=rf"NM198.*{name}\. Give .* folder of a saved pipeline\.$"):
            load_pipeline(name)
    with pytest.raises(OSError, match=r"NM198.*such as .*mine/model-best"):
        load_pipeline(tmp_path / "mine")
    assert load_pipeline(tmp_path / "mine" / "model-best").pipe_names == []
