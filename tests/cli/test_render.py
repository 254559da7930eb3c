"""Trees on a page."""

import re
from html import unescape
from xml.etree import ElementTree

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc

from spacy_nonmono.drawing import parse_treebank, render_trees
from spacy_nonmono.evaluation.evaluate import parse_file
from spacy_nonmono.treebank.docs import make_doc
from spacy_nonmono.treebank.reader import read_sentences
from spacy_nonmono.treebank.sentences import groups
from tests.lab.util import read

pytestmark = pytest.mark.usefixtures("own_extensions")

# The trees that the treebank's sentences get, by length. In the one of six words arcs cross, the last
# head is wrong, and so are the labels of four right heads
TREES = {3: [1, 1, 1], 6: [1, 2, 2, 4, 1, 4]}
N_HEADS, N_LABELS = 1, 4


@Language.component("test_known_trees", assigns=["token.head"])
def known_trees(doc: Doc) -> Doc:
    words, spaces = [token.text for token in doc], [bool(token.whitespace_) for token in doc]
    heads = [sent.start + head for sent in doc.sents for head in TREES[len(sent)]]
    deps = ["ROOT" if i == head else "<dep>" for i, head in enumerate(heads)]
    return Doc(doc.vocab, words=words, spaces=spaces, heads=heads, deps=deps)


@pytest.fixture
def nlp():
    nlp = spacy.blank("en")
    nlp.add_pipe("test_known_trees")
    return nlp


def render(nlp, path, *, with_punct=True, **options):
    return render_trees(parse_treebank(nlp, path, with_punct=with_punct), **options)


def headings(page):
    return [line.removesuffix("</h2>") for line in page.splitlines() if line.startswith("<h2")]


def test_crossing_trees_first(nlp, treebank):
    page = render(nlp, treebank, limit=7)
    assert headings(page) == [f"<h2>Sentence {i}" for i in (2, 4, 6, 8, 10, 12, 1)]
    text = read(page).text
    assert text.count("1 of 6 words with the right head and label; 1 crossing arc\n") == 6
    assert text.count("1 of 3 words with the right head and label\n") == 1


def test_order_of_the_file_with_gold(nlp, treebank):
    page = render(nlp, treebank, limit=2, prefer_crossing=False, with_gold=True)
    assert headings(page) == ["<h2>Sentence 1", "<h2>Sentence 2"]
    assert "acl:relcl" in page
    assert "&lt;dep&gt;" in page and "<dep>" not in page
    reader = read(page)
    trees = [names for names in reader.classes if names.startswith("arc ")]
    assert len(trees) == 5 + 2 * (3 + 6)  # of the legend, and of two trees per sentence
    assert reader.text.count("ROOT\n") == 4


def test_errors_are_marked_and_linked(nlp, treebank):
    for with_gold in (False, True):
        page = render(nlp, treebank, limit=1, with_gold=with_gold)
        reader = read(page)
        for kind, n in [("wrong", N_HEADS), ("wrong-label", N_LABELS)]:
            assert reader.classes.count(kind) == n
            # And one in the legend
            assert reader.classes.count(f"arc {kind}") == 1 + n
            assert reader.classes.count(f"label {kind}") == 1 + n
        assert reader.classes.count("arc missed") == with_gold * (1 + N_HEADS)
        assert reader.classes.count("arc missed-label") == with_gold * (1 + N_LABELS)
        links = re.findall('href="#(tree.*?)"', page)
        assert len(links) == N_HEADS + N_LABELS
        assert all(page.count(f'id="{link}"') == 1 for link in links)


def test_words_of_unknown_head_are_not_wrong(nlp, tmp_path):
    path = tmp_path / "unknown.conllu"
    rows = ["1\tno\t_\t_\t_\t_\t_\t_\t_\t_", "2\tgold\t_\t_\t_\t_\t0\troot\t_\t_"]
    path.write_text("\n".join([*rows, "3\there\t_\t_\t_\t_\t_\t_\t_\t_"]) + "\n\n")
    page = render(nlp, path, with_gold=True)
    assert "1 of 1 word with the right head and label" in page
    assert 'href="#tree' not in page


def test_page_for_every_reader(nlp, treebank):
    """Title and languages are named, wide trees are reached with the keyboard, and both colour schemes
    have the same colours."""
    page = render(nlp, treebank, title="<Trees>")
    assert '<html lang="en">' in page and '<div lang="en">' in page
    assert "<title>&lt;Trees&gt;</title>" in page
    assert page.count('tabindex="0"') == page.count("<h2")
    light, dark = re.findall(r":root \{(.*?)\}", page, re.DOTALL)
    colours = re.findall(r"--[a-z]+(?=:)", light)
    assert colours == re.findall(r"--[a-z]+(?=:)", dark)
    assert set(re.findall(r"var\((--[a-z]+)\)", page)) <= {*colours, "--sheet"}


