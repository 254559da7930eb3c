"""The files of the treebank and their sizes."""

from itertools import islice
from pathlib import Path

from ...files import write_text
from .stream import generate

SPLITS = (("train", 2000), ("dev", 250), ("test", 300))


def write(folder: Path, seed: int) -> None:
    """train.conllu, dev.conllu and test.conllu, cut from one stream: no sentence is in two."""
    stream = generate(sum(n for _, n in SPLITS), seed)
    for name, n in SPLITS:
        text = "".join(sentence.to_conllu() for sentence in islice(stream, n))
        write_text(folder / f"{name}.conllu", text)
