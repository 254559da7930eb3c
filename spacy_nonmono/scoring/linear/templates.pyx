"""Feature templates in C.

A feature is the sum of the mixed values of its atoms, each multiplied by an odd number of its own: with
values of 64 random bits that is as good a hash as any, and costs an addition an atom. See
`template_sets.py` for what templates look like.
"""

from cymem.cymem cimport Pool

from ...transitions.system cimport N0, S0
from ..scorer cimport distance_bucket

from hashlib import blake2b

from ...errors import Errors
from ..positions import COLLOCATES, ALL_POSITION_NAMES

ARC_KINDS = {
    "l": LABEL, "vl": N_LEFT, "vr": N_RIGHT, "sl": LEFT_LABELS, "sr": RIGHT_LABELS,
}
LEFT, RIGHT, BOTH = range(3)
# What the matrix may hold of a word, by the name of its kind.
COLUMNS = ("w", "p", "prefix", "suffix", "shape", "b", "b4", "b6")


cdef uint64_t mix(uint64_t value) noexcept nogil:
    value = (value ^ (value >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    value = (value ^ (value >> 27)) * <uint64_t>0x94D049BB133111EB
    return value ^ (value >> 31)


cdef uint64_t label_set(const StateC* st, int w, bint left) noexcept nogil:
    """The labels of the dependents on one side as bits; labels beyond 64 share them."""
    cdef uint64_t labels = 0
    cdef int kid = st.first[w] if left else st.last[w]
    while kid >= 0 and (kid < w) == left:
        labels |= <uint64_t>1 << (st.label[kid] & 63)
        kid = st.next[kid] if left else st.prev[kid]
    return labels


cdef inline uint64_t atom_value(
    const AtomC* atom, const StateC* st, const int* positions, const uint64_t* matrix, int n_columns
) noexcept nogil:
    cdef int w
    if atom.kind == DISTANCE:
        if positions[S0] < 0 or positions[N0] < 0:
            return 0
        return mix(distance_bucket(positions[S0], positions[N0]))
    w = positions[atom.position]
    if w < 0:
        return 0
    if atom.kind == COLUMN:
        return matrix[w * n_columns + atom.column]
    if atom.kind == LABEL:
        return mix(st.label[w] + 1)
    if atom.kind == N_LEFT:
        return mix(st.n_left[w] + 1)
    if atom.kind == N_RIGHT:
        return mix(st.n_right[w] + 1)
    return mix(label_set(st, w, atom.kind == LEFT_LABELS) ^ <uint64_t>0x9E3779B97F4A7C15)


cdef inline uint64_t join_atoms(
    const TemplatesC* templates, int t, const uint64_t* values
) noexcept nogil:
    """The feature of a template, 0 if it does not fire."""
    cdef uint64_t feature = 0
    cdef uint64_t value
    cdef bint fires = True
    cdef int k
    for k in range(templates.starts[t], templates.starts[t + 1]):
        value = values[templates.members[k]]
        fires &= value != 0
        feature += value
    return feature if fires else 0


cdef void extract(
    const TemplatesC* templates, const StateC* st, const int* positions, const uint64_t* matrix,
    int n_columns, uint64_t* values, uint64_t* features
) noexcept nogil:
    cdef int a, t
    for a in range(templates.n_atoms):
        values[a] = templates.atoms[a].factor * atom_value(
            &templates.atoms[a], st, positions, matrix, n_columns
        )
    for t in range(templates.n):
        features[t] = join_atoms(templates, t, values)


cdef int extract_repeated(
    const TemplatesC* templates, const StateC* st, int* positions, const uint64_t* matrix,
    int n_columns, uint64_t* values, int position, int word, uint64_t* found, int n_found
) noexcept nogil:
    cdef uint64_t feature
    cdef int a, t, k
    positions[position] = word
    for a in range(templates.n_single_atoms, templates.n_atoms):
        if templates.atoms[a].position == position:
            values[a] = templates.atoms[a].factor * atom_value(
                &templates.atoms[a], st, positions, matrix, n_columns
            )
    for t in range(templates.n_repeated):
        if templates.repeated[t] != position:
            continue
        feature = join_atoms(templates, templates.n + t, values)
        k = 0
        while k < n_found and found[k] != feature:
            k += 1
        if feature and k == n_found:
            found[n_found] = feature
            n_found += 1
    return n_found


cdef class Templates:
    """Compiled templates.

    names: the templates, as in `template_sets`. columns: the kinds that the matrix of words holds, in
    the order of its columns, None for one that is empty; templates that ask for a kind that is not there
    cannot fire and are left out. all_collocates: whether templates of collocates see every one, not the
    nearest.

    Raises ValueError: NM030 for an atom that does not exist, NM031 for two templates of the same atoms,
    NM173 for a template of two collocates where it is to see every one.
    """

    def __cinit__(self, names, columns=COLUMNS, bint all_collocates=False):
        cdef Pool mem = Pool()
        cdef AtomC* compiled
        cdef int* starts
        cdef int* indices
        cdef int* repeated
        cdef int a, t
        cdef int k = 0
        self.mem = mem
        atoms = {}
        seen = {}
        kept = []
        kept_repeated = []
        for name in names:
            members = [parse_atom(atom, name) for atom in name.split()]
            if not members:
                raise ValueError(Errors.NM030.format(atom="", template=name, known=known_atoms()))
            atoms_of_name = tuple(sorted(name.split()))
            if atoms_of_name in seen:
                raise ValueError(Errors.NM031.format(first=seen[atoms_of_name], second=name))
            seen[atoms_of_name] = name
            collocates = {position for position, _ in members if position in COLLOCATES}
            if all_collocates and len(collocates) > 1:
                raise ValueError(Errors.NM173.format(template=name))
            if all(kind in columns or kind not in COLUMNS for _, kind in members):
                (kept_repeated if all_collocates and collocates else kept).append(name)
        kept.sort(key=side_of)
        sides = [side_of(name) for name in kept]
        self.c.n_left = sides.count(LEFT)
        self.c.n_right = sides.count(RIGHT)
        self.c.n = len(kept)
        self.c.n_repeated = len(kept_repeated)
        self.names = (*kept, *kept_repeated)
        for t, name in enumerate(self.names):
            for atom in name.split():
                atoms.setdefault(atom, (len(atoms), *parse_atom(atom, name)))
            if t < self.c.n:
                self.c.n_single_atoms = len(atoms)
        self.collocates = any(position in COLLOCATES for _, position, _ in atoms.values())
        self.c.closest = any(
            position in ("S0lc", "S0rc", "N0lc") for _, position, _ in atoms.values()
        )
        self.c.n_atoms = len(atoms)
        compiled = <AtomC*>mem.alloc(len(atoms) + 1, sizeof(AtomC))
        starts = <int*>mem.alloc(len(self.names) + 1, sizeof(int))
        indices = <int*>mem.alloc(sum(len(name.split()) for name in self.names) + 1, sizeof(int))
        repeated = <int*>mem.alloc(len(kept_repeated) + 1, sizeof(int))
        for atom, (a, position, kind) in atoms.items():
            digest = blake2b(atom.encode("utf8"), digest_size=8).digest()
            compiled[a].factor = int.from_bytes(digest, "little") | 1
            compiled[a].position = ALL_POSITION_NAMES.index(position) if position else 0
            compiled[a].kind = ARC_KINDS.get(kind, DISTANCE if kind == "d" else COLUMN)
            if kind in COLUMNS:
                compiled[a].column = columns.index(kind)
        for t, name in enumerate(self.names):
            starts[t] = k
            for atom in name.split():
                indices[k] = atoms[atom][0]
                k += 1
                if t >= self.c.n and atoms[atom][1] in COLLOCATES:
                    repeated[t - self.c.n] = compiled[atoms[atom][0]].position
        starts[len(self.names)] = k
        self.c.atoms = compiled
        self.c.starts = starts
        self.c.members = indices
        self.c.repeated = repeated

    def __len__(self):
        return len(self.names)

    @property
    def n_columns(self):
        """Columns that the matrix of words must have at least."""
        cdef int a
        cdef int n = 0
        for a in range(self.c.n_atoms):
            if self.c.atoms[a].kind == COLUMN:
                n = max(n, self.c.atoms[a].column + 1)
        return n


def side_of(template):
    """LEFT, RIGHT, or BOTH: which focus word the atoms of a template belong to."""
    firsts = {atom[0] for atom in template.split()}
    return LEFT if firsts == {"S"} else RIGHT if firsts == {"N"} else BOTH


def parse_atom(atom, template):
    """Position ("" for `d`) and kind of an atom."""
    if atom == "d":
        return "", "d"
    position, _, kind = atom.partition(".")
    if position not in ALL_POSITION_NAMES or not (kind in COLUMNS or kind in ARC_KINDS):
        raise ValueError(Errors.NM030.format(atom=atom, template=template, known=known_atoms()))
    return position, kind


def known_atoms():
    kinds = ", ".join((*COLUMNS, *ARC_KINDS))
    names = ", ".join(ALL_POSITION_NAMES)
    return f"d, or POSITION.KIND with a position of {names} and a kind of {kinds}"
