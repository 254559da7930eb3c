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
    "corpora.train": "n_sents: how many sentences make a Doc. With several of them, the parser learns "
    "to find boundaries. multiword: merge, to parse text: a token such as French 'du' is one word, "
    "unless the tokenizer cuts it; split: it is two, as in the treebank.",
    "training": "A short trial needs fewer steps: --training.max_steps 100 --training.eval_frequency 50",
}
WIDTH = 100


def config_text(config: Config, header: list[str], parser: str) -> str:
    """A complete config as text. parser: the name of its parser, which the comments are about."""
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
    parts = ["\n".join(f"# {line}" if line else "#" for line in header)]
    for name in names:
        above = _wrapped(comments[name]) if name in comments else ""
        parts.append(above + blocks[name])
    return "\n\n".join(parts) + "\n"


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
