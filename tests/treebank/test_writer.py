"""CoNLL-U out of Docs."""

import io
import pickle

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc, DocBin
from spacy.training import Example
from spacy.vocab import Vocab

from spacy_nonmono.pipeline.gold import read_gold
from spacy_nonmono.tokens.boundaries import token_starts
from spacy_nonmono.treebank.corpus import create_conllu_corpus, read_docs
from spacy_nonmono.treebank.docs import make_doc
from spacy_nonmono.treebank.reader import read_sentences
from spacy_nonmono.treebank.sentences import COLUMNS, DEPREL, FORM, Sentence, sentence_text
from spacy_nonmono.treebank.writer import conllu_text, write_conllu
from tests.conllu import sentences_of
from tests.trees import trees

from .test_corpus import TEXT, rows, write


def read_one(nlp, tmp_path, text):
    (example,) = create_conllu_corpus(write(tmp_path, text))(nlp)
    return example


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        TEXT * 12,
        rows("0 root", "_ _", "2 nsubj:pass"),
        rows("_ _"),
        "# comment without value\n" + rows("3 dep", "0 root", "2 dep"),
        # Empty nodes before the first word, and after the last, next to multiword tokens
        "0.1\tx\t" + "\t".join("________") + "\n"
        "1-2\tab\t" + "\t".join("________") + "\n" + rows("0 root", "1 dep").rstrip() + "\n"
        "2.1\ty\t" + "\t".join("________") + "\n2.2\tz\t" + "\t".join("________") + "\n\n",
        rows("0 root", "1 root", "1 ROOT", "2 ROOT"),
        rows("0 ROOT", "1 dep"),
        rows("_ dep", "0 root", "_ ROOT", "2 _"),
    ],
    ids=[
        *("made-up", "several docs", "unknown head", "all unknown", "comment", "empty nodes"),
        *("root below a root", "ROOT", "labels of unknown heads"),
    ],
)
@pytest.mark.filterwarnings(r"ignore:\[NM586\]")
def test_round_trip(nlp, tmp_path, text):
    corpus = create_conllu_corpus(write(tmp_path, text))
    path = tmp_path / "again.conllu"
    write_conllu((example.reference for example in corpus(nlp)), path)
    assert path.read_bytes() == text.encode()


@pytest.mark.parametrize(
    "space", ["\u00a0", "\u3000\u3000", "\u2003", " ", "a\u00a0b ", " \u2028", "\x0b"]
)
@pytest.mark.parametrize("column", [1, 2, 4, 7])
def test_spaces_are_kept(nlp, tmp_path, space, column):
    """In a form, a lemma, a tag, a label; in the last two the plain space is refused."""
    lines = [line.split("\t") for line in rows("0 root", "1 dep", "1 dep").splitlines()]
    lines[1][column] = space
    text = "\n".join("\t".join(line) for line in lines) + "\n"
    if column >= 4 and " " in space:
        with pytest.raises(ValueError, match=r"\[NM081\].*no space in it"):
            read_one(nlp, tmp_path, text)
        return
    doc = read_one(nlp, tmp_path, text).reference
    assert len(doc) == 3
    assert conllu_text(doc) == text


@pytest.mark.parametrize("label", ["dep", "ROOT:x", "_", "Root"])
def test_other_labels_of_roots(nlp, tmp_path, label):
    """They come back, and are told once a file."""
    text = rows("0 root") + rows(f"0 {label}", "1 dep") + rows("2 dep", f"0 {label}")
    with pytest.warns(UserWarning) as warnings:
        doc = read_one(nlp, tmp_path, text).reference
    (warning,) = warnings
    assert str(warning.message).startswith("[NM583] ")
    assert f"made-up.conllu, line 3: the root 'w1' has the label {label!r}" in str(warning.message)
    assert [token.dep_ for token in doc] == ["ROOT", "ROOT", "dep", "dep", "ROOT"]
    assert conllu_text(doc) == text
    # It belongs to the file's root, not to another one
    doc[1].dep_, doc[2].dep_ = "dep", "ROOT"
    doc[1].head, doc[2].head = doc[2], doc[2]
    assert conllu_text(doc).splitlines()[2:4] == rows("2 dep", "0 root").splitlines()[:2]


def test_roots_of_other_labels(nlp):
    doc = Doc(nlp.vocab, words=["a", "b"], heads=[0, 0], deps=["Pred", "ROOT"])
    assert conllu_text(doc).splitlines()[2:4] == rows("0 Pred", "1 ROOT").replace("w1", "a").replace(
        "w2", "b"
    ).splitlines()[:2]


