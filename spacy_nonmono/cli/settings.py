"""The settings that commands score in, as options."""

from enum import Enum


class Setting(str, Enum):
    both = "both"
    gold = "gold"
    documents = "documents"


class SettingOrRaw(str, Enum):
    both = "both"
    gold = "gold"
    documents = "documents"
    raw = "raw"


class OneSetting(str, Enum):
    gold = "gold"
    documents = "documents"


def chosen_settings(setting: Setting | OneSetting) -> tuple[str, ...]:
    """Of `evaluate.SETTINGS`."""
    from ..evaluation.evaluate import DOCUMENTS, GOLD_SENTENCES, SETTINGS

    return {"both": SETTINGS, "gold": (GOLD_SENTENCES,), "documents": (DOCUMENTS,)}[setting.value]
