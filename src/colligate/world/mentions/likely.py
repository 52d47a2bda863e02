"""Which finds are names, and not everyday words or parts of other names.

A word is taken for a name if it is capital in most places where that tells anything, and if many others do
not share it: "David" is one of a thousand people, "Smith" too, and "University" is a part of many names. It
must also stand alone in most places, and no other word may lead it in many: the Reno of Janet Reno is no
city, neither there nor further on. No name, of one word or several, may be a part of something longer (the
York of New York), or stand for something that is called after it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate.world.mentions.called_after import called_after
from colligate.world.mentions.found import ALONE, LED, PLACED, TELLING
from colligate.world.mentions.sharing import shared_words
from colligate.world.mentions.vouching import unvouched

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.world.base.interface import KnowledgeBase
    from colligate.world.mentions.found import Found
    from colligate.world.mentions.gazetteer import Gazetteer

CAPITAL = 0.6
"""The least share of capital places."""

LONE = 0.5
"""The least share of places where a word stands alone."""

FAMILY = 0.2
"""The share of places with another word before it that makes a word a family name, whoever has it."""

SOME = 0.05
"""The share that makes it one in the documents where it has a word before it."""


def likely(found: Found, gazetteer: Gazetteer, base: KnowledgeBase) -> Found:
    """The finds without those of unlikely names."""
    words = np.frombuffer(gazetteer.words, dtype=np.uint8)
    single = words[found.name] == 1
    led = _share(found, LED, len(words))
    fit = _mostly_capital(found, len(words)) & (_share(found, ALONE, len(words)) >= LONE) & (led < FAMILY)
    names = np.unique(found.name[single & fit[found.name]]).tolist()
    fit[shared_words(names, gazetteer, base)] = False
    fit[list(unvouched(found, names, gazetteer, base))] = False
    known = fit[found.name] & ~(_led_somewhere(found) & (led >= SOME)[found.name])
    found = found.where((~single | known) & (found.hits[:, ALONE] > 0))
    return found.where((found.hits[:, PLACED] > 0) | ~called_after(found, gazetteer, base))


def _mostly_capital(found: Found, size: int) -> NDArray[np.bool_]:
    telling = found.name[found.hits[:, TELLING] > 0]
    capital = np.bincount(telling, minlength=size)
    small = np.bincount(found.small[:, 0], weights=found.small[:, 1], minlength=size)
    return np.asarray(capital >= CAPITAL * (capital + small))


def _share(found: Found, column: int, size: int) -> NDArray[np.float64]:
    """In which share of its places each name is as a column says."""
    such = np.bincount(found.name, weights=found.hits[:, column], minlength=size)
    return np.asarray(such / np.maximum(np.bincount(found.name, minlength=size), 1))


def _led_somewhere(found: Found) -> NDArray[np.bool_]:
    """Which finds are in a document that has a word before the same name in some place."""
    place = found.document * (int(found.name.max(initial=0)) + 1) + found.name
    return np.isin(place, place[found.hits[:, LED] > 0])
