"""The pipelines of the campaign, each made once per process: tiny, and with noise for the parser's
weights, so that the trees are of all shapes."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy
import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.util import registry
from thinc.api import fix_random_seed

from spacy_nonmono.treebank.corpus import create_conllu_corpus
from tests.pipeline.util import NAME, committee_config, parser_config, train

PIPELINES = (
    "parser",
    "tagged",
    "merged",
    "scored",
    "committee",
    "splits",
    "joins",
    "splits and joins",
    "fails",
    "spans",
)
CHANGING = ("splits", "joins", "splits and joins")
MULTIWORD = "multiword_tokens"  # the component, in versions that have one

ROOT = Path(__file__).parents[2]
# Multiword tokens, also such as only their endings tell
SENTENCES = """\
1\tIl\til\tPRON\tP\tNumber=Sing|Person=3\t2\tnsubj\t_\t_
2\tparle\tparler\tVERB\tV\tMood=Ind\t0\troot\t_\t_
3-4\tdu\t_\t_\t_\t_\t_\t_\t_\t_
3\tde\tde\tADP\tS\t_\t5\tcase\t_\t_
4\tle\tle\tDET\tD\tNumber=Sing\t5\tdet\t_\t_
5\ttemps\ttemps\tNOUN\tN\tNumber=Sing\t2\tobl\t_\tSpaceAfter=No
6\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

1-2\tvámonos\t_\t_\t_\t_\t_\t_\t_\t_
1\tvamos\tir\tVERB\tV\tNumber=Plur\t0\troot\t_\t_
2\tnos\tnosotros\tPRON\tP\tCase=Acc\t1\tobj\t_\t_
3-4\tal\t_\t_\t_\t_\t_\t_\t_\t_
3\ta\ta\tADP\tS\t_\t5\tcase\t_\t_
4\tel\tel\tDET\tD\tNumber=Sing\t5\tdet\t_\t_
5\tmar\tmar\tNOUN\tN\tNumber=Sing\t1\tobl\t_\t_

"""
INFINITIVE = """\
1\tfoxes\tfox\tNOUN\tN\tNumber=Plur\t2\tnsubj\t_\t_
2-3\t{0}rlo\t_\t_\t_\t_\t_\t_\t_\t_
2\t{0}re\t{0}re\tVERB\tV\tVerbForm=Inf\t0\troot\t_\t_
3\tlo\tlo\tPRON\tP\tCase=Acc\t2\tobj\t_\t_
4\t!\t!\tPUNCT\t.\t_\t2\tpunct\t_\t_

"""
N_UPDATES, NOISE = 12, 0.4
STEMS = ("parla", "guarda", "mangia", "canta")


@Language.component("campaign_splits")
def splits(doc: Doc) -> Doc:
    with doc.retokenize() as retokenizer:
        for token in doc:
            if len(token) >= 4 and token.text.isalpha() and token.text[0] in "hmtTp":
                split(retokenizer, token)
    return doc


def split(retokenizer: Any, token: Any) -> None:
    head = (token, 1) if token.head.i == token.i else token.head
    attributes = {"DEP": ["fixed", token.dep_]}
    token.vocab.strings.add("fixed")
    retokenizer.split(token, [token.text[:2], token.text[2:]], [(token, 1), head], attributes)


@Language.component("campaign_joins")
def joins(doc: Doc) -> Doc:
    with doc.retokenize() as retokenizer:
        last = -1
        for token in doc[1:]:
            if token.i - 1 > last and token.text[0] in "hstT" and not token.is_sent_start:
                retokenizer.merge(doc[token.i - 1 : token.i + 1])
                last = token.i
    return doc


@Language.component("campaign_splits_and_joins")
def splits_and_joins(doc: Doc) -> Doc:
    """The number of tokens stays as it was."""
    for token in doc:
        if len(token) >= 3 and token.text.isalpha():
            break
    else:
        return doc
    pairs = [t for t in doc[1:] if not t.is_sent_start and abs(t.i - token.i) > 2 and not t.is_space]
    if pairs:
        with doc.retokenize() as retokenizer:
            split(retokenizer, token)
            retokenizer.merge(doc[pairs[0].i - 1 : pairs[0].i + 1])
    return doc


ERRORS: dict[str, Exception] = {
    "owls": ValueError("No owls are taken here"),
    "rain": StopIteration(),
    "hare": KeyError("hare"),
    "Rain": AssertionError(),
    "mice": RuntimeError("several\nlines"),
}


@Language.component("campaign_fails")
def fails(doc: Doc) -> Doc:
    for token in doc:
        if token.text in ERRORS:
            raise ERRORS[token.text]
    return doc


@Language.component("campaign_spans")
def spans(doc: Doc) -> Doc:
    """As components do that were written for a notebook."""
    doc.user_data["first"] = doc[:1]
    doc.user_data["words", 1] = [token for token in doc][:1]
    return doc


def trained(names: tuple[str, ...], multiword: str, **settings: Any) -> Language:
    """A parser behind components of these names."""
    fix_random_seed(0)
    nlp = spacy.blank("xx")
    for name in names:
        nlp.add_pipe(name)
    nlp.add_pipe(NAME, config=parser_config("covington_nonmonotonic", **settings))
    if multiword == "merge" and MULTIWORD in registry.factories:
        nlp.add_pipe(MULTIWORD)
    with TemporaryDirectory() as folder:
        path = Path(folder, "a.conllu")
        sample = (ROOT / "assets" / "sample" / "train.conllu").read_text("utf-8").split("\n\n")[:40]
        made_up = SENTENCES + "".join(INFINITIVE.format(stem) for stem in STEMS)
        path.write_text(made_up + "\n\n".join(sample) + "\n\n", "utf-8")
        examples = list(create_conllu_corpus(path, n_sents=3, multiword=multiword)(nlp))
    nlp.initialize(lambda: examples)
    train(nlp, examples, N_UPDATES)
    disturb(nlp)
    return nlp


def disturb(nlp: Language) -> None:
    """Add noise to the weights of the parser."""
    rng = numpy.random.RandomState(1)
    for node in nlp.get_pipe(NAME).model.walk():
        for name in node.param_names:
            if node.has_param(name):
                values = node.get_param(name)
                noise = rng.normal(0.0, NOISE * values.std() + 1e-3, values.shape)
                node.set_param(name, (values + noise).astype("f"))


@cache
def pipeline(name: str) -> Language:
    if name == "tagged":
        return trained(("tagger", "morphologizer", "trainable_lemmatizer"), "split")
    if name == "merged":
        return trained((), "merge")
    if name == "committee":
        return trained((), "split", model=committee_config(2), dep_scores=True)
    if name == "scored":
        return trained((), "split", dep_scores=True)
    nlp = trained((), "split", dep_scores=name in CHANGING)
    if name != "parser":
        nlp.add_pipe(f"campaign_{name.replace(' ', '_')}")
    return nlp


@cache
def saved(name: str) -> Path:
    """Where the pipeline is on disk, for other processes; they need this file with `--code`."""
    folder = TemporaryDirectory()
    _folders.append(folder)
    path = Path(folder.name, "model")
    pipeline(name).to_disk(path)
    return path


_folders: list[Any] = []
numpy.seterr(all="ignore")
