"""What is wrong in a tree, and the sentence with it."""

import spacy
from spacy.tokens import Doc

from spacy_nonmono.drawing.trees import Tree, count_right, find_errors, read_tree, write_sentence
from spacy_nonmono.treebank.sentences import SurfaceToken

TREE = Tree((1, -1, 1, 1, 0), ("a", None, "b", "c", "d"))
GOLD = Tree((1, -1, 0, 1, None), ("x", None, "b", None, None))


def test_errors():
    assert find_errors(TREE, GOLD) == ["wrong-label", "", "wrong", "", None]
    assert find_errors(TREE, GOLD, [2, 4]) == ["wrong-label", "", None, "", None]
    assert find_errors(TREE, None) == [None] * 5
    assert count_right(find_errors(TREE, GOLD)) == "2 of 4 words with the right head and label"


def test_unknown_labels():
    vocab = spacy.blank("xx").vocab
    doc = Doc(vocab, words=["a", "b", "c"], heads=[1, 1, 1], deps=["_", "ROOT", ""])
    assert read_tree(doc, 0, 3) == Tree((1, -1, None), (None, None, None))


def test_tokens_are_links_to_wrong_words():
    tokens = [SurfaceToken(0, 3, "can't>", True, False), SurfaceToken(3, 4, "go", False, True)]
    tokens.append(SurfaceToken(4, 5, " ", False, False))
    text = write_sentence(tokens, TREE, ["", "wrong-label", "wrong", None, ""], name="t")
    assert text == (
        '<p class="text" dir="ltr"><a class="wrong" href="#t-3">can&#39;t&gt;</a>go ␣</p>'
    )
