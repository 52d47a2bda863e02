"""Joining what the gazetteer found with what a recogniser found: of finds that overlap, the longest."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from colligate.world.mentions.gazetteer import Hit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from colligate.world.mentions.gazetteer import Gazetteer
    from colligate.world.mentions.recogniser import Place

_UNKNOWN = -1


def joined(text: str, hits: list[Hit], places: Iterable[Place], gazetteer: Gazetteer) -> list[Hit]:
    """Hits and recognised names that the gazetteer knows, in the order of the text.

    A recognised name of one word is one, whatever its place tells. One that nobody knows falls away, and
    hides what is inside it: the York of Peter York is no city.
    """
    recognised = [_known(text, place, gazetteer) for place in places]
    named = [hit for hit in hits if not hit.small]
    kept = _longest([*recognised, *named])
    small = [hit for hit in hits if hit.small]
    return sorted([hit for hit in kept if hit.name != _UNKNOWN] + small, key=lambda hit: hit.start)


def _known(text: str, place: Place, gazetteer: Gazetteer) -> Hit:
    found = gazetteer.find(text[place.start : place.end])
    if len(found) == 1 and found[0].end - found[0].start == place.end - place.start:
        return Hit(found[0].name, place.start, place.end)
    return Hit(_UNKNOWN, place.start, place.end)


def _longest(hits: list[Hit]) -> Iterator[Hit]:
    """The longest first, each unless a longer one covers a part of it; among equals the first given."""
    starts: list[int] = []
    ends: list[int] = []
    for hit in sorted(hits, key=lambda hit: (hit.start - hit.end, hit.start)):
        at = bisect_left(starts, hit.end)
        if at == 0 or ends[at - 1] <= hit.start:
            starts.insert(at, hit.start)
            ends.insert(at, hit.end)
            yield hit
