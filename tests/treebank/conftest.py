"""A pipeline without components."""

import pytest
import spacy


@pytest.fixture
def nlp():
    return spacy.blank("xx")
