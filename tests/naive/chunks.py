"""Noun chunks the slow way: the phrase of each word is found by walking up to its root, time and again.

Words have a head (the root -1), a label, and a tag: "N" may head a phrase, "S" is whitespace.
"""

NAMES = ["fixed", "flat", "foreign", "goeswith", "mwe", "name"]
MODIFIERS = ["advmod", "amod", "cc:preconj", "clf", "compound", "det", "neg", "nummod"]
NOUNS = ["nmod:desc", "nmod:poss"]
FUNCTION = ["aux", "case", "cc", "cop", "mark"]
ADVERBIAL = ["nmod:npmod", "nmod:tmod", "nmod:unmarked", "obl:npmod", "obl:tmod", "obl:unmarked"]
OTHERS = ["", "dep", "discourse", "expl", "punct", "reparandum", "vocative"]
INSIDE = NAMES + MODIFIERS + NOUNS


def noun_chunks(heads, labels, tags):
    """[(start, end)] in the order of the words."""
    return [
        chunk(head, heads, labels, tags)
        for head in range(len(heads))
        if phrase(head, heads, labels, tags) == head
    ]


def chunk(head, heads, labels, tags):
    """The longest run around the head of words of its phrase and whitespace, with good edges."""
    inside = [tags[w] == "S" or phrase(w, heads, labels, tags) == head for w in range(len(heads))]
    runs = [
        (start, end)
        for start in range(head + 1)
        for end in range(head + 1, len(heads) + 1)
        if all(inside[start:end])
        and all(w == head or is_edge(labels[w], tags[w]) for w in (start, end - 1))
    ]
    return max(runs, key=lambda run: run[1] - run[0])


def is_edge(label, tag):
    return tag != "S" and label not in [*FUNCTION, "punct"]


def phrase(word, heads, labels, tags):
    """The head of the phrase that a word is in, or None."""
    head = heads[word]
    above = None if head == -1 else phrase(head, heads, labels, tags)
    if above is not None and inside(word, above, heads, labels):
        return above
    label = first_label(word, heads, labels, tags)
    heads_one = tags[word] == "N" and not names(label, INSIDE + FUNCTION + ADVERBIAL + OTHERS)
    return word if heads_one else None


def first_label(word, heads, labels, tags):
    """The label of a word; that of the first conjunct if it is a conjunct, that of its phrase if it is
    inside of one."""
    if heads[word] == -1:
        return labels[word]
    above = phrase(heads[word], heads, labels, tags)
    if above is not None and inside(word, above, heads, labels):
        return first_label(above, heads, labels, tags)
    if labels[word].split(":")[0] == "conj":
        return first_label(heads[word], heads, labels, tags)
    return labels[word]


def inside(word, noun, heads, labels):
    """Whether a word is in the phrase of a noun, if the word's head is."""
    dependents = [w for w in range(len(heads)) if heads[w] == word]
    copula = any(heads[w] == noun and labels[w] == "cop" for w in range(len(heads)))
    label = labels[word]
    if label == "punct":
        return True
    if heads[word] != noun:
        return word < noun or names(label, INSIDE)
    if word > noun:
        return names(label, NAMES) or (label == "amod" and not dependents)
    return names(label, INSIDE) and not (label == "advmod" and copula)


def names(label, labels):
    return label in labels or label.split(":")[0] in labels
