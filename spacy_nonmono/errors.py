"""Every error and warning text of the package, with a code to search for.

A text says what was found, what was expected and what to do, and names the file, line or sentence.
Texts are templates: `Errors.NM001.format(found=..., expected=...)`.

The code of a text that was removed is not used again. NM120, NM130 and NM184 are now NM110, NM144
and NM150 are now NM143, NM151 is now NM148, NM153 is now NM083, NM164 is now NM104, and NM178 is now
NM181.
"""

import re
import warnings
from collections.abc import Iterable, Mapping
from typing import Any

MOST_NAMED = 5
CODE = re.compile(r"\[(NM|E|W)\d+\] ")


class ErrorCodes(type):
    """Puts the code of a message in front of its text: `Errors.NM001` reads `[NM001] ...`."""

    def __getattribute__(cls, code: str) -> str:
        text: str = super().__getattribute__(code)
        return text if code.startswith("__") else f"[{code}] {text}"


class Errors(metaclass=ErrorCodes):
    # Transition systems and oracles: NM001-NM029
    NM001 = "There is no transition system called {name!r}. Choose one of: {known}."
    NM002 = "The system {system!r} has no oracle called {name!r}. Choose one of: {known}."
    NM003 = (
        "The move {move!r} is not valid in this configuration of {system!r}: {state}. The valid moves "
        "are: {valid}."
    )
    NM004 = (
        "A sentence of {n_words} words was given {n_heads} gold heads. Give one head (or None) per word."
    )
    NM005 = (
        "The gold head of word {word} is {head}. Expected None, -1 (the root), or another word from 0 "
        "to {last}."
    )
    NM006 = (
        "The static oracle knows only the configurations of its own derivation, and {state} is not one "
        "of them. Use a dynamic oracle to get the costs of moves, or to leave the derivation."
    )
    NM007 = (
        "The system {system!r} cannot build the gold tree {heads}, so the tree has no static "
        "derivation. Use a dynamic oracle, or a system that builds such trees."
    )
    NM008 = (
        "This state belongs to the system {found!r}, so the system {expected!r} cannot read it. Use the "
        "system that made the state."
    )
    NM010 = (
        "The static oracle of {system!r} knows one derivation, but no costs. Use its method `optimal`, "
        "or a dynamic oracle."
    )
    NM009 = "The number of words is {n_words}. Expected 0 or more."
    NM011 = "The transition system {system!r} has no option {option!r}. Its options are: {known}."
    NM012 = (
        "The sentence has {n_words} words. Expected at most {most}: split the text into shorter "
        "sentences."
    )
    NM013 = (
        "A sentence of {n_words} words has no word {word}. Count the words from 0; negative numbers do "
        "not count from the end."
    )
    NM014 = (
        "The oracle {oracle} does not work with the system {system!r}. Expected one of these systems: "
        "{known}. Make the oracle with get_oracle."
    )
    NM015 = "The option {option!r} of {system!r} is {found!r}. Expected True or False."
    NM016 = (
        "The gold heads of the words {words} form a cycle. Expected one tree or several: correct the "
        "heads, or give None for unknown ones."
    )
    NM017 = "The gold label of word {word} is {label!r}. Expected a string, or None if it is not known."
    NM018 = "{found} cannot be made directly. Make one with {makers}."
    NM019 = (
        "The oracle {oracle!r} of {system!r} takes sentences of up to {most} words, but this sentence "
        "has {n_words}. Use another oracle, or split the sentence."
    )
    NM020 = (
        "Arrays that belong together do not fit each other: found {found} for {name}, expected "
        "{expected}. Take all of them from one pipeline."
    )
    NM023 = "A State cannot be pickled. Use its method `copy`, or keep the moves that led to it."
    NM024 = (
        "The gold heads are of the type {found}. Expected a sequence, such as a list, of ints or None."
    )
    NM027 = (
        "The move {move} at the focus {focus} (transition {t}) is not valid at this point of the "
        "derivation."
    )
    NM029 = (
        "A transition system names the moves {found}. Expected at most {most} different names, and at "
        "least one move that builds an arc."
    )

    # Scorers and decoding: NM030-NM049
    NM030 = (
        "The atom {atom!r} in the feature template {template!r} is unknown. Choose from these atoms: "
        "{known}."
    )
    NM031 = "The feature templates {first!r} and {second!r} have the same atoms. Remove one of them."
    NM032 = "The linear parser has no learner called {found!r}. Choose one of: {known}."
    NM033 = (
        "The linear parser is set to read the token attribute {found!r}, which spaCy does not know. "
        "Choose one of spaCy's attributes, such as NORM or POS."
    )
    NM034 = (
        "The linear parser {name!r} cannot rehearse: it learns from gold trees only. Exclude it from "
        "nlp.rehearse with nlp.select_pipes."
    )
    NM035 = (
        "The parser is set to look at collocates, but the pipeline has no component `collocations`. Add "
        "it in front of the parser, or set `collocates = false`."
    )
    NM036 = (
        "The parser listens to a tok2vec or transformer. The copy from before the training, to which "
        "rehearsal keeps, gets no vectors from it. Give the parser a tok2vec of its own with "
        "nlp.replace_listeners, or exclude it from nlp.rehearse with nlp.select_pipes."
    )
    NM037 = (
        "The weights are damaged: found {found}, expected {expected}. Copy the model again, or train it "
        "again."
    )
    NM038 = (
        "The transition system {system!r} may end with several roots, or inserts arcs, but the moves "
        "that build arcs are {found}. Such a system needs moves called left_arc and right_arc."
    )
    NM039 = (
        "The arc from word {head} to word {dependent} cannot be attached in the end: it would close a "
        "cycle, or the system {system!r} leaves no words over and inserts no arcs."
    )

    # The component: NM050-NM079
    NM050 = "A label must be a non-empty string; found {label!r}."
    NM051 = (
        "The parser {name!r} has no weights yet. Call nlp.initialize(), train it with `spacy train`, or "
        "load a trained pipeline."
    )
    NM052 = "The setting `projectivize` is {found!r}. Expected one of: {known}."
    NM053 = (
        "The system {system!r} builds crossing arcs, so there is nothing to lift. Set `projectivize` to "
        "'none', or choose a projective system."
    )
    NM054 = "The option {option!r} of an exploration policy is {found!r}. Expected {expected}."
    NM055 = (
        "{found!r} is not an exploration policy. Expected an object with a method "
        "`probability(n_updates)`, for example spacy-nonmono.Exploration.v1."
    )
    NM056 = (
        "The scores of the linear model are not probabilities, so its arcs have no `dep_score`. Set "
        "`dep_scores = false`, or use the architecture spacy-nonmono.TransitionParser.v2."
    )
    NM057 = "`n_threads` is {found!r}. Expected a whole number, 1 or more."
    NM058 = "The parser {name!r} cannot be loaded from {source}. {reason}"
    NM059 = (
        "The weights belong to the system {found!r}, but the config names {expected!r}. Load them with "
        "the config that they were trained with."
    )
    NM060 = (
        "The parser was saved in the format {found}; this version reads {expected}. Train it again, or "
        "install the version that saved it."
    )
    NM061 = (
        "`labels` is {found}. Expected a list of non-empty strings that are all different. The labels "
        "of spaCy's parser have another form: `spacy init labels` writes those of this one."
    )
    NM062 = "`max_distance` is {found!r}. Expected a whole number: 1 to 1,000,000, or 0 for no bound."
    NM063 = (
        "The model is {found!r}. Expected one of: {known}. Use the architecture "
        "spacy-nonmono.TransitionParser.v2 or spacy-nonmono.LinearTransitionParser.v1."
    )
    NM064 = (
        "The weights are for the moves {found} of {system!r}, which has {expected}. Load them with the "
        "version that saved them, or train again."
    )
    NM065 = (
        "The transition system {system!r} has no oracle. Declare its oracles under this name in the "
        "entry points `spacy_nonmono_oracles` of your package."
    )
    NM066 = "`pair_threshold` is {found!r}. Expected null, or 0 (all pairs) or more, less than 1."
    NM067 = (
        "The recurrent layers have the width {width!r} and the depth {depth!r}. Expected a width that "
        "is a multiple of {multiple}, and a depth of 0 or more."
    )
    NM068 = "There are no examples to initialize the parser with. Give a corpus that has some."

    # Treebanks: NM080-NM099
    NM080 = (
        "There is no treebank file at {path!r}. Expected a file in CoNLL-U (.conllu), CoNLL-X (.conllx) "
        "or of spaCy's Docs (.spacy), packed (.gz, .zst) or not, or a folder that holds such files."
    )
    NM081 = "{path}, line {line}: {found}. Expected {expected}. Correct the file, or convert it again."
    NM083 = "{path}, line {line} is not UTF-8: {found}. Convert the file to UTF-8."
    NM084 = "The option {option!r} of the CoNLL-U reader is {found!r}. Expected {expected}."
    NM085 = (
        "The head of token {i} ({word!r}) is token {head}, which is outside of its sentence. CoNLL-U "
        "has no arcs between sentences: change the sentence boundaries or the heads of the Doc."
    )
    NM086 = (
        "The share of parsers that must agree is {found}. Expected more than 0.5, since two arcs can "
        "have a half each, and 1 at most."
    )
    NM087 = (
        "Sentence {number} of {path} is {found!r}, but in {first} it is {expected!r}. Let all parsers "
        "parse the same words and sentences: the first parses the text, the others the CoNLL-U that it "
        "wrote."
    )
    NM088 = (
        "{path}, line {line}: {found}. Expected {expected}, since the file is read as CoNLL-X: it has "
        "one word per line, and no comments, multiword tokens or empty nodes. Correct the file; or, if "
        "it is CoNLL-U, give it the suffix .conllu and leave out `format`."
    )
    NM089 = (
        "No sentence of {text} is left to learn from: {n_left_out} of them are in the treebank, too. "
        "Give other text, and another folder for the output."
    )

    NM090 = (
        "`training.max_steps` and `training.patience` are both 0, so the training of the student would "
        "never end: passes over the raw text are not counted. Give one: --training.max_steps 6000."
    )
    NM091 = (
        "The parser of {name} has labels that {path} does not have: {labels}. Its trees are of another "
        "kind. Give a pipeline that was trained on this treebank."
    )
    NM092 = (
        "The component {name!r} learns, so the reader AnnotatedCorpus cannot run it once for all steps. "
        "Add it to `frozen_components`; or, if it is to learn, let `training.train_corpus` name the "
        "reader of the Docs, such as corpora.train."
    )
    NM093 = "{path} cannot be opened: {reason}."
    NM094 = "Trees are written in CoNLL-U, but {path} has the name of another format. Name it `.conllu`."

    # Evaluation and command line: NM100-NM119
    NM101 = (
        "The pipeline changed the words: word {number} is {found!r}, expected {expected!r}. It must not "
        "split or join tokens here: disable the component that does so."
    )
    NM102 = "There is no setting called {found!r}. Choose one of: {known}."
    NM103 = (
        "The pipeline set no heads; its components are: {components}. Expected one that parses, such as "
        "nonmono_parser or parser."
    )
    NM104 = "The reference {found!r} is none of the pipelines or runs. Choose one of: {known}."
    NM105 = (
        "The pipelines were evaluated on different numbers of words: {sizes}. Evaluate all pipelines on "
        "the same file, and if they have other tokenizers, with `--multiword split`."
    )
    NM106 = "No word of {path} has a known head and label, so there is nothing to fit scores to."
    NM107 = (
        "{path} has no scores of a pipeline. Give JSON files that `python -m spacy nonmono evaluate` "
        "wrote for one pipeline each."
    )
    NM108 = (
        "{path}: sentence {number} is {found}; in {gold} it is {expected}. Expected the same words and "
        "sentences in both: give a parser these, not the text. If the file has the words of multiword "
        "tokens, but not the tokens, give the option `--multiword split`."
    )
    NM109 = (
        "{path} has no scores from raw text. Score the pipeline with `python -m spacy nonmono evaluate "
        "--setting raw --output`."
    )
    NM110 = (
        "There is no parser among the components: {components}. Expected {expected}: add it to the "
        "pipeline, or enable it."
    )
    NM112 = "{path} has no words, and nothing can be timed. Give a treebank that has some."
    NM113 = (
        "The pipeline has no confidence of arcs to show: it takes a nonmono_parser with a neural model. "
        "Leave out `confidence`."
    )
    NM114 = (
        "Neither the pipeline nor {path} has any {found} to show. Leave it out, or add a component that "
        "sets it."
    )
    NM115 = "{path} has no sentence with the sent_id {found!r}. Give one that is in its comments."
    NM116 = "The Doc has no trees to show. Parse it with a pipeline that has a parser."
    NM117 = (
        "An SVG file is a picture of one sentence, and {found} would be drawn. Choose one with "
        "--sent-id or --limit 1, or write an HTML page."
    )
    NM118 = (
        "{path} has a sentence without confidence of arcs, `Conf` in MISC: {sentence!r}. Parse the "
        "texts with `parse --confidence`, into a new folder."
    )

    # Derivations: NM120-NM129
    NM121 = (
        "The gold Doc has {n_gold} words and the Doc has {n_words}; they differ from word {i} on: found "
        "{found}, expected {expected}. Give two Docs of the same words."
    )
    NM122 = (
        "The derivation of {system!r} follows its oracle, and the oracle needs a gold tree: pass `gold`."
    )
    NM123 = (
        "Token {i} of the Doc is white space, which a parser does not see. Trace a Doc without it, such "
        'as `nlp.make_doc(" ".join(text.split()))`.'
    )

    # Reports on oracles: NM130-NM139
    NM131 = (
        "The sentences of the derivations have {found} words, but those of the treebank have "
        "{expected}. Expected the same sentences: the pipeline must keep the boundaries that it is "
        "given."
    )

    # Brown clusters: NM140-NM149
    NM140 = "{path}, line {line} cannot be read: the archive is damaged ({reason}). Make it again."
    NM141 = "There is no word to cluster. Expected at least one sentence with words."
    NM142 = (
        "{found} clusters were asked for, but only {n_types} word types occur {min_count} times or "
        "more. Expected a number from 2 to {n_types}: lower the number of clusters or the minimum "
        "count, or give more text."
    )
    NM143 = (
        "{path}, line {line}: found {found}. Expected {expected}. Correct the file, or make it again."
    )
    NM146 = (
        "The component {name!r} has no clusters. Give it a `paths` file with "
        "[initialize.components.{name}] path = ... in the config, or load a pipeline that has clusters."
    )
    NM147 = "The {what} is {found}. Expected {expected}."
    NM148 = "There is no file {path}. Expected {expected}."
    NM149 = (
        "The word {word!r} holds a tab or the end of a line, and a `paths` file cannot hold such a "
        "word. Split the word, or leave it out."
    )

    # Collocations and embeddings: NM150-NM159
    NM152 = "The setting {option!r} of train_collocations is {found!r}. Expected {expected}."
    NM154 = (
        "The component {name!r} was given no file of collocations, and no training data with heads to "
        "make them of. Set `path` in [initialize.components.{name}] of the config, or train on trees."
    )
    NM155 = (
        "A sentence of {n_words} words was given {n_tags} tags. Give one tag per word, and an empty "
        "string for a word without a tag."
    )
    NM156 = (
        "MultiHashEmbed cannot embed {found!r}. Expected an attribute of spaCy's tokens, such as NORM, "
        "or PREFIX1 to PREFIX9, SUFFIX1 to SUFFIX9, a range of these such as SUFFIX1-5, BROWN, BROWN4, "
        "BROWN6, ..."
    )
    NM157 = (
        "MultiHashEmbed has {n_attrs} attributes and {n_rows} numbers of rows. Expected one number of "
        "rows per attribute."
    )
    NM158 = (
        "MultiHashEmbed is set to embed {attrs}, but the pipeline has no component `brown_clusters`. "
        "Put that component in front and give it a `paths` file, or leave these attributes out."
    )

    # The benchmark: NM160-NM168
    NM160 = (
        "There is no file {path}. Expected a treebank: a folder with train.conllu, dev.conllu and "
        "test.conllu, or with such files of the suffix .conllx."
    )
    NM161 = (
        "{found!r} is not a run. Expected a name, a config and its overrides, such as "
        "'mine=configs/neural.cfg --training.dropout 0.3'."
    )
    NM162 = "Several {kind} have the same name: {found}. Give each one its own name."
    NM163 = (
        "The training of {run!r} on {treebank!r} with seed {seed} failed with exit code {code}. "
        "Finished cells are kept; correct the run and start the benchmark again. The log is {log}, and "
        "it ends with:\n{lines}"
    )
    NM165 = (
        "The runs were evaluated on different sentences, or with different numbers of seeds. Found "
        "{found}, expected {expected}: each is a number of sentences with their fingerprint. Evaluate "
        "the runs on the same file, with the same seeds."
    )
    NM166 = "This needs {package} ({error}). Install it: pip install 'spacy-nonmono[{extra}]'."
    NM167 = "There is no table of a benchmark at {path}. Run `python -m spacy nonmono benchmark` first."
    NM168 = (
        "A heat map needs runs with names such as 'k=1 p=0.5', but found {found}. Give the runs of the "
        "benchmark such names."
    )

    # Files that we write, results that we read again, and building: NM169-NM179
    NM169 = (
        "{path} cannot be written: {reason}. What was there is unchanged. Choose a folder that you may "
        "write to, on a disk with free space."
    )
    NM170 = (
        "{path} is damaged or missing. Run `python -m spacy nonmono benchmark` again: it replaces "
        "damaged cells."
    )
    NM171 = (
        "Installing spacy-nonmono from its source needs a C++17 compiler and the headers of Python, but "
        "a trial failed: {reason}. Install both: on Debian and Ubuntu `apt install g++ python3-dev`, on "
        "Fedora `dnf install gcc-c++ python3-devel`, on macOS `xcode-select --install`, on Windows the "
        "Build Tools for Visual Studio with \"Desktop development with C++\"."
    )
    NM172 = (
        "The benchmark asks the system how much memory each training took (os.wait4), and this system "
        "does not tell. Run it on Linux or macOS."
    )
    NM173 = (
        "The feature template {template!r} has two collocates. With collocates = 'all' a template may "
        "have one. Make it two templates, or set collocates = 'nearest'."
    )
    NM174 = "The linear parser's setting {setting!r} is {found!r}. Choose one of: {known}."

    NM175 = (
        "The exploration policy counts passes over the training data, but the parser does not know how "
        "many words a pass has. Initialize the parser with the training examples, or let the policy "
        "count updates (`unit = \"updates\"`)."
    )
    NM176 = (
        "{path} is no experiment: {key} is {found!r}. Expected {expected}. Correct the file, or the "
        "option --var; the files in configs/experiments are examples."
    )
    NM177 = (
        "The tokens of the pipeline do not spell the text that it was given: after {place} characters "
        "(spaces not counted) they go on with {found!r}, but the text with {expected!r}. Use a "
        "tokenizer that keeps the text as it is."
    )

    # Configs and other pipelines: NM180-NM189
    NM180 = "There is no {what} called {found!r} here. Choose from: {known}."
    NM181 = "{choice} does not go with {other}. Leave out one of the two."
    NM182 = (
        "{base} has no tok2vec or transformer that its parser could train a copy of. Its components "
        "are: {components}. Leave out --tune."
    )
    NM183 = (
        "A transformer needs a package that is not installed. "
        "Install it: pip install spacy-transformers."
    )
    NM185 = (
        "{path} is there already and would be overwritten. Choose another place for the output."
    )
    NM186 = (
        "There are no tags: neither UPOS nor XPOS nor FEATS in {what}. Give a treebank with tags, and "
        "a config of a pipeline that sets some."
    )
    NM187 = (
        "The number of folds is {found}. Expected 2 to {most}, which is the number of sentences in "
        "{path}."
    )
    NM188 = "`tie_break` is {found!r}. Expected `default` or `none`."
    NM189 = (
        "The oracle {oracle!r} of {system!r} has one way to break ties, but `tie_break` is {found!r}. "
        "Leave it out, or choose a bound of `covington_nonmonotonic`: lower, pc_upper or upper."
    )

    # Corpora: NM190-NM199
    NM190 = (
        "{folder} holds another run, which differs in {found}. Choose another folder, or delete "
        "this one."
    )
    NM191 = "The document cannot be read: found {found}, expected {expected}."
    NM192 = (
        "A process that should load the pipeline ended before it was done ({reason}). There may be too "
        "little memory: try fewer processes."
    )
    NM193 = "The process that parsed this ended ({reason}). It may need too much memory."
    NM194 = (
        "There is no input at {found}, or it is a pipe. Give files, folders, patterns, or - for "
        "standard input."
    )
    NM195 = (
        "What is in {found} is not known from its name. Choose the format of the input, one of: {known}."
    )
    NM196 = "{path} cannot be read as a file of spaCy's Docs: {reason}."
    NM197 = "{path} has no column {found!r}, or several; its columns are {known}. Name one of these."
    NM198 = (
        "There is no pipeline {found}. Give an installed package or the folder of a saved pipeline"
        "{such_as}."
    )
    NM199 = "Two columns of the result would have the name {found!r}. Rename the one that is to be kept."

    # Pipelines of others: NM200-NM219
    NM200 = (
        "The pipeline {found} has a component that no code here makes: {factory!r}. Install the package "
        "that it comes from, or name the Python file that registers it with --code."
    )
    NM201 = (
        "{share} of the words of {path} are no tokens of {base}: {examples}. A parser that learns from "
        "these words does not know the tokens that it will get. Take a treebank with the words of the "
        "pipeline, or go on with --force."
    )
    NM202 = "{path} is no config: {reason}. Give a config for `spacy train`, with a parser."
    NM203 = (
        "{path} cannot be read: {reason}. The documents in front of the damage are parsed. Copy or "
        "make the file again, and parse it into another folder."
    )
    NM204 = "The pipeline fails on this document ({error})."
    NM205 = (
        "spaCy knows no language {found!r}. Take `xx`, a language without rules of its own, or one that "
        "is written in the same way. A parser learns any language from its treebank."
    )
    NM215 = (
        "{path} has {n}, and each part needs one. Give more sentences, or each part in a file of its "
        "own."
    )
    NM216 = "{path} names no kind of image that can be drawn. Choose one of: {known}."

    # Vectors, saved parsers and committees: NM220-NM229
    NM220 = (
        "{name} of the word {word!r}, token {i} of the Doc {doc!r}, has numbers that are not finite. "
        "Look for NaN and infinity in the vectors of the vocab, or in the weights of the layers that "
        "made this one."
    )
    NM221 = (
        "The weights are for the positions {found} of {system!r}, in this order, and this parser has "
        "{expected}. Load them with the version and the config that they were saved with, or train "
        "again."
    )
    NM222 = "A committee has {found} members. Expected two or more."
    NM223 = (
        "A committee has members of several kinds. Expected models of the architecture "
        "spacy-nonmono.TransitionParser.v2, all of which look at collocates, or none."
    )
    NM210 = (
        "The component {name!r} has learned no words of multiword tokens. Train the pipeline, or load "
        "the component from a trained one."
    )
    NM211 = (
        "{found} does not hold what the component {name!r} saved: {reason}. Copy the pipeline again, or "
        "train the component again."
    )


