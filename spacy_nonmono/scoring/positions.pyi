COLLOCATES: tuple[str, ...]
ALL_POSITION_NAMES: tuple[str, ...]
