"""Scores side by side: of pipelines, and of files that `evaluate` saved."""

import pytest
import spacy
import srsly
from spacy.tokens import DocBin

from spacy_nonmono.cli.evaluate import column_names
from spacy_nonmono.evaluation.baseline import attach_left
from spacy_nonmono.evaluation.compare import compare, read_scores
from spacy_nonmono.evaluation.evaluate import read_file_of_trees
from spacy_nonmono.evaluation.made import made_here
from spacy_nonmono.evaluation.names import (
    COMPARED,
    COUNTS,
    DOCUMENTS,
    GOLD_SENTENCES,
    METRICS,
    RAW_COMPARED,
    RAW_TEXT,
    SCORES,
)
from spacy_nonmono.treebank.corpus import read_docs

MADE = {**made_here(), "date": "2020-02-02", "code": "0ld"}


def scores(las, speed=1000.0, n_words=54):
    values = dict.fromkeys(COMPARED, las)
    return {**values, "nonproj_p": None, "words_per_second": speed, "n_words": n_words}


def read(paths):
    return {path.stem: read_scores(path) for path in paths}


@pytest.fixture
def files(tmp_path):
    ours, theirs = tmp_path / "ours.json", tmp_path / "theirs.json"
    both = {GOLD_SENTENCES: scores(0.8, 1000.0), DOCUMENTS: scores(0.755)}
    srsly.write_json(theirs, {"made": MADE, **both})
    srsly.write_json(ours, {GOLD_SENTENCES: scores(0.875, 1500.0), DOCUMENTS: scores(0.75)})
    return [theirs, ours]


def test_differences(files):
    table = compare(read(files))
    assert table["names"] == ["theirs", "ours"]
    assert table["reference"] == "theirs"
    differences = table["differences"][GOLD_SENTENCES]
    assert differences["las"]["ours"] == pytest.approx(0.075)
    assert differences["las"]["theirs"] == 0
    assert differences["words_per_second"]["ours"] == 1.5
    assert differences["nonproj_p"]["ours"] is None
    assert compare(read(files), reference="ours")["differences"][DOCUMENTS]["uas"] == {
        "ours": 0,
        "theirs": pytest.approx(0.005),
    }


def test_stamps_of_the_measurements(files, tmp_path):
    """Each once, by date; a file of an earlier version has none."""
    measured = read(files)
    assert compare(measured)["made"] == [MADE]
    newer = {**MADE, "date": "2021-01-01"}
    more = {"x": {**measured["ours"], "made": newer}, "y": {**measured["ours"], "made": MADE}}
    assert compare({**more, **measured})["made"] == [MADE, newer]


def test_a_setting_that_is_missing(files):
    srsly.write_json(files[1], {GOLD_SENTENCES: scores(0.9)})
    table = compare(read(files))
    assert table["scores"][DOCUMENTS]["las"] == {"ours": None, "theirs": 0.755}


def test_names_of_columns():
    names = column_names(["a/ours.json", "training/ours", "b/theirs.json"])
    assert list(names.values()) == ["ours", "training/ours", "theirs"]
    assert list(column_names(["a/ours.json", "b/ours.json"]).values()) == ["a/ours", "b/ours"]
    assert list(column_names(["mine", "mine.json"]).values()) == ["mine", "mine.json"]
    with pytest.raises(ValueError, match=r"\[NM162\].*: a/ours"):
        column_names(["a/ours", "b", "a/ours"])


def test_errors(files):
    columns = read(files)
    with pytest.raises(ValueError, match=r"\[NM104\].*'gold'.*theirs, ours"):
        compare(columns, reference="gold")
    columns["ours"][GOLD_SENTENCES]["n_words"] = 53
    with pytest.raises(ValueError, match=r"\[NM105\].* on 54, .* on 53"):
        compare(columns)


@pytest.mark.parametrize("text", ["", "[]", '{"names": ["a"], "scores": {}}', '{"documents": 3}'])
def test_a_file_without_scores(tmp_path, text):
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"\[NM107\].*other.json"):
        read_scores(path)


