"""docs/results.md, made from its outline and the results in docs/results/.

python -m tests.results_page                        writes the page, and the table of the README, again
python -m tests.results_page add NAME FILE.json...  stores what `benchmark` or `speed` wrote, before

The outline is docs/results/outline.md. Its lines `{{KIND NAME OPTION ...}}` become tables; a function
below says what each kind shows. So no figure on the page is written by hand.
"""

import re
import shlex
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

import srsly

ROOT = Path(__file__).parents[1]
STORE = ROOT / "docs" / "results"
OUTLINE = STORE / "outline.md"
PAGE = ROOT / "docs" / "results.md"
README = ROOT / "README.md"
DIRECTIVE = re.compile(r"^\{\{(.+)\}\}$", re.MULTILINE)
# Where the README has the first table of the page
MARKED = re.compile(r"(?<=<!-- results -->\n).*?(?=<!-- end of results -->)", re.DOTALL)
LEFT_OUT = ("sentence_lengths", "arc_lengths")
SIGNIFICANT = 0.05

Row = dict[str, Any]


def page(store: Path = STORE) -> str:
    outline = (store / OUTLINE.name).read_text(encoding="utf-8")
    return DIRECTIVE.sub(lambda match: _table(store, match[1]), outline)


def readme(store: Path = STORE) -> str:
    """The README with the table that its marks name."""
    text = README.read_text(encoding="utf-8")
    return MARKED.sub(lambda match: _table(store, "readme against-spacy") + "\n", text)


def add(name: str, paths: Sequence[Path], store: Path = STORE) -> None:
    """Store results under a name. Those of `benchmark` become one table, without the counts by length,
    which the page does not show; of `speed`, one per treebank, whose name is that of the file."""
    whole: dict[str, Any] = {"made": []}
    for path in paths:
        result = srsly.read_json(path)
        whole["made"] += result["made"] if isinstance(result["made"], list) else [result["made"]]
        if "rows" not in result:
            whole.setdefault("speeds", {})[path.stem] = result
            continue
        for by_setting in result["rows"].values():
            for row in [row for rows in by_setting.values() for row in rows]:
                for key in LEFT_OUT:
                    row.pop(key, None)
        seeds = dict.fromkeys(result["rows"], len(result["seeds"]))
        whole["reference"] = result["reference"]
        whole["rows"] = whole.get("rows", {}) | result["rows"]
        whole["seeds"] = whole.get("seeds", {}) | seeds
    srsly.write_json(store / f"{name}.json", whole)


def _table(store: Path, directive: str) -> str:
    kind, name, *options = shlex.split(directive)
    result = srsly.read_json(store / f"{name}.json")
    if kind == "claims":
        for entry in result:
            entry["result"] = srsly.read_json(store / f"{entry['result']}.json")
    return "\n".join(KINDS[kind](result, *options)).strip()


def scores(result: Any, setting: str, score: str = "las") -> Iterable[str]:
    """Treebanks by runs: means with standard deviations; * where the difference to the reference has
    p < .05."""
    runs = _runs(result)
    yield from _header(["", *runs])
    for treebank, by_setting in result["rows"].items():
        rows = by_setting[setting]
        best = max(row[score] for row in rows)
        cells = [
            (f"**{100 * row[score]:.2f}**" if row[score] == best else f"{100 * row[score]:.2f}")
            + _spread(row, score)
            + _star(row, score)
            for row in rows
        ]
        yield _line([_label(result, treebank), *cells])


def runs(result: Any, setting: str, *treebanks: str) -> Iterable[str]:
    """Runs on each treebank: UAS and LAS with differences to the reference and p, sentences, arcs that
    cross."""
    names = ["UAS", "difference", "p", "LAS", "difference", "p", "Sentences, F", "Crossing arcs, F"]
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
    """Runs on each treebank: LAS with the difference to the reference and p, words per second of the
    pipeline, minutes of training, and megabytes of the model."""
    names = ["LAS", "difference", "p", "Words per second", "Training, minutes", "Model, MB"]
    for treebank, by_setting in result["rows"].items():
        yield from _header([treebank, *names])
        for row in by_setting[setting]:
            las = f"{100 * row['las']:.2f}{_spread(row, 'las')}"
            cells = [row["run"], las, *_difference(row, "las")]
            cells += [f"{row['parsing_words_per_second']:,.0f}", f"{row['training_seconds'] / 60:.0f}"]
            yield _line([*cells, f"{row['model_size'] / 1e6:.1f}"])
        yield ""


