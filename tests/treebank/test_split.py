"""A treebank in parts: nothing is lost, nothing is twice, and each part is read as before."""

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_nonmono.treebank.reader import read_sentences
from spacy_nonmono.treebank.sentences import sentence_text
from spacy_nonmono.treebank.split import divide, part_text

PARTS = ("train", "dev", "test")
COLUMNS = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC"


def row(number, form, head="_", more=()):
    return "\t".join([number, form, *"____", head, "dep", "_", "_", *more])


@st.composite
def files(draw):
    """Lines of sentences with comments, multiword tokens, empty nodes, documents and more columns."""
    kind = draw(st.sampled_from(["plain", "documents", "plus"]))
    more = ["x"] if kind == "plus" else []
    lines = [f"# global.columns = {COLUMNS} MORE"] if more else []
    for number in range(draw(st.integers(0, 12))):
        if kind == "documents" and draw(st.booleans()):
            lines.append(f"# newdoc id = {number}")
        lines += draw(st.lists(st.sampled_from(["# a", "#", "# sent_id = 1"]), max_size=2))
        if draw(st.booleans()):
            lines.append(row("0.1", "nil", more=more))
        n_words = draw(st.integers(1, 3))
        range_at = draw(st.integers(1, 4))
        for word in range(1, n_words + 1):
            if word == range_at and word < n_words:
                lines.append(row(f"{word}-{word + 1}", "both", more=more))
            form = draw(st.sampled_from("ab"))
            # A second root is copied, too
            lines.append(row(str(word), form, draw(st.sampled_from("0_")), more))
            if draw(st.integers(0, 5)) == 0:
                lines.append(row(f"{word}.1", "nil", more=more))
        lines += [""] * draw(st.integers(1, 2))
    return lines + draw(st.lists(st.sampled_from(["# the end", "", " "]), max_size=2))


def texts_of(path):
    return [sentence_text(one) for one in read_sentences(path)]


def without_header(lines):
    return [line for line in lines if not line.startswith(("# global.columns", "# newdoc"))]


@pytest.mark.filterwarnings(r"ignore:\[NM58[0-9]\]")
@given(files(), st.integers(0, 5), st.sampled_from([(0.1, 0.1), (0.5, 0.4), (0.3, 0.0)]))
def test_parts_together_are_the_file(lines, seed, given_shares):
    shares = {part: share for part, share in zip(PARTS[1:], given_shares, strict=True) if share}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "all.conllu"
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        whole = list(read_sentences(path))
        n_documents = len(_documents(whole))
        n_units = n_documents if n_documents > len(shares) else len({tuple(o.forms) for o in whole})
        if n_units <= len(shares):
            with pytest.raises(ValueError, match=r"\[NM215\]"):
                divide(path, shares, seed=seed)
            return
        parts, by_documents = divide(path, shares, seed=seed)
        assert set(parts) == {"train", *shares} and all(parts.values())
        assert divide(path, shares, seed=seed).parts == parts
        placed: Counter[tuple[str, str]] = Counter()
        for part, some in parts.items():
            file = Path(folder) / f"{part}.conllu"
            file.write_text(part_text(some), encoding="utf-8")
            # In the order of the file, as it was read; then what each word has is the same, too
            again = texts_of(file)
            texts = iter(texts_of(path))
            assert len(again) == len(some)
            for text in map(_plain, again):
                assert text in map(_plain, texts)
            placed.update(in_documents(read_sentences(file)))
        assert placed == Counter(in_documents(whole))
    found = [line for some in parts.values() for one in some for line in without_header(one.lines)]
    assert Counter(filter(str.strip, found)) == Counter(filter(str.strip, without_header(lines)))
    assert sum(map(len, parts.values())) == len(whole)
    key = (lambda one: one.document) if by_documents else (lambda one: one.words)
    assert by_documents == (n_documents > len(shares))
    sides = [{key(one) for one in some} for some in parts.values()]
    assert sum(map(len, sides)) == len(set.union(*sides))


def in_documents(sentences):
    """Each sentence with the mark of its document."""
    mark = ""
    for one in sentences:
        mark = next((comment for comment in one.comments if comment.startswith("# newdoc")), mark)
        yield mark, str(one.words)


def _documents(sentences):
    found = [0]
    for one in sentences:
        found.append(found[-1] + any(comment.startswith("# newdoc") for comment in one.comments))
    return set(found[1:])


def _plain(text):
    return without_header(filter(str.strip, text.split("\n")))


def test_shares(tmp_path):
    path = tmp_path / "all.conllu"
    lines = [line for n in range(100) for line in (row("1", f"w{n}", "0").replace("dep", "root"), "")]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    parts, _ = divide(path, {"dev": 0.1, "test": 0.2})
    assert {part: len(some) for part, some in parts.items()} == {"train": 70, "dev": 10, "test": 20}
    assert divide(path, {"dev": 0.1, "test": 0.2}, seed=1).parts != parts


def test_documents_without_words(tmp_path):
    """Their marks divide no other document."""
    path = tmp_path / "a.conllu"
    one = row("1", "a", "0").replace("dep", "root") + "\n\n"
    text = ""
    for name in "abc":
        text += f"# newdoc id = {name}\n{one * 4}# newdoc id = {name}-empty\n\n"
    path.write_text(text)
    division = divide(path, {"dev": 0.3, "test": 0.3})
    assert division.by_documents
    assert {part: len(some) for part, some in division.parts.items()} == dict.fromkeys(PARTS, 4)
