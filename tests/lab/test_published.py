"""What papers report, beside which our figures stand."""

from pathlib import Path

import pytest
import srsly

from spacy_nonmono.lab.published import FOLDER, published, published_bounds

FILES = [path.stem for path in sorted((Path(__file__).parents[2] / FOLDER).glob("*.json"))]


@pytest.mark.parametrize("name", FILES)
def test_every_file_has_a_source(name):
    found = published(name)
    assert found["source"] and len(found) > 1
    for runs in found.get("scores", {}).values():
        for scores in runs.values():
            # UAS alone, or UAS and LAS, maybe with complete match
            uas, las = (*scores, scores[0])[:2]
            assert len(scores) in (1, 2, 3) and 50 < las <= uas < 100


def test_bounds(tmp_path):
    language, row = published_bounds(tmp_path / "UD_Basque-BDT" / "train.conllu")
    assert language == "Basque"
    assert row["loss"] == 0.58318
    assert published_bounds(tmp_path / "Gothic-PROIEL" / "train.conllu") is None
    rows = published("fernandez_gomez_2017_bounds")
    assert len(rows["bounds"]) == 20
    for name, values in rows["bounds"].items():
        row = dict(zip(rows["columns"], values, strict=True))
        assert row["lower"] <= row["loss"] <= row["pc_upper"] <= row["upper"], name


def test_repairs():
    found = published("fernandez_gomez_2017_repairs")["repairs"]
    assert found["builds_gold"] + found["destroys_gold"] + found["neither"] == pytest.approx(100)


def test_nothing_is_known_outside_of_the_repository(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert published("zhu_2015") == {}
    assert published_bounds(Path("Basque-BDT")) is None
    (tmp_path / FOLDER).mkdir(parents=True)
    srsly.write_json(tmp_path / FOLDER / "mine.json", {"source": "me"})
    assert published("mine") == {"source": "me"}
