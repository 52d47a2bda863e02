"""Networks from edges: lists of edges, dicts of arrays (PyTorch Geometric), and NetworkX graphs.

`assemble` turns edges into types and relations; `from_tables` uses it as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy import sparse

from colligate.errors import InputError
from colligate.knowledge.names import misspells
from colligate.network.columns import Categorical, Columns, IntArray
from colligate.network.objects import DOCUMENTS, WORDS, ObjectType, Relation, check_name
from colligate.network.validation import RowRef, Weights, check_weights

if TYPE_CHECKING:
    from numpy.typing import NDArray

NetworkParts = tuple[dict[str, ObjectType], tuple[Relation, ...]]
"""The types and the relations of a network."""
EdgeEnd = Categorical | IntArray
"""One end of many edges: names, or positions."""
ROLES = ("source", "target", "weight")
NEUTRAL = "to"
"""The verb without a meaning in the keys of PyTorch Geometric."""
WEIGHT = "edge_weight"
GRAPH_STORE = "_global_store"
"""The key under which `HeteroData.to_dict()` keeps attributes of the whole graph."""
_LIKE_WEIGHTS = ("weight", "weights")
_MAX_CERTAIN_POSITION = 10_000_000
_MAX_POSITIONS_PER_EDGE = 100


@dataclass(frozen=True, eq=False)
class Edges:
    """The edges of one relation; without `weight` each counts 1, and repeated ones add up."""

    rows: str
    columns: str
    source: EdgeEnd
    target: EdgeEnd
    weight: Weights | None
    ref: RowRef
    name: str = ""

    @property
    def ends(self) -> tuple[tuple[str, EdgeEnd], ...]:
        """The two types with their objects."""
        return (self.rows, self.source), (self.columns, self.target)


def assemble(edges: Sequence[Edges], names: Mapping[str, Sequence[str] | range]) -> NetworkParts:
    """Make types and relations; `names` lists all objects of some types, the edges those of the others."""
    order = dict.fromkeys([*chain.from_iterable((each.rows, each.columns) for each in edges), *names])
    indexes = {
        kind: _ObjectIndex(ObjectType(kind, names[kind] if kind in names else _collect_names(kind, edges)))
        for kind in order
    }
    relations = tuple(_make_relation(each, indexes) for each in edges)
    return {kind: index.type for kind, index in indexes.items()}, relations


def build_two_types(matrix: Any, ids: Sequence[str] | None, words: Sequence[str] | None) -> NetworkParts:
    """Make the types and the relation of a documents × words matrix; by position where names are missing."""
    relation = Relation(DOCUMENTS, WORDS, matrix)
    n_rows, n_columns = relation.matrix.shape
    types = {
        DOCUMENTS: ObjectType(DOCUMENTS, range(n_rows) if ids is None else ids),
        WORDS: ObjectType(WORDS, range(n_columns) if words is None else words),
    }
    return types, (relation,)


@dataclass(frozen=True, eq=False)
class _ObjectIndex:
    """The objects of one type and their positions."""

    type: ObjectType

    @cached_property
    def positions(self) -> dict[str, int]:
        return {name: position for position, name in enumerate(self.type.names)}  # type: ignore[misc]

    def find(self, end: EdgeEnd, ref: RowRef) -> IntArray:
        """Return the position of every object at one end of edges."""
        if isinstance(end, Categorical):
            if isinstance(self.type.names, range) and len(end):
                raise InputError(
                    f"{ref.what} refer to {self.type.name} by name ({end.distinct[0]!r:.60}), but the "
                    f"network has only positions for {self.type.name}; list their names with "
                    f"names={{{self.type.name!r}: […]}}, or use positions in the edges"
                )
            positions = end.look_up(self.positions)
        else:
            positions = np.where((end >= 0) & (end < len(self.type)), end, -1)
        bad = np.flatnonzero(positions < 0)
        if len(bad):
            first = bad[:3]
            values: Iterable[tuple[object, int]] = (
                end.items(first)
                if isinstance(end, Categorical)
                else zip(end[first].tolist(), first.tolist(), strict=True)
            )
            raise InputError(
                f"{ref.what} contain {self.type.name} that are not among "
                f"the {len(self.type):,} of the network: "
                f"{ref.examples(values, len(bad))}; correct the edges, or add these {self.type.name}"
            )
        return positions


def _collect_names(kind: str, edges: Sequence[Edges]) -> Sequence[str] | range:
    """Return the names of a type in the edges, sorted, or else the range of its positions."""
    ends = [end for each in edges for side, end in each.ends if side == kind and len(end)]
    named = [end.distinct for end in ends if isinstance(end, Categorical)]
    if named and len(named) < len(ends):
        raise InputError(
            f"the edges refer to {kind} by name in some relations and by position in others; use names in "
            f"all relations, or list the names with names={{{kind!r}: […]}}"
        )
    if named:
        # Sorted, so that the positions do not depend on the order of the edges.
        return list(dict.fromkeys(sorted(chain.from_iterable(named))))
    size = max((int(end.max()) + 1 for end in ends if not isinstance(end, Categorical)), default=0)
    n_edges = sum(map(len, ends))
    # Numbers far above their count are hardly positions, and would fill the memory.
    if size > max(_MAX_CERTAIN_POSITION, _MAX_POSITIONS_PER_EDGE * n_edges):
        raise InputError(
            f"{n_edges} edges refer to {kind} by numbers up to {size - 1}. If these numbers are names, write "
            f"them as text. If they are positions, state the number of {kind} with "
            f"names={{{kind!r}: range(…)}}"
        )
    return range(size)


def _make_relation(edges: Edges, indexes: Mapping[str, _ObjectIndex]) -> Relation:
    rows, columns = (indexes[kind].find(end, edges.ref) for kind, end in edges.ends)
    weight = np.ones(len(rows), dtype=np.int64) if edges.weight is None else edges.weight
    if not len(rows) == len(columns) == len(weight):
        raise InputError(
            f"{edges.ref.what}: there are {len(rows)} sources, {len(columns)} targets and {len(weight)} "
            f"weights; give one of each for every edge"
        )
    shape = len(indexes[edges.rows].type), len(indexes[edges.columns].type)
    fits_int32 = max(*shape, len(rows)) <= np.iinfo(np.int32).max
    # Indices of 32 bits take half the memory; repeated edges add up in `tocsr`.
    ends: Any = [end.astype(np.int32) if fits_int32 else end for end in (rows, columns)]
    matrix = sparse.coo_array((weight, tuple(ends)), shape=shape).tocsr()
    return Relation(edges.rows, edges.columns, matrix, name=edges.name)


class RelationKey(NamedTuple):
    """The two types of a relation, and its name if the key has a verb."""

    rows: str
    columns: str
    name: str

    @property
    def relation_name(self) -> str:
        """The name that the relation will have."""
        return self.name or f"{self.rows} × {self.columns}"

    @property
    def what(self) -> str:
        """How messages refer to the relation's edges."""
        return f"the edges of {self.relation_name}"


