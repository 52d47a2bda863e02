"""Putting edges together: the names of every type, and one matrix for each relation.

A column of names as numbers: each name once, sorted, and for every row the place of its name.

What the key of a relation says: `(rows, columns)`, or `(rows, verb, columns)`.

The smallest network: documents × words.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from colligate.errors import InputError
from colligate.network.objects import DOCUMENTS, WORDS, ObjectType, Relation, check_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from colligate.network.validation import RowRef, Weights

    _Told = Iterable[tuple[object, int]]

NetworkParts = tuple[dict[str, ObjectType], tuple[Relation, ...]]
_SURELY_POSITIONS = 10_000_000
_MOST_PER_EDGE = 100
IntArray = NDArray[np.int64]
NEUTRAL = "to"
"""The verb that says nothing, as PyTorch Geometric writes it."""


@dataclass(frozen=True, eq=False)
class Categorical:
    """`distinct` is sorted and every name in it occurs; `codes` gives each row's place in it."""

    codes: IntArray
    distinct: list[str]

    def __len__(self) -> int:
        return len(self.codes)

    @classmethod
    def of(cls, texts: Any) -> Categorical:
        """Number the names of an Arrow array of text that has no nulls."""
        import pyarrow.compute as pc

        encoded = texts.dictionary_encode()
        order = pc.sort_indices(encoded.dictionary)
        rank = np.empty(len(order), dtype=np.int64)
        rank[order.to_numpy()] = np.arange(len(order))
        return cls(rank[encoded.indices.to_numpy()], encoded.dictionary.take(order).to_pylist())

    def __getitem__(self, rows: IntArray | NDArray[np.bool_]) -> Categorical:
        """Some of the rows, with only the names that occur in them."""
        kept, codes = np.unique(self.codes[rows], return_inverse=True)
        return Categorical(codes.astype(np.int64), [self.distinct[code] for code in kept.tolist()])

    def places(self, table: Mapping[str, int]) -> IntArray:
        """For every row, what `table` has for its name; -1 where it has nothing."""
        found = (table.get(name, -1) for name in self.distinct)
        return np.fromiter(found, dtype=np.int64, count=len(self.distinct))[self.codes]

    def at(self, rows: IntArray) -> Iterator[tuple[str, int]]:
        """Names with their rows."""
        return ((self.distinct[self.codes[row]], row) for row in rows.tolist())


EdgeEnd = Categorical | IntArray
"""One side of many edges: names, or positions."""


@dataclass(frozen=True, eq=False)
class Edges:
    """The edges of one relation; without `weight` each counts 1, and repeated ones add up."""

    rows: str
    columns: str
    source: EdgeEnd
    target: EdgeEnd
    weight: Weights | None
    place: RowRef
    name: str = ""

    @property
    def sides(self) -> tuple[tuple[str, EdgeEnd], ...]:
        """The two types with their objects."""
        return (self.rows, self.source), (self.columns, self.target)


def assemble(edges: Sequence[Edges], names: Mapping[str, Sequence[str] | range]) -> NetworkParts:
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

    def find(self, end: EdgeEnd, place: RowRef) -> IntArray:
        """The position of every object of one side of some edges."""
        if isinstance(end, Categorical):
            self._refuse_nameless(end, place)
            found = end.places(self.places)
            self._refuse_lacking(found, end.at, place)
        else:
            found = np.where((end >= 0) & (end < len(self.type)), end, -1)
            self._refuse_lacking(
                found, lambda rows: zip(end[rows].tolist(), rows.tolist(), strict=True), place
            )
        return found

    def _refuse_nameless(self, end: Categorical, place: RowRef) -> None:
        if isinstance(self.type.names, range) and len(end):
            raise InputError(
                f"{place.what} call {self.type.name} by name ({end.distinct[0]!r:.60}), "
                f"but they are known by position here; give their names"
            )

    def _refuse_lacking(self, found: IntArray, at: Callable[[IntArray], _Told], place: RowRef) -> None:
        bad = np.flatnonzero(found < 0)
        if len(bad):
            raise InputError(
                f"{place.what} speak of {self.type.name} that are not among the {len(self.type):,} here: "
                f"{place.examples(at(bad[:3]), len(bad))}"
            )


def _told_names(kind: str, edges: Sequence[Edges]) -> Sequence[str] | range:
    """What the edges tell of a type: its names, sorted, or else how many there must be."""
    ends = [end for each in edges for side, end in each.sides if side == kind and len(end)]
    named = [end.distinct for end in ends if isinstance(end, Categorical)]
    if named and len(named) < len(ends):
        raise InputError(
            f"{kind} are given by name in some relations and by position in others; list their names"
        )
    if named:
        return list(dict.fromkeys(sorted(chain.from_iterable(named))))
    size = max((int(end.max()) + 1 for end in ends if not isinstance(end, Categorical)), default=0)
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


class RelationKey(NamedTuple):
    """The two types, and the relation's name where it has one of its own."""

    rows: str
    columns: str
    name: str

    @property
    def called(self) -> str:
        """The name that the relation will have."""
        return self.name or f"{self.rows} × {self.columns}"

    @property
    def told(self) -> str:
        """How messages call the relation's edges."""
        return f"the edges of {self.called}"


def parse_keys(keys: Iterable[Any]) -> list[RelationKey]:
    """Read the keys of several relations, whose names must differ."""
    found = [parse_key(key) for key in keys]
    seen: set[str] = set()
    for key in found:
        if key.called in seen:
            raise InputError(
                f"two relations are called {key.called}; use a key of three with a verb of its own for one "
                f'of them, as in ({key.rows!r}, "cites", {key.columns!r})'
            )
        seen.add(key.called)
    return found


def parse_key(key: Any) -> RelationKey:
    """Read a key. The name hangs on the key alone, so that it stays when other relations come or go."""
    if not isinstance(key, tuple) or len(key) not in (2, 3):
        raise InputError(
            f'a relation is told by its types, as in ("documents", "people") or with a verb between them; '
            f"got {key!r:.60}"
        )
    for part in key:
        check_name(part, "type")
    rows, *verb, columns = key
    own = f"{rows} × {columns} ({verb[0]})" if verb and verb[0] != NEUTRAL else ""
    return RelationKey(rows, columns, own)


def build_two_types(matrix: Any, ids: Sequence[str] | None, words: Sequence[str] | None) -> NetworkParts:
    """The types and the relation of a documents × words matrix; what has no names goes by position."""
    relation = Relation(DOCUMENTS, WORDS, matrix)
    rows, columns = relation.matrix.shape
    types = {
        DOCUMENTS: ObjectType(DOCUMENTS, range(rows) if ids is None else ids),
        WORDS: ObjectType(WORDS, range(columns) if words is None else words),
    }
    return types, (relation,)
