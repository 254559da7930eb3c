"""Another package adds a system with its oracle, and a model with its learner, by entry points."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import spacy_nonmono

SOURCES = Path(__file__).parent / "outside"


def run(folder: Path, *arguments: str) -> str:
    """Run Python where the package is found. It looks for entry points when it starts."""
    found = [str(folder), str(Path(spacy_nonmono.__file__).parents[1])]
    process = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(found)},
        capture_output=True,
        text=True,
    )
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds the package, built."""
    folder = tmp_path_factory.mktemp("outside")
    shutil.copytree(SOURCES, folder, dirs_exist_ok=True)
    run(folder, "setup.py", "build_ext", "--inplace", "egg_info")
    return folder


@pytest.mark.parametrize("check", sorted((SOURCES / "checks").glob("check_*.py")), ids=lambda p: p.stem)
def test_outside(installed: Path, check: Path) -> None:
    run(installed, "-m", "pytest", "-q", "-W", "error", f"checks/{check.name}")
