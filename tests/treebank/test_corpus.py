"""The corpus reader, on small made-up files."""

import random
from itertools import pairwise
from pathlib import Path

import pytest
from spacy.training import Example
from spacy.util import registry

from spacy_nonmono.treebank.corpus import create_conllu_corpus, read_docs
from spacy_nonmono.treebank.docs import KEPT, make_doc
from spacy_nonmono.treebank.sentences import Sentence
from tests.multiword.util import FRENCH

TEXT = """\
# newdoc id = made-up
# sent_id = 1
# text = She didn't, no.
1\tShe\tshe\tPRON\tPRP\tNumber=Sing|Case=Nom\t2\tnsubj\t2:nsubj\t_
2-3\tdidn't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
2\tdid\tdo\tAUX\tVBD\t_\t0\troot\t0:root\t_
3\tn't\tnot\tPART\tRB\t_\t2\tadvmod\t2:advmod\t_
3.1\tgo\tgo\tVERB\tVB\t_\t_\t_\t2:dep\t_
4\t,\t,\tPUNCT\t,\t_\t5\tpunct\t5:punct\t_
5\tno\tno\tINTJ\tUH\t_\t2\tdiscourse\t2:discourse\tSpaceAfter=No
6\t.\t.\tPUNCT\t.\t_\t2\tpunct\t2:punct\t_

# sent_id = 2
1\tYes\tyes\tINTJ\tUH\t_\t0\troot\t0:root\tSpaceAfter=No|Gloss=oui
2\t.\t.\tPUNCT\t.\t_\t1\tpunct\t1:punct\t_

"""


def rows(*heads_and_labels: str) -> str:
    """A sentence of words w1, w2, ... with such HEAD and DEPREL columns."""
    lines = []
    for number, pair in enumerate(heads_and_labels, start=1):
        head, label = pair.split()
        lines.append("\t".join([str(number), f"w{number}", *"____", head, label, "_", "_"]))
    return "\n".join(lines) + "\n\n"


def write(tmp_path: Path, text: str | bytes) -> Path:
    path = tmp_path / "made-up.conllu"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def read(nlp, path: Path, **options) -> list[Example]:
    return list(create_conllu_corpus(path, **options)(nlp))


def test_reference_has_all_annotation(nlp, tmp_path):
    (example,) = read(nlp, write(tmp_path, TEXT))
    doc = example.reference
    assert [t.text for t in doc] == ["She", "did", "n't", ",", "no", ".", "Yes", "."]
    assert doc.text == "She didn't, no. Yes. "
    assert [t.head.i for t in doc] == [1, 1, 1, 4, 1, 1, 6, 6]
    assert [t.dep_ for t in doc][:3] == ["nsubj", "ROOT", "advmod"]
    assert [t.is_sent_start for t in doc] == [True] + [False] * 5 + [True, False]
    assert [t.lemma_ for t in doc][:3] == ["she", "do", "not"]
    assert [t.pos_ for t in doc][:3] == ["PRON", "AUX", "PART"]
    assert [t.tag_ for t in doc][:3] == ["PRP", "VBD", "RB"]
    assert str(doc[0].morph) == "Case=Nom|Number=Sing"
    assert "".join(doc.user_data[KEPT]) == TEXT


@pytest.mark.parametrize("n_sents", [1, 2, 10])
def test_docs_are_the_references(nlp, tmp_path, n_sents):
    path = write(tmp_path, TEXT * 3)
    references = [example.reference for example in read(nlp, path, n_sents=n_sents)]
    docs = list(read_docs(path, nlp.vocab, n_sents))
    assert [doc.to_bytes() for doc in docs] == [doc.to_bytes() for doc in references]
    assert "".join("".join(doc.user_data[KEPT]) for doc in docs) == TEXT * 3


def test_docs_of_no_sentences(nlp, tmp_path):
    with pytest.raises(ValueError, match=r"NM084.*n_sents.*0"):
        next(read_docs(write(tmp_path, TEXT), nlp.vocab, 0))


def test_predicted_has_words_only(nlp, tmp_path):
    (example,) = read(nlp, write(tmp_path, TEXT))
    doc = example.predicted
    assert doc.text == example.reference.text
    for attribute in ("DEP", "SENT_START", "TAG", "POS", "LEMMA", "MORPH"):
        assert not doc.has_annotation(attribute)
    first, second = doc.user_data[KEPT]
    lines = first.split("\n")
    assert lines[:3] == TEXT.split("\n")[:3]
    assert lines[3:5] == ["1\tShe\t_\t_\t_\t_\t_\t_\t_\t_", TEXT.split("\n")[4]]
    assert "3.1" not in first
    assert second.split("\n")[1] == "1\tYes\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No|Gloss=oui"


