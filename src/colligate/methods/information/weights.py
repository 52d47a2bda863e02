"""What the relations count in the objective: their share of all occurrences, as given, or learned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from colligate.errors import ParameterError
from colligate.methods.information.learned import learned

if TYPE_CHECKING:
    from colligate.kernels import Kernels
    from colligate.network import Network


def with_weights(
    network: Network, asked: str | Mapping[str, float], sizes: Mapping[str, int], kernels: Kernels
) -> Network:
    """The same network, every relation with its weight.

    A weight in `asked` comes first, then the relation's own; otherwise `asked` is the rule, `share` or
    `learned`, and the share where weights are given for other relations only.
    """
    given = asked if isinstance(asked, Mapping) else {}
    _refuse_unknown(network, given)
    ruled = shares(network)
    if asked == "learned" and len(network.relations) > 1:
        ruled = learned(_weighted(network, ruled), sizes, kernels)
    weights = [
        given.get(relation.name, own if relation.weight is None else relation.weight)
        for relation, own in zip(network.relations, ruled, strict=True)
    ]
    if not any(weights):
        raise ParameterError("all relations have the weight 0, so that nothing is left to cluster by")
    return _weighted(network, weights)


def _weighted(network: Network, weights: list[float]) -> Network:
    weighted = zip(network.relations, weights, strict=True)
    return replace(network, relations=tuple(replace(each, weight=float(own)) for each, own in weighted))


def shares(network: Network) -> list[float]:
    """The share of each relation in all occurrences: every occurrence counts the same."""
    totals = [relation.total for relation in network.relations]
    return [total / max(sum(totals), 1e-300) for total in totals]


def _refuse_unknown(network: Network, given: Mapping[str, float]) -> None:
    known = [relation.name for relation in network.relations]
    for name in given:
        if name not in known:
            raise ParameterError(f"relation_weights speaks of {name!r}; the relations are {', '.join(known)}")
