def n_atom_rows(n_labels: int) -> int:
    """Rows of the atom table for so many labels."""
