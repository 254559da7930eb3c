POSITIONS: tuple[str, ...]
