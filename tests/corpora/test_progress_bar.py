"""The bar of a run moves with each batch."""

import warnings

from spacy_nonmono.corpora import progress_bar
from spacy_nonmono.corpora.documents import TEXT, Input
from spacy_nonmono.corpora.progress_bar import ProgressBar
from spacy_nonmono.corpora.worker import Done, Job, Shard, Worker
from spacy_nonmono.errors import format_warning


def test_two_shards_at_a_time(monkeypatch):
    monkeypatch.setattr(progress_bar, "tqdm", lambda **settings: Bar())
    first, second = Shard(0, [], 60, 60), Shard(1, [], 100, 40)
    with ProgressBar(100) as progress:
        seen = []
        for step in (
            lambda: progress.move(first, 0.5, 5),
            lambda: progress.move(second, 0.25, 2),
            lambda: progress.add(first, Done(0, 1, 1, 10, []), True),
            lambda: progress.move(second, 0.75, 8),
            lambda: progress.add(second, Done(1, 1, 1, 10, []), True),
        ):
            step()
            seen.append(progress._bar.n)
    assert seen == [30, 40, 70, 90, 100]


class Bar:
    disable = True
    n = 0.0

    def update(self, n):
        self.n += n

    def close(self):
        pass


def test_a_process_tells_of_each_batch(pipeline, tmp_path):
    told = []
    worker = Worker(
        Job(str(pipeline), tmp_path, "conllu", batch_words=2), lambda *done: told.append(done[1:])
    )
    documents = [Input(str(i), TEXT, b"a b") for i in range(4)]
    done = worker.parse(Shard(0, documents, 12, 12))
    worker.close()
    worker.join()
    assert done.n_documents == 4 and told == [(0.25, 2), (0.5, 4), (0.75, 6), (1.0, 8)]


def test_warnings_that_nobody_reads(pipeline, tmp_path, monkeypatch):
    """The pipe is broken, and the process goes on."""

    def fail(*_, **__):
        raise BrokenPipeError

    monkeypatch.setattr(progress_bar.tqdm, "write", fail)
    worker = Worker(Job(str(pipeline), tmp_path, "conllu", batch_words=2))
    long = Input("long", TEXT, b"alma " * 300, has_sentences=True)
    with warnings.catch_warnings(), ProgressBar(0):
        warnings.simplefilter("always")
        assert worker.parse(Shard(0, [long], 0)).n_words == 300
    worker.close()
    worker.join()


def test_warnings_of_a_process_are_shown_above_the_bar(pipeline, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(warnings, "formatwarning", format_warning)
    worker = Worker(Job(str(pipeline), tmp_path, "conllu", batch_words=2))
    long = Input("long", TEXT, b"alma " * 300, has_sentences=True)
    before = warnings.showwarning
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        with ProgressBar(0):
            worker.parse(Shard(0, [long], 0))
            worker.close()
            worker.join()
    assert warnings.showwarning is before
    shown = capsys.readouterr().err.splitlines()
    assert [line for line in shown if line.startswith("[NM550]") and "'alma alma" in line] == shown
