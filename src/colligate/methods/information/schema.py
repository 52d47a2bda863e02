"""What the information methods make of a network's schema: how many clusters of each type, in which order.

The centre has the clusters that were asked for, its terms (words) follow a rule, all other types have twice
as many clusters as the centre unless told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate.errors import ParameterError
from colligate.methods.information.sides import related

if TYPE_CHECKING:
    from collections.abc import Mapping

    from colligate.network import Network


def cluster_numbers(
    network: Network, n_clusters: int, n_terms: int | None, n_others: int | Mapping[str, int] | None
) -> dict[str, int]:
    """The number of clusters of every type in a relation; a rule never exceeds the objects there are."""
    found = {}
    given = _given(network, n_others)
    for kind in related(network):
        if kind == network.centre:
            found[kind] = n_clusters
        elif kind == network.terms:
            found[kind] = _ruled(network, kind, max(16, 6 * n_clusters)) if n_terms is None else n_terms
        else:
            found[kind] = given[kind] if kind in given else _ruled(network, kind, 2 * n_clusters)
    return found


def rounds(network: Network) -> tuple[str, ...]:
    """The order of one sweep: the centre, every further type, the centre again, its terms."""
    centre, terms = network.centre, network.terms
    further = [kind for kind in related(network) if kind not in (centre, terms)]
    last = [terms] if terms is not None and terms != centre else []
    if not further:
        return (centre, *last)
    return (centre, *further, centre, *last) if last else (centre, *further)


def _given(network: Network, n_others: int | Mapping[str, int] | None) -> dict[str, int]:
    further = [kind for kind in related(network) if kind not in (network.centre, network.terms)]
    if n_others is None:
        return {}
    if isinstance(n_others, int | np.integer):
        return dict.fromkeys(further, int(n_others))
    for kind in n_others:
        if kind not in further:
            known = ", ".join(further) or "none"
            raise ParameterError(f"n_entity_clusters speaks of {kind}; the types it may speak of are {known}")
    return {kind: int(number) for kind, number in n_others.items()}


def _ruled(network: Network, kind: str, wanted: int) -> int:
    return max(1, min(wanted, int(np.count_nonzero(network.filled(kind)))))
