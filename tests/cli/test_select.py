"""`python -m spacy nonmono select` and `collect`."""

import pytest
from spacy.tokens import DocBin

from spacy_nonmono.treebank.reader import read_sentences


def test_from_parsed_text_to_training_data(nonmono, nonmono_path, treebank, tmp_path):
    parsed, asked, done = tmp_path / "parsed", tmp_path / "asked.conllu", tmp_path / "done.conllu"
    nonmono("parse", nonmono_path, treebank, "--output", parsed, "--confidence")
    result = nonmono("select", parsed, "--output", asked, "--n-heads", 7)
    # There are two sentences, of three and six words
    assert "9 words in 2 sentences to correct" in " ".join(result.output.split())
    assert "NM185" in nonmono("select", parsed, "--output", asked).output
    result = nonmono("collect", asked, treebank, "--output", done)
    found = " ".join(result.output.split())
    assert f"{9 + 6 * 9} heads in 14 sentences, 14 of them whole trees" in found
    assert len(list(read_sentences(done))) == 14
    assert "NM185" in nonmono("collect", treebank, "--output", treebank).output
    # Nobody has looked at these
    result = nonmono("collect", parsed, "--output", tmp_path / "guesses.conllu")
    assert "No word has a head" in result.output and "0 heads in 12 sentences" in result.output
    DocBin().to_disk(tmp_path / "a.spacy")
    refused = nonmono("collect", tmp_path / "a.spacy", "--output", tmp_path / "a.conllu")
    assert refused.exit_code == 2 and "no file in CoNLL-U" in " ".join(refused.output.split())
    rest = tmp_path / "rest.conllu"
    none = nonmono("select", parsed, "--output", rest, "--without", treebank)
    assert "There are no more sentences" in none.output and rest.read_text("utf-8") == ""
    assert "NM118" in nonmono("select", treebank, "--output", tmp_path / "more.conllu").output


@pytest.mark.parametrize("form", ["text", "conllu", "spacy"])
@pytest.mark.parametrize("n_process", [1, 2])
def test_the_same_words_by_every_road(nonmono, nonmono_path, treebank, tmp_path, form, n_process):
    """From text or a treebank, in each format that has trees, with any number of processes."""
    given = treebank
    if form == "text":
        given = tmp_path / "a.txt"
        given.write_text("dogs bark .\na cat sleeps that purrs .\n", "utf-8")
    roads = []
    for written in ("conllu", "spacy"):
        parsed, asked = tmp_path / written, tmp_path / f"{written}.conllu"
        options = ["--format", written, "--confidence", "--n-process", n_process]
        if form == "spacy":
            given = tmp_path / "docs"
            if not given.exists():
                nonmono("parse", nonmono_path, treebank, "--output", given, "--format", "spacy")
        nonmono("parse", nonmono_path, given, "--output", parsed, *options)
        result = nonmono("select", parsed, "--output", asked, "--n-heads", 4)
        assert result.exit_code == 0, result.output
        roads.append([[(w[1], *w[6:8], w[9]) for w in one.words] for one in read_sentences(asked)])
    assert roads[0] == roads[1]
    marks = sum("Asked=Yes" in word[-1] for sentence in roads[0] for word in sentence)
    assert marks >= 4
