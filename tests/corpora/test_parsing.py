"""Documents through a pipeline, and what is written of them."""

import io
import json

import pyarrow.parquet
import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.language import Language
from spacy.tokens import Doc, DocBin

from spacy_nonmono.corpora.documents import CONLLU, SPACY, TEXT, Input, InputSettings, read_inputs
from spacy_nonmono.corpora.parsing import (
    WRITERS,
    Failed,
    Parsed,
    batches,
    parse_inputs,
    read_doc,
    remember_words,
)
from spacy_nonmono.corpora.rows import ROW_COLUMNS, document_rows
from spacy_nonmono.treebank.docs import document_of, make_doc
from spacy_nonmono.treebank.sentences import MISC, Sentence, read_confidence, write_confidence
from tests.conllu import sentences_of
from tests.pipeline.util import CROSSING, NAME, initialized
from tests.treebanks import DEV_FILES, needs_treebanks

COMMENTS = ("# sent_id = ", "# text = ")


@pytest.fixture(scope="module")
def nlp() -> Language:
    return initialized("covington_nonmonotonic", CROSSING)


def parse(nlp: Language, inputs: list[Input], failed: list[Failed] | None = None) -> list[Parsed]:
    return [parsed for _, parsed in parse_inputs(nlp, inputs, [] if failed is None else failed)]


def written(output: str, parsed: list[Parsed]) -> bytes:
    file = io.BytesIO()
    writer = WRITERS[output](file)
    for one in parsed:
        writer.add(one)
    writer.close()
    return file.getvalue()


def test_documents_that_cannot_be_read_are_set_aside(nlp, monkeypatch):
    monkeypatch.setattr(nlp, "max_length", 50)
    texts = [b"foxes hunt .", b"\xff", b"x" * 60, b" \n", b"owls hunt ."]
    documents = [Input(str(i), TEXT, text) for i, text in enumerate(texts)]
    documents += [
        Input("5", CONLLU, b"1\ta\n", line=7),
        Input("6", TEXT, b"", problem="[NM191] so"),
        Input("7", TEXT, "owls".encode("utf-16-le")),
    ]
    failed: list[Failed] = []
    parsed = parse(nlp, documents, failed)
    assert [(document.name, doc.text) for document, doc in parsed] == [
        ("0", "foxes hunt ."),
        ("4", "owls hunt ."),
    ]
    reasons = {one.id: reason for one, reason in failed}
    assert "NM191" in reasons["1"] and "0xff" in reasons["1"]
    assert "E088" in reasons["2"]
    assert "NM191" in reasons["3"] and "no words" in reasons["3"]
    assert "line 7" in reasons["5"]
    assert "UTF-16" in reasons["7"]
    assert reasons["6"] == "[NM191] so"


def test_words_are_remembered_in_memory_zones():
    nlp = spacy.blank("en")
    split = []
    find_prefix = nlp.tokenizer.prefix_search
    nlp.tokenizer.prefix_search = lambda text: split.append(text) or find_prefix(text)
    texts = ["(owls), can't", "hunt\u2003(mice) don't \xff"]
    documents = [Input(text, TEXT, text.encode()) for text in texts]
    documents.append(Input("not UTF-8", TEXT, b"owls\xff"))
    nlp.max_length = 50
    documents.append(Input("too long", TEXT, b"x" * 51))
    expected = [[token.text for token in spacy.blank("en")(text)] for text in texts]
    remember_words(nlp, documents)
    assert split
    split.clear()
    with nlp.memory_zone():
        found = [[token.text for token in nlp.make_doc(text)] for text in texts]
    assert found == expected
    assert set(split) <= {"\u2003"}  # whitespace is no word
    assert "x" * 51 not in nlp.vocab.strings
    # The first documents are enough
    remember_words(nlp, [Input("more", TEXT, b"voles")])
    assert "voles" not in nlp.vocab.strings


def test_other_tokenizers_are_left_alone():
    nlp = spacy.blank("en")
    nlp.tokenizer = lambda text: pytest.fail()
    remember_words(nlp, [Input("1", TEXT, b"owls")])