def parse_keys(keys: Iterable[Any]) -> list[RelationKey]:
    """Parse the keys of several relations, whose names must differ."""
    parsed = [parse_key(key) for key in keys]
    seen: set[str] = set()
    for key in parsed:
        if key.relation_name in seen:
            raise InputError(
                f"two relations are called {key.relation_name}; give one of them a key with a verb, "
                f'as in ({key.rows!r}, "cites", {key.columns!r})'
            )
        seen.add(key.relation_name)
    return parsed


def parse_key(key: Any) -> RelationKey:
    """Parse `(rows, columns)` or `(rows, verb, columns)`.

    The name depends only on the key, so that it stays when other relations are added or removed.
    """
    if not isinstance(key, tuple) or len(key) not in (2, 3):
        raise InputError(
            f'the key of a relation must be its two types, as in ("documents", "people"), with or without '
            f"a verb between them; got {key!r:.60}"
        )
    for part in key:
        check_name(part, "type")
    rows, *verb, columns = key
    name = f"{rows} × {columns} ({verb[0]})" if verb and verb[0] != NEUTRAL else ""
    return RelationKey(rows, columns, name)


def parse_edges(
    edges: Mapping[tuple[str, ...], Any], names: Mapping[str, Sequence[str] | range]
) -> NetworkParts:
    """Return the types and relations of edge lists."""
    if not isinstance(edges, Mapping):
        raise InputError(
            "edges must be a mapping from relations to their edges, as in "
            f'{{("documents", "people"): [("a12", "Ada", 2)]}}; '
            f"got {type(edges).__name__}"
        )
    keys = parse_keys(edges)
    return assemble([_edges_of_list(key, edges[name]) for key, name in zip(keys, edges, strict=True)], names)


