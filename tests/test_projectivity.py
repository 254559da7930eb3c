"""Non-projective arcs against the definition."""

from hypothesis import given
from hypothesis import strategies as st

from spacy_nonmono.tokens.projectivity import crossing_arcs


@st.composite
def partial_trees(draw, max_words=9):
    """Heads of a tree of one or several roots, some of them unknown."""
    n_words = draw(st.integers(0, max_words))
    order = draw(st.permutations(range(n_words)))
    heads: list[int | None] = [-1] * n_words
    for place, word in enumerate(order):
        heads[word] = draw(st.sampled_from([-1, None, *order[:place]]))
    return heads


def naive_crossing_arcs(heads):
    def lies_under(word, ancestor):
        """True, False, or None if an unknown head hides the answer."""
        while word != ancestor:
            if word is None or word == -1:
                return None if word is None else False
            word = heads[word]
        return True

    return {
        word
        for word, head in enumerate(heads)
        if head is not None
        and head != -1
        and any(
            lies_under(between, head) is False for between in range(min(word, head) + 1, max(word, head))
        )
    }


@given(partial_trees())
def test_same_as_definition(heads):
    assert crossing_arcs(heads) == naive_crossing_arcs(heads)


def test_examples():
    assert crossing_arcs([]) == set()
    assert crossing_arcs([1, -1, 1]) == set()
    assert crossing_arcs([2, -1, 1]) == {0}  # over the root
    assert crossing_arcs([2, 3, -1, 2]) == {1}
    assert crossing_arcs([3, -1, 0, 1]) == {0, 2}
    assert crossing_arcs([-1, None, 0]) == set()  # is the word between a descendant?
    assert crossing_arcs([1, 0, 2]) == set()  # cycles prove nothing
