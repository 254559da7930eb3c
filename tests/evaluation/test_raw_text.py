"""Scores from raw text: equal to the UD scorer's, and right on small examples."""

import io
from pathlib import Path

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.language import Language
from spacy.tokens import Doc

from spacy_nonmono.evaluation.alignment import (
    align_words,
    common_subsequence,
    count_differences,
    segment,
)
from spacy_nonmono.evaluation.names import DIFFERENCES, METRICS
from spacy_nonmono.evaluation.raw_text import (
    FUNCTION_LABELS,
    UNIVERSAL_FEATURES,
    evaluate_raw_text,
    score_raw_text,
    split_docs,
)
from spacy_nonmono.treebank.reader import read_sentences
from spacy_nonmono.treebank.sentences import Sentence, make_text
from spacy_nonmono.treebank.writer import conllu_text
from tests.conllu import sentences_of
from tests.treebanks import DEV_FILES, needs_treebanks
from tests.trees import trees

TAGS = ["NOUN", "VERB", "_"]
FEATS = ["_", "Case=Nom", "Case=Nom|Typo=Yes", "Case=Acc|Number=Sing"]
LABELS = ["nsubj", "nsubj:pass", "case", "det", "aux:pass", "punct", "conj"]

# A token: its form and its words, one for a multiword token of one word as well
Token = tuple[str, list[str] | None]


def conllu(*sentences: list[Token], columns=None, heads=None) -> str:
    """Sentences of tokens, each word attached to the one on its left unless heads are given. Columns
    of all words: LEMMA, UPOS, XPOS, FEATS, DEPREL."""
    columns, heads = iter(columns or ()), iter(heads or ())
    lines = []
    for sentence in sentences:
        number = 0
        for form, words in sentence:
            if words:
                span = f"{number + 1}-{number + len(words)}"
                lines.append("\t".join([span, form, *"_______", "SpaceAfter=No"]))
            for word in words or [form]:
                lemma, upos, xpos, feats, label = next(columns, (word, "NOUN", "N", "_", "conj"))
                head = next(heads, number)
                label = label if head else "root"
                number += 1
                row = [str(number), word, lemma, upos, xpos, feats, str(head), label, "_", "_"]
                lines.append("\t".join(row))
        lines.append("")
    return "\n".join([*lines, ""])


def parsed(text: str) -> list[Sentence]:
    return sentences_of(text)


def scores_of(gold: str, predicted: str):
    return score_raw_text(parsed(gold), parsed(predicted))


def check_with_ud_scorer(gold: str, predicted: str) -> None:
    """All numbers; where the UD scorer has 0 of nothing, there are none."""
    scorer = pytest.importorskip("udtools.udeval")
    scores = scores_of(gold, predicted)
    sides = (scorer.load_conllu(io.StringIO(text), "made-up", {}) for text in (gold, predicted))
    theirs = scorer.evaluate(*sides)
    for key, name in METRICS.items():
        expected = theirs[name]
        assert (scores[f"{key}_p"] or 0) == pytest.approx(expected.precision, abs=1e-9)
        assert (scores[f"{key}_r"] or 0) == pytest.approx(expected.recall, abs=1e-9)
        assert (scores[f"{key}_f"] or 0) == pytest.approx(expected.f1, abs=1e-9)
        if f"{key}_aligned" in scores:
            accuracy = scores[f"{key}_aligned"]
            assert (accuracy or 0) == pytest.approx(expected.aligned_accuracy or 0, abs=1e-9)
        else:
            assert expected.aligned_accuracy is None


@st.composite
def block_tokens(draw, letters: str, alphabet: str):
    """Tokens of a text, some of them multiword ones with words of any letters."""
    tokens = []
    while letters:
        size = draw(st.integers(1, len(letters)))
        form, letters = letters[:size], letters[size:]
        words = st.lists(st.text(alphabet, min_size=1, max_size=2), min_size=1, max_size=3)
        tokens.append((form, draw(words) if draw(st.booleans()) else None))
    return tokens


