"""What weights of knowledge are relative to: per group, all there is to explain, and what groups can explain.

Of tf-idf rows, groups explain a few hundredths. A link that weighs as much as the whole row is then obeyed at
any price, by moving objects to whatever group is free of it, and the words have no say. So links are weighed
by what groups can explain at best: the squares of as many leading singular values as there are groups.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from colligate.methods.factorisation.pieces import Piece

POWER_STEPS = 2


class Scale(NamedTuple):
    """Per group: the squared norm of the relations of a type, and the part that groups can explain."""

    whole: float
    explained: float


def scale_of(kind: str, pieces: Iterable[Piece], sizes: Mapping[str, int], *, known: bool) -> Scale:
    """The scale of one type; what can be explained is found only where something is `known` to be weighed."""
    own = [piece for piece in pieces if kind in (piece.rows, piece.columns)]
    whole = sum(piece.squared_norm for piece in own)
    explained = sum(explainable(piece, _rank(piece, sizes)) for piece in own) if known else whole
    return Scale(whole / sizes[kind], explained / sizes[kind])


def explainable(piece: Piece, rank: int) -> float:
    """The weighted sum of the squares of the leading singular values."""
    from sklearn.utils.extmath import randomized_svd

    rank = min(rank, *piece.matrix.shape)
    _, values, _ = randomized_svd(piece.matrix, rank, n_iter=POWER_STEPS, random_state=0)
    return piece.weight * float(np.square(values).sum())


def _rank(piece: Piece, sizes: Mapping[str, int]) -> int:
    """A product G_p·S·G_qᵀ has the rank of its smaller side; types that are not grouped set no limit."""
    return min(sizes[kind] for kind in (piece.rows, piece.columns) if kind in sizes)
