"""The registries of the package: what get_system, get_oracle and the parser find by name.

Each is a group of entry points, `spacy_nonmono_systems`, `spacy_nonmono_oracles` and
`spacy_nonmono_learners`, in which any package can declare what it has, as this one does. See
docs/extending.md.
"""

from typing import Any

import catalogue

# By the name of the system: what makes one, given its options.
systems: Any = catalogue.create("spacy_nonmono", "systems", entry_points=True)
# By the name of the system, its oracles: {name: what makes one, given the system}, the default first.
# By SYSTEM.ORACLE, one oracle more of a system that another package has: what makes it.
oracles: Any = catalogue.create("spacy_nonmono", "oracles", entry_points=True)
# By the name of the models that it trains: a class as `pipeline.learner.Learner` describes it.
learners: Any = catalogue.create("spacy_nonmono", "learners", entry_points=True)
