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
from colligate.methods.schema import related

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

    Piece p has `widths[p]` columns. A relation of the type with itself makes two pieces.
    """

    kind: str
    rows: Rows
    pieces: tuple[Piece, ...]
    widths: tuple[int, ...]
    counts: NDArray[np.float64]
    mass: NDArray[np.float64]

    @property
    def reflexive(self) -> bool:
        """Whether the columns' labels are the rows' own, so that they change with them."""
        return any(piece.other == self.kind for piece in self.pieces)

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

    def scales(self, sizes: Mapping[str, int]) -> NDArray[np.float64]:
        """The scale of every column cluster."""
        return np.repeat([piece.scale for piece in self.pieces], np.diff(self.blocks(sizes)))

    def matrix(self) -> sparse.csr_array:
        """The side as a SciPy matrix (the arrays are shared)."""
        x = self.rows
        return sparse.csr_array((x.data, x.indices, x.indptr), shape=(len(x), x.n_columns))


def make_sides(network: Network) -> dict[str, Side]:
    """Lay out every type that takes part in a relation, by rows."""
    scales = [relation.per_occurrence for relation in network.relations]
    return {kind: _side(network, kind, scales) for kind in related(network)}


def _side(network: Network, kind: str, scales: list[float]) -> Side:
    around = network.around(kind)
    pieces = tuple(Piece(p.relation, p.other, p.flipped, scales[p.relation]) for p in around.parts)
    widths = tuple(part.stop - part.start for part in around.parts)
    sums = [np.asarray(around.cut(part).sum(axis=1, dtype=np.float64)).ravel() for part in around.parts]
    mass = sum((p.scale * s for p, s in zip(pieces, sums, strict=True)), start=np.zeros(len(sums[0])))
    return Side(kind, Rows.of(around.matrix), pieces, widths, np.sum(sums, axis=0), mass)
