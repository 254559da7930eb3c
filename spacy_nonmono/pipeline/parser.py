"""The pipeline component: a spaCy `TrainablePipe` around a transition system, an oracle and a scorer."""

import warnings
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy
from spacy.language import Language
from spacy.pipeline import TrainablePipe
from spacy.tokens import Doc
from spacy.training import Example, validate_examples, validate_get_examples
from spacy.util import ensure_path, logger, to_bytes, to_disk
from spacy.vocab import Vocab
from thinc.api import Model, Optimizer

from ..decoding.batch import Batch
from ..errors import Errors, Warnings, name_some
from ..layers.minibatch import minibatch_words
from ..layers.optimizer import FastAdam
from ..oracles.oracle import Oracle
from ..oracles.registry import get_oracle
from ..scoring.loading import damaged, load_weights, read_message
from ..tokens.tables import keep_own_tables
from ..tokens.white_space import has_words, words_of
from ..training.exploration import Exploration, ExplorationPolicy
from ..training.progress import STREAMS, UPDATES, Progress
from ..transitions.system import TransitionSystem
from .data_checks import N_CHECKED, check_examples, unknown_labels
from .dep_scores import Scaling, register_dep_score, write_dep_scores
from .gold import lacks_heads, read_gold, survey
from .labels import LabelTable
from .learner import Pairs, make_learner, worth_of_crossing
from .neighbours import (
    check_rulers,
    has_pytorch,
    listens_to_pytorch,
    others_learn_tags,
    pytorch_learns,
    training_of,
)
from .parses import Derivation, Parse, parses_of, read_derivations
from .saved import SavedParser, is_name_list, read_cfg, refusing, write_cfg
from .sentences import lower_arcs, parsing_starts, sentence_lengths, write_parse

PROJECTIVIZE = ("none", "head")
N_SHOWN = 60  # characters of a value in an error
# In `cfg`: whether, at the start of the training, others learned tags from the same tok2vec, whether
# layers of PyTorch learned, and whether the vectors came from such layers
OTHERS_LEARN_TAGS = "others_learn_tags"
PYTORCH_LEARNS = "pytorch_learns"
LISTENS_TO_PYTORCH = "listens_to_pytorch"
EXPANSIONS = "expansions"  # the words of multiword tokens, in parsers of version 0.2.0


