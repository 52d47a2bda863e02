"""Semantic filters: which of the things that go by a name a document speaks of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from colligate.errors import ParameterError
from colligate.world.filters.conceptualisation import Conceptualisation
from colligate.world.filters.document_frequency import DocumentFrequency
from colligate.world.filters.frequency import Frequency

if TYPE_CHECKING:
    from colligate.world.filters.choice import Filter

FILTERS = {made.name: made for made in (Frequency, DocumentFrequency, Conceptualisation)}
DEFAULT = Conceptualisation.name


def filter_of(chosen: str | Filter) -> Filter:
    """A filter by its name, or one that is a filter already."""
    if not isinstance(chosen, str):
        return chosen
    if chosen not in FILTERS:
        raise ParameterError(f"filter must be one of {', '.join(FILTERS)}; got {chosen!r:.60}")
    return FILTERS[chosen]()