def _edges_of_list(key: RelationKey, edges: Any) -> Edges:
    table = edges if _is_table(edges) else _split_columns(edges, key.what)
    columns = Columns.from_table(table, RowRef(key.what))
    source, target, weight = _choose_columns(columns)
    return Edges(
        key.rows,
        key.columns,
        columns.names_or_positions(source),
        columns.names_or_positions(target),
        None if weight is None else columns.weights(weight),
        columns.rows,
        key.name,
    )


def _is_table(edges: Any) -> bool:
    return isinstance(edges, Mapping) or hasattr(edges, "__arrow_c_stream__") or hasattr(edges, "columns")


def _split_columns(edges: Any, what: str) -> dict[str, Any]:
    if isinstance(edges, np.ndarray):
        if edges.ndim != 2 or edges.shape[1] not in (2, 3):
            raise InputError(
                f"{what} must be an array with a row for each edge and two or three columns (source, target, "
                f"weight); got the shape {edges.shape}"
            )
        # There may be two columns for the three roles.
        return dict(zip(ROLES, edges.T, strict=False))
    if isinstance(edges, str | bytes) or not isinstance(edges, Iterable):
        raise InputError(
            f"{what} must be a table, or a list of tuples (source, target) or (source, target, weight); "
            f"got {type(edges).__name__}"
        )
    rows = list(edges)
    _check_rows(rows, what)
    columns = list(zip(*rows, strict=True)) if rows else [(), ()]
    return dict(zip(ROLES, columns, strict=False))


def _check_rows(rows: list[Any], what: str) -> None:
    # Sets of types and lengths are quick to make for millions of rows; the bad one is sought after that.
    if set(map(type, rows)) <= {tuple, list} and set(map(len, rows)) in (set(), {2}, {3}):
        return
    width = len(rows[0]) if isinstance(rows[0], tuple | list) else 0

    def fits(row: Any) -> bool:
        return width in (2, 3) and isinstance(row, tuple | list) and len(row) == width

    bad = next((number for number, row in enumerate(rows) if not fits(row)), 0)
    raise InputError(
        f"row {bad + 1} of {what} is {rows[bad]!r:.60}; all rows must be (source, target), or all rows "
        f"(source, target, weight)"
    )


def _choose_columns(columns: Columns) -> tuple[str, str, str | None]:
    """Choose columns by their names, or by their order if there are two or three."""
    if "source" in columns and "target" in columns:
        return "source", "target", "weight" if "weight" in columns else None
    names = list(columns.parts)
    if len(names) not in (2, 3):
        raise InputError(
            f"{columns.rows.what} need the columns 'source' and 'target' and, optionally, 'weight'; "
            f"got {', '.join(map(repr, names)) or 'none'}"
        )
    return names[0], names[1], names[2] if len(names) == 3 else None


def parse_arrays(data: Mapping[Any, Mapping[str, Any]]) -> NetworkParts:
    """Return the types and relations of arrays in the format of PyTorch Geometric.

    Of a relation, `edge_index` and `edge_weight` are read; of a type, `num_nodes`, `names` and the length of
    `x`. Other attributes (`y`, `train_mask`, features in `edge_attr`) are ignored, unless they look like
    weights that would be lost.
    """
    if not isinstance(data, Mapping):
        raise InputError(
            f"from_arrays accepts a dict of types and relations; got {type(data).__name__} "
            f"(for a HeteroData, pass its to_dict())"
        )
    for key, arrays in data.items():
        if not isinstance(arrays, Mapping):
            raise InputError(
                f"the value of {key!r:.60} must be a dict of arrays; got {type(arrays).__name__}"
            )
    relations = [key for key in data if isinstance(key, tuple)]
    edges = [
        _edges_of_arrays(parsed, data[key])
        for key, parsed in zip(relations, parse_keys(relations), strict=True)
    ]
    kinds = [key for key in data if not isinstance(key, tuple) and key != GRAPH_STORE]
    listed = {kind: _read_names(kind, data[kind]) for kind in kinds}
    names = {kind: objects for kind, objects in listed.items() if objects is not None}
    related = {kind for each in edges for kind in (each.rows, each.columns)}
    for kind in kinds:
        if kind not in related and kind not in names:
            raise InputError(f"the number of {kind} is unknown; give 'num_nodes' or 'names'")
    return assemble(edges, names)