def first_stretch_only(gold: list[Token], predicted: list[Token]) -> tuple[list[Token], list[Token]]:
    """Multiword tokens where they overlap with one at the start of the block, else words: where the
    UD scorer does not depart from the definition (see `alignment`)."""
    sides = []
    for tokens in (gold, predicted):
        place, side = 0, []
        for form, words in tokens:
            side.append((place, place + len(form), form, words))
            place += len(form)
        sides.append(side)
    multiword = sorted(span for side in sides for span in side if span[3])
    end = 0
    for start, after, _, _ in multiword:
        if start < end or start == 0:
            end = max(end, after)
    if gold[0][1] is None and len(gold[0][0]) > end:
        end = 0
    one, other = (
        [(form, words if start < end else None) for start, _, form, words in side] for side in sides
    )
    return one, other


@st.composite
def annotated(draw, tokens: list[Token]) -> str:
    """Random sentences, tags and trees over tokens."""
    sentences, heads = [], []
    while tokens:
        size = draw(st.integers(1, len(tokens)))
        sentence, tokens = tokens[:size], tokens[size:]
        sentences.append(sentence)
        n_words = sum(len(words) if words else 1 for _, words in sentence)
        heads += [1 + head for head in draw(trees(n_words))]
    row = st.tuples(*map(st.sampled_from, (["a", "b", "_"], TAGS, ["X", "_"], FEATS, LABELS)))
    columns = draw(st.lists(row, min_size=len(heads), max_size=len(heads)))
    return conllu(*sentences, columns=columns, heads=heads)


@st.composite
def pairs_of_texts(draw):
    alphabet = draw(st.sampled_from(["aB", "abcDEF"]))
    gold, predicted = [], []
    for letters in draw(st.lists(st.text(alphabet, min_size=1, max_size=6), min_size=1, max_size=3)):
        blocks = [draw(block_tokens(letters, alphabet)) for _ in range(2)]
        for side, block in zip((gold, predicted), first_stretch_only(*blocks), strict=True):
            side += [*block, (".", None)]
    return draw(annotated(gold)), draw(annotated(predicted))


@given(pairs_of_texts())
def test_same_as_ud_scorer(pair):
    check_with_ud_scorer(*pair)


@pytest.mark.filterwarnings(r"ignore:\[NM583\]")
@given(pairs_of_texts(), st.data())
def test_same_as_ud_scorer_on_similar_trees(pair, data):
    """Random trees share little: here the prediction is the gold one with some columns changed."""
    gold, _ = pair
    lines = gold.splitlines(keepends=True)
    for number, line in enumerate(lines):
        columns = line.split("\t")
        if len(columns) > 1 and "-" not in columns[0] and data.draw(st.integers(0, 3)) == 0:
            column, values = data.draw(
                st.sampled_from([(2, ["a", "b"]), (3, TAGS), (5, FEATS), (7, LABELS)])
            )
            columns[column] = data.draw(st.sampled_from(values))
            lines[number] = "\t".join(columns)
    check_with_ud_scorer(gold, "".join(lines))


DELLA = [("vita", None), ("della", ["di", "la"]), ("donna", None), (".", None)]


@pytest.mark.parametrize(
    ("gold", "predicted"),
    [
        (DELLA, [("vita", None), ("della", None), ("donna", None), (".", None)]),
        (DELLA, [("vita", None), ("del", None), ("la", None), ("donna", None), (".", None)]),
        (DELLA, [("vita", None), ("della", ["de", "La"]), ("donna", None), (".", None)]),
        # Over the edges of the multiword token
        (DELLA, [("vitade", None), ("lladonna", None), (".", None)]),
        (DELLA, [("vitade", None), ("lla", None), ("donna.", None)]),
        (DELLA, [("vita", None), ("dell", ["di", "la"]), ("adonna", ["la", "donna"]), (".", None)]),
        (DELLA, [("vitadelladonna.", None)]),
        (DELLA, [("vitadelladonna.", ["donna", "la", "vita"])]),
        # Spaces inside of a word, and a multiword token of one word
        ([("10 000", None), ("m", ["m"])], [("10", None), ("000", None), ("m", None)]),
        ([("ab", None), ("ab", None)], [("a", None), ("b", None), ("ab", None)]),
    ],
)
def test_small_cases_as_ud_scorer(gold, predicted):
    check_with_ud_scorer(conllu(gold), conllu(predicted))
    check_with_ud_scorer(conllu(predicted), conllu(gold))


