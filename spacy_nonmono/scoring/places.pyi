COLLOCATES: tuple[str, ...]
PLACE_NAMES: tuple[str, ...]