def test_breaks_within_words(nlp):
    doc = Doc(nlp.vocab, words=["a\tb\r\n", "\u00a0c"], lemmas=["x\ny", ""])
    with pytest.warns(UserWarning) as warnings:
        lines = conllu_text(doc).splitlines()
    assert [line.split("\t")[1:3] for line in lines[2:4]] == [["a b ", "x y"], ["\u00a0c", "_"]]
    found = [str(warning.message) for warning in warnings]
    assert all(text.startswith("[NM584] ") for text in found)
    assert r"The form of token 0, 'a\tb\r\n'," in found[1] and "The lemma of token 0" in found[0]


def test_spaces_in_tags_and_labels(nlp):
    doc = Doc(nlp.vocab, words=["a", "b"], heads=[0, 0], deps=["ROOT", "my dep"], tags=["A\tB", "C"])
    with pytest.warns(UserWarning, match=r"\[NM584\]"):
        rows = [line.split("\t") for line in conllu_text(doc).splitlines()[2:4]]
    assert [row[4] for row in rows] == ["A_B", "C"] and rows[1][7] == "my_dep"


def test_text_comment_keeps_no_break_spaces(nlp):
    doc = Doc(nlp.vocab, words=["10\u00a0000", "\n", "dogs"], spaces=[True, True, False])
    assert conllu_text(doc).splitlines()[1] == "# text = 10\u00a0000 dogs"


@pytest.mark.parametrize("name", ["a.conllu", "a.conllu.gz", "a.txt", "a.conllx", "a.spacy"])
def test_names_of_files(nlp, tmp_path, name):
    """What is written is read again, or nothing is written."""
    example = read_one(nlp, tmp_path, TEXT)
    path = tmp_path / name
    if "conllx" in name or "spacy" in name:
        with pytest.raises(ValueError, match=rf"NM094.*{name}"):
            write_conllu([example.reference], path)
        assert not path.exists()
    else:
        write_conllu([example.reference], path)
        assert "".join(map(sentence_text, read_sentences(path))) == TEXT


def test_open_file(nlp, tmp_path):
    file = io.StringIO()
    write_conllu([read_one(nlp, tmp_path, TEXT).reference], file)
    assert file.getvalue() == TEXT


def copies(doc):
    yield from DocBin(docs=[doc], store_user_data=True).get_docs(doc.vocab)
    yield Doc(doc.vocab).from_bytes(doc.to_bytes())
    yield pickle.loads(pickle.dumps(doc))


def test_survives_serialisation(nlp, tmp_path):
    doc = read_one(nlp, tmp_path, TEXT).reference
    assert [conllu_text(copy) for copy in copies(doc)] == [TEXT] * 3


@st.composite
def partial_trees(draw):
    """Sentences as CoNLL-U, some of whose heads are unknown, that of the root, too."""
    found = []
    for n in draw(st.lists(st.integers(1, 5), min_size=1, max_size=4)):
        heads = draw(trees(n))
        shown = draw(st.lists(st.booleans(), min_size=n, max_size=n))
        pairs = zip(heads, shown, strict=True)
        found.append([("0 root" if h < 0 else f"{h + 1} dep") if shows else "_ _" for h, shows in pairs])
    return found


@given(partial_trees())
def test_boundaries_survive_serialisation(sentences):
    """Whatever heads are unknown; and what is parsed anew has the boundaries of its trees."""
    text = "".join(rows(*pairs) for pairs in sentences)
    doc = make_doc(Vocab(), sentences_of(text), trees=True)
    expected = read_gold(Example(doc, doc), {}).starts.tolist()
    n = len(doc)
    for copy in copies(doc):
        assert conllu_text(copy) == text
        assert read_gold(Example(copy, copy), {}).starts.tolist() == expected
        assert token_starts(copy).tolist() == token_starts(doc).tolist()
        for token in copy:
            if token.head == token:  # somebody says that it is the root
                token.dep_ = "ROOT"
        assert token_starts(copy).tolist() == token_starts(doc).tolist()
        for token in copy:
            token.head, token.dep_ = copy[0], "ROOT" if token.i == 0 else "x"
        assert token_starts(copy).tolist()[1:] == [-1] * (n - 1)


def test_predicted_doc_keeps_the_layout_only(nlp, tmp_path):
    doc = read_one(nlp, tmp_path, TEXT).predicted
    for token, head in zip(doc, [1, 1, 1, 4, 1, 1, 6, 6], strict=True):
        token.head = doc[head]
        token.dep_ = "ROOT" if token.i == head else "dep"
    lines = conllu_text(doc).splitlines()
    assert lines[:3] == TEXT.splitlines()[:3]
    assert lines[3] == "1\tShe\t_\t_\t_\t_\t2\tdep\t_\t_"
    assert lines[4].startswith("2-3\tdidn't\t") and lines[4].endswith("\tSpaceAfter=No")
    assert lines[5] == "2\tdid\t_\t_\t_\t_\t0\troot\t_\t_"
    assert not any(line.startswith("3.1") for line in lines)
    assert "1\tYes\t_\t_\t_\t_\t0\troot\t_\tSpaceAfter=No|Gloss=oui" in lines


