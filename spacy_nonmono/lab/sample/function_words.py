"""The function words, which are English."""

PREPS = ["in", "on", "with", "from", "to", "about", "near", "under", "for", "by", "of"]
PARTICLES = ["up", "off", "under", "on"]
NUMERALS = ["two", "three", "four", "six", "ten", "many", "few"]
TIMES = ["yesterday", "today", "often", "again", "then", "soon", "now", "never"]
PRONOUNS = {"nom": ["he", "she", "it", "they", "we"], "acc": ["him", "her", "it", "them", "us"]}
PLURAL_PRONOUNS = {"they", "we"}
POSSESSIVES = ["his", "her", "their", "our"]
DETERMINERS = [["the", "the", "a", "a", "that", "every"], ["the", "the", "some", "these"]]
CONJUNCTIONS = ["because", "while", "if", "after", "before", "when"]
