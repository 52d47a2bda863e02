"""What methods for networks make of a schema: which types take part, and how many clusters each has.

The centre has the clusters that were asked for, its terms (words) follow a rule, all other types have twice
as many clusters as the centre unless told.

What the relations count in an objective: as given, as they bring it, or by the rule of the method.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from colligate.errors import InputError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from colligate.network import Network


MIN_TERM_CLUSTERS = 16

MAX_WEIGHT = 1e9


def related_types(network: Network) -> list[str]:
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


def count_clusters(
    network: Network,
    n_clusters: int,
    n_terms: int | None,
    n_others: int | Mapping[str, int] | None,
    terms_per_cluster: int,
) -> dict[str, int]:
    """The number of clusters of every type in a relation; a rule never exceeds the objects there are."""
    found = {}
    given = _given(network, n_others)
    for kind in related_types(network):
        if kind == network.centre:
            found[kind] = n_clusters
        elif kind == network.terms:
            ruled = _ruled(network, kind, max(MIN_TERM_CLUSTERS, terms_per_cluster * n_clusters))
            found[kind] = ruled if n_terms is None else n_terms
        else:
            found[kind] = given[kind] if kind in given else _ruled(network, kind, 2 * n_clusters)
    return found


def _given(network: Network, n_others: int | Mapping[str, int] | None) -> dict[str, int]:
    further = [kind for kind in related_types(network) if kind not in (network.centre, network.terms)]
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
    return max(1, min(wanted, int(np.count_nonzero(network.nonempty(kind)))))


def drop_unweighted(network: Network, asked: str | Mapping[str, float]) -> Network:
    """The same network without the relations whose weight is 0: they have no part in anything."""
    given = asked if isinstance(asked, Mapping) else {}
    _refuse_unknown(network, given)
    kept = tuple(each for each in network.relations if given.get(each.name, each.weight) != 0.0)
    return network if len(kept) == len(network.relations) else replace(network, relations=kept)


def assign_weights(network: Network, asked: str | Mapping[str, float], ruled: Sequence[float]) -> Network:
    """The same network, every relation with its weight.

    A weight in `asked` comes first, then the relation's own, then what the rule found for it.
    """
    given = asked if isinstance(asked, Mapping) else {}
    weights = [
        given.get(relation.name, own if relation.weight is None else relation.weight)
        for relation, own in zip(network.relations, ruled, strict=True)
    ]
    if max(weights, default=0.0) > MAX_WEIGHT:
        raise ParameterError(f"the weight of a relation may be at most {MAX_WEIGHT:g}; got {max(weights):g}")
    return replace_weights(network, weights)


def replace_weights(network: Network, weights: Sequence[float]) -> Network:
    """The same network with these weights."""
    pairs = zip(network.relations, weights, strict=True)
    return replace(network, relations=tuple(replace(each, weight=float(own)) for each, own in pairs))


def occurrence_shares(network: Network) -> list[float]:
    """The share of each relation in all occurrences: every occurrence counts the same."""
    totals = [relation.total for relation in network.relations]
    return [total / max(sum(totals), 1e-300) for total in totals]


def _refuse_unknown(network: Network, given: Mapping[str, float]) -> None:
    known = [relation.name for relation in network.relations]
    for name in given:
        if name not in known:
            raise ParameterError(f"relation_weights speaks of {name!r}; the relations are {', '.join(known)}")
