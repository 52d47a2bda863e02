"""A column of names as numbers: each name once, sorted, and for every row the place of its name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

IntArray = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Coded:
    """`distinct` is sorted and every name in it occurs; `codes` gives each row's place in it."""

    codes: IntArray
    distinct: list[str]

    def __len__(self) -> int:
        return len(self.codes)

    @classmethod
    def of(cls, texts: Any) -> Coded:
        """Number the names of an Arrow array of text that has no nulls."""
        import pyarrow.compute as pc

        encoded = texts.dictionary_encode()
        order = pc.sort_indices(encoded.dictionary)
        rank = np.empty(len(order), dtype=np.int64)
        rank[order.to_numpy()] = np.arange(len(order))
        return cls(rank[encoded.indices.to_numpy()], encoded.dictionary.take(order).to_pylist())

    def __getitem__(self, rows: IntArray | NDArray[np.bool_]) -> Coded:
        """Some of the rows, with only the names that occur in them."""
        kept, codes = np.unique(self.codes[rows], return_inverse=True)
        return Coded(codes.astype(np.int64), [self.distinct[code] for code in kept.tolist()])

    def places(self, table: Mapping[str, int]) -> IntArray:
        """For every row, what `table` has for its name; -1 where it has nothing."""
        found = (table.get(name, -1) for name in self.distinct)
        return np.fromiter(found, dtype=np.int64, count=len(self.distinct))[self.codes]

    def at(self, rows: IntArray) -> Iterator[tuple[str, int]]:
        """Names with their rows."""
        return ((self.distinct[self.codes[row]], row) for row in rows.tolist())
