"""Brown clustering against its definition."""

import itertools
import random

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_nonmono.lexical import brown
from spacy_nonmono.lexical.brown import bit_strings, mutual_information, train_brown, unit_exponent
from tests.naive.brown import information, naive_brown

WORDS = ["the", "a", "cat", "dog", "sees", "hears", "bird", ".", "and", "of"]


def check(sentences, n_clusters, min_count=1):
    """The same mergers as the definition makes, and as much information."""
    result = train_brown(sentences, n_clusters, min_count)
    n_bigrams = sum(
        sum(a in result.words and b in result.words for a, b in itertools.pairwise(sentence))
        for sentence in sentences
    )
    words, bigrams, steps, partition = naive_brown(
        sentences, n_clusters, min_count, unit_exponent(n_bigrams)
    )
    assert result.words == words
    assert list(map(tuple, result.merges.tolist())) == [step.merged for step in steps]
    for step in steps:
        assert step.after >= step.best - 2e-6 / max(n_bigrams, 1)
    assert result.mutual_information == pytest.approx(information(bigrams, partition), abs=1e-9)
    clusters = {tuple(members) for members in partition}
    assert group(result.bits) == clusters
    return result


def group(bits):
    """The sets of words that have the same string."""
    return {tuple(i for i, b in enumerate(bits) if b == string) for string in bits}


def corpus(n_sentences, n_words, seed):
    rng = random.Random(seed)
    weights = [1 / (rank + 1) for rank in range(n_words)]
    names = [f"w{i}" for i in range(n_words)]
    return [rng.choices(names, weights, k=rng.randint(1, 9)) for _ in range(n_sentences)]


def test_all_small_corpora():
    # Every sentence of five words over three types, and every pair of sentences of three words
    for words in itertools.product("abc", repeat=5):
        if len(set(words)) > 1:
            check([words], 2)
    for first, second in itertools.product(itertools.product("ab", repeat=3), repeat=2):
        if len({*first, *second}) > 1:
            check([first, second], 2)


@pytest.mark.parametrize("n_clusters", [2, 3, 5, 8, 20])
def test_larger_corpora(n_clusters):
    check(corpus(150, 20, n_clusters), n_clusters)


@settings(max_examples=60)
@given(st.data())
def test_any_corpus(data):
    sentences = data.draw(
        st.lists(st.lists(st.sampled_from(WORDS), max_size=8), min_size=1, max_size=12)
    )
    min_count = data.draw(st.integers(1, 3))
    counts = {word: sum(s.count(word) for s in sentences) for word in WORDS}
    n_types = sum(count >= min_count for count in counts.values())
    if n_types >= 2:
        check(sentences, data.draw(st.integers(2, n_types)), min_count)


def test_counts_past_the_table_of_logarithms():
    # 65,536 of them are looked up; more are computed
    sentences = [["a", "b"] * 40_000, ["c", "b", "a", "d"] * 3, ["d", "c", "d"]]
    check(sentences, 2)
    check(sentences, 3)


def test_words_and_their_order():
    result = train_brown([["b", "a", "c"], ["a", "b"], ["d"]], 2)
    assert result.words == ["a", "b", "c", "d"]
    assert result.counts == [2, 2, 1, 1]
    assert result.merges.shape == (3, 2)
    assert result.merges.dtype == numpy.int32


def test_no_bigram_across_sentences_or_words_that_are_left_out():
    apart = train_brown([["a"], ["b"], ["a"], ["b"]], 2)
    left_out = train_brown([["a", "x", "b"], ["a", "y", "b"]], 2, 2)
    assert apart.mutual_information == left_out.mutual_information == 0
    assert left_out.words == ["a", "b"]
    joined = train_brown([["a", "b", "a", "b"]], 2)
    assert joined.mutual_information > 0


