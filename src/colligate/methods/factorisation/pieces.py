"""The relations of a network as matrices to be factorised: weighted, by rows, the centre's objects first."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from colligate.kernels import Rows
from colligate.methods.tfidf import tfidf

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.kernels import Kernels
    from colligate.network import Network, Relation

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Stretch:
    """Stands for R·(I + strength·U·Uᵀ) with U orthonormal, as R and a thin product: `scores` are R·U."""

    directions: Floats
    scores: Floats
    strength: float

    @classmethod
    def along(cls, directions: Floats, matrix: csr_array, strength: float) -> Stretch:
        """Stretch the rows of a matrix along some directions."""
        return cls(directions, np.asarray(matrix @ directions), strength)

    def added(self, G: Floats, *, transposed: bool) -> Floats:
        """What it adds to R·G or Rᵀ·G."""
        first, then = (self.scores, self.directions) if transposed else (self.directions, self.scores)
        return np.asarray(self.strength * (then @ (first.T @ G)))

    def met_by(self, G: Floats) -> Floats:
        """(I + strength·U·Uᵀ)·G: what rows that are not stretched must be multiplied with."""
        return np.asarray(G + self.strength * (self.directions @ (self.directions.T @ G)))

    @property
    def squared_norm(self) -> float:
        """What it adds to ‖R‖²."""
        return self.strength * (2.0 + self.strength) * float(np.square(self.scores).sum())


@dataclass(frozen=True, eq=False)
class Piece:
    """One relation R ≈ G_p·S·G_qᵀ: p are its `rows`, q its `columns`; `flipped` if the network has it so.

    `there` marks the rows, and the columns, that have entries; None stands for all. A relation that says
    nothing of an object does not say that the object belongs nowhere, so that the others have no part in it.
    """

    name: str
    rows: str
    columns: str
    matrix: csr_array
    flipped: bool
    there: tuple[Bools | None, Bools | None] = (None, None)
    weight: float = 1.0
    stretch: Stretch | None = None

    def product(self, kernels: Kernels, G: Floats, *, transposed: bool) -> Floats:
        """R·G or Rᵀ·G."""
        x = Rows.of(self.matrix)
        made = kernels.transposed_product(x, G) if transposed else kernels.product(x, G)
        return made if self.stretch is None else made + self.stretch.added(G, transposed=transposed)

    @cached_property
    def squared_norm(self) -> float:
        """What this relation adds to the objective where nothing of it is explained."""
        data = self.matrix.data
        norm = float(np.einsum("t,t->", data, data, dtype=np.float64))
        return self.weight * (norm if self.stretch is None else norm + self.stretch.squared_norm)


def make_pieces(network: Network, weighting: str) -> tuple[Piece, ...]:
    """All relations as tf-idf rows of unit length, or as they are, each with the weight 1."""
    return tuple(_piece(network, relation, weighting) for relation in network.relations)


def _piece(network: Network, relation: Relation, weighting: str) -> Piece:
    flipped = relation.columns == network.centre
    rows, columns = (relation.columns, relation.rows) if flipped else (relation.rows, relation.columns)
    counts = csr_array(relation.matrix.T.tocsr()) if flipped else relation.matrix
    found = tfidf(counts) if weighting == "tfidf" else counts
    here = (np.diff(counts.indptr) > 0, np.bincount(counts.indices, minlength=counts.shape[1]) > 0)
    some = [
        None if np.array_equal(own, network.filled(kind)) else own
        for own, kind in zip(here, (rows, columns), strict=True)
    ]
    return Piece(
        relation.name, rows, columns, found.astype(np.float64, copy=False), flipped, (some[0], some[1])
    )
