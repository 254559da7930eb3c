"""Multiword tokens that the reader makes one token each: as spaCy's conversion merges them."""

from itertools import product

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc
from spacy.training.converters import conllu_to_docs
from spacy.vocab import Vocab
from thinc.api import Config

from spacy_nonmono.tokens.merged import mark_known
from spacy_nonmono.treebank.corpus import create_conllu_corpus
from spacy_nonmono.treebank.docs import document_of, make_doc
from spacy_nonmono.treebank.multiword import (
    READER,
    learned_words,
    merge_words,
    restore_words,
    split_words,
)
from spacy_nonmono.treebank.sentences import DEPREL, DEPS, EMPTY, FEATS, FORM, HEAD, LEMMA, UPOS, XPOS
from tests.conllu import sentences_of
from tests.trees import trees

FRENCH = """\
# text = Il parle du temps.
1	Il	il	PRON	P	Person=3	2	nsubj	2:nsubj	_
2	parle	parler	VERB	V	_	0	root	0:root	_
3-4	du	_	_	_	_	_	_	_	_
3	de	de	ADP	S	_	5	case	5:case	_
4	le	le	DET	D	Definite=Def|Gender=Masc	5	det	5:det	_
4.1	chose	_	_	_	_	_	_	_	_
5	temps	temps	NOUN	N	Gender=Masc	2	obl	2:obl	SpaceAfter=No
6	.	.	PUNCT	.	_	2	punct	2:punct	_

"""
ENGLISH = """\
1	We	we	PRON	_	_	4	nsubj	_	_
2-3	don't	_	_	_	_	_	_	_	_
2	do	do	AUX	_	_	4	aux	_	_
3	n't	not	PART	_	_	4	advmod	_	_
4	go	go	VERB	_	_	0	root	_	_
5-6	outta	_	_	_	_	_	_	_	_
5	outa	out	ADP	_	_	6	case	_	_
6	there	there	ADV	_	_	4	advmod	_	_

"""


def whole(form: str) -> tuple[str, ...]:
    return (form,)


def test_a_contracted_word():
    (sentence,) = sentences_of(FRENCH, "french")
    merged = merge_words(sentence, whole)
    assert [word[FORM] for word in merged.words] == ["Il", "parle", "du", "temps", "."]
    assert merged.heads == [1, -1, 3, 1, 1]
    du = merged.words[2]
    assert [du[LEMMA], du[UPOS], du[XPOS]] == ["de le", "ADP", "S_D"]
    assert du[FEATS] == "Definite=Def|Gender=Masc"
    assert merged.ranges == []
    assert merged.comments == sentence.comments


COLUMNS = st.tuples(
    st.sampled_from(["_", "de", "de le", "a b c"]), st.sampled_from(["_", "P", "P_x", "P_x_y"])
)


@given(COLUMNS, COLUMNS)
def test_restored_words_have_the_tags_and_lemmas_of_the_treebank(first, second):
    """Whatever is in them of what joins them."""
    lines = [
        f"{number}\t{form}\t{lemma}\tX\t{xpos}"
        for number, form, (lemma, xpos) in ((3, "de", first), (4, "le", second))
    ]
    text = FRENCH.replace("3\tde\tde\tADP\tS", lines[0]).replace("4\tle\tle\tDET\tD", lines[1])
    (sentence,) = sentences_of(text)
    restored = restore_words(merge_words(sentence, whole))
    assert [word[LEMMA : XPOS + 1] for word in restored.words] == [
        word[LEMMA : XPOS + 1] for word in sentence.words
    ]


@pytest.mark.parametrize("inner", [False, True])
def test_restored_words_have_no_head_that_was_unknown(inner):
    """Whichever heads are. inner: the second word of the token depends on the first."""
    text = FRENCH.replace("Masc\t5\tdet", "Masc\t3\tdet") if inner else FRENCH
    (known,) = sentences_of(text)
    for hidden in product([False, True], repeat=len(known.words)):
        (sentence,) = sentences_of(text)
        for word, hides in zip(sentence.words, hidden, strict=True):
            if hides:
                word[HEAD] = word[DEPREL] = EMPTY
        arcs = [word[HEAD:DEPS] for word in sentence.words]
        merged = merge_words(sentence, whole)
        doc = make_doc(Vocab(), [merged], trees=True)
        mark_known(doc)
        (of_doc,) = document_of(doc).sentences
        for restored in (restore_words(merged), of_doc):
            assert [word[HEAD:DEPS] for word in restored.words] == arcs


def test_what_the_tokenizer_cuts_stays_cut():
    """It gives "do" and "n't", but not "outa" and "there"."""
    nlp = spacy.blank("en")
    (sentence,) = sentences_of(ENGLISH, "english")
    merged = merge_words(sentence, lambda form: tuple(token.text for token in nlp.make_doc(form)))
    assert [word[FORM] for word in merged.words] == ["We", "do", "n't", "go", "outta"]
    assert merged.heads == [3, 3, 3, -1, 3]
    assert [(start, end, columns[1]) for start, end, columns in merged.ranges] == [(1, 3, "don't")]


