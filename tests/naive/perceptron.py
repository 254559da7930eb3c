"""Perceptron and MIRA over a dictionary, every update written down.

`train_sentence` drives the Python view of the systems and oracles that it is given.
"""

from collections import Counter

MOST_STAYS = 100


class Learner:
    """Weights by cell, a feature with a class. C: the longest step of MIRA; 0: perceptron."""

    def __init__(self, C):
        self.C = C
        self.clock = 0  # examples seen
        self.n_wrong = 0
        self.updates = []  # (clock, cell, by how much)
        self.weights = {}

    def add(self, cell, delta):
        self.updates.append((self.clock, cell, delta))
        self.weights[cell] = self.weights.get(cell, 0.0) + delta

    def score(self, cells):
        return sum(self.weights.get(cell, 0.0) for cell in cells)

    def learn(self, right, wrong, lead):
        """An example in which the cells of `right` were to score higher than those of `wrong`, and did
        so by `lead`."""
        self.clock += 1
        self.n_wrong += lead <= 0
        difference = Counter(right)
        difference.subtract(wrong)
        norm = sum(count * count for count in difference.values())
        if self.C == 0:
            step = 1.0 if lead <= 0 else 0.0
        else:
            step = min(self.C, (1 - lead) / norm) if lead < 1 and norm else 0.0
        if step:
            for cell, count in difference.items():
                self.add(cell, step * count)

    def averages(self):
        """The means of the weights that the examples were scored with."""
        means = dict.fromkeys(self.weights, 0.0)
        for clock, cell, delta in self.updates:
            means[cell] += delta * (self.clock - clock) / self.clock
        return means


def train_sentence(
    learner,
    system,
    oracle,
    state,
    heads,
    labels,
    classes,
    features,
    *,
    p_model,
    random,
    until_correct=False,
):
    """Parse a sentence, learning at every choice.

    heads, labels: gold ones, None where unknown. classes: (move, label), label None where the move has
    none. features: (state, focus) -> features. p_model: with which probability the model is followed,
    not the oracle; random: numbers in [0, 1). until_correct: where the oracle is to be followed, the
    sentence stays as it is until the best choice is right, or a hundred times.
    """
    if oracle.name == "static":
        p_model = 0.0
    stays = 0
    teaches = any(head is not None for head in heads) and derivable(oracle, state, heads)
    while True:
        moves = system.valid_moves(state)
        if not moves:
            break
        if len(moves) == 1 and labelled_arc(system, state, moves[0]) is None:
            system.apply(state, moves[0])
            continue
        # By focus, then by class: where choices tie, the first one counts
        named = {move if system.kind == "list" else (move, 0): move for move in moves}
        foci = sorted({focus for _, focus in named})
        seen = {focus: features(state, focus) for focus in foci}
        choices = [
            (focus, name, label)
            for focus in foci
            for name, label in classes
            if (name, focus) in named
        ]
        cells = {
            choice: [(feature, choice[1:]) for feature in seen[choice[0]]] for choice in choices
        }
        scores = {choice: learner.score(cells[choice]) for choice in choices}
        best = max(choices, key=scores.get)
        follow = best
        stay = False
        if teaches:
            optimal = oracle.optimal(state, heads, labels)
            correct = [
                (focus, name, label)
                for focus, name, label in choices
                if named[name, focus] in optimal
                and fits(labelled_arc(system, state, named[name, focus]), label, heads, labels)
            ]
            wrong = [choice for choice in choices if choice not in correct]
            good = best
            right = True
            if correct and wrong:
                good, bad = max(correct, key=scores.get), max(wrong, key=scores.get)
                right = scores[good] > scores[bad]
                learner.learn(cells[good], cells[bad], scores[good] - scores[bad])
            if p_model < 1 and next(random) >= p_model:
                follow = good
                stay = until_correct and not right and stays < MOST_STAYS
        if stay:
            stays += 1
            continue
        stays = 0
        focus, name, label = follow
        system.apply(state, named[name, focus], label=label or "none")
    for head, word in inserted_arcs(state):
        system.attach(state, head, word)
        move = "left_arc" if word < head else "right_arc"
        cells = {
            label: [(feature, (name, label)) for feature in features(state, 0)]
            for name, label in classes
            if name == move
        }
        scores = {label: learner.score(cells[label]) for label in cells}
        system.attach(state, head, word, max(scores, key=scores.get))
        good = labels[word]
        others = [label for label in cells if label != good]
        if teaches and heads[word] == head and good is not None and others:
            bad = max(others, key=scores.get)
            learner.learn(cells[good], cells[bad], scores[good] - scores[bad])


def inserted_arcs(state):
    """The arcs without a label, as (head, dependent), by dependent."""
    return [
        (head, word)
        for word, (head, label) in enumerate(zip(state.heads, state.labels, strict=True))
        if head >= 0 and not label
    ]


def derivable(oracle, state, heads):
    """Whether a static oracle can derive the tree; others need not."""
    if oracle.name != "static":
        return True
    try:
        oracle.optimal(state, heads)
    except ValueError:
        return False
    return True


def labelled_arc(system, state, move):
    """The arc with a label that a move builds, as (head, dependent), None if it builds none."""
    if (move[0] if system.kind == "list" else move) not in ("left_arc", "right_arc"):
        return None
    after = state.copy()
    system.apply(after, move)
    for dependent, (old, new) in enumerate(zip(state.heads, after.heads, strict=True)):
        if new != old and new >= 0:
            return new, dependent
    return None


def fits(built, label, heads, labels):
    """Whether the label of an arc is right: another than the gold one is wrong at a gold arc."""
    if built is None:
        return True
    head, dependent = built
    return heads[dependent] != head or labels[dependent] in (None, label)


def train_starts(learner, docs, starts):
    """Learn from words that start a sentence, 1, and those that do not, -1; 0 is unknown.

    docs: a doc is the list of the features of each of its words. starts: of each doc.
    """
    for doc, marks in zip(docs, starts, strict=True):
        for features, mark in list(zip(doc, marks, strict=True))[1:]:
            cells = [(feature, 0) for feature in features]
            if mark:
                learner.learn(
                    cells if mark > 0 else [], [] if mark > 0 else cells, mark * learner.score(cells)
                )


def train_roots(learner, sentences, heads):
    """Learn from sentences of which one word is known to be the root to rank it first.

    sentences: a sentence is the list of the features of each of its words. heads: of each sentence.
    """
    for sentence, gold in zip(sentences, heads, strict=True):
        if len(sentence) < 2 or gold.count(-1) != 1:
            continue
        cells = [[(feature, 0) for feature in features] for features in sentence]
        scores = [learner.score(some) for some in cells]
        root = gold.index(-1)
        best = max((w for w in range(len(cells)) if w != root), key=lambda w: scores[w])
        learner.learn(cells[root], cells[best], scores[root] - scores[best])
