"""How far a run over a corpus is, on standard error."""

from typing import Any

from tqdm import tqdm

from .worker import Done, Shard


class ProgressBar:
    """A bar of the bytes that are read, with words per second and the time that is left."""

    def __init__(self, size: int, *, hidden: bool) -> None:
        self._bar: Any = tqdm(
            total=size or None, unit="B", unit_scale=True, disable=hidden or None, dynamic_ncols=True
        )
        self._n_words = 0

    def add(self, shard: Shard, done: Done, is_new: bool) -> None:
        if is_new:
            self._n_words += done.n_words
            seconds = self._bar.format_dict["elapsed"] if not self._bar.disable else 0
            if seconds:
                self._bar.set_postfix_str(f"{self._n_words / seconds:,.0f} words/s", refresh=False)
        self._bar.update(shard.position - self._bar.n)

    def __enter__(self) -> "ProgressBar":
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()