def speeds(result: Any) -> Iterable[str]:
    """Words per second of two parsers on each treebank, alone and with their pipelines."""
    names = ["alone, ours", "spaCy's", "ratio", "pipeline, ours", "spaCy's", "ratio"]
    yield from _header(["Words per second", *names])
    for treebank, found in result["speeds"].items():
        cells = []
        for what in ("component", "pipeline"):
            ours, theirs = found[what]
            cells += [f"{ours:,.0f}", f"{theirs:,.0f}", f"{ours / theirs:.2f}"]
        yield _line([treebank, *cells])


def against(result: Any, setting: str, published: str, suffix: str = "") -> Iterable[str]:
    """Runs beside those of a paper. published: a file in assets/published. suffix: of the scores that
    are as the paper's, such as _no_punct."""
    paper = srsly.read_json(ROOT / "assets" / "published" / f"{published}.json")["scores"]
    header = ["UAS", "LAS", "difference, UAS", "p", "published UAS", "LAS", "difference, UAS"]
    for treebank, by_setting in result["rows"].items():
        theirs = paper.get(treebank, paper.get("*", {}))
        yield from _header([treebank, *header])
        first = theirs.get(result["reference"])
        for row in by_setting[setting]:
            cells = [f"{100 * row[f'{name}{suffix}']:.2f}" for name in ("uas", "las")]
            beside = theirs.get(row["run"], [])
            gain = f"{beside[0] - first[0]:+.2f}" if beside and first and beside != first else ""
            numbers = [f"{x:.2f}" for x in beside] or ["", ""]
            yield _line([row["run"], *cells, *_difference(row, "uas"), *numbers, gain])
        yield ""


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
        + (", where a number stands beside the treebank, else one" if len(seeds) > 1 else "")
        + "."
    )


def claims(entries: Any) -> Iterable[str]:
    """What papers claim, beside what was found here: the mean over the treebanks of a stored result,
    from the lowest to the highest, and how many differences have p < .05."""
    yield from _header(["Paper", "Claim", "There", "Here, mean (from, to)", "p < .05"])
    for entry in entries:
        found = [
            row
            for by_setting in entry["result"]["rows"].values()
            for row in by_setting[entry["setting"]]
            if row["run"] == entry["run"]
        ]
        gains = [100 * row[f"{entry['score']}_difference"] for row in found]
        sure = [
            gain
            for gain, row in zip(gains, found, strict=True)
            if row[f"{entry['score']}_p"] < SIGNIFICANT
        ]
        here = f"{mean(gains):+.2f} {entry['score'].upper()}"
        if len(gains) > 1:
            here += f" ({min(gains):+.2f}, {max(gains):+.2f})"
        signs = f"{sum(x > 0 for x in sure)} up, {sum(x < 0 for x in sure)} down, of {len(found)}"
        yield _line([entry["paper"], entry["claim"], entry["there"], here, signs])


def short_table(result: Any) -> Iterable[str]:
    """LAS of all runs, gold sentences, without deviations."""
    yield from _header(["LAS, test part", *_runs(result)])
    for treebank, by_setting in result["rows"].items():
        rows = by_setting["gold_sentences"]
        best = max(row["las"] for row in rows)
        cells = [f"{100 * row['las']:.2f}" for row in rows]
        marked = [
            f"**{cell}**" if row["las"] == best else cell
            for cell, row in zip(cells, rows, strict=True)
        ]
        yield _line([_label(result, treebank), *marked])


KINDS: dict[str, Callable[..., Iterable[str]]] = {
    "scores": scores,
    "runs": runs,
    "crossing": crossing,
    "costs": costs,
    "speeds": speeds,
    "against": against,
    "made": made,
    "claims": claims,
    "readme": short_table,
}


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
    return [f"{100 * difference:+.2f}", "< .001" if p < 0.001 else f"{p:.3f}".lstrip("0")]


def _percent(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.1f}"


if __name__ == "__main__":
    if sys.argv[1:2] == ["add"]:
        add(sys.argv[2], [Path(name) for name in sys.argv[3:]])
    PAGE.write_text(page(), encoding="utf-8")
    README.write_text(readme(), encoding="utf-8")
