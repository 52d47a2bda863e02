"""Putting edges together: the names of every type, and one matrix for each relation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from colligate.errors import InputError
from colligate.network.builders.coded import Coded, IntArray
from colligate.network.objects import ObjectType
from colligate.network.relation import Relation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from colligate.network.builders.place import Place
    from colligate.network.builders.weights import Weights

    _Told = Iterable[tuple[object, int]]

Parts = tuple[dict[str, ObjectType], tuple[Relation, ...]]
End = Coded | IntArray
"""One side of many edges: names, or positions."""

_SURELY_POSITIONS = 10_000_000
_MOST_PER_EDGE = 100


@dataclass(frozen=True, eq=False)
class Edges:
    """The edges of one relation; without `weight` each counts 1, and repeated ones add up."""

    rows: str
    columns: str
    source: End
    target: End
    weight: Weights | None
    place: Place
    name: str = ""

    @property
    def sides(self) -> tuple[tuple[str, End], ...]:
        """The two types with their objects."""
        return (self.rows, self.source), (self.columns, self.target)


def assemble(edges: Sequence[Edges], names: Mapping[str, Sequence[str] | range]) -> Parts:
    """Make types and relations; `names` gives all the objects of some types, the edges tell the others'."""
    order = dict.fromkeys([*chain.from_iterable((each.rows, each.columns) for each in edges), *names])
    tables = {
        kind: _Table(ObjectType(kind, names[kind] if kind in names else _told_names(kind, edges)))
        for kind in order
    }
    relations = tuple(_relation(each, tables) for each in edges)
    return {kind: table.type for kind, table in tables.items()}, relations


@dataclass(frozen=True, eq=False)
class _Table:
    """The objects of one type and where each stands."""

    type: ObjectType

    @cached_property
    def places(self) -> dict[str, int]:
        return {name: at for at, name in enumerate(self.type.names)}  # type: ignore[misc]

    def find(self, end: End, place: Place) -> IntArray:
        """The position of every object of one side of some edges."""
        if isinstance(end, Coded):
            self._refuse_nameless(end, place)
            found = end.places(self.places)
            self._refuse_lacking(found, end.at, place)
        else:
            found = np.where((end >= 0) & (end < len(self.type)), end, -1)
            self._refuse_lacking(
                found, lambda rows: zip(end[rows].tolist(), rows.tolist(), strict=True), place
            )
        return found

    def _refuse_nameless(self, end: Coded, place: Place) -> None:
        if isinstance(self.type.names, range) and len(end):
            raise InputError(
                f"{place.what} call {self.type.name} by name ({end.distinct[0]!r:.60}), "
                f"but they are known by position here; give their names"
            )

    def _refuse_lacking(self, found: IntArray, at: Callable[[IntArray], _Told], place: Place) -> None:
        bad = np.flatnonzero(found < 0)
        if len(bad):
            raise InputError(
                f"{place.what} speak of {self.type.name} that are not among the {len(self.type):,} here: "
                f"{place.examples(at(bad[:3]), len(bad))}"
            )


def _told_names(kind: str, edges: Sequence[Edges]) -> Sequence[str] | range:
    """What the edges tell of a type: its names, sorted, or else how many there must be."""
    ends = [end for each in edges for side, end in each.sides if side == kind and len(end)]
    named = [end.distinct for end in ends if isinstance(end, Coded)]
    if named and len(named) < len(ends):
        raise InputError(
            f"{kind} are given by name in some relations and by position in others; list their names"
        )
    if named:
        return list(dict.fromkeys(sorted(chain.from_iterable(named))))
    size = max((int(end.max()) + 1 for end in ends if not isinstance(end, Coded)), default=0)
    _refuse_scattered(kind, size, sum(map(len, ends)))
    return range(size)


def _refuse_scattered(kind: str, size: int, told: int) -> None:
    """Numbers far beyond how many there are of them are hardly positions, and would fill the memory."""
    if size > max(_SURELY_POSITIONS, _MOST_PER_EDGE * told):
        raise InputError(
            f"{kind} are given by position up to {size - 1}, in {told} edges; if these numbers are names, "
            f"give them as text; if not, give the objects there are by names={{{kind!r}: range(…)}}"
        )


def _relation(edges: Edges, tables: Mapping[str, _Table]) -> Relation:
    rows, columns = (tables[kind].find(end, edges.place) for kind, end in edges.sides)
    weight = np.ones(len(rows), dtype=np.int64) if edges.weight is None else edges.weight
    if not len(rows) == len(columns) == len(weight):
        raise InputError(
            f"{edges.place.what}: there are {len(rows)} sources, {len(columns)} targets and {len(weight)} "
            f"weights; give one of each for every edge"
        )
    shape = len(tables[edges.rows].type), len(tables[edges.columns].type)
    return Relation(edges.rows, edges.columns, _added_up(weight, rows, columns, shape), name=edges.name)


def _added_up(weight: Any, rows: IntArray, columns: IntArray, shape: tuple[int, int]) -> sparse.csr_array:
    small = max(*shape, len(rows)) <= np.iinfo(np.int32).max
    index: Any = [end.astype(np.int32) if small else end for end in (rows, columns)]
    return sparse.coo_array((weight, tuple(index)), shape=shape).tocsr()