# Of three sentences with multiword tokens; the lengths are those of TREES
NAMED = """\
# sent_id = a/1
# text = can't stop
1-2\tcan't\t_\t_\t_\t_\t_\t_\t_\t_
1\tca\tcan\tAUX\t_\t_\t3\taux\t_\t_
2\tn't\tnot\tPART\t_\t_\t3\tadvmod\t_\t_
3\tstop\tstop\tVERB\t_\t_\t0\troot\t_\t_

# sent_id = b<2>
1\tI\tI\tPRON\t_\t_\t2\tnsubj\t_\t_
2\tgo\tgo\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No
3\t!\t!\tPUNCT\t_\t_\t2\tpunct\t_\t_

1\tSo\tso\tADV\t_\t_\t2\tadvmod\t_\t_
2\tdo\tdo\tVERB\t_\t_\t0\troot\t_\t_
3\tI\tI\tPRON\t_\t_\t2\t<dep>\t_\t_

"""


@pytest.fixture
def named(tmp_path):
    path = tmp_path / "named.conllu"
    path.write_text(NAMED, encoding="utf-8")
    return path


def numbers(page):
    return [int(number) for number in re.findall(r"<h2>Sentence (\d+)", page)]


def test_name_and_text_of_a_sentence(nlp, named):
    page = render(nlp, named)
    assert '<h2>Sentence 1 <span class="id">a/1</span></h2>' in page
    assert '<h2>Sentence 2 <span class="id">b&lt;2&gt;</span></h2>' in page
    assert "<h2>Sentence 3</h2>" in page
    texts = re.findall(r'<p class="text" dir="ltr">(.*?)</p>', page)
    assert [unescape(re.sub("<.*?>", "", text)) for text in texts] == ["can't stop", "I go!", "So do I"]
    # All words of "can't" have wrong heads
    assert '<a class="wrong" href="#tree-1-1">can&#39;t</a>' in texts[0]
    assert '<a class="wrong-label" href="#tree-2-3">!</a>' in texts[1]


def test_overview(nlp, named):
    page = render(nlp, named, limit=2, worst=True)
    scores = parse_file(nlp, named, n_sents=1).scores()
    uas, las = f"{100 * scores['uas']:.2f}", f"{100 * scores['las']:.2f}"
    assert f"named.conllu: 3 sentences, 9 words; UAS {uas}, LAS {las}," in page
    assert "2 sentences drawn: those with the most errors first." in page
    rows = re.findall(r"<tr><td.*?</tr>", page)
    assert [re.findall(">([^<>]+)<", row) for row in rows] == [
        ["1", "a/1", "3", "3"],
        ["2", "b&lt;2&gt;", "3", "2"],
    ]
    for link in re.findall('href="#(sentence.*?)"', page):
        assert page.count(f'id="{link}"') == 1


def test_which_sentences(nlp, named, treebank):
    assert numbers(render(nlp, named, worst=True)) == [1, 2, 3]
    page = render(nlp, treebank, worst=True, limit=7)
    assert numbers(page) == [2, 4, 6, 8, 10, 12, 1]
    page = render(nlp, named, label="nsubj")
    assert numbers(page) == [2] and "of the 1 sentence with an error at the label nsubj" in page
    # The predicted label of three words, of which one is right
    assert numbers(render(nlp, named, label="<dep>")) == [1, 2, 3]
    for label in ("root", "ROOT"):
        assert numbers(render(nlp, named, label=label)) == [1]
    assert numbers(render(nlp, treebank, label="punct", limit=1)) == [2]
    page = render(nlp, named, sent_ids=["b<2>", "a/1"], limit=1)
    assert numbers(page) == [2, 1] and "those that were asked for" in page
    with pytest.raises(ValueError, match=r"NM180.*'nsub' here.*: <dep>, ROOT, advmod, aux, nsubj, pun"):
        render(nlp, named, label="nsub")
    with pytest.raises(ValueError, match=r"NM115.*'c'"):
        render(nlp, named, sent_ids=["a/1", "c"])


def test_without_punctuation(nlp, named):
    page = render(nlp, named, sent_ids=["b<2>"], with_punct=False, with_gold=True)
    scores = parse_file(nlp, named, n_sents=1).scores()
    assert f"LAS {100 * scores['las_no_punct']:.2f}, " in page
    assert "errors at punctuation do not count" in page
    assert "1 of 2 words with the right head and label" in page
    assert "#tree-2-1" in page and "#tree-2-3" not in page
    assert numbers(render(nlp, named, label="punct", with_punct=False)) == []