class NonmonoParser(TrainablePipe):
    """A dependency parser with a transition system of your choice. Each sentence gets one tree with one
    root."""

    def __init__(
        self,
        vocab: Vocab,
        model: Model,
        name: str = "nonmono_parser",
        *,
        system: TransitionSystem,
        oracle: str | None = None,
        tie_break: str = "default",
        exploration: ExplorationPolicy | None = None,
        projectivize: str = "none",
        max_distance: int = 200,
        pair_threshold: float | None = None,
        dep_scores: bool = False,
        n_threads: int = 1,
        scorer: Callable | None = None,
    ) -> None:
        """vocab, model, name: as for every component; the model is a `TransitionParser`, a
            `LinearTransitionParser`, or a `Committee` of neural ones.
        system: the transition system.
        oracle: name of the oracle to train with; None: the default of the system.
        tie_break: which of the moves of least cost training calls correct: by "default" those that the
            oracle prefers; "none" takes them all, as published, with a bound of
            `covington_nonmonotonic`.
        exploration: whether training follows the model or the oracle; by default the model.
        projectivize: "head" for pseudo-projective parsing (Nivre & Nilsson 2005), projective systems
            only: gold arcs that cross are lifted for training and labelled `dep||headdep`, which
            tells where to put them back in a parse. "none": they stay as they are, and a projective
            system learns from them what it can.
        max_distance: the largest distance of two words that Covington's systems look at as a pair;
            0 is no bound. Other systems have none. Of 884,159 arcs of ten treebanks of Universal
            Dependencies two are longer than the default.
        pair_threshold: with the neural model they look at a pair only if one word is among the ten
            likeliest heads of the other, with this probability or more; 0: at all pairs; None: 0.01,
            and less, in proportion, if there were fewer than 40,000 words to learn from.
        dep_scores: whether to set `token._.dep_score`, the probability of the choice that made the
            arc of the word, label included; neural model only.
        n_threads: the number of threads that parse, as in `nlp.pipe`. Each takes parts of about 500
            words, so a short text is not parsed faster. May be changed at any time.
        scorer: scores the predictions of a batch of examples.

        Raises ValueError: NM002 if the system has no such oracle, NM052 for another value of
        `projectivize`, NM053 if it is "head" and the system builds crossing arcs, NM055 if
        `exploration` is not a policy, NM056 if `dep_scores` is true with a linear model, NM057, NM062
        or NM066 for a number out of range, NM063 if the model is of another architecture,
        NM188 or NM189 for a tie-break that the oracle does not have.
        """
        exploration = Exploration() if exploration is None else exploration
        if not isinstance(exploration, ExplorationPolicy):
            raise ValueError(Errors.NM055.format(found=exploration))
        if projectivize not in PROJECTIVIZE:
            raise ValueError(Errors.NM052.format(found=projectivize, known=", ".join(PROJECTIVIZE)))
        if projectivize == "head" and not system.projective:
            raise ValueError(Errors.NM053.format(system=system.name))
        self.vocab = vocab
        self.model = model
        self.name = name
        self.exploration = exploration
        self.projectivize = projectivize
        self._learner = make_learner(
            model,
            system,
            get_oracle(oracle, system, tie_break=tie_break),
            Pairs(max_distance, pair_threshold),
        )
        self.max_distance = max_distance if system.kind == "pairs" else 0
        self.dep_scores = dep_scores
        self.n_threads = n_threads
        # Of settings that may be changed at any time, the values in the config
        self._configured = {"dep_scores": dep_scores, "n_threads": n_threads}
        self.scorer = scorer
        self.cfg: dict[str, Any] = {"labels": []}
        self.scaling = Scaling()
        self.progress = Progress()
        self._rehearsal_model: Model | None = None
        self._label_ids: dict[int, int] = {}
        self._added: list[str] = []  # the labels of `add_label`
        self._told: set[str] = set()  # warnings of training

    @property
    def system(self) -> TransitionSystem:
        """The transition system."""
        return self._learner.system

    @property
    def oracle(self) -> Oracle:
        """The oracle to train with."""
        return self._learner.oracle

    @property
    def dep_scores(self) -> bool:
        """Whether parsing sets `token._.dep_score`; may be changed at any time."""
        return self._dep_scores

    @dep_scores.setter
    def dep_scores(self, value: bool) -> None:
        if value:
            if not self._learner.has_probabilities:
                raise ValueError(Errors.NM056)
            register_dep_score()
        self._dep_scores = bool(value)

    @property
    def n_threads(self) -> int:
        """How many threads parse; may be changed at any time."""
        return self._n_threads

    @n_threads.setter
    def n_threads(self, value: int) -> None:
        if type(value) is not int or value < 1:
            raise ValueError(Errors.NM057.format(found=value))
        self._n_threads = value

    # Labels

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of arcs in the order of their ids, with those of lifted arcs (`dep||headdep`). The
        label of roots, `ROOT`, is not among them."""
        return tuple(self.cfg["labels"])

    @property
    def label_data(self) -> list[str]:
        """What `spacy init labels` writes and `initialize` takes."""
        return list(self.labels)

    def add_label(self, label: str) -> int:
        """Add a label; returns 1, or 0 if it is known.

        Raises ValueError (NM050) if it is not a non-empty string.
        """
        if not isinstance(label, str) or not label:
            raise ValueError(Errors.NM050.format(label=label))
        if label not in self._added:
            self._added.append(label)
        if label in self.cfg["labels"]:
            return 0
        self.cfg["labels"].append(label)
        self._read_labels()
        for model in (self.model, self._rehearsal_model):
            if model is not None:
                self._learner.add_labels(model, len(self.labels))
        return 1

    def _set_progress(self, progress: Progress) -> None:
        self.progress = progress
        self._learner.n_words = progress.words_per_pass

    def _check_ready(self) -> None:
        """Raises ValueError (NM051) if there are no weights."""
        if not self._learner.is_ready(self.model):
            raise ValueError(Errors.NM051.format(name=self.name))

    def _read_labels(self) -> None:
        """Make the label strings known to the vocab, and their hashes to training."""
        self._label_ids = {self.vocab.strings.add(label): i for i, label in enumerate(self.labels)}
        self._label_table().add_to(self.vocab.strings)

    def _label_table(self) -> LabelTable:
        return LabelTable(self.labels, lifted=self.projectivize == "head")

    # Parsing

    def predict(self, docs: Iterable[Doc]) -> list[Parse]:
        """Parse docs without changing them; white space is no word.

        Raises ValueError (NM051) if there are no weights. Warns (NM557) if a Doc lacks the vectors of a
        tok2vec or transformer that the parser listens to.
        """
        docs = [docs] if isinstance(docs, Doc) else list(docs)  # as in spaCy
        if not any(map(len, docs)):  # as in spaCy, these need no weights
            return [Parse(*numpy.zeros((3, 0), dtype="i")) for _ in docs]
        self._check_ready()
        parts = list(minibatch_words(docs))
        if self.n_threads == 1 or len(parts) == 1:
            found = [self._predict_part(part) for part in parts]
        else:
            # Most of the time is spent outside of Python's global lock.
            with ThreadPoolExecutor(self.n_threads) as pool:
                found = list(pool.map(self._predict_part, parts))
        return [parse for parses in found for parse in parses]

    def _predict_part(self, docs: list[Doc]) -> list[Parse]:
        scores, starts, lengths = self._score(docs)
        batch, dep_scores = self._learner.parse(
            self.model,
            scores,
            lengths,
            dep_scores=self.dep_scores,
            worth=worth_of_crossing(self.progress.crossing),
        )
        return parses_of(batch, dep_scores, starts, lengths)

    def derivations(self, docs: Iterable[Doc]) -> list[list[Derivation]]:
        """Tell how the parser would parse docs: the sentences of each doc, and the moves of each
        sentence.

        Systems with several roots leave words without a head in the end; these are attached without
        moves, and arcs that cross others are exchanged without moves.
        """
        found: list[list[Derivation]] = []
        for doc in docs:
            if not len(doc):  # some layers fail
                found.append([])
                continue
            batch, lengths = self.prepare([doc])
            found.append(read_derivations(batch, lengths, self.system.moves, self.labels))
        return found

    def prepare(self, docs: list[Doc]) -> tuple[Batch, numpy.ndarray]:
        """Score docs. Returns their sentences, ready to be decoded, and the lengths of these. Raises
        ValueError (NM051) if there are no weights."""
        self._check_ready()
        scores, _, lengths = self._score(docs)
        return self._learner.batch(self.model, scores, lengths), lengths

    def _score(self, docs: list[Doc]) -> tuple[Any, list[numpy.ndarray], numpy.ndarray]:
        """Return what the model scores of docs, which words of each doc start a sentence, and the
        lengths of the sentences."""
        scores = self.model.predict(docs)
        if getattr(scores, "lacks_vectors", False):  # only of neural models
            warnings.warn(Warnings.NM557.format(name=self.name), stacklevel=2)
        on_cpu = map(self.model.ops.to_numpy, scores.boundaries)
        starts = parsing_starts(docs, on_cpu)
        lengths = sentence_lengths(numpy.concatenate(starts))
        if self.max_distance and lengths.max(initial=0) > self.max_distance + 1:
            longest = int(lengths.argmax())
            words = [doc[int(i)].text for doc in docs for i in words_of(doc)]
            first = " ".join(words[lengths[:longest].sum() :][:5])
            text = Warnings.NM550.format(
                first=first, n_words=lengths[longest], max_distance=self.max_distance
            )
            warnings.warn(text, stacklevel=2)
        return scores, starts, lengths

    def set_annotations(self, docs: Iterable[Doc], scores: list[Parse]) -> None:
        """Write heads, labels and sentence boundaries to every token; lifted arcs are put back. White
        space hangs from the word before it."""
        table = self._label_table()
        for doc, parse in zip(docs, scores, strict=True):
            if len(doc) == 0:
                continue
            if doc.vocab is not self.vocab:
                table.add_to(doc.vocab.strings)
            deps, head_deps = table.read(parse.heads, parse.labels)
            heads = lower_arcs(parse.heads, deps, head_deps) if head_deps.any() else parse.heads
            write_parse(doc, heads, deps, parse.starts)
            found = parse.scores
            write_dep_scores(doc, None if found is None else self.scaling.scale(found))

    # Training

    def initialize(
        self,
        get_examples: Callable[[], Iterable[Example]],
        *,
        nlp: Language | None = None,
        labels: list[str] | None = None,
    ) -> None:
        """Collect the labels, and give the model its shapes and its first weights.

        labels: the labels, as `label_data` gives them; by default every label of the examples, however
            rare, and those of lifted arcs. Labels of `add_label` come first; those of an earlier
            initialization are gone.

        The words of the examples are those of a pass over the training data, unless it is streamed:
        then spaCy shows the first 100 Docs only, and the number of words is unknown.

        Raises ValueError: NM061 if `labels` is not a list of different non-empty strings, NM068 if there
        are no examples. Warns if no head of the examples is known (NM554), if each has one sentence only
        (NM555), if an attribute ruler of the pipeline has patterns with other labels (NM551), and if
        weights are averaged where a layer of PyTorch learns (NM558).
        """
        validate_get_examples(get_examples, "NonmonoParser.initialize")
        if labels is not None and not is_name_list(labels):
            raise ValueError(Errors.NM061.format(found=repr(labels)[:N_SHOWN]))
        # The examples may come from a large file: they are read once
        examples = iter(get_examples())
        first = list(islice(examples, N_CHECKED))
        if not first:
            raise ValueError(Errors.NM068)
        found, progress = survey(chain(first, examples), lift=self.projectivize == "head")
        labels = found if labels is None else labels
        check_examples(first)
        self.cfg["labels"] = list(dict.fromkeys([*self._added, *labels]))
        self._rehearsal_model = None
        self.scaling = Scaling()
        is_streamed = nlp is not None and training_of(nlp).get("max_epochs") == STREAMS
        if is_streamed or not progress.arcs_per_pass:  # spaCy makes up a Doc where it is given none
            progress.words_per_pass = 0
        self._set_progress(progress)
        self._read_labels()
        if nlp is not None:
            keep_own_tables(nlp)
            check_rulers(nlp, self._label_table())
            notes = {
                OTHERS_LEARN_TAGS: others_learn_tags(nlp, self.name),
                PYTORCH_LEARNS: pytorch_learns(nlp),
                LISTENS_TO_PYTORCH: listens_to_pytorch(nlp, self.name),
            }
            others = {name: value for name, value in self.cfg.items() if name not in notes}
            self.cfg = others | {name: True for name, is_so in notes.items() if is_so}
            optimizer = training_of(nlp).get("optimizer") or {}
            if notes[PYTORCH_LEARNS] and optimizer.get("use_averages"):
                warnings.warn(Warnings.NM558.format(name=self.name), stacklevel=2)
        docs = [example.x for example in first if len(example.x)][:10] or [first[0].x]
        self._learner.initialize(self.model, docs, len(self.labels))

    def update(
        self,
        examples: Iterable[Example],
        *,
        drop: float = 0.0,
        sgd: Optimizer | None = None,
        losses: dict[str, float] | None = None,
    ) -> dict[str, float]:
        """Learn from a batch of examples; what is not annotated teaches nothing.

        Warns, once each, of sentences that a static oracle cannot derive (NM552), of those that are too
        long for the oracle (NM553), of labels that the parser does not have (NM556), and of labels
        without heads (NM595).

        Raises ValueError: NM051 if there are no weights, NM175 if the exploration policy counts passes
        and the words of one are unknown.
        """
        examples = list(examples)
        losses = {} if losses is None else losses
        losses.setdefault(self.name, 0.0)
        validate_examples(examples, "NonmonoParser.update")
        docs = [example.predicted for example in examples]
        if not has_words(docs):
            return losses
        self._check_ready()
        lift = self.projectivize == "head"
        self._learner.others_learn_tags = self.cfg.get(OTHERS_LEARN_TAGS, False)
        self._learner.with_pytorch = self._pytorch_learns or self.cfg.get(LISTENS_TO_PYTORCH, False)
        tags = self._learner.learns_tags(self.model)
        golds = [read_gold(example, self._label_ids, lift=lift, tags=tags) for example in examples]
        rows = zip(examples, golds, strict=True)
        labels = sorted({label for row in rows for label in unknown_labels(*row)})
        if labels:
            self._tell_once(Warnings.NM556, labels=name_some(labels))
        if any(lacks_heads(example.reference) for example in examples):
            self._tell_once(Warnings.NM595)
        unit = getattr(self.exploration, "unit", UPDATES)  # what the policy counts
        p_model = self.exploration.probability(self.progress.done(unit))
        losses[self.name] += self._learner.update(self.model, docs, golds, p_model, drop)
        oracle, names = self.oracle, {"oracle": self.oracle.name, "system": self.system.name}
        for text, n in ((Warnings.NM552, oracle.underivable), (Warnings.NM553, oracle.too_long)):
            if n:
                self._tell_once(text, n=n, most=oracle.max_words, **names)
        self.progress.add(sum(map(len, docs)))
        if sgd not in (None, False):
            self.finish_update(sgd)
        return losses

    def _tell_once(self, text: str, **fields: Any) -> None:
        if text not in self._told:
            self._told.add(text)
            warnings.warn(text.format(**fields), stacklevel=3)

    @property
    def _pytorch_learns(self) -> bool:
        """Whether a layer of PyTorch learns in the pipeline, or in the parser: its listener may have
        been replaced since it was initialized."""
        return self.cfg.get(PYTORCH_LEARNS, False) or has_pytorch(self.model)

    def rehearse(
        self,
        examples: Iterable[Example],
        *,
        sgd: Optimizer | None = None,
        losses: dict[str, float] | None = None,
        **config: Any,
    ) -> dict[str, float]:
        """Learn to score the states of the model before training as that model does.

        `Language.resume_training` keeps the model to stay close to; without it nothing happens. To
        initialize the parser, or to load one with other labels, forgets that model.

        Raises ValueError: NM051 if there are no weights, NM036 if the parser listens, and so the copy of
        it gets no vectors; NotImplementedError (NM034) with a linear model.
        """
        losses = {} if losses is None else losses
        losses.setdefault(self.name, 0.0)
        teacher = self._rehearsal_model
        docs = [example.predicted for example in examples]
        if teacher is None or not has_words(docs):
            return losses
        self._check_ready()
        loss = self._learner.rehearse(self.model, docs, teacher)
        if loss is None:
            raise NotImplementedError(Errors.NM034.format(name=self.name))
        losses[self.name] += loss
        if sgd not in (None, False):
            self.finish_update(sgd)
        return losses

    def finish_update(self, sgd: Optimizer) -> None:
        """Apply the gradients.

        Switches on the averages of the optimizer's weights if they are off: `spacy train` then evaluates
        and saves the averaged weights, which parse much better. But not where a layer of PyTorch learns,
        which would get none, and not those of our own `Adam`, for which off is not the default.
        """
        # `Language.rehearse` passes a function that collects the gradients.
        is_off = isinstance(sgd, Optimizer) and not isinstance(sgd, FastAdam) and sgd.averages is None
        if is_off and self._learner.needs_averages and not self._pytorch_learns:
            sgd.averages = {}
            logger.info("%s averages the weights of all components", self.name)
        self._learner.finish_update(self.model, sgd)

    # Serialisation

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Save to bytes. exclude: parts to leave out, of `cfg`, `vocab` and `model`."""
        weights = self.model.to_bytes()
        cfg = write_cfg(self._state(), weights)
        parts: dict[str, Callable[[], Any]] = {
            "cfg": lambda: cfg,
            "vocab": lambda: self.vocab.to_bytes(exclude=exclude),
            "model": lambda: weights,
        }
        return to_bytes(parts, exclude)

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Save to a folder; see `to_bytes`."""
        weights = self.model.to_bytes()
        cfg = write_cfg(self._state(), weights)
        parts = {
            "model": lambda file: file.write_bytes(weights),
            "cfg": lambda file: file.write_text(cfg, "utf8"),
            "vocab": lambda file: self.vocab.to_disk(file, exclude=exclude),
        }
        to_disk(path, parts, exclude)

    def from_bytes(self, bytes_data: bytes, *, exclude: Iterable[str] = ()) -> "NonmonoParser":
        """Load what `to_bytes` saved. Parts that were left out stay as they are.

        Raises ValueError (NM058) if it is damaged, of another transition system, or of another version.
        """
        with refusing(self.name, "bytes"):
            parts = read_message(bytes_data)
            if not isinstance(parts, dict) or not {"cfg", "model"} & {*parts, *exclude}:
                raise damaged("neither of the parts `cfg` and `model`", "both")
            left_out = {"cfg", "model", "vocab"} - parts.keys()
            self._load(parts.__getitem__, {*exclude, *left_out})
        return self

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "NonmonoParser":
        """Load what `to_disk` saved; see `from_bytes`."""
        folder = ensure_path(path)
        with refusing(self.name, folder):
            if "vocab" not in exclude:
                self.vocab.from_disk(folder / "vocab", exclude=exclude)
            self._load(lambda part: (folder / part).read_bytes(), {*exclude, "vocab"})
        return self

    def _state(self) -> SavedParser:
        settings = {name: (value, getattr(self, name)) for name, value in self._configured.items()}
        return SavedParser(
            list(self.labels),
            self.system,
            self._learner.moves,
            self._learner.positions,
            self.scaling,
            self.progress,
            settings,
            {name: value for name, value in self.cfg.items() if name != "labels"},
        )

    def _load(self, read: Callable[[str], bytes], exclude: Iterable[str]) -> None:
        """Load parts; nothing of the parser changes before all that can be checked is."""
        weights = None if "model" in exclude else read("model")
        saved = own = self._state()
        is_ready = self._learner.is_ready(self.model)
        if "cfg" not in exclude:
            saved = read_cfg(read("cfg"), own, weights)
        if weights is None and is_ready and saved.labels != own.labels:
            raise damaged(f"the labels {name_some(saved.labels)} without weights", name_some(own.labels))
        if saved.others.pop(EXPANSIONS, None):
            warnings.warn(Warnings.NM590.format(name=self.name), stacklevel=3)
        if "vocab" not in exclude:
            self.vocab.from_bytes(read("vocab"), exclude=exclude)
        if weights is not None:
            before = self.model.to_dict() if is_ready else None
            try:
                load_weights(self.model, weights)
                self._learner.check_labels(self.model, len(saved.labels))
            except Exception:
                if before is not None:
                    self.model.from_dict(before)
                raise
            if saved.moves != own.moves:
                self._learner.reorder(self.model, saved.moves, len(saved.labels))
        if saved.labels != own.labels:
            # Its classes are those of other labels.
            self._rehearsal_model = None
            if is_ready:
                self._learner.add_labels(self.model, len(saved.labels))
            self._added = []
        self.cfg.clear()
        self.cfg.update(saved.others, labels=saved.labels)
        self.scaling = saved.scaling
        self._set_progress(saved.progress)
        for name, (configured, value) in saved.settings.items():
            # Another value in the config than when it was saved is somebody's wish
            if self._configured.get(name) == configured:
                setattr(self, name, value)
        self._read_labels()
