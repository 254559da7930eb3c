"""Another package adds a system with its oracle, and a model with its learner, by entry points."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import spacy_nonmono

SOURCES = Path(__file__).parent / "outside"


def run(folder: Path, *arguments: str) -> str:
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


def test_trains_saves_and_loads(tmp_path: Path) -> None:
    package = tmp_path / "outside"
    package.mkdir()
    for name in ("__init__.py", "swing.pyx", "learner.py"):
        shutil.copy(SOURCES / name, package / name)
    shutil.copy(SOURCES / "setup_outside.py", tmp_path / "setup.py")
    run(tmp_path, "setup.py", "build_ext", "--inplace", "egg_info")
    assert "works" in run(tmp_path, str(SOURCES / "use_outside.py"), str(tmp_path / "models"))
