"""What documents show for one group or another: how much each of their words, names or other objects counts.

An object o of a document counts (1 + log count)·idf, as in `tfidf`. All that a document has in one relation
together counts n^e, if n is the number of its occurrences there: words of one document depend on each other,
so that n of them are worth fewer. The exponent e is found by `worth`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from colligate.methods.tfidf import frequency, inverse_frequency

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from colligate.network import Neighbourhood

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Scale:
    """How counts become evidence: the idf of every column, and for each relation its columns and exponent.

    Relation p has the columns `bounds[p]` to `bounds[p + 1]`; what it shows counts `weight[p]` times. A
    column that no document has counts nothing.
    """

    idf: Floats
    bounds: Ints
    exponent: Floats
    weight: Floats

    @classmethod
    def of(cls, around: Neighbourhood, weights: Sequence[float], exponent: float) -> Scale:
        """The scale of the relations of a type, with one exponent for all of them."""
        idf = np.where(frequency(around.matrix) > 0, inverse_frequency(around.matrix), 0.0)
        bounds = np.array([0, *(part.stop for part in around.parts)], dtype=np.int64)
        return cls(idf, bounds, np.full(len(weights), exponent), np.array(weights, dtype=np.float64))

    @property
    def relation(self) -> Ints:
        """The relation of every column."""
        return np.repeat(np.arange(len(self.bounds) - 1), np.diff(self.bounds))

    def evidence(self, counts: csr_array) -> csr_array:
        """What every entry counts; the entries are where those of the counts are."""
        shares, occurrences = self._shares(counts)
        worth = occurrences**self.exponent * self.weight
        return csr_array(
            (shares * worth.ravel()[self._place(counts)], counts.indices, counts.indptr), counts.shape
        )

    def shares(self, counts: csr_array) -> tuple[csr_array, Floats]:
        """Entries as shares of all that a document has in the relation, and its occurrences there."""
        shares, occurrences = self._shares(counts)
        return csr_array((shares, counts.indices, counts.indptr), shape=counts.shape), occurrences

    def _shares(self, counts: csr_array) -> tuple[Floats, Floats]:
        data = counts.data.astype(np.float64)
        known = self.idf[counts.indices]
        place = self._place(counts)
        size = (counts.shape[0], len(self.weight))
        # weights below 1 are no counts: then every entry is an occurrence
        counted = np.maximum(
            np.bincount(place, data * (known > 0), size[0] * size[1]),
            np.bincount(place, known > 0, size[0] * size[1]),
        )
        above = data > 1.0
        np.log(data, out=data, where=above)
        np.add(data, 1.0, out=data, where=above)
        data *= known
        total = np.bincount(place, data, size[0] * size[1])
        data /= np.maximum(total, 1e-300)[place]
        return data, np.maximum(counted, 1.0).reshape(size)

    def _place(self, counts: csr_array) -> Ints:
        """For each entry the number of its (document, relation)."""
        n = len(self.weight)
        rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
        return rows * n if n == 1 else rows * n + self.relation[counts.indices]
