"""What is asked for, and what remains of the answers."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_nonmono.treebank.reader import read_sentences
from spacy_nonmono.treebank.selection import (
    ASKED,
    MEASURES,
    N_WORDS,
    RANDOM,
    WORDS,
    read_answers,
    select,
)
from spacy_nonmono.treebank.sentences import (
    COLUMNS,
    DEPREL,
    EMPTY,
    HEAD,
    MISC,
    Sentence,
    read_confidence,
)
from spacy_nonmono.treebank.writer import write_sentences


@st.composite
def parsed(draw):
    """Sentences with the scores of their arcs, some of them the same."""
    rng = random.Random(draw(st.integers(0, 10**6)))
    found = []
    for number in range(draw(st.integers(1, 6))):
        rows = [[f"# newdoc id = {number}"]] * rng.randint(0, 1) + [[f"# sent_id = {number}"]]
        for word in range(1, draw(st.integers(1, 9)) + 1):
            head = "0" if word == 1 else str(rng.randrange(1, word))
            misc = rng.choice(["", "SpaceAfter=No|", "x=y|"]) + f"Conf={rng.random():.3f}"
            form = rng.choice("ab")
            rows.append([str(word), form, *["_"] * 4, head, "root" if head == "0" else "dep", "_", misc])
        found.append(Sentence(rows))
    return found


def without_marks(sentence):
    return [[*word[:MISC], word[MISC].removesuffix(f"|{ASKED}")] for word in sentence.words]


@given(parsed(), st.sampled_from(MEASURES), st.integers(0, 6))
def test_more_columns(tmp_path_factory, sentences, by, n_plain):
    """Those of CoNLL-U Plus, told above one sentence of the file."""
    folder = tmp_path_factory.mktemp("selection")
    for number, sentence in enumerate(sentences):
        for word in sentence.words:
            word += [f"more{number}"] * (number >= n_plain)
        if number == n_plain:
            sentence.rows.insert(0, [f"# global.columns = {' '.join(COLUMNS)} MORE"])
    write_sentences(folder / "parsed.conllu", sentences)
    chosen = list(select(folder / "parsed.conllu", 20, by=by))
    write_sentences(folder / "chosen.conllu", chosen)
    read = list(read_sentences(folder / "chosen.conllu"))
    assert [one.words for one in read] == [one.words for one in chosen]
    assert len(list(read_answers(folder / "chosen.conllu"))) == len(chosen)


def test_marks_of_an_earlier_choice_are_gone(tmp_path):
    rows = [[str(n), "a", *["_"] * 4, "0", "root", "_", f"{ASKED}|Conf=0.{n}00"] for n in range(1, 9)]
    for row in rows[1:]:
        row[HEAD], row[DEPREL] = "1", "dep"
    write_sentences(tmp_path / "parsed.conllu", [Sentence(rows)])
    (chosen,) = select(tmp_path / "parsed.conllu", 1)
    assert sum(word[MISC].count(ASKED) for word in chosen.words) == N_WORDS


def marks_and_names(path):
    mark = "# newdoc"
    for sentence in read_sentences(path):
        mark = next((one for one in sentence.comments if one.startswith("# newdoc")), mark)
        yield mark, sentence.sent_id


@given(parsed(), st.integers(1, 40), st.sampled_from(MEASURES), st.integers(0, 3))
def test_laws(tmp_path_factory, sentences, n_heads, by, n_known):
    folder = tmp_path_factory.mktemp("selection")
    write_sentences(folder / "parsed.conllu", sentences)
    known = sentences[:n_known]
    write_sentences(folder / "known.conllu", known)
    without = [folder / "known.conllu"] if known else []
    chosen = list(select(folder / "parsed.conllu", n_heads, by=by, without=without))
    forms = [tuple(one.forms) for one in chosen]
    rest = {tuple(one.forms) for one in sentences} - {tuple(one.forms) for one in known}
    # Each sentence once, and none that is known; its tree is that of the parser
    assert len(set(forms)) == len(forms) and set(forms) <= rest
    trees = [one.words for one in sentences]
    assert all(without_marks(one) in trees for one in chosen)
    # In its document
    write_sentences(folder / "chosen.conllu", chosen)
    places = {name: mark for mark, name in marks_and_names(folder / "parsed.conllu")}
    assert all(places[name] == mark for mark, name in marks_and_names(folder / "chosen.conllu"))
    # As many words as were wanted, if there are so many
    asked = [[ASKED in word[MISC].split("|") for word in one.words] for one in chosen]
    n_asked = sum(map(sum, asked))
    assert n_asked >= n_heads or set(forms) == rest
    assert not chosen or n_asked - sum(asked[-1]) < n_heads
    for sentence, those in zip(chosen, asked, strict=True):
        scores = read_confidence(sentence)
        least = min(N_WORDS, len(scores)) if by == WORDS else len(scores)
        assert sum(those) == least
        sure = [score for score, is_asked in zip(scores, those, strict=True) if not is_asked]
        assert not sure or min(sure) >= max(s for s, one in zip(scores, those, strict=True) if one)
    # What comes back has the answers, and no guesses; all else is as it was. In any tree: an answer may
    # close a cycle with guesses, or be another root
    for sentence, those in zip(chosen, asked, strict=True):
        tree = answer_tree(len(those), those.index(True))
        for word, is_asked, head in zip(sentence.words, those, tree, strict=True):
            if is_asked:
                word[HEAD], word[DEPREL] = str(head), "root" if head == 0 else "answer"
    path = folder / "asked.conllu"
    write_sentences(path, chosen)
    answers = list(read_answers(path))
    assert len(answers) == len(chosen)
    for answer, sentence, those in zip(answers, chosen, asked, strict=True):
        for word, before, is_asked in zip(answer.words, sentence.words, those, strict=True):
            arc = before[HEAD], before[DEPREL]
            assert (word[HEAD], word[DEPREL]) == (arc if is_asked else (EMPTY, EMPTY))
            assert word[:HEAD] == before[:HEAD] and "Conf" not in word[MISC]
            assert ("SpaceAfter=No" in word[MISC]) == ("SpaceAfter=No" in before[MISC])
    again = folder / "again.conllu"
    write_sentences(again, answers)
    assert [one.words for one in read_answers(again)] == [one.words for one in answers]


def answer_tree(n_words, root):
    """The root, and all other words under it."""
    return [0 if word == root else root + 1 for word in range(n_words)]


def test_the_least_certain_first(tmp_path):
    scores = [(0.9, 0.2), (0.5, 0.5), (0.1, 0.8)]
    rows = [
        [[str(i + 1), f"w{n}", *["_"] * 4, str(i), label, "_", f"Conf={score}"]
         for i, (score, label) in enumerate(zip(those, ("root", "dep"), strict=True))]
        for n, those in enumerate(scores)
    ]  # fmt: skip
    path = tmp_path / "parsed.conllu"
    write_sentences(path, map(Sentence, rows))
    found = [one.forms[0] for one in select(path, 4)]
    assert found == ["w2", "w1"]
    assert len({tuple(one.forms[0] for one in select(path, 6, by=RANDOM, seed=n)) for n in range(9)}) > 1


def test_what_nobody_looked_at_is_unknown(tmp_path):
    """Of a parsed sentence without marks, and of a word whose mark was removed; not of other trees."""
    path = tmp_path / "back.conllu"
    row = "{}\ta\t_\t_\t_\t_\t{}\t{}\t_\t{}\n"
    root, other = row.format(1, 0, "root", "{}"), row.format(2, 1, "dep", "{}")
    marked = root.format("Conf=0.9|asked=yes") + other.format("Conf=0.1") + "\n"
    forgotten = root.format("Conf=0.9") + other.format("Conf=0.1") + "\n"
    cleared = root.format(ASKED) + other.format("_") + "\n"
    path.write_text(marked + forgotten + cleared + root.format("_") + other.format("_") + "\n", "utf-8")
    heads = [[word[HEAD] for word in one.words] for one in read_answers(path)]
    assert heads == [["0", "_"], ["_", "_"], ["0", "_"], ["0", "1"]]


def test_without_confidence(tmp_path):
    path = tmp_path / "trees.conllu"
    path.write_text("1\tdogs\t_\t_\t_\t_\t0\troot\t_\t_\n\n", "utf-8")
    with pytest.raises(ValueError, match=r"\[NM118\].*trees.conllu.*'dogs'"):
        list(select(path, 1))
    assert len(list(select(path, 1, by=RANDOM))) == 1
