"""The component `brown_clusters` in pipelines."""

import gc
import pickle

import pytest
import spacy
from spacy.matcher import Matcher
from spacy.tokens import Doc, DocBin, Token
from spacy.training import Example

import spacy_nonmono.lexical.brown_component  # its factory  # noqa: F401
from spacy_nonmono.files import write_text
from spacy_nonmono.lexical.paths import PathsRow, paths_text

FIRST = {"the": "0010", "cat": "0110", "Dog": "0111", "sees": "1", "USA": "110"}
CASED = FIRST | {"l'été": "101", "Ankara'da": "100"}
SECOND = {"the": "1", "cat": "00", "hears": "01"}
TEXT = "the cat sees a dog"


def save(table, path):
    write_text(path, paths_text([PathsRow(bits, word, 3) for word, bits in table.items()]))
    return path


def make_pipeline(table, path, **config):
    nlp = spacy.blank("xx")
    nlp.add_pipe("brown_clusters", config=config)
    nlp.config["initialize"]["components"]["brown_clusters"] = {"path": str(save(table, path))}
    nlp.initialize()
    return nlp


@pytest.fixture
def nlp(tmp_path):
    return make_pipeline(FIRST, tmp_path / "first")


def clusters(doc):
    return [token._.brown_cluster for token in doc]


def expected(table, text=TEXT):
    return [table.get(word, "") for word in text.split()]


def test_attributes(nlp):
    doc = nlp(TEXT)
    assert clusters(doc) == ["0010", "0110", "1", "", ""]
    assert [token._.brown_prefix(2) for token in doc] == ["00", "01", "1", "", ""]
    assert doc[1]._.brown_prefix(4) == doc[1]._.brown_prefix(9) == "0110"
    assert doc[1]._.brown_prefix(0) == ""


@pytest.mark.parametrize(
    ("word", "plain", "cased"),
    [
        ("THE", "", "0010"),
        ("dog", "", "0111"),
        ("DOG", "", "0111"),
        ("USA", "110", "110"),
        ("usa", "", ""),
        ("cow", "", ""),
        ("l’e\u0301te\u0301", "101", "101"),
        ("ANKARA’DA", "", "100"),
    ],
)
def test_casing(tmp_path, word, plain, cased):
    assert clusters(make_pipeline(CASED, tmp_path / "a")(word)) == [plain]
    nlp = make_pipeline(CASED, tmp_path / "b", casing=True)
    assert clusters(nlp(word)) == [cased]
    nlp.to_disk(tmp_path / "nlp")
    assert clusters(spacy.load(tmp_path / "nlp")(word)) == [cased]


def test_lower_case_comes_before_title_case(tmp_path):
    nlp = make_pipeline({"may": "0", "May": "1"}, tmp_path / "a", casing=True)
    assert clusters(nlp("MAY may May")) == ["0", "0", "1"]


def test_two_pipelines_see_their_own(nlp, tmp_path):
    other = make_pipeline(SECOND, tmp_path / "second")
    doc, other_doc = nlp(TEXT), other(TEXT)
    assert clusters(doc) == expected(FIRST)
    assert clusters(other_doc) == expected(SECOND)
    assert clusters(nlp(TEXT)) == expected(FIRST)
    assert clusters(spacy.blank("xx")(TEXT)) == [""] * 5


def test_doc_outlives_its_pipeline(tmp_path):
    doc = make_pipeline(FIRST, tmp_path / "first")(TEXT)
    gc.collect()
    assert clusters(doc) == expected(FIRST)


def test_docs_that_are_stored_or_made_anew(nlp):
    doc = nlp(TEXT)
    again = Doc(nlp.vocab).from_bytes(doc.to_bytes())
    (from_bin,) = DocBin(docs=[doc]).get_docs(nlp.vocab)
    assert clusters(again) == clusters(from_bin) == clusters(doc.copy()) == expected(FIRST)
    assert clusters(doc[1:3].as_doc()) == ["0110", "1"]
    assert clusters(Doc.from_docs([doc, doc])) == expected(FIRST) * 2
    assert doc.user_data == {}
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[0:2])
    assert clusters(doc) == ["", "1", "", ""]


def test_matcher(nlp):
    matcher = Matcher(nlp.vocab)
    matcher.add("NOUN", [[{"_": {"brown_cluster": {"REGEX": "^011"}}}]])
    matcher.add("VERB", [[{"_": {"brown_cluster": "1"}}]])
    doc = nlp("the cat sees the Dog")
    assert [span.text for span in matcher(doc, as_spans=True)] == ["cat", "sees", "Dog"]


