"""Speeds of pipelines."""

import pytest
import spacy
import srsly

from spacy_nonmono.evaluation import speed
from spacy_nonmono.evaluation.speed import measure_lengths, measure_speeds
from spacy_nonmono.treebank.reader import read_sentences


def test_component_alone_parses_as_in_its_pipeline(parser_path, nonmono_path, treebank):
    for path in (parser_path, nonmono_path):
        nlp = spacy.load(path)
        contestant = speed._enter(nlp, list(read_sentences(treebank)), False)
        whole = list(nlp.pipe(doc.copy() for doc in contestant.words))
        component = nlp.get_pipe(contestant.parser)
        alone = list(component.pipe(doc.copy() for doc in contestant.prepared))
        assert [doc.to_json()["tokens"] for doc in alone] == [doc.to_json()["tokens"] for doc in whole]
        assert not any(doc.has_annotation("DEP") for doc in contestant.prepared)


def test_takes_turns_and_keeps_the_best(monkeypatch, parser_path, nonmono_path, treebank):
    turns = []

    def time(parse, docs):
        turns.append(docs)
        return float([4, 9, 2, 3, 3, 5, 8, 6, 1, 2, 2, 2][len(turns) - 1])

    monkeypatch.setattr(speed, "_time", time)
    pipelines = map(spacy.load, (nonmono_path, parser_path))
    speeds = measure_speeds(pipelines, treebank, repeat=3)
    assert speeds["n_words"] == 54
    assert speeds["component"] == [27.0, 18.0]
    assert speeds["pipeline"] == [54.0, 27.0]
    assert speeds["components"] == ["nonmono_parser", "parser"]
    assert turns[0] is turns[2] is turns[4] is not turns[1]
    assert turns[1] is turns[3] is turns[5]
    assert len(turns) == 12


@pytest.mark.parametrize("n", [1, 2, 3])
def test_command(nonmono, parser_path, nonmono_path, treebank, tmp_path, n):
    output = tmp_path / "new" / "speed.json"
    paths = [nonmono_path, parser_path, nonmono_path][:n]
    result = nonmono("speed", *paths, treebank, "--repeat", 1, "--output", output)
    assert result.exit_code == 0, result.output
    for text in ["(nonmono_parser)", "Parser alone", "Whole pipeline", "Ratio", "1.00", "best of 1"]:
        assert text in result.output
    assert result.output.count(" (parser)") == (n > 1)
    speeds = srsly.read_json(output)
    assert speeds["models"] == list(map(str, paths))
    assert len(speeds["component"]) == len(speeds["pipeline"]) == n


def test_gold_tags(nonmono, parser_path, nonmono_path, treebank, tmp_path):
    nlp = spacy.load(parser_path)
    for gold_tags in (False, True):
        contestant = speed._enter(nlp, list(read_sentences(treebank)), gold_tags)
        assert contestant.words[0].has_annotation("POS") == gold_tags
        assert contestant.prepared[0].has_annotation("POS") == gold_tags
    output = tmp_path / "speed.json"
    arguments = ["speed", nonmono_path, parser_path, treebank, "--repeat", 1, "--output", output]
    result = nonmono(*arguments, "--gold-tags")
    assert result.exit_code == 0, result.output
    assert "best of 1, gold tags." in result.output
    assert srsly.read_json(output)["gold_tags"] is True


def test_command_without_file(nonmono, parser_path, nonmono_path, tmp_path):
    result = nonmono("speed", nonmono_path, parser_path, tmp_path / "gone.conllu")
    assert result.exit_code == 1
    assert "gone.conllu" in result.output


def test_sentences_of_given_lengths(monkeypatch, nonmono_path, treebank):
    timed = []

    def time(parse, docs):
        timed.append(docs)
        return float(len(timed))

    monkeypatch.setattr(speed, "_time", time)
    # It has learnt too little to find two words likely in 150.
    nlp = spacy.load(nonmono_path, config={"components.nonmono_parser.pair_threshold": 0})
    speeds = measure_lengths(nlp, treebank, [3, 150], n_words=601, repeat=2)
    assert [speed.words_per_second for speed in speeds] == [600 / 1, 600 / 3]
    assert all(speed.choices_per_word > 0.5 for speed in speeds)
    lengths = [[len(sent) for doc in docs for sent in doc.sents] for docs in timed]
    assert lengths == [[3] * 200, [3] * 200, [150] * 4, [150] * 4]
    assert all(len(doc) <= 250 for docs in timed for doc in docs)


def test_command_by_length(nonmono, parser_path, nonmono_path, treebank, tmp_path):
    output = tmp_path / "new" / "lengths.png"
    arguments = ["speed", nonmono_path, parser_path, treebank, "--lengths", "5,20", "--repeat", 1]
    result = nonmono(*arguments, "--output", output)
    assert result.exit_code == 0, result.output
    for text in ["Microseconds per word", "Choices per word", "Largest / smallest"]:
        assert text in result.output
    assert output.read_bytes().startswith(b"\x89PNG")
    result = nonmono(*arguments, "--output", output.with_suffix(".json"))
    assert result.exit_code == 0, result.output
    saved = srsly.read_json(output.with_suffix(".json"))
    assert saved["lengths"] == [5, 20] and saved["made"]["code"]
    assert len(saved["microseconds_per_word"][str(parser_path)]) == 2
    assert list(saved["choices_per_word"]) == [str(nonmono_path)]


def test_a_sentence_of_one_word_leaves_no_choice(nonmono, nonmono_path, treebank):
    result = nonmono("speed", nonmono_path, treebank, "--lengths", "1,5", "--repeat", 1)
    assert result.exit_code == 0 and result.output.rstrip().endswith("-")


def test_all_pipelines_get_the_same_words(monkeypatch, nonmono_path, tmp_path):
    """Also if one was trained on multiword tokens, and another one on their words; and whatever their
    tokenizers cut."""
    timed = []
    monkeypatch.setattr(speed, "_time", lambda parse, docs: timed.append(docs) or 1.0)
    file = tmp_path / "a.conllu"
    rows = ["1-2 don't _ _ _ _ _ _ _ _", "1 do _ _ _ _ 0 root _ _", "2 n't _ _ _ _ 1 dep _ _"]
    file.write_text("\n".join(row.replace(" ", "\t") for row in rows) + "\n\n")
    merged, split = spacy.load(nonmono_path), spacy.load(nonmono_path)
    merged.config["corpora"] = {"dev": {"multiword": "merge"}}
    split.config["corpora"] = {"dev": {"multiword": "split"}}
    split.tokenizer = spacy.blank("en").tokenizer
    for pipelines, n in (([merged, split], 1), ([split, merged], 2), ([split], 2)):
        assert measure_speeds(pipelines, file, repeat=1)["n_words"] == n
        assert {sum(map(len, docs)) for docs in timed} == {n}
        timed.clear()


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--lengths", "5,x"], "'5,x' is not a list"),
        (["--lengths", "0"], "'0' is not a list"),
        (["--lengths", "5", "--gold-tags"], "[NM181]"),
    ],
)
def test_what_does_not_go_together(nonmono, nonmono_path, treebank, options, text):
    result = nonmono("speed", nonmono_path, treebank, *options)
    assert result.exit_code != 0 and text in result.output
