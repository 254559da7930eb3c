"""The component `multiword_tokens` in pipelines, and its words on Docs wherever these go."""

import json
import pickle

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.training import Corpus, Example
from spacy.vocab import Vocab

import spacy_nonmono.multiword.component  # its factory  # noqa: F401
from spacy_nonmono.corpora.rows import ROW_COLUMNS, document_rows
from spacy_nonmono.tokens.merged import (
    MULTIWORD_TOKENS,
    Part,
    Reading,
    forget_readings,
    get_reading,
    is_known,
    mark_known,
    set_reading,
)
from spacy_nonmono.treebank.corpus import create_conllu_corpus
from spacy_nonmono.treebank.docs import document_of
from spacy_nonmono.treebank.writer import conllu_text
from tests.conllu import sentences_of
from tests.multiword.util import FRENCH, TEXT

# spaCy leaves out what else is in the user data
WARNS_OF_OTHERS = pytest.mark.filterwarnings(r"ignore:\[W102\]")


def read(tmp_path, text, nlp, **settings):
    path = tmp_path / "a.conllu"
    path.write_text(text, encoding="utf8")
    return list(create_conllu_corpus(path, **{"multiword": "merge", **settings})(nlp))


@pytest.fixture
def nlp(tmp_path):
    nlp = spacy.blank("xx")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe(MULTIWORD_TOKENS)
    nlp.initialize(lambda: read(tmp_path, FRENCH, nlp))
    return nlp


def words(doc):
    """Of tokens with several, by their place."""
    found = {token.i: token._.words for token in doc}
    return {i: [part.form for part in parts] for i, parts in found.items() if parts}


def test_words(nlp):
    doc = nlp(TEXT)
    assert words(doc) == {2: ["de", "le"], 5: ["De", "le"]}
    assert doc[0]._.words is None
    assert doc[2]._.words[1]._asdict() == {
        "form": "le",
        "lemma": "le",
        "upos": "DET",
        "xpos": "D",
        "feats": "_",
        "head": -1,
        "label": "det",
    }
    # A sign that is never composed does not make the text a decomposed one
    assert words(nlp("3 \u2126 du temps")) == {2: ["de", "le"]}
    # Called again, it has nothing to add; switched off, tokens are one word each
    before = dict(doc.user_data)
    assert nlp.get_pipe(MULTIWORD_TOKENS)(doc).user_data == before
    with nlp.select_pipes(disable=MULTIWORD_TOKENS):
        assert words(nlp(TEXT)) == {}


def travels(doc: Doc) -> list[Doc]:
    """The Doc as it arrives elsewhere."""
    box = DocBin(store_user_data=True)
    box.add(doc)
    (unboxed,) = DocBin().from_bytes(box.to_bytes()).get_docs(Vocab())
    return [
        pickle.loads(pickle.dumps(doc)),
        unboxed,
        Doc(Vocab()).from_bytes(doc.to_bytes()),
        doc.copy(),
        doc[:].as_doc(copy_user_data=True),
        Doc.from_docs([doc]),
    ]


def test_words_go_with_the_doc(nlp):
    doc = nlp(TEXT)
    expected = conllu_text(doc, "x")
    assert "3-4\tdu" in expected and "1-2\tDu" in expected
    for other in travels(doc):
        assert conllu_text(other, "x") == expected
        assert words(other) == words(doc)
    # Vocabs of other pipelines know of nothing
    (other,) = spacy.blank("fr").pipe([doc.copy()])
    assert conllu_text(other, "x") == expected


def test_two_processes(nlp):
    texts = [TEXT, "Il parle.", "du DU du"] * 3
    expected = [conllu_text(doc) for doc in nlp.pipe(texts)]
    assert [conllu_text(doc) for doc in nlp.pipe(texts, n_process=2, batch_size=2)] == expected


def test_parts_of_docs(nlp):
    docs = [nlp(TEXT), nlp("Il dort."), nlp("du")]
    joined = Doc.from_docs(docs)
    assert words(joined) == {2: ["de", "le"], 5: ["De", "le"], 11: ["de", "le"]}
    assert words(joined[5:].as_doc(copy_user_data=True)) == {0: ["De", "le"], 6: ["de", "le"]}


def test_a_token_that_was_changed_has_other_words(nlp):
    doc = nlp("du temps du")
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[0:2])
    assert words(doc) == {1: ["de", "le"]}
    assert "1-2" not in conllu_text(doc).split("\tdu temps\t")[0]


