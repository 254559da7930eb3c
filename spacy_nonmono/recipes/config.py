"""Configs that train a pipeline from nothing: what `python -m spacy nonmono init-config` writes.

A config is built of the settings that are ours to decide. spaCy fills in the others.
"""

from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from typing import Any

from spacy.util import get_lang_class, load_model_from_config, registry
from thinc.api import Config

from ..errors import Errors, check_known, refuse
from ..installed import PARSER, SPACY_PARSER
from ..registry import systems
from ..tokens.merged import MULTIWORD_TOKENS
from ..treebank.multiword import MERGE, READER

# In the place of a file of collocations: they are made of the training data
OF_TRAINING_DATA = "train"
NEURAL, SMALL, LINEAR = SCORERS = ("neural", "small", "linear")


OUR_EMBED = "spacy-nonmono.MultiHashEmbed.v1"

LEMMATIZER = "trainable_lemmatizer"
NOUN_CHUNKS = "ud_noun_chunks"  # learns nothing

# spaCy's parser, as `spacy init config` sets it up
SPACY_MODEL: dict[str, Any] = {
    "@architectures": "spacy.TransitionBasedParser.v2",
    "state_type": "parser",
    "extra_state_tokens": False,
    "hidden_width": 128,
    "maxout_pieces": 3,
}
# What may be beside the parser, in the order of the pipeline, with the layers of those that are trained
COMPONENTS: dict[str, dict[str, Any]] = {
    "tagger": {"@architectures": "spacy.Tagger.v2"},
    "morphologizer": {"@architectures": "spacy.Tagger.v2"},
    LEMMATIZER: {"@architectures": "spacy.Tagger.v2"},
    "senter": {"@architectures": "spacy.Tagger.v2"},
    "ner": {
        "@architectures": "spacy.TransitionBasedParser.v2",
        "state_type": "ner",
        "extra_state_tokens": False,
        "hidden_width": 64,
        "maxout_pieces": 2,
    },
    NOUN_CHUNKS: {},
}
# Of the parser, where these learn from the same tok2vec. With 1.0 tags and lemmas are 0.1 to 0.3 worse
# and the parser is 1.5 LAS better (English-EWT, dev, 1,500 steps, a state of version 0.1.0)
GRAD_FACTOR = 0.4
# What a tok2vec sees of a word, with the rows of the tables
ATTRS = {"NORM": 5000, "SHAPE": 2500, "PREFIX1-5": 15000, "SUFFIX1-5": 15000}
# What the parser sees by itself where it listens to a tok2vec of spaCy's, which has no such affixes
OWN_ATTRS = {"NORM": 2500, "PREFIX1-5": 7500, "SUFFIX1-5": 7500}
OWN_WIDTH = 64
WORD_DROPOUT = 5.0
# Where a lemmatizer learns from the same tok2vec: it needs rare endings. With 5.0 lemmas are 0.4 worse
# (Hungarian-Szeged, dev, raw text, 2,000 steps, two seeds)
LEMMATIZER_DROPOUT = 1.0
SPACY_ATTRS = {"NORM": 5000, "PREFIX": 1000, "SUFFIX": 2500, "SHAPE": 2500}
BROWN_ATTRS = {"BROWN4": 100, "BROWN6": 200, "BROWN": 1000}
# The tags that the linear parser reads, and what predicts them
TAGS = {"morphologizer": "POS", "tagger": "TAG"}

# Of taggers alone: passes over the data, as many for a small treebank as for a large one
TAGGER_TRAINING = {
    "dropout": 0.1,
    "patience": 0,
    "max_epochs": 10,
    "max_steps": 0,
    "eval_frequency": 500,
}

TOK2VEC_LISTENER = {
    "@architectures": "spacy.Tok2VecListener.v1",
    "width": "${components.tok2vec.model.encode.width}",
}
TRANSFORMER_LISTENER = {
    "@architectures": "spacy-transformers.TransformerListener.v1",
    "grad_factor": 1.0,
    "pooling": {"@layers": "reduce_mean.v1"},
}


