"""Feature templates, read off the lists of a configuration."""

BUCKETS = [1, 2, 3, 4, 5, 7, 10, 20]  # greatest distance of each bucket but the last


def positions(stack, buffer, heads, collocates=None, window=2):
    """Word of each position, None where there is none. stack: top last. collocates: word -> words.
    window: how many words beyond the focus words belong to the context on either side."""
    n = len(heads)

    def at(items, index):
        found = items[index] if -len(items) <= index < len(items) else -1
        return found if found >= 0 else None

    def head(w):
        return heads[w] if w is not None and heads[w] >= 0 else None

    def kids(w, left):
        if w is None:
            return []
        return [d for d in range(n) if heads[d] == w and (d < w) == left]

    def left(w, k=0):
        return at(kids(w, True), k)

    def right(w, k=0):
        return at(kids(w, False)[::-1], k)

    s0, s1, s2 = (at(stack, -1 - k) for k in range(3))
    n0, n1, n2 = (at(buffer, k) for k in range(3))
    both = s0 is not None and n0 is not None
    out = [w for w in range(s0 + 1, n0) if heads[w] >= 0 and not s0 < heads[w] < n0] if both else []
    found = {
        "S0": s0, "S1": s1, "S2": s2, "N0": n0, "N1": n1, "N2": n2,
        "S0h": head(s0), "S0h2": head(head(s0)), "S0l": left(s0), "S0r": right(s0),
        "S0l2": left(s0, 1), "S0r2": right(s0, 1), "S1h": head(s1), "S1l": left(s1),
        "S1r": right(s1), "N0h": head(n0), "N0h2": head(head(n0)), "N0l": left(n0),
        "N0l2": left(n0, 1), "N0r": right(n0), "CL": at(out, 0), "CR": at(out, -1),
        "S0+": s0 + 1 if s0 is not None and s0 < n - 1 else None,
        "N0-": n0 - 1 if n0 else None,
        "S0lc": left(s0, -1), "S0rc": right(s0, -1), "N0lc": left(n0, -1),
    }  # fmt: skip
    if collocates is not None:
        for position, words in waiting_collocates(found, heads, collocates, window).items():
            nearest = max if position.endswith("l") else min
            found[position] = nearest(words, default=None)
    return found


def waiting_collocates(positions, heads, collocates, window=2):
    """Of each position of a collocate all words that it may be."""
    s0, s1, s2 = [positions[name] for name in ("S0", "S1", "S2")]
    n0, n1, n2 = [positions[name] for name in ("N0", "N1", "N2")]
    lefts, rights = [s2, s1][2 - window :], [n2, n1][2 - window :]
    first = next((w for w in (*lefts, s0, n0) if w is not None), None)
    last = next((w for w in (*rights, n0, s0) if w is not None), None)
    found = {}
    for name, word in (("S0", s0), ("N0", n0)):
        waiting = [] if word is None else [c for c in collocates[word] if heads[c] < 0]
        found[f"{name}kl"] = [c for c in waiting if c < first]
        # Where Swap has put last before first, a word may lie outside on both sides: it counts once
        found[f"{name}kr"] = [c for c in waiting if c > last and c >= first]
    return found


def atom(name, positions, columns, heads, labels):
    """Value of an atom, None where it is missing. columns: kind -> values of the words."""
    if name == "d":
        s0, n0 = positions["S0"], positions["N0"]
        if s0 is None or n0 is None:
            return None
        return sum(abs(n0 - s0) > limit for limit in BUCKETS)
    position, _, kind = name.partition(".")
    word = positions.get(position)
    if word is None:
        return None
    if kind in columns:
        return columns[kind][word]
    if kind == "l":
        return labels[word] or None
    kids = [
        d for d, head in enumerate(heads) if head == word and (d < word) == (kind in ("vl", "sl"))
    ]
    return len(kids) if kind in ("vl", "vr") else frozenset(labels[d] for d in kids)


def features(templates, positions, columns, heads, labels):
    """Of each template its atoms with their values, None where it does not fire."""
    found = []
    for template in templates:
        values = {name: atom(name, positions, columns, heads, labels) for name in template.split()}
        fires = None not in values.values()
        found.append(tuple(sorted(values.items(), key=str)) if fires else None)
    return found


def collocate_features(templates, positions, waiting, columns, heads, labels):
    """What `templates`, each with one collocate, find with all that wait in its place: a set."""
    found = set()
    for template in templates:
        (place,) = {name.split(".")[0] for name in template.split()} & set(waiting)
        for word in waiting[place]:
            found |= set(features([template], {**positions, place: word}, columns, heads, labels))
    return found - {None}
