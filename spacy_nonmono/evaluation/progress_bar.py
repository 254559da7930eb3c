"""How far something is that may take long, on standard error."""

from collections.abc import Iterable, Iterator

from spacy.language import Language
from spacy.tokens import Doc
from tqdm import tqdm

# Docs after which the bar moves, and seconds after which there is one
BATCH_SIZE, PATIENCE = 50, 2


def parse_shown(nlp: Language, docs: Iterable[Doc | str], total: int) -> Iterator[Doc]:
    """`nlp.pipe`, with a bar where it takes more than two seconds and somebody looks on."""
    parsed = nlp.pipe(docs, batch_size=BATCH_SIZE)
    shown = tqdm(
        parsed, total=total, desc="Parsing", unit=" Docs", delay=PATIENCE, leave=False, disable=None
    )
    yield from shown
