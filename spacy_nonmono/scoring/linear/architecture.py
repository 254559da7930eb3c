"""The registered architecture of the linear transition parser."""

from spacy.attrs import intify_attr
from spacy.tokens import Doc
from thinc.api import Model

from ...errors import Errors
from ..positions import MAX_WINDOW
from .model import (
    ALL,
    COLLOCATE_CHOICES,
    NEAREST,
    LinearScores,
    LinearSettings,
    LinearShim,
    forward,
    init,
)
from .template_sets import named_templates
from .templates import Templates

LEARNERS = ("perceptron", "mira")


def LinearTransitionParser(
    learner: str = "perceptron",
    word: str = "NORM",
    tag: str = "POS",
    templates: list[str] | None = None,
    min_updates: int = 0,
    aggressiveness: float = 0.1,
    until_correct: bool = False,
    collocates: str = NEAREST,
    collocate_window: int = MAX_WINDOW,
) -> Model[list[Doc], LinearScores]:
    """Make the linear model of `nonmono_parser`, which has sparse features and no vectors.

    learner: "perceptron" (averaged, Collins 2002) or "mira" (Crammer et al. 2006, PA-I).
    word, tag: the token attributes of spaCy that templates see as word and tag.
    templates: feature templates and names of groups of them, see `template_sets`; by default those of
        the kind of system.
    min_updates: features that took part in fewer updates are left out of what is saved and used.
    aggressiveness: the longest step of MIRA; the default is a guess that was not tuned.
    until_correct: where training would follow the oracle, it stays in a configuration and learns again
        until the best choice is right (easy-first of Goldberg & Elhadad 2010).
    collocates: which collocates of a focus word the templates see that wait outside of the context:
        "nearest", one on either side, or "all" (Zhu, Qiu & Huang 2015). With a component `collocations`.
    collocate_window: how many pending words beyond the focus words the context has on either side, 0 to
        2.

    Raises ValueError: NM030 for an unknown atom of a template, NM031 for two templates of the same
    atoms, NM032 for an unknown learner, NM033 for an unknown attribute, NM173 for a template of two
    collocates that is to see all, NM174 for an unknown choice of collocates or an impossible window.
    """
    for setting, found, expected in (
        ("collocates", collocates, COLLOCATE_CHOICES),
        ("collocate_window", collocate_window, tuple(range(MAX_WINDOW + 1))),
    ):
        if found not in expected:
            known = ", ".join(map(repr, expected))
            raise ValueError(Errors.NM174.format(setting=setting, found=found, known=known))
    if templates is not None:
        templates = named_templates(templates)
    Templates(templates or (), all_collocates=collocates == ALL)
    if learner not in LEARNERS:
        raise ValueError(Errors.NM032.format(found=learner, known=", ".join(LEARNERS)))
    for attribute in (word, tag):
        if intify_attr(attribute) is None:
            raise ValueError(Errors.NM033.format(found=attribute))
    settings = LinearSettings(templates, word, tag, min_updates, collocates, collocate_window)
    return Model(
        "linear_transition_parser",
        forward,
        init=init,
        shims=[LinearShim(settings)],
        attrs={
            "aggressiveness": aggressiveness if learner == "mira" else 0.0,
            "until_correct": until_correct,
        },
    )
