from collections.abc import Iterable, Sequence

ARC_KINDS: dict[str, int]
WORD_KINDS: tuple[str, ...]

class Templates:
    def __init__(
        self,
        names: Iterable[str],
        columns: Sequence[str | None] = ...,
        all_collocates: bool = False,
    ) -> None: ...
    @property
    def names(self) -> tuple[str, ...]:
        """(n_templates,) those that are kept."""
    @property
    def collocates(self) -> bool:
        """Whether any asks for a collocate."""
    @property
    def n_columns(self) -> int: ...
    def __len__(self) -> int: ...

def side_of(template: str) -> int: ...

def parse_atom(atom: str, template: str) -> tuple[str, str]: ...

def known_atoms() -> str:
    """The atoms that there are, in words."""
