"""Factors and the state that carries them, one better association, and the mass that groups explain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate.methods.factorisation.grouping import grouped
from colligate.methods.factorisation.problem import Factors
from colligate.methods.factorisation.update import best_association, updated
from colligate.methods.state import State

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.methods.factorisation.pieces import Piece
    from colligate.methods.factorisation.problem import FactorProblem

    Floats = NDArray[np.float64]


def improved(problem: FactorProblem, factors: Factors, kind: str) -> Floats:
    """Better memberships of one type."""
    C, Q, parts = problem.seen_from(kind, factors)
    penalty = problem.penalties[kind].and_for(parts)
    return updated(problem.kernels, factors.memberships[kind], C, Q, penalty, problem.overlap)


def associated(problem: FactorProblem, factors: Factors, number: int) -> Factors:
    """The factors with a better association of one relation."""
    piece = problem.pieces[number]
    left, right = factors.memberships[piece.rows], factors.memberships[piece.columns]
    S = best_association(
        factors.associations[number],
        problem.cross(number, factors),
        problem.gram(number, left, across=False),
        problem.gram(number, right, across=True),
        signed=problem.signed,
    )
    others = factors.associations
    return Factors(factors.memberships, (*others[:number], S, *others[number + 1 :]))


def to_state(problem: FactorProblem, factors: Factors, *, settled: bool = False) -> State:
    """The factors as a state, with the groups they make."""
    labels = {kind: grouped(G, problem.filled[kind]) for kind, G in factors.memberships.items()}
    numbers = {f"memberships/{kind}": G for kind, G in factors.memberships.items()}
    numbers.update({f"association/{number}": S for number, S in enumerate(factors.associations)})
    return State(labels, numbers, settled)


def from_state(problem: FactorProblem, state: State) -> Factors:
    """The factors that a state holds."""
    memberships = {kind: state.numbers[f"memberships/{kind}"] for kind in problem.sizes}
    return Factors(
        memberships, tuple(state.numbers[f"association/{number}"] for number in range(len(problem.pieces)))
    )


def mass(piece: Piece, number: int, factors: Factors) -> Floats:
    """How much of a relation each pair of groups explains, as shares, the way round the network has it."""
    left, right = factors.memberships[piece.rows], factors.memberships[piece.columns]
    found = left.sum(axis=0)[:, None] * np.maximum(factors.associations[number], 0.0) * right.sum(axis=0)
    found = found.T if piece.flipped else found
    return np.asarray(found / max(float(found.sum()), 1e-300))
