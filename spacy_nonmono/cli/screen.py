"""What commands show, and how: tables, numbers, and files that are not there."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import typer
from wasabi import msg

from ..files import check_spared

MAX_COLUMN = 60  # a longer cell sticks out


def show_table(rows: Sequence[Sequence[str]], header: Sequence[str], *, n_left: int = 1) -> None:
    """n_left: the number of columns of text, which are those on the left; the others are numbers."""
    aligns = ["l"] * n_left + ["r"] * (len(header) - n_left)
    msg.table(rows, header=header, divider=True, aligns=aligns, max_col=MAX_COLUMN)


def number(value: float | None, template: str) -> str:
    """Write a value by a template such as `{:.2f}`. None becomes "-"."""
    return "-" if value is None or value != value else template.format(value)  # NaN differs from itself


def percent(share: float | None, digits: int = 2) -> str:
    """Without the sign: 0.8531 is 85.31."""
    return number(None if share is None else 100 * share, f"{{:.{digits}f}}")


def check_exist(paths: Iterable[str | Path], *written: Path | None) -> None:
    """Ends the command if one of the files or folders is missing. written: the files that the command
    is to write. Raises ValueError (NM185) if one of them is a file that it reads."""

    outputs = [path for path in written if path is not None and path.is_file()]
    for path in paths:
        if not Path(path).exists():
            msg.fail("No such file or folder", str(path), exits=1)
        check_spared(path, outputs)


def check_suffix(output: Path, known: Sequence[str]) -> None:
    """Ends the command if a file cannot be written in the format that its suffix names."""
    if output.suffix not in known:
        *others, last = known
        expected = " or ".join([", ".join(others), last])
        raise typer.BadParameter(f"{output} does not end in {expected}", param_hint="--output")