def make_config(
    *,
    lang: str = "en",
    system: str | None = None,
    members: int = 1,
    scorer: str = NEURAL,
    components: Sequence[str] = (),
    vectors: str | None = None,
    brown: str | None = None,
    collocations: str | None = None,
    transformer: str | None = None,
    parser: str = PARSER,
) -> Config:
    """Return a complete config for `spacy train`.

    system: the name of a transition system; by default covington_nonmonotonic, or arc_eager_unshift
        with the linear scorer.
    members: the number of members of a committee; 1: the parser is none.
    scorer: one of SCORERS; "small" is the neural one with half of the hidden units.
    components: what is beside the parser, of COMPONENTS.
    vectors: a pipeline or a folder with static vectors, which the tok2vec includes.
    brown, collocations: the files of these tables, which the parser sees; "train" for collocations of
        the training data.
    transformer: the name of a transformer, which takes the place of the tok2vec.
    parser: PARSER, or SPACY_PARSER for spaCy's own in the same pipeline, to compare with.

    Raises ValueError: NM180 for an unknown component, scorer or parser, NM001 for an unknown system,
    NM205 for an unknown language, NM181 for two choices that exclude each other; ImportError (NM183)
    without the package for transformers.
    """
    try:
        get_lang_class(lang)
    except ImportError:
        raise ValueError(Errors.NM205.format(found=lang)) from None
    check_known("scorer", scorer, SCORERS)
    check_known("parser", parser, (PARSER, SPACY_PARSER))
    for name in components:
        check_known("component", name, COMPONENTS)
    beside = [name for name in COMPONENTS if name in components and COMPONENTS[name]]
    is_linear = scorer == LINEAR
    embeds = bool(beside) or not is_linear
    if transformer:
        refuse("--transformer", {"--vectors": vectors, "--brown": brown})
    if not embeds:
        refuse("--scorer linear", {"--vectors": vectors, "--transformer": transformer})
    if parser == SPACY_PARSER:
        others = {"--system": system, "--members": members > 1, "--collocations": collocations}
        refuse("--parser parser", {**others, f"--scorer {scorer}": scorer != NEURAL})
    if transformer and not find_spec("spacy_transformers"):
        raise ImportError(Errors.NM183)

    tables = {"brown_clusters": brown, "collocations": collocations}
    tables = {name: path for name, path in tables.items() if path}
    made: dict[str, Any] = {name: {"factory": name} for name in tables}
    if transformer:
        made["transformer"] = _transformer(transformer)
    elif embeds:
        made["tok2vec"] = _tok2vec(parser, bool(vectors), bool(brown) and not is_linear)
        if LEMMATIZER in beside and parser == PARSER:
            made["tok2vec"]["model"]["embed"]["word_dropout"] = LEMMATIZER_DROPOUT
    listener = TRANSFORMER_LISTENER if transformer else TOK2VEC_LISTENER
    made |= _taggers(beside, listener)
    # What predicts the tags that the linear parser reads, if it is not given them
    tagger = next((name for name in TAGS if name in components), "morphologizer")
    if parser == SPACY_PARSER:
        made[parser] = {"factory": SPACY_PARSER, "model": {**SPACY_MODEL, "tok2vec": listener}}
    else:
        made[parser] = parser_config(
            system,
            scorer,
            listener,
            members=members,
            tag=TAGS[tagger],
            collocates=bool(collocations),
            vectors=bool(vectors),
            brown=bool(brown),
        )
        if beside and not is_linear and not transformer:
            first_model(made[parser])["grad_factor"] = GRAD_FACTOR
    if NOUN_CHUNKS in components:
        made[NOUN_CHUNKS] = {"factory": NOUN_CHUNKS}
    if "ner" in made:  # it sees the sentence boundaries
        made["ner"] = made.pop("ner")
    else:  # the reader merges, see `corpora`
        made[MULTIWORD_TOKENS] = {"factory": MULTIWORD_TOKENS}

    training = training_config(scorer, parser)
    if beside:
        training["dropout"] = 0.1
    # Collocates are found by parts of speech, too
    reads = tagger if is_linear else "morphologizer" if collocations else None
    if reads in components:
        needed = ("tok2vec", "transformer", reads)
        training["annotating_components"] = [name for name in made if name in needed]
    paths = {name: None if path == OF_TRAINING_DATA else path for name, path in tables.items()}
    config: dict[str, Any] = {
        "paths": {"train": None, "dev": None, "vectors": vectors, "init_tok2vec": None, **paths},
        "system": {"gpu_allocator": "pytorch" if transformer else None, "seed": 0},
        "nlp": {"lang": lang, "pipeline": list(made), "batch_size": 128 if transformer else 1000},
        "components": made,
        "corpora": corpora("ner" in made),
        "training": training | (transformer_training() if transformer else {}),
        "initialize": {
            "vectors": "${paths.vectors}",
            "init_tok2vec": "${paths.init_tok2vec}",
            "components": {name: {"path": f"${{paths.{name}}}"} for name in tables},
        },
    }
    return fill(Config(config))


def _taggers(names: Iterable[str], listener: dict[str, Any]) -> dict[str, Any]:
    return {
        name: {"factory": name, "model": {**COMPONENTS[name], "tok2vec": listener}} for name in names
    }


