"""Words are cut out of the token as it is written."""

from unicodedata import normalize

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from spacy_nonmono.multiword.division import Slice, apply, cut, divide, fits, key_of, lower, upper

# Letters that change their number with their case or their form, and some that do not
LETTERS = st.sampled_from([*"aeokIİıßŉçéñΣςσ'’ʼ", "e\u0301", "i\u0307", "ü", "ﬁ", "한", "한"])
texts = st.lists(LETTERS, min_size=1, max_size=6).map("".join)
FORMS = ("NFC", "NFD")


@pytest.mark.parametrize(
    "pairs",
    [
        ["du=de+le", "Du=De+le", "DU=DE+LE"],
        ["au=à+le", "Au=À+le", "AU=À+LE"],
        ["des=de+les", "Des=De+les"],
        ["della=di+la", "Della=Di+la", "DELLA=DI+LA"],
        ["dell'=di+l'", "dell’=di+l’", "DELLʼ=DI+Lʼ"],
        ["kitaptaki=kitapta+ki", "KİTAPTAKİ=KİTAPTA+Kİ", "İzmir'deki=İzmir'de+ki"],
        ["evdeki=evde+ki", "FIFA'daki=FIFA'da+ki", "FIFA’dakİ=FIFA’da+kİ"],
        ["öylece=öyle+ce", "o\u0308ylece=o\u0308yle+ce", "Öylece=Öyle+ce"],
        ["sessizce=ses+siz+ce", "Sessizce=Ses+siz+ce"],
        ["dá-lo-ei=darei+lo", "DÁ-LO-EI=DAREI+LO"],
        ["ballarlo=ballare+lo", "Ballarlo=Ballare+lo", "BALLARLO=BALLARE+LO"],
        ["στην=σ+την", "ΣΤΗΝ=Σ+ΤΗΝ", "Στην=Σ+την"],
    ],
)
def test_what_is_learnt_of_one_token_divides_the_others(pairs):
    tokens = [(form, words.split("+")) for form, _, words in (pair.partition("=") for pair in pairs)]
    for form, words in tokens:
        division = divide(form, words)
        for other, expected in tokens:
            assert fits(division, key_of(other), 0)
            assert apply(division, other) == expected


def test_words_of_decomposed_text():
    division = divide("au", ["à", "le"])
    assert apply(division, "au", decomposed=True) == ["a\u0300", "le"]
    division = divide("fazê-lo", ["fazer", "lo"])
    assert apply(division, "comê-lo") == apply(division, normalize("NFD", "comê-lo")) == ["comer", "lo"]


@given(st.lists(texts, min_size=1, max_size=4), st.sampled_from(FORMS), st.sampled_from(FORMS))
def test_parts_of_a_token(words, learnt, written):
    """Where the words are parts of the token, the joined words are the token, whatever it is written
    like."""
    form = "".join(words)
    # Letters of two words may become one
    assume("".join(normalize(learnt, word) for word in words) == normalize(learnt, form))
    assume(len(key_of(form)) == sum(len(key_of(word)) for word in words))
    division = divide(normalize(learnt, form), [normalize(learnt, word) for word in words])
    for changed in (form, upper(form), lower(form)):
        token = normalize(written, changed)
        if key_of(token) == key_of(form):  # a capital of "i" and a dot is one letter
            found = apply(division, token)
            assert "".join(found) == token
            assert [key_of(word) for word in found] == [key_of(word) for word in words]
    assert not division.added and all(isinstance(other, Slice) for other in division.others)


@given(texts, st.lists(texts, min_size=1, max_size=3))
def test_any_words(form, words):
    """The words come back, and the first one begins as the token does."""
    # Nothing that is put behind other letters becomes one letter with these
    assume(not {"i\u0307", "한"} & {*form, *words} and "\u0307" not in "".join(words))
    division = divide(form, words)
    assert fits(division, key_of(form), 0)
    found = apply(division, form)
    assert [key_of(word) for word in found] == [key_of(word) for word in words]
    stem = form[: cut(form, division.n_ending)]
    assert found[0].startswith(stem) and key_of(words[0]).startswith(key_of(stem))


@given(texts, st.sampled_from(FORMS))
def test_keys(text, written):
    form = normalize(written, text)
    key = key_of(form)
    assert key == key_of(normalize("NFC", form)) == key_of(key)
    assert len(key) == len(normalize("NFC", form)) == len(upper(normalize("NFC", form)))
    for n in range(len(key) + 1):
        place = cut(form, n)
        assert key_of(form[:place]) + key_of(form[place:]) == key
        assert len(key_of(form[place:])) == n
