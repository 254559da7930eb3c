"""Trains and evaluates the cells of a benchmark, each in processes of its own.

In the output folder: `cells/KEY.json` for each finished cell, `logs/KEY.log` with what its training
printed, and `models/KEY` if models are kept. A cell's file is written when all is done, so an
interrupted cell starts again, as does one whose file is damaged; a finished one is never run twice.

A cell is scored on the development and on the test part, in both settings: training takes so much
longer that what a table shows may be chosen afterwards.
"""

import os
import shutil
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import srsly

from ..errors import Errors
from ..evaluation.fingerprints import fingerprint
from ..evaluation.made import made_here
from ..files import make_folder, telling_write_errors, write_json
from .cells import Cell
from .run_cell import score_model, train

# What a cell's file holds: `run_cell` makes it
CellResult = dict[str, Any]


def run_cells(
    cells: Sequence[Cell],
    output: Path,
    *,
    jobs: int = 1,
    keep_models: bool = False,
    report: Callable[[str], None] = lambda event: None,
) -> dict[str, CellResult]:
    """Run the cells that have no result yet, and return the results of all cells by their keys.

    jobs: cells side by side. They slow each other down, so compare speeds with 1 only.
    keep_models: do not delete the models of the cells that are run.
    report: is called with a line of text whenever a cell starts, is finished, or was known before; by
        several threads, if there are several jobs.

    Raises RuntimeError (NM163) at the first training that fails; what runs by then is finished; and
    NM172 on Windows.
    """
    if not hasattr(os, "wait4"):
        raise RuntimeError(Errors.NM172)

    def tell(number: int, event: str) -> None:
        cell = cells[number - 1]
        name = f"{cell.treebank.name}, {cell.run.name}, seed {cell.seed}"
        report(f"[{number}/{len(cells)}] {name}: {event}")

    def run(number: int) -> tuple[str, CellResult]:
        tell(number, "started")
        start = perf_counter()
        cell = cells[number - 1]
        result = run_cell(cell, output, keep_model=keep_models)
        tell(number, f"{perf_counter() - start:,.0f} seconds")
        return cell.key, result

    results: dict[str, CellResult] = {}
    to_run: dict[str, int] = {}
    for number, cell in enumerate(cells, start=1):
        result = read_cell(output, cell.key)
        if result is not None:
            results[cell.key] = result
            tell(number, "known")
        elif cell.key not in to_run:  # two names for the same run
            to_run[cell.key] = number
    with ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(run, number) for number in to_run.values()]
        try:
            results.update(future.result() for future in as_completed(futures))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return results


def cell_path(output: Path, key: str) -> Path:
    """Return the path of the file of a finished cell."""
    return output / "cells" / f"{key}.json"


def read_cell(output: Path, key: str) -> CellResult | None:
    """Return what the file of a finished cell holds. None: there is no file, or it is damaged."""
    try:
        result: CellResult = srsly.read_json(cell_path(output, key))
        found = result.pop("fingerprint")
    except (AttributeError, KeyError, OSError, TypeError, ValueError):
        return None
    return result if found == fingerprint(result) and result["key"] == key else None


def write_cell(output: Path, result: CellResult) -> None:
    """Write the file of a finished cell, with a hash of the result that tells whether it is damaged."""
    # JSON rounds numbers, so the hash is that of what will be read
    read = srsly.json_loads(srsly.json_dumps(result))
    # Thousands of counts: not a line each
    write_json(cell_path(output, result["key"]), {**read, "fingerprint": fingerprint(read)}, indent=0)


def run_cell(cell: Cell, output: Path, *, keep_model: bool = False) -> CellResult:
    """Train and evaluate a cell, write its file, and return what is in it.

    Raises OSError (NM169) if something cannot be written, RuntimeError (NM163) if the training fails.
    """
    for name in ("cells", "logs", "models"):
        make_folder(output / name)
    with telling_write_errors(output):
        temporary = TemporaryDirectory(prefix=f"{cell.key}-", dir=output / "models")
    with temporary as name:
        folder = Path(name)
        training = train(
            cell.config,
            cell.treebank,
            cell.seed,
            run=cell.run.name,
            folder=folder,
            log=output / "logs" / f"{cell.key}.log",
        )
        model = folder / f"model-{cell.model}"
        # A process of its own: what earlier cells left in memory must not slow this one down, nor
        # count as that of the next training, whose peak starts at that of the process it comes from
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            parts = pool.submit(score_model, model, cell.treebank, cell.gold_tags).result()
        result = {
            "key": cell.key,
            "treebank": cell.treebank.name,
            "run": cell.run.name,
            "seed": cell.seed,
            "model": cell.model,
            "gold_tags": cell.gold_tags,
            "config": cell.config,
            "made": made_here(),
            "training": training,
            "model_size": sum(path.stat().st_size for path in model.rglob("*") if path.is_file()),
            "parts": parts,
        }
        if keep_model:
            kept = output / "models" / cell.key
            with telling_write_errors(kept):
                shutil.rmtree(kept, ignore_errors=True)
                model.rename(kept)
    write_cell(output, result)
    return result
