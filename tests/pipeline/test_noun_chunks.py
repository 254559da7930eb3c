"""The component `ud_noun_chunks`: its chunks against slow, obvious ones, and in pipelines."""

import pickle

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc, DocBin
from spacy.training import Example

from spacy_nonmono.pipeline.noun_chunks import noun_chunks
from tests.naive import chunks as naive
from tests.trees import trees

NAME = "ud_noun_chunks"
VOCAB = spacy.blank("xx").vocab  # a bare `Vocab` does not know what is whitespace
POS = {"N": ["NOUN", "PROPN", "PRON"], "O": ["ADJ", "DET", "VERB"], "S": ["SPACE", "NOUN"]}
LABELS = [
    *("acl", "acl:relcl", "advmod", "amod", "appos", "aux:pass", "case", "cc", "cc:preconj", "clf"),
    *("compound", "conj", "cop", "dep", "det", "det:poss", "expl", "fixed", "flat", "flat:name"),
    *("goeswith", "mark", "mwe", "name", "neg", "nmod", "nmod:desc", "nmod:poss", "nmod:tmod"),
    *("nsubj", "nsubj:pass", "nummod", "obj", "obl", "obl:unmarked", "parataxis", "punct", "vocative"),
]


@st.composite
def tagged(draw):
    """Heads (the root -1), labels and tags of a sentence; arcs may cross."""
    heads = draw(trees(draw(st.integers(1, 9))))
    labels = ["ROOT" if head == -1 else draw(st.sampled_from(LABELS)) for head in heads]
    return heads, labels, [draw(st.sampled_from("NNNNOOS")) for _ in heads]


def make_doc(words, heads, labels, pos, vocab=VOCAB):
    """heads: of the root -1."""
    heads = [word if head == -1 else head for word, head in enumerate(heads)]
    return Doc(vocab, words=words, heads=heads, deps=labels, pos=pos)


def spans(doclike):
    return [(start, end) for start, end, _ in noun_chunks(doclike)]


@given(tagged(), st.randoms(use_true_random=False))
def test_against_the_slow_twin(tree, random):
    heads, labels, tags = tree
    words = [" " if tag == "S" else "owl" for tag in tags]
    doc = make_doc(words, heads, labels, [random.choice(POS[tag]) for tag in tags])
    expected = naive.noun_chunks(heads, labels, tags)
    assert spans(doc) == expected
    start, end = sorted(random.choices(range(len(doc) + 1), k=2))
    assert spans(doc[start:end]) == [span for span in expected if start <= span[0] and span[1] <= end]


@given(st.lists(tagged(), min_size=1, max_size=4))
def test_chunks_of_a_doc_are_those_of_its_sentences(sentences):
    docs = [
        make_doc(["owl"] * len(heads), heads, labels, [POS[tag][0] for tag in tags])
        for heads, labels, tags in sentences
    ]
    joined = Doc.from_docs(docs)
    offsets = [sum(map(len, docs[:i])) for i in range(len(docs))]
    expected = [
        (start + offset, end + offset)
        for doc, offset in zip(docs, offsets, strict=True)
        for start, end in spans(doc)
    ]
    assert spans(joined) == expected


