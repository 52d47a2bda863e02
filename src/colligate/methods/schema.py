"""The schema of a network as methods use it: related types, numbers of clusters, weights of relations.

The centre has `n_clusters` clusters and its terms (words) follow a rule. All further types have twice as many
clusters as the centre by default. The weight of a relation comes from the user's mapping, else from the
relation itself, else from the rule of the method.
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

# fewer word groups keep too little of what the words say, even of two groups of documents
MIN_TERM_CLUSTERS = 16
# a larger weight would drown all other relations in rounding
MAX_WEIGHT = 1e9


def related_types(network: Network) -> list[str]:
    """List the types that take part in a relation, in the order of the network."""
    related = {kind for relation in network.relations for kind in (relation.rows, relation.columns)}
    return [kind for kind in network.types if kind in related]


def check_centre(name: str, network: Network) -> None:
    """Refuse a network in which no relation includes the centre; `name` is that of the method."""
    if network.terms is None:
        raise InputError(
            f"{name} groups {network.centre}, but no relation with a weight above 0 includes "
            f"{network.centre}; add such a relation"
        )


def count_clusters(
    network: Network,
    n_clusters: int,
    n_terms: int | None,
    n_others: int | Mapping[str, int] | None,
    terms_per_cluster: int,
) -> dict[str, int]:
    """Return the number of clusters of every related type; a rule never exceeds the nonempty objects."""

    def at_most_objects(kind: str, wanted: int) -> int:
        return max(1, min(wanted, int(np.count_nonzero(network.nonempty(kind)))))

    chosen = _clusters_of_others(network, n_others)
    sizes = {}
    for kind in related_types(network):
        if kind == network.centre:
            sizes[kind] = n_clusters
        elif kind == network.terms:
            wanted = max(MIN_TERM_CLUSTERS, terms_per_cluster * n_clusters)
            sizes[kind] = at_most_objects(kind, wanted) if n_terms is None else n_terms
        else:
            sizes[kind] = chosen[kind] if kind in chosen else at_most_objects(kind, 2 * n_clusters)
    return sizes


def _clusters_of_others(network: Network, n_others: int | Mapping[str, int] | None) -> dict[str, int]:
    others = [kind for kind in related_types(network) if kind not in (network.centre, network.terms)]
    if n_others is None:
        return {}
    if isinstance(n_others, int | np.integer):
        return dict.fromkeys(others, int(n_others))
    for kind in n_others:
        if kind not in others:
            raise ParameterError(
                f"n_entity_clusters has an entry for {kind}, which is not allowed; allowed types: "
                f"{', '.join(others) or 'none'}",
                parameter="n_entity_clusters",
            )
    return {kind: int(number) for kind, number in n_others.items()}


def drop_unweighted(network: Network, weights: str | Mapping[str, float]) -> Network:
    """Return the network without the relations of weight 0; `weights` is a rule or a mapping."""
    mapping = weights if isinstance(weights, Mapping) else {}
    names = [relation.name for relation in network.relations]
    for name in mapping:
        if name not in names:
            raise ParameterError(
                f"relation_weights has an entry for {name!r}, which is not a relation of the network; "
                f"the relations are {', '.join(names)}",
                parameter="relation_weights",
            )
    kept = tuple(each for each in network.relations if mapping.get(each.name, each.weight) != 0.0)
    return network if len(kept) == len(network.relations) else replace(network, relations=kept)


def assign_weights(network: Network, weights: str | Mapping[str, float], rule: Sequence[float]) -> Network:
    """Return the network with a weight for every relation.

    A weight of the mapping comes first, then that of the relation itself, then that of the rule.
    """
    mapping = weights if isinstance(weights, Mapping) else {}
    chosen = [
        mapping.get(relation.name, by_rule if relation.weight is None else relation.weight)
        for relation, by_rule in zip(network.relations, rule, strict=True)
    ]
    if max(chosen, default=0.0) > MAX_WEIGHT:
        raise ParameterError(
            f"the weight of a relation may be at most {MAX_WEIGHT:g}; got {max(chosen):g}",
            parameter="relation_weights",
        )
    return replace_weights(network, chosen)


def replace_weights(network: Network, weights: Sequence[float]) -> Network:
    """Return the network with these weights."""
    pairs = zip(network.relations, weights, strict=True)
    relations = tuple(relation.with_weight(float(weight)) for relation, weight in pairs)
    return replace(network, relations=relations)


def occurrence_shares(network: Network) -> list[float]:
    """Return the share of each relation in all occurrences: every occurrence counts the same."""
    totals = [relation.total for relation in network.relations]
    return [total / max(sum(totals), 1e-300) for total in totals]