def test_words_that_stand_alike_share_a_cluster():
    nouns = [("the", "cat"), ("the", "dog"), ("a", "cat"), ("a", "dog")]
    pairs = [*nouns, ("sees", "me"), ("hears", "me")]
    sentences = [[".", x, y, "."] for x, y in pairs for _ in range(5)]
    result = train_brown(sentences, 5)
    bits = dict(zip(result.words, result.bits, strict=True))
    assert bits["the"] == bits["a"]
    assert bits["cat"] == bits["dog"]
    assert bits["sees"] == bits["hears"]
    assert len(set(bits.values())) == 5


def test_bit_strings_are_paths_in_a_tree():
    result = train_brown(corpus(200, 30, 0), 9)
    strings = sorted(set(result.bits))
    assert len(strings) == 9
    assert sum(2.0 ** -len(string) for string in strings) == 1
    for a, b in itertools.permutations(strings, 2):
        assert not a.startswith(b)


def test_bits_follow_the_merges():
    sentences = corpus(200, 30, 1)
    result = train_brown(sentences, 9)
    assert bit_strings(result.merges, 9) == result.bits
    groups = group(result.bits)
    for n_clusters in range(8, 0, -1):
        bits = bit_strings(result.merges, n_clusters)
        merged = group(bits)
        older, younger = result.merges[len(result.words) - n_clusters - 1]
        expected = {members for members in groups if not {older, younger} & {members[0]}}
        both = [members for members in groups if members[0] in (older, younger)]
        assert merged == expected | {tuple(sorted(sum(both, ())))}
        assert all(
            long.startswith(short) for long, short in zip(result.bits, bits, strict=True)
        )
        groups = merged
    assert set(bit_strings(result.merges, 1)) == {""}


def test_sentences_may_come_once():
    sentences = corpus(50, 10, 2)
    again = train_brown(iter(sentences), 4)
    assert again.bits == train_brown(sentences, 4).bits


def test_order_of_sentences_does_not_matter():
    sentences = corpus(100, 15, 3)
    first, second = train_brown(sentences, 5), train_brown(sentences[::-1], 5)
    assert first.bits == second.bits
    assert first.mutual_information == second.mutual_information


def test_progress():
    calls = []
    train_brown(corpus(400, 200, 4), 3, progress=lambda done, total: calls.append((done, total)))
    assert len(calls) > 1
    assert calls == sorted(calls)
    assert calls[-1][0] == calls[-1][1]


def test_progress_may_raise():
    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_brown(corpus(50, 10, 5), 3, progress=stop)


@pytest.mark.parametrize("sentences", [[], [[]], [[], []]])
def test_no_words(sentences):
    with pytest.raises(ValueError, match="NM141"):
        train_brown(sentences, 2)


@pytest.mark.parametrize(
    ("n_clusters", "min_count", "n_types"), [(1, 1, 3), (4, 1, 3), (2, 2, 1), (2, 9, 0), (-1, 1, 3)]
)
def test_unsuitable_number_of_clusters(n_clusters, min_count, n_types):
    with pytest.raises(ValueError, match=f"NM142.*{n_clusters} clusters.*{n_types} word types"):
        train_brown([["a", "a", "b", "c"]], n_clusters, min_count)


def test_minimum_count():
    with pytest.raises(ValueError, match=r"NM147.* 0\."):
        train_brown([["a", "b"]], 2, 0)


def test_too_many_bigrams(monkeypatch):
    monkeypatch.setattr(brown, "MAX_BIGRAMS", 3)
    assert train_brown([["a", "b", "a", "b"]], 2).words == ["a", "b"]
    with pytest.raises(ValueError, match=r"NM147.*bigrams is 4\. Expected at most 3"):
        train_brown([["a", "b", "a", "b", "a"]], 2)


def test_units_fit_into_64_bits():
    for n in (0, 1, 10, 10**6, 2**31 - 1):
        assert n * n.bit_length() * 2 ** unit_exponent(n) <= 2**60
        assert unit_exponent(n) >= 20


def test_information_of_nothing():
    nothing = numpy.zeros(0, dtype="i")
    assert mutual_information(nothing, nothing, nothing) == 0
