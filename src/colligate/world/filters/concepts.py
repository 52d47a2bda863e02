"""Kinds of things among things: a profession is no person, and a cause of death is none either.

Knowledge bases file both below one type. Things have names in capitals, and kinds of things are also written
small; so where nearly all of a type are things, what is written small is none of it.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from colligate.world.mentions.names import everyday

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from colligate.world.filters.readings import Reading

FEW = 0.3
"""The share of kinds below which a type is one of things."""


def without_kinds(
    entities: Mapping[str, Sequence[Reading]],
    labels: Mapping[str, set[str]],
    aliases: Mapping[str, set[str]],
) -> dict[str, Sequence[Reading]]:
    """The readings of each entity, a kind of things without those as one of the things."""
    kinds = {
        entity
        for entity, called in labels.items()
        if all(_is_kind(label) or label.lower() in aliases.get(entity, ()) for label in called)
    }
    every = Counter(reading.type for readings in entities.values() for reading in readings)
    small = Counter(reading.type for entity in kinds for reading in entities.get(entity, ()))
    things = {type for type, many in every.items() if small[type] < FEW * many}
    return {
        entity: [one for one in readings if one.type not in things] if entity in kinds else readings
        for entity, readings in entities.items()
    }


def _is_kind(label: str) -> bool:
    """Whether a label is written small; a capital first word must be an everyday one, as in Head coach."""
    first, _, rest = label.strip().partition(" ")
    return label.islower() or (rest.islower() and first.lower() in everyday())
