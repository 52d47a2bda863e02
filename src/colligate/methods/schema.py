"""What methods for networks make of a schema: which types take part, and how many clusters each has.

The centre has the clusters that were asked for, its terms (words) follow a rule, all other types have twice
as many clusters as the centre unless told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate.errors import InputError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from colligate.network import Network

LEAST_TERMS = 16


def related(network: Network) -> list[str]:
    """The types that take part in a relation, in the order of the network."""
    taking_part = {kind for relation in network.relations for kind in (relation.rows, relation.columns)}
    return [kind for kind in network.types if kind in taking_part]


def check_centre(name: str, network: Network) -> None:
    """Refuse a network whose centre stands alone; `name` is that of the method."""
    if network.terms is None:
        raise InputError(
            f"{name} groups {network.centre} first, and no relation of this network (with a weight above 0) "
            "speaks of them"
        )


def cluster_numbers(
    network: Network,
    n_clusters: int,
    n_terms: int | None,
    n_others: int | Mapping[str, int] | None,
    terms_per_cluster: int,
) -> dict[str, int]:
    """The number of clusters of every type in a relation; a rule never exceeds the objects there are."""
    found = {}
    given = _given(network, n_others)
    for kind in related(network):
        if kind == network.centre:
            found[kind] = n_clusters
        elif kind == network.terms:
            ruled = _ruled(network, kind, max(LEAST_TERMS, terms_per_cluster * n_clusters))
            found[kind] = ruled if n_terms is None else n_terms
        else:
            found[kind] = given[kind] if kind in given else _ruled(network, kind, 2 * n_clusters)
    return found


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
