"""The tables of docs/lab/results.md: what each kind shows of stored results (`results_page`)."""

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from pathlib import Path
from statistics import mean
from typing import Any

from ...evaluation.names import METRICS, SCORES
from ..breakdown_table import mean_breakdown
from ..published import published as read_published
from ..published import published_bounds

SIGNIFICANT = 0.05

Row = dict[str, Any]


def scores(result: Any, setting: str, score: str = "las") -> Iterable[str]:
    """Treebanks by runs: means with standard deviations; * where the difference to the reference has
    p < .05."""
    runs = _runs(result)
    yield from _header(["", *runs])
    for treebank, by_setting in result["rows"].items():
        rows = by_setting[setting]
        cells = [
            cell + _spread(row, score) + _star(row, score)
            for cell, row in zip(_marked(rows, score), rows, strict=True)
        ]
        yield _line([_label(result, treebank), *cells])


def runs(result: Any, setting: str, *treebanks: str) -> Iterable[str]:
    """Runs on each treebank: UAS and LAS with differences to the reference and p, sentences, arcs that
    cross."""
    names = [SCORES["uas"], "difference", "p", SCORES["las"], "difference", "p"]
    names += [SCORES["sents_f"], SCORES["nonproj_f"]]
    for treebank in treebanks or result["rows"]:
        yield from _header([treebank, *names])
        for row in result["rows"][treebank][setting]:
            cells = [row["run"]]
            for score in ("uas", "las"):
                cells += [f"{100 * row[score]:.2f}{_spread(row, score)}", *_difference(row, score)]
            yield _line([*cells, _percent(row["sents_f"]), _percent(row["nonproj_f"])])
        yield ""


def crossing(result: Any, setting: str, *treebanks: str) -> Iterable[str]:
    """Treebanks by runs: precision, recall and F of arcs that cross others."""
    yield from _header(["Precision / recall / F", *_runs(result)])
    for treebank in treebanks or result["rows"]:
        cells = [
            " / ".join(_percent(row[f"nonproj_{score}"]) or "none" for score in "prf")
            for row in result["rows"][treebank][setting]
        ]
        yield _line([_label(result, treebank), *cells])


def costs(result: Any, setting: str) -> Iterable[str]:
    """Runs on each treebank: LAS with the difference to the reference and p, words per second, minutes
    of training, and megabytes of the model. What `speed` says of a run is in a file of its name."""
    names = ["LAS", "difference", "p", "Words per second, alone", "pipeline"]
    for treebank, by_setting in result["rows"].items():
        yield from _header([treebank, *names, "Training, minutes", "Model, MB"])
        for row in by_setting[setting]:
            las = f"{100 * row['las']:.2f}{_spread(row, 'las')}"
            cells = [row["run"], las, *_difference(row, "las")]
            speed = result["others"].get(row["run"])
            cells += [f"{speed[what][0]:,.0f}" if speed else "" for what in ("component", "pipeline")]
            cells += [f"{row['training_seconds'] / 60:.0f}", f"{row['model_size'] / 1e6:.1f}"]
            yield _line(cells)
        yield ""


def peers(result: Any, treebank: str) -> Iterable[str]:
    """Parsers of others and ours on one treebank: scores, minutes of training on one core, words per
    second, megabytes of memory in training, and of the model."""
    crossing = [f"Crossing arcs: {ratio}" for ratio in ("P", "R", "F")]
    costs = ["Training, minutes", "Words per second", "Memory, MB", "Model, MB"]
    yield from _header([treebank, "LAS", "UAS", *crossing, *costs])
    for row in result[treebank]:
        cells = [f"{100 * row[key]:.2f}" for key in ("las", "uas")]
        cells += [_percent(row[f"nonproj_{ratio}"]) for ratio in "prf"]
        cells += [f"{row['training_minutes']:,.0f}", f"{row['words_per_second']:,.0f}"]
        cells += [f"{row['memory_mb']:,.0f}", f"{row['model_mb']:,.0f}"]
        yield _line([row["parser"], *cells])


def left_out(entries: Any) -> Iterable[str]:
    """What was tried and did not pay: its LAS and that of the parser beside it, after equal steps."""
    yield from _header(["", "Treebank", "Steps", SCORES["las"], "without", SCORES["sents_f"], "without"])
    for entry in entries:
        cells = [f"{entry[key]:.2f}" for key in ("las", "beside", "sents", "sents_beside")]
        yield _line([entry["lever"], entry["treebank"], f"{entry['steps']:,}", *cells])


