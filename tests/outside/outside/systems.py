"""What makes the systems, for configs and `get_system`."""

from outside.two_planar import TwoPlanar


def two_planar() -> TwoPlanar:
    return TwoPlanar()