def test_same_labels_and_features_as_ud_scorer():
    scorer = pytest.importorskip("udtools.udeval")
    assert scorer.FUNCTIONAL_DEPRELS == FUNCTION_LABELS
    assert scorer.UNIVERSAL_FEATURES == UNIVERSAL_FEATURES


def align(gold: list[Token], predicted: list[Token]) -> list[int]:
    sides = (segment(parsed(conllu(side))) for side in (gold, predicted))
    return align_words(*sides).tolist()


def test_multiword_tokens_are_aligned_by_their_words():
    vita, donna = ("vita", None), ("donna.", None)
    assert align(DELLA, [vita, ("del", None), ("la", None), donna]) == [0, -1, 2, -1]
    assert align(DELLA, [vita, ("della", None), ("donna", None), (".", None)]) == [0, -1, 3, 4]
    assert align([("Dont", ["do", "n't"])], [("Do", None), ("nt", None)]) == [0, -1]


def test_words_at_the_edges_of_a_stretch():
    """They are not of it; the UD scorer aligns these."""
    gold = [("aab", None), ("c", ["b", "c"])]
    assert align(gold, [("a", None), ("a", None), ("b", None), ("c", None)]) == [-1, -1, -1, 2]
    longer, multiword = [("bb", None)], [("b", ["bb"]), ("b", None)]
    assert align(longer, multiword) == [-1, -1]
    assert align(multiword, longer) == [-1]


def test_common_subsequence():
    assert list(common_subsequence(list("xabcy"), list("bacz"))) == [(2, 0), (3, 2)]
    assert list(common_subsequence(list("xx"), list("x"))) == [(0, 0)]
    assert list(common_subsequence([], ["x"])) == []


def test_differences():
    """Of the pieces in which words are not aligned, the smallest."""
    tokens = [("La", None), *DELLA, ("la", None), *DELLA, ("don't", ["do", "n't"]), ("1°", None)]
    found = [
        ("La", None),
        ("vita", None),
        ("del", None),
        ("la", None),
        ("donna.", None),
        ("lavita", None),
    ]
    found += [
        ("della", None),
        ("donna", None),
        (".", None),
        ("do", None),
        ("n't", None),
        ("1", None),
        ("°", None),
    ]
    gold, predicted = (segment(parsed(conllu(side))) for side in (tokens, found))
    differences = count_differences(gold, predicted, align_words(gold, predicted))
    assert dict(differences) == {
        ("di la", "del la"): 1,
        ("donna .", "donna."): 1,
        ("la vita", "lavita"): 1,
        ("di la", "della"): 1,
        ("1°", "1 °"): 1,
    }
    assert not count_differences(gold, gold, align_words(gold, gold))


def test_other_text():
    with pytest.raises(ValueError, match=r"\[NM177\].* after 12 characters.*'a', .*'na\.'"):
        scores_of(conllu(DELLA), conllu([("vita", None), ("delladona", None)]))