def speeds(result: Any) -> Iterable[str]:
    """Words per second of two parsers on each treebank, alone and with their pipelines."""
    names = ["alone, ours", "spaCy's", "ratio", "pipeline, ours", "spaCy's", "ratio"]
    yield from _header(["Words per second", *names])
    for treebank, found in result["others"].items():
        cells = []
        for what in ("component", "pipeline"):
            ours, theirs = found[what]
            cells += [f"{ours:,.0f}", f"{theirs:,.0f}", f"{ours / theirs:.2f}"]
        yield _line([treebank, *cells])


def comparison(result: Any, setting: str, *names: str) -> Iterable[str]:
    """Scores of several pipelines in each file that `evaluate` or `adapt` wrote."""
    for title, found in result["others"].items():
        yield from _header([title, *(METRICS[name.removesuffix("_f")] for name in names)])
        for pipeline in found["names"]:
            values = [found["scores"][setting][name][pipeline] for name in names]
            yield _line([pipeline, *(f"{100 * value:.2f}" for value in values)])
        yield ""


def calibration(result: Any) -> Iterable[str]:
    """Expected calibration errors."""
    yield from _header(["", "Expected calibration error"])
    for name, found in result["others"].items():
        yield _line([name, f"{found['error']:.3f}"])


def breakdown(result: Any) -> Iterable[str]:
    """Where the runs err: what `breakdown` found, as means over the treebanks."""
    found = result["others"]["breakdown"]
    names = list(next(iter(found.values())))
    means = [mean_breakdown([of_runs[name] for of_runs in found.values()]) for name in names]
    for what, title in (("arcs", "Precision / recall"), ("words", "UAS / LAS")):
        yield from _header([title, *names])
        for kind in means[0][what]:  # type: ignore[literal-required]
            pairs = [one[what][kind] for one in means]  # type: ignore[literal-required]
            yield _line([kind, *(" / ".join(_percent(x) or "none" for x in pair) for pair in pairs)])
        yield ""
    shares = [_percent(one["share_after_error"]) for one in means]
    yield from _header(["Words after the first error, %", *names])
    yield _line(["", *shares])


def bounds(result: Any) -> Iterable[str]:
    """How close the bounds are to the loss: what `oracle-report` found, beside the paper's Table 1."""
    names = ["Lower", "Loss", "Pc upper", "Upper"]
    yield from _header(["Mean loss of transitions", *names, *(f"{name}, 2017" for name in names)])
    for path, report in result["others"]["bounds"]["treebanks"].items():
        means = report["bounds"]["means"]
        cells = [
            f"{means[key]:.5f}" if key in means else ""
            for key in ("lower", "exact", "pc_upper", "upper")
        ]
        known = published_bounds(Path(path))
        theirs = [known[1][key] for key in ("lower", "loss", "pc_upper", "upper")] if known else []
        cells += [f"{value:.5f}" for value in theirs] or [""] * len(names)
        yield _line([Path(path).name, *cells])


def round_trip(result: Any, *systems: str) -> Iterable[str]:
    """Of the trees of each treebank, how many the static derivations of some systems rebuild: what
    `oracle-report` found."""
    yield from _header(["Trees that can be built, %", "Trees", *systems])
    for path, report in result["others"]["round-trip"]["treebanks"].items():
        rows = {row["system"]: row for row in report["round_trip"]}
        shares = [f"{100 * rows[name]['rebuilt'] / rows[name]['trees']:.2f}" for name in systems]
        yield _line([Path(path).parent.name, f"{rows[systems[0]]['trees']:,}", *shares])


def repairs(result: Any) -> Iterable[str]:
    """How many arcs of parsers replace another one, and what these do: what `oracle-report` found, one
    file per parser, beside the paper's section 6.3."""
    whats = ["builds_gold", "destroys_gold", "neither"]
    names = ["Arcs that replace one, %", "of these: gold, %", "lose a gold arc, %", "neither, %"]
    yield from _header(["", *names])
    for name, report in result["others"].items():
        counts = next(iter(report["treebanks"].values()))["repairs"]
        shares = [counts[what] / counts["repairs"] for what in whats]
        yield _line([name, *map(_percent, [counts["repairs"] / counts["arcs"], *shares])])
    paper = read_published("fernandez_gomez_2017_repairs")["repairs"]
    yield _line(["2017", *(f"{paper[what]:.1f}" for what in ["repairs", *whats])])


