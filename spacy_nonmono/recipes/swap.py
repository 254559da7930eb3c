"""The parser in somebody's config for `spacy train`, in the place of spaCy's. Nothing else in it
changes, not even comments."""

import re

from thinc.api import Config

from ..errors import Errors
from ..parsers import find_parser
from .config import LINEAR, NEURAL, OUR_EMBED, parser_config

# Comments above a section are about it
SECTION_WITH_COMMENTS = re.compile(r"^(?:#.*\n)*\[(.+)\]$", re.MULTILINE)


def swap_parser(text: str, *, system: str | None = None, scorer: str = NEURAL) -> tuple[str, str, bool]:
    """The text of the config, the name of its parser, and whether a file of labels is left out: that of
    spaCy's parser names moves, too.

    The parser keeps its name and its tok2vec, which is a listener or its own. If it listens to a tok2vec
    of spaCy's, it gets an embedding beside that.

    Raises ValueError: NM202 if it is no config, NM110 if there is no parser, and what `parser_config`
    raises.
    """
    try:
        config = Config().from_str(text, interpolate=False)
    except ValueError as error:
        reason = str(error).strip().splitlines()[0]
        raise ValueError(Errors.NM202.format(reason=reason)) from None
    if "components" not in config:
        raise ValueError(Errors.NM202.format(reason="it has no components"))
    name = find_parser(config, or_spacys=True)
    tok2vec = config["components"][name].get("model", {}).get("tok2vec")
    listens = "Tok2VecListener" in (tok2vec or {}).get("@architectures", "")
    embeds = listens and scorer != LINEAR and OUR_EMBED not in text
    section = parser_config(system, scorer, tok2vec, embeds=embeds)
    block = Config({"components": {name: section}}).to_str(interpolate=False)
    text = _replace_sections(text, f"components.{name}", block.partition("\n\n")[2] or block)
    labels = f"initialize.components.{name}"
    has_labels = name in config.get("initialize", {}).get("components", {})
    return (_replace_sections(text, labels, "") if has_labels else text), name, has_labels


def _replace_sections(text: str, name: str, block: str) -> str:
    """The text with a block in the place of a section and of all within it, with their comments."""
    headers = list(SECTION_WITH_COMMENTS.finditer(text))
    starts = [header.start() for header in headers]
    kept = [text[: starts[0]]]
    for header, start, end in zip(headers, starts, [*starts[1:], len(text)], strict=True):
        if not f"{header[1]}.".startswith(f"{name}."):
            kept.append(text[start:end])
        elif block:
            kept.append(f"{block.strip()}\n\n")
            block = ""
    return "".join(kept)
