"""What makes the result of a cell: its training, and the counts and scores of what it parses.

Each runs in a process of its own. This file and all that it imports belong to the code on which a cell
depends (`cells`): so what only tells, keeps or shows results stands elsewhere.
"""

import os
import subprocess
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

import srsly
from spacy.util import load_config

from ..errors import Errors
from ..evaluation.evaluate import parse_file
from ..evaluation.names import SETTINGS
from ..files import telling_write_errors, write_text
from ..installed import load_pipeline
from ..treebank.formats import DEV, TRAIN, find_part
from .counts import count_arcs, count_groups, count_sentences, count_tags
from .treebanks import PARTS

SPEED_LOGGER = "spacy-nonmono.SpeedLogger.v1"
N_LOG_LINES = 15


def train(
    text: str, treebank: Path, seed: int, *, run: str, folder: Path, log: Path
) -> dict[str, float | None]:
    """Run `spacy train` in a process of its own, and return what it took.

    `seconds` and `peak_memory` (bytes) are those of the process. `speed_logger` notes `words`, `steps`
    and `words_per_second`.

    text: of the config.
    run: a name for an error.
    folder: for the models.

    Raises RuntimeError (NM163) if the training fails.
    """
    config_path, speed_path = folder / "config.cfg", folder / "speed.json"
    write_text(config_path, text)
    config = load_config(
        config_path,
        overrides={
            "paths.train": str(find_part(treebank, TRAIN)),
            "paths.dev": str(find_part(treebank, DEV)),
            "system.seed": seed,
        },
    )
    config["training"]["logger"] = {
        "@loggers": SPEED_LOGGER,
        "path": str(speed_path),
        "logger": config["training"].get("logger", {"@loggers": "spacy.ConsoleLogger.v1"}),
    }
    write_text(config_path, config.to_str())
    command = [sys.executable, "-m", "spacy", "train", str(config_path), "--output", str(folder)]
    start = perf_counter()
    with telling_write_errors(log):
        file = log.open("wb")
    with file:
        process = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
    seconds = perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
        raise RuntimeError(
            Errors.NM163.format(
                run=run,
                treebank=treebank.name,
                seed=seed,
                code=process.returncode,
                log=log,
                lines="\n".join(lines[-N_LOG_LINES:]),
            )
        )
    # Kilobytes on Linux, bytes on macOS
    peak_memory = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    loop = srsly.read_json(speed_path) if speed_path.exists() else {}
    noted = {name: loop.get(name) for name in ("words", "steps", "words_per_second")}
    return {"seconds": seconds, "peak_memory": peak_memory, **noted}


def score_model(model: Path, treebank: Path, gold_tags: bool) -> dict[str, dict[str, Any]]:
    """Return the scores and the counts of a model, by part of the treebank and setting.

    The scores are those of `evaluate`; `counts` has the counts.
    """
    nlp = load_pipeline(model)
    parts: dict[str, dict[str, Any]] = {}
    for part in PARTS:
        parts[part] = {}
        for setting in SETTINGS:
            path = find_part(treebank, part)
            parsed = parse_file(nlp, path, setting=setting, gold_tags=gold_tags, timed=True)
            trees = parsed.gold, parsed.predicted
            parts[part][setting] = {
                "scores": parsed.scores(),
                "sentences": count_sentences(*trees),
                "arcs": count_arcs(*trees),
                "groups": count_groups(*trees),
                "tags": count_tags(*trees, parsed.tags),
                "far_tags": count_tags(*trees, parsed.tags, far=True),
            }
    return parts
