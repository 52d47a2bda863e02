"""Where the mixture stands: memberships, the tables that follow from them, the scores, and the objective.

With q the memberships, y the evidence, e the directions, λ the weights of documents, the objective is

    F = Σ_d λ_d·Σ_k q_dk·(log q_dk − s_dk) − Σ_k Σ_o α_o·log(φ_ko/m_o) − ½·Σ_ij A_ij·√(λ_i·λ_j)·Σ_k q_ik·q_jk
    s_dk = log π_k + Σ_o y_do·log(φ_ko/m_o) + κ·cos(e_d, μ_k) + u_dk

φ, π and μ are where F is lowest for the memberships, and the next memberships where it is lowest for these,
A held at the present ones. Where links make that a step too far, it is halved until F falls.

Sweeps of the mixture, one after the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import xlogy

from colligate._array import unit_columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.methods.mixture.priors import Terms, Ties
    from colligate.methods.mixture.problem import MixtureProblem
    from colligate.methods.spherical import Directions

    Floats = NDArray[np.float64]

NEVER = -1e30
TINY = 1e-300
HALVINGS = 12


@dataclass(frozen=True, eq=False)
class Position:
    """`lifts` are log(φ/m), columns × groups; `centres` hold a table of directions for each view."""

    memberships: Floats
    scores: Floats
    lifts: Floats
    centres: tuple[Floats, ...]
    log_share: Floats
    value: float


def evaluated(problem: MixtureProblem, terms: Terms, q: Floats, ties: Ties | None = None) -> Position:
    """The tables and the objective of memberships."""
    weighted = np.ascontiguousarray(q * terms.weight[:, None])
    lifts, prior = _lifts(problem, weighted, ties)
    log_share = np.log(np.maximum(weighted.sum(axis=0), TINY) / max(terms.weight.sum(), TINY))
    scores = problem.kernels.product(problem.evidence, lifts)
    centres = []
    for view in problem.views:
        centres.append(mean_directions(view.directions, weighted))
        scores += view.concentration * view.directions.cosines(problem.kernels, centres[-1])
    scores += log_share
    if terms.pull is not None:
        scores += terms.pull
    if problem.closed is not None:
        scores[problem.closed] = NEVER
    value = _free_energy(terms, q, scores) - prior
    return Position(q, scores, lifts, tuple(centres), log_share, value)


def improved(problem: MixtureProblem, terms: Terms, at: Position) -> Floats:
    """The next memberships."""
    if terms.links is None:
        return placed(terms, at.scores)
    following = placed(terms, at.scores + _force(terms, at.memberships))
    before = _free_energy(terms, at.memberships, at.scores)
    for _ in range(HALVINGS):
        if _free_energy(terms, following, at.scores) <= before:
            return following
        following = (following + at.memberships) / 2.0
    return at.memberships


def placed(terms: Terms, scores: Floats) -> Floats:
    """The softmax of scores; documents with a label are in its group."""
    q = softmax(scores)
    told = np.flatnonzero(terms.firm >= 0)
    q[told] = 0.0
    q[told, terms.firm[told]] = 1.0
    return q


def softmax(scores: Floats) -> Floats:
    """Along the rows."""
    q: Floats = scores - scores.max(axis=1, keepdims=True)
    np.exp(q, out=q)
    q /= q.sum(axis=1, keepdims=True)
    return q


def pulled(terms: Terms, at: Position) -> Floats:
    """The scores with what links add at the present memberships."""
    return at.scores if terms.links is None else at.scores + _force(terms, at.memberships)


def _lifts(problem: MixtureProblem, weighted: Floats, ties: Ties | None) -> tuple[Floats, float]:
    """How much more each column is used in each group than over all, and its part of the objective."""
    assert problem.scale is not None
    share, bounds = problem.share, problem.scale.bounds
    table = problem.kernels.transposed_product(problem.evidence, weighted)
    used = share > 0
    prior = np.zeros(len(share))
    mass = np.add.reduceat(np.append(table.sum(axis=1), 0.0), bounds[:-1])
    if ties is not None:
        table[ties.columns] += ties.counts
    for start, stop, total in zip(bounds[:-1], bounds[1:], mass, strict=True):
        own = table[start:stop]
        prior[start:stop] = problem.smoothing * total / problem.n_groups * share[start:stop]
        own += prior[start:stop, None]
        own /= np.maximum(own.sum(axis=0), TINY)
    table[used] = np.log(np.maximum(table[used], TINY) / share[used, None])
    table[~used] = 0.0
    value = float(prior @ table.sum(axis=1))
    return table, value if ties is None else value + float(np.vdot(ties.counts, table[ties.columns]))


def mean_directions(directions: Directions, weighted: Floats) -> Floats:
    """The directions of groups, as columns, by the memberships of documents."""
    return unit_columns(np.asarray(directions.unit).T.astype(np.float64) @ weighted)


def _force(terms: Terms, q: Floats) -> Floats:
    """What links add to the scores."""
    assert terms.links is not None
    root = np.sqrt(terms.weight)[:, None]
    gain, loss = terms.links.gain_and_loss(q * root)
    return np.asarray((gain - loss) / np.maximum(root, TINY))


def _free_energy(terms: Terms, q: Floats, scores: Floats) -> float:
    found = float(terms.weight @ (xlogy(q, q) - q * scores).sum(axis=1))
    if terms.links is not None:
        found -= 0.5 * float(terms.weight @ (q * _force(terms, q)).sum(axis=1))
    return found


def descended(
    problem: MixtureProblem, terms: Terms, q: NDArray[np.float64], sweeps: int, tolerance: float
) -> Position:
    """The position after some sweeps, or where the objective hardly falls any more."""
    at = evaluated(problem, terms, q)
    for _ in range(sweeps):
        following = evaluated(problem, terms, improved(problem, terms, at))
        done = at.value - following.value <= tolerance * abs(at.value)
        at = following
        if done:
            break
    return at
