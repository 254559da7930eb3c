from collections.abc import Iterable, Sequence

ARC_KINDS: dict[str, int]
COLUMNS: tuple[str, ...]

class Templates:
    """Compiled templates.

    names: the templates, as in `template_sets`. columns: the kinds that the matrix of words holds, in
    the order of its columns, None for one that is empty; templates that ask for a kind that is not
    there cannot fire and are left out.

    Raises ValueError (NM030) for an atom that does not exist, (NM031) for two templates of the same
    atoms.
    """

    def __init__(self, names: Iterable[str], columns: Sequence[str | None] = ...) -> None: ...
    @property
    def names(self) -> tuple[str, ...]:
        """(n_templates,) those that are kept."""
    @property
    def collocates(self) -> bool:
        """Whether any asks for a collocate."""
    @property
    def n_columns(self) -> int:
        """Columns that the matrix of words must have at least."""
    def __len__(self) -> int:
        """The number of templates."""

def side_of(atoms: Sequence[str]) -> int:
    """LEFT, RIGHT, or BOTH: which focus word the atoms of a template belong to."""

def parse_atom(atom: str, template: str) -> tuple[str, str]:
    """Position ("" for `d`) and kind of an atom.

    Raises ValueError (NM030) for an atom that does not exist.
    """

def known_atoms() -> str:
    """The atoms that there are, in words."""