def test_rows_under_the_words(nlp, named):
    page = render(nlp, named, show=["lemma", "upos"])
    assert "Under the words: lemma of the treebank; UPOS of the treebank." in page
    rows = re.findall('class="row".*?>(.*?)<', page)
    assert rows[:6] == ["can", "AUX", "not", "PART", "stop", "VERB"]

    @Language.component("test_lemmas")
    def lemmas(doc):
        for token in doc:
            token.lemma_ = token.text.upper()
        return doc

    nlp.add_pipe("test_lemmas")
    page = render(nlp, named, show=["lemma"])
    assert "Under the words: lemma." in page
    assert re.findall('class="row".*?>(.*?)<', page)[:3] == ["CA", "N&#39;T", "STOP"]
    with pytest.raises(ValueError, match=r"NM180.*'tag' here.*: upos, lemma, confidence"):
        render(nlp, named, show=["tag"])
    with pytest.raises(ValueError, match="NM113"):
        render(nlp, named, show=["confidence"])


def test_neither_has_lemmas(nlp, treebank):
    with pytest.raises(ValueError, match=r"NM114.*made-up.conllu has any lemma"):
        render(nlp, treebank, show=["upos", "lemma"])


def test_confidence(nonmono_path, treebank):
    nlp = spacy.load(nonmono_path)
    page = render(nlp, treebank, show=["confidence"], limit=2, prefer_crossing=False)
    parser = nlp.get_pipe("nonmono_parser")
    assert not parser.dep_scores
    parser.dep_scores = True
    first = next(groups(read_sentences(treebank), 10))
    rows = re.findall('class="row".*?>(.*?)<', page)
    doc = nlp(make_doc(nlp.vocab, first, boundaries=True))
    assert rows[:3] == [f"{token._.dep_score:.2f}" for token in doc[:3]]


def test_labels_of_another_treebank(nlp, named, tmp_path):
    assert parse_treebank(nlp, named).warning == ""
    path = tmp_path / "other.conllu"
    path.write_text(NAMED.replace("<dep>", "dep"), encoding="utf-8")
    treebank = parse_treebank(nlp, path)
    assert "[NM587] 100 % of the predicted arcs" in treebank.warning and "<dep>" in treebank.warning
    page = render_trees(treebank)
    assert '<p class="warning">[NM587] 100 % of the predicted arcs' in page and "<dep>" not in page


def test_command_tells_of_other_labels(nonmono, nonmono_path, treebank, tmp_path):
    other, output = tmp_path / "other.conllu", tmp_path / "trees.html"
    text = treebank.read_text("utf-8")
    for label in ("det", "nsubj", "acl:relcl", "punct"):
        text = text.replace(f"\t{label}\t", f"\tX{label}\t")
    other.write_text(text, encoding="utf-8")
    result = nonmono("render", nonmono_path, other, "-o", output)
    assert result.exit_code == 0
    assert "[NM587]" in result.output and "[NM587]" in output.read_text("utf-8")


def test_options_of_the_command(nonmono, nonmono_path, parser_path, named, tmp_path):
    output = tmp_path / "trees.html"
    options = ["--show", "upos,confidence", "--no-punct", "--worst", "--output", output]
    assert nonmono("render", nonmono_path, named, *options).exit_code == 0
    page = output.read_text("utf-8")
    assert "confidence of the arc" in page and "do not count" in page and "most errors" in page
    ids = ["--sent-id", "b<2>", "--sent-id", "a/1", "-o", output]
    assert nonmono("render", nonmono_path, named, *ids).exit_code == 0
    assert numbers(output.read_text("utf-8")) == [2, 1]
    assert "[NM181]" in nonmono("render", nonmono_path, named, "--worst", *ids).output
    result = nonmono("render", parser_path, named, *options)
    assert result.exit_code == 1 and "[NM113]" in result.output


def test_command(nonmono, nonmono_path, treebank, tmp_path):
    output = tmp_path / "new" / "trees.html"
    options = ["--limit", 3, "--no-crossing", "--gold"]
    result = nonmono("render", nonmono_path, treebank, "--output", output, *options)
    assert result.exit_code == 0, result.output
    page = output.read_text("utf-8")
    assert page.count("<h2") == 3
    assert page.startswith("<!DOCTYPE html>")
    assert "[NM587]" not in result.output


def test_command_without_file(nonmono, nonmono_path, tmp_path):
    output = ["--output", tmp_path / "trees.html"]
    result = nonmono("render", nonmono_path, tmp_path / "gone.conllu", *output)
    assert result.exit_code == 1
    assert "gone.conllu" in result.output


# Files of trees