@pytest.mark.parametrize("n_process", [1, 2])
def test_pipe(nlp, n_process):
    docs = list(nlp.pipe([TEXT] * 10, n_process=n_process, batch_size=2))
    assert [clusters(doc) for doc in docs] == [expected(FIRST)] * 10


def test_memory_zone(nlp):
    for text in ("zyx the", "the wvu cat"):
        with nlp.memory_zone():
            assert clusters(nlp(text)) == expected(FIRST, text)
    assert clusters(nlp(TEXT)) == expected(FIRST)


def test_bytes_disk_and_pickle(nlp, tmp_path):
    nlp.to_disk(tmp_path / "nlp")
    restored = [
        spacy.load(tmp_path / "nlp"),
        from_bytes(nlp),
        pickle.loads(pickle.dumps(nlp)),
    ]
    for other in restored:
        assert other.vocab is not nlp.vocab
        assert clusters(other(TEXT)) == expected(FIRST)
        assert other.get_pipe("brown_clusters").to_bytes() == nlp.get_pipe("brown_clusters").to_bytes()
    # The table is saved once, as a file that can be read
    assert (tmp_path / "nlp" / "brown_clusters" / "paths").read_text("utf-8").startswith("0010\tthe")
    files = [path for path in (tmp_path / "nlp").rglob("*") if path.is_file()]
    assert sum(b"0010\tthe" in path.read_bytes() for path in files) == 1


def from_bytes(nlp):
    other = spacy.blank("xx")
    other.add_pipe("brown_clusters")
    return other.from_bytes(nlp.to_bytes())


def test_component_alone(nlp, tmp_path):
    component = nlp.get_pipe("brown_clusters")
    other = spacy.blank("xx").add_pipe("brown_clusters")
    assert other.from_bytes(component.to_bytes()).table.rows == component.table.rows
    component.to_disk(tmp_path / "component")
    other = spacy.blank("xx").add_pipe("brown_clusters")
    assert other.from_disk(tmp_path / "component").table.rows == component.table.rows


def test_attributes_are_registered_by_what_is_loaded(nlp):
    data = pickle.dumps(nlp)
    for name in ("brown_cluster", "brown_prefix"):
        Token.remove_extension(name)
    assert clusters(pickle.loads(data)(TEXT)) == expected(FIRST)


def test_sourced_component(nlp, tmp_path):
    other = spacy.blank("xx")
    other.add_pipe("brown_clusters", source=nlp)
    assert clusters(other(TEXT)) == expected(FIRST)
    # It has its clusters: they need no path, and are seen in training, before it is called
    third, fourth = spacy.blank("xx"), spacy.blank("xx")
    for one in (third, fourth):
        one.add_pipe("brown_clusters", source=nlp)
    settings = {"path": str(save(FIRST, tmp_path / "again"))}
    fourth.config["initialize"]["components"]["brown_clusters"] = settings
    for one in (other, third, fourth):
        one.initialize()
        assert clusters(one.make_doc(TEXT)) == expected(FIRST)


def test_lookups_of_the_vocab_are_left_alone(nlp):
    assert "brown" not in "".join(nlp.vocab.lookups.tables)


def test_initialize_with_examples(tmp_path):
    nlp = spacy.blank("xx")
    component = nlp.add_pipe("brown_clusters")
    examples = [Example.from_dict(nlp.make_doc(TEXT), {})]
    component.initialize(lambda: examples, nlp=nlp, path=save(FIRST, tmp_path / "first"))
    assert clusters(nlp(TEXT)) == expected(FIRST)


def test_no_clusters():
    nlp = spacy.blank("xx")
    nlp.add_pipe("brown_clusters", name="mine")
    with pytest.raises(ValueError, match=r"NM146.*'mine'.*initialize\.components\.mine"):
        nlp(TEXT)
    with pytest.raises(ValueError, match="NM146"):
        nlp.initialize()


def test_bad_file_names_file_and_line(tmp_path):
    nlp = spacy.blank("xx")
    component = nlp.add_pipe("brown_clusters")
    path = tmp_path / "bad"
    path.write_text("0\tthe\t1\n2\ta\t1\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"NM143.*bad, line 2.*'2'"):
        component.initialize(lambda: [], path=path)
    with pytest.raises(ValueError, match=r"NM143.*brown_clusters\.from_bytes, line 1"):
        component.from_bytes(b"x\n")


def test_attribute_of_someone_else(nlp):
    Token.set_extension("brown_cluster", default="mine", force=True)
    try:
        with pytest.raises(ValueError, match="E090"):
            spacy.blank("xx").add_pipe("brown_clusters")
    finally:
        Token.remove_extension("brown_cluster")


def test_analysis_of_pipes(nlp):
    assigned = nlp.analyze_pipes()["summary"]["brown_clusters"]["assigns"]
    assert "token._.brown_cluster" in assigned
