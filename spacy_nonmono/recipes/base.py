"""Configs that put the parser into a pipeline that is trained already.

The other components are taken as they are and stay so: sourced, frozen, with the base's tokenizer,
vocab and vectors. The parser listens to the base's tok2vec or transformer, as the base's parser does,
or trains a copy of it.
"""

from collections.abc import Callable, Sequence
from typing import Any

from spacy.language import Language
from thinc.api import Config

from ..errors import Errors, refuse
from ..installed import PARSERS, load_pipeline
from ..tokens.merged import MULTIWORD_TOKENS
from .config import (
    NEURAL,
    NOUN_CHUNKS,
    PARSER,
    corpora,
    fill,
    first_model,
    is_transformers,
    listens,
    parser_config,
    training_config,
    transformer_training,
)

# What others listen to
SHARED = ("tok2vec", "transformer", "curated_transformer")
# What may change a pipeline when it is made
CALLBACKS = ("before_creation", "after_creation", "after_pipeline_creation")
SCORES = {"dep_uas": 0.5, "dep_las": 0.5, "sents_f": 0.0}


def adapt_config(
    base: str,
    *,
    system: str | None = None,
    members: int = 1,
    scorer: str = NEURAL,
    tune: bool = False,
) -> tuple[Config, str]:
    """Return a complete config, and the name of its parser: that of the base's parser, or of the first
    that runs. No other parser that runs stays, since it would parse the Docs anew.

    base: a pipeline, a package or a folder.
    system, members: as in `make_config`.
    scorer: one of SCORERS, but not the linear one: its tags are those of components that are frozen.
    tune: train a copy of the tok2vec with the parser, instead of listening to the base's.

    Raises ValueError: NM182 if `tune` is true, and there is nothing to copy, NM181 if it is true, and
    the members of a committee listen to a transformer: spaCy cannot copy that for several listeners.
    """
    nlp = load_pipeline(base)
    parsers = _made_by(nlp, PARSERS)
    own = [name for name in parsers if name in nlp.pipe_names] or parsers[:1]
    name = own[0] if own else PARSER
    listener, upstream = _listener(nlp, name)
    if tune and upstream is None:
        raise ValueError(Errors.NM182.format(base=base, components=", ".join(nlp.component_names)))
    if tune and is_transformers(listener):
        refuse("--tune above a transformer", {"--members": members > 1})
    order = list(nlp.component_names)
    if not own:
        order.append(name)
    if upstream and not (own and order.index(upstream) < order.index(name)):
        order.remove(name)
        order.insert(order.index(upstream) + 1, name)
    components: dict[str, Any] = {}
    for component in order:
        if component == name:
            embeds = upstream is not None and "Tok2VecListener" in str(listener)
            components[name] = parser_config(
                system, scorer, listener, members=members, embeds=embeds
            )
            if upstream and not tune:  # the vectors of the words learn nothing
                first_model(components[name])["tag_weight"] = 0.0
            components[NOUN_CHUNKS] = {"factory": NOUN_CHUNKS}
        elif component not in (NOUN_CHUNKS, MULTIWORD_TOKENS, *own):
            components[component] = {"source": base}
    components[MULTIWORD_TOKENS] = {"factory": MULTIWORD_TOKENS}
    others = [component for component in components if "source" in components[component]]
    copied = {"@callbacks": "spacy.copy_from_base_model.v1", "tokenizer": base, "vocab": base}
    tuned = {"@callbacks": "spacy-nonmono.CopyTok2Vec.v1", "tok2vec": upstream, "component": name}
    training, readers = training_config(scorer), corpora(entities=False, gold_words=False)
    if tune and is_transformers(listener):
        training |= transformer_training()
    annotating = [upstream] if upstream and not tune else []
    if annotating and is_transformers(listener):  # so slow that it had better not run in every step
        readers["annotated"] = {
            "@readers": "spacy-nonmono.AnnotatedCorpus.v1",
            "corpus": "${corpora.train}",
            "components": annotating,
        }
        training["train_corpus"], annotating = "corpora.annotated", []
        training["eval_frequency"] = 500  # each evaluation runs it over the dev data
    before = nlp.config.interpolate()["nlp"]
    # The scores of frozen components do not change, so they count nothing
    weights = dict.fromkeys(nlp.config["training"]["score_weights"]) | SCORES
    config = {
        "paths": {"train": None, "dev": None},
        "nlp": {
            "lang": nlp.lang,
            "pipeline": list(components),
            # The parser may have been among these, and what it listens to
            "disabled": [one for one in nlp.disabled if one in others and one != upstream],
            "tokenizer": before["tokenizer"],
            **{name: before[name] for name in CALLBACKS},
            "batch_size": nlp.batch_size,
        },
        "components": components,
        "corpora": readers,
        "training": {
            **training,
            "frozen_components": others,
            "annotating_components": annotating,
            "score_weights": weights,
        },
        "initialize": {
            "before_init": copied,
            "after_init": tuned if tune else None,
            "lookups": None,
        },
    }
    return fill(Config(config)), name


def _listener(nlp: Language, parser: str) -> tuple[dict[str, Any] | None, str | None]:
    """Return the section of a listener to what the components share, and the name of that."""
    shared = _made_by(nlp, SHARED)
    components = nlp.config.interpolate()["components"]
    for user in sorted(components, key=lambda name: name != parser):
        tok2vec = first_model(components[user]).get("tok2vec", {})
        if listens(tok2vec):
            upstream = tok2vec.get("upstream", "*")
            known = [name for name in shared if upstream in ("*", name)]
            if known:
                return tok2vec, known[0]
    return None, None


def _made_by(nlp: Language, factories: Sequence[str]) -> list[str]:
    return [name for name in nlp.component_names if nlp.get_pipe_meta(name).factory in factories]


def create_copy_tok2vec(tok2vec: str, component: str) -> Callable[[Language], Language]:
    """Return a callback that gives a component a copy of a trained tok2vec or transformer to train, in
    the place of its listener."""

    def copy_tok2vec(nlp: Language) -> Language:
        # Frozen components are disabled while a pipeline is initialized
        is_disabled = tok2vec in nlp.disabled
        if is_disabled:
            nlp.enable_pipe(tok2vec)
        members = nlp.get_pipe_config(component)["model"].get("*")
        # The others of a committee have vectors of their own
        path = f"model.*.{next(iter(members))}" if members else "model"
        nlp.replace_listeners(tok2vec, component, [f"{path}.tok2vec"])
        if is_disabled:
            nlp.disable_pipe(tok2vec)
        return nlp

    return copy_tok2vec
