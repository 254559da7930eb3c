"""Raw text distilled into a parser: teachers parse it, and one parser learns from the trees that they
agree on beside the gold ones (Zhou & Li 2005, tri-training; Kuncoro et al. 2016)."""

import shutil
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import asdict, dataclass
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any

import srsly
from spacy.training.initialize import init_nlp
from thinc.api import Config

from ..corpora.documents import InputSettings, find_files, read_inputs
from ..corpora.progress_bar import ProgressBar
from ..corpora.run import input_size, run
from ..corpora.worker import Job
from ..errors import Errors, name_some, refuse
from ..evaluation.fingerprints import file_fingerprint
from ..files import make_folder, write_json, write_text
from ..installed import MODEL_BEST, PARSER, SPACY_LABEL, find_parser, load_pipeline
from ..treebank.formats import DEV, TEST, TRAIN, find_part
from ..treebank.multiword import SPLIT
from ..treebank.reader import read_sentences
from ..treebank.sentences import DEPREL, EMPTY, HEAD, LEMMA, Sentence
from ..treebank.votes import read_votes
from ..treebank.writer import write_sentences
from .config import system_config
from .text import check_reads_train, config_text, read_config, values_of
from .train import train_best

# So many letters in a row are not the same by chance
MIN_LETTERS = 20
SHARD_WORDS = 100_000
BATCH_WORDS = 10_000


@dataclass
class Silver:
    """What became of the raw text. n_known: words whose head enough teachers agree on. n_left_out: raw
    sentences with a sentence of the treebank in them."""

    n_words: int = 0
    n_known: int = 0
    n_left_out: int = 0


def distill(
    config_path: Path,
    treebank: Path,
    text: str,
    output: Path,
    *,
    systems: Sequence[str] = (),
    n_teachers: int = 4,
    pipelines: Sequence[str] = (),
    teacher_config: Path | None = None,
    agreement: float = 0.75,
    ratio: float = 2.0,
    n_process: int = 1,
    code: str | None = None,
    use_gpu: int = -1,
    overrides: Mapping[str, Any] | None = None,
    report: Callable[[str], None] = lambda stage: None,
) -> tuple[Path, Silver]:
    """Train teachers, or take those that there are, let them parse raw text and vote, and train a parser
    on gold and silver trees: its path, and what became of the text.

    Each stage has its place in `output` when it is complete, and is skipped then: `teacher-0` and so on,
    `parsed-0` and so on, `silver.conllu`, and `student`. What they are made of is in `made-of.json`.

    config_path: a config with a `nonmono_parser`, for all trainings. treebank: a folder with
        train.conllu, dev.conllu and test.conllu, or with the same in CoNLL-X, of which no sentence is
        learned from the raw text.
    text: a file, a folder or a pattern, as those of `parse`; a line of a text is a document.
    systems: of the teachers in turns; by default that of the config.
    pipelines: trained ones with any parser, packages or folders, that are the teachers; none is trained
        then. teacher_config: the config of the teachers, if they are to be other parsers than the
        student, such as ones above a transformer.
    agreement: the share of teachers that must agree on an arc. ratio: silver Docs per gold Doc.
    code: a Python file that registers what the config needs, for the processes that parse.
    overrides: of the student's config, as those of `spacy train`; also of the teachers', if that is the
        same. report: is told the name of each stage.

    Raises ValueError: NM202 if a config is none, or not complete, NM110 if it has no such parser,
    NM091 if a pipeline has labels that are not in the treebank, NM181 for choices that exclude each
    other, NM001 for an unknown system, NM086 for a share that is none, NM089 if the text is that of the
    treebank, NM090 if the config has no last step, NM190 if `output` is made of anything else; what
    training and parsing raise.
    """
    if not 0.5 < agreement <= 1:
        raise ValueError(Errors.NM086.format(found=agreement))
    parts = {part: find_part(treebank, part) for part in (TRAIN, DEV, TEST)}
    paths = {f"paths.{part}": str(parts[part]) for part in (TRAIN, DEV)}
    config = read_config(config_path, {**(overrides or {}), **paths})
    check_config(config, config_path)
    if pipelines:
        refuse("--teacher", {"--teacher-config": teacher_config, "--systems": systems})
        check_teachers(pipelines, parts[TRAIN])
    teachers_config = config
    if teacher_config:
        teachers_config = read_config(teacher_config, paths)
        check_config(teachers_config, teacher_config, or_spacys=True)
        section = teachers_config["components"][find_parser(teachers_config, or_spacys=True)]
        is_spacys = section["factory"] != PARSER
        refuse("--systems", {"a teacher with spaCy's parser": systems and is_spacys})
    files = find_files([text], InputSettings())
    if not any(True for file in files for _ in read_inputs(file, InputSettings())):
        raise ValueError(Errors.NM089.format(text=text, n_left_out=0))
    known = read_texts(parts.values())
    sections = [system_config(name) for name in systems]
    make_folder(output)
    made_of = {
        "the config": config.to_str(interpolate=False),
        "the treebank": [file_fingerprint(path) for path in parts.values() if path.exists()],
        "the systems": sections,
        "the number of teachers": len(pipelines) or n_teachers,
        "the agreement": agreement,
        "the ratio": ratio,
    }
    if pipelines or teacher_config:
        made_of["the teachers"] = [*pipelines] or teachers_config.to_str(interpolate=False)
    check_made_of(output, made_of)
    teachers = list(pipelines)
    for number in range(0 if pipelines else n_teachers):
        report(f"Teacher {number}")
        system = sections[number % len(sections)] if sections else None
        teachers.append(str(train_teacher(teachers_config, output, number, system, use_gpu)))
    parsed = parse_text(teachers, files, output, n_process, code, use_gpu, report)
    report("Vote")
    silver = write_silver(parsed, agreement, known, output / "silver.conllu")
    if not silver.n_words:
        raise ValueError(Errors.NM089.format(text=text, n_left_out=silver.n_left_out))
    report("Student")
    student = student_config(config, write_collected(config, output), output, ratio)
    train_once(student, output / "student", use_gpu)
    return output / "student" / MODEL_BEST, silver