def tagger_config(columns: Sequence[str]) -> Config:
    """Return a complete config that trains nothing but what sets some tags.

    columns: those of CoNLL-U to set: XPOS is set by a tagger, UPOS and FEATS by a morphologizer.
    """
    wanted = ["tagger"] if "XPOS" in columns else []
    wanted += ["morphologizer"] if {"UPOS", "FEATS"} & set(columns) else []
    made: dict[str, Any] = {"tok2vec": _tok2vec(PARSER, vectors=False, brown=False)}
    made |= _taggers(wanted, TOK2VEC_LISTENER)
    config = {
        "paths": {"train": None, "dev": None},
        "nlp": {"lang": "xx", "pipeline": list(made), "batch_size": 1000},
        "components": made,
        "corpora": corpora(entities=False),
        "training": training_config(NEURAL) | TAGGER_TRAINING,
    }
    return fill(Config(config))


def fill(config: Config) -> Config:
    """With all settings that spaCy knows defaults of; sourced components stay references."""
    sourced = {name: c for name, c in config["components"].items() if "source" in c}
    filled = load_model_from_config(config, auto_fill=True, validate=False).config
    filled["components"].update(sourced)
    return filled


def system_config(name: str) -> dict[str, Any]:
    """Return the section of a system: the name that is registered for configs
    (`spacy-nonmono.ArcEager.v1`), or the function that finds any system by its own name.

    Raises ValueError (NM001) if there is no such system.
    """
    known = systems.get_all()
    if name not in known:
        raise ValueError(Errors.NM001.format(name=name, known=", ".join(sorted(known))))
    for registered, make in registry.misc.get_all().items():
        if make is known[name]:
            return {"@misc": registered}
    return {"@misc": "spacy-nonmono.System.v1", "name": name}


def parser_config(
    system: str | None,
    scorer: str,
    tok2vec: dict[str, Any] | None,
    *,
    members: int = 1,
    tag: str = "POS",
    collocates: bool = False,
    embeds: bool = False,
    vectors: bool = False,
    brown: bool = False,
) -> dict[str, Any]:
    """Return the parser's section.

    The other parameters are those of `make_config`. The first member of a committee is the parser that
    there would be without the others. These have vectors of their own, since members that share their
    vectors make the same errors; but all of them listen to a transformer, and a tok2vec that is the
    parser's own is made for each of them.

    tok2vec: a listener, or what the parser is to have as its own; None: what the architecture has.
    embeds: whether the parser has an embedding beside that. vectors, brown: whether vectors of a member
    see static vectors and Brown clusters.

    Raises ValueError: NM180 for an unknown scorer, NM001 for an unknown system, NM181 for a linear
    committee.
    """
    check_known("scorer", scorer, SCORERS)
    refuse(f"--scorer {scorer}", {"--members": scorer == LINEAR and members > 1})
    # Without probabilities of arcs, as the linear scorer has none, Covington's systems look at all pairs
    default = "arc_eager_unshift" if scorer == LINEAR else "covington_nonmonotonic"
    section = system_config(system or default)
    if scorer == LINEAR:
        model: dict[str, Any] = {
            "@architectures": "spacy-nonmono.LinearTransitionParser.v1",
            "tag": tag,
        }
    else:
        # A transformer has seen the context: above one, smaller layers find as much
        is_above = is_transformers(tok2vec)
        model = {
            "@architectures": "spacy-nonmono.TransitionParser.v2",
            "hidden_width": 128 if scorer == SMALL else 192 if is_above else 256,
            "collocates": collocates,
            **({"recurrent_depth": 1} if is_above else {}),
            **({} if tok2vec is None else {"tok2vec": tok2vec}),
            **({"embed": own_embed()} if embeds else {}),
        }
    if members == 1:
        return {"factory": PARSER, "system": section, "model": model}
    others = model
    if tok2vec is None or (listens(tok2vec) and not is_transformers(tok2vec)):
        own = _tok2vec(PARSER, vectors, brown)["model"]
        own["embed"]["width"] = own["encode"]["width"]
        others = {**model, "tok2vec": own}
        others.pop("embed", None)
    models = [others if tok2vec is None else model, *([others] * (members - 1))]
    return {
        "factory": PARSER,
        "system": section,
        "model": {
            "@architectures": "spacy-nonmono.Committee.v1",
            "*": {f"member{i}": one for i, one in enumerate(models, 1)},
        },
    }