def test_gold_sents(nlp, tmp_path):
    (example,) = read(nlp, write(tmp_path, TEXT), gold_sents=True)
    doc = example.predicted
    assert [t.is_sent_start for t in doc] == [True] + [False] * 5 + [True, False]
    assert not doc.has_annotation("DEP")


@pytest.mark.parametrize("gold_sents", [False, True])
def test_gold_tags(nlp, tmp_path, gold_sents):
    """POS, TAG and MORPH as in the annotation, _ as nothing, and nothing else."""
    path = write(tmp_path, TEXT + rows("0 root"))
    (example,) = read(nlp, path, gold_tags=True, gold_sents=gold_sents)
    doc, gold = example.predicted, example.reference
    assert [t.pos_ for t in doc] == [t.pos_ for t in gold]
    assert [t.tag_ for t in doc] == [t.tag_ for t in gold]
    assert [str(t.morph) for t in doc] == [str(t.morph) for t in gold]
    assert (doc[0].pos_, doc[0].tag_) == ("PRON", "PRP")
    assert (doc[8].pos_, doc[8].tag_, str(doc[8].morph)) == ("", "", "")
    assert doc.has_annotation("SENT_START") == gold_sents
    for attribute in ("DEP", "LEMMA"):
        assert not doc.has_annotation(attribute)


@pytest.mark.parametrize(
    ("options", "sizes"),
    [
        ({}, [10, 10, 3]),
        ({"n_sents": 1}, [1] * 23),
        ({"n_sents": 15}, [15, 8]),
        ({"n_sents": 4, "limit": 2}, [4, 4]),
    ],
)
def test_sentences_a_doc(nlp, tmp_path, options, sizes):
    path = write(tmp_path, rows("0 root") * 23)
    examples = read(nlp, path, **options)
    assert [len(list(example.reference.sents)) for example in examples] == sizes


def test_folder_is_read_in_order(nlp, tmp_path):
    (tmp_path / "b.conllu").write_text(rows("0 root"))
    (tmp_path / "a.conllu").write_text(rows("2 dep", "0 root"))
    (tmp_path / "c.txt").write_text("no treebank")
    examples = read(nlp, tmp_path, n_sents=1)
    assert [len(example.reference) for example in examples] == [2, 1]


def test_reads_again_and_again(nlp, tmp_path):
    corpus = create_conllu_corpus(write(tmp_path, TEXT))
    assert len(list(corpus(nlp))) == len(list(corpus(nlp))) == 1


def test_is_registered(nlp, tmp_path):
    config = {"@readers": "spacy-nonmono.ConlluCorpus.v1", "path": str(write(tmp_path, TEXT))}
    corpus = registry.resolve({"corpus": config})["corpus"]
    assert len(list(corpus(nlp))) == 1


def test_windows_line_ends_and_byte_order_mark(nlp, tmp_path):
    text = b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode()
    (example,) = read(nlp, write(tmp_path, text))
    assert example.reference.text == "She didn't, no. Yes. "
    assert example.reference.user_data[KEPT][0].startswith("# newdoc id = made-up\n")


def test_underscore_is_a_word(nlp, tmp_path):
    line = "\t".join(["1", "_", "_", "PUNCT", *"__", "0", "root", *"__"])
    (example,) = read(nlp, write(tmp_path, line + "\n"))
    assert example.reference[0].text == example.reference[0].lemma_ == "_"


def test_unknown_tags(nlp, tmp_path):
    """FEATS _ beside a UPOS is no features; beside none it is nothing to learn from."""
    word = "{}\tw\t_\t{}\t_\t{}\t{}\t{}\t_\t_\n"
    lines = [("_", "_", 0, "root"), ("NOUN", "_", 1, "dep"), ("_", "Case=Nom", 2, "dep")]
    text = "".join(word.format(number, *columns) for number, columns in enumerate(lines, start=1))
    (example,) = read(nlp, write(tmp_path, text))
    assert [t.has_morph() for t in example.reference] == [False, True, True]
    assert [str(t.morph) for t in example.reference] == ["", "", "Case=Nom"]
    assert [t.head.i for t in example.reference] == [0, 0, 1]
    morphologizer = nlp.add_pipe("morphologizer")
    nlp.initialize(lambda: [example])
    assert set(morphologizer.labels) == {"POS=NOUN", "Case=Nom"}