class Warnings(metaclass=ErrorCodes):
    # Numbered from NM500, in the same groups as the errors.

    # The component: NM550-NM579
    NM550 = (
        "The sentence that begins with {first!r} has {n_words} words, but the parser looks only at "
        "pairs of words that are at most {max_distance} words apart. If longer arcs matter more than "
        "speed, raise `max_distance` of the component; 0 is no bound."
    )
    NM551 = (
        "{n_patterns} of the patterns of the component {name!r} name dependency labels that the parser "
        "does not have, such as those of another parser: {labels}. Such patterns no longer match what "
        "they should. Write them with the labels of the training data, or remove them."
    )
    NM552 = (
        "The static oracle of {system!r} has no derivation of the gold trees of {n} sentences of a "
        "batch: the system cannot build them, or a head is unknown or beyond a predicted boundary. Such "
        "sentences do not teach the parser any arcs. Choose a dynamic oracle, or a system that builds "
        "such trees. This is said once; `oracle.underivable` of the component counts them."
    )
    NM553 = (
        "{n} sentences of a batch have more than {most} words, the most that the oracle {oracle!r} of "
        "{system!r} takes. Such sentences do not teach the parser any arcs. Choose another oracle, or "
        "split them. This is said once; `oracle.too_long` of the component counts them."
    )
    NM554 = (
        "No head is known in the first {n} Docs of the training data, so there is nothing to learn. "
        "Give words heads and labels: spaCy takes a head without a label for unknown."
    )
    NM555 = (
        "The first {n} Docs of the training data have one sentence each, so the parser does not learn "
        "where sentences start. Give it Docs of several: `n_sents` of the reader, or `spacy convert "
        "--n-sents 10`."
    )
    NM556 = (
        "Training data has labels that the parser does not have: {labels}. Their arcs are learned, "
        "their labels are not. Leave out the list of labels of `initialize`, or make it again; give a "
        "trained parser new labels with `add_label`. This is said once."
    )
    NM557 = (
        "The parser {name!r} reads the vectors of a tok2vec or a transformer, but a Doc has none, so "
        "its trees mean nothing. That component is missing, disabled, or runs later; in training it may "
        "not be among the `annotating_components`. Let it run before the parser, or give the parser a "
        "copy of it with `nlp.replace_listeners`."
    )
    NM558 = (
        "A layer of PyTorch, such as a transformer, learns in the pipeline of the parser {name!r}, and "
        "the optimizer averages weights. thinc does not give such a layer its averages, so all others "
        "would be averaged above one that is not. Set `use_averages = false` in [training.optimizer]."
    )

    # Treebanks and configs: NM580-NM599
    NM580 = (
        "{path}, line {line}: the heads of the word {word!r} lead back to the word itself, so it has no "
        "place in a tree. Its head is taken as unknown: it is neither learned from nor scored."
    )
    NM581 = (
        "{path}, line {line}: the word {word!r} is a second root, but a sentence may have only one. Its "
        "head is taken as unknown: it is neither learned from nor scored."
    )
    NM582 = (
        "The Doc has {found} tokens, but it was read from a CoNLL-U file with {expected}, or with other "
        "words. Its multiword tokens, comments, empty nodes, DEPS and MISC are not written."
    )
    NM583 = (
        "{path}, line {line}: the root {word!r} has the label {label!r}. In spaCy the label of a root "
        "is `ROOT`, so the word is learned and scored with `ROOT`; the writer restores its own label. "
        "Write `root` in the file to avoid this warning, which comes once per label and file."
    )
    NM584 = (
        "The {column} of token {i}, {text!r}, holds white space that CoNLL-U cannot hold there. "
        "{instead!r} is written in its place."
    )
    NM585 = (
        "{path}, line {line}: FEATS is {feats!r}, in which a name stands twice. spaCy keeps the last "
        "value of the name; the writer restores all of them. Join the values of one name with commas."
    )
    NM586 = (
        "{path} has no sentence with a known head. Nothing can be learned from it, and nothing scored."
    )
    NM587 = (
        "{percent} % of the predicted arcs have labels that {path} does not have, such as {labels}. The "
        "pipeline seems to know the labels of another treebank. Trees of other guidelines also have "
        "other heads, so the errors that are marked say little about the parser."
    )
    NM588 = (
        "{path}: the heads of {n} are impossible, and count as wrong. They are second roots, which a "
        "sentence may not have, or heads that lead back to the word itself."
    )
    NM589 = (
        "The Docs are written without {name!r} of their user data: a file cannot hold its values "
        "({kind}). Let the component that sets it keep numbers and texts."
    )
    NM592 = (
        "Another extension of tokens is called {name!r}, so `token._.{name}` has its values. "
        "`spacy_nonmono.tokens.merged.get_reading` gives the words of a multiword token."
    )
    NM593 = (
        "The labels of {names} under [initialize] were left out, because spaCy's parser has other "
        "labels. `spacy init labels` writes those of the new config."
    )
    NM594 = (
        "The config freezes the new parser ({names}), so it would not be trained. Take it out of "
        "`frozen_components`. If its tok2vec stays there, name that in `annotating_components`."
    )
    NM595 = (
        "Training data has Docs with labels, in which each word is its own head: their heads seem to be "
        "missing. They are taken as unknown, and the labels are not learned either. Give `Doc` its "
        "`heads`, too. This is said once."
    )
    NM598 = (
        "Sentence {name!r}: the words of multiword tokens are made one word each, and then the heads of "
        "{words} lead back to themselves. They become unknown."
    )
    NM590 = (
        "The parser {name!r} was saved with words of multiword tokens, by an earlier version. Such "
        "tokens now stay whole. Train the component `multiword_tokens` to get the words again."
    )
    NM591 = (
        "The component {name!r} has learned nothing, since no Doc says which tokens are several words. "
        "Set `multiword = \"merge\"` in the reader of the training corpus, or leave the component out."
    )