def parse_text(
    teachers: Sequence[str],
    files: Sequence[str],
    output: Path,
    n_process: int,
    code: str | None,
    use_gpu: int,
    report: Callable[[str], None],
) -> list[Path]:
    """Let each teacher parse the raw text, and return the folders of the trees."""
    parsed: list[Path] = []
    for number, teacher in enumerate(teachers):
        report(f"Teacher {number} parses")
        # The others take the words and sentences of the first
        inputs = (
            list(files) if number == 0 else [str(path) for path in sorted(parsed[0].glob("*.conllu"))]
        )
        folder = output / f"parsed-{number}"
        # The student learns from tokens as it will get them: from "du", and not from "de" and "le"
        job = Job(teacher, folder, "conllu", BATCH_WORDS, code=code, expand=False, gpu_id=use_gpu)
        parse = partial(run, job, inputs, InputSettings(), shard_words=SHARD_WORDS, n_process=n_process)
        with ProgressBar(input_size(inputs)) as progress:
            parse(report=progress.add, tell=progress.move)
        parsed.append(folder)
    return parsed


def check_config(config: Config, path: Path, *, or_spacys: bool = False) -> None:
    """Check that a config says what all trainings need. Raises ValueError: NM110 if it has no
    `nonmono_parser`, nor a parser of spaCy's where that will do, NM202 if a setting is missing, NM090
    if it has no last step."""
    find_parser(config, or_spacys=or_spacys)
    for section, key in (("corpora", "train"), ("training", "max_steps"), ("training", "patience")):
        if key not in config.get(section, {}):
            reason = f"[{section}] has no {key}"
            raise ValueError(Errors.NM202.format(path=path, reason=reason))
    check_reads_train(config, path)
    training = values_of(config, path)["training"]
    if not training["max_steps"] and not training["patience"]:
        raise ValueError(Errors.NM090)


def check_teachers(pipelines: Iterable[str], train_part: Path) -> None:
    """Raises ValueError (NM091) if a parser has labels that are not in the treebank: its trees are of
    another kind. Also what `load_pipeline` raises, and NM110 if a pipeline has no parser."""
    sentences = read_sentences(train_part)
    known = {row[DEPREL].lower() for sentence in sentences for row in sentence.words} | {SPACY_LABEL}
    for name in pipelines:
        nlp = load_pipeline(name)
        parser: Any = nlp.get_pipe(find_parser(nlp, or_spacys=True))
        found = sorted({one for one in parser.labels if one.partition("||")[0].lower() not in known})
        if found:
            raise ValueError(Errors.NM091.format(name=name, labels=name_some(found), path=train_part))


def train_teacher(
    config: Config, output: Path, number: int, system: dict[str, Any] | None, use_gpu: int
) -> Path:
    """Train one teacher, unless that is done, and return its path. Its number is its seed. system: the
    section of its transition system; None for that of the config."""
    own = config.copy()
    own.setdefault("system", {})["seed"] = own["training"]["seed"] = number
    if system is not None:
        own["components"][find_parser(config)]["system"] = system
    folder = output / f"teacher-{number}"
    train_once(own, folder, use_gpu)
    return folder / MODEL_BEST


def check_made_of(output: Path, made_of: Mapping[str, Any]) -> None:
    """Write what the stages are made of, before the first one is; raises ValueError (NM190) if they are
    made of anything else."""
    path = output / "made-of.json"
    if not any((output / name).exists() for name in ("teacher-0", "parsed-0")):
        return write_json(path, made_of)
    found = srsly.read_json(path) if path.exists() else {}
    names = dict.fromkeys([*made_of, *found])
    different = [name for name in names if found.get(name) != made_of.get(name)]
    if different:
        raise ValueError(Errors.NM190.format(folder=output, found=", ".join(different)))


