"""The tables of docs/results.md, from made-up results."""

import pytest
import srsly

from spacy_nonmono.evaluation.evaluate import SETTINGS
from spacy_nonmono.evaluation.table import make_table
from tests import results_page
from tests.evaluation.made_up import make_cells, make_result

ACCURACY = {"static": 0.8, "dynamic": 0.9}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    cells = make_cells(["Basque-BDT", "Other"], list(ACCURACY), 2)
    results = {cell.key: make_result(cell, accuracy=ACCURACY[cell.run.name]) for cell in cells}
    table = make_table(cells, results, part="test", settings=SETTINGS)
    srsly.write_json(folder / "table.json", table)
    results_page.add("bench", [folder / "table.json"], folder)
    claim = {"paper": "P", "claim": "c", "there": "+1", "result": "bench", "run": "dynamic"}
    entries = [{**claim, "setting": "gold_sentences", "score": "uas"}]
    srsly.write_json(folder / "claims.json", entries)
    return folder


def lines(store, directive):
    (store / "outline.md").write_text(f"# Results\n\n{{{{{directive}}}}}\n\nText\n")
    first, *found, last = results_page.page(store).splitlines()
    assert (first, last) == ("# Results", "Text")
    return found[1:-1]


def rows(store):
    table = srsly.read_json(store / "bench.json")
    return {name: settings["gold_sentences"] for name, settings in table["rows"].items()}


def test_what_is_stored(store):
    assert all("arc_lengths" not in row for found in rows(store).values() for row in found)


def test_scores(store):
    header, _, *found = lines(store, "scores bench gold_sentences uas")
    assert header == "|  | static | dynamic |"
    assert [line.split(" | ")[0] for line in found] == ["| Basque-BDT", "| Other"]
    static, dynamic = rows(store)["Basque-BDT"]
    assert f"| {100 * static['uas']:.2f} ± {100 * static['uas_sd']:.2f} |" in found[0]
    assert f"| **{100 * dynamic['uas']:.2f}** ± {100 * dynamic['uas_sd']:.2f}\\* |" in found[0]


def test_runs(store):
    found = lines(store, "runs bench gold_sentences Other")
    _, dynamic = rows(store)["Other"]
    assert len(found) == 4 and found[0].startswith("| Other | UAS | difference | p | LAS |")
    assert f" | {100 * dynamic['uas_difference']:+.2f} | < .001 | " in found[3]
    assert len(lines(store, "runs bench gold_sentences")) == 9


def test_crossing(store):
    header, _, line = lines(store, "crossing bench gold_sentences Other")
    assert header == "| Precision / recall / F | static | dynamic |"
    expected = [
        " / ".join(
            "none" if row[f"nonproj_{score}"] is None else f"{100 * row[f'nonproj_{score}']:.1f}"
            for score in "prf"
        )
        for row in rows(store)["Other"]
    ]
    assert line == f"| Other | {' | '.join(expected)} |"


def test_costs(store):
    header, _, static, dynamic, *_ = lines(store, "costs bench gold_sentences")
    assert header.endswith("| Words per second | Training, minutes | Model, MB |")
    row = rows(store)["Basque-BDT"][1]
    assert dynamic.startswith(f"| dynamic | {100 * row['las']:.2f} ± ")
    assert f" | {row['parsing_words_per_second']:,.0f} | " in dynamic
    assert dynamic.endswith(f" | {row['model_size'] / 1e6:.1f} |") and " |  |  | " in static


def test_beside_a_paper(store):
    found = lines(store, "against bench gold_sentences fernandez_gomez_2017 _no_punct")
    static, _ = rows(store)["Basque-BDT"]
    assert found[2].startswith(f"| static | {100 * static['uas_no_punct']:.2f} | ")
    assert found[2].endswith(" |  |  | 76.55 | 66.05 |  |")
    assert found[3].endswith(" | < .001 | 77.49 | 67.31 | +0.94 |")
    assert found[-1].endswith(" | < .001 |  |  |  |")


def test_made(store):
    (line,) = lines(store, "made bench")
    assert line == (
        "Measured 2026-01-01 to 2026-01-02 on a processor: spacy 3.8.0, code 0; 2 seeds."
    )


def test_several_files(store):
    table = srsly.read_json(store / "table.json")
    part = {"Third": table["rows"].pop("Other")}
    srsly.write_json(store / "first.json", table)
    srsly.write_json(store / "part.json", table | {"rows": part, "seeds": [0]})
    results_page.add("merged", [store / "first.json", store / "part.json"], store)
    _, _, *found = lines(store, "scores merged gold_sentences")
    names = [line.split(" | ")[0] for line in found]
    assert names == ["| Basque-BDT (2)", "| Third"]
    (line,) = lines(store, "made merged")
    assert line.endswith("; 2 seeds, where a number stands beside the treebank, else one.")


def test_speeds(store):
    made = srsly.read_json(store / "bench.json")["made"][0]
    speeds = {"made": made, "component": [30000.0, 10000.0], "pipeline": [15000.0, 6000.0]}
    srsly.write_json(store / "Basque-BDT.json", speeds)
    results_page.add("speeds", [store / "Basque-BDT.json"], store)
    *_, line = lines(store, "speeds speeds")
    assert line == "| Basque-BDT | 30,000 | 10,000 | 3.00 | 15,000 | 6,000 | 2.50 |"
    assert lines(store, "made speeds")[0].endswith("code 0.")


def test_claims(store):
    *_, line = lines(store, "claims claims")
    gains = [100 * found[1]["uas_difference"] for found in rows(store).values()]
    expected = f"| P | c | +1 | {sum(gains) / 2:+.2f} UAS ({min(gains):+.2f}, {max(gains):+.2f})"
    assert line == f"{expected} | 2 up, 0 down, of 2 |"