def against(result: Any, setting: str, published: str, suffix: str = "") -> Iterable[str]:
    """Runs beside those of a paper. published: a file in assets/published; complete match is shown where
    it has that, too. suffix: of the scores that are as the paper's, such as _no_punct."""
    paper = _published(published)
    for treebank, by_setting in result["rows"].items():
        theirs = paper.get(treebank, paper.get("*", {}))
        scores = ["uas", "las", "ucm"][: max([2, *map(len, theirs.values())])]  # some have no LAS
        names = [SCORES[score] for score in scores]
        difference = "difference, UAS" + (" with punctuation" if suffix else "")
        header = [*names, difference, "p", f"published {names[0]}", *names[1:]]
        yield from _header([treebank, *header, "difference, UAS"])
        for row in by_setting[setting]:
            cells = [f"{100 * row[f'{name}{suffix}']:.2f}" for name in scores]
            beside = theirs.get(row["run"], [])
            gain = _published_gain(theirs, row["run"], result["reference"])
            numbers = [f"{x:.2f}" for x in beside] + [""] * (len(scores) - len(beside))
            yield _line([row["run"], *cells, *_difference(row, "uas"), *numbers, gain])
        yield ""


def pairs(result: Any, setting: str, published: str) -> Iterable[str]:
    """Results of two runs beside those of a paper, one row per treebank: UAS / LAS."""
    paper = _published(published)
    names = _runs(result)
    theirs_too = [f"published {name}" for name in names]
    yield from _header(["UAS / LAS", *names, "difference, UAS", "p", *theirs_too, "difference, UAS"])
    for treebank, by_setting in result["rows"].items():
        first, second = by_setting[setting]
        ours = [f"{100 * row['uas']:.2f} / {100 * row['las']:.2f}" for row in (first, second)]
        theirs = paper.get(treebank, {})
        beside = [" / ".join(f"{x:.2f}" for x in theirs.get(name, [])) for name in names]
        gain = _published_gain(theirs, *reversed(names))
        yield _line([_label(result, treebank), *ours, *_difference(second, "uas"), *beside, gain])


def _published_gain(theirs: dict[str, list[float]], run: str, reference: str) -> str:
    """The difference in UAS, where the paper has both runs, and other scores for them."""
    first, second = theirs.get(reference), theirs.get(run)
    return f"{second[0] - first[0]:+.2f}" if first and second and first != second else ""


def made(result: Any) -> Iterable[str]:
    """When and with what it was measured."""
    makings = result["made"]
    dates = sorted({one["date"] for one in makings})
    versions = sorted(
        {f"{name} {value}" for one in makings for name, value in one["versions"].items()}
    )
    processors = sorted({one["processor"] for one in makings})
    codes = sorted({one["code"] for one in makings})
    seeds = sorted(set(result.get("seeds", {}).values()))
    yield (
        f"Measured {' to '.join(dict.fromkeys((dates[0], dates[-1])))} on {', '.join(processors)}: "
        f"{', '.join(versions)}, code {', '.join(codes)}"
        + (f"; {seeds[-1]} seed{'s' * (seeds[-1] > 1)}" if seeds else "")
        + (" for treebanks with a number beside them, 1 seed for the others" if len(seeds) > 1 else "")
        + (f"; {_hours(result):.1f} hours of training in total" if seeds else "")
        + "."
    )


def _hours(result: Any) -> float:
    return sum(
        row["training_seconds"] * result["seeds"][treebank] / 3600
        for treebank, by_setting in result["rows"].items()
        for row in next(iter(by_setting.values()))
    )


def claims(entries: Any) -> Iterable[str]:
    """What papers claim, beside what was found here: means over treebanks, from the lowest to the
    highest. p: of the randomisation over sentences on each treebank; over treebanks, how often their
    mean difference would be as large if the sign of each were a coin's."""
    yield from _header(["Paper", "Claim", "There", "Here", "p < .05", "p over treebanks"])
    for entry in entries:
        score = entry["score"]
        if entry["result"] is None:
            yield _line([entry["paper"], entry["claim"], "", "not measured yet", "", ""])
            continue
        found = [
            row
            for by_setting in entry["result"]["rows"].values()
            for row in by_setting[entry["setting"]]
            if row["run"] == entry["run"]
        ]
        gains = [100 * row[f"{score}_difference"] for row in found]
        sure = [
            gain
            for gain, row in zip(gains, found, strict=True)
            if row[f"{score}_p"] < SIGNIFICANT
        ]
        signs = f"{sum(x > 0 for x in sure)} up, {sum(x < 0 for x in sure)} down, of {len(found)}"
        cells = [entry["paper"], entry["claim"], _gain(_published_gains(entry), score)]
        yield _line([*cells, _gain(gains, score), signs, _p(_p_of_signs(gains))])