def test_attach_left(treebank):
    baseline = attach_left(treebank, n_sents=4)
    # "." on "bark", its label being the most frequent one; nothing else
    assert baseline[GOLD_SENTENCES]["uas"] == baseline[DOCUMENTS]["uas"] == pytest.approx(6 / 54)
    assert baseline[GOLD_SENTENCES]["sents_f"] == 1.0
    assert baseline[DOCUMENTS]["sents_f"] == 1.0
    assert baseline[GOLD_SENTENCES]["nonproj_r"] == 0.0
    assert baseline[DOCUMENTS]["n_words"] == 54
    assert baseline[DOCUMENTS]["n_sents"] == 12


def test_attach_left_knows_labels(tmp_path):
    """An unknown one is none."""
    rows = [("1", "0", "root"), ("2", "1", "_"), ("3", "2", "_"), ("4", "3", "dep")]
    lines = ["\t".join([number, "a", *"____", *arc, "_", "_"]) for number, *arc in rows]
    (tmp_path / "a.conllu").write_text("\n".join([*lines, "", ""]), encoding="utf-8")
    assert attach_left(tmp_path / "a.conllu")[GOLD_SENTENCES]["las"] == 1


def test_command(nonmono, files, treebank, tmp_path):
    output = tmp_path / "new" / "table.json"
    result = nonmono("evaluate", *files, treebank, "--baseline", "--output", output)
    assert result.exit_code == 0, result.output
    for text in ["attach left", "ours", "theirs", "87.50   +7.50", "1,500   x1.50"]:
        assert text in result.output
    labels = SCORES | COUNTS
    for text in ["Gold sentences", "Documents", "than theirs", *(labels[key] for key in COMPARED)]:
        assert text in result.output
    assert "ours does not say when" in result.output and "theirs does not" not in result.output
    table = srsly.read_json(output)
    assert table["names"] == ["theirs", "ours", "attach left"]
    # The baseline was measured here
    assert table["made"] == [MADE, made_here()]


def test_pipelines_side_by_side(nonmono, files, nonmono_path, parser_path, treebank, tmp_path):
    output = tmp_path / "table.json"
    arguments = [parser_path, nonmono_path, treebank, "--setting", "gold", "--output", output]
    result = nonmono("evaluate", *arguments)
    assert result.exit_code == 0, result.output
    table = srsly.read_json(output)
    assert table["names"] == [str(parser_path), str(nonmono_path)]
    assert table["reference"] == str(parser_path) and list(table["scores"]) == [GOLD_SENTENCES]
    alone = tmp_path / "alone.json"
    nonmono("evaluate", nonmono_path, treebank, "--setting", "gold", "--output", alone)
    known = srsly.read_json(alone)[GOLD_SENTENCES]
    for key in COMPARED[:-1]:
        assert table["scores"][GOLD_SENTENCES][key][str(nonmono_path)] == known[key]
    # A file that was saved before, beside a pipeline
    result = nonmono("evaluate", *arguments[:1], alone, *arguments[2:])
    assert result.exit_code == 0, result.output
    again = srsly.read_json(output)
    assert again["names"] == [str(parser_path), "alone"]
    assert again["scores"][GOLD_SENTENCES]["las"]["alone"] == known["las"]


def test_command_with_another_reference(nonmono, files):
    result = nonmono("evaluate", *files, "--reference", "ours")
    assert result.exit_code == 0, result.output
    assert "80.00   -7.50" in result.output


def test_command_with_raw_text(nonmono, files, tmp_path):
    """A row per pipeline that has such scores, beside the tables of other settings."""
    for path, score in zip(files, (0.625, 0.5125), strict=True):
        raw = {**dict.fromkeys(RAW_COMPARED, score), "words_per_second": 1500.0, "n_words": 54}
        srsly.write_json(path, {RAW_TEXT: raw})
    output = tmp_path / "table.json"
    result = nonmono("evaluate", *files, "--output", output)
    assert result.exit_code == 0, result.output
    lines = [line.split() for line in result.output.splitlines()]
    assert ["Raw", "text", *METRICS.values(), "Words", "per", "second"] in lines
    assert ["ours", *["51.25"] * 13, "1,500"] in lines
    assert "Documents" not in result.output and "than theirs" not in result.output
    table = srsly.read_json(output)
    assert table["differences"][RAW_TEXT]["las_f"]["ours"] == pytest.approx(-0.1125)
    other = tmp_path / "other.json"
    srsly.write_json(other, {DOCUMENTS: scores(0.75)})
    result = nonmono("evaluate", *files, other)
    lines = [line.split() for line in result.output.splitlines()]
    assert ["LAS", "-", "-", "75.00"] in lines
    assert not any(line[0] == "other" for line in lines if line)


