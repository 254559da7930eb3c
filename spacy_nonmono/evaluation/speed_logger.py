"""A logger for `[training.logger]` that notes how many words per second a training learns from.

It wraps another logger, which logs as it would by itself. The time is that of the training loop with
its evaluations on the development part, without the start of Python and the initialization.
"""

from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import IO, Any

from spacy.language import Language

from ..files import write_json
from .made import made_here

LogStep = Callable[[dict[str, Any] | None], None]
SetupLogger = Callable[[Language, IO[str], IO[str]], tuple[LogStep, Callable[[], None]]]


def create_speed_logger(path: Path, logger: SetupLogger) -> SetupLogger:
    """Write `steps`, `words`, `seconds` and `words_per_second` to a JSON file at each evaluation
    but the first, which comes after one batch; and with what they were measured (`made`).

    path: the file.
    logger: the logger that is wrapped.
    """

    def setup(nlp: Language, stdout: IO[str], stderr: IO[str]) -> tuple[LogStep, Callable[[], None]]:
        log_inner, finalize = logger(nlp, stdout, stderr)
        made = made_here()
        start = perf_counter()

        def log_step(info: dict[str, Any] | None) -> None:
            if info is not None and info["step"] > 0:  # a step with an evaluation, not the first
                seconds = perf_counter() - start
                speed = {
                    "made": made,
                    "steps": info["step"],
                    "words": info["words"],
                    "seconds": seconds,
                    "words_per_second": info["words"] / seconds,
                }
                write_json(path, speed)
            log_inner(info)

        return log_step, finalize

    return setup