def test_counts():
    """`della` is not aligned with its two words; everything else has its head and its label."""
    gold = conllu(
        [("La", None), ("casa", None), ("della", ["di", "la"]), ("donna", None)],
        heads=[2, 0, 5, 5, 2],
        columns=[
            ("il", "DET", "RD", "Case=Nom", "det"),
            ("casa", "NOUN", "S", "Number=Sing|Typo=Yes", "root"),
            ("di", "ADP", "E", "_", "case"),
            ("il", "DET", "RD", "_", "det"),
            ("_", "NOUN", "S", "_", "nmod"),
        ],
    )
    predicted = conllu(
        [("La", None), ("casa", None), ("della", None), ("donna", None)],
        heads=[2, 0, 4, 2],
        columns=[
            ("il", "DET", "RD", "_", "det:poss"),
            ("case", "NOUN", "S", "Number=Sing", "root"),
            ("della", "ADP", "E", "_", "case"),
            ("donna", "NOUN", "X", "_", "nmod:poss"),
        ],
    )
    check_with_ud_scorer(gold, predicted)
    scores = scores_of(gold, predicted)
    assert scores["tokens_f"] == scores["sents_f"] == 1.0
    assert (scores["words_p"], scores["words_r"]) == (3 / 4, 3 / 5)
    assert scores["upos_aligned"] == scores["las_aligned"] == 1.0
    assert scores["xpos_aligned"] == scores["ufeats_aligned"] == scores["lemmas_aligned"] == 2 / 3
    assert scores["alltags_r"] == 1 / 5
    assert scores["las_f"] == 6 / 9
    assert scores["clas_f"] == 1.0
    # `casa` has the wrong determiner, `donna` has other function words
    assert scores["mlas_f"] == 0.0
    assert scores["blex_f"] == 1 / 2


def test_unknown_heads_are_left_out():
    gold = conllu([("a", None), ("b", None), ("c", None)]).replace("\t1\tconj", "\t_\t_")
    scores = scores_of(gold, conllu([("a", None), ("b", None), ("c", None)]))
    assert scores["upos_f"] == scores["uas_f"] == scores["clas_f"] == scores["uas_aligned"] == 1.0
    wrong = scores_of(gold, conllu([("a", None), ("b", None), ("c", None)], heads=[2, 0, 2]))
    assert wrong["uas_p"] == wrong["uas_r"] == 1 / 2


def test_unknown_heads_predicted():
    tokens = [("a", None), ("b", None)]
    scores = scores_of(conllu(tokens), conllu(tokens).replace("\t0\troot", "\t_\t_"))
    assert scores["words_f"] == 1.0
    assert scores["uas_f"] == 1 / 2


MARKED = """\
# newdoc
# newpar
1\tGo\tgo\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No
2\t!\t!\tPUNCT\t.\t_\t1\tpunct\t_\t_

1-2\tdella\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
1\tdi\tdi\tADP\tE\t_\t0\troot\t_\t_
2\tla\til\tDET\tRD\t_\t1\tdet\t_\t_
3\t.\t.\tPUNCT\t.\t_\t1\tpunct\t_\t_

# newpar id = 2
1\tYes\tyes\tINTJ\tUH\t_\t0\troot\t_\t_

"""


def test_texts_of_paragraphs():
    docs = split_docs(parsed(MARKED), 1)
    assert [make_text(group) for group in docs] == ["Go! della.", "Yes"]
    tight = split_docs(parsed(MARKED.replace("# new", "#new")), 1)
    assert [make_text(group) for group in tight] == ["Go! della.", "Yes"]
    # Behind the last word there is nothing to mark
    behind = split_docs(parsed(MARKED.replace("# new", "# ") + "# newdoc id = x\n\n"), 1)
    assert [make_text(group) for group in behind] == ["Go!", "della.", "Yes"]


def test_texts_of_sentences():
    sentences = parsed(MARKED.replace("# new", "# "))
    assert [make_text(group) for group in split_docs(sentences, 2)] == ["Go! della.", "Yes"]
    assert [len(group) for group in split_docs(sentences * 5, 10)] == [10, 5]
    assert [len(group) for group in split_docs(sentences, 10)] == [3]