# A sentence as word/pos/head/label, words counted from 1, and its chunks
SENTENCES = {
    "modifiers on the left": (
        "the/DET/4/det city/NOUN/4/nmod:poss 's/PART/2/case mayor/NOUN/5/nsubj sleeps/VERB/0/ROOT",
        ["the city 's mayor"],
    ),
    "a name": (
        "Ada/PROPN/3/nsubj Lovelace/PROPN/1/flat wrote/VERB/0/ROOT programs/NOUN/3/obj",
        ["Ada Lovelace", "programs"],
    ),
    "prepositions": (
        "a/DET/2/det man/NOUN/0/ROOT of/ADP/5/case great/ADJ/5/amod honor/NOUN/2/nmod",
        ["a man", "great honor"],
    ),
    "coordination": (
        "tea/NOUN/0/ROOT and/CCONJ/4/cc black/ADJ/4/amod coffee/NOUN/1/conj",
        ["tea", "black coffee"],
    ),
    "conjuncts inside": (
        "gas/NOUN/4/compound and/CCONJ/3/cc water/NOUN/1/conj pipes/NOUN/0/ROOT",
        ["gas and water pipes"],
    ),
    "an adverb of the clause": (
        "she/PRON/5/nsubj is/AUX/5/cop also/ADV/5/advmod a/DET/5/det poet/NOUN/0/ROOT",
        ["she", "a poet"],
    ),
    "an adverb of the noun": (
        "only/ADV/3/advmod the/DET/3/det owl/NOUN/4/nsubj hunts/VERB/0/ROOT",
        ["only the owl"],
    ),
    "punctuation": (
        "(/PUNCT/4/punct big/ADJ/4/amod ,/PUNCT/4/punct house/NOUN/0/ROOT )/PUNCT/4/punct",
        ["big , house"],
    ),
    "a bare adjective on the right": (
        "il/DET/2/det mercato/NOUN/0/ROOT interno/ADJ/2/amod",
        ["il mercato interno"],
    ),
    "an adjective with words of its own": (
        "men/NOUN/0/ROOT full/ADJ/1/amod of/ADP/4/case rage/NOUN/2/obl",
        ["men", "rage"],
    ),
    "an adverbial noun": (
        "it/PRON/2/nsubj rained/VERB/0/ROOT last/ADJ/4/amod week/NOUN/2/obl:unmarked",
        ["it"],
    ),
    "crossing arcs": (  # "who barked" goes with "a dog" but stands behind "yesterday"
        "a/DET/2/det dog/NOUN/3/nsubj came/VERB/0/ROOT here/ADV/3/advmod"
        " who/PRON/6/nsubj barked/VERB/2/acl:relcl",
        ["a dog", "who"],
    ),
    "a modifier far away": (  # spaCy's left edge of "boek" is "welk"
        "welk/DET/4/det heb/AUX/5/aux jij/PRON/5/nsubj boek/NOUN/5/obj gelezen/VERB/0/ROOT",
        ["jij", "boek"],
    ),
}


def read_sentence(text, vocab=VOCAB):
    words, pos, heads, labels = zip(*(word.split("/") for word in text.split()), strict=True)
    return make_doc(words, [int(head) - 1 for head in heads], labels, pos, vocab)


@pytest.mark.parametrize(("text", "expected"), SENTENCES.values(), ids=SENTENCES)
def test_definition(text, expected):
    doc = read_sentence(text)
    assert [doc[start:end].text for start, end, _ in noun_chunks(doc)] == expected
    assert {label for *_, label in noun_chunks(doc)} == {doc.vocab.strings["NP"]}


def test_cost_is_linear():
    """Modifiers in a chain, and all of one word; a quadratic way would take minutes."""
    n = 50_000
    for heads in ([*range(1, n), -1], [*[n - 1] * (n - 1), -1]):
        labels = [*["advmod"] * (n - 1), "ROOT"]
        assert spans(make_doc(["owl"] * n, heads, labels, ["NOUN"] * n)) == [(0, n)]


def test_needs_a_parse_and_parts_of_speech():
    with pytest.raises(ValueError, match=r"\[E029\]"):
        spans(Doc(VOCAB, words=["owls", "hunt"], pos=["NOUN", "VERB"]))
    with pytest.raises(ValueError, match=r"\[E1019\]"):
        spans(Doc(VOCAB, words=["owls", "hunt"], heads=[1, 1], deps=["nsubj", "ROOT"]))
    assert spans(Doc(VOCAB)) == []


# In pipelines

TEXT, CHUNKS = SENTENCES["prepositions"]


@spacy.Language.component("test_parse")
def parse(doc):
    """Writes what a parser and a tagger would."""
    parsed = read_sentence(TEXT, doc.vocab)
    values = parsed.to_array(["HEAD", "DEP", "POS"])
    return doc.from_array(["HEAD", "DEP", "POS"], values)


