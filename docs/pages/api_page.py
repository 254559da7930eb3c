"""docs/api.md, made from the docstrings of the code.

python -m docs.pages.api_page     writes the page again
"""

import inspect
import re
from collections.abc import Iterator
from importlib.metadata import entry_points
from pkgutil import resolve_name
from typing import Any

from spacy_nonmono.files import write_text

from . import DOCS

PAGE = DOCS / "api.md"
INTRODUCTION = """\
# Python API

What a program or a config may use. Everything else may change with any version. For C and Cython there
is [extending.md](extending.md).

This page is made from the docstrings. To make it again:

    python -m docs.pages.api_page
"""
# What programs call, by what they want to do
CALLED = {
    "The parser": [
        "spacy_nonmono.pipeline.parser.NonmonoParser",
        "spacy_nonmono.pipeline.parser.NonmonoParser.derivations",
    ],
    "Systems and oracles": [
        "spacy_nonmono.get_system",
        "spacy_nonmono.list_systems",
        "spacy_nonmono.get_oracle",
    ],
    "Treebanks": [
        "spacy_nonmono.treebank.writer.write_conllu",
        "spacy_nonmono.treebank.reader.read_sentences",
        "spacy_nonmono.treebank.corpus.read_docs",
        "spacy_nonmono.tokens.merged.Reading",
        "spacy_nonmono.tokens.merged.Part",
        "spacy_nonmono.tokens.merged.get_reading",
        "spacy_nonmono.tokens.merged.set_reading",
        "spacy_nonmono.tokens.merged.mark_known",
    ],
    "Scores": [
        "spacy_nonmono.evaluation.evaluate.evaluate",
        "spacy_nonmono.evaluation.evaluate.read_file_of_trees",
        "spacy_nonmono.evaluation.raw_text.evaluate_raw_text",
    ],
    "Configs and trained pipelines": [
        "spacy_nonmono.recipes.config.make_config",
        "spacy_nonmono.recipes.adapt.adapt",
        "spacy_nonmono.recipes.distill.distill",
    ],
    "Drawings": ["spacy_nonmono.drawing.show_tree"],
    "Spark": ["spacy_nonmono.spark.parse", "spacy_nonmono.spark.parse_partition"],
    "The laboratory": ["spacy_nonmono.lab.traces.trace"],
}
# What configs name, by the group of the entry points
NAMED = {
    "spacy_factories": ("Components", "factory"),
    "spacy_architectures": ("Architectures", "@architectures"),
    "spacy_readers": ("Readers", "@readers"),
    "spacy_callbacks": ("Callbacks", "@callbacks"),
    "thinc_optimizers": ("Optimizers", "@optimizers"),
    "spacy_loggers": ("Loggers", "@loggers"),
    "spacy_misc": ("Systems and exploration", "@misc"),
}
# A line that begins to tell of parameters
PARAMETERS = re.compile(r"^([a-z_]\w*(?:, [a-z_]\w*)*): ")
# A default that is a function, with its address
FUNCTION = re.compile(r"<function .*?>+ at \w+>")
# In front of a class: where it is defined is of no interest
MODULES = re.compile(r"\b(?:[a-z_]\w*\.)+(?=[A-Za-z])")


def page() -> str:
    """Return the page in Markdown."""
    return INTRODUCTION + "".join(_called()) + "".join(_named())


def _called() -> Iterator[str]:
    for title, names in CALLED.items():
        yield f"\n## {title}\n"
        for name in names:
            module, _, attribute = name.rpartition(".")
            owner = resolve_name(module)
            if inspect.isclass(owner):
                yield _entry(f"{owner.__name__}.{attribute}", getattr(owner, attribute))
            else:
                yield _entry(attribute, getattr(owner, attribute), f"from {module} import {attribute}")


def _named() -> Iterator[str]:
    for group, (title, key) in NAMED.items():
        yield f"\n## {title}: `{key}`\n"
        ours = [one for one in entry_points(group=group) if one.module.startswith("spacy_nonmono.")]
        for one in sorted(ours, key=lambda one: one.name):
            yield f"\n### {one.name}\n\n{_settings(one.load())}{_docstring(one.load())}\n"


def _entry(name: str, function: Any, imported: str = "") -> str:
    code = f"{imported}\n\n{_signature(name, function)}".strip()
    return f"\n### {name}\n\n```py\n{code}\n```\n\n{_docstring(function)}\n"


def _docstring(function: Any) -> str:
    nothing = (None, object.__init__.__doc__)
    has_init = inspect.isclass(function) and function.__init__.__doc__ not in nothing
    docs = [function, *([function.__init__] if has_init else [])]
    return "\n\n".join(_markdown(inspect.getdoc(one) or "") for one in docs)


def _signature(name: str, function: Any) -> str:
    """Return the signature as Python writes it; a long one has a line for each parameter."""
    signature = inspect.signature(function)
    shown = f"{name}{signature}"
    if len(MODULES.sub("", shown)) > 90:
        inner = "".join(f"    {one},\n" for one in _parameters(signature))
        returned = signature.return_annotation
        end = "" if returned is inspect.Signature.empty else f" -> {inspect.formatannotation(returned)}"
        shown = f"{name}(\n{inner}){end}"
    return FUNCTION.sub("...", MODULES.sub("", shown))


def _parameters(signature: inspect.Signature) -> Iterator[str]:
    starred = False
    for one in signature.parameters.values():
        if one.kind is one.KEYWORD_ONLY and not starred:
            starred = True
            yield "*"
        yield str(one)


def _settings(function: Any) -> str:
    """Return a line with the settings that a config may have, and their defaults."""
    skipped = {"nlp", "name"}
    found = [one for one in inspect.signature(function).parameters.values() if one.name not in skipped]
    shown = [
        f"`{one.name}`" if one.default is one.empty else f"`{one.name} = {one.default!r}`"
        for one in found
    ]
    return f"Settings: {', '.join(shown)}\n\n" if shown else ""


def _markdown(text: str) -> str:
    """Return a docstring in Markdown, with lists in the place of paragraphs about parameters."""
    paragraphs = []
    for paragraph in text.split("\n\n"):
        lines: list[str] = []
        for line in paragraph.splitlines():
            if PARAMETERS.match(line):
                lines.append(PARAMETERS.sub(r"- `\1`: ", line))
            elif lines and lines[0].startswith("- "):
                lines.append(f"  {line.strip()}")
            else:
                lines.append(line)
        paragraphs.append("\n".join(lines))
    return "\n\n".join(paragraphs)


if __name__ == "__main__":
    write_text(PAGE, page())
