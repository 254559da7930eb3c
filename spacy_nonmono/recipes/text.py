"""The text of a config: its sections in the order of the pipeline, with comments."""

import re
from collections.abc import Iterator, Mapping
from configparser import Error
from contextlib import contextmanager
from pathlib import Path
from textwrap import wrap
from typing import Any

from spacy.util import CONFIG_SECTION_ORDER, load_config
from thinc.api import Config

from ..errors import Errors

SECTION = re.compile(r"^\[(.+)\]$", flags=re.MULTILINE)

# What stands above a section, by its name, where {parser} is the name of the parser
COMMENTS = {
    "components.brown_clusters": "Brown clusters of words: token._.brown_cluster",
    "components.collocations": "Words that like to be joined by an arc: token._.collocates",
    "components.tok2vec": "The word vectors, which the components below share",
    "components.transformer": "The transformer, which the components below share",
    "components.{parser}": "The parser. docs/training.md explains its settings.",
    "components.{parser}.system": "The transition system. docs/systems.md has the others.",
    "components.{parser}.model.*.member1": "The members of the committee. Those with vectors of their "
    "own make errors of their own.",
    "components.{parser}.exploration": "Training follows the parser's own moves with probability p, "
    "after k updates or passes that follow the oracle.",
    "components.multiword_tokens": "The words of tokens such as French 'du': token._.words",
    "corpora.train": "n_sents: how many sentences make a Doc. With several of them, the parser learns "
    "to find boundaries. multiword: merge, to parse text: a token such as French 'du' is one word, "
    "unless the tokenizer cuts it; split: it is two, as in the treebank.",
    "corpora.annotated": "The frozen transformer runs once over the training data. As one of the "
    "`annotating_components` it would run in each step.",
    "training": "A short trial needs fewer steps: --training.max_steps 100 --training.eval_frequency 50",
}
WIDTH = 100
MARK = "the path of the training data"


def read_config(path: Path, overrides: Mapping[str, Any] | None = None) -> Config:
    """Return a config with the settings that are to be others, its variables as they stand.

    Raises ValueError (NM202) if it is none, or has no components; spaCy's E053 if there is no file.
    """
    with _telling(path):
        config = load_config(path, overrides=dict(overrides or {}))
    if "components" not in config:
        raise ValueError(Errors.NM202.format(path=path, reason="it has no components"))
    return config


def check_reads_train(config: Config, path: Path) -> None:
    """Raise ValueError (NM202) unless the config reads `${paths.train}`, in whose place others come."""
    marked = config.copy()
    marked.setdefault("paths", {})["train"] = MARK
    if MARK not in str(values_of(marked, path).get("corpora")):
        raise ValueError(Errors.NM202.format(path=path, reason="[corpora] does not read ${paths.train}"))


def values_of(config: Config, path: Path) -> Config:
    """Return a config of a file with the values of its variables; ValueError (NM202) if one has none."""
    with _telling(path):
        return config.interpolate()


def override(config: Config, overrides: Mapping[str, Any] | None) -> Config:
    """Return a config that no file has, with the settings that are to be others; ValueError (NM202) if
    it has no place for one."""
    with _telling("The config of this command"):
        text = config.to_str(interpolate=False)
        return Config().from_str(text, interpolate=False, overrides=dict(overrides or {}))


@contextmanager
def _telling(path: Path | str) -> Iterator[None]:
    """What is wrong with a config in the block becomes a ValueError (NM202)."""
    try:
        yield
    except (ValueError, KeyError, Error) as error:  # KeyError: a section comes before the one around it
        reason = " ".join(str(error).split()).rstrip(".")
        raise ValueError(Errors.NM202.format(path=path, reason=reason)) from None


def config_text(config: Config, header: list[str], parser: str) -> str:
    """Return a complete config as text. parser: the name of its parser, which the comments are about."""
    parts = ["\n".join(f"# {line}" if line else "#" for line in header)]
    return "\n\n".join([*parts, *_blocks(config, parser).values()]) + "\n"


def block_text(config: Config, parser: str) -> str:
    """Return the sections of the parser alone."""
    own = f"components.{parser}"
    blocks = _blocks(config, parser)
    return "\n\n".join(blocks[name] for name in blocks if f"{name}.".startswith(f"{own}.")) + "\n"


def _blocks(config: Config, parser: str) -> dict[str, str]:
    """Return the sections in their order, with comments above them."""
    text = config.to_str(interpolate=False)
    comments = {name.format(parser=parser): words for name, words in COMMENTS.items()}
    starts = [match.start() for match in SECTION.finditer(text)]
    blocks = {}
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        block = text[start:end].strip()
        blocks[block[1 : block.index("]")]] = block
    # A section stands before the sections in it; components are in the order of the pipeline
    with_parents = [parent for name in blocks for parent in _with_parents(name)]
    in_order = [f"components.{name}" for name in config["components"]]
    seen = [*CONFIG_SECTION_ORDER, *in_order, *with_parents]
    places = {name: i for i, name in reversed(list(enumerate(seen)))}
    names = sorted(blocks, key=lambda name: [places[parent] for parent in _with_parents(name)])
    lines = {name: wrap(words, WIDTH - 2) for name, words in comments.items()}
    above = {name: "".join(f"# {line}\n" for line in lines.get(name, ())) for name in names}
    return {name: above[name] + blocks[name] for name in names}


def _with_parents(name: str) -> list[str]:
    """`a`, `a.b` and `a.b.c` for `a.b.c`."""
    parts = name.split(".")
    return [".".join(parts[: i + 1]) for i in range(len(parts))]