@WARNS_OF_OTHERS
@pytest.mark.parametrize("known", [True, False])
def test_known_docs(known, tmp_path):
    """What gold Docs know goes with them, too."""
    (example,) = read(tmp_path, FRENCH, spacy.blank("xx"), multiword="merge" if known else "split")
    gold = example.reference
    for doc in [gold, *travels(gold)] if known else [gold]:
        assert is_known(doc) is known
        assert words(doc) == ({2: ["de", "le"]} if known else {})
    assert not is_known(example.predicted)


@WARNS_OF_OTHERS
def test_known_docs_joined(tmp_path):
    nlp = spacy.blank("xx")
    gold = [read(tmp_path, FRENCH, nlp)[0].reference for _ in range(2)]
    joined = Doc.from_docs(gold)
    assert is_known(joined) and is_known(joined[2:7].as_doc(copy_user_data=True))
    assert not is_known(Doc.from_docs([*gold, nlp("Il dort.")]))
    forget_readings(gold[0])
    assert not is_known(gold[0]) and words(gold[0]) == {}
    doc = nlp("")
    mark_known(doc)
    assert is_known(doc)


def test_treebanks_and_spacys_format_teach_the_same(nlp, tmp_path):
    examples = read(tmp_path, FRENCH + FRENCH.replace("3-4\tdu", "3-4\tdel"), nlp, n_sents=1)
    examples += read(tmp_path, FRENCH.replace("temps", "du"), nlp)
    first, second = (spacy.blank("xx").add_pipe(MULTIWORD_TOKENS) for _ in range(2))
    first.initialize(lambda: examples)
    gold = [example.reference for example in examples]
    DocBin(docs=gold, store_user_data=True).to_disk(tmp_path / "a.spacy")
    other = spacy.blank("fr")
    second.initialize(lambda: Corpus(tmp_path / "a.spacy")(other))
    assert first.label_data == second.label_data and first.label_data["patterns"]


def test_only_docs_that_know_teach(nlp, tmp_path):
    """An augmenter's Docs and those of other readers know nothing, but Docs without multiword tokens of
    a reader that merges do."""
    one_word = FRENCH.replace("3-4\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n", "").replace("4\tle\tle", "4\tdu\tle")
    merged = read(tmp_path, FRENCH, nlp)
    component = nlp.get_pipe(MULTIWORD_TOKENS)
    doc = Doc(nlp.vocab, words=["du"], deps=["case"], heads=[0])
    example = Example.from_dict(nlp.make_doc("du du du du"), {})
    component.initialize(lambda: [*merged, example])
    assert words(component(doc)) == {0: ["de", "le"]}
    plain = read(tmp_path, one_word.replace("\tdet\t", "\tcase\t") * 20, nlp, n_sents=1)
    component.initialize(lambda: [*merged, *plain])
    assert words(component(doc)) == {}


def test_nothing_to_learn(nlp, tmp_path):
    component = nlp.get_pipe(MULTIWORD_TOKENS)
    with pytest.warns(UserWarning, match="NM591"):
        component.initialize(lambda: read(tmp_path, FRENCH, nlp, multiword="split"))
    assert words(nlp(TEXT)) == {}
    with pytest.raises(ValueError, match="NM210"):
        spacy.blank("xx").add_pipe(MULTIWORD_TOKENS)(nlp.make_doc(TEXT))


def test_saved(nlp, tmp_path):
    nlp.to_disk(tmp_path / "p")
    again = [spacy.load(tmp_path / "p"), pickle.loads(pickle.dumps(nlp))]
    again.append(spacy.blank("xx", config=nlp.config).from_bytes(nlp.to_bytes()))
    for other in again:
        assert conllu_text(other(TEXT)) == conllu_text(nlp(TEXT))
    empty = spacy.blank("xx")
    empty.add_pipe(MULTIWORD_TOKENS)
    empty.to_disk(tmp_path / "empty")
    with pytest.raises(ValueError, match="NM210"):
        spacy.load(tmp_path / "empty")(TEXT)


def test_what_was_learnt_elsewhere(nlp):
    data = json.loads(json.dumps(nlp.get_pipe(MULTIWORD_TOKENS).label_data))
    other = spacy.blank("xx")
    other.add_pipe(MULTIWORD_TOKENS).initialize(lambda: [], nlp=other, labels=data)
    assert words(other(TEXT)) == words(nlp(TEXT))


