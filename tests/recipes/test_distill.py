"""Raw text distilled into a small parser, in stages that are not done twice."""

import pytest
import spacy
from spacy.training.initialize import init_nlp
from spacy.util import load_config

from spacy_nonmono.recipes import distill as module
from spacy_nonmono.recipes.config import make_config
from spacy_nonmono.recipes.distill import (
    Silver,
    check_config,
    distill,
    find_known,
    read_texts,
    student_config,
    write_collected,
    write_silver,
)
from spacy_nonmono.treebank.corpus import create_conllu_corpus
from spacy_nonmono.treebank.reader import read_sentences
from spacy_nonmono.treebank.sentences import COLUMNS

TREES = """\
1\tdogs\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_
2\tbark\t_\tVERB\t_\t_\t0\troot\t_\t_
3\t.\t_\tPUNCT\t_\t_\t2\tpunct\t_\t_

1\tthe\t_\tDET\t_\t_\t2\tdet\t_\t_
2\tcat\t_\tNOUN\t_\t_\t3\tnsubj\t_\t_
3\tsees\t_\tVERB\t_\t_\t0\troot\t_\t_
4\tdogs\t_\tNOUN\t_\t_\t3\tobj\t_\t_

"""
TEST = "1\tcats\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tsleep\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
TEXT = "the dogs see cats\ncats sleep\ncatssleep\nthe cat barks .\n"
SETTINGS = {
    "training.max_steps": 6,
    "training.eval_frequency": 3,
    "components.tok2vec.model.encode.width": 16,
    "components.nonmono_parser.model.hidden_width": 16,
}


@pytest.fixture
def paths(tmp_path):
    treebank = tmp_path / "treebank"
    treebank.mkdir()
    for part, trees in (("train", TREES * 10), ("dev", TREES), ("test", TEST)):
        (treebank / f"{part}.conllu").write_text(trees)
    config, text = tmp_path / "config.cfg", tmp_path / "text.txt"
    make_config(lang="xx").to_disk(config)
    text.write_text(TEXT)
    return config, treebank, text, tmp_path / "distilled"


def run(paths, **settings):
    config, treebank, text, output = paths
    stages = []
    systems = ("covington_nonmonotonic", "arc_eager_unshift")
    found = distill(
        config,
        treebank,
        str(text),
        output,
        **{"systems": systems, "n_teachers": 2, "agreement": 1.0, "overrides": SETTINGS, **settings},
        report=stages.append,
    )
    return found, stages


def test_all_stages(paths):
    output = paths[-1]
    (path, made), stages = run(paths)
    parses = ["Teacher 0 parses", "Teacher 1 parses"]
    assert stages == ["Teacher 0", "Teacher 1", *parses, "Vote", "Student"]
    # Sentences of the test part are left out, however they are written
    silver = list(read_sentences(output / "silver.conllu"))
    texts = [" ".join(columns[1] for columns in sentence.words) for sentence in silver]
    assert " ".join(texts) == "the dogs see cats the cat barks ."
    n_known = sum(head is not None for sentence in silver for head in sentence.heads)
    assert (made.n_words, made.n_known) == (8, n_known)
    assert made.n_left_out in (2, 3)  # one may be taken for two sentences
    teachers = [spacy.load(output / f"teacher-{number}" / "model-best") for number in range(2)]
    names = [teacher.get_pipe("nonmono_parser").system.name for teacher in teachers]
    assert names == ["covington_nonmonotonic", "arc_eager_unshift"]
    assert path == output / "student" / "model-best"
    student = spacy.load(path)
    assert student.get_pipe("nonmono_parser").labels == teachers[0].get_pipe("nonmono_parser").labels
    assert student("the cat sees dogs").has_annotation("DEP")
    steps = load_config(output / "student.cfg")["training"]["max_steps"]
    assert steps == 3 * SETTINGS["training.max_steps"]