@Language.component("test_tagging_parser", assigns=["token.head", "token.pos"])
def tagging_parser(doc: Doc) -> Doc:
    """Whitespace is the root of everything in front of it."""
    ends = [token.i for token in doc if token.text == "." or token.is_space] or [len(doc) - 1]
    heads = [next((end for end in ends if end >= i), ends[-1]) for i in range(len(doc))]
    return Doc(
        doc.vocab,
        words=[token.text for token in doc],
        spaces=[bool(token.whitespace_) for token in doc],
        heads=heads,
        deps=["ROOT" if head == i else "det" for i, head in enumerate(heads)],
        pos=["SPACE" if token.is_space else "NOUN" for token in doc],
    )


def tagging_pipeline() -> Language:
    nlp = spacy.blank("en")
    nlp.add_pipe("test_tagging_parser")
    return nlp


SPACES = """\
1\tten\tten\tNOUN\tNN\t_\t2\tdet\t_\t_
2\tthousand\t_\tNOUN\tNN\t_\t0\troot\t_\tSpaceAfter=No
3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

1\t10\u00a0000\t10000\tNUM\tCD\t_\t2\tnummod\t_\t_
2\tdogs\tdog\tNOUN\tNNS\tNumber=Plur\t0\troot\t_\t_

"""


def test_pipeline(tmp_path):
    """What the pipeline gives is written and read as the UD scorer would read it; a no-break space,
    which is a token and a root in spaCy, is no word."""
    path = tmp_path / "made-up.conllu"
    path.write_text(SPACES, encoding="utf-8")
    nlp = tagging_pipeline()
    scores = evaluate_raw_text(nlp, path)
    assert (scores["n_words"], scores["n_sents"]) == (5, 2)
    assert scores["words_per_second"] > 0
    # ten, thousand, ., 10, 000, dogs
    assert (scores["tokens_p"], scores["tokens_r"]) == (4 / 6, 4 / 5)
    assert scores["upos_r"] == 3 / 5
    assert scores["sents_f"] == 1.0
    predicted = conllu_text(nlp("ten thousand. 10\u00a0000 dogs"))
    check_with_ud_scorer(SPACES, predicted)
    assert {**scores_of(SPACES, predicted), **scores} == scores
    assert scores[DIFFERENCES] == [{"gold": "10\u00a0000", "predicted": "10 000", "count": 1}]


def test_multiword_tokens_as_one_word(tmp_path):
    path = tmp_path / "made-up.conllu"
    path.write_text(conllu(DELLA, [("I", None), ("don't", ["do", "n't"])]).replace("SpaceAfter=No", "_"))
    split, merged = (
        evaluate_raw_text(tagging_pipeline(), path, multiword=multiword)
        for multiword in ("split", "merge")
    )
    assert (split["n_words"], merged["n_words"]) == (8, 7)
    assert split["words_r"] == 6 / 8 and merged["words_r"] == 1.0
    assert split[DIFFERENCES] == [{"gold": "di la", "predicted": "della", "count": 1}]
    assert merged[DIFFERENCES] == [] and merged["merged"]


def test_pipeline_without_parser(tmp_path):
    path = tmp_path / "made-up.conllu"
    path.write_text(SPACES, encoding="utf-8")
    scores = evaluate_raw_text(spacy.blank("en"), path)
    assert scores["tokens_p"] == 4 / 6
    assert scores["uas_f"] == scores["sents_f"] == 0.0


@needs_treebanks
@pytest.mark.parametrize("path", DEV_FILES, ids=lambda path: path.parent.name)
def test_real_text_as_ud_scorer(path: Path):
    """The first documents of a treebank, through a tokenizer and a parser of simple rules."""
    sentences = list(read_sentences(path))[:200]
    texts = [make_text(group) for group in split_docs(sentences, 10)]
    predicted = "".join(map(conllu_text, tagging_pipeline().pipe(texts)))
    gold = path.read_text("utf-8").split("\n\n")[: len(sentences)]
    check_with_ud_scorer("\n\n".join([*gold, ""]), predicted)
