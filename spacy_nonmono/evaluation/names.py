"""What settings and scores are called, in the order in which commands show them.

A score is a share between 0 and 1, unless it is one of COUNTS. `scores.py` says what those of gold words
count, and `raw_text.py` those of raw text.
"""

GOLD_SENTENCES = "gold_sentences"
DOCUMENTS = "documents"
SETTINGS = (GOLD_SENTENCES, DOCUMENTS)  # of gold words
RAW_TEXT = "raw_text"
SETTING_NAMES = {GOLD_SENTENCES: "Gold sentences", DOCUMENTS: "Documents", RAW_TEXT: "Raw text"}

SPEED = "words_per_second"
SCORES = {
    "uas": "UAS",
    "las": "LAS",
    "las_universal": "LAS (universal labels)",
    "clas": "CLAS",
    "ucm": "UCM (complete match)",
    "lcm": "LCM (complete match, with labels)",
    "uas_no_punct": "UAS without punctuation",
    "las_no_punct": "LAS without punctuation",
    "las_universal_no_punct": "LAS (universal) without punctuation",
    "clas_no_punct": "CLAS without punctuation",
    "ucm_no_punct": "UCM without punctuation",
    "lcm_no_punct": "LCM without punctuation",
    "sents_p": "Sentences: precision",
    "sents_r": "Sentences: recall",
    "sents_f": "Sentences: F",
    "nonproj_p": "Crossing arcs: precision",
    "nonproj_r": "Crossing arcs: recall",
    "nonproj_f": "Crossing arcs: F",
    "nonproj_arcs_gold": "Crossing arcs, gold",
    "nonproj_arcs_predicted": "Crossing arcs, predicted",
    "nonproj_sents_gold": "Sentences with crossing arcs, gold",
    "nonproj_sents_predicted": "Sentences with crossing arcs, predicted",
}
COUNTS = {"n_words": "Words", "n_sents": "Sentences", SPEED: "Words per second"}

# What is shown side by side: not what tells of the treebank, nor what others tell as well
_LEFT_OUT = ("las_universal", "las_universal_no_punct", "sents_p", "sents_r", "_gold", "_predicted")
COMPARED = (*(name for name in SCORES if not name.endswith(_LEFT_OUT)), SPEED)
# The columns of a benchmark: scores with differences to a reference, and others
TESTED_COLUMNS = {"uas": "UAS", "las": "LAS"}
COLUMNS = {
    "ucm": "UCM",
    "lcm": "LCM",
    "uas_no_punct": "No punct UAS",
    "las_no_punct": "LAS",
    "ucm_no_punct": "UCM",
    "lcm_no_punct": "LCM",
    "sents_f": "Sents F",
    "nonproj_p": "Crossing P",
    "nonproj_r": "R",
    "nonproj_f": "F",
}

# Of raw text, as the CoNLL 2018 shared task calls them; what there is of each (`las_f`)
METRICS = {
    "tokens": "Tokens",
    "sents": "Sentences",
    "words": "Words",
    "upos": "UPOS",
    "xpos": "XPOS",
    "ufeats": "UFeats",
    "alltags": "AllTags",
    "lemmas": "Lemmas",
    "uas": "UAS",
    "las": "LAS",
    "clas": "CLAS",
    "mlas": "MLAS",
    "blex": "BLEX",
}
RATIOS = {"p": "Precision", "r": "Recall", "f": "F", "aligned": "Of aligned words"}
# What accuracy can be broken down by
KINDS = ("label", "upos", "length", "crossing", "sentence-length")
LABEL, UPOS, LENGTH, CROSSING, SENTENCE_LENGTH = KINDS
CROSSING_SENTENCES = "crossing-sentences"  # a second table of CROSSING
CONFUSIONS = "confusions"
BREAKDOWN = "breakdown"  # in a file, beside the scores

# Where the words of a raw text are not those of the treebank
DIFFERENCES = "differences"
RAW_COMPARED = (*(f"{metric}_f" for metric in METRICS), SPEED)