def train_once(config: Config, output: Path, use_gpu: int) -> None:
    """Write the config beside the folder and train, unless that is done. The folder has its name when it
    is."""
    if output.exists():
        return
    path = output.with_suffix(".cfg")
    header = [f"For {output.name}, by `distill`"]
    write_text(path, config_text(config, header, parser=find_parser(config, or_spacys=True)))
    unfinished = output.with_suffix(".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    train_best(path, unfinished, use_gpu=use_gpu)
    unfinished.rename(output)


def write_silver(parsed: Sequence[Path], agreement: float, treebank: Set[str], path: Path) -> Silver:
    """Write the trees that the parses agree on, without sentences of the treebank. There are no lemmas
    and tags in them, since one teacher alone has found these."""
    counts = path.with_suffix(".json")
    if counts.exists():
        return Silver(**srsly.read_json(counts))
    known = find_known(parsed[0], treebank)
    silver = Silver(n_left_out=len(known))

    def kept() -> Iterator[Sentence]:
        for number, sentence in enumerate(read_votes(parsed, agreement)):
            if number in known:
                continue
            for columns in sentence.words:
                columns[LEMMA:HEAD] = [EMPTY] * (HEAD - LEMMA)
            silver.n_words += len(sentence.heads)
            silver.n_known += sum(head is not None for head in sentence.heads)
            yield sentence

    write_sentences(path, kept())
    write_json(counts, asdict(silver))
    return silver


def read_texts(parts: Iterable[Path]) -> set[str]:
    """Return the letters of each sentence of a treebank."""
    return {"".join(_tokens(one)) for part in parts if part.exists() for one in read_sentences(part)}


def find_known(parsed: Path, treebank: Set[str]) -> set[int]:
    """Return the numbers of the parsed sentences that hold a sentence of the treebank, or some of one,
    however the two are split into tokens, words and sentences. A sentence of fewer than MIN_LETTERS
    letters counts only where sentences begin and end with it: others have such words in them by chance.

    treebank: as `read_texts` gives it.
    """
    long: dict[str, list[str]] = {}
    for letters in treebank:
        if len(letters) >= MIN_LETTERS:
            long.setdefault(letters[:MIN_LETTERS], []).append(letters)
    words = [_tokens(sentence) for sentence in read_sentences(parsed)]
    text = "".join(form for sentence in words for form in sentence)
    ends = list(accumulate(sum(map(len, sentence)) for sentence in words))
    known: set[int] = set()
    start = 0
    for number, sentence in enumerate(words):
        for last in range(number, min(number + 3, len(words))):
            if ends[last] - start < MIN_LETTERS and text[start : ends[last]] in treebank:
                known.update(range(number, last + 1))
        for form in sentence:
            for other in long.get(text[start : start + MIN_LETTERS], ()):
                if text.startswith(other, start):
                    known.update(range(number, bisect_left(ends, start + len(other)) + 1))
            start += len(form)
    return known


def _tokens(sentence: Sentence) -> list[str]:
    """Return the tokens of a sentence as they stand in the text, multiword tokens in one."""
    return [token.form for token in sentence.surface_tokens()]


def write_collected(config: Config, output: Path) -> dict[str, dict[str, Any]]:
    """Write what components collect from the treebank when they are initialized: labels, and tables such
    as collocations. Returns the settings for their initialization, by their names."""
    settings: dict[str, dict[str, Any]] = {}
    pipes: list[tuple[str, Any]] = init_nlp(config).pipeline
    for name, pipe in pipes:
        labels = getattr(pipe, "label_data", None)
        if labels is not None:
            path = output / f"labels-{name}.json"
            write_json(path, labels)
            settings[name] = {"labels": {"@readers": "spacy.read_labels.v1", "path": str(path)}}
        elif hasattr(pipe, "TABLE"):
            pipe.to_disk(output / name)
            settings[name] = {"path": str(output / name / pipe.FILE)}
    return settings


def student_config(
    config: Config, settings: Mapping[str, dict[str, Any]], output: Path, ratio: float
) -> Config:
    """Return the config with gold and silver trees to learn from, and these settings of components,
    which have the labels of the gold ones: a reader that is asked anew in each epoch shows the
    components only some trees. It has so many more steps that the parser sees as many gold trees as the
    teachers do."""
    gold = config["corpora"]["train"]
    student = config.copy()
    student["corpora"]["train"] = {
        "@readers": "spacy-nonmono.MixedCorpus.v1",
        "ratio": ratio,
        "seed": "${system.seed}",
        "gold": gold,
        "silver": {
            "@readers": "spacy-nonmono.ConlluCorpus.v1",
            "path": str(output / "silver.conllu"),
            "n_sents": gold.get("n_sents", 10),
            "gold_sents": True,
            # For raw text that is CoNLL-U
            "multiword": gold.get("multiword", SPLIT),
        },
    }
    student["training"]["max_epochs"] = -1
    training = config.interpolate()["training"]
    for name in ("max_steps", "patience"):
        student["training"][name] = round(training[name] * (1 + ratio))
    components = student.setdefault("initialize", {}).setdefault("components", {})
    for name, own in settings.items():
        components.setdefault(name, {}).update(own)
    return student