def test_a_document_that_a_component_fails_on_does_not_stop_the_others():
    @Language.component("fussy")
    def fussy(doc: Doc) -> Doc:
        if "owls" in doc.text:
            raise RuntimeError("owls")
        doc[0].norm_ = doc[0].norm_ + "!"
        return doc

    nlp = spacy.blank("xx")
    nlp.add_pipe("fussy")
    documents = [Input(text, TEXT, text.encode()) for text in ("foxes", "owls", "hares")]
    failed: list[Failed] = []
    parsed = parse(nlp, documents, failed)
    assert [doc[0].norm_ for _, doc in parsed] == ["foxes!", "hares!"]
    [(one, reason)] = failed
    assert one.id == "owls" and reason.startswith("[NM204]") and "RuntimeError: owls" in reason


def test_white_space_in_conllu_is_a_word(nlp):
    """A word of a file may be a no-break space."""
    row = "{}\t{}\t_\t_\t_\t_\t{}\t{}\t_\t_"
    sentences = [["foxes", "hunt"], ["\u00a0", "owls", "\u00a0"], ["\u00a0", "\u00a0"], ["rain"]]
    lines = [
        "\n".join(
            row.format(i, form, i - 1, "dep" if i > 1 else "root")
            for i, form in enumerate(of_sentence, start=1)
        )
        for of_sentence in sentences
    ]
    document = Input("a", CONLLU, "\n\n".join(lines).encode())
    failed: list[Failed] = []
    found = written(CONLLU, parse(nlp, [document], failed)).decode()
    assert failed == []
    trees = sentences_of(found)
    assert [tree.forms for tree in trees] == sentences
    assert all(tree.heads.count(-1) == 1 for tree in trees)
    assert "_SP" not in found


CONLLU_TEXT = """\
# newdoc id = x
# sent_id = x-1
# text = vámonos al mar
1-2\tvámonos\t_\t_\t_\t_\t_\t_\t_\t_
1\tvamos\tir\tVERB\t_\tNumber=Plur\t0\troot\t_\t_
2\tnos\tnosotros\tPRON\t_\t_\t1\tobj\t_\t_
3-4\tal\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
3\ta\ta\tADP\tE\t_\t5\tcase\t5:case\t_
4\tel\tel\tDET\tRD\t_\t5\tdet\t5:det\t_
4.1\tx\t_\t_\t_\t_\t_\t_\t3:y\t_
5\tmar\tmar\tNOUN\tS\tB=1|A=2\t1\tobl\t1:obl\tX=1

"""


