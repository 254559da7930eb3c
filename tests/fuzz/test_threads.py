"""Any number of threads parses as one does: every system, both scorers."""

import random
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from spacy.language import Language
from spacy.tokens import Doc

from spacy_nonmono.layers import minibatch
from tests.pipeline.util import (
    CROSSING,
    FINE_GRAINED,
    NAME,
    SYSTEMS,
    arcs,
    with_scorer,
)

from .harness import Outcome

PIPELINES = [(system, linear) for system in (*SYSTEMS, FINE_GRAINED) for linear in (False, True)]
REPEATS = 50
VOCABULARY = sorted({word for words, *_ in CROSSING for word in words})

# Many small parts, and threads that take turns often: what goes wrong does so soon.
minibatch.PART = 60
sys.setswitchinterval(1e-5)


@cache
def trained(system: str, linear: bool) -> Language:
    return with_scorer(system, linear, dep_scores=True)


def docs(nlp: Language) -> list[Doc]:
    rng = random.Random(0)
    return [
        Doc(nlp.vocab, words=rng.choices(VOCABULARY, k=rng.randint(1, 30))) for _ in range(40)
    ]


def parses(nlp: Language) -> list:
    return [
        [*arcs(doc), *(token._.get("dep_score") for token in doc if token.has_extension("dep_score"))]
        for doc in nlp.pipe(docs(nlp))
    ]


@cache
def serial(system: str, linear: bool) -> list:
    trained(system, linear).get_pipe(NAME).n_threads = 1
    return parses(trained(system, linear))


# Of the parser, and of Python
THREADS = [(1, 1), (2, 1), (4, 1), (1, 4)]


def same(seed: int) -> str:
    """One repeat of one system with one scorer, with each number of threads."""
    system, linear = PIPELINES[seed % len(PIPELINES)]
    expected = serial(system, linear)
    nlp = trained(system, linear)
    for n_threads, n_callers in THREADS:
        nlp.get_pipe(NAME).n_threads = n_threads
        with ThreadPoolExecutor(n_callers) as pool:
            found = list(pool.map(parses, [nlp] * n_callers))
        if any(parse != expected for parse in found):
            return f"{Outcome.DIFFERS.value} with n_threads = {n_threads}, {n_callers} callers"
    return Outcome.RIGHT.value


def test_threads(fuzz):
    fuzz("threads", same, few=len(PIPELINES), many=len(PIPELINES) * REPEATS)