def listens(tok2vec: dict[str, Any] | None) -> bool:
    """Return whether a section is that of a listener, to a tok2vec or to a transformer."""
    return "Listener" in (tok2vec or {}).get("@architectures", "")


def is_transformers(tok2vec: dict[str, Any] | None) -> bool:
    """Return whether a section is that of a listener to a transformer, of whatever package."""
    return "transformer" in str(tok2vec).lower()


def first_model(component: dict[str, Any]) -> dict[str, Any]:
    """Return the section of the model, if there is one, or that of the first member of a committee."""
    model = component.get("model")
    if not isinstance(model, dict):  # a setting of another kind
        return {}
    return next(iter(model["*"].values())) if "*" in model else model


def own_embed() -> dict[str, Any]:
    return {
        "@architectures": OUR_EMBED,
        "width": OWN_WIDTH,
        "attrs": list(OWN_ATTRS),
        "rows": list(OWN_ATTRS.values()),
        "include_static_vectors": False,
        "word_dropout": WORD_DROPOUT,
    }


def _tok2vec(parser: str, vectors: bool, brown: bool) -> dict[str, Any]:
    """Return the layers and sizes of `spacy init config`; ours sees more affixes, and leaves out rare
    words and affixes in training."""
    attrs = (ATTRS if parser == PARSER else SPACY_ATTRS) | (BROWN_ATTRS if brown else {})
    embed: dict[str, Any] = {
        "@architectures": "spacy.MultiHashEmbed.v2",
        "width": "${components.tok2vec.model.encode.width}",
        "attrs": list(attrs),
        "rows": list(attrs.values()),
        "include_static_vectors": vectors,
    }
    architecture = "spacy.Tok2Vec.v2"
    if parser == PARSER:
        embed |= {"@architectures": OUR_EMBED, "word_dropout": WORD_DROPOUT}
        architecture = "spacy-nonmono.Tok2Vec.v1"
    encode = {
        "@architectures": "spacy.MaxoutWindowEncoder.v2",
        "width": 96,
        "depth": 2 if parser == PARSER else 4,  # our parser has layers of its own on top
        "window_size": 1,
        "maxout_pieces": 3,
    }
    model = {"@architectures": architecture, "embed": embed, "encode": encode}
    return {"factory": "tok2vec", "model": model}


def _transformer(name: str) -> dict[str, Any]:
    model = {
        "@architectures": "spacy-transformers.TransformerModel.v3",
        "name": name,
        "tokenizer_config": {"use_fast": True},
        "get_spans": {
            "@span_getters": "spacy-transformers.strided_spans.v1",
            "window": 128,
            "stride": 96,
        },
    }
    return {"factory": "transformer", "model": model}


def corpora(entities: bool, gold_words: bool = True) -> dict[str, Any]:
    """Return the readers of the corpora. CoNLL-U has no entities, so these need spaCy's own format."""
    if entities:
        reader: dict[str, Any] = {"@readers": "spacy.Corpus.v1"}
    else:
        reader = {"@readers": READER, "multiword": MERGE, "gold_words": gold_words}
    return {part: {"path": f"${{paths.{part}}}", **reader} for part in ("train", "dev")}


def training_config(scorer: str, parser: str = PARSER) -> dict[str, Any]:
    """Return how long to train, and on what batches; the linear parser makes passes over the data."""
    training = {
        "dropout": 0.2 if parser == PARSER and scorer != LINEAR else 0.1,
        "patience": 1600,
        "max_epochs": 0,
        "max_steps": 20000,
        "eval_frequency": 200,
        "optimizer": {
            "@optimizers": "spacy-nonmono.Adam.v1" if parser == PARSER else "Adam.v1",
            "use_averages": True,
            "learn_rate": 0.001,
            "L2": 0.01,
        },
    }
    if scorer == LINEAR:
        batcher = {"@batchers": "spacy.batch_by_words.v1", "discard_oversize": False, "size": 1000}
        training |= {"patience": 0, "max_epochs": 15, "max_steps": 0}
        training["batcher"] = {**batcher, "tolerance": 0.2}
    return training


def transformer_training() -> dict[str, Any]:
    """Return the training of a transformer, as `spacy init config --gpu` sets it up."""
    return {
        "dropout": 0.1,
        "accumulate_gradient": 3,
        "optimizer": {
            "@optimizers": "Adam.v1",
            "learn_rate": {
                "@schedules": "warmup_linear.v1",
                "warmup_steps": 250,
                "total_steps": 20000,
                "initial_rate": 5e-5,
            },
        },
        "batcher": {
            "@batchers": "spacy.batch_by_padded.v1",
            "discard_oversize": True,
            "size": 2000,
            "buffer": 256,
        },
    }