def _edges_of_arrays(key: RelationKey, arrays: Mapping[str, Any]) -> Edges:
    ref = RowRef(key.what, "edge", 0)
    if "edge_index" not in arrays:
        raise InputError(
            f"{key.what} have no 'edge_index'; add this array of positions with two rows (sources and "
            "targets) and a column for each edge"
        )
    positions = _to_array(arrays["edge_index"], "edge_index", ref)
    is_numeric = not positions.size or positions.dtype.kind in "iu"
    if positions.ndim != 2 or positions.shape[0] != 2 or not is_numeric:
        raise InputError(
            f"'edge_index' of {key.what} must be whole numbers with two rows and a column for each "
            f"edge; got {positions.dtype} with the shape {positions.shape}"
        )
    source, target = positions.astype(np.int64)
    weight = _read_weights(arrays, len(source), ref)
    return Edges(key.rows, key.columns, source, target, weight, ref, key.name)


def _read_weights(arrays: Mapping[str, Any], n_edges: int, ref: RowRef) -> Weights | None:
    """Return the weights; None if there are none and nothing looks like them."""
    weight = arrays.get(WEIGHT)
    if weight is not None:
        return check_weights(_to_array(weight, WEIGHT, ref), WEIGHT, ref)
    for name, values in arrays.items():
        if values is not None and (name in _LIKE_WEIGHTS or misspells(str(name), WEIGHT)):
            raise InputError(f"{ref.what} have {name!r:.60}, which is not read; did you mean {WEIGHT!r}?")
    attributes = arrays.get("edge_attr")
    if attributes is not None and n_edges:
        values = _to_array(attributes, "edge_attr", ref)
        # One number for every edge may be its weight or anything else, and only the user knows.
        if values.shape in ((n_edges,), (n_edges, 1)) and values.dtype.kind in "biuf":
            raise InputError(
                f"{ref.what} have 'edge_attr' but no {WEIGHT!r}. If 'edge_attr' is the weight, call it "
                f"{WEIGHT!r}. If not, leave it out; then every edge has the weight 1."
            )
    return None


def _to_array(values: Any, name: str, ref: RowRef) -> NDArray[Any]:
    try:
        return np.asarray(values)
    except (TypeError, ValueError, RuntimeError) as error:
        raise InputError(f"{name!r} of {ref.what} cannot be read as an array ({error})") from error


def _read_names(kind: Any, arrays: Mapping[str, Any]) -> Sequence[str] | range | None:
    """Return the objects of a type; None if only its edges show how many there are."""
    number = arrays.get("num_nodes")
    try:
        sizes = {} if number is None else {"num_nodes": index(number)}
    except TypeError as error:
        raise InputError(f"'num_nodes' of {kind} must be a whole number; got {number!r:.60}") from error
    sizes |= {name: len(arrays[name]) for name in ("names", "x") if arrays.get(name) is not None}
    if len(set(sizes.values())) > 1 or min(sizes.values(), default=0) < 0:
        listed = ", ".join(f"{name} = {size}" for name, size in sizes.items())
        raise InputError(f"the arrays of {kind} differ in length: {listed}")
    if arrays.get("names") is not None:
        names: Sequence[str] = arrays["names"]
        return names
    return range(next(iter(sizes.values()))) if sizes else None


class _GraphNodes(NamedTuple):
    """The names of each type; for every node its type, its position in the type, and its number."""

    names: dict[str, list[str]]
    type: IntArray
    position: IntArray
    number: dict[Any, int]


class _GraphEdges(NamedTuple):
    """The nodes at both ends of every edge, by number, and the weights."""

    source: IntArray
    target: IntArray
    weight: Weights