@pytest.mark.parametrize("text", [CONLLU_TEXT, CONLLU_TEXT.replace("\n", "\r\n"), CONLLU_TEXT + "\n\n"])
def test_of_conllu_only_arcs_change(text, nlp):
    document = Input("a:1", CONLLU, text.encode())
    parsed = parse(nlp, [document])
    found = written(CONLLU, parsed).decode()
    doc = parsed[0][1]
    assert [token.lemma_ for token in doc] == ["ir", "nosotros", "a", "el", "mar"]
    assert without_arcs(found) == without_arcs(text)
    words = [line.split("\t") for line in found.split("\n")]
    words = [word for word in words if word[0].isdecimal()]
    assert [int(word[6]) for word in words] == [
        0 if token.head.i == token.i else token.head.i + 1 for token in doc
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_sentences_of_conllu_without_comments_get_some(nlp, end):
    lines = CONLLU_TEXT.splitlines()[3:-1]
    text = end.join([*lines, "", "#text=?", *lines[:3], ""])
    document = Input("b c", CONLLU, text.encode())
    found = written(CONLLU, parse(nlp, [document])).decode().split(end)
    assert found[:2] == ["# sent_id = b%20c-1", "# text = vámonos almar"]  # SpaceAfter=No
    assert [line for line in found[2:] if line.startswith("#")] == ["#text=?", "# sent_id = b%20c-2"]
    [(document, _)] = parse(nlp, [document])
    assert [row[2] for row in document_rows(document)] == ["b%20c-1"] * 5 + ["b%20c-2"] * 2


@pytest.mark.parametrize("heads", ["00", "21", "12"], ids=["two roots", "cycle", "own head"])
def test_nobody_looks_at_old_trees(nlp, heads):
    """So there is nothing to warn of."""
    lines = ["\t".join([str(i), "w", *"____", head, "x", "_", "_"]) for i, head in enumerate(heads, 1)]
    [parsed] = parse(nlp, [Input("a", CONLLU, "\n".join(lines).encode())])
    assert [len(sentence.words) for sentence in parsed.document.sentences] == [2]


@pytest.mark.parametrize("word", ["boat", "bang", "ideal", "14834"])
def test_lines_of_docs_end_with_line_feeds(nlp, word):
    """Also where the bytes of a Doc hold a carriage return in front of their first line feed."""
    sentence = Sentence([["1", word, "_", "NOUN", "_", "_", "0", "root", "_", "_"]])
    data = make_doc(nlp.vocab, [sentence], trees=True, tags=True, as_in_file=True).to_bytes()
    assert data.partition(b"\n")[0].endswith(b"\r")
    assert b"\r" not in written(CONLLU, parse(nlp, [Input("a", SPACY, data)]))


def without_arcs(text: str) -> list[list[str]]:
    """A sentence that has no sent_id or text would get one."""
    lines = (line.split("\t") for line in text.split("\n") if not line.startswith(COMMENTS))
    return [columns[:6] + columns[8:] if len(columns) == 10 else columns for columns in lines]


@needs_treebanks
@pytest.mark.parametrize("path", DEV_FILES, ids=lambda path: path.parent.name)
def test_of_treebanks_only_arcs_change(path, nlp):
    documents = [document for document, _ in read_inputs(str(path), InputSettings())]
    failed: list[Failed] = []
    found = written(CONLLU, parse(nlp, documents, failed)).decode("utf-8")
    assert failed == []
    assert without_arcs(found) == without_arcs(path.read_text("utf-8"))


def test_words_and_sentences_of_a_text(nlp):
    text = b"Foxes hunt, \xc2\xa0 owls .\n\nRain !\n"
    found = read_doc(nlp, Input("a", TEXT, text, has_words=True, has_sentences=True), False)
    assert [token.text for token in found] == ["Foxes", "hunt,", "\u00a0", "owls", ".", "Rain", "!"]
    assert [token.is_sent_start for token in found] == [True, *[False] * 4, True, False]
    found = read_doc(nlp, Input("a", TEXT, b" a, b. ", has_words=True), False)
    assert [token.text for token in found] == ["a,", "b."]
    assert not found.has_annotation("SENT_START")
    found = read_doc(nlp, Input("a", TEXT, b"a, b\nsee.", has_sentences=True), False)
    assert [token.text for token in found] == ["a", ",", "b", "see", "."]
    assert found.text == "a, b see."


def test_documents_in_conllu_stay_apart(nlp):
    """Each ends with an empty line; one without a name gets one behind a document that has one."""
    tree = "1\towls\t_\t_\t_\t_\t0\troot\t_\t_"
    documents = [Input("a", CONLLU, tree.encode()), Input("b", CONLLU, f"{tree}\n".encode())]
    documents += [Input("c", TEXT, b"rain !"), Input("d", CONLLU, f"{tree}\n\n".encode())]
    documents += [Input("e", CONLLU, f"# newdoc id = e\n{tree}\n".encode())]
    text = written(CONLLU, parse(nlp, documents)).decode()
    a, b, d, e = (f"# sent_id = {name}-1\n# text = owls\n{tree}\n\n" for name in "abde")
    assert text.startswith(f"{a}{b}# newdoc id = c\n")
    assert text.endswith(f"# newdoc id = d\n{d}# newdoc id = e\n{e}")


def test_an_arc_out_of_its_sentence_is_refused():
    @Language.component("one_sentence")
    def one_sentence(doc: Doc) -> Doc:
        return Doc(doc.vocab, ["a", "a"], heads=[0, 0], deps=["ROOT", "x"])

    nlp = spacy.blank("xx")
    nlp.add_pipe("one_sentence")
    text = "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n" * 2
    failed: list[Failed] = []
    assert parse(nlp, [Input("a", CONLLU, text.encode())], failed) == []
    assert "NM085" in failed[0][1]


def test_all_formats_say_the_same():
    @Language.component("two_sentences")
    def two_sentences(doc: Doc) -> Doc:
        if doc[0].text == "foxes":
            doc[1].is_sent_start = True
        return doc

    nlp = initialized("covington_nonmonotonic", CROSSING)
    nlp.add_pipe("two_sentences", first=True)
    documents = [Input("a\nb", TEXT, b"foxes and\n owls hunt mice ."), Input("b", TEXT, b"rain !")]
    documents += [Input("c", CONLLU, CONLLU_TEXT.encode()), Input("d", TEXT, b" ")]
    parsed = parse(nlp, documents)
    rows = [row for document, _ in parsed for row in document_rows(document)]
    assert len(rows) == 6 + 2 + 5
    as_dicts = [dict(zip(ROW_COLUMNS, row, strict=True)) for row in rows]
    jsonl = [json.loads(line) for line in written("jsonl", parsed).splitlines()]
    assert jsonl == as_dicts
    table = pyarrow.parquet.read_table(io.BytesIO(written("parquet", parsed)))
    assert table.to_pylist() == as_dicts
    assert table.schema.names == list(ROW_COLUMNS)
    docs = list(DocBin(store_user_data=True).from_bytes(written("spacy", parsed)).get_docs(nlp.vocab))
    assert [doc.to_json()["tokens"] for doc in docs] == [doc.to_json()["tokens"] for _, doc in parsed]
    conllu = written("conllu", parsed).decode()
    lines = [line.split("\t") for line in conllu.split("\n") if line[:1].isdigit()]
    lines = [line for line in lines if line[0].isdecimal()]
    assert [(line[1], int(line[6]), line[7]) for line in lines] == [
        (row["form"], row["head"], row["deprel"]) for row in as_dicts
    ]
    assert conllu.startswith("# newdoc id = a b\n# sent_id = a%0Ab-1\n# text = foxes")
    assert "id = d" not in conllu
    assert [row["sent_id"] for row in as_dicts][:2] == ["a%0Ab-1", "a%0Ab-2"]
    assert {doc.user_data["doc_id"] for doc in docs} == {"a\nb", "b", "c"}


def test_every_sentence_has_a_name(nlp):
    """Also one of a Doc that comes from a treebank without names."""
    sentences = sentences_of("1\towls\t_\t_\t_\t_\t0\troot\t_\t_\n\n" * 2)
    doc = make_doc(nlp.vocab, sentences, tags=True, lemmas=True, trees=True)
    [(document, _)] = parse(nlp, [Input("a b", SPACY, doc.to_bytes())])
    assert [row[2] for row in document_rows(document)] == ["a%20b-1", "a%20b-2"]
    assert [sentence.find_comment("text") for sentence in document.sentences] == ["owls"] * 2


def test_an_empty_table_has_its_columns():
    table = pyarrow.parquet.read_table(io.BytesIO(written("parquet", [])))
    assert table.schema.names == list(ROW_COLUMNS) and len(table) == 0


def test_columns_of_rows(nlp):
    words = ["a", "\n", "b", "c"]
    doc = Doc(
        nlp.vocab, words, spaces=[False, False, False, True], heads=[2, 2, 2, 2],
        deps=["x", "", "ROOT", ""], pos=["NOUN", "SPACE", "", ""],
    )  # fmt: skip
    rows = [dict(zip(ROW_COLUMNS, row, strict=True)) for row in document_rows(document_of(doc, "d"))]
    assert [row["form"] for row in rows] == ["a", "b", "c"]
    assert [row["word"] for row in rows] == [1, 2, 3]
    assert [row["space_after"] for row in rows] == [True, False, True]
    assert [row["upos"] for row in rows] == ["NOUN", None, None]
    assert [(row["head"], row["deprel"]) for row in rows] == [(2, "x"), (0, "root"), (None, None)]
    assert {row["dep_score"] for row in rows} == {None}


@pytest.mark.usefixtures("own_extensions")
def test_scores_are_in_rows():
    nlp = initialized("arc_eager_unshift", CROSSING, dep_scores=True)
    doc = nlp("foxes \n hunt .")
    words = [token for token in doc if not token.is_space]
    scores = [row[-1] for row in document_rows(document_of(doc, "d"))]
    assert scores == [token._.dep_score for token in words] and None not in scores


@pytest.mark.usefixtures("own_extensions")
@pytest.mark.parametrize("is_alone", [True, False])
@pytest.mark.parametrize("is_ours", [True, False])
def test_scores_of_another_parse_are_not_written(is_alone, is_ours):
    """Whether they come with the Doc of a parser that tells none, or with one that is tried again."""

    @Language.component("chain")
    def chain(doc: Doc) -> Doc:
        for token in doc:
            token.head, token.dep_ = doc[max(token.i - 1, 0)], "x"
        return doc

    @Language.component("fails")
    def fails(doc: Doc) -> Doc:
        if doc.text == "fail":
            raise RuntimeError
        return doc

    nlp = initialized("arc_eager_unshift", CROSSING, dep_scores=True)
    scored = nlp("foxes hunt .")
    assert scored[0]._.dep_score is not None
    nlp.get_pipe(NAME).dep_scores = False
    if not is_ours:
        nlp.replace_pipe(NAME, "chain")
    nlp.add_pipe("fails")
    inputs = [Input("1", SPACY, scored.to_bytes()), Input("2", TEXT, b"foxes" if is_alone else b"fail")]
    found = parse(nlp, inputs, [])
    assert {row[-1] for _, doc in found for row in document_rows(document_of(doc, "d"))} == {None}


def test_scores_in_a_file_are_those_of_other_arcs(nlp):
    """Where the parser tells none, none is written; all else in MISC stays."""
    miscs = ["Gloss=a|Conf=0.900", "Conf=0.100", "_", "NotConf=1"]
    lines = ["\t".join(["1", "w", *"____", "0", "root", "_", misc]) for misc in miscs]
    text = "\n\n".join(lines)
    doc = make_doc(nlp.vocab, sentences_of(text), trees=True)
    for one in (Input("a", CONLLU, text.encode()), Input("a", SPACY, doc.to_bytes())):
        [parsed] = parse(nlp, [one])
        found = [word[MISC] for sentence in parsed.document.sentences for word in sentence.words]
        assert found == ["Gloss=a", "_", "_", "NotConf=1"]


@pytest.mark.usefixtures("own_extensions")
def test_scores_are_in_conllu():
    nlp = initialized("arc_eager_unshift", CROSSING, dep_scores=True)
    doc = nlp("foxes \n hunt .")
    (sentence, *_) = document_of(doc, "d").sentences
    scores = [token._.dep_score for token in doc if not token.is_space][: len(sentence.words)]
    assert read_confidence(sentence) == pytest.approx(scores, abs=5e-4)


MISCS = st.lists(
    st.sampled_from(["SpaceAfter=No", "Gloss=a", "Conf=0.5", "Conf=x", "NotConf=1", "Conf"]), unique=True
)
CONFIDENCES = st.none() | st.floats(0, 1, width=32)


@given(st.lists(st.tuples(MISCS, CONFIDENCES), min_size=1))
def test_confidence_is_read_as_it_was_written(words):
    """And all else in MISC stays."""
    rows = [[str(i), *"w_______", "|".join(misc) or "_"] for i, (misc, _) in enumerate(words, start=1)]
    sentence = Sentence(rows, [score for _, score in words])
    for _ in range(2):
        write_confidence(sentence)
        for found, word, (misc, score) in zip(
            read_confidence(sentence), sentence.words, words, strict=True
        ):
            assert found == (None if score is None else pytest.approx(score, abs=5e-4))
            old = [one for one in misc if not one.startswith("Conf=")]
            fields = word[MISC].split("|")
            scores = [one for one in fields if one.startswith("Conf=")]
            assert len(scores) == (score is not None)
            assert fields == ([*old, *scores] or ["_"])


@given(st.lists(st.integers(1, 30)), st.integers(1, 50))
def test_batches(sizes, n_words):
    documents = [Input(str(i), TEXT, b"a " * (size - 1)) for i, size in enumerate(sizes)]
    found = list(batches(documents, n_words))
    assert [document for batch in found for document in batch] == documents
    totals = [sum(document.n_words for document in batch) for batch in found]
    assert all(total <= n_words or len(batch) == 1 for total, batch in zip(totals, found, strict=True))
    # None is smaller than it needs to be
    nexts = [batch[0].n_words for batch in found[1:]]
    assert all(total + size > n_words for total, size in zip(totals, nexts, strict=False))
