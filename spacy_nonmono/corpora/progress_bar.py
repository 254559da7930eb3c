"""How far a run over a corpus is, on standard error."""

from typing import Any

from tqdm import tqdm

from .worker import Done, Shard


class ProgressBar:
    """A bar of the bytes of the input that are parsed, with words per second and the time left."""

    def __init__(self, size: int) -> None:
        self._bar: Any = tqdm(
            total=size or None, unit="B", unit_scale=True, disable=None, dynamic_ncols=True
        )
        self._n_words = 0
        self._position = 0
        # Of the shards that are being parsed, by number
        self._bytes: dict[int, float] = {}

    def move(self, shard: Shard, share: float) -> None:
        """Show that a share of a shard is done. Several threads may call this."""
        self._bytes[shard.number] = shard.size * share
        self._update()

    def add(self, shard: Shard, done: Done, is_new: bool) -> None:
        """Show that a shard is done, and all before it."""
        if is_new:
            self._n_words += done.n_words
            seconds = self._bar.format_dict["elapsed"] if not self._bar.disable else 0
            if seconds:
                self._bar.set_postfix_str(f"{self._n_words / seconds:,.0f} words/s", refresh=False)
        self._bytes.pop(shard.number, None)
        self._position = shard.position
        self._update()

    def _update(self) -> None:
        self._bar.update(self._position + sum(list(self._bytes.values())) - self._bar.n)

    def __enter__(self) -> "ProgressBar":
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()
