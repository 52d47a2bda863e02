"""The order in which the information methods update the types of a network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from colligate.methods.schema import related

if TYPE_CHECKING:
    from colligate.network import Network


def rounds(network: Network) -> tuple[str, ...]:
    """The order of one sweep: the centre, every further type, the centre again, its terms."""
    centre, terms = network.centre, network.terms
    further = [kind for kind in related(network) if kind not in (centre, terms)]
    last = [terms] if terms is not None and terms != centre else []
    if not further:
        return (centre, *last)
    return (centre, *further, centre, *last) if last else (centre, *further)