def parse_graph(graph: Any, type: str, weight: str | None) -> NetworkParts:
    """Return the types and relations of a graph whose nodes have their type in the attribute `type`.

    The graph is only read by its own methods: NetworkX is never imported.
    """
    if not all(hasattr(graph, needed) for needed in ("nodes", "edges", "is_directed")):
        raise InputError(f"from_networkx accepts a NetworkX graph; got {graph.__class__.__name__}")
    nodes = _read_nodes(graph, type)
    edges = _read_graph_edges(graph, weight, nodes.number)
    if not graph.is_directed():
        # NetworkX gives the ends of an undirected edge in either order, which would make two relations.
        edges = _symmetrise(_orient(edges, nodes.type), nodes.type)
    return assemble(_split_relations(edges, nodes), nodes.names)


def _read_nodes(graph: Any, type: str) -> _GraphNodes:
    typed = list(graph.nodes(data=type))
    untyped = [node for node, kind in typed if kind is None]
    if untyped:
        raise InputError(
            f"{len(untyped)} of {len(typed)} nodes have no attribute {type!r}, for example the node "
            f"{untyped[0]!r:.60}; set this attribute, or name the attribute with the type by type="
        )
    for kind in {kind for _, kind in typed if not isinstance(kind, str)}:
        check_name(kind, "type")
    # A graph has no order of types: documents come first, as the centre of a network.
    order = sorted({kind for _, kind in typed}, key=lambda kind: (kind != DOCUMENTS, kind))
    names: dict[str, list[str]] = {kind: [] for kind in order}
    codes = {kind: code for code, kind in enumerate(order)}
    position = np.empty(len(typed), dtype=np.int64)
    for number, (node, kind) in enumerate(typed):
        position[number] = len(names[kind])
        names[kind].append(str(node))
    types = np.fromiter((codes[kind] for _, kind in typed), dtype=np.int64, count=len(typed))
    return _GraphNodes(names, types, position, {node: number for number, (node, _) in enumerate(typed)})


def _read_graph_edges(graph: Any, weight: str | None, number: dict[Any, int]) -> _GraphEdges:
    edges = list(graph.edges(data=weight, default=1)) if weight is not None else list(graph.edges())
    source = np.fromiter((number[edge[0]] for edge in edges), dtype=np.int64, count=len(edges))
    target = np.fromiter((number[edge[1]] for edge in edges), dtype=np.int64, count=len(edges))
    if weight is None:
        return _GraphEdges(source, target, np.ones(len(edges), dtype=np.int64))
    ref = RowRef("the graph's edges", "edge", 0)
    values = [edge[2] for edge in edges]
    return _GraphEdges(source, target, check_weights(np.array(values or np.ones(0)), weight, ref))


def _orient(edges: _GraphEdges, types: IntArray) -> _GraphEdges:
    """Let every edge begin at the type that comes first."""
    turned = types[edges.source] > types[edges.target]
    source = np.where(turned, edges.target, edges.source)
    target = np.where(turned, edges.source, edges.target)
    return _GraphEdges(source, target, edges.weight)


def _symmetrise(edges: _GraphEdges, types: IntArray) -> _GraphEdges:
    """Add the other direction of edges within one type; a loop has only one."""
    twice = (types[edges.source] == types[edges.target]) & (edges.source != edges.target)
    return _GraphEdges(
        np.concatenate([edges.source, edges.target[twice]]),
        np.concatenate([edges.target, edges.source[twice]]),
        np.concatenate([edges.weight, edges.weight[twice]]),
    )


def _split_relations(edges: _GraphEdges, nodes: _GraphNodes) -> list[Edges]:
    """Make a relation of the edges of each pair of types."""
    order = list(nodes.names)
    pair = nodes.type[edges.source] * len(order) + nodes.type[edges.target]
    by_pair = np.argsort(pair, kind="stable")
    pairs, starts = np.unique(pair[by_pair], return_index=True)
    relations = []
    # Splitting nothing gives one empty part for no pair.
    for number, rows in zip(pairs.tolist(), np.split(by_pair, starts[1:]), strict=len(pairs) > 0):
        source, target = order[number // len(order)], order[number % len(order)]
        ref = RowRef(f"the graph's edges of {source} × {target}", "edge", 0)
        positions = nodes.position[edges.source[rows]], nodes.position[edges.target[rows]]
        relations.append(Edges(source, target, *positions, edges.weight[rows], ref))
    return relations
