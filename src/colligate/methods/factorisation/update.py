"""Updates of memberships and associations that never raise the objective.

With everything else fixed, the objective of the memberships G of one type is

    f(G) = tr(G·Q·Gᵀ) − 2·tr(Gᵀ·C) + penalty(G),   G ≥ 0, every column of unit length.

Half its gradient is loss − gain with gain = C⁺ + G·Q⁻ + …, loss = C⁻ + G·Q⁺ + …, all parts non-negative, and

    G ∘ √(gain / (loss + λ_k·G)),   λ_k such that column k has unit length,

cannot raise f (docs/methods/tnmf.md derives it). The same step without the root moves faster; it is tried
first and taken where f does not rise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from colligate.kernels import SplitGradient

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from colligate.kernels import Kernels
    from colligate.methods.factorisation.penalty import Penalty

    Floats = NDArray[np.float64]
    Overlap = Callable[[Floats, Floats], Floats]

ASSOCIATION_STEPS = 20
# memberships below this cannot matter; far below, the processor slows down
FLOOR = 1e-30
SMALL = 1e-300
# the longer step is judged by f alone, so that a rough multiplier will do
UNIT, ROUGHLY_UNIT = 1e-9, 0.05


class LowRank(NamedTuple):
    """C = left·right, which is as large as G and never formed."""

    left: Floats
    right: Floats

    @classmethod
    def of(cls, C: Floats) -> LowRank:
        """C as it is."""
        return cls(C, np.eye(C.shape[1]))


def sum_pulls(pulls: Sequence[LowRank]) -> LowRank:
    """The sum of several, as one; those with nothing to say stay out."""
    said = [pull for pull in pulls if len(pull.right)] or pulls[:1]
    if len(said) == 1:
        return said[0]
    lefts, rights = zip(*said, strict=True)
    return LowRank(np.concatenate(lefts, axis=1), np.concatenate(rights))


class Evaluation(NamedTuple):
    """f at some memberships, and its slope there."""

    value: float
    slope: SplitGradient


def update_memberships(
    kernels: Kernels, G: Floats, C: LowRank, Q: Floats, penalty: Penalty, overlap: Overlap | None = None
) -> Floats:
    """Memberships after a step, with f no higher: the longer of two; G where rounding is all that is left.

    `overlap` gives leftᵀ·right of tall matrices, the kernel's own unless a caller keeps them. Several steps
    for one product with the relations were measured on 20 Newsgroups: they take more time and end higher, as
    associations and the other types no longer fit.
    """
    overlap = overlap or kernels.overlap
    value, slope = evaluate(G, C, Q, penalty, overlap)
    for root, tolerance in ((False, ROUGHLY_UNIT), (True, UNIT)):
        following = kernels.step(G, slope, tolerance, FLOOR, root=root)
        if evaluate(following, C, Q, penalty, overlap).value <= value:
            return following
    return G


def evaluate(G: Floats, C: LowRank, Q: Floats, penalty: Penalty, overlap: Overlap) -> Evaluation:
    """f at G, by overlaps of columns, and its slope."""
    told, gram, met = penalty.terms(G), overlap(G, G), overlap(C.left, G) * C.right
    plus, minus = np.maximum(Q, 0.0) + penalty.charges(len(Q)), np.maximum(-Q, 0.0)
    charged = gram * (plus - minus)
    value, lead = float(charged.sum() - 2.0 * met.sum()), met.sum(axis=0) - charged.sum(axis=0)
    if told is None:
        return Evaluation(value, SplitGradient(*C, plus, minus, lead))
    lead += np.einsum("ik,ik->k", told.gain, G) - np.einsum("ik,ik->k", told.loss, G)
    return Evaluation(value + told.value, SplitGradient(*C, plus, minus, lead, told.gain, told.loss))


def update_association(S: Floats, cross: Floats, left: Floats, right: Floats, *, signed: bool) -> Floats:
    """S that lowers ‖R − G_p·S·G_qᵀ‖², from cross = G_pᵀ·R·G_q and the Gram matrices of both sides.

    The best there is if S may have any sign; otherwise a few multiplicative steps from S, each of which
    lowers the norm (Lee and Seung's argument, as the norm is quadratic in S with non-negative coefficients).
    """
    if signed:
        return np.asarray(np.linalg.pinv(left) @ cross @ np.linalg.pinv(right))
    for _ in range(ASSOCIATION_STEPS):
        S = S * (cross / np.maximum(left @ S @ right, SMALL))
    return S


def kkt_residual(G: Floats, slope: SplitGradient) -> float:
    """How far G is from the Kuhn-Tucker conditions, 0 being none: the largest G ∘ |slope| over G ∘ loss.

    The slope is that along the sphere of each column: less what would only lengthen the column.
    """
    gain, loss = slope.parts(G)
    along = loss - gain
    along = along - G * (along * G).sum(axis=0)
    return float((np.abs(along) * G).max() / max(float((loss * G).max()), SMALL))
