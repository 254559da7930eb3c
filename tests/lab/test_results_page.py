"""The tables of docs/lab/results.md, from made-up results."""

import re
from pathlib import Path

import pytest
import srsly

from docs.pages import results_page
from docs.pages.results_tables import draw_table
from spacy_nonmono.evaluation.names import SETTINGS
from spacy_nonmono.lab.breakdowns import break_down_cells
from spacy_nonmono.lab.counts import AFTER_ERROR
from spacy_nonmono.lab.published import published_bounds
from spacy_nonmono.lab.table import make_table
from tests.lab.made_up import make_cells, make_result

ACCURACY = {"static": 0.8, "dynamic": 0.9}


@pytest.fixture(scope="module")
def cells():
    return make_cells(["Basque-BDT", "Other"], list(ACCURACY), 2)


@pytest.fixture(scope="module")
def results(cells):
    return {cell.key: make_result(cell, accuracy=ACCURACY[cell.run.name]) for cell in cells}


@pytest.fixture(scope="module")
def store(tmp_path_factory, cells, results):
    folder = tmp_path_factory.mktemp("results")
    table = make_table(cells, results, part="test", settings=SETTINGS)
    srsly.write_json(folder / "table.json", table)
    results_page.add("bench", [folder / "table.json"], folder)
    claim = {"paper": "P", "claim": "c", "result": "bench", "run": "dynamic"}
    published = {"published": "fernandez_gomez_2017"}
    scored = {"setting": "gold_sentences", "score": "uas"}
    entries = [{**claim, **published, **scored}, {**claim, **scored}]
    srsly.write_json(folder / "claims.json", entries)
    return folder


def lines(store, directive):
    (store / "outline.md").write_text(f"# Results\n\n{{{{{directive}}}}}\n\nText\n")
    first, *found, last = results_page.page(store).splitlines()
    assert (first, last) == ("# Results", "Text")
    return found[1:-1]


def rows(store, setting="gold_sentences"):
    table = srsly.read_json(store / "bench.json")
    return {name: settings[setting] for name, settings in table["rows"].items()}


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


def test_round_trip(store):
    rebuilt = [{"system": "a", "trees": 8, "rebuilt": 7}, {"system": "b", "trees": 8, "rebuilt": 8}]
    report = {"made": {}, "treebanks": {"tb/Basque/train.conllu": {"round_trip": rebuilt}}}
    srsly.write_json(store / "round-trip.json", report)
    results_page.add("trees", [store / "round-trip.json"], store)
    header, _, line = lines(store, "round_trip trees b a")
    assert header == "| Trees that can be built, % | Trees | b | a |"
    assert line == "| Basque | 8 | 100.00 | 87.50 |"


def test_costs(store):
    speed = store / "dynamic.json"
    srsly.write_json(speed, {"component": [30000.0, 10000.0], "pipeline": [15000.0, 6000.0]})
    results_page.add("costs", [store / "table.json", speed], store)
    header, _, static, dynamic, *_ = lines(store, "costs costs gold_sentences")
    assert header.endswith("| pipeline | Training, minutes | Model, MB |")
    row = rows(store)["Basque-BDT"][1]
    assert dynamic.startswith(f"| dynamic | {100 * row['las']:.2f} ± ")
    assert " | 30,000 | 15,000 | " in dynamic and " |  |  |  |  | " in static
    assert dynamic.endswith(f" | {row['model_size'] / 1e6:.1f} |")


def test_beside_a_paper(store):
    found = lines(store, "against bench gold_sentences fernandez_gomez_2017 _no_punct")
    static, _ = rows(store)["Basque-BDT"]
    assert found[2].startswith(f"| static | {100 * static['uas_no_punct']:.2f} | ")
    assert found[2].endswith(" |  |  | 76.55 | 66.05 |  |")
    assert found[3].endswith(" | < .001 | 77.49 | 67.31 | +0.94 |")
    assert found[-1].endswith(" | < .001 |  |  |  |")
    header, _, static, *_ = lines(store, "against bench gold_sentences zhu_2015")
    assert header.startswith("| Basque-BDT | UAS | LAS | UCM (complete match) | difference, UAS | p | ")
    ucm = rows(store)["Basque-BDT"][0]["ucm"]
    assert f" | {100 * ucm:.2f} |  |  |  |  |  |  |" in static


def test_pairs_beside_a_paper(store):
    header, _, *found = lines(store, "pairs bench gold_sentences fernandez_gomez_2017")
    assert header.startswith("| UAS / LAS | static | dynamic | difference, UAS | p | published static")
    static, dynamic = rows(store)["Basque-BDT"]
    ours = [f"{100 * row['uas']:.2f} / {100 * row['las']:.2f}" for row in (static, dynamic)]
    assert found[0].startswith(f"| Basque-BDT | {' | '.join(ours)} | +")
    assert found[0].endswith(" | < .001 | 76.55 / 66.05 | 77.49 / 67.31 | +0.94 |")
    assert found[1].endswith(" | < .001 |  |  |  |")


