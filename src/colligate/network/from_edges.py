"""Networks from edge lists.

Networks from dicts of arrays in the manner of PyTorch Geometric.

Networks from NetworkX graphs, which are only asked for nodes and edges: NetworkX is never imported.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from colligate.errors import InputError
from colligate.knowledge.names import misspells
from colligate.network.assembly import Edges, NetworkParts, RelationKey, assemble, parse_keys
from colligate.network.objects import DOCUMENTS, check_name
from colligate.network.table_files import Columns
from colligate.network.validation import RowRef, Weights, check_weights

if TYPE_CHECKING:
    from colligate.network.assembly import IntArray

ROLES = ("source", "target", "weight")
WEIGHT = "edge_weight"
_LIKE_WEIGHTS = ("weight", "weights")
GRAPH_WIDE = "_global_store"
"""What `HeteroData.to_dict()` keeps of the graph as a whole; it tells of no objects."""


def parse_edges(
    edges: Mapping[tuple[str, ...], Any], names: Mapping[str, Sequence[str] | range]
) -> NetworkParts:
    """The types and relations that edge lists tell of."""
    if not isinstance(edges, Mapping):
        raise InputError(
            f'edges are given by relation, as in {{("documents", "people"): [("a12", "Ada", 2)]}}; '
            f"got {type(edges).__name__}"
        )
    keys = parse_keys(edges)
    return assemble([_edges(key, given) for key, given in zip(keys, edges.values(), strict=True)], names)


def _edges(key: RelationKey, given: Any) -> Edges:
    columns = Columns.of(given if _is_table(given) else _by_column(given, key.told), RowRef(key.told))
    source, target, weight = _chosen(columns)
    return Edges(
        key.rows,
        key.columns,
        columns.ends(source),
        columns.ends(target),
        None if weight is None else columns.weights(weight),
        columns.place,
        key.name,
    )


def _chosen(columns: Columns) -> tuple[str, str, str | None]:
    """Columns by their names, or by their order where there are no more than three."""
    if "source" in columns and "target" in columns:
        return "source", "target", "weight" if "weight" in columns else None
    found = list(columns.parts)
    if len(found) not in (2, 3):
        raise InputError(
            f"{columns.place.what} need the columns 'source' and 'target' (and 'weight' where there is one); "
            f"got {', '.join(map(repr, found)) or 'none'}"
        )
    return found[0], found[1], found[2] if len(found) == 3 else None


def _is_table(given: Any) -> bool:
    return isinstance(given, Mapping) or hasattr(given, "__arrow_c_stream__") or hasattr(given, "columns")


def _by_column(given: Any, what: str) -> dict[str, Any]:
    if isinstance(given, np.ndarray):
        if given.ndim != 2 or given.shape[1] not in (2, 3):
            raise InputError(f"{what} must be an array of E × 2 or E × 3; got the shape {given.shape}")
        return dict(zip(ROLES, given.T, strict=False))
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise InputError(f"{what} must be a table or a list of triples; got {type(given).__name__}")
    listed = list(given)
    _refuse_odd_rows(listed, what)
    found = list(zip(*listed, strict=True)) if listed else [(), ()]
    return dict(zip(ROLES, found, strict=False))


def _refuse_odd_rows(rows: list[Any], what: str) -> None:
    plain = set(map(type, rows)) <= {tuple, list}
    if plain and set(map(len, rows)) in (set(), {2}, {3}):
        return
    width = len(rows[0]) if isinstance(rows[0], tuple | list) else 0
    fits = width in (2, 3)
    at = next((at for at, row in enumerate(rows) if not (fits and _is_row(row, width))), 0)
    raise InputError(
        f"row {at + 1} of {what} is {rows[at]!r:.60}; every one must be (source, target), or every one "
        f"(source, target, weight)"
    )


def _is_row(row: Any, width: int) -> bool:
    return isinstance(row, tuple | list) and len(row) == width


def parse_arrays(data: Mapping[Any, Mapping[str, Any]]) -> NetworkParts:
    """The types and relations that arrays tell of.

    Of a relation, `edge_index` and `edge_weight` are taken; of a type, `num_nodes`, `names` and the length of
    `x`. Other attributes (`y`, `train_mask`, features in `edge_attr`) are ignored, unless they may well be
    weights that would be lost.
    """
    if not isinstance(data, Mapping):
        raise InputError(
            f"from_arrays takes a dict of types and relations; got {type(data).__name__} "
            f"(of a HeteroData, give its to_dict())"
        )
    for key, given in data.items():
        if not isinstance(given, Mapping):
            raise InputError(f"{key!r:.60} must come with a dict of arrays; got {type(given).__name__}")
    related = [key for key in data if isinstance(key, tuple)]
    edges = [_array_edges(key, data[at]) for at, key in zip(related, parse_keys(related), strict=True)]
    sized = {key: _names(key, data[key]) for key in data if not isinstance(key, tuple) and key != GRAPH_WIDE}
    names = {key: found for key, found in sized.items() if found is not None}
    _refuse_unsized(data, edges, names)
    return assemble(edges, names)


def _array_edges(key: RelationKey, given: Mapping[str, Any]) -> Edges:
    place = RowRef(key.told, "edge", 0)
    if "edge_index" not in given:
        raise InputError(f"{key.told} lack 'edge_index', an array of 2 × E positions")
    index = _array(given["edge_index"], "edge_index", place)
    if index.ndim != 2 or index.shape[0] != 2 or (index.size and index.dtype.kind not in "iu"):
        raise InputError(
            f"'edge_index' of {key.told} must be whole numbers in the shape 2 × E; "
            f"got {index.dtype} in the shape {index.shape}"
        )
    source, target = index.astype(np.int64)
    return Edges(key.rows, key.columns, source, target, _weights(given, len(source), place), place, key.name)


def _weights(given: Mapping[str, Any], n_edges: int, place: RowRef) -> Weights | None:
    """The weights; None where there are none and nothing looks like them."""
    weight = given.get(WEIGHT)
    if weight is not None:
        return check_weights(_array(weight, WEIGHT, place), WEIGHT, place)
    for name, values in given.items():
        if values is not None and (name in _LIKE_WEIGHTS or misspells(str(name), WEIGHT)):
            raise InputError(f"{place.what} have {name!r:.60}, which is not read; did you mean {WEIGHT!r}?")
    _refuse_one_attribute(given.get("edge_attr"), n_edges, place)
    return None


def _refuse_one_attribute(attributes: Any, n_edges: int, place: RowRef) -> None:
    """One number for every edge may be its weight or anything else, and only the user can say."""
    if attributes is None or not n_edges:
        return
    found = _array(attributes, "edge_attr", place)
    if found.shape in ((n_edges,), (n_edges, 1)) and found.dtype.kind in "biuf":
        raise InputError(
            f"{place.what} have 'edge_attr' with one number for each edge, and no {WEIGHT!r}; if that is the "
            f"weight, give it as {WEIGHT!r}; if not, leave it out, and every edge counts 1"
        )


def _array(values: Any, name: str, place: RowRef) -> IntArray:
    try:
        return np.asarray(values)
    except (TypeError, ValueError, RuntimeError) as error:
        raise InputError(f"{name!r} of {place.what} cannot be read as an array ({error})") from error


def _names(key: Any, given: Mapping[str, Any]) -> Sequence[str] | range | None:
    """The objects of a type; None where only its edges can say how many there are."""
    sizes = {name: int(given[name]) for name in ("num_nodes",) if given.get(name) is not None}
    sizes |= {name: len(given[name]) for name in ("names", "x") if given.get(name) is not None}
    if len(set(sizes.values())) > 1 or min(sizes.values(), default=0) < 0:
        told = ", ".join(f"{name} says {size}" for name, size in sizes.items())
        raise InputError(f"the arrays of {key} do not agree on how many there are: {told}")
    if given.get("names") is not None:
        names: Sequence[str] = given["names"]
        return names
    return range(next(iter(sizes.values()))) if sizes else None


def _refuse_unsized(data: Mapping[Any, Any], edges: Sequence[Edges], names: Mapping[str, Any]) -> None:
    seen = {kind for each in edges for kind in (each.rows, each.columns)} | set(names) | {GRAPH_WIDE}
    for key in data:
        if not isinstance(key, tuple) and key not in seen:
            raise InputError(f"nothing tells how many {key} there are; give 'num_nodes' or 'names'")


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


def parse_graph(graph: Any, type: str, weight: str | None) -> NetworkParts:
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
        check_name(kind, "type")
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
    place = RowRef("the graph's edges", "edge", 0)
    values = [edge[2] for edge in given]
    return _Ends(source, target, check_weights(np.array(values or np.ones(0)), weight, place))


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
        place = RowRef(f"the graph's edges of {source} × {target}", "edge", 0)
        positions = nodes.position[ends.source[rows]], nodes.position[ends.target[rows]]
        found.append(Edges(source, target, *positions, ends.weight[rows], place))
    return found
