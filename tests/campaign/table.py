"""The table that ends `pytest -m fuzz`: cells, cases, and laws that were broken."""

from typing import Any

import pytest

from tests.tables import recorded

CAMPAIGN_ROW = "campaign row"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    found: list[tuple[str, dict[str, Any]]] = recorded(terminalreporter, CAMPAIGN_ROW)
    if config.option.markexpr != "fuzz" or not found:
        return
    from .running import Tally  # loads the whole package

    for title in dict.fromkeys(title for title, _ in found):
        tally = Tally()
        for name, part in found:
            if name == title:
                tally.include(part)
        terminalreporter.section(title)
        for line in tally.lines():
            terminalreporter.line(line)
