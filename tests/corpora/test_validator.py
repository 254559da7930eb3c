"""What is written of raw text, in every format that is read, is valid for the validator of Universal
Dependencies."""

import json
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin

from spacy_nonmono.corpora.documents import InputSettings, read_inputs
from spacy_nonmono.corpora.parsing import ConlluWriter, Failed, parse_inputs
from spacy_nonmono.treebank.corpus import create_conllu_corpus
from tests.multiword.util import FRENCH
from tests.pipeline.util import blank, randomize

TEXTS = ["Il parle du  temps.", "\u00a0Il dort. Du\u00a0temps !\n\n\tParle  \n", "temps\u2028du / # 1"]
ROW = "{}\t{}\t_\tC\t_\t_\t{}\t{}\t_\t_\n"
ROWS = ROW.format(1, "a", 0, "root") + ROW.format(2, "b", 1, "dep")


@Language.component("test_tagger")
def tag(doc: Doc) -> Doc:
    for token in doc:
        token.pos_ = "SPACE" if token.is_space else "PUNCT" if token.is_punct else "NOUN"
        if token.pos_ == "NOUN":
            token.set_morph("NumType=Card|Number=Sing|Case=Nom,Acc")
    return doc


@pytest.fixture(scope="module")
def nlp(tmp_path_factory) -> Language:
    """With random trees, of which some cross, and the words of "du"."""
    folder = tmp_path_factory.mktemp("pipeline")
    (folder / "a.conllu").write_text(FRENCH, "utf-8")
    nlp = blank("covington_nonmonotonic")
    nlp.add_pipe("multiword_tokens")
    nlp.initialize(lambda: list(create_conllu_corpus(folder / "a.conllu", multiword="merge")(nlp)))
    randomize(nlp, seed=1)
    nlp.add_pipe("test_tagger", first=True)
    return nlp


def write_inputs(folder: Path) -> dict[str, tuple[str, InputSettings]]:
    """A file of each format, by what is tried."""
    lines = "\n".join(" ".join(text.split()) for text in TEXTS * 4)
    (folder / "a.txt").write_text("\ufeff" + lines, "utf-8")
    rows = [json.dumps({"text": text, "id": f"a b/{i}"}) for i, text in enumerate(TEXTS)]
    (folder / "b.jsonl").write_text("\n".join(rows))
    (folder / "c.conllu").write_text(FRENCH + FRENCH.strip(), "utf-8")
    (folder / "d.conllx").write_text(f"{ROWS}\n{ROWS}")
    DocBin(docs=list(spacy.blank("xx").pipe(TEXTS))).to_disk(folder / "e.spacy")
    pyarrow.parquet.write_table(pyarrow.table({"text": TEXTS}), folder / "f.parquet")
    return {
        **{
            unit: ("a.txt", InputSettings(unit=unit))
            for unit in ("line", "paragraph", "file", "sentence")
        },
        "words": ("a.txt", InputSettings(has_words=True)),
        "jsonl": ("b.jsonl", InputSettings(id_field="id")),
        **{name: (name, InputSettings()) for name in ("c.conllu", "d.conllx", "e.spacy", "f.parquet")},
    }


@pytest.mark.parametrize("retokenize", [False, True])
def test_all_formats_are_valid(nlp, tmp_path, retokenize):
    arguments = pytest.importorskip("udtools.argparser").parse_args_validator
    validator = pytest.importorskip("udtools.validator").Validator
    for name, (file, reading) in write_inputs(tmp_path).items():
        path = tmp_path / f"out-{name}.conllu"
        failed: list[Failed] = []
        with path.open("wb") as target:
            writer = ConlluWriter(target)
            inputs = [one for one, _ in read_inputs(str(tmp_path / file), reading)]
            for _, parsed in parse_inputs(nlp, inputs, failed, retokenize=retokenize):
                writer.add(parsed)
            writer.close()
        assert inputs and not failed
        given = ["--quiet", "--lang", "fr", "--level", "2", str(path)]
        state = validator(lang="fr", level=2, args=arguments(given)).validate_files([str(path)])
        assert state.passed(), (name, [str(error) for error in state.error_tracker])
        if file != "d.conllx":
            assert "-" in path.read_text("utf-8").partition("\tdu\t")[0].rpartition("\n")[2]
