"""What is in a treebank, against counting word by word."""

from itertools import chain

from hypothesis import given
from hypothesis import strategies as st

from spacy_nonmono.treebank.sentences import Sentence
from spacy_nonmono.treebank.summary import find_depths, summarize
from tests.test_projectivity import naive_crossing_arcs, partial_trees


@st.composite
def sentences(draw):
    heads = draw(partial_trees().filter(bool))
    rows = []
    for number, head in enumerate(heads, start=1):
        form, upos, xpos, label = (draw(st.sampled_from(choice)) for choice in ("abA", "X_", "x_", "l_"))
        written = "_" if head is None else str(head + 1)
        rows.append([str(number), form, "_", upos, xpos, "_", written, label, "_", "_"])
    return Sentence([["# a comment"], *rows, [""]])


def depth(heads, word):
    above = heads[word]
    return 0 if above is None or above < 0 else 1 + depth(heads, above)


@given(partial_trees())
def test_depths(heads):
    assert find_depths(heads) == [depth(heads, word) for word in range(len(heads))]


@given(st.lists(sentences()))
def test_same_as_counting(given_sentences):
    found = summarize(given_sentences)
    words = list(chain.from_iterable(one.words for one in given_sentences))
    heads = [one.heads for one in given_sentences]
    arcs = [
        (head, word, columns[7] if head >= 0 else "root")
        for one in given_sentences
        for word, (head, columns) in enumerate(zip(one.heads, one.words, strict=True))
        if head is not None
    ]
    labels = [label for _, _, label in arcs]
    lengths = [abs(head - word) for head, word, _ in arcs if head >= 0]
    crossing = [
        one.words[word][7] for one in given_sentences for word in naive_crossing_arcs(one.heads)
    ]
    depths = [max(depth(some, word) for word in range(len(some))) for some in heads]
    tags = [columns[3] if columns[3] != "_" else columns[4] for columns in words]
    assert (found.n_sentences, found.n_words) == (len(heads), len(words))
    assert found.n_types == len({columns[1] for columns in words})
    assert found.n_unknown == len(words) - len(arcs) and found.n_unlabelled == labels.count("_")
    assert found.labels == {label: labels.count(label) for label in {*labels} - {"_"}}
    assert found.crossing == {label: crossing.count(label) for label in crossing}
    assert found.n_nonprojective == sum(bool(naive_crossing_arcs(some)) for some in heads)
    assert found.tags == {tag: tags.count(tag) for tag in {*tags} - {"_"}}
    assert found.longest_sentence == max(map(len, heads), default=0)
    assert (found.longest_arc, found.deepest) == (max(lengths, default=0), max(depths, default=0))
    assert found.mean_arc == (sum(lengths) / len(lengths) if lengths else None)
    assert found.mean_depth == (sum(depths) / len(depths) if depths else None)