@pytest.fixture
def annotators(tmp_path):
    """What two people say of the same sentences. In LaTeX most of these characters mean something."""
    first, second = tmp_path / "first.conllu", tmp_path / "second.conllu"
    text = NAMED.replace("\tgo\t", "\t50%_{#}&~^\\$\t")
    first.write_text(text, encoding="utf-8")
    second.write_text(text.replace("advmod", "advcl"), encoding="utf-8")
    return first, second


def test_trees_of_a_file_alone(nonmono, annotators, tmp_path):
    output = tmp_path / "trees.html"
    assert nonmono("render", annotators[0], "--output", output).exit_code == 0
    page = output.read_text("utf-8")
    assert headings(page) == [f"<h2>Sentence {i}" for i in (1, 2, 3)] or page.count("<h2") == 3
    assert "3 sentences, 9 words; 0 sentences with crossing arcs." in page
    assert "UAS" not in page and "Wrong" not in page and "wrong head" not in page
    labelled = nonmono("render", annotators[0], "--output", output, "--label", "advmod")
    assert labelled.exit_code == 0
    assert "of the 2 sentences with the label advmod" in output.read_text("utf-8")


def test_two_annotators(nonmono, annotators, tmp_path):
    output = tmp_path / "trees.html"
    assert nonmono("render", *annotators[::-1], "--output", output, "--gold").exit_code == 0
    page = output.read_text("utf-8")
    assert "UAS 100.00, LAS 77.78" in page
    assert len(re.findall('<text class="label wrong-label"', page)) == 1 + 2


@pytest.mark.filterwarnings("ignore:.*NM583")
def test_a_root_with_another_label(nonmono, annotators, tmp_path):
    """It is wrong, whichever file comes first, and is drawn with its label."""
    first, second = annotators
    second.write_text(first.read_text("utf-8").replace("\troot\t", "\tdep\t", 1), encoding="utf-8")
    output = tmp_path / "trees.html"
    assert nonmono("render", second, first, "--output", output, "--gold").exit_code == 0
    page = output.read_text("utf-8")
    assert "UAS 100.00, LAS 88.89" in page
    labels = re.findall(r'<text class="label (wrong|missed)-label"[^>]*>([^<]*)<', page)
    assert {("missed", "ROOT"), ("wrong", "dep")} <= set(labels)
    assert nonmono("render", first, second, "--output", output).exit_code == 0
    assert "UAS 100.00, LAS 88.89" in output.read_text("utf-8")
    assert nonmono("render", second, "--output", output).exit_code == 0
    assert re.search(r'<text class="label plain"[^>]*>dep<', output.read_text("utf-8"))


def test_a_picture_is_of_one_sentence(nonmono, annotators, tmp_path):
    output = tmp_path / "tree.svg"
    assert "NM117" in nonmono("render", annotators[0], "--output", output).output
    assert nonmono("render", *annotators, "-o", output, "--sent-id", "a/1", "--gold").exit_code == 0
    root = ElementTree.parse(output).getroot()
    assert root.tag.endswith("svg")
    texts = [node.text for node in root.iter() if node.tag.endswith("text")]
    assert {"ca", "n't", "stop", "aux", "advmod", "advcl"} <= set(texts)


def test_trees_for_latex(nonmono, annotators, tmp_path):
    output = tmp_path / "trees.tex"
    assert nonmono("render", *annotators, "-o", output, "--gold", "--show", "upos").exit_code == 0
    text = output.read_text("utf-8")
    assert text.count(r"\begin{dependency}") == text.count(r"\end{dependency}") == 3
    # "\&" stands between words only
    word = r"50\%\_\{\#\}\symbol{38}\textasciitilde{}\textasciicircum{}\textbackslash{}\$"
    assert rf"I \& {word} \& ! \\" in text
    assert r"PRON \& VERB \& PUNCT \\" in text
    assert r"\deproot{2}{ROOT}" in text and r"\deproot[edge below]{2}{ROOT}" in text
    assert r"\depedge[label style={fill=black!15}]{3}{2}{advmod}" in text
    assert r"\depedge[edge below]{3}{2}{advcl}" in text


def test_what_a_file_alone_has_not(nonmono, annotators, tmp_path):
    output = tmp_path / "trees.html"
    for option in ("--worst", "--gold", "--no-punct"):
        assert "NM181" in nonmono("render", annotators[0], "-o", output, option).output
    assert nonmono("render", "pipeline", "-o", output).exit_code == 2
    assert not output.exists()


def test_what_cannot_be_drawn(nonmono, annotators, tmp_path):
    result = nonmono("render", annotators[0], "-o", tmp_path / "trees.pdf")
    assert result.exit_code == 2 and "in .html, .svg or .tex" in " ".join(result.output.split())
    assert not (tmp_path / "trees.pdf").exists()
