"""A small pipeline on disk, with random weights."""

from pathlib import Path

import pytest

from tests.pipeline.util import CROSSING, initialized


@pytest.fixture(scope="session")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Path:
    nlp = initialized("covington_nonmonotonic", CROSSING)
    nlp.meta["version"] = "1.2.3"
    path = tmp_path_factory.mktemp("pipeline") / "model"
    nlp.to_disk(path)
    return path
