"""The problem of the factorisations: the relations, the penalties, and products that sweeps share.

Σ_r weight_r·‖R_r − G_p·S_r·G_qᵀ‖² + Σ_types penalty(G)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from colligate.methods.factorisation.penalty import Partial
from colligate.methods.problem import Problem
from colligate.network.neighbourhood import description

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate.methods.factorisation.penalty import Penalty
    from colligate.methods.factorisation.pieces import Piece

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

    def cross(self, number: int, factors: Factors) -> Floats:
        """G_pᵀ·R·G_q, by the side whose product is at hand."""
        piece = self.pieces[number]
        left, right = factors.memberships[piece.rows], factors.memberships[piece.columns]
        known = self._products.get((number, True))
        if known is not None and known[0] is left:
            return np.asarray((right.T @ known[1]).T)
        return np.asarray(left.T @ self.product(number, right, transposed=False))

    def seen_from(self, kind: str, factors: Factors) -> tuple[Floats, Floats, list[Partial]]:
        """C and Q of `update`: what the relations say to the memberships of one type.

        What relations that speak of some of its objects add to Q holds for these alone, and comes apart.
        """
        n_clusters = self.sizes[kind]
        C, Q = np.zeros((len(self.network.types[kind]), n_clusters)), np.zeros((n_clusters, n_clusters))
        parts = []
        for number, piece in enumerate(self.pieces):
            if kind not in (piece.rows, piece.columns):
                continue
            across = piece.columns == kind
            other = factors.memberships[piece.rows if across else piece.columns]
            S = factors.associations[number].T if across else factors.associations[number]
            C += piece.weight * (self.product(number, other, transposed=across) @ S.T)
            own, there = piece.weight * (S @ piece.gram(other, across=not across) @ S.T), piece.there[across]
            if there is None:
                Q += own
            else:
                parts.append(Partial(there, own))
        return C, Q, parts

    def unexplained(self, number: int, factors: Factors) -> float:
        """weight·‖R − G_p·S·G_qᵀ‖² by traces."""
        piece, S = self.pieces[number], factors.associations[number]
        left, right = factors.memberships[piece.rows], factors.memberships[piece.columns]
        explained = 2.0 * np.vdot(S, self.cross(number, factors))
        overlap = np.vdot(piece.gram(left, across=False), S @ piece.gram(right, across=True) @ S.T)
        return piece.squared_norm - piece.weight * float(explained - overlap)

    def objective(self, factors: Factors) -> float:
        """The whole objective."""
        total = sum(self.unexplained(number, factors) for number in range(len(self.pieces)))
        for kind, penalty in self.penalties.items():
            total += penalty.terms(factors.memberships[kind]).value
        return float(total)
