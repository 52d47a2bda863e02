"""Networks from edge lists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from colligate.errors import InputError
from colligate.network.builders.assembling import Edges, Parts, assemble
from colligate.network.builders.columns import Columns
from colligate.network.builders.keys import Key, read_keys
from colligate.network.builders.place import Place

ROLES = ("source", "target", "weight")


def edge_parts(edges: Mapping[tuple[str, ...], Any], names: Mapping[str, Sequence[str] | range]) -> Parts:
    """The types and relations that edge lists tell of."""
    if not isinstance(edges, Mapping):
        raise InputError(
            f'edges are given by relation, as in {{("documents", "people"): [("a12", "Ada", 2)]}}; '
            f"got {type(edges).__name__}"
        )
    keys = read_keys(edges)
    return assemble([_edges(key, given) for key, given in zip(keys, edges.values(), strict=True)], names)


def _edges(key: Key, given: Any) -> Edges:
    columns = Columns.of(given if _is_table(given) else _by_column(given, key.told), Place(key.told))
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
