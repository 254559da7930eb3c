"""The command that writes the files."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from .files import write


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m spacy_nonmono.lab.sample", description="Write the sample treebank."
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(argv)
    try:
        write(arguments.folder, arguments.seed)
    except OSError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
