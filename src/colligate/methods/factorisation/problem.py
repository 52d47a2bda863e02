"""The problem of the factorisations: the relations, the penalties, and products that sweeps share.

Σ_r weight_r·‖R_r − G_p·S_r·G_qᵀ‖² + Σ_types penalty(G)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from colligate.methods.factorisation.kept import Kept
from colligate.methods.factorisation.penalty import Partial
from colligate.methods.factorisation.update import Pull, joined
from colligate.methods.problem import Problem
from colligate.network.neighbourhood import description

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate.methods.factorisation.penalty import Penalty
    from colligate.methods.factorisation.pieces import Piece

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Factors:
    """Memberships per type, and the association of the groups of each relation."""

    memberships: Mapping[str, Floats]
    associations: tuple[Floats, ...] = ()

    def with_memberships(self, kind: str, G: Floats) -> Factors:
        """The same with other memberships of one type."""
        return Factors({**self.memberships, kind: G}, self.associations)


@dataclass(frozen=True, eq=False)
class FactorProblem(Problem):
    """Adds the relations, what is asked of each type, and whether associations may be negative."""

    pieces: tuple[Piece, ...] = ()
    penalties: Mapping[str, Penalty] = field(default_factory=dict)
    signed: bool = False
    _kept: Kept = field(default_factory=Kept, repr=False)
    _products: dict[tuple[int, bool], tuple[Floats, Floats]] = field(default_factory=dict, repr=False)

    @property
    def described(self) -> Piece:
        """The relation that describes the centre, as a rule documents × words."""
        part = description(self.network)
        assert part is not None
        return self.pieces[part.relation]

    @property
    def own(self) -> tuple[Piece, ...]:
        """The relations of the centre, in the order of the network."""
        return tuple(piece for piece in self.pieces if piece.rows == self.network.centre)

    @cached_property
    def filled(self) -> dict[str, Bools]:
        """Which objects of each type that is grouped have entries."""
        return {kind: self.network.filled(kind) for kind in self.sizes}

    def overlap(self, left: Floats, right: Floats) -> Floats:
        """leftᵀ·right of tall matrices, kept for update, association and objective, which all need it."""
        return self._kept.get("overlap", (left, right), lambda: self.kernels.overlap(left, right))

    def gram(self, number: int, G: Floats, *, across: bool) -> Floats:
        """GᵀG over the rows of a relation, or across them over its columns, that are there."""
        there = self.pieces[number].there[across]
        if there is None:
            return self.overlap(G, G)
        own = G[there]
        return self.kernels.overlap(own, own)

    def product(self, number: int, G: Floats, *, transposed: bool) -> Floats:
        """R·G or Rᵀ·G of a relation; the last of each is kept, as objective and associations need it again.

        Arrays of a state are never changed, so that the same array means the same numbers.
        """
        known = self._products.get((number, transposed))
        if known is not None and known[0] is G:
            return known[1]
        made = self.pieces[number].product(self.kernels, G, transposed=transposed)
        self._products[number, transposed] = (G, made)
        return made

    def _by_rows(self, number: int) -> bool:
        """Whether the rows have no more groups than the columns: the thinner product is the one to keep."""
        piece = self.pieces[number]
        return self.sizes[piece.rows] <= self.sizes[piece.columns]

    def cross(self, number: int, factors: Factors) -> Floats:
        """G_pᵀ·R·G_q, by the product with the side of fewer groups."""
        piece, by_rows = self.pieces[number], self._by_rows(number)
        left, right = factors.memberships[piece.rows], factors.memberships[piece.columns]
        if by_rows:
            return self.overlap(self.product(number, left, transposed=True), right)
        return self.overlap(self.product(number, right, transposed=False), left).T

    def seen_from(self, kind: str, factors: Factors) -> tuple[Pull, Floats, list[Partial]]:
        """C and Q of `update`: what the relations say to the memberships of one type.

        What relations that speak of some of its objects add to Q holds for these alone, and comes apart.
        """
        n_clusters = self.sizes[kind]
        Q, parts = np.zeros((n_clusters, n_clusters)), []
        pulls = [Pull(np.zeros((len(self.network.types[kind]), 0)), np.zeros((0, n_clusters)))]
        for number, piece in enumerate(self.pieces):
            if kind not in (piece.rows, piece.columns):
                continue
            across = piece.columns == kind
            other = factors.memberships[piece.rows if across else piece.columns]
            S = factors.associations[number].T if across else factors.associations[number]
            pulls.append(self._pull(number, other, S, across=across))
            own = piece.weight * (S @ self.gram(number, other, across=not across) @ S.T)
            there = piece.there[across]
            if there is None:
                Q += own
            else:
                parts.append(Partial(there, own))
        return joined(pulls), Q, parts

    def _pull(self, number: int, other: Floats, S: Floats, *, across: bool) -> Pull:
        """What one relation says: R·(G_q·Sᵀ), or (R·G_q)·Sᵀ where that is thinner, or the same across."""
        piece = self.pieces[number]
        if across == self._by_rows(number):
            return Pull(self.product(number, other, transposed=across), piece.weight * S.T)
        made = piece.product(self.kernels, other @ S.T, transposed=across)
        return Pull(made, piece.weight * np.eye(len(S)))

    def unexplained(self, number: int, factors: Factors) -> float:
        """weight·‖R − G_p·S·G_qᵀ‖² by traces."""
        piece, S = self.pieces[number], factors.associations[number]
        left, right = factors.memberships[piece.rows], factors.memberships[piece.columns]
        explained = 2.0 * np.vdot(S, self.cross(number, factors))
        overlap = np.vdot(
            self.gram(number, left, across=False), S @ self.gram(number, right, across=True) @ S.T
        )
        return piece.squared_norm - piece.weight * float(explained - overlap)

    def objective(self, factors: Factors) -> float:
        """The whole objective."""
        arrays = (*factors.memberships.values(), *factors.associations)
        return self._kept.get("objective", arrays, lambda: self._objective(factors))

    def _objective(self, factors: Factors) -> float:
        total = sum(self.unexplained(number, factors) for number in range(len(self.pieces)))
        for kind, penalty in self.penalties.items():
            G = factors.memberships[kind]
            total += penalty.value(G, self.overlap(G, G))
        return float(total)
