"""Random misuse: damaged files, damaged weights, senseless calls. Nothing may crash, hang or go wrong in
silence.

Every campaign is a function from a seed to an outcome, run in a process of its own (`harness`), so that
a crash is a row of a table and not the end of the tests. `python -m pytest -m fuzz` runs them at full
length and prints the table; the normal tests run a small share of each.
"""
