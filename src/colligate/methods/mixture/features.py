"""The counts of documents as tempered tf-idf (y)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from colligate.kernels import SparseRows, cut_entries
from colligate.methods.spherical import document_frequency, inverse_document_frequency
from colligate.shards.matrix import ShardedMatrix, by_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from colligate.kernels import Kernels
    from colligate.methods.mixture.constants import Constants
    from colligate.network import Neighbourhood, Network

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


def default_weights(network: Network, constants: Constants) -> list[float]:
    """Return the weight of every relation that has none: names of entities are words too, and count less."""
    return [constants.first_mention_weight if relation.in_text else 1.0 for relation in network.relations]


def list_mentions(network: Network, relation_weights: str | Mapping[str, float]) -> list[str]:
    """List the relations of entities in texts that neither the user nor the network gives a weight."""
    weighted = relation_weights if isinstance(relation_weights, Mapping) else {}
    return [
        relation.name
        for relation in network.relations
        if relation.in_text and relation.weight is None and relation.name not in weighted
    ]


@dataclass(frozen=True, eq=False)
class TemperedTfidf:
    """Turns counts into y (eq. 7): tf-idf whose sum over a relation is w·n^η for n occurrences.

    Relation r has the columns `bounds[r]` to `bounds[r + 1]`, the exponent `eta[r]` and the weight
    `weight[r]`. A column that no document of the run has counts nothing.
    """

    idf: Floats
    bounds: Ints
    eta: Floats
    weight: Floats

    @classmethod
    def of(cls, around: Neighbourhood, weights: Sequence[float], eta: float) -> TemperedTfidf:
        """Take idf and columns from the relations of a type, with one exponent for all of them."""
        idf = np.where(document_frequency(around.matrix) > 0, inverse_document_frequency(around.matrix), 0.0)
        bounds = np.array([0, *(part.stop for part in around.parts)], dtype=np.int64)
        return cls(idf, bounds, np.full(len(weights), eta), np.array(weights, dtype=np.float64))

    @property
    def relation(self) -> Ints:
        """The relation of every column."""
        return np.repeat(np.arange(len(self.bounds) - 1), np.diff(self.bounds))

    @property
    def weighted_idf(self) -> Floats:
        """The idf of every column times the weight of its relation, for the latent space."""
        return np.asarray(self.idf * self.weight[self.relation])

    @by_rows("matrix")
    def transform(self, counts: csr_array) -> csr_array:
        """Compute y (eq. 7), with entries where the counts have theirs."""
        shares, occurrences, cell = self._normalise(counts)
        total = occurrences**self.eta * self.weight
        return csr_array((shares * total.ravel()[cell], counts.indices, counts.indptr), counts.shape)

    def temper(self, counts: csr_array, kernels: Kernels) -> csr_array:
        """Compute y on the threads of the kernels, in single precision."""
        if isinstance(counts, ShardedMatrix):
            sharded: csr_array = self.transform(counts).astype(np.float32)
            return sharded
        x = SparseRows.of(counts)

        def temper_rows(start: int, stop: int) -> NDArray[np.float32]:
            return np.asarray(self.transform(x.between(start, stop).matrix()).data, dtype=np.float32)

        return replace(
            x, data=np.concatenate(kernels.map_ranges(temper_rows, cut_entries(x.indptr)))
        ).matrix()

    def shares(self, counts: csr_array, kernels: Kernels | None = None) -> tuple[csr_array, Floats]:
        """Compute tf-idf that sums to 1 over each relation of a document, and n, its occurrences there.

        Rows are computed on the threads of the kernels, if there are any.
        """
        if kernels is None or isinstance(counts, ShardedMatrix):
            whole: tuple[csr_array, Floats] = self._share_rows(counts)
            return whole
        x = SparseRows.of(counts)
        parts = kernels.map_ranges(
            lambda start, stop: self._share_rows(x.between(start, stop).matrix()), cut_entries(x.indptr)
        )
        data = np.concatenate([shares.data for shares, _ in parts])
        return replace(x, data=data).matrix(), np.concatenate([occurrences for _, occurrences in parts])

    @by_rows("matrix", "array")
    def _share_rows(self, counts: csr_array) -> tuple[csr_array, Floats]:
        shares, occurrences, _ = self._normalise(counts)
        return csr_array((shares, counts.indices, counts.indptr), shape=counts.shape), occurrences

    def _normalise(self, counts: csr_array) -> tuple[Floats, Floats, Ints]:
        """Compute the entries of `shares`, n, and for each entry the number of its (document, relation)."""
        n_documents, n_relations = counts.shape[0], len(self.weight)
        cell = np.repeat(np.arange(n_documents), np.diff(counts.indptr)) * n_relations
        if n_relations > 1:
            cell = cell + self.relation[counts.indices]
        data = counts.data.astype(np.float64)
        idf = self.idf[counts.indices]
        # weights below 1 are no counts: then every entry is an occurrence
        occurrences = np.maximum(
            np.bincount(cell, data * (idf > 0), n_documents * n_relations),
            np.bincount(cell, idf > 0, n_documents * n_relations),
        )
        # weights up to 1 stay as they are: 1 + log of a small one would be negative
        above = data > 1.0
        np.log(data, out=data, where=above)
        np.add(data, 1.0, out=data, where=above)
        data *= idf
        total = np.bincount(cell, data, n_documents * n_relations)
        data /= np.maximum(total, 1e-300)[cell]
        return data, np.maximum(occurrences, 1.0).reshape(n_documents, n_relations), cell