def test_what_becomes_a_circle_is_unknown():
    """Word 2 depends on 3, and 4 on 1; the other words of the two tokens have unknown heads."""
    rows = [("1-2", "ab", "_", "_"), ("1", "a", "_", "_"), ("2", "b", "3", "x"), ("3-4", "cd", "_", "_")]
    rows += [("3", "c", "_", "_"), ("4", "d", "1", "x"), ("5", "e", "0", "root")]
    lines = ["\t".join([number, form, *"____", *arc, "_", "_"]) for number, form, *arc in rows]
    (sentence,) = sentences_of("\n".join(lines) + "\n\n")
    with pytest.warns(UserWarning, match=r"\[NM598\] Sentence 'a b c d e'.*b, d"):
        merged = merge_words(sentence, whole)
    assert merged.heads == [None, None, -1]


def test_nothing_to_merge():
    (sentence,) = sentences_of(ENGLISH, "english")
    words = {"don't": ("do", "n't"), "outta": ("outa", "there")}
    assert merge_words(sentence, words.__getitem__) is sentence


@st.composite
def sentences(draw: st.DrawFn) -> str:
    """A tree of words, of which some are multiword tokens."""
    n = draw(st.integers(1, 9))
    heads = dict(enumerate((head + 1 for head in draw(trees(n))), start=1))
    tag = st.sampled_from("AB")
    feats = st.sampled_from(["_", "A=x", "A=y|B=x", "B=x,y|C=z"])
    lines, covered = [], 0
    for word in range(1, n + 1):
        if word > covered and draw(st.booleans()):
            covered = min(word + draw(st.integers(0, 2)), n)
            space = draw(st.sampled_from(["_", "SpaceAfter=No"]))
            lines.append(f"{word}-{covered}\tm{word}\t_\t_\t_\t_\t_\t_\t_\t{space}")
        label = f"l{word}" if heads[word] else "root"
        columns = [f"w{word}", f"b{word}", "NOUN", draw(tag), draw(feats), str(heads[word]), label]
        lines.append("\t".join([str(word), *columns, "_", "_"]))
    return "\n".join(lines) + "\n\n"


def annotation(doc: Doc) -> list[tuple[str, str, str, str, int, str]]:
    return [
        (token.text, token.lemma_, token.tag_, str(token.morph), token.head.i, token.dep_)
        for token in doc
    ]


@given(text=sentences())
def test_as_spacys_conversion_merges(text, tmp_path_factory):
    path = tmp_path_factory.getbasetemp() / "merged.conllu"
    path.write_text(text, encoding="utf8")
    nlp = spacy.blank("xx")
    nlp.tokenizer = lambda form: Doc(nlp.vocab, words=[form])
    (example,) = create_conllu_corpus(path, n_sents=1, multiword="merge")(nlp)
    (expected,) = conllu_to_docs(text, n_sents=1, merge_subtokens=True, no_print=True)
    assert annotation(example.reference) == annotation(expected)
    assert example.reference.text.strip() == expected.text.strip()


@pytest.mark.parametrize("names", [["parser", "multiword_tokens"], ["parser"]])
def test_a_config_that_is_to_split(names):
    reader = {"@readers": READER, "multiword": "merge", "gold_words": False}
    other = {"@readers": "other", "multiword": "merge"}
    config = Config({"corpora": {"train": {"gold": dict(reader)}, "dev": dict(reader), "x": other}})
    config["nlp"] = {"pipeline": names}
    config["components"] = {"parser": {}, "multiword_tokens": {}}
    split_words(config)
    assert config["nlp"]["pipeline"] == [*config["components"]] == ["parser"]
    assert config["corpora"]["train"]["gold"]["multiword"] == "split"
    dev = config["corpora"]["dev"]
    assert dev == {"@readers": READER, "multiword": "split", "gold_words": True}
    assert config["corpora"]["x"]["multiword"] == "merge"


def test_what_a_pipeline_learned():
    nlp = spacy.blank("xx")
    assert learned_words(nlp) == "split"
    nlp.config["corpora"]["dev"]["multiword"] = "merge"
    assert learned_words(nlp) == "merge"
    nlp.config["corpora"]["dev"] = "${corpora.train}"
    nlp.config["corpora"]["train"]["multiword"] = "merge"
    assert learned_words(nlp) == "merge"


def test_another_choice_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"\[NM084\].*multiword.*'join'.*merge or split"):
        create_conllu_corpus(tmp_path, multiword="join")


def test_tokens_of_the_tokenizer(tmp_path):
    """What a parser gets of a text, beside the merged words of the treebank."""
    path = tmp_path / "a.conllu"
    path.write_text(FRENCH.replace("temps\ttemps", "temps-là\ttemps"))
    nlp = spacy.blank("fr")
    (example,) = create_conllu_corpus(path, multiword="merge", gold_words=False)(nlp)
    assert [token.text for token in example.predicted] == ["Il", "parle", "du", "temps", "-là", "."]
    assert [token.text for token in example.reference] == ["Il", "parle", "du", "temps-là", "."]
    for option in ("gold_sents", "gold_tags"):
        with pytest.raises(ValueError, match=r"NM084.*gold_words"):
            create_conllu_corpus(path, gold_words=False, **{option: True})
