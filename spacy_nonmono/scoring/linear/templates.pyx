"""Feature templates in C.

A feature is the sum of the mixed values of its atoms, each multiplied by an odd number of its own: with
values of 64 random bits that is as good a hash as any, and costs an addition an atom. See
`template_sets.py` for what templates look like.
"""

from cymem.cymem cimport Pool

from ...transitions.positions cimport N0, S0
from ..scorer cimport distance_bucket

from hashlib import blake2b

from ...errors import Errors
from ..positions import ALL_POSITION_NAMES, CLOSEST_POSITIONS, COLLOCATE_POSITIONS

ARC_KINDS = {
    "l": LABEL, "vl": N_LEFT, "vr": N_RIGHT, "sl": LEFT_LABELS, "sr": RIGHT_LABELS,
}
LEFT, RIGHT, BOTH = range(3)
# What the matrix may hold of a word, by the name of its kind.
WORD_KINDS = ("w", "p", "prefix", "suffix", "shape", "b", "b4", "b6")


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
    if st == NULL:  # a window has no arcs
        return 0
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


cdef tuple sort_out(names, columns, bint all_collocates):
    """The templates that can fire: those that do so once, and those that every collocate fires."""
    single = []
    repeated = []
    seen = {}
    for name in names:
        kinds = [parse_atom(atom, name)[1] for atom in name.split()]
        if not kinds:
            raise ValueError(Errors.NM030.format(atom="", template=name, known=known_atoms()))
        atoms = tuple(sorted(name.split()))
        if atoms in seen:
            raise ValueError(Errors.NM031.format(first=seen[atoms], second=name))
        seen[atoms] = name
        n_collocates = len(collocates_in(name)) if all_collocates else 0
        if n_collocates > 1:
            raise ValueError(Errors.NM173.format(template=name))
        if {kind for kind in kinds if kind in WORD_KINDS}.issubset(columns):
            (repeated if n_collocates else single).append(name)
    return single, repeated


cdef set collocates_in(name):
    """The positions of collocates that a template looks at."""
    return {parse_atom(atom, name)[0] for atom in name.split()}.intersection(COLLOCATE_POSITIONS)


cdef dict number_atoms(names):
    """{atom: (number, position, kind)} of templates, in the order in which the atoms come."""
    atoms = {}
    for name in names:
        for atom in name.split():
            if atom not in atoms:
                atoms[atom] = (len(atoms), *parse_atom(atom, name))
    return atoms


cdef const AtomC* compile_atoms(Pool mem, dict atoms, columns) except NULL:
    cdef AtomC* compiled = <AtomC*>mem.alloc(len(atoms) + 1, sizeof(AtomC))
    cdef int a
    for atom, (a, position, kind) in atoms.items():
        digest = blake2b(atom.encode("utf8"), digest_size=8).digest()
        compiled[a].factor = int.from_bytes(digest, "little") | 1
        compiled[a].position = ALL_POSITION_NAMES.index(position) if position else 0
        compiled[a].kind = ARC_KINDS.get(kind, DISTANCE if kind == "d" else COLUMN)
        if kind in WORD_KINDS:
            compiled[a].column = columns.index(kind)
    return compiled


cdef const int* compile_starts(Pool mem, tuple names) except NULL:
    cdef int* starts = <int*>mem.alloc(len(names) + 1, sizeof(int))
    cdef int t
    for t, name in enumerate(names):
        starts[t + 1] = starts[t] + len(name.split())
    return starts


cdef const int* compile_members(Pool mem, tuple names, dict atoms) except NULL:
    numbers = [atoms[atom][0] for name in names for atom in name.split()]
    cdef int* members = <int*>mem.alloc(len(numbers) + 1, sizeof(int))
    cdef int k
    for k in range(len(numbers)):
        members[k] = numbers[k]
    return members


cdef const int* compile_repeated(Pool mem, list names) except NULL:
    cdef int* repeated = <int*>mem.alloc(len(names) + 1, sizeof(int))
    cdef int t
    for t, name in enumerate(names):
        (position,) = collocates_in(name)
        repeated[t] = ALL_POSITION_NAMES.index(position)
    return repeated


cdef class Templates:
    """Compiled templates.

    names: the templates, as in `template_sets`. columns: the kinds that the matrix of words holds, in
    the order of its columns, None for one that is empty; templates that ask for a kind that is not there
    cannot fire and are left out. all_collocates: whether templates of collocates see every one, not the
    nearest.

    Raises ValueError: NM030 for an atom that does not exist, NM031 for two templates of the same atoms,
    NM173 for a template of two collocates where it is to see every one.
    """

    def __cinit__(self, names, columns=WORD_KINDS, bint all_collocates=False):
        cdef Pool mem = Pool()
        self.mem = mem
        single, repeated = sort_out(names, columns, all_collocates)
        single.sort(key=side_of)
        self.names = (*single, *repeated)
        atoms = number_atoms(self.names)
        positions = {position for _, position, _ in atoms.values()}
        sides = [side_of(name) for name in single]
        self.collocates = not positions.isdisjoint(COLLOCATE_POSITIONS)
        self.c.closest = not positions.isdisjoint(CLOSEST_POSITIONS)
        self.c.n = len(single)
        self.c.n_left = sides.count(LEFT)
        self.c.n_right = sides.count(RIGHT)
        self.c.n_repeated = len(repeated)
        self.c.n_atoms = len(atoms)
        self.c.n_single_atoms = len(number_atoms(single))
        self.c.atoms = compile_atoms(mem, atoms, columns)
        self.c.starts = compile_starts(mem, self.names)
        self.c.members = compile_members(mem, self.names, atoms)
        self.c.repeated = compile_repeated(mem, repeated)

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
    if position not in ALL_POSITION_NAMES or not (kind in WORD_KINDS or kind in ARC_KINDS):
        raise ValueError(Errors.NM030.format(atom=atom, template=template, known=known_atoms()))
    return position, kind


def known_atoms():
    kinds = ", ".join((*WORD_KINDS, *ARC_KINDS))
    names = ", ".join(ALL_POSITION_NAMES)
    return f"d, or POSITION.KIND with a position of {names} and a kind of {kinds}"
