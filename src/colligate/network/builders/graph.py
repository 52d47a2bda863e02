"""Networks from NetworkX graphs, which are only asked for nodes and edges: NetworkX is never imported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from colligate.errors import InputError
from colligate.network.builders.assembling import Edges, Parts, assemble
from colligate.network.builders.place import Place
from colligate.network.builders.weights import Weights, checked_weights
from colligate.network.objects import DOCUMENTS, check_title

if TYPE_CHECKING:
    from colligate.network.builders.coded import IntArray


class _Nodes(NamedTuple):
    """The types in order, and for every node of the graph its type and its position among its like."""

    names: dict[str, list[str]]
    kind: IntArray
    position: IntArray
    number: dict[Any, int]


class _Ends(NamedTuple):
    source: IntArray
    target: IntArray
    weight: Weights


def graph_parts(graph: Any, type: str, weight: str | None) -> Parts:
    """The types and relations of a graph whose nodes carry their type in the attribute `type`."""
    if not all(hasattr(graph, needed) for needed in ("nodes", "edges", "is_directed")):
        raise InputError(f"from_networkx takes a NetworkX graph; got {graph.__class__.__name__}")
    nodes = _nodes(graph, type)
    ends = _ends(graph, weight, nodes.number)
    if not graph.is_directed():
        ends = _both_ways(_oriented(ends, nodes.kind), nodes.kind)
    return assemble(_relations(ends, nodes), nodes.names)


def _nodes(graph: Any, type: str) -> _Nodes:
    given = list(graph.nodes(data=type))
    untyped = [node for node, kind in given if kind is None]
    if untyped:
        raise InputError(
            f"{len(untyped)} of {len(given)} nodes have no attribute {type!r}, such as {untyped[0]!r:.60}; "
            f"set it, or name the attribute that holds the type by type="
        )
    for kind in {kind for _, kind in given if not isinstance(kind, str)}:
        check_title(kind, "type")
    order = sorted({kind for _, kind in given}, key=lambda kind: (kind != DOCUMENTS, kind))
    names: dict[str, list[str]] = {kind: [] for kind in order}
    code = {kind: at for at, kind in enumerate(order)}
    position = np.empty(len(given), dtype=np.int64)
    for at, (node, kind) in enumerate(given):
        position[at] = len(names[kind])
        names[kind].append(str(node))
    kinds = np.fromiter((code[kind] for _, kind in given), dtype=np.int64, count=len(given))
    return _Nodes(names, kinds, position, {node: at for at, (node, _) in enumerate(given)})


def _ends(graph: Any, weight: str | None, number: dict[Any, int]) -> _Ends:
    given = list(graph.edges(data=weight, default=1)) if weight is not None else list(graph.edges())
    source = np.fromiter((number[edge[0]] for edge in given), dtype=np.int64, count=len(given))
    target = np.fromiter((number[edge[1]] for edge in given), dtype=np.int64, count=len(given))
    if weight is None:
        return _Ends(source, target, np.ones(len(given), dtype=np.int64))
    place = Place("the graph's edges", "edge", 0)
    values = [edge[2] for edge in given]
    return _Ends(source, target, checked_weights(np.array(values or np.ones(0)), weight, place))


def _oriented(ends: _Ends, kind: IntArray) -> _Ends:
    turned = kind[ends.source] > kind[ends.target]
    return _Ends(
        np.where(turned, ends.target, ends.source), np.where(turned, ends.source, ends.target), ends.weight
    )


def _both_ways(ends: _Ends, kind: IntArray) -> _Ends:
    """Add the other direction of edges within one type; a loop has only one."""
    again = (kind[ends.source] == kind[ends.target]) & (ends.source != ends.target)
    return _Ends(
        np.concatenate([ends.source, ends.target[again]]),
        np.concatenate([ends.target, ends.source[again]]),
        np.concatenate([ends.weight, ends.weight[again]]),
    )


def _relations(ends: _Ends, nodes: _Nodes) -> list[Edges]:
    order = list(nodes.names)
    pair = nodes.kind[ends.source] * len(order) + nodes.kind[ends.target]
    by_pair = np.argsort(pair, kind="stable")
    pairs, starts = np.unique(pair[by_pair], return_index=True)
    found = []
    for number, rows in zip(pairs.tolist(), np.split(by_pair, starts[1:]), strict=len(pairs) > 0):
        source, target = order[number // len(order)], order[number % len(order)]
        place = Place(f"the graph's edges of {source} × {target}", "edge", 0)
        positions = nodes.position[ends.source[rows]], nodes.position[ends.target[rows]]
        found.append(Edges(source, target, *positions, ends.weight[rows], place))
    return found
