"""A small treebank and small pipelines, trained on nothing or next to nothing."""

import pytest
import spacy

from spacy_nonmono.treebank.corpus import create_conllu_corpus
from tests import commands

# "sleeps" stands between "cat" and its relative clause: the arc from 2 to 5 crosses that to 6
CROSSING = """\
1\ta\t_\tDET\t_\t_\t2\tdet\t_\t_
2\tcat\t_\tNOUN\t_\t_\t3\tnsubj\t_\t_
3\tsleeps\t_\tVERB\t_\t_\t0\troot\t_\t_
4\tthat\t_\tPRON\t_\t_\t5\tnsubj\t_\t_
5\tpurrs\t_\tVERB\t_\t_\t2\tacl:relcl\t_\t_
6\t.\t_\tPUNCT\t_\t_\t3\tpunct\t_\t_

"""
PLAIN = """\
1\tdogs\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_
2\tbark\t_\tVERB\t_\t_\t0\troot\t_\t_
3\t.\t_\tPUNCT\t_\t_\t2\tpunct\t_\t_

"""


@pytest.fixture
def nonmono():
    return commands.nonmono


@pytest.fixture(scope="session")
def treebank(tmp_path_factory):
    path = tmp_path_factory.mktemp("treebank") / "made-up.conllu"
    path.write_text((PLAIN + CROSSING) * 6, encoding="utf-8")
    return path


def make_pipeline(component, path, treebank, config=None):
    """Save a pipeline with a shared tok2vec and a parser of random weights."""
    nlp = spacy.blank("xx")
    nlp.add_pipe("tok2vec", config={"model": {"width": 8, "depth": 1, "embed_size": 50}})
    listener = {"@architectures": "spacy.Tok2VecListener.v1", "width": 8}
    config = {"model": {"tok2vec": listener}, **(config or {})}
    nlp.add_pipe(component, config=config)
    examples = list(create_conllu_corpus(treebank)(nlp))
    nlp.initialize(lambda: examples)
    nlp.to_disk(path)
    return path


@pytest.fixture(scope="session")
def nonmono_path(tmp_path_factory, treebank):
    system = {"@misc": "spacy-nonmono.Covington.v1"}
    path = tmp_path_factory.mktemp("pipelines") / "nonmono"
    return make_pipeline("nonmono_parser", path, treebank, {"system": system})


@pytest.fixture(scope="session")
def parser_path(tmp_path_factory, treebank):
    return make_pipeline("parser", tmp_path_factory.mktemp("pipelines") / "spacy", treebank)
