"""The relations of a network as matrices to be factorised: weighted, by rows, the centre's objects first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from colligate.errors import InputError
from colligate.kernels import Rows
from colligate.methods.tfidf import tfidf, unit_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.kernels import Kernels
    from colligate.network import Network, Relation

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

    @property
    def squared_norm(self) -> float:
        """What it adds to ‖R‖²."""
        return self.strength * (2.0 + self.strength) * float(np.square(self.scores).sum())


@dataclass(frozen=True, eq=False)
class Piece:
    """One relation R ≈ G_p·S·G_qᵀ: p are its `rows`, q its `columns`; `flipped` if the network has it so."""

    name: str
    rows: str
    columns: str
    matrix: csr_array
    weight: float
    flipped: bool
    stretch: Stretch | None = None

    def product(self, kernels: Kernels, G: Floats, *, transposed: bool) -> Floats:
        """R·G or Rᵀ·G."""
        x = Rows.of(self.matrix)
        made = kernels.transposed_product(x, G) if transposed else kernels.product(x, G)
        return made if self.stretch is None else made + self.stretch.added(G, transposed=transposed)

    @property
    def squared_norm(self) -> float:
        """What this relation adds to the objective where nothing of it is explained."""
        norm = float(np.square(self.matrix.data, dtype=np.float64).sum())
        return self.weight * (norm if self.stretch is None else norm + self.stretch.squared_norm)


def make_pieces(network: Network, weighting: str) -> tuple[Piece, ...]:
    """All relations: tf-idf or counts where the centre meets its terms, rows of unit length elsewhere."""
    return tuple(_piece(network, relation, weighting) for relation in network.relations)


def weighed(counts: csr_array, weighting: str) -> csr_array:
    """The entries to be factorised."""
    found = tfidf(counts) if weighting == "tfidf" else counts
    return csr_array(found.astype(np.float64))


def _piece(network: Network, relation: Relation, weighting: str) -> Piece:
    if relation.rows == relation.columns:
        raise InputError(
            f"a factorisation cannot take relation {relation.name}, of a type with itself; leave it out"
        )
    flipped = relation.columns == network.centre
    rows, columns = (relation.columns, relation.rows) if flipped else (relation.rows, relation.columns)
    counts = csr_array(relation.matrix.T.tocsr()) if flipped else relation.matrix
    described = (rows, columns) == (network.centre, network.terms)
    matrix = weighed(counts, weighting) if described else unit_rows(csr_array(counts.astype(np.float64)))
    return Piece(
        relation.name, rows, columns, matrix, 1.0 if relation.weight is None else relation.weight, flipped
    )
