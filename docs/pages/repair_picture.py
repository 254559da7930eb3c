"""docs/repair.svg, the picture of the README: how a parser takes arcs back.

python -m docs.pages.repair_picture PIPELINE TREEBANK SENTENCE     draws it again

It shows the arcs after the last repair of one sentence: those of that moment, and those that repairs
dropped. What the pipeline builds afterwards is not on it.
"""

import sys
from itertools import islice
from pathlib import Path

from spacy_nonmono.drawing.arcs import Drawing, DrawnArc
from spacy_nonmono.errors import count
from spacy_nonmono.files import write_text
from spacy_nonmono.installed import load_pipeline
from spacy_nonmono.lab.traces import Trace, trace
from spacy_nonmono.treebank.corpus import create_conllu_corpus
from spacy_nonmono.treebank.multiword import learned_words

from . import DOCS

PICTURE = DOCS / "repair.svg"
SCALE = 1.5


def draw_repairs(derivation: Trace) -> str:
    """Draw the arcs after the last repair, as an SVG file that stands alone."""
    repairs = [number for number, step in enumerate(derivation.steps) if step.repairs]
    arcs: dict[tuple[int, int], DrawnArc] = {}
    for step in derivation.steps[: repairs[-1] + 1]:
        for arc in step.removed:
            arcs[arc[:2]] = DrawnArc(*arc, kind="dropped")
        for arc in step.added:
            arcs[arc[:2]] = DrawnArc(*arc, kind="added" if step.repairs else "plain")
    n_dropped = sum(arc.kind == "dropped" for arc in arcs.values())
    title = f"{count(n_dropped, 'arc')} taken back"
    return Drawing(derivation.words, list(arcs.values()), title=title).svg(scale=SCALE) + "\n"


def main(pipeline: str, treebank: str, sentence: int) -> None:
    """Write the picture of a sentence of a treebank, as a pipeline parses it, from 1."""
    nlp = load_pipeline(pipeline)
    read_corpus = create_conllu_corpus(
        Path(treebank), n_sents=1, gold_sents=True, multiword=learned_words(nlp)
    )
    example = next(islice(read_corpus(nlp), sentence - 1, None))
    (derivation,) = trace(nlp, example.predicted, example.reference)
    write_text(PICTURE, draw_repairs(derivation))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