def test_made(store):
    (line,) = lines(store, "made bench")
    assert line == (
        "Measured 2026-01-01 to 2026-01-02 on a processor: spacy 3.8.0, code 0; 2 seeds; "
        "0.1 hours of training in total."
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
    seeds = "; as many seeds as the number beside a treebank says, 1 seed for the others; 0.1 hours"
    assert line.endswith(f"{seeds} of training in total.")


def test_more_is_added(store):
    table = srsly.read_json(store / "table.json")
    part = {"Other": table["rows"]["Basque-BDT"]}
    srsly.write_json(store / "again.json", table | {"rows": part, "seeds": [0]})
    results_page.add("grown", [store / "table.json"], store)
    results_page.add("grown", [store / "again.json"], store)
    grown = srsly.read_json(store / "grown.json")
    assert grown["seeds"] == {"Basque-BDT": 2, "Other": 1}
    assert grown["rows"]["Other"] == grown["rows"]["Basque-BDT"]
    assert grown["made"] == table["made"]


def test_what_is_missing(store):
    (store / "outline.md").write_text("{{scores unknown gold_sentences}}")
    assert results_page.page(store) == results_page.MISSING
    (store / "outline.md").write_text("![LAS](results/unknown.png)\n")
    assert not results_page.page(store)
    entry = {"paper": "P", "claim": "c", "result": "unknown", "score": "uas"}
    srsly.write_json(store / "unknown-claims.json", [entry])
    (store / "outline.md").write_text("{{claims unknown-claims}}")
    assert results_page.page(store).endswith("| P | c |  | not measured yet |  |  |")


def test_readme(store):
    speeds = {"component": [10000.0, 30000.0], "pipeline": [8000.0, 20000.0]}
    srsly.write_json(store / "Other.json", speeds)
    results_page.add("against-spacy", [store / "table.json", store / "Other.json"], store)
    text = results_page.with_table(results_page.WITH_TABLE[0], store)
    for setting, name in (("gold_sentences", "Other"), ("documents", "Other, boundaries not given")):
        static, dynamic = (f"{100 * row['las']:.2f}" for row in rows(store, setting)["Other"])
        assert f"| {name} | {static} | **{dynamic}** |\n" in text
    assert "| *Words per second, Other, parser alone* | 10,000 | 30,000 |\n" in text
    assert "with its tok2vec* | 8,000 | 20,000 |\n<!-- end" in text


def test_left_out(store):
    entry = {"lever": "x", "treebank": "Other", "steps": 1000, "las": 81.9, "beside": 82.0}
    srsly.write_json(store / "out.json", [{**entry, "sents": 70.0, "sents_beside": 71.25}])
    *_, line = lines(store, "left_out out")
    assert line == "| x | Other | 1,000 | 81.90 | 82.00 | 70.00 | 71.25 |"


def test_speeds(store):
    made = srsly.read_json(store / "bench.json")["made"][0]
    speeds = {"made": made, "component": [10000.0, 30000.0], "pipeline": [6000.0, 15000.0]}
    srsly.write_json(store / "Basque-BDT.json", speeds)
    results_page.add("speeds", [store / "table.json", store / "Basque-BDT.json"], store)
    *_, line = lines(store, "speeds speeds")
    assert line == "| Basque-BDT | 10,000 | 30,000 (3.00) | 6,000 | 15,000 (2.50) |"
    assert "code 0; 2 seeds" in lines(store, "made speeds")[0]


def test_comparison(store):
    scores = {"las": {"old": 0.5, "new": 0.6}, "uas": {"old": 0.7, "new": 0.81234}}
    found = {"names": ["old", "new"], "scores": {"documents": scores}}
    srsly.write_json(store / "a pipeline.json", found)
    results_page.add("adapted", [store / "a pipeline.json"], store)
    header, _, old, new = lines(store, "comparison adapted documents uas las")
    assert header == "| a pipeline | UAS | LAS |" and old == "| old | 70.00 | 50.00 |"
    assert new == "| new | 81.23 | 60.00 |"


def test_calibration(store):
    srsly.write_json(store / "dev.json", {"error": 0.0123, "fitted": True})
    results_page.add("calibration", [store / "dev.json"], store)
    assert lines(store, "calibration calibration")[-1] == "| dev | 0.012 |"


def test_breakdown(store, cells, results):
    table = srsly.read_json(store / "table.json")
    found = break_down_cells(table, results, setting="gold_sentences")
    srsly.write_json(store / "breakdown.json", found)
    results_page.add("where", [store / "table.json", store / "breakdown.json"], store)
    text = lines(store, "breakdown where")
    assert text[0] == "| Precision / recall | static | dynamic |"
    pairs = [of_runs["dynamic"]["words"][AFTER_ERROR] for of_runs in found.values()]
    uas, las = (50 * sum(values) for values in zip(*pairs, strict=True))
    (line,) = [line for line in text if line.startswith(f"| {AFTER_ERROR} |")]
    assert line.endswith(f" | {uas:.1f} / {las:.1f} |")
    assert text[-3].startswith("| Words after the first error, %") and text[-1].startswith("|  | ")

    srsly.write_json(store / "breakdown.json", {"Third": found["Other"]})
    results_page.add("where", [store / "breakdown.json"], store)
    whole = srsly.read_json(store / "where.json")["others"]["breakdown"]
    assert list(whole) == ["Basque-BDT", "Other", "Third"] and whole["Third"] == whole["Other"]


def test_bounds(store):
    means = {"lower": 0.1, "exact": 0.2, "pc_upper": 0.3, "upper": 0.4}
    treebanks = {f"/some/{name}": {"bounds": {"means": means}} for name in ("Basque-BDT", "Other")}
    srsly.write_json(store / "bounds.json", {"treebanks": treebanks})
    results_page.add("loss", [store / "bounds.json"], store)
    assert "/some" not in (store / "loss.json").read_text()
    *_, basque, other = lines(store, "bounds loss")
    _, paper = published_bounds(Path("Basque-BDT"))
    assert basque.startswith("| Basque-BDT | 0.10000 | 0.20000 | 0.30000 | 0.40000 | ")
    assert basque.endswith(f" | {paper['loss']:.5f} | {paper['pc_upper']:.5f} | {paper['upper']:.5f} |")
    assert other.endswith("0.40000 |  |  |  |  |")


def test_repairs(store):
    counts = {"arcs": 200, "repairs": 50, "builds_gold": 30, "destroys_gold": 5, "neither": 15}
    srsly.write_json(store / "Other, upper.json", {"treebanks": {"x": {"repairs": counts}}})
    results_page.add("repairs", [store / "Other, upper.json"], store)
    *_, other, paper = lines(store, "repairs repairs")
    assert other == "| Other, upper | 25.0 | 60.0 | 10.0 | 30.0 |"
    assert paper == "| 2017 | 36.9 | 60.3 | 6.0 | 33.7 |"


def test_claims(store):
    _, _, line, ours_alone = lines(store, "claims claims")
    paper = srsly.read_json("assets/published/fernandez_gomez_2017.json")["scores"]
    there = [scores["dynamic"][0] - scores["static"][0] for scores in paper.values()]
    here = [100 * found[1]["uas_difference"] for found in rows(store).values()]
    texts = [
        f"{sum(gains) / len(gains):+.2f} UAS ({min(gains):+.2f}, {max(gains):+.2f})"
        for gains in (there, here)
    ]
    assert line == f"| P | c | {' | '.join(texts)} | 2 up, 0 down, of 2 | .500 |"
    assert ours_alone == line.replace(texts[0], "")


def test_rows_of_the_page_are_as_long_as_their_header():
    blocks = re.findall(r"(?:^\|.*\n)+", results_page.PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert blocks
    for block in blocks:
        header, rule, *rows = block.splitlines()
        assert set(rule) == {"|", "-"}
        for row in rows:
            assert row.count("|") == header.count("|"), row
            assert not re.fullmatch(r"[|-]+", row), f"two tables in one: {header}"


def test_sizes_are_drawn(store, tmp_path, cells, results):
    pytest.importorskip("matplotlib")
    results_page.draw_sizes(tmp_path)
    assert not list(tmp_path.iterdir())
    table = make_table(cells[:4], results, part="test", settings=SETTINGS)
    srsly.write_json(tmp_path / "table.json", table)
    srsly.write_json(tmp_path / "static.json", {"pipeline": [20_000.0]})
    results_page.add("sizes", [tmp_path / "table.json", tmp_path / "static.json"], tmp_path)
    results_page.draw_sizes(tmp_path)
    assert (tmp_path / "sizes.png").stat().st_size > 0


def test_peers(tmp_path):
    row = {"parser": "other", "las": 0.5, "uas": 0.625, "nonproj_p": None, "nonproj_r": 0.0}
    row["nonproj_f"] = None
    costs = {"training_minutes": 75.0, "words_per_second": 1234.5, "memory_mb": 2000, "model_mb": 17.6}
    result = {"Bank": [row | costs, row | costs | {"parser": "ours", "las": 0.75}]}
    header, _, *lines = draw_table("peers", result, "Bank").splitlines()
    assert header.startswith("| Bank | LAS | UAS |")
    assert lines[0] == "| other | 50.00 | 62.50 |  | 0.0 |  | 75 | 1,234 | 2,000 | 18 |"
    pytest.importorskip("matplotlib")
    results_page.draw_peers(tmp_path)
    assert not list(tmp_path.iterdir())
    srsly.write_json(tmp_path / "peers.json", result)
    results_page.draw_peers(tmp_path)
    assert (tmp_path / "peers.png").stat().st_size > 0
