"""The text of a config: its sections in the order of the pipeline, with comments."""

import re

from thinc.api import Config

SECTION = re.compile(r"^\[(.+)\]$", flags=re.MULTILINE)
FIRST = ("paths", "system", "nlp", "components", "corpora", "training", "pretraining", "initialize")

# What stands above a section, by its name, where {parser} is the name of the parser
COMMENTS = {
    "components.brown_clusters": "Brown clusters of words: token._.brown_cluster",
    "components.collocations": "Words that like to be joined by an arc: token._.collocates",
    "components.tok2vec": "The word vectors, which the components below share",
    "components.transformer": "The transformer, which the components below share",
    "components.{parser}": "The parser. docs/training.md explains its settings.",
    "components.{parser}.system": "The transition system. docs/systems.md has the others.",
    "components.{parser}.exploration": "Training follows the parser's own moves with probability p, "
    "after k updates or passes that follow the oracle.",
    "components.multiword_tokens": "The words of tokens such as French 'du': token._.words",
    "corpora.train": "n_sents: how many sentences make a Doc. With several of them, the parser learns "
    "to find boundaries. multiword: merge, to parse text: a token such as French 'du' is one word, "
    "unless the tokenizer cuts it; split: it is two, as in the treebank.",
    "training": "A short trial needs fewer steps: --training.max_steps 100 --training.eval_frequency 50",
}
WIDTH = 100


def config_text(config: Config, header: list[str], parser: str) -> str:
    """A complete config as text. parser: the name of its parser, which the comments are about."""
    parts = ["\n".join(f"# {line}" if line else "#" for line in header)]
    return "\n\n".join([*parts, *_blocks(config, parser).values()]) + "\n"


def block_text(config: Config, parser: str) -> str:
    """The sections of the parser alone."""
    own = f"components.{parser}"
    blocks = _blocks(config, parser)
    return "\n\n".join(blocks[name] for name in blocks if f"{name}.".startswith(f"{own}.")) + "\n"


def _blocks(config: Config, parser: str) -> dict[str, str]:
    """The sections in their order, with comments above them."""
    text = config.to_str(interpolate=False)
    comments = {name.format(parser=parser): words for name, words in COMMENTS.items()}
    starts = [match.start() for match in SECTION.finditer(text)]
    blocks = {}
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        block = text[start:end].strip()
        blocks[block[1 : block.index("]")]] = block
    # A section stands before the sections in it; components are in the order of the pipeline
    seen = [*FIRST, *(f"components.{name}" for name in config["components"]), *blocks]
    places = {name: i for i, name in reversed(list(enumerate(seen)))}
    names = sorted(blocks, key=lambda name: [places[parent] for parent in _with_parents(name)])
    above = {name: _wrapped(comments[name]) for name in names if name in comments}
    return {name: above.get(name, "") + blocks[name] for name in names}


def _with_parents(name: str) -> list[str]:
    """`a`, `a.b` and `a.b.c` for `a.b.c`."""
    parts = name.split(".")
    return [".".join(parts[: i + 1]) for i in range(len(parts))]


def _wrapped(words: str) -> str:
    lines = [""]
    for word in words.split():
        if len(lines[-1]) + len(word) + 3 > WIDTH:
            lines.append("")
        lines[-1] += f" {word}"
    return "".join(f"#{line}\n" for line in lines)
