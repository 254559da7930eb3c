"""Experiments as files: which runs a benchmark has, with what they share and what is drawn of them.

A file is YAML, as project.yml is, for which spaCy brings a reader:

    vars: {name: sample}                  # names that ${vars.name} stands for, and their defaults
    config: configs/linear.cfg            # of the runs that name no other one
    common: {nlp.lang: xx}                # settings of all runs; a run's own come first
    runs:
      arc_eager static:                   # a name, and settings; those of one section may be nested
        components.nonmono_parser: {oracle: static, system.@misc: spacy-nonmono.ArcEager.v1}
      with clusters:
        config: training/${vars.name}/clusters.cfg
    plots: [arc-length]                   # kinds of `nonmono breakdown`
    breakdown: true

`seeds`, `setting`, `model`, `gold_tags`, `reference` and `published` are as the options of `nonmono
benchmark`. Paths are those of the working directory.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import srsly
from spacy.util import dict_to_dot

from ..errors import Errors
from .cells import Run

VARIABLE = re.compile(r"\$\{vars\.([^}]*)\}")
MODELS = ("best", "last")
SETTINGS = ("both", "gold", "documents")
PLOTS = ("sentence-length", "arc-length", "part-of-speech", "part-of-speech-far", "heat-map")


@dataclass(frozen=True)
class Experiment:
    """An experiment of a file. A value of None leaves it to the options of `nonmono benchmark`."""

    runs: list[Run]
    common: dict[str, Any]
    seeds: int | None = None
    setting: str | None = None
    model: str | None = None
    gold_tags: bool = False
    reference: str | None = None
    published: Path | None = None
    plots: Sequence[str] = ()
    breakdown: bool = False


# What a value must be: in words, and as a test
KEYS: dict[str, tuple[str, Any]] = {
    "vars": ("names with values", lambda x: _is_section(x) and not any(map(_is_section, x.values()))),
    "config": ("the path of a config", lambda x: isinstance(x, str)),
    "common": ("settings with values", lambda x: _is_section(x)),
    "runs": ("names with settings", lambda x: _is_section(x) and x),
    "seeds": ("a number from 1", lambda x: type(x) is int and x > 0),
    "setting": (f"one of: {', '.join(SETTINGS)}", lambda x: x in SETTINGS),
    "model": (f"one of: {', '.join(MODELS)}", lambda x: x in MODELS),
    "gold_tags": ("true or false", lambda x: isinstance(x, bool)),
    "reference": ("the name of a run", lambda x: isinstance(x, str)),
    "published": ("the path of a JSON file", lambda x: isinstance(x, str)),
    "plots": (
        f"a list of: {', '.join(PLOTS)}",
        lambda x: isinstance(x, list) and all(one in PLOTS for one in x),
    ),
    "breakdown": ("true or false", lambda x: isinstance(x, bool)),
}


class _Wrong(Exception):
    """Something is wrong in the file. The arguments: a key, what was found there, what was expected."""


def read_experiment(path: Path, variables: Mapping[str, str]) -> Experiment:
    """Read the experiment of a file.

    variables: values for some of its `vars`, as texts. Where a setting is nothing but a variable, a
        text that is a JSON value, such as a number, is that value.

    Raises FileNotFoundError if there is no such file, ValueError (NM176) if it holds no experiment.
    """
    text = path.read_text("utf-8")
    try:
        values = _parse(text)
        known = values.pop("vars", {})
        for name, value in variables.items():
            if name not in known:
                raise _Wrong("a variable", f"{name}={value}", f"one of: {', '.join(known) or 'none'}")
        return _experiment(_fill(values, {**known, **variables}))
    except _Wrong as wrong:
        key, found, expected = wrong.args
        message = Errors.NM176.format(path=path, key=key, found=found, expected=expected)
        raise ValueError(message) from None


def _parse(text: str) -> dict[str, Any]:
    try:
        values = srsly.yaml_loads(text)
    except ValueError as error:
        raise _Wrong("the text", " ".join(str(error).split()), "YAML") from None
    if not _is_section(values):
        raise _Wrong("the text", values, "keys with values")
    for key, value in values.items():
        if key not in KEYS:
            raise _Wrong("a key", key, f"one of: {', '.join(KEYS)}")
        expected, is_right = KEYS[key]
        if not is_right(value):
            raise _Wrong(key, value, expected)
    return values


def _fill(value: Any, known: Mapping[str, Any], key: str = "") -> Any:
    """Return a value with the variables in its texts filled in. key: where the value stands."""
    if _is_section(value):
        return {name: _fill(inner, known, f"{key}.{name}".lstrip(".")) for name, inner in value.items()}
    if isinstance(value, list):
        return [_fill(inner, known, key) for inner in value]
    if not isinstance(value, str):
        return value
    for name in VARIABLE.findall(value):
        if name not in known:
            raise _Wrong(key, value, f"variables of: {', '.join(known) or 'none'}")
    whole = VARIABLE.fullmatch(value)
    if whole:
        return _from_json(known[whole[1]])
    return VARIABLE.sub(lambda match: str(known[match[1]]), value)


def _experiment(values: dict[str, Any]) -> Experiment:
    if "runs" not in values:
        raise _Wrong("runs", None, KEYS["runs"][0])
    config = values.pop("config", None)
    runs = [_run(name, settings, config) for name, settings in values.pop("runs").items()]
    names = [run.name for run in runs]
    if values.get("reference", names[0]) not in names:
        raise _Wrong("reference", values["reference"], f"one of: {', '.join(names)}")
    if "published" in values:
        values["published"] = Path(values["published"])
    common = _flat(values.pop("common", {}))
    return Experiment(runs, common, **values)


def _run(name: str, settings: Any, config: str | None) -> Run:
    """Make a run. config: the path of its config if the run names none."""
    if settings is not None and not _is_section(settings):
        raise _Wrong(f"runs.{name}", settings, "settings with values")
    own = {"config": config, **(settings or {})}
    path = own.pop("config")
    if not isinstance(path, str):
        raise _Wrong(f"runs.{name}.config", path, KEYS["config"][0])
    return Run(name=name, config=Path(path), overrides=_flat(own))


def _is_section(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(key, str) for key in value)


def _flat(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return nested settings by their full names: {"a.b": {"c": 1}} becomes {"a.b.c": 1}."""
    # spaCy reads numbers of the command line so, which makes 0.3 a little more than 0.3. One cell has
    # one key, whether a file or an option says what it is
    return dict_to_dot(srsly.json_loads(srsly.json_dumps(settings)))


def _from_json(value: Any) -> Any:
    try:
        return srsly.json_loads(value) if isinstance(value, str) else value
    except ValueError:
        return value
