"""How many of the first suspects of `suspects` are errors: a part of the words of a treebank gets wrong
annotations, and these are to be found.

    python -m spacy_nonmono.lab.planted_errors train.conllu FOLDER [SETTING OF THE CONFIG ...]

The first N_SENTENCES sentences are taken. Half of the errors are labels, drawn as often as words have
them; the other half are heads, a word at most MAX_DISTANCE words away that makes no cycle. True errors
of the treebank count as wrong finds, so precision is a lower bound.
"""

import random
import sys
from pathlib import Path

from spacy.cli._util import parse_config_overrides
from wasabi import msg

from ..evaluation.made import made_here
from ..files import write_json
from ..recipes.suspects import NOWHERE, find_suspects
from ..tokens.heads import words_on_cycles
from ..treebank.reader import read_sentences
from ..treebank.sentences import DEPREL, EMPTY, HEAD, Sentence
from ..treebank.writer import write_sentences

N_SENTENCES = 1000
MAX_DISTANCE = 6
RATES = (0.01, 0.02, 0.05)
FIRST = (50, 100, 200)

Place = tuple[int, str]  # the number of the sentence, from 1 on, and the ID of the word


def plant_errors(sentences: list[Sentence], rate: float, seed: int) -> set[Place]:
    """Change the heads or labels of a share of all words, but not of roots, and return which."""
    rng = random.Random(seed)
    words = [(one, i) for one in range(len(sentences)) for i in range(len(sentences[one].words))]
    places = [(one, i) for one, i in words if sentences[one].words[i][HEAD] not in ("0", EMPTY)]
    labels = [sentences[one].words[i][DEPREL] for one, i in places]
    changed = set()
    for number, (one, word) in enumerate(rng.sample(places, round(rate * len(words)))):
        sentence = sentences[one]
        columns = sentence.words[word]
        if number % 2:
            columns[DEPREL] = rng.choice([label for label in labels if label != columns[DEPREL]])
        elif heads := other_heads(sentence, word):
            columns[HEAD] = str(rng.choice(heads) + 1)
        else:
            continue
        changed.add((one + 1, str(word + 1)))
    return changed


def other_heads(sentence: Sentence, word: int) -> list[int]:
    """Return the words nearby, from 0 on, that could be the word's head without a cycle."""
    heads = sentence.heads
    found = []
    for head in range(max(word - MAX_DISTANCE, 0), min(word + MAX_DISTANCE + 1, len(heads))):
        others = [*heads[:word], head, *heads[word + 1 :]]
        if head not in (word, heads[word]) and not words_on_cycles(others):
            found.append(head)
    return found


def measure(path: Path, folder: Path, rate: float, settings: list[str]) -> dict[str, float]:
    sentences = list(read_sentences(path))[:N_SENTENCES]
    planted = plant_errors(sentences, rate, seed=0)
    changed = folder / "planted.conllu"
    write_sentences(changed, sentences)
    overrides = parse_config_overrides(settings)
    suspects = find_suspects(changed, folder, overrides=overrides, report=msg.info)
    n_words = sum(len(sentence.words) for sentence in sentences)
    result: dict[str, float] = {"rate": rate, "words": n_words, "planted": len(planted)}
    hits = [(one.number, one.id) in planted for one in suspects]
    differ = [hit for one, hit in zip(suspects, hits, strict=True) if one.differs != NOWHERE]
    seen = [hit for one, hit in zip(suspects, hits, strict=True) if one.elsewhere]
    result |= {f"precision at {n}": sum(differ[:n]) / n for n in FIRST}
    result["found"] = sum(differ) / len(planted)
    result["variation"] = len(seen)
    result["precision of variation"] = sum(seen) / max(len(seen), 1)
    return result


def main() -> None:
    path, folder, *settings = sys.argv[1:]
    results = [measure(Path(path), Path(folder) / str(rate), rate, settings) for rate in RATES]
    found = {"made": made_here(), "planted": results}
    write_json(Path(folder) / f"{Path(path).resolve().parent.name}.json", found)
    msg.table([[f"{value:g}" for value in one.values()] for one in results], header=results[0])


if __name__ == "__main__":
    main()
