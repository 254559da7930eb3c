"""What a trained pipeline says of itself before it is packaged: the model card, its license and its
`meta.json`. `spacy package` takes all three from the folder of the pipeline (Mitchell et al. 2019).
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import srsly
from spacy.cli.package import get_third_party_dependencies
from spacy.language import Language

from ..errors import Errors
from ..evaluation.compare import MADE, read_scores
from ..evaluation.names import METRICS, RATIOS, RAW_TEXT, SPEED
from ..files import replace_file, write_json, write_text
from ..installed import PARSER, find_parser, load_pipeline

CARD, LICENSE, META = "README.md", "LICENSE", "meta.json"
# In a source of `meta.json`: what was trained on it, the parser or the other components
USED_BY = "used_by"
# What a component adds, in the order in which the card says it
GIVES = {
    "tagger": "tags (`token.tag_`)",
    "morphologizer": "parts of speech and features (`token.pos_`, `token.morph`)",
    "trainable_lemmatizer": "lemmas (`token.lemma_`)",
    "senter": "sentences (`doc.sents`)",
    "nonmono_parser": "dependency trees and sentences (`token.head`, `token.dep_`, `doc.sents`)",
    "ud_noun_chunks": "noun chunks (`doc.noun_chunks`)",
    "ner": "entities (`doc.ents`)",
}
# What a score is about; if no component assigns it, the score would compare empty columns
ABOUT = {
    "upos": {"token.pos"},
    "xpos": {"token.tag"},
    "ufeats": {"token.morph"},
    "alltags": {"token.pos", "token.tag", "token.morph"},
    "lemmas": {"token.lemma"},
    "mlas": {"token.pos", "token.morph"},
    "blex": {"token.lemma"},
}
# What the card says of the text of the test part
NEEDED = ("n_words", "n_sents", SPEED)


def write_model_card(
    pipeline: Path,
    scores: Path,
    *,
    name: str,
    version: str,
    data: str,
    url: str,
    license: str,
    license_file: Path | None = None,
    text: str | None = None,
    language: str | None = None,
) -> None:
    """Write the card, the license and the meta data into the folder of a pipeline.

    scores: a file that `evaluate --setting raw --output` wrote for it. name, version: of the package;
    the name may begin with the language, as in `en_ewt`. data, url: the treebank; the sources of other
    components, of a pipeline that has got the parser, stay. license: of the treebank, and so of the
    pipeline; license_file: its text. text: what else it has learned from, such as raw text. language:
    the name of the language, where the code of the pipeline does not tell it, as `xx` does not.

    Raises OSError (NM198) if there is no such pipeline; ValueError: NM110 if it has no nonmono_parser,
    NM107 if the file has no scores, NM109 if it has none from raw text.
    """
    nlp = load_pipeline(pipeline)
    find_parser(nlp)
    measured = read_scores(scores)
    if not set(NEEDED) <= set(measured.get(RAW_TEXT) or ()):
        raise ValueError(Errors.NM109.format(path=scores))
    meta: dict[str, Any] = srsly.read_json(pipeline / META)
    meta.update(
        name=name.removeprefix(f"{nlp.lang}_") or name,
        version=version,
        license=license,
        description=f"{f'{language}. ' if language else ''}Trained on {data}, with the parser of "
        "spacy-nonmono",
        sources=[
            {"name": data, "url": url, "license": license, USED_BY: PARSER},
            *(one for one in sources_of(meta) if one.get(USED_BY) != PARSER and one["name"] != data),
        ],
    )
    meta["performance"] = {**meta.get("performance", {}), RAW_TEXT: measured[RAW_TEXT]}
    write_json(pipeline / META, meta)
    if license_file is not None and license_file.resolve() != (pipeline / LICENSE).resolve():
        with replace_file(pipeline / LICENSE) as file:
            file.write(license_file.read_bytes())
    size = sum(file.stat().st_size for file in pipeline.rglob("*") if file.is_file())
    write_text(pipeline / CARD, _card(nlp, meta, measured, size, text, language or meta["lang"]))


def sources_of(meta: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the sources of a pipeline, which `meta.json` may give as names, too."""
    return [{"name": one} if isinstance(one, str) else one for one in meta.get("sources") or []]


def _card(
    nlp: Language,
    meta: Mapping[str, Any],
    measured: Mapping[str, Any],
    size: int,
    text: str | None,
    language: str,
) -> str:
    package = f"{meta['lang']}_{meta['name']}"
    source, *others = meta["sources"]
    of_others = [one["name"] + (f" ({one['license']})" if "license" in one else "") for one in others]
    factories = [nlp.get_pipe_meta(name).factory for name in nlp.pipe_names]
    assigned = {what for name in nlp.pipe_names for what in nlp.get_pipe_meta(name).assigns}
    raw, made = measured[RAW_TEXT], measured.get(MADE, {})
    needed = get_third_party_dependencies(nlp.config)  # as the package will
    facts = {
        "Language": language,
        "Version": meta["version"],
        "Components": ", ".join(f"`{name}`" for name in nlp.pipe_names),
        "Trained on": f"{source['name']}, {source['url']}",
        "And on": text,
        "Other components from": ", ".join(of_others),
        "License": f"{meta['license']}, that of the treebank",
        "Size": f"{size / 1e6:.0f} MB",
        "Needs": ", ".join(f"`{one}`" for one in [f"spacy{meta['spacy_version']}", *needed]),
    }
    rows = [
        (label, *(_percent(raw.get(f"{key}_{ratio}")) for ratio in RATIOS))
        for key, label in METRICS.items()
        if ABOUT.get(key, set()) <= assigned
    ]
    things, option = ("tokens", " --multiword merge") if raw.get("merged") else ("words", "")
    processor = made.get("processor", "an unknown processor")
    versions = ", ".join(f"{name} {number}" for name, number in made.get("versions", {}).items())
    return f"""\
# {package}

A spaCy pipeline. It finds {_and(["words", *(GIVES[one] for one in GIVES if one in factories)])}.

```python
import spacy

nlp = spacy.load("{package}")
```

{_table(("", ""), [(label, fact) for label, fact in facts.items() if fact])}

## Scores

On the test part of the treebank. The pipeline got nothing but the text: {raw["n_words"]:,} {things} in
{raw["n_sents"]:,} sentences. The scores are those of the CoNLL 2018 shared task, in percent.

{_table(("", *RATIOS.values()), rows)}

It takes {raw[SPEED]:,.0f} words per second through all components, on {processor}.
Measured on {made.get("date", "an unknown day")} with {versions}. This command gives the scores:

    python -m spacy nonmono evaluate {package} test.conllu --setting raw{option}
"""


def _and(things: list[str]) -> str:
    return ", ".join(things[:-1]) + " and " * (len(things) > 1) + things[-1]


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.2f}"


def _table(header: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [header, tuple("---" for _ in header), *rows]
    cells = ([" ".join(cell.split()).replace("|", r"\|") for cell in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)
