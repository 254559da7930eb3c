"""Where extension attributes find the table of a token's own pipeline.

An extension attribute is the same function in the whole process, a table belongs to one pipeline.
What leads from a token to its pipeline is the vocab. So the component leaves its table in `vocab.cfg`,
the vocab's dict of settings: it is neither saved nor pickled, so that the table is saved once, by its
component; it lives as long as a Doc does, also when the pipeline is gone; and `nlp.pipe(n_process=2)`
hands back Docs of the vocab that has it, unless the component was sourced and has seen no Doc here.
Of the alternatives, a table in `vocab.lookups` is saved twice and lost with `[initialize.lookups]`; a
Vocab cannot be weakly referenced; what is noted in `Doc.user_data` is missing from `span.as_doc()` and
from a DocBin.

Pipelines that are made to share one vocab see the table of the component that was called last.
"""

from typing import Any

from spacy.language import Language
from spacy.vocab import Vocab

PREFIX = "spacy_nonmono."
# The tables that scorers read, by the names of the components that hold them
BROWN_CLUSTERS = "brown_clusters"
COLLOCATIONS = "collocations"


def attach_table(vocab: Vocab, name: str, table: Any) -> None:
    """Let tokens of this vocab find the table."""
    vocab.cfg[PREFIX + name] = table


def keep_own_tables(nlp: Language) -> None:
    """Let tokens of a pipeline find the tables of its own components alone: those of pipelines from
    which it sources others have been attached to its vocab, too."""
    for name in (BROWN_CLUSTERS, COLLOCATIONS):
        nlp.vocab.cfg.pop(PREFIX + name, None)
    components: list[Any] = [component for _, component in nlp.components]
    for component in components:
        if hasattr(component, "TABLE"):
            attach_table(nlp.vocab, component.TABLE, component.table)


def find_table(vocab: Vocab, name: str) -> Any:
    """Return the table of this vocab's pipeline, or None."""
    return vocab.cfg.get(PREFIX + name)
