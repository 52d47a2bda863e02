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

ASSOCIATION_STEPS = 20
# memberships below this cannot matter; far below, the processor slows down
FLOOR = 1e-30
SMALL = 1e-300
NEWTON_STEPS = 50
UNIT, ROUGHLY_UNIT = 1e-9, 0.05


def updated(G: Floats, C: Floats, Q: Floats, penalty: Penalty) -> Floats:
    """Memberships after a step, with f no higher: the longer of two; G where rounding is all that is left.

    Several steps for one product with the relations were measured on 20 Newsgroups: they take more time and
    end higher, as associations and the other types no longer fit.
    """
    here = terms(G, C, Q, penalty)
    for attempt in (_long_step, safe_step):
        following = attempt(G, here)
        if terms(following, C, Q, penalty).value <= here.value:
            return following
    return G


def terms(G: Floats, C: Floats, Q: Floats, penalty: Penalty) -> Terms:
    """f at G, with the two parts of half its gradient."""
    value, gain, loss = penalty.terms(G)
    met = G @ Q
    value += float(np.vdot(G, met)) - 2.0 * float(np.vdot(G, C))
    _add_parts(C, gain, loss)
    if Q.min() >= 0.0:
        loss += met
    else:
        against = G @ np.maximum(-Q, 0.0)
        gain += against
        loss += met + against
    return Terms(value, gain, loss)


def _add_parts(C: Floats, gain: Floats, loss: Floats) -> None:
    """Add what is positive to the gain and what is negative to the loss."""
    if C.min() >= 0.0:
        gain += C
        return
    gain += np.maximum(C, 0.0)
    loss += np.maximum(-C, 0.0)


def _long_step(G: Floats, here: Terms) -> Floats:
    """The safe step without the root. It is judged by f alone, so that a rough multiplier will do."""
    return _unit(_squares(G, here, ROUGHLY_UNIT) / G)


def safe_step(G: Floats, here: Terms) -> Floats:
    """The lowest point, among columns of unit length, of the function above f that touches it at G."""
    return _unit(np.sqrt(_squares(G, here, UNIT)))


def _squares(G: Floats, here: Terms, tolerance: float) -> Floats:
    """The squares of that point, up to a tolerance of the sum of a column.

    The function is Σ b·x² − 2·a·log x with a = gain·G and b = loss/G, so that x² = a/(b + λ_k), and λ_k is
    where these add up to 1. The reciprocal of their sum is concave in λ: Newton's method on it lands below
    the solution and then comes ever closer. It starts from what λ is where G no longer changes, or from where
    the largest of the summands alone is 1, if that is more.
    """
    a, b = here.gain * G, here.loss / G
    a += SMALL
    least = (a - b).max(axis=0)
    multiplier = np.maximum(least, np.einsum("ik,ik->k", here.gain - here.loss, G))
    room, squares = np.empty_like(a), np.empty_like(a)
    for _ in range(NEWTON_STEPS):
        np.add(b, multiplier, out=room)
        # never below a, but for rounding
        np.maximum(room, a, out=room)
        np.divide(a, room, out=squares)
        total = squares.sum(axis=0)
        if np.all(np.abs(total - 1.0) <= tolerance):
            break
        slope = np.divide(squares, room, out=room).sum(axis=0)
        multiplier = np.maximum(multiplier + (total - 1.0) * total / slope, least)
    return squares


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