def test_other_boundaries(nlp, tmp_path):
    """Comments go with their sentence, multiword tokens stay where they fit."""
    example = read_one(nlp, tmp_path, TEXT)
    gold = example.reference
    heads = [1, 1, 1, 3, 3, 3, 3, 3]
    doc = Doc(
        nlp.vocab,
        words=[token.text for token in gold],
        spaces=[bool(token.whitespace_) for token in gold],
        heads=heads,
        deps=["ROOT" if i == head else "dep" for i, head in enumerate(heads)],
        user_data=gold.user_data,
    )
    lines = conllu_text(doc).splitlines()
    assert lines[:2] == ["# sent_id = 1", "# text = She didn't"]
    assert lines[3].startswith("2-3\tdidn't\t")
    assert lines[7:9] == ["# sent_id = 2", "# text = , no. Yes."]
    assert lines[9] == "1\t,\t_\t_\t_\t_\t0\troot\t_\t_"
    assert not any("3.1" in line for line in lines)


@given(st.sets(st.integers(1, 4)), st.sets(st.integers(1, 4)))
def test_no_sent_id_twice(before, after):
    """Whatever the sentences were in the file, and are now."""
    doc = Doc(Vocab(), words=["w"] * 5)
    for starts in (before, after):
        roots = [max({0, *(start for start in starts if start <= i)}) for i in range(5)]
        labels = ["ROOT" if root == i else "dep" for i, root in enumerate(roots)]
        doc = Doc(doc.vocab, words=["w"] * 5, heads=roots, deps=labels, user_data=doc.user_data)
        sentences = sentences_of(conllu_text(doc))
        assert len({sentence.sent_id for sentence in sentences}) == len(starts) + 1
        doc = make_doc(doc.vocab, sentences, trees=True)


def test_the_text_has_multiword_tokens_as_they_stand(nlp, tmp_path):
    contracted = "1-2\tdu\t" + "\t".join("________") + "\n" + rows("0 root", "1 dep")
    doc = read_one(nlp, tmp_path, contracted + rows("0 root")).predicted
    for token in doc[1:]:  # one sentence of two
        token.is_sent_start = False
    assert conllu_text(doc).splitlines()[1] == "# text = du w1"


def test_name_of_a_sentence():
    for comments, name in (
        (["# newdoc", "# text = sent_id = x", "# sent_id = a=1 "], "a=1"),
        (["#sent_id=a", "# sent_id = b"], "a"),
        (["# my sent_id = b", "# sent_id"], ""),
    ):
        assert Sentence([[comment] for comment in comments]).sent_id == name


def test_boundary_within_a_multiword_token(nlp, tmp_path):
    doc = read_one(nlp, tmp_path, TEXT).predicted
    for token in doc:
        token.is_sent_start = token.i in (0, 2)
    lines = conllu_text(doc).splitlines()
    assert not any(line.startswith("2-3") for line in lines)


def test_plain_doc(nlp):
    doc = Doc(
        nlp.vocab,
        words=["Stop", ",", "please", ".", "Now", "!"],
        spaces=[False, True, False, True, False, False],
        heads=[0, 0, 0, 0, 4, 4],
        deps=["ROOT", "punct", "discourse", "punct", "ROOT", "punct"],
        lemmas=["stop", ",", "please", ".", "now", "!"],
        pos=["VERB", "PUNCT", "INTJ", "PUNCT", "ADV", "PUNCT"],
        tags=["VB", ",", "UH", ".", "RB", "."],
        morphs=["VerbForm=Fin|Mood=Imp", "", "", "", "", ""],
    )
    assert conllu_text(doc, "my notes/1") == (
        "# sent_id = my%20notes%2F1-1\n"
        "# text = Stop, please.\n"
        "1\tStop\tstop\tVERB\tVB\tMood=Imp|VerbForm=Fin\t0\troot\t_\tSpaceAfter=No\n"
        "2\t,\t,\tPUNCT\t,\t_\t1\tpunct\t_\t_\n"
        "3\tplease\tplease\tINTJ\tUH\t_\t1\tdiscourse\t_\tSpaceAfter=No\n"
        "4\t.\t.\tPUNCT\t.\t_\t1\tpunct\t_\t_\n"
        "\n"
        "# sent_id = my%20notes%2F1-2\n"
        "# text = Now!\n"
        "1\tNow\tnow\tADV\tRB\t_\t0\troot\t_\tSpaceAfter=No\n"
        "2\t!\t!\tPUNCT\t.\t_\t1\tpunct\t_\t_\n"
        "\n"
    )