def test_one_file_is_shown_as_it_was(nonmono, nonmono_path, treebank, tmp_path):
    output = tmp_path / "scores.json"
    shown = nonmono("evaluate", nonmono_path, treebank, "--output", output).output
    again = nonmono("evaluate", output).output
    assert "Words per second" in again and again.strip() in shown and "Using" not in again


def test_errors_of_the_command(nonmono, files, nonmono_path, treebank, tmp_path, monkeypatch):
    result = nonmono("evaluate", *files, tmp_path / "gone.json")
    assert result.exit_code == 1
    assert "gone.json" in result.output
    for arguments, text in (
        ([treebank], "stands alone"),
        ([nonmono_path, files[0]], "expected the treebank"),
        ([*files, "--baseline"], "expected the treebank"),
    ):
        result = nonmono("evaluate", *arguments)
        assert result.exit_code == 2 and text in result.output
    monkeypatch.setattr("spacy_nonmono.installed.load_pipeline", None)  # these come before scoring
    result = nonmono("evaluate", nonmono_path, *files, treebank, "--reference", "other")
    assert "[NM104]" in result.output and "'other'" in result.output
    result = nonmono("evaluate", nonmono_path, treebank, "--setting", "raw", "--baseline")
    assert "[NM181]" in result.output
    for options in (["--setting", "gold"], ["--multiword", "merge"]):
        assert "[NM181]" in nonmono("evaluate", *files, *options).output
        assert "[NM181]" in nonmono("evaluate", *files, treebank, *options).output


def test_trees_of_another_parser(nonmono, treebank, nonmono_path, tmp_path):
    """They stand beside a pipeline, with gold sentences only, and can be broken down."""
    trees, output = tmp_path / "other.conllu", tmp_path / "scores.json"
    trees.write_text(treebank.read_text(encoding="utf-8").replace("acl:relcl", "acl"), encoding="utf-8")
    result = nonmono("evaluate", nonmono_path, trees, treebank, "--output", output)
    assert result.exit_code == 0, result.output
    table = srsly.read_json(output)["scores"]
    las = table[GOLD_SENTENCES]["las"]
    assert las["other"] == pytest.approx(8 / 9) and las[str(nonmono_path)] < 1
    assert table[GOLD_SENTENCES]["uas"]["other"] == 1
    assert table[GOLD_SENTENCES]["words_per_second"]["other"] is None
    assert table[DOCUMENTS]["las"]["other"] is None
    result = nonmono("evaluate", trees, treebank, "--by", "label")
    assert result.exit_code == 0 and "acl:relcl" in result.output
    in_docs = tmp_path / "docs.spacy"
    docs = read_docs(trees, spacy.blank("xx").vocab)
    DocBin(docs=docs, store_user_data=True).to_disk(in_docs)
    assert nonmono("evaluate", in_docs, treebank, "--output", output).exit_code == 0
    assert srsly.read_json(output)[GOLD_SENTENCES]["las"] == las["other"]


