"""Which finds are names, and not everyday words or parts of other names.

A word is taken for a name if it is capital in most places where that tells anything, and if many others do
not share it: "David" is one of a thousand people, "Smith" too, and "University" is a part of many names. No
name, of one word or several, may have another capital word beside it (the York of New York).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate.world.mentions.found import ALONE, TELLING
from colligate.world.mentions.sharing import shared_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.world.base.interface import KnowledgeBase
    from colligate.world.mentions.found import Found
    from colligate.world.mentions.gazetteer import Gazetteer

CAPITAL = 0.6
"""The least share of capital places."""


def likely(found: Found, gazetteer: Gazetteer, base: KnowledgeBase) -> Found:
    """The finds without those of unlikely names."""
    words = np.frombuffer(gazetteer.words, dtype=np.uint8)
    single = words[found.name] == 1
    fit = _mostly_capital(found, len(words))
    fit[shared_words(np.unique(found.name[single]).tolist(), gazetteer, base)] = False
    return found.where((~single | fit[found.name]) & (found.hits[:, ALONE] > 0))


def _mostly_capital(found: Found, size: int) -> NDArray[np.bool_]:
    telling = found.name[found.hits[:, TELLING] > 0]
    capital = np.bincount(telling, minlength=size)
    small = np.bincount(found.small[:, 0], weights=found.small[:, 1], minlength=size)
    return np.asarray(capital >= CAPITAL * (capital + small))