def is_coded(text: str) -> bool:
    """Is this a message of ours or of spaCy's?"""
    return CODE.match(text) is not None


_python_format = warnings.formatwarning


def format_warning(message: Warning | str, *where: Any, **line: Any) -> str:
    """Format a warning: one with a code without the line of Python that warns."""
    return f"{message}\n" if is_coded(str(message)) else _python_format(message, *where, **line)


def tell(error: Exception) -> str:
    """Return what an error says; where it has no code, its kind, too."""
    text = str(error)
    return text if is_coded(text) else f"{type(error).__name__}: {text}".removesuffix(": ")


def count(n: int, noun: str) -> str:
    """ "1 column", "2 columns"."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def name_some(names: Iterable[str]) -> str:
    """Return a list of names for a message, which need not name all."""
    names = list(names)
    return ", ".join(names[:MOST_NAMED]) + " and others" * (len(names) > MOST_NAMED)


def refuse(choice: str, others: Mapping[str, object]) -> None:
    """Raises ValueError (NM181) if one of the choices that exclude `choice` was made, too."""
    for other, chosen in others.items():
        if chosen:
            raise ValueError(Errors.NM181.format(choice=choice, other=other))


def check_known(what: str, found: str, known: Iterable[str]) -> None:
    """Raises ValueError (NM180) if something is none of those that there are."""
    if found not in known:
        raise ValueError(Errors.NM180.format(what=what, found=found, known=", ".join(known)))