def _published_gains(entry: Any) -> list[float]:
    """Of all languages of the paper that have both runs; none where the paper did not measure it."""
    if "published" not in entry:
        return []
    column = ("uas", "las").index(entry["score"])
    run, reference = entry["run"], entry["result"]["reference"]
    return [
        runs[run][column] - runs[reference][column]
        for runs in _published(entry["published"]).values()
        if run in runs and reference in runs
    ]


def _gain(gains: Sequence[float], score: str) -> str:
    if not gains:
        return ""
    text = f"{mean(gains):+.2f} {score.upper()}"
    return text if len(gains) == 1 else f"{text} ({min(gains):+.2f}, {max(gains):+.2f})"


def _p_of_signs(gains: Sequence[float]) -> float:
    size = abs(sum(gains)) - 1e-9
    sums = [abs(sum(signs)) for signs in product(*((gain, -gain) for gain in gains))]
    return sum(value >= size for value in sums) / len(sums)


def short_table(result: Any) -> Iterable[str]:
    """LAS of spaCy's parser and ours, gold sentences, without deviations; of the first treebank
    with speeds these, too, and LAS in documents."""
    yield from _header(["LAS, test part", *_runs(result)])
    for treebank, by_setting in result["rows"].items():
        yield _line([_label(result, treebank), *_marked(by_setting["gold_sentences"], "las")])
    treebank, speeds = next(iter(result["others"].items()))
    in_documents = _marked(result["rows"][treebank]["documents"], "las")
    yield _line([f"{_label(result, treebank)}, boundaries not given", *in_documents])
    for part, name in (("component", "parser alone"), ("pipeline", "with its tok2vec")):
        ours, theirs = speeds[part]
        cells = [f"{theirs:,.0f}", f"**{ours:,.0f}**"]
        yield _line([f"*Words per second, {treebank}, {name}*", *cells])


KINDS: dict[str, Callable[..., Iterable[str]]] = {
    "scores": scores,
    "runs": runs,
    "crossing": crossing,
    "costs": costs,
    "peers": peers,
    "left_out": left_out,
    "speeds": speeds,
    "comparison": comparison,
    "calibration": calibration,
    "breakdown": breakdown,
    "bounds": bounds,
    "round_trip": round_trip,
    "repairs": repairs,
    "against": against,
    "pairs": pairs,
    "made": made,
    "claims": claims,
    "readme": short_table,
}


def _published(name: str) -> dict[str, dict[str, list[float]]]:
    """Scores of a paper by treebank and run; "*" is where the treebank is none of ours."""
    return read_published(name)["scores"]


def _runs(result: Any) -> list[str]:
    by_setting = next(iter(result["rows"].values()))
    return [row["run"] for row in next(iter(by_setting.values()))]


def _label(result: Any, treebank: str) -> str:
    """With the number of its seeds, if others have another."""
    n = result["seeds"][treebank]
    return f"{treebank} ({n})" if n > min(result["seeds"].values()) else treebank


def _header(names: Sequence[str]) -> Iterable[str]:
    yield _line(names)
    yield "|" + "---|" * len(names)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _marked(rows: Sequence[Row], score: str) -> list[str]:
    """The scores; the best one is bold."""
    best = max(row[score] for row in rows)
    texts = [f"{100 * row[score]:.2f}" for row in rows]
    return [
        f"**{text}**" if row[score] == best else text for text, row in zip(texts, rows, strict=True)
    ]


def _spread(row: Row, score: str) -> str:
    sd = row.get(f"{score}_sd")
    return "" if sd is None else f" ± {100 * sd:.2f}"


def _star(row: Row, score: str) -> str:
    p = row.get(f"{score}_p")
    return "\\*" if p is not None and p < SIGNIFICANT else ""


def _difference(row: Row, score: str) -> list[str]:
    difference, p = row[f"{score}_difference"], row[f"{score}_p"]
    if difference is None:
        return ["", ""]
    return [f"{100 * difference:+.2f}", _p(p)]


def _p(p: float) -> str:
    return "< .001" if p < 0.001 else f"{p:.3f}".lstrip("0")


def _percent(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.1f}"
