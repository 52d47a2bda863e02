"""What the relations count in an objective: as given, as they bring it, or by the rule of the method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from colligate.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from colligate.network import Network


MOST = 1e9


def without_unweighted(network: Network, asked: str | Mapping[str, float]) -> Network:
    """The same network without the relations whose weight is 0: they have no part in anything."""
    given = asked if isinstance(asked, Mapping) else {}
    _refuse_unknown(network, given)
    kept = tuple(each for each in network.relations if given.get(each.name, each.weight) != 0.0)
    return network if len(kept) == len(network.relations) else replace(network, relations=kept)


def with_weights(network: Network, asked: str | Mapping[str, float], ruled: Sequence[float]) -> Network:
    """The same network, every relation with its weight.

    A weight in `asked` comes first, then the relation's own, then what the rule found for it.
    """
    given = asked if isinstance(asked, Mapping) else {}
    weights = [
        given.get(relation.name, own if relation.weight is None else relation.weight)
        for relation, own in zip(network.relations, ruled, strict=True)
    ]
    if max(weights, default=0.0) > MOST:
        raise ParameterError(f"the weight of a relation may be at most {MOST:g}; got {max(weights):g}")
    return weighted(network, weights)


def weighted(network: Network, weights: Sequence[float]) -> Network:
    """The same network with these weights."""
    pairs = zip(network.relations, weights, strict=True)
    return replace(network, relations=tuple(replace(each, weight=float(own)) for each, own in pairs))


def shares(network: Network) -> list[float]:
    """The share of each relation in all occurrences: every occurrence counts the same."""
    totals = [relation.total for relation in network.relations]
    return [total / max(sum(totals), 1e-300) for total in totals]


def _refuse_unknown(network: Network, given: Mapping[str, float]) -> None:
    known = [relation.name for relation in network.relations]
    for name in given:
        if name not in known:
            raise ParameterError(f"relation_weights speaks of {name!r}; the relations are {', '.join(known)}")