def test_what_is_complete_is_not_done_again(paths, monkeypatch):
    output = paths[-1]
    first, _ = run(paths)
    (output / "student").rename(output / "student.unfinished")
    trained = []

    def train(config, folder, **settings):
        trained.append(folder.name)
        (folder / "model-best").mkdir(parents=True)

    monkeypatch.setattr(module, "train_best", train)
    files = {path: path.stat().st_mtime_ns for path in output.glob("*-?/**/*.conllu")}
    second, _ = run(paths)
    assert trained == ["student.unfinished"]
    assert second == first and (output / "student").exists()
    assert files == {path: path.stat().st_mtime_ns for path in files} and len(files) == 2


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"n_teachers": 3}, "the number of teachers"),
        ({"agreement": 0.75, "ratio": 1.0}, "the agreement, the ratio"),
        ({"systems": ()}, "the systems"),
        ({"overrides": {**SETTINGS, "training.max_steps": 10}}, "the config"),
        ({"treebank": TREES}, "the treebank"),
        ({"made-of.json": None}, "the config, the treebank, the systems"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_other_settings_are_refused(paths, monkeypatch, change, found):
    """A stopped run that has made nothing may begin anew."""
    _, treebank, _, output = paths

    def train(config, folder, **settings):
        if config.name == "teacher-1.cfg":
            raise KeyboardInterrupt
        folder.mkdir()

    monkeypatch.setattr(module, "train_best", train)
    output.mkdir()
    (output / "made-of.json").write_text("{}")
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            run(paths)
    assert {path.name for path in output.iterdir()} >= {"teacher-0", "made-of.json"}
    if "treebank" in change:
        (treebank / "test.conllu").write_text(change.pop("treebank"))
    if "made-of.json" in change:  # as version 0.2.0 leaves a folder
        (output / "made-of.json").unlink()
        del change["made-of.json"]
    with pytest.raises(ValueError, match=rf"NM190.* differs in {found}"):
        run(paths, **change)


def test_teachers_have_seeds_of_their_own(paths):
    run(paths, systems=(), overrides={**SETTINGS, "training.seed": 7})
    one, other = (paths[-1] / f"teacher-{n}" / "model-best" / "nonmono_parser" / "model" for n in (0, 1))
    assert one.read_bytes() != other.read_bytes()


def test_a_student_has_the_tables_of_the_treebank(paths):
    """It reads gold and silver trees by turns, and is initialized with some of them."""
    treebank, _, output = paths[1:]
    made = make_config(lang="xx", collocations="train")
    made["initialize"]["components"]["collocations"] |= {"min_word_count": 1, "min_word_score": -9.0}
    made["paths"].update(train=str(treebank / "train.conllu"), dev=str(treebank / "dev.conllu"))
    (output / "collocations").mkdir(parents=True)
    (output / "silver.conllu").write_text(TEST * 200)
    student = student_config(made, write_collected(made, output), output, 9.0)
    tables = [init_nlp(one).get_pipe("collocations").table for one in (made, student)]
    assert tables[0].words == tables[1].words and len(tables[0].words) > 3


def test_steps_that_a_variable_names(paths):
    config = load_config(paths[0])
    config["paths"]["steps"] = 30
    config["training"]["max_steps"] = "${paths.steps}"
    check_config(config, paths[0])
    assert student_config(config, {}, paths[-1], 2.0)["training"]["max_steps"] == 90
    config["paths"]["steps"], config["training"]["patience"] = 0, 0
    with pytest.raises(ValueError, match="NM090"):
        check_config(config, paths[0])


def test_a_config_that_reads_other_data(paths):
    """The treebank would not be learned from."""
    config = load_config(paths[0])
    config["corpora"]["train"]["path"] = "mine.conllu"
    with pytest.raises(ValueError, match=r"NM202.*does not read \$\{paths.train\}"):
        check_config(config, paths[0])


@pytest.mark.parametrize("setting", ["corpora.train", "training.max_steps", "test.conllu", "utf-8"])
def test_what_follows_the_trainings_is_tried_before_them(paths, monkeypatch, setting):
    monkeypatch.setattr(module, "train_best", lambda *arguments, **settings: pytest.fail("trains"))
    config, treebank, _, _ = paths
    if setting == "test.conllu":
        (treebank / setting).write_text("owls\n\n")
    elif setting == "utf-8":
        config.write_bytes(b"# M\xe4use\n" + config.read_bytes())
    else:
        made = load_config(config)
        section, _, name = setting.partition(".")
        del made[section][name]
        made.to_disk(config)
    with pytest.raises(ValueError, match="NM081" if setting == "test.conllu" else "NM202"):
        run(paths, overrides={})


@pytest.fixture
def teacher(paths, tmp_path):
    """A pipeline with a parser of spaCy's that knows the trees, and some made-up labels if it should."""

    def make(*labels):
        nlp = spacy.blank("xx")
        parser = nlp.add_pipe("parser")
        for label in labels:
            parser.add_label(label)
        nlp.initialize(lambda: create_conllu_corpus(paths[1] / "train.conllu")(nlp))
        nlp.to_disk(tmp_path / "spacys")
        return str(tmp_path / "spacys")

    return make


def test_a_teacher_that_there_is(paths, teacher):
    """Any parser; its labels are not those of the student."""
    output = paths[-1]
    settings = {"systems": (), "pipelines": [teacher()]}
    (path, made), stages = run(paths, **settings)
    assert stages == ["Teacher 0 parses", "Vote", "Student"]
    assert made.n_known == made.n_words == 8
    parsed, silver = (list(read_sentences(output / name)) for name in ("parsed-0", "silver.conllu"))
    trees = [(one.forms, one.heads) for one in parsed]
    assert all((one.forms, one.heads) in trees for one in silver)
    labels = spacy.load(path).get_pipe("nonmono_parser").labels
    assert set(labels) == {"det", "nsubj", "obj", "punct"}
    assert run(paths, **settings)[0] == (path, made)
    with pytest.raises(ValueError, match=r"NM190.* differs in the systems, .*, the teachers"):
        run(paths)


@pytest.mark.parametrize("parser", ["nonmono_parser", "parser"])
def test_teachers_of_another_config(paths, tmp_path, parser):
    theirs = tmp_path / "teacher.cfg"
    made = make_config(lang="xx", parser=parser)
    made["training"].update(max_steps=2, eval_frequency=1)
    if parser == "parser":  # whose oracle fails where it has left out a label
        made["components"][parser]["min_action_freq"] = 1
    made.to_disk(theirs)
    run(paths, systems=(), n_teachers=1, teacher_config=theirs)
    assert spacy.load(paths[-1] / "teacher-0" / "model-best").pipe_names[1] == parser
    assert spacy.load(paths[-1] / "student" / "model-best").pipe_names[1] == "nonmono_parser"


def test_teachers_that_cannot_be(paths, tmp_path, teacher):
    """They are tried before anything is made."""
    with pytest.raises(ValueError, match=r"NM091.*spacys.*train.conllu.*: dobj, pobj"):
        run(paths, systems=(), pipelines=[teacher("dobj", "pobj")])
    with pytest.raises(ValueError, match="NM181"):
        run(paths, pipelines=[teacher()])
    with pytest.raises(OSError, match="NM198"):
        run(paths, systems=(), pipelines=["gone"])
    made = make_config(lang="xx", parser="parser")
    made.to_disk(tmp_path / "spacys.cfg")
    with pytest.raises(ValueError, match=r"NM181.*--systems"):
        run(paths, teacher_config=tmp_path / "spacys.cfg")
    assert not paths[-1].exists()


def test_text_of_the_treebank(paths, monkeypatch):
    monkeypatch.setattr(module, "train_once", lambda *arguments: None)
    monkeypatch.setattr(module, "run", lambda *arguments, **settings: None)
    monkeypatch.setattr(module, "write_silver", lambda *arguments: Silver(n_left_out=7))
    with pytest.raises(ValueError, match=r"NM089.*text.txt.* 7 of them"):
        run(paths)


def conllu(sentences):
    return "".join(
        "".join(
            f"{i}\t{word}\t_\t_\t_\t_\t_\t_\t_\t_\n" for i, word in enumerate(text.split(), start=1)
        )
        + "\n"
        for text in sentences
    )


def test_silver_of_more_columns(tmp_path):
    """What tells the columns may stand above a sentence that is left out."""
    known = "The quick brown fox jumps over the lazy dog ."
    (parsed := tmp_path / "parsed").mkdir()
    text = conllu([known, "owls hunt"]).replace("_\n", "_\tx\n")
    header = f"# global.columns = {' '.join(COLUMNS)} X:Y\n"
    (parsed / "part-000000.conllu").write_text(header + text)
    silver = write_silver([parsed], 1.0, {known.replace(" ", "")}, tmp_path / "silver.conllu")
    (sentence,) = read_sentences(tmp_path / "silver.conllu")
    assert (silver.n_left_out, silver.n_words, sentence.forms) == (1, 2, ["owls", "hunt"])


def test_sentences_of_the_treebank_are_found(tmp_path):
    raw, part = tmp_path / "raw.conllu", tmp_path / "part.conllu"
    part.write_text(conllu(["No .", "The quick brown fox jumps over the lazy dog .", "Do n't go"]))
    cases = {
        "No .": True,
        "No one came .": False,  # has a short one in it
        "Well .": False,
        "Do": True,  # a short one that is split
        "n't go": True,
        "Do n't go there": False,
        "He said : The quick brown fox": True,  # a long one, split and with more before and after it
        "jumps over the lazydog . And": True,
        "so on .": False,
        "TheThe quick brown fox jumps over the lazy cat .": False,
        "the quick brown fox jumps over the lazy dog .": False,
        "Donot go": False,
    }
    raw.write_text(conllu(cases))
    found = find_known(raw, read_texts([part, tmp_path / "gone.conllu"]))
    assert found == {number for number, known in enumerate(cases.values()) if known}


def test_text_without_words(paths):
    paths[2].write_text("\n \n")
    with pytest.raises(ValueError, match=r"\[NM089\]"):
        run(paths)
    assert not paths[-1].exists()


def test_agreement_is_checked_before_anything_is_trained(paths):
    with pytest.raises(ValueError, match=r"\[NM086\]"):
        run(paths, agreement=0.5)
    assert not paths[-1].exists()


def test_config_without_parser(paths):
    config = paths[0]
    spacy.blank("xx").config.to_disk(config)
    with pytest.raises(ValueError, match=r"\[NM110\].*none"):
        run(paths, overrides={})


def test_config_without_a_last_step(paths):
    make_config(lang="xx", scorer="linear").to_disk(paths[0])
    with pytest.raises(ValueError, match=r"\[NM090\]"):
        run(paths, overrides={})
    assert not paths[-1].exists()


MERGED = """\
1\tthe\t_\tDET\tD\t_\t2\tdet\t_\t_
2\tcat\t_\tNOUN\tN\t_\t3\tnsubj\t_\t_
3\tdrinks\t_\tVERB\tV\t_\t0\troot\t_\t_
4-5\tdu\t_\t_\t_\t_\t_\t_\t_\t_
4\tde\t_\tADP\tP\t_\t6\tcase\t_\t_
5\tle\t_\tDET\tA\t_\t6\tdet\t_\t_
6\tmilk\t_\tNOUN\tN\t_\t3\tobj\t_\t_

"""


def test_tokens_and_tags(paths):
    """The student gets the tokens of a text, where the words of the treebank are merged, and no tag that
    a teacher has found: as parts of tokens words may have tags that no token has."""
    config, treebank, text, output = paths
    for part in ("train", "dev"):
        (treebank / f"{part}.conllu").write_text(MERGED * 10)
    (treebank / "test.conllu").write_text(MERGED.replace("cat", "dog").replace("milk", "cold"))
    make_config(lang="xx", components=["tagger"]).to_disk(config)
    text.write_text("the dog drinks du cold\nthe dog drinks du milk\n")
    (path, _), _ = run(paths, systems=())
    silver = list(read_sentences(output / "silver.conllu"))
    words = [columns for sentence in silver for columns in sentence.words]
    assert [columns[1] for columns in words] == ["the", "dog", "drinks", "du", "milk"]
    assert {value for columns in words for value in columns[2:6]} == {"_"}
    student = spacy.load(path)
    assert set(student.get_pipe("tagger").labels) == {"D", "N", "V", "P_A"}


def test_other_components(paths):
    """A tagger learns from the treebank alone, and knows all of its tags."""
    make_config(lang="xx", components=["morphologizer"]).to_disk(paths[0])
    (path, _), _ = run(paths, systems=())
    student = spacy.load(path)
    assert set(student.get_pipe("morphologizer").labels) == {
        f"POS={tag}" for tag in ("DET", "NOUN", "PUNCT", "VERB")
    }
    assert student("the dogs bark .").has_annotation("POS")
