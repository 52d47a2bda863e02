"""Updates of memberships and associations that never raise the objective.

With everything else fixed, the objective of the memberships G of one type is

    f(G) = tr(G·Q·Gᵀ) − 2·tr(Gᵀ·C) + penalty(G),   G ≥ 0, every column of unit length.

Half its gradient is loss − gain with gain = C⁺ + G·Q⁻ + …, loss = C⁻ + G·Q⁺ + …, all parts non-negative, and

    G ∘ √(gain / (loss + λ_k·G)),   λ_k such that column k has unit length,

cannot raise f (docs/methods/tnmf.md derives it). The same step without the root moves faster; it is tried
first and taken where f does not rise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate.methods.factorisation.penalty import Terms

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.methods.factorisation.penalty import Penalty

    Floats = NDArray[np.float64]

INNER = 5
# steps cost less than a product with the relations, but not nothing: they end when they bring this share
# of the first (Gillis and Glineur 2012)
WORTHWHILE = 0.1
ASSOCIATION_STEPS = 20
# memberships below this cannot matter; far below, the processor slows down
FLOOR = 1e-30
SMALL = 1e-300
NEWTON_STEPS = 50
UNIT = 1e-12


def updated(G: Floats, C: Floats, Q: Floats, penalty: Penalty, steps: int = INNER) -> Floats:
    """Memberships after at most so many steps, with f no higher."""
    here, first = terms(G, C, Q, penalty), 0.0
    for _ in range(steps):
        found = _step(G, here, C, Q, penalty)
        if found is None:
            break
        fallen = here.value - found[1].value
        G, here = found
        first = max(first, fallen)
        if fallen <= WORTHWHILE * first:
            break
    return G


def terms(G: Floats, C: Floats, Q: Floats, penalty: Penalty) -> Terms:
    """f at G, with the two parts of half its gradient."""
    asked = penalty.terms(G)
    value = float(np.vdot(G.T @ G, Q)) - 2.0 * float(np.vdot(G, C)) + asked.value
    gain = asked.gain + np.maximum(C, 0.0) + G @ np.maximum(-Q, 0.0)
    loss = asked.loss + np.maximum(-C, 0.0) + G @ np.maximum(Q, 0.0)
    return Terms(value, gain, loss)


def _step(G: Floats, here: Terms, C: Floats, Q: Floats, penalty: Penalty) -> tuple[Floats, Terms] | None:
    """The longer of two steps that does not raise f; None where rounding is all that is left."""
    safe = safe_step(G, here)
    for following in (_unit(safe * (safe / G)), safe):
        there = terms(following, C, Q, penalty)
        if there.value <= here.value:
            return following, there
    return None


def safe_step(G: Floats, here: Terms) -> Floats:
    """The lowest point, among columns of unit length, of the function above f that touches it at G.

    That function is Σ b·x² − 2·a·log x with a = gain·G and b = loss/G, so that x² = a/(b + λ_k), and λ_k is
    where these add up to 1. The reciprocal of their sum is concave in λ: Newton's method on it, from where
    the largest of them alone is 1, comes ever closer from below.
    """
    a, b = here.gain * G + SMALL, here.loss / G
    multiplier = (a - b).max(axis=0)
    for _ in range(NEWTON_STEPS):
        # never below a, but for rounding
        room = np.maximum(b + multiplier, a)
        squares = a / room
        total = squares.sum(axis=0)
        if np.all(np.abs(total - 1.0) <= UNIT):
            break
        multiplier += (total - 1.0) * total / (squares / room).sum(axis=0)
    return _unit(np.sqrt(squares))


def _unit(G: Floats) -> Floats:
    """The columns at unit length."""
    return np.asarray(np.maximum(G / np.sqrt(np.square(G).sum(axis=0)), FLOOR))


def best_association(S: Floats, cross: Floats, left: Floats, right: Floats, *, signed: bool) -> Floats:
    """S that lowers ‖R − G_p·S·G_qᵀ‖², from cross = G_pᵀ·R·G_q and the Gram matrices of both sides.

    The best there is if S may have any sign; otherwise a few multiplicative steps from S, each of which
    lowers the norm (Lee and Seung's argument, as the norm is quadratic in S with non-negative coefficients).
    """
    if signed:
        return np.asarray(np.linalg.pinv(left) @ cross @ np.linalg.pinv(right))
    for _ in range(ASSOCIATION_STEPS):
        S = S * (cross / np.maximum(left @ S @ right, SMALL))
    return S


def complementarity(G: Floats, here: Terms) -> float:
    """How far G is from the Kuhn-Tucker conditions, 0 being none: the largest G ∘ |slope| over G ∘ loss.

    The slope is that along the sphere of each column: less what would only lengthen the column.
    """
    slope = here.loss - here.gain
    slope = slope - G * (slope * G).sum(axis=0)
    return float((np.abs(slope) * G).max() / max(float((here.loss * G).max()), SMALL))
