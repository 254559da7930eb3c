CLOSEST_POSITIONS: tuple[str, ...]
COLLOCATE_POSITIONS: tuple[str, ...]
ALL_POSITION_NAMES: tuple[str, ...]
MAX_WINDOW: int
"""Pending words on either side of the focus words that templates see at most."""
