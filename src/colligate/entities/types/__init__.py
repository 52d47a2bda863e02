"""Semantic filters: which of the entities with a name a document means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from colligate.entities.types.conceptualisation import Conceptualisation
from colligate.entities.types.frequency import DocumentFrequency, Frequency
from colligate.errors import Parameter, ParameterError

if TYPE_CHECKING:
    from colligate.entities.types.cases import Filter

FILTERS = {kind.name: kind for kind in (Frequency, DocumentFrequency, Conceptualisation)}
DEFAULT_FILTER = Conceptualisation.name


def resolve_filter(filter: str | Filter) -> Filter:
    """Return the filter of a name; a filter is returned as it is."""
    if not isinstance(filter, str):
        return filter
    if filter not in FILTERS:
        allowed = ", ".join(FILTERS)
        raise ParameterError(
            Parameter("filter"), f" must be one of {allowed}; got {filter!r:.60}", parameter="filter"
        )
    return FILTERS[filter]()
