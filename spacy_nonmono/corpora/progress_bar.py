"""How far a run over a corpus is, on standard error."""

import sys
import warnings
from contextlib import suppress
from typing import Any

from tqdm import tqdm

from .worker import Done, Shard


class ProgressBar:
    """A bar of the share of the input that is parsed, with the time left, the words that this run has
    parsed, and words per second. Warnings are shown above it."""

    def __init__(self, size: int) -> None:
        # The size of standard input is not known
        form = "{l_bar}{bar}| {elapsed}<{remaining}{postfix}" if size else "{elapsed}{postfix}"
        self._bar: Any = tqdm(total=size or None, disable=None, dynamic_ncols=True, bar_format=form)
        self._n_words = 0
        self._position = 0
        # Of the shards that are being parsed, by number: bytes and words
        self._running: dict[int, tuple[float, int]] = {}

    def move(self, shard: Shard, share: float, n_words: int) -> None:
        """Show that a share of a shard is done, with so many words. Several threads may call this."""
        self._running[shard.number] = shard.size * share, n_words
        self._update()

    def add(self, shard: Shard, done: Done, is_new: bool) -> None:
        """Show that a shard is done, and all before it."""
        self._n_words += done.n_words * is_new
        self._running.pop(shard.number, None)
        self._position = shard.position
        self._update()

    def _update(self) -> None:
        running = list(self._running.values())
        n_words = self._n_words + sum(words for _, words in running)
        seconds = 0 if self._bar.disable else self._bar.format_dict["elapsed"]
        if seconds:
            text = f"{n_words:,} words, {n_words / seconds:,.0f} words/s"
            self._bar.set_postfix_str(text, refresh=False)
        self._bar.update(self._position + sum(size for size, _ in running) - self._bar.n)

    def __enter__(self) -> "ProgressBar":
        self._show = warnings.showwarning
        warnings.showwarning = _show_warning
        return self

    def __exit__(self, *_: object) -> None:
        warnings.showwarning = self._show
        self._bar.close()


def _show_warning(*warning: Any, **options: Any) -> None:
    text = warnings.formatwarning(*warning[:4])
    with suppress(OSError):  # nobody reads them any more
        tqdm.write(text, file=sys.stderr, end="")
