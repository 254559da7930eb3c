"""The fixture `fuzz`, and the table that ends `pytest -m fuzz`."""

from collections.abc import Callable

import pytest

from tests.tables import aligned, recorded

from .harness import PATIENCE, Case, Outcome, Tally, run_campaign

FUZZ_ROW = "fuzz row"
COLUMNS = ("campaign", "first seed", "cases", *(kind.value for kind in Outcome), "seconds")
Fuzz = Callable[..., None]


def row(tally: Tally) -> list[str]:
    counts = [f"{tally.counts[kind]:,}" for kind in Outcome]
    return [
        tally.campaign,
        str(tally.first_seed),
        f"{sum(tally.counts.values()):,}",
        *counts,
        f"{tally.seconds:.0f}",
    ]


@pytest.fixture
def fuzz(request: pytest.FixtureRequest, record_property: Callable[[str, object], None]) -> Fuzz:
    """Runs a campaign, `few` cases in the normal tests and `many` with `-m fuzz`, and fails with the
    seeds that went wrong."""

    def run(
        name: str,
        case: Case,
        *,
        few: int,
        many: int,
        first_seed: int = 0,
        patience: float = PATIENCE,
    ) -> None:
        n_cases = many if request.config.option.markexpr == "fuzz" else few
        if not n_cases:
            return
        tally = run_campaign(name, case, n_cases, first_seed, patience=patience)
        record_property(FUZZ_ROW, row(tally))
        assert not tally.n_failures, "\n".join(tally.failures)

    return run


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.option.markexpr == "fuzz":
        for item in items:
            if "fuzz" in getattr(item, "fixturenames", ()):
                item.add_marker("fuzz")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if config.option.markexpr != "fuzz":
        return
    rows = recorded(terminalreporter, FUZZ_ROW)
    if rows:
        terminalreporter.section("random misuse")
        for line in aligned([COLUMNS, *sorted(rows)], n_names=1):
            terminalreporter.line(line)
