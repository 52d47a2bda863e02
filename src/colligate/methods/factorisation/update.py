"""Updates of memberships and associations that never raise the objective.

With everything else fixed, the objective of the memberships G of one type is (docs: tnmf)

    f(G) = tr(G·Q·Gᵀ) − 2·tr(Gᵀ·C) + penalty(G),   G ≥ 0, columns of unit length           (eq. 3)

Half its gradient is loss − gain, both non-negative (eq. 4), and the step

    G ∘ √(gain / (loss + λ_k·G)),   λ_k such that column k has unit length                 (eq. 6)

cannot raise f. The same step without the root is longer; it is tried first, and taken if f does not rise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from colligate.kernels import SplitGradient
from colligate.kernels.arrays import to_host

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from colligate.kernels import Kernels
    from colligate.methods.factorisation.penalty import Penalty

    Floats = NDArray[np.float64]
    Overlap = Callable[[Floats, Floats], Floats]

# multiplicative steps of S after each update of G: more lower the objective by rounding only
ASSOCIATION_STEPS = 20
# smaller memberships cannot matter, and far smaller (subnormal) numbers slow the processor down
FLOOR = 1e-30
TINY = 1e-300
# how exactly λ_k makes columns of unit length; f alone judges the longer step, so it may be rough there
UNIT, ROUGHLY_UNIT = 1e-9, 0.05


class LowRank(NamedTuple):
    """C = left·right, which is as large as G and never formed."""

    left: Floats
    right: Floats

    @classmethod
    def of(cls, C: Floats) -> LowRank:
        """Wrap a C that is formed."""
        return cls(C, np.eye(C.shape[1]))


def sum_low_rank(parts: Sequence[LowRank]) -> LowRank:
    """Return the sum of several C; those of rank 0 are left out."""
    # a type without relations keeps one C of rank 0, which has the shape of G
    nonzero = [part for part in parts if len(part.right)] or parts[:1]
    if len(nonzero) == 1:
        return nonzero[0]
    lefts, rights = zip(*nonzero, strict=True)
    return LowRank(np.concatenate(lefts, axis=1), np.concatenate(rights))


class Evaluation(NamedTuple):
    """f(G) and its gradient."""

    value: float
    gradient: SplitGradient


def update_memberships(
    kernels: Kernels, G: Floats, C: LowRank, Q: Floats, penalty: Penalty, overlap: Overlap | None = None
) -> Floats:
    """Return G after the longer of two steps with f no higher; G itself where only rounding is left.

    `overlap` computes leftᵀ·right of tall matrices; a caller may pass one with a cache. Several steps per
    product with the relations were measured on 20 Newsgroups: they take longer and end higher, since the
    associations and the other types no longer fit.
    """
    overlap = overlap or kernels.overlap
    value, gradient = evaluate(G, C, Q, penalty, overlap)
    for root, tolerance in ((False, ROUGHLY_UNIT), (True, UNIT)):
        following = kernels.step(G, gradient, tolerance, FLOOR, root=root)  # eq. 6
        if evaluate(following, C, Q, penalty, overlap).value <= value:
            return following
    return G


def evaluate(G: Floats, C: LowRank, Q: Floats, penalty: Penalty, overlap: Overlap) -> Evaluation:
    """Compute f(G) by overlaps of columns (eq. 3), and its gradient in two parts (eq. 4)."""
    # the sum of `pull` is tr(GᵀC), without C itself
    terms, gram, pull = penalty.evaluate(G), overlap(G, G), overlap(C.left, G) * C.right
    plus, minus = np.maximum(Q, 0.0) + penalty.overlap_costs(len(Q)), np.maximum(-Q, 0.0)
    charged = gram * (plus - minus)
    value, lead = float(charged.sum() - 2.0 * pull.sum()), pull.sum(axis=0) - charged.sum(axis=0)
    if terms is None:
        return Evaluation(value, SplitGradient(*C, plus, minus, lead))
    G = to_host(G)
    lead += np.einsum("ik,ik->k", terms.gain, G) - np.einsum("ik,ik->k", terms.loss, G)
    return Evaluation(value + terms.value, SplitGradient(*C, plus, minus, lead, terms.gain, terms.loss))


def update_association(S: Floats, cross: Floats, left: Floats, right: Floats, *, signed: bool) -> Floats:
    """Lower ‖R − G_p·S·G_qᵀ‖² in S, from cross = G_pᵀ·R·G_q and the Gram matrices of both sides (eq. 7).

    A signed S is the least-squares solution. Otherwise S takes multiplicative steps, each of which lowers the
    norm (Lee and Seung's argument: the norm is quadratic in S with non-negative coefficients).
    """
    if signed:
        # pseudo-inverses, since equal or empty columns make the Gram matrices singular
        return np.asarray(np.linalg.pinv(left) @ cross @ np.linalg.pinv(right))
    for _ in range(ASSOCIATION_STEPS):
        S = S * (cross / np.maximum(left @ S @ right, TINY))
    return S


def kkt_residual(G: Floats, gradient: SplitGradient) -> float:
    """Return how far G is from the Kuhn-Tucker conditions: the largest G ∘ |slope| over G ∘ loss.

    The slope is along the sphere of each column, without the part that only lengthens the column.
    """
    gain, loss = gradient.parts(G)
    slope = loss - gain
    slope = slope - G * (slope * G).sum(axis=0)
    return float((np.abs(slope) * G).max() / max(float((loss * G).max()), TINY))
