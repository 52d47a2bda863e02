"""Networks from dicts of arrays in the manner of PyTorch Geometric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.errors import InputError
from colligate.knowledge.spelling import misspells
from colligate.network.builders.assembling import Edges, Parts, assemble
from colligate.network.builders.keys import Key, read_keys
from colligate.network.builders.place import Place
from colligate.network.builders.weights import Weights, checked_weights

if TYPE_CHECKING:
    from colligate.network.builders.coded import IntArray

WEIGHT = "edge_weight"
_LIKE_WEIGHTS = ("weight", "weights")
GRAPH_WIDE = "_global_store"
"""What `HeteroData.to_dict()` keeps of the graph as a whole; it tells of no objects."""


def array_parts(data: Mapping[Any, Mapping[str, Any]]) -> Parts:
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
    edges = [_edges(key, data[at]) for at, key in zip(related, read_keys(related), strict=True)]
    sized = {key: _names(key, data[key]) for key in data if not isinstance(key, tuple) and key != GRAPH_WIDE}
    names = {key: found for key, found in sized.items() if found is not None}
    _refuse_unsized(data, edges, names)
    return assemble(edges, names)


def _edges(key: Key, given: Mapping[str, Any]) -> Edges:
    place = Place(key.told, "edge", 0)
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


def _weights(given: Mapping[str, Any], n_edges: int, place: Place) -> Weights | None:
    """The weights; None where there are none and nothing looks like them."""
    weight = given.get(WEIGHT)
    if weight is not None:
        return checked_weights(_array(weight, WEIGHT, place), WEIGHT, place)
    for name, values in given.items():
        if values is not None and (name in _LIKE_WEIGHTS or misspells(str(name), WEIGHT)):
            raise InputError(f"{place.what} have {name!r:.60}, which is not read; did you mean {WEIGHT!r}?")
    _refuse_one_attribute(given.get("edge_attr"), n_edges, place)
    return None


def _refuse_one_attribute(attributes: Any, n_edges: int, place: Place) -> None:
    """One number for every edge may be its weight or anything else, and only the user can say."""
    if attributes is None or not n_edges:
        return
    found = _array(attributes, "edge_attr", place)
    if found.shape in ((n_edges,), (n_edges, 1)) and found.dtype.kind in "biuf":
        raise InputError(
            f"{place.what} have 'edge_attr' with one number for each edge, and no {WEIGHT!r}; if that is the "
            f"weight, give it as {WEIGHT!r}; if not, leave it out, and every edge counts 1"
        )


def _array(values: Any, name: str, place: Place) -> IntArray:
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