def test_spacy_learns_tags_and_lemmas(nlp, tmp_path):
    examples = read(nlp, write(tmp_path, TEXT))
    nlp.add_pipe("tagger")
    nlp.add_pipe("morphologizer")
    nlp.add_pipe("trainable_lemmatizer", config={"min_tree_freq": 1})
    optimizer = nlp.initialize(lambda: examples)
    for _ in range(15):
        nlp.update(examples, sgd=optimizer)
    scores = nlp.evaluate(examples)
    names = ["tag_acc", "pos_acc", "morph_acc", "lemma_acc"]
    assert {name: scores[name] for name in names} == dict.fromkeys(names, 1.0)


def test_unknown_heads(nlp, tmp_path):
    text = rows("0 root", "1 dep") + rows("_ _", "3 dep", "0 root", "_ _") + rows("_ _", "1 dep")
    (example,) = read(nlp, write(tmp_path, text))
    doc = example.reference
    assert [t.dep_ for t in doc] == ["ROOT", "dep", "", "dep", "ROOT", "", "", "dep"]
    assert [t.i for t in doc if t.is_sent_start] == [0, 2, 6]
    heads, labels = example.get_aligned_parse(projectivize=False)
    assert heads[1] == 0 and heads[3] == 4
    assert [label == "" for label in labels] == [not t.dep_ for t in doc]


@pytest.mark.parametrize(
    ("sentence", "code", "word", "labels"),
    [
        (rows("0 root", "2 dep", "2 dep"), "NM580", "w2", ["ROOT", "", "dep"]),
        (rows("2 dep", "1 dep", "0 root"), "NM580", "w1", ["", "", "ROOT"]),
        (rows("2 dep", "0 root", "0 root"), "NM581", "w3", ["dep", "ROOT", ""]),
        (rows("1 dep", "1 dep"), "NM580", "w1", ["", "dep"]),
    ],
    ids=["heads itself", "cycle", "second root", "no root"],
)
def test_heads_of_no_tree_are_unknown(nlp, tmp_path, sentence, code, word, labels):
    path = write(tmp_path, rows("0 root") + sentence)
    with pytest.warns(UserWarning) as warnings:
        (example,) = read(nlp, path)
    assert str(warnings[0].message).startswith(f"[{code}] ")
    assert "made-up.conllu, line " in str(warnings[0].message)
    assert repr(word) in str(warnings[0].message)
    assert [t.dep_ for t in example.reference] == ["ROOT", *labels]
    assert [t.i for t in example.reference if t.is_sent_start] == [0, 1]


def test_training_survives_unknown_heads(nlp, tmp_path):
    text = rows("0 root", "1 dep") + rows("_ _", "3 dep", "0 root", "_ _")
    corpus = create_conllu_corpus(write(tmp_path, text))
    nlp.add_pipe("parser", config={"min_action_freq": 1})
    nlp.initialize(lambda: corpus(nlp))
    assert nlp.update(list(corpus(nlp)))["parser"] >= 0


def test_boundaries_on_deep_non_projective_trees(nlp):
    """spaCy derives some of them wrongly from the heads."""
    dice = random.Random(0)
    for _ in range(20):
        sentences = []
        for _ in range(3):
            order = dice.sample(range(80), 80)
            heads = [-1] * 80
            for before, word in pairwise(order):
                heads[word] = before
            sentences.append(
                Sentence(
                    [
                        [str(i + 1), "w", *"____", str(head + 1), "dep", "_", "_"]
                        for i, head in enumerate(heads)
                    ]
                )
            )
        doc = make_doc(nlp.vocab, sentences, trees=True)
        assert [t.i for t in doc if t.is_sent_start] == [0, 80, 160]
        expected = [h if h is not None and h >= 0 else i for i, h in enumerate(sentences[0].heads)]
        assert [t.head.i for t in doc[:80]] == expected


def test_a_file_without_heads_is_told_of(nlp, tmp_path):
    path = tmp_path / "words.conllu"
    path.write_text("1\tw\t_\tX\t_\t_\t_\t_\t_\t_\n\n", encoding="utf8")
    with pytest.warns(UserWarning, match=r"\[NM586\].*words\.conllu"):
        list(create_conllu_corpus(path)(nlp))


