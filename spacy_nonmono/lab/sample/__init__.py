"""The sample treebank: an invented language, its grammar, and the command that writes the files.

English function words, invented content words, German-like word order where it is hard. A clause
is built as a list of words that point at their heads; a construction that moves a piece of that
list elsewhere makes arcs cross. `Word.kind` names the construction, for the comment `# crossing`.

    python -m spacy_nonmono.lab.sample assets/sample --seed 0
"""
