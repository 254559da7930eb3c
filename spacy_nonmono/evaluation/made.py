"""When, with which versions and on which processor something was measured."""

import platform
from collections.abc import Iterable
from datetime import datetime, timezone
from importlib.metadata import version
from pathlib import Path
from typing import TypedDict

from .sources import code_fingerprint

PACKAGES = ("spacy-nonmono", "spacy", "thinc", "numpy")
CPU_INFO = Path("/proc/cpuinfo")
N_DIGITS = 8


class Made(TypedDict):
    """date: YYYY-MM-DD. code: the first digits of a hash of the package's sources. versions: of the
    packages, and of "python"."""

    date: str
    code: str
    versions: dict[str, str]
    processor: str


def made_here() -> Made:
    """Say when and with what this process measures: today, with these versions, on this processor."""
    return Made(
        date=datetime.now(timezone.utc).date().isoformat(),
        code=code_fingerprint()[:N_DIGITS],
        versions={
            **{name: version(name) for name in PACKAGES},
            "python": platform.python_version(),
        },
        processor=_processor(),
    )


def each_once(makings: Iterable[Made]) -> list[Made]:
    """List when and with what several measurements were made, each case once, by date."""
    known: list[Made] = []
    for made in makings:
        if made not in known:
            known.append(made)
    return sorted(known, key=lambda made: made["date"])


def _processor() -> str:
    """Return the name of the processor, as Linux knows it, or else Python."""
    lines = CPU_INFO.read_text().splitlines() if CPU_INFO.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
