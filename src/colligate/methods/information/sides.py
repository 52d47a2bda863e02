"""A side: all relations of one type next to each other, so that one product updates its labels.

The columns of a side are the objects of the other types, relation after relation. Their labels are shifted so
that every relation has column clusters of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from colligate.kernels import Rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate.methods.state import Labels
    from colligate.network import Network


@dataclass(frozen=True)
class Piece:
    """One relation as seen from a side.

    It is `flipped` if the side's type is its columns; `scale` turns its counts to mass.
    """

    relation: int
    other: str
    flipped: bool
    scale: float


@dataclass(frozen=True, eq=False)
class Side:
    """The relations of one type by rows, with the counts and the share of the whole mass of each row.

    Piece p has `widths[p]` columns.
    """

    kind: str
    rows: Rows
    pieces: tuple[Piece, ...]
    widths: tuple[int, ...]
    counts: NDArray[np.float64]
    mass: NDArray[np.float64]

    def columns(self, labels: Mapping[str, Labels], sizes: Mapping[str, int]) -> Labels:
        """The labels of all columns, each relation's shifted past the one before."""
        shifted, offset = [], 0
        for piece in self.pieces:
            own = labels[piece.other]
            shifted.append(np.where(own >= 0, own + offset, -1).astype(np.int32))
            offset += sizes[piece.other]
        return np.concatenate(shifted)

    def blocks(self, sizes: Mapping[str, int]) -> NDArray[np.int64]:
        """Where each relation's column clusters start, and where the last end."""
        return np.cumsum([0, *(sizes[piece.other] for piece in self.pieces)])

    def matrix(self) -> sparse.csr_array:
        """The side as a SciPy matrix (the arrays are shared)."""
        x = self.rows
        return sparse.csr_array((x.data, x.indices, x.indptr), shape=(len(x), x.n_columns))


def make_sides(network: Network) -> dict[str, Side]:
    """Lay out every type that takes part in a relation, by rows."""
    totals = [float(relation.matrix.sum(dtype=np.float64)) for relation in network.relations]
    sides = {}
    for kind in network.types:
        parts: list[sparse.csr_array] = []
        pieces: list[Piece] = []
        for number, relation in enumerate(network.relations):
            scale = relation.weight / totals[number] if totals[number] > 0 else 0.0
            if relation.rows == kind:
                parts.append(relation.matrix)
                pieces.append(Piece(number, relation.columns, False, scale))
            elif relation.columns == kind:
                parts.append(sparse.csr_array(relation.matrix.T.tocsr()))
                pieces.append(Piece(number, relation.rows, True, scale))
        if parts:
            sides[kind] = _side(kind, parts, tuple(pieces))
    return sides


def _side(kind: str, parts: list[sparse.csr_array], pieces: tuple[Piece, ...]) -> Side:
    sums = [np.asarray(part.sum(axis=1, dtype=np.float64)).ravel() for part in parts]
    stacked = parts[0] if len(parts) == 1 else sparse.csr_array(sparse.hstack(parts, format="csr"))
    widths = tuple(part.shape[1] for part in parts)
    mass = sum((p.scale * s for p, s in zip(pieces, sums, strict=True)), start=np.zeros(len(sums[0])))
    return Side(kind, Rows.of(stacked), pieces, widths, np.sum(sums, axis=0), mass)