@pytest.mark.parametrize(
    "old, new, number",
    [("dogs", "cats", "1"), ("3\tsleeps\t_\tVERB\t_\t_\t0", "3\tslept\t_\tVERB\t_\t_\t0", "2")],
)
def test_trees_of_other_words(nonmono, treebank, tmp_path, old, new, number):
    trees = tmp_path / "other.conllu"
    trees.write_text(treebank.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    result = nonmono("evaluate", trees, treebank)
    assert result.exit_code == 1
    assert f"[NM108] {trees}: sentence {number} is" in " ".join(result.output.split())
    result = nonmono("evaluate", treebank, treebank, "--setting", "raw")
    assert result.exit_code == 1 and "[NM181] A file of trees does not go with" in result.output


def test_trees_of_more_sentences(nonmono, treebank, tmp_path):
    trees = tmp_path / "other.conllu"
    trees.write_text(treebank.read_text(encoding="utf-8") * 2, encoding="utf-8")
    result = nonmono("evaluate", trees, treebank)
    found = " ".join(result.output.split())
    assert result.exit_code == 1 and "it is missing" in found
    assert "sentence 13 is ['dogs', 'bark', '.']" in found


def test_blanks_in_words(nonmono, treebank, tmp_path):
    """The words are compared, not their text."""
    text = treebank.read_text(encoding="utf-8")
    for name, word, other in (("one", "a b", "c"), ("two", "a", "b c")):
        changed = text.replace("1\tdogs", f"1\t{word}", 1).replace("2\tbark", f"2\t{other}", 1)
        (tmp_path / f"{name}.conllu").write_text(changed, encoding="utf-8")
    result = nonmono("evaluate", tmp_path / "two.conllu", tmp_path / "one.conllu")
    assert result.exit_code == 1
    assert "sentence 1 is ['a', 'b c', '.']" in " ".join(result.output.split())


def test_impossible_trees(nonmono, treebank, tmp_path):
    """One warning for all of them; what the treebank does not know is no error."""
    trees, output = tmp_path / "other.conllu", tmp_path / "scores.json"
    rows = [line.split("\t") for line in treebank.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        if len(row) == 10:
            row[6] = "0"
    trees.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    with pytest.warns(UserWarning, match=r"\[NM588\].*other.conllu: the heads of 42 words") as told:
        assert nonmono("evaluate", trees, treebank, "--output", output).exit_code == 0
    assert len(told) == 1
    assert srsly.read_json(output)[GOLD_SENTENCES]["uas"] < 0.25


@pytest.mark.filterwarnings("ignore:.*NM583")
def test_labels_of_roots(nonmono, treebank, tmp_path):
    trees, output = tmp_path / "other.conllu", tmp_path / "scores.json"
    text = treebank.read_text(encoding="utf-8")
    share = text.count("\t0\troot") / sum(line[:1].isdigit() for line in text.splitlines())
    trees.write_text(text.replace("\t0\troot", "\t0\tccomp"), encoding="utf-8")
    for gold, las in ((treebank, 1 - share), (trees, 1)):
        assert nonmono("evaluate", trees, gold, "--output", output).exit_code == 0
        assert srsly.read_json(output)[GOLD_SENTENCES]["las"] == pytest.approx(las)


def test_a_label_of_another_word_than_a_root(nonmono, tmp_path):
    """A predicted root is no root of the treebank; both call it punct."""
    rows = ["1\ta\t_\tNOUN\t_\t_\t3\tnsubj", "2\tb\t_\tNOUN\t_\t_\t3\tobj"]
    rows += ["3\tc\t_\tVERB\t_\t_\t{}\t{}", "4\t.\t_\tPUNCT\t_\t_\t{}\tpunct"]
    text = "\t_\t_\n".join([*rows, "\n"])
    gold, trees, output = (tmp_path / name for name in ("gold.conllu", "trees.conllu", "scores.json"))
    gold.write_text(text.format(0, "root", 3), encoding="utf-8")
    trees.write_text(text.format(4, "punct", 0), encoding="utf-8")
    assert nonmono("evaluate", trees, gold, "--output", output).exit_code == 0
    assert srsly.read_json(output)[GOLD_SENTENCES]["clas"] == pytest.approx(2 * 2 / (3 + 2))


def test_trees_without_the_spaces_of_the_text(nonmono, treebank, tmp_path):
    trees = tmp_path / "other.conllu"
    text = treebank.read_text(encoding="utf-8")
    trees.write_text(text.replace("root\t_\t_\n3\t.", "root\t_\tSpaceAfter=No\n3\t."), encoding="utf-8")
    assert "SpaceAfter" in trees.read_text(encoding="utf-8")
    assert nonmono("evaluate", trees, treebank).exit_code == 0


def test_trees_are_cut_into_the_tokens_of_the_pipeline(treebank, tmp_path):
    """A merged token stays split where the tokenizer of the pipeline beside it splits it."""
    text = (
        "1-2\tcannot\t_\t_\t_\t_\t_\t_\t_\t_\n1\tcan\t_\tAUX\t_\t_\t3\taux\t_\t_\n"
        "2\tnot\t_\tPART\t_\t_\t3\tadvmod\t_\t_\n3\tgo\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    )
    path = tmp_path / "gold.conllu"
    path.write_text(text, encoding="utf-8")
    found = {
        lang: read_file_of_trees(path, path, multiword="merge", tokenizer=lang and spacy.blank(lang))
        for lang in (None, "en")
    }
    assert len(found["en"].gold.heads_N) == 3 and len(found[None].gold.heads_N) == 2
