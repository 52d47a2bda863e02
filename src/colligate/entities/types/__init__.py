"""Semantic filters: which of the things that go by a name a document speaks of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from colligate.entities.types.conceptualisation import Conceptualisation
from colligate.entities.types.frequency import DocumentFrequency, Frequency
from colligate.errors import ParameterError

if TYPE_CHECKING:
    from colligate.entities.types.cases import Filter

FILTERS = {made.name: made for made in (Frequency, DocumentFrequency, Conceptualisation)}
DEFAULT_FILTER = Conceptualisation.name


def resolve_filter(chosen: str | Filter) -> Filter:
    """A filter by its name, or one that is a filter already."""
    if not isinstance(chosen, str):
        return chosen
    if chosen not in FILTERS:
        raise ParameterError(f"filter must be one of {', '.join(FILTERS)}; got {chosen!r:.60}")
    return FILTERS[chosen]()