GOOD = [1, "e", ["le"], 0, 0, [["de", "", "", "", -1, "x"], ["le", "", "", "", 0, "y"]]]


@pytest.mark.parametrize(
    "place, value",
    [
        (None, 3),
        (None, {"rows": {}}),
        (None, {"patterns": [], "rows": {"a": 3}}),
        (None, {"patterns": [], "rows": {"a": [["", "", 1, 1]]}}),
        (0, -1),
        (2, [[-1, 0]]),
        (2, []),
        (3, 5),
        (4, 2),
        (5, [["de", "", "", "", 0, "x"], ["le", "", "", "", 0, "y"]]),
        (5, [["de", "", "", "", -1, "x"], ["le", "", "", "", 1, "y"]]),
    ],
)
def test_what_is_damaged_is_refused(place, value, nlp, tmp_path):
    component = nlp.get_pipe(MULTIWORD_TOKENS)
    before = component.label_data
    pattern = [value if place == i else part for i, part in enumerate(GOOD)]
    found = value if place is None else {"patterns": [pattern], "rows": {"du": [["", "", 0, 1]]}}
    for load in (
        lambda: component.from_bytes(json.dumps(found).encode()),
        lambda: component.from_bytes(json.dumps(found).encode()[:-1]),
        lambda: component.initialize(lambda: [], labels=found),
    ):
        with pytest.raises(ValueError, match="NM211"):
            load()
    (tmp_path / "words.json").write_text(json.dumps(found))
    with pytest.raises(ValueError, match=r"NM211.*words\.json"):
        component.from_disk(tmp_path)
    (tmp_path / "words.json").unlink()
    with pytest.raises(ValueError, match=r"NM211.*words\.json.*No such file"):
        component.from_disk(tmp_path)
    assert component.label_data == before


def test_a_treebank_comes_back(nlp, tmp_path):
    (example,) = read(tmp_path, FRENCH, nlp)
    gold = example.reference
    doc = Doc(
        nlp.vocab,
        words=[token.text for token in gold],
        spaces=[bool(token.whitespace_) for token in gold],
        heads=[token.head.i for token in gold],
        deps=[token.dep_ for token in gold],
        lemmas=[token.lemma_ for token in gold],
        pos=[token.pos_ for token in gold],
        tags=[token.tag_ for token in gold],
    )
    lines = conllu_text(nlp.get_pipe(MULTIWORD_TOKENS)(doc), "x").splitlines()
    assert lines == ["# sent_id = x-1", "# text = Il parle du temps.", *FRENCH.splitlines()]
    # Of words alone, no tags
    doc = Doc(nlp.vocab, words=["Du", "a"], heads=[1, 1], deps=["case", "ROOT"])
    assert conllu_text(nlp.get_pipe(MULTIWORD_TOKENS)(doc)).splitlines()[2:5] == [
        "1-2\tDu\t_\t_\t_\t_\t_\t_\t_\t_",
        "1\tDe\t_\t_\t_\t_\t3\tcase\t_\t_",
        "2\tle\t_\t_\t_\t_\t3\tdet\t_\t_",
    ]
    # What a file said stays
    assert conllu_text(gold).splitlines()[2].startswith("3-4\tdu")


def test_roots_and_dependents():
    """There is one root, and dependents hang from the word that had them."""
    parts = (
        Part("a", "", "", "", "", -1, "case"),
        Part("b", "", "", "", "", -1, "root"),
        Part("c", "", "", "", "", 1, "dep"),
    )
    doc = Doc(Vocab(), words=["x", "abc", "y"], heads=[1, 1, 0], deps=["p", "ROOT", "q"])
    set_reading(doc[1], Reading(parts, 1, 2))
    assert get_reading(doc[1]) == Reading(parts, 1, 2) and get_reading(doc[0]) is None
    (sentence,) = sentences_of(conllu_text(doc))
    assert sentence.heads == [3, 2, -1, 2, 0]
    assert [word[7] for word in sentence.words] == ["p", "case", "root", "dep", "q"]
    assert [(start, end) for start, end, _ in sentence.ranges] == [(1, 4)]
    rows = [dict(zip(ROW_COLUMNS, row, strict=True)) for row in document_rows(document_of(doc, "d"))]
    assert [row["form"] for row in rows] == ["x", "a", "b", "c", "y"]


def test_the_factory_is_an_entry_point():
    assert Language.get_factory_meta(MULTIWORD_TOKENS).assigns == ["token._.words"]
