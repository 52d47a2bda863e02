"""The problem of the factorisations: the relations, the penalties, and products that sweeps share.

Σ_r weight_r·‖R_r − G_p·S_r·G_qᵀ‖² + Σ_types penalty(G)

The relations of a network as matrices to be factorised: weighted, by rows, the centre's objects first.

Values made of arrays, kept as long as the arrays live.

From memberships to groups: every object where it belongs most, and no group left empty.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from scipy.sparse import csr_array

from colligate.kernels import SparseRows
from colligate.methods.factorisation.penalty import PartialGram
from colligate.methods.factorisation.update import LowRank, sum_pulls
from colligate.methods.loop import Problem
from colligate.methods.spherical import tfidf
from colligate.network.neighbourhood import find_description

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from colligate.kernels import Kernels
    from colligate.methods.factorisation.penalty import Penalty
    from colligate.methods.loop import Labels
    from colligate.network import Network, Relation

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]

T = TypeVar("T")
# how large a column must be to be more than rounding
MIN_LENGTH = 1e-12
MIN_MEMBERSHIP = 1e-9
# what differs from unit length by less is of it, as the columns of the updates are
UNIT = 1e-12


@dataclass(frozen=True, eq=False)
class Factors:
    """Memberships per type, and the association of the groups of each relation."""

    memberships: Mapping[str, Floats]
    associations: tuple[Floats, ...] = ()

    def with_memberships(self, kind: str, G: Floats) -> Factors:
        """The same with other memberships of one type."""
        return Factors({**self.memberships, kind: G}, self.associations)


class ArrayCache:
    """Arrays of a state are never changed, so that the same arrays mean the same value.

    It holds weak references alone: no array lives longer for it.
    """

    def __init__(self) -> None:
        self._values: dict[tuple[Any, ...], tuple[list[weakref.ref[Any]], Any]] = {}

    def get(self, name: str, arrays: Sequence[NDArray[Any]], make: Callable[[], T]) -> T:
        """The value of that name made of these arrays."""
        key = (name, *map(id, arrays))
        known = self._values.get(key)
        if known is not None and all(ref() is array for ref, array in zip(known[0], arrays, strict=True)):
            value: T = known[1]
            return value
        made = make()
        self._values = {
            key: entry for key, entry in self._values.items() if all(ref() is not None for ref in entry[0])
        }
        self._values[key] = ([weakref.ref(array) for array in arrays], made)
        return made


@dataclass(frozen=True, eq=False)
class FactorProblem(Problem):
    """Adds the relations, what is asked of each type, and whether associations may be negative."""

    pieces: tuple[FactorRelation, ...] = ()
    penalties: Mapping[str, Penalty] = field(default_factory=dict)
    signed: bool = False
    _kept: ArrayCache = field(default_factory=ArrayCache, repr=False)
    _products: dict[tuple[int, bool], tuple[Floats, Floats]] = field(default_factory=dict, repr=False)

    @property
    def described(self) -> FactorRelation:
        """The relation that describes the centre, as a rule documents × words."""
        part = find_description(self.network)
        assert part is not None
        return self.pieces[part.relation]

    @property
    def own(self) -> tuple[FactorRelation, ...]:
        """The relations of the centre, in the order of the network."""
        return tuple(piece for piece in self.pieces if piece.rows == self.network.centre)

    @cached_property
    def filled(self) -> dict[str, Bools]:
        """Which objects of each type that is grouped have entries."""
        return {kind: self.network.nonempty(kind) for kind in self.sizes}

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

    def seen_from(self, kind: str, factors: Factors) -> tuple[LowRank, Floats, list[PartialGram]]:
        """C and Q of `update`: what the relations say to the memberships of one type.

        What relations that speak of some of its objects add to Q holds for these alone, and comes apart.
        """
        n_clusters = self.sizes[kind]
        Q, parts = np.zeros((n_clusters, n_clusters)), []
        pulls = [LowRank(np.zeros((len(self.network.types[kind]), 0)), np.zeros((0, n_clusters)))]
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
                parts.append(PartialGram(there, own))
        return sum_pulls(pulls), Q, parts

    def _pull(self, number: int, other: Floats, S: Floats, *, across: bool) -> LowRank:
        """What one relation says: R·(G_q·Sᵀ), or (R·G_q)·Sᵀ where that is thinner, or the same across."""
        piece = self.pieces[number]
        if across == self._by_rows(number):
            return LowRank(self.product(number, other, transposed=across), piece.weight * S.T)
        made = piece.product(self.kernels, other @ S.T, transposed=across)
        return LowRank(made, piece.weight * np.eye(len(S)))

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


@dataclass(frozen=True, eq=False)
class Metric:
    """Stands for R·(I + strength·U·Uᵀ) with U orthonormal, as R and a thin product: `scores` are R·U."""

    directions: Floats
    scores: Floats
    strength: float

    @classmethod
    def along(cls, directions: Floats, matrix: csr_array, strength: float) -> Metric:
        """Stretch the rows of a matrix along some directions."""
        return cls(directions, np.asarray(matrix @ directions), strength)

    def added(self, G: Floats, *, transposed: bool) -> Floats:
        """What it adds to R·G or Rᵀ·G."""
        first, then = (self.scores, self.directions) if transposed else (self.directions, self.scores)
        return np.asarray(self.strength * (then @ (first.T @ G)))

    def met_by(self, G: Floats) -> Floats:
        """(I + strength·U·Uᵀ)·G: what rows that are not stretched must be multiplied with."""
        return np.asarray(G + self.strength * (self.directions @ (self.directions.T @ G)))

    @property
    def squared_norm(self) -> float:
        """What it adds to ‖R‖²."""
        return self.strength * (2.0 + self.strength) * float(np.square(self.scores).sum())


@dataclass(frozen=True, eq=False)
class FactorRelation:
    """One relation R ≈ G_p·S·G_qᵀ: p are its `rows`, q its `columns`; `flipped` if the network has it so.

    `there` marks the rows, and the columns, that have entries; None stands for all. A relation that says
    nothing of an object does not say that the object belongs nowhere, so that the others have no part in it.
    """

    name: str
    rows: str
    columns: str
    matrix: csr_array
    flipped: bool
    there: tuple[Bools | None, Bools | None] = (None, None)
    weight: float = 1.0
    stretch: Metric | None = None

    def product(self, kernels: Kernels, G: Floats, *, transposed: bool) -> Floats:
        """R·G or Rᵀ·G."""
        x = SparseRows.of(self.matrix)
        made = kernels.transposed_product(x, G) if transposed else kernels.product(x, G)
        return made if self.stretch is None else made + self.stretch.added(G, transposed=transposed)

    @cached_property
    def squared_norm(self) -> float:
        """What this relation adds to the objective where nothing of it is explained."""
        data = self.matrix.data
        norm = float(np.einsum("t,t->", data, data, dtype=np.float64))
        return self.weight * (norm if self.stretch is None else norm + self.stretch.squared_norm)


def make_relations(network: Network, weighting: str) -> tuple[FactorRelation, ...]:
    """All relations as tf-idf rows of unit length, or as they are, each with the weight 1."""
    return tuple(_piece(network, relation, weighting) for relation in network.relations)


def _piece(network: Network, relation: Relation, weighting: str) -> FactorRelation:
    flipped = relation.columns == network.centre
    rows, columns = (relation.columns, relation.rows) if flipped else (relation.rows, relation.columns)
    counts = csr_array(relation.matrix.T.tocsr()) if flipped else relation.matrix
    found = tfidf(counts) if weighting == "tfidf" else counts
    here = (np.diff(counts.indptr) > 0, np.bincount(counts.indices, minlength=counts.shape[1]) > 0)
    some = [
        None if np.array_equal(own, network.nonempty(kind)) else own
        for own, kind in zip(here, (rows, columns), strict=True)
    ]
    return FactorRelation(
        relation.name, rows, columns, found.astype(np.float64, copy=False), flipped, (some[0], some[1])
    )


def normalise_memberships(G: Floats) -> Floats:
    """Memberships with columns of unit length and rows that sum to 1: scaling a column changes nothing."""
    found = G / _lengths(G)
    found /= np.maximum(found.sum(axis=1, keepdims=True), 1e-300)
    return np.asarray(found)


def _lengths(G: Floats) -> Floats:
    return np.asarray(np.maximum(np.sqrt(np.einsum("ik,ik->k", G, G)), MIN_LENGTH))


def log_memberships(G: Floats) -> Floats:
    """Scores whose softmax are the shares."""
    found = normalise_memberships(G)
    return np.asarray(np.log(np.maximum(found, MIN_MEMBERSHIP, out=found), out=found))


def assign_groups(G: Floats, filled: NDArray[np.bool_]) -> Labels:
    """The group of the largest share, -1 for objects without entries.

    A group that is the largest share of none gets the object, of a group of several, that shares most in it.
    """
    length = _lengths(G)
    labels = np.where(filled, _largest(G, length), -1).astype(np.int32)
    sizes = np.bincount(labels[filled], minlength=G.shape[1])
    for group in np.flatnonzero(sizes == 0).tolist():
        free = filled & (sizes[labels] > 1)
        if not free.any():
            break
        own = G[:, group] / np.maximum(G @ (1.0 / length), 1e-300)
        chosen = int(np.where(free, own, -1.0).argmax())
        sizes[labels[chosen]] -= 1
        sizes[group] += 1
        labels[chosen] = group
    return labels


def _largest(G: Floats, length: Floats) -> NDArray[np.int64]:
    """The column that is largest in each row, at unit length."""
    unit = G if np.all(np.abs(length - 1.0) < UNIT) else G / length
    return np.asarray(unit.argmax(axis=1))
