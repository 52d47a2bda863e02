"""FBSF: the type that a name is met with most often in the sentences of its document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from colligate.world.filters.choice import best

if TYPE_CHECKING:
    from colligate.world.filters.cases import Cases
    from colligate.world.filters.choice import Choice


class Frequency:
    """Frequency-based: every mention counts for the types of its readings, a backed one for its own type."""

    name = "fbsf"

    def choose(self, cases: Cases) -> Choice:
        """Decide each document by itself."""
        return best(cases, cases.frequency)