def test_whitespace_tokens_are_left_out(nlp):
    doc = Doc(
        nlp.vocab,
        words=["\n", "Go", "  ", "on", "\t", "!", "\n\n"],
        spaces=[False, True, False, True, False, False, False],
        heads=[1, 1, 1, 2, 4, 1, 6],
        deps=["dep", "ROOT", "dep", "advmod", "ROOT", "punct", "ROOT"],
    )
    # One sentence of its own is nothing but whitespace
    doc = doc[:4].as_doc()
    lines = conllu_text(doc).splitlines()
    assert lines == [
        "# sent_id = 1",
        "# text = Go on",
        "1\tGo\t_\t_\t_\t_\t0\troot\t_\t_",
        "2\ton\t_\t_\t_\t_\t1\tadvmod\t_\t_",
        "",
    ]
    assert conllu_text(nlp("\n \n")) == ""
    assert conllu_text(nlp("")) == ""


def test_whitespace_as_root(nlp):
    """The first of its dependents takes its place."""
    doc = Doc(
        nlp.vocab,
        words=["Go", "\n", " ", "on", "!"],
        heads=[1, 1, 1, 2, 1],
        deps=["obj", "ROOT", "dep", "advmod", "punct"],
    )
    assert conllu_text(doc).splitlines()[2:5] == [
        "1\tGo\t_\t_\t_\t_\t0\troot\t_\t_",
        "2\ton\t_\t_\t_\t_\t1\tadvmod\t_\t_",
        "3\t!\t_\t_\t_\t_\t1\tpunct\t_\t_",
    ]


def test_doc_without_annotation(nlp):
    lines = conllu_text(nlp("Go on.")).splitlines()
    assert lines[1] == "# text = Go on."
    assert lines[2] == "1\tGo\t_\t_\t_\t_\t_\t_\t_\t_"
    assert lines[3] == "2\ton\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No"


def test_retokenised_doc(nlp, tmp_path):
    doc = read_one(nlp, tmp_path, TEXT).reference
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[1:3])
    with pytest.warns(UserWarning, match=r"\[NM582\] The Doc has 7 tokens.* with 8"):
        text = conllu_text(doc)
    assert text.splitlines()[1] == "# text = She didn't, no."


def test_a_merge_and_a_split_leave_other_words(nlp, tmp_path):
    """There are as many words as before, but not the same."""
    doc = read_one(nlp, tmp_path, TEXT).reference
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[1:3])
        retokenizer.split(doc[6], ["Y", "es"], heads=[(doc[6], 1), doc[7]])
    assert len(doc) == 8
    with pytest.warns(UserWarning, match=r"\[NM582\]"):
        conllu_text(doc)


def test_arc_across_a_boundary(nlp):
    doc = Doc(nlp.vocab, words=["a", "b"], heads=[0, 0], deps=["ROOT", "dep"])
    doc.from_array(["SENT_START"], numpy.ones(2, dtype="uint64"))
    with pytest.raises(ValueError, match=r"\[NM085\].*token 1 \('b'\) is token 0"):
        conllu_text(doc)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(["plus", "plain"]), min_size=1, max_size=5), st.booleans())
def test_columns_of_docs(tmp_path_factory, kinds, moves_boundaries):
    """What Docs of CoNLL-U Plus and of CoNLL-U become can be read, in any order, and with other
    sentences; each word has its columns."""
    folder = tmp_path_factory.mktemp("columns")
    vocab = Vocab()
    docs, expected = [], []
    for number, kind in enumerate(kinds):
        more = ["x"] * (kind == "plus")
        rows = [[str(n), f"w{number}", *["_"] * 4, str(n - 1), "dep", "_", "_", *more] for n in (1, 2)]
        rows[0][DEPREL] = "root"
        file = folder / f"{number}.conllu"
        header = [f"# global.columns = {' '.join(COLUMNS)} X:Y"] * (kind == "plus")
        text = "\n".join([*header, *("\t".join(row) for row in rows), ""]) + "\n"
        # The second of two Docs has nothing above it
        file.write_text(text + text.removeprefix("".join(f"{line}\n" for line in header)))
        for doc in list(read_docs(file, vocab, 1))[1:]:
            if moves_boundaries:  # each word is a root
                root = vocab.strings.add("ROOT")
                doc.from_array(["HEAD", "DEP"], numpy.array([[0, root]] * len(doc), dtype="uint64"))
                assert len(list(doc.sents)) == len(doc)
            docs.append(doc)
            expected += [(token.text, more) for token in doc]
    path = folder / "docs.conllu"
    write_conllu(docs, path)
    DocBin(docs=docs, store_user_data=True).to_disk(folder / "docs.spacy")
    for file in (path, folder / "docs.spacy"):
        words = [word for sentence in read_sentences(file) for word in sentence.words]
        assert [(word[FORM], word[10:]) for word in words] == expected