WORDS = read_sentence(TEXT).text


def make_pipeline(lang="en"):
    nlp = spacy.blank(lang)
    nlp.add_pipe("test_parse")
    nlp.add_pipe(NAME)
    return nlp


def texts(doclike):
    return [chunk.text for chunk in doclike.noun_chunks]


@pytest.mark.parametrize("lang", ["en", "it", "xx"])
def test_every_language_has_chunks(lang):
    doc = make_pipeline(lang)(WORDS)
    assert texts(doc) == CHUNKS
    assert texts(doc[1:]) == ["great honor"]


def test_changes_nothing_but_the_iterator():
    nlp = make_pipeline()
    with nlp.select_pipes(disable=NAME):
        before = nlp(WORDS).to_bytes()
    assert nlp(WORDS).to_bytes() == before


@pytest.mark.parametrize("n_process", [1, 2])
def test_pipe(n_process):
    docs = list(make_pipeline().pipe([WORDS] * 6, n_process=n_process, batch_size=2))
    assert [texts(doc) for doc in docs] == [CHUNKS] * 6


def test_saved_and_pickled(tmp_path):
    nlp = make_pipeline()
    nlp.to_disk(tmp_path / "nlp")
    from_bytes = spacy.blank("en")
    from_bytes.add_pipe("test_parse")
    from_bytes.add_pipe(NAME)
    restored = [
        spacy.load(tmp_path / "nlp"),
        from_bytes.from_bytes(nlp.to_bytes()),
        pickle.loads(pickle.dumps(nlp)),
    ]
    for other in restored:
        assert other.pipe_names == ["test_parse", NAME]
        assert texts(other(WORDS)) == CHUNKS
        assert texts(read_sentence(TEXT, other.vocab)) == CHUNKS


def test_docs_that_are_stored_or_made_anew():
    nlp = make_pipeline()
    doc = nlp(WORDS)
    (from_bin,) = DocBin(docs=[doc], attrs=["HEAD", "DEP", "POS"]).get_docs(nlp.vocab)
    again = [doc.copy(), doc[:].as_doc(), from_bin, Doc(nlp.vocab).from_bytes(doc.to_bytes())]
    again.append(pickle.loads(pickle.dumps(doc)))
    assert [texts(other) for other in again] == [CHUNKS] * len(again)
    assert texts(Doc.from_docs([doc, doc])) == CHUNKS * 2


def test_docs_from_elsewhere():
    doc = read_sentence(TEXT, spacy.blank("en").vocab)
    assert texts(doc) == CHUNKS[:1]  # spaCy's iterator does not know the label nmod
    component = make_pipeline().get_pipe(NAME)
    assert texts(component(doc)) == texts(doc.copy()) == CHUNKS


def test_sourced_component():
    nlp = spacy.blank("en")
    nlp.add_pipe("test_parse")
    nlp.add_pipe(NAME, source=make_pipeline())
    assert texts(nlp(WORDS)) == CHUNKS


def test_merging():
    nlp = make_pipeline()
    nlp.add_pipe("merge_noun_chunks")
    assert [token.text for token in nlp(WORDS)] == ["a man", "of", "great honor"]


def test_trained_with_a_pipeline():
    nlp = make_pipeline()
    nlp.initialize()
    example = Example(nlp.make_doc(WORDS), read_sentence(TEXT, nlp.vocab))
    assert nlp.update([example]) == {}
    assert nlp.evaluate([example])["speed"] > 0


def test_pipeline_analysis():
    nlp = spacy.blank("en")
    nlp.add_pipe(NAME)
    assert nlp.analyze_pipes()["problems"][NAME] == ["token.dep", "token.head", "token.pos"]
    nlp.add_pipe("morphologizer", first=True)
    nlp.add_pipe("nonmono_parser", first=True)
    assert nlp.analyze_pipes()["problems"][NAME] == []
