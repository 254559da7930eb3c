"""`python -m spacy nonmono select` and `collect`."""

from spacy_nonmono.treebank.reader import read_sentences


def test_from_parsed_text_to_training_data(nonmono, nonmono_path, treebank, tmp_path):
    parsed, asked, done = tmp_path / "parsed", tmp_path / "asked.conllu", tmp_path / "done.conllu"
    nonmono("parse", nonmono_path, treebank, "--output", parsed, "--confidence")
    result = nonmono("select", parsed, "--output", asked, "--n-heads", 7)
    # There are two sentences, of three and six words
    assert "9 words in 2 sentences to correct" in " ".join(result.output.split())
    result = nonmono("collect", asked, treebank, "--output", done)
    assert f"{9 + 6 * 9} heads in 14 sentences" in " ".join(result.output.split())
    assert len(list(read_sentences(done))) == 14
    none = nonmono("select", parsed, "--output", asked, "--without", treebank)
    assert "0 words in 0 sentences" in none.output and asked.read_text("utf-8") == ""
    assert "NM118" in nonmono("select", treebank, "--output", asked).output
