"""The parser in somebody's config for `spacy train`, in the place of spaCy's. Nothing else in it
changes, not even comments."""

import re
import warnings
from collections.abc import Iterable
from functools import cache, reduce
from operator import getitem
from pathlib import Path
from typing import Any

import srsly
from thinc.api import Config

from ..errors import Errors, Warnings, name_some
from ..installed import find_parsers, load_pipeline
from .config import NEURAL, OUR_EMBED, PARSER, first_model, parser_config
from .text import read_config, values_of

# Comments above a section are about it; what stands behind its header, `configparser` leaves out
SECTION_WITH_COMMENTS = re.compile(r"^(?:[#;].*\n)*\[(.+?)\].*$", re.MULTILINE)
# The settings of a parser that have nothing to do with how it parses
KEPT = ("scorer", "dep_scores", "n_threads")


def swap_parser(
    path: Path, *, system: str | None = None, members: int = 1, scorer: str = NEURAL
) -> str:
    """Return the text of a config with our parser in the place of each parser.

    A parser keeps its name, its scorer, and its tok2vec, a listener or its own. If it listens to
    a tok2vec of spaCy's, it gets an embedding beside that. A parser of ours keeps all but its model,
    unless it gets another system. References to settings of a parser become what these were.
    system, members: as in `make_config`.

    Warns where a file of labels is left out, which names the moves of spaCy's parser (NM593), and of
    parsers that are frozen (NM594). Raises ValueError: NM202 if it is no config, NM110 if there is no
    parser, and what `load_pipeline`, of a pipeline that a parser comes from, and `parser_config` raise.
    """
    config = read_config(path)
    sections = _with_sources(config, path)
    names = find_parsers({"components": sections}, or_spacys=True)
    text = _with_values(path.read_text("utf-8"), config, names, path)
    config = Config().from_str(text, interpolate=False)
    sections |= {name: one for name, one in config["components"].items() if "source" not in one}
    sees_affixes = OUR_EMBED in str(sections)
    new: dict[str, Any] = {}
    for name in names:
        section = sections[name]
        tok2vec = first_model(section).get("tok2vec")
        listens = "Tok2VecListener" in (tok2vec or {}).get("@architectures", "")
        embeds = listens and not sees_affixes
        new[name] = parser_config(system, scorer, tok2vec, members=members, embeds=embeds)
        is_same = system is None and section["factory"] == PARSER
        kept = section.keys() - {"model"} if is_same else KEPT
        new[name] |= {key: section[key] for key in section if key in kept}
        block = Config({"components": {name: new[name]}}).to_str(interpolate=False)
        text = _replace_sections(text, f"components.{name}", block.partition("\n\n")[2] or block)
    labels = config.get("initialize", {}).get("components", {}).keys() & names
    for name in labels:
        text = _replace_sections(text, f"initialize.components.{name}", "")
    written = Config().from_str(text, interpolate=False)["components"]
    if written != {**config["components"], **new}:
        reason = "the parser has no section of its own"
        raise ValueError(Errors.NM202.format(path=path, reason=reason))
    if labels:
        warnings.warn(Warnings.NM593.format(names=name_some(sorted(labels))), stacklevel=2)
    training = config.get("training", {})
    if "${" in str(training.get("frozen_components", "")):
        training = values_of(config, path)["training"]
    frozen = [name for name in names if name in training.get("frozen_components", ())]
    if frozen:
        warnings.warn(Warnings.NM594.format(names=name_some(frozen)), stacklevel=2)
    return text


def _with_sources(config: Config, path: Path) -> dict[str, Any]:
    """Return the sections of the components; of one that comes from a pipeline, what it is there."""
    sections = dict(config["components"])
    load = cache(load_pipeline)
    for name, section in sections.items():
        if "source" in section:
            source = values_of(config, path)["components"][name]["source"]
            theirs = load(source).config.interpolate()["components"]
            wanted = section.get("component", name)
            if wanted not in theirs:
                reason = f"{source} has no component {wanted!r}, but {name_some(sorted(theirs))}"
                raise ValueError(Errors.NM202.format(path=path, reason=reason))
            sections[name] = theirs[wanted]
            if "replace_listeners" in section:
                sections[name].pop("model", None)
    return sections


def _with_values(text: str, config: Config, parsers: Iterable[str], path: Path) -> str:
    """Return the text with the values of the settings of parsers in the place of references to them."""
    names = "|".join(map(re.escape, parsers))
    reference = re.compile(rf"\$\{{(components[.:](?:{names})[.:][^}}]+)\}}")
    if not reference.search(text):
        return text
    values = values_of(config, path)

    def value(match: re.Match[str]) -> str:
        found = reduce(getitem, re.split("[.:]", match[1]), values)
        in_quotes = match.string[: match.start()].count('"') % 2 == 1
        return found if in_quotes and isinstance(found, str) else srsly.json_dumps(found)

    lines = text.splitlines(keepends=True)
    return "".join(line if line[0] in "#;" else reference.sub(value, line) for line in lines)


def _replace_sections(text: str, name: str, block: str) -> str:
    """Return the text with a block in the place of a section and of all within it, with their
    comments."""
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
