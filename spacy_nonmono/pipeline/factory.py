"""The factory `nonmono_parser`."""

from collections.abc import Callable

from spacy.language import Language
from thinc.api import Config, Model

from ..training.exploration import ExplorationPolicy
from ..transitions.system import TransitionSystem
from .parser import NonmonoParser

# Settings that are not here have the defaults of the functions that are named. Complete with them:
# `spacy init config` writes the factory's name alone.
DEFAULT_CONFIG = Config().from_str(
    """
[nonmono_parser]
oracle = null
tie_break = "default"
projectivize = "none"
max_distance = 200
pair_threshold = null
dep_scores = false
n_threads = 1

[nonmono_parser.system]
@misc = "spacy-nonmono.CovingtonNonmonotonic.v1"

[nonmono_parser.exploration]
@misc = "spacy-nonmono.Exploration.v1"

[nonmono_parser.model]
@architectures = "spacy-nonmono.TransitionParser.v2"

[nonmono_parser.model.tok2vec]
@architectures = "spacy-nonmono.Tok2Vec.v1"

[nonmono_parser.model.tok2vec.embed]
@architectures = "spacy-nonmono.MultiHashEmbed.v1"
width = 96
attrs = ["NORM", "SHAPE", "PREFIX1-5", "SUFFIX1-5"]
rows = [5000, 2500, 15000, 15000]
include_static_vectors = false
word_dropout = 5.0

[nonmono_parser.model.tok2vec.encode]
@architectures = "spacy.MaxoutWindowEncoder.v2"
width = 96
depth = 2
window_size = 1
maxout_pieces = 3

[nonmono_parser.scorer]
@scorers = "spacy.parser_scorer.v1"
"""
)["nonmono_parser"]


@Language.factory(
    "nonmono_parser",
    assigns=["token.dep", "token.head", "token.is_sent_start", "doc.sents"],
    default_config=DEFAULT_CONFIG,
    default_score_weights={
        "dep_uas": 0.5,
        "dep_las": 0.5,
        "dep_las_per_type": None,
        "sents_p": None,
        "sents_r": None,
        "sents_f": 0.0,
    },
)
def make_nonmono_parser(
    nlp: Language,
    name: str,
    model: Model,
    system: TransitionSystem,
    oracle: str | None,
    tie_break: str,
    exploration: ExplorationPolicy,
    projectivize: str,
    max_distance: int,
    pair_threshold: float | None,
    dep_scores: bool,
    n_threads: int,
    scorer: Callable | None,
) -> NonmonoParser:
    """Make the component; its parameters are those of `NonmonoParser`."""
    return NonmonoParser(
        nlp.vocab,
        model,
        name,
        system=system,
        oracle=oracle,
        tie_break=tie_break,
        exploration=exploration,
        projectivize=projectivize,
        max_distance=max_distance,
        pair_threshold=pair_threshold,
        dep_scores=dep_scores,
        n_threads=n_threads,
        scorer=scorer,
    )
