"""The treebanks of real languages that some tests want, in the folder that NONMONO_TREEBANKS names."""

import os
from pathlib import Path

import pytest

FOLDER = os.environ.get("NONMONO_TREEBANKS")
DEV_FILES = sorted(Path(FOLDER).glob("*/dev.conllu")) if FOLDER else []

needs_treebanks = pytest.mark.skipif(
    not DEV_FILES, reason="NONMONO_TREEBANKS names no folder of treebanks"
)
