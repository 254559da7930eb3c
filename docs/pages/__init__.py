"""What makes the pages of docs/ that are made of code or of results, and the table of the README.

Each module is run in the repository: `python -m docs.pages.errors_page`.
"""

from pathlib import Path

DOCS = Path("docs")
LAB = DOCS / "lab"