LINE = "1\tw\t_\tX\t_\t_\t0\troot\t_\t_"


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        (LINE.rsplit("\t", 1)[0], 1, "9 columns"),
        (LINE.replace("\t", "  "), 1, "1 column"),
        (LINE.replace("w", ""), 1, "column 2 is empty"),
        (LINE.replace("X", "THING"), 1, "UPOS is 'THING'"),
        (LINE.replace("X\t_", "X\tN N"), 1, "XPOS is 'N N'"),
        (LINE.replace("root", "my root"), 1, "DEPREL is 'my root'"),
        (LINE.replace("\t_\t0", "\tSing\t0"), 1, "FEATS is 'Sing'"),
        (LINE.replace("\t_\t0", "\tA=B=C\t0"), 1, "FEATS is 'A=B=C'"),
        (LINE.replace("0\troot", "x\troot"), 1, "HEAD is 'x'"),
        (LINE.replace("0\troot", "2\troot"), 1, "HEAD is '2'"),
        (LINE.replace("0\troot", "-1\troot"), 1, "HEAD is '-1'"),
        ("# text = w w\n" + LINE + "\n" + LINE.replace("1\tw", "3\tw"), 3, "ID is '3'"),
        (LINE.replace("1\tw", "one\tw"), 1, "ID is 'one'"),
        (LINE + "\n" + LINE.replace("1\tw", "2.1\tw"), 2, "ID is '2.1'"),
        (LINE + "\n\n" + LINE.replace("1\tw", "2-3\tw"), 3, "ID is '2-3'"),
        (LINE.replace("1\tw", "1-2\tw") + "\n" + LINE, 1, "the multiword token 1-2"),
        ("1-2" + LINE[1:] + "\n\n" + LINE, 1, "a sentence without words"),
        ("# global.columns = ID FORM X\n" + LINE, 1, "# global.columns = ID FORM X"),
    ],
)
def test_malformed_files(nlp, tmp_path, text, line, found):
    with pytest.raises(ValueError) as error:
        read(nlp, write(tmp_path, text + "\n\n"))
    assert str(error.value).startswith("[NM081] ")
    assert f"made-up.conllu, line {line}: {found}. Expected " in str(error.value)


def test_numbers_that_python_does_not_read(nlp, tmp_path):
    huge = "1" + "0" * 5000
    for old, new, column in (("0\troot", f"{huge}\troot", "HEAD"), ("1\tw", f"{huge}\tw", "ID")):
        with pytest.raises(ValueError, match=rf"\[NM081\] .*conllu, line 1: {column} is '10000"):
            read(nlp, write(tmp_path, LINE.replace(old, new)))


def test_feature_of_two_values(nlp, tmp_path):
    path = write(tmp_path, LINE.replace("\t_\t0", "\tA=1|B=2|A=3\t0") + "\n")
    with pytest.warns(UserWarning, match=r"\[NM585\].*made-up.conllu, line 1: FEATS is 'A=1\|B=2\|A=3'"):
        (example,) = read(nlp, path)
    assert str(example.reference[0].morph) == "A=3|B=2"


def test_overlapping_multiword_tokens(nlp, tmp_path):
    lines = rows("0 root", "1 dep", "1 dep").splitlines()
    first = "\t".join(["1-2", "ab", *"________"])
    second = "\t".join(["2-3", "bc", *"________"])
    text = "\n".join([first, lines[0], second, *lines[1:]])
    with pytest.raises(ValueError, match=r"\[NM081\].*line 3: the multiword token 2-3.*word 2"):
        read(nlp, write(tmp_path, text))


def test_not_utf8(nlp, tmp_path):
    text = (LINE + "\n" + LINE.replace("w", "\u00e9")).encode("latin-1")
    with pytest.raises(ValueError, match=r"\[NM083\].*made-up.conllu, line 2 .*0xe9 at column 3"):
        read(nlp, write(tmp_path, text))


def test_nothing_to_read(nlp, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"\[NM080\].*gone.conllu"):
        read(nlp, tmp_path / "gone.conllu")
    with pytest.raises(FileNotFoundError, match=r"\[NM080\]"):
        read(nlp, tmp_path)
    with pytest.raises(ValueError, match=r"\[NM080\]"):
        create_conllu_corpus(None)
    with pytest.warns(UserWarning, match=r"\[NM586\].*no sentence"):
        assert read(nlp, write(tmp_path, "\n\n")) == []


def test_words_that_are_not_in_the_text(nlp, tmp_path):
    """The tokens of a tokenizer can only have the words of a treebank if these spell the text."""
    path = write(tmp_path, FRENCH)
    with pytest.raises(ValueError, match=r"\[NM084\].*'gold_words'.*'de le' does not spell 'du'"):
        read(nlp, path, gold_words=False)
    (example,) = read(nlp, path, gold_words=False, multiword="merge")
    assert example.predicted.text.startswith("Il parle du temps")


@pytest.mark.parametrize("options", [{"n_sents": 0}, {"limit": -1}])
def test_options_out_of_range(tmp_path, options):
    with pytest.raises(ValueError, match=r"\[NM084\]"):
        create_conllu_corpus(tmp_path, **options)
