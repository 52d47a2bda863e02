"""The problem of the factorisations: weighted relations, penalties, and products that iterations share.

    Σ_r w_r·‖R_r − G_p·S_r·G_qᵀ‖² + Σ_types penalty(G)                                    (tnmf, eq. 2)

Groups come from memberships: every object is where its membership is largest, and no group is empty.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from scipy.sparse import csr_array

from colligate.kernels import SparseRows
from colligate.kernels.arrays import beside, sum_squares, to_host
from colligate.methods.factorisation.penalty import PartialGram
from colligate.methods.factorisation.update import LowRank, sum_low_rank
from colligate.methods.loop import Problem
from colligate.methods.spherical import tfidf
from colligate.network import find_description

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
# a shorter column is rounding
MIN_LENGTH = 1e-12
# memberships below this are equal for a reader, and their logarithm stays finite
MIN_MEMBERSHIP = 1e-9
# columns within this of unit length need no scaling: the updates make such columns
UNIT = 1e-12


@dataclass(frozen=True, eq=False)
class Metric:
    """M = I + μ·U·Uᵀ with U orthonormal, so that R·M is R and the thin product μ·(R·U)·Uᵀ."""

    U: Floats
    RU: Floats
    mu: float

    @classmethod
    def along(cls, U: Floats, R: csr_array, mu: float) -> Metric:
        """Stretch the rows of R along the columns of U."""
        return cls(U, np.asarray(R @ U), mu)

    def added_product(self, G: Floats, *, transposed: bool) -> Floats:
        """Return what the metric adds to R·G or Rᵀ·G."""
        pair = (self.RU, self.U) if transposed else (self.U, self.RU)
        first, then = (beside(factor, G, keep=True) for factor in pair)
        added: Floats = self.mu * (then @ (first.T @ G))
        return added

    def apply(self, G: Floats) -> Floats:
        """Return M·G, with which rows that are not stretched are to be multiplied."""
        return np.asarray(G + self.mu * (self.U @ (self.U.T @ G)))

    @property
    def added_norm(self) -> float:
        """What the metric adds to ‖R‖²."""
        return self.mu * (2.0 + self.mu) * float(np.square(self.RU).sum())


@dataclass(frozen=True, eq=False)
class FactorRelation:
    """One relation R ≈ G_p·S·G_qᵀ between its `rows` p and `columns` q; `flipped` if the network has it so.

    `present` marks the rows, and the columns, with entries; None means all. A relation without entries for an
    object does not mean that the object belongs nowhere, so only present objects count.
    """

    name: str
    rows: str
    columns: str
    matrix: csr_array
    flipped: bool
    present: tuple[Bools | None, Bools | None] = (None, None)
    weight: float = 1.0
    metric: Metric | None = None

    def product(self, kernels: Kernels, G: Floats, *, transposed: bool) -> Floats:
        """Return R·G or Rᵀ·G."""
        x = SparseRows.of(self.matrix)
        product = kernels.transposed_product(x, G) if transposed else kernels.product(x, G)
        if self.metric is None:
            return product
        return product + self.metric.added_product(G, transposed=transposed)

    @cached_property
    def squared_norm(self) -> float:
        """w·‖R‖²: what the relation adds to the objective where nothing of it is explained."""
        data = self.matrix.data
        norm = float(np.einsum("t,t->", data, data, dtype=np.float64))
        return self.weight * (norm if self.metric is None else norm + self.metric.added_norm)


def make_relations(network: Network, weighting: str) -> tuple[FactorRelation, ...]:
    """Return all relations as tf-idf at unit rows or as counts, with weight 1 and the centre as rows."""
    return tuple(_make_relation(network, relation, weighting) for relation in network.relations)


def _make_relation(network: Network, relation: Relation, weighting: str) -> FactorRelation:
    flipped = relation.columns == network.centre
    rows, columns = (relation.columns, relation.rows) if flipped else (relation.rows, relation.columns)
    counts = csr_array(relation.matrix.T.tocsr()) if flipped else relation.matrix
    matrix = (tfidf(counts) if weighting == "tfidf" else counts).astype(np.float64, copy=False)

    def present(has_entries: Bools, kind: str) -> Bools | None:
        # None rather than a full mask: with a mask, `gram` copies the rows of G
        return None if np.array_equal(has_entries, network.nonempty(kind)) else has_entries

    return FactorRelation(
        relation.name,
        rows,
        columns,
        matrix,
        flipped,
        (
            present(np.diff(counts.indptr) > 0, rows),
            present(np.bincount(counts.indices, minlength=counts.shape[1]) > 0, columns),
        ),
    )


@dataclass(frozen=True, eq=False)
class Factors:
    """The memberships G of each type, and the association S of each relation."""

    memberships: Mapping[str, Floats]
    associations: tuple[Floats, ...] = ()

    def with_memberships(self, kind: str, G: Floats) -> Factors:
        """Return the factors with other memberships of one type."""
        return Factors({**self.memberships, kind: G}, self.associations)


class ArrayCache:
    """Values computed from arrays, cached as long as the arrays live.

    Arrays of a state are never changed, so the same arrays mean the same value. The cache holds weak
    references only.
    """

    def __init__(self) -> None:
        self._values: dict[tuple[Any, ...], tuple[list[weakref.ref[Any]], Any]] = {}

    def get(self, name: str, arrays: Sequence[NDArray[Any]], compute: Callable[[], T]) -> T:
        """Return the value of that name for these arrays, computed if it is not cached."""
        key = (name, *map(id, arrays))
        entry = self._values.get(key)
        # an id is used again after its array is gone; the weak reference tells the two apart
        if entry is not None and all(ref() is array for ref, array in zip(entry[0], arrays, strict=True)):
            value: T = entry[1]
            return value
        computed = compute()
        # entries of arrays that no longer live go with every new one, so the cache cannot grow
        self._values = {
            key: entry for key, entry in self._values.items() if all(ref() is not None for ref in entry[0])
        }
        self._values[key] = ([weakref.ref(array) for array in arrays], computed)
        return computed


@dataclass(frozen=True, eq=False)
class FactorProblem(Problem):
    """A problem with its relations and the penalty of each type; `signed` allows negative associations."""

    relations: tuple[FactorRelation, ...] = ()
    penalties: Mapping[str, Penalty] = field(default_factory=dict)
    signed: bool = False
    _cache: ArrayCache = field(default_factory=ArrayCache, repr=False)
    _products: dict[tuple[int, bool], tuple[Floats, Floats]] = field(default_factory=dict, repr=False)

    @property
    def description(self) -> FactorRelation:
        """The relation that describes the centre, usually documents × words."""
        part = find_description(self.network)
        assert part is not None
        return self.relations[part.relation]

    @property
    def centre_relations(self) -> tuple[FactorRelation, ...]:
        """The relations of the centre, in the order of the network."""
        return tuple(relation for relation in self.relations if relation.rows == self.network.centre)

    @cached_property
    def filled(self) -> dict[str, Bools]:
        """Which objects of each clustered type have entries."""
        return {kind: self.network.nonempty(kind) for kind in self.n_clusters_by_type}

    def overlap(self, left: Floats, right: Floats) -> Floats:
        """Return leftᵀ·right of tall matrices, cached for update, association and objective."""
        return self._cache.get("overlap", (left, right), lambda: self.kernels.overlap(left, right))

    def gram(self, number: int, G: Floats, *, across: bool) -> Floats:
        """Return GᵀG over the present rows of a relation, or `across` them over its present columns."""
        present = self.relations[number].present[across]
        if present is None:
            return self.overlap(G, G)
        G_present = G[beside(present, G, keep=True)]
        return self.kernels.overlap(G_present, G_present)

    def product(self, number: int, G: Floats, *, transposed: bool) -> Floats:
        """Return R·G or Rᵀ·G of a relation; the last of each is cached for objective and associations."""
        cached = self._products.get((number, transposed))
        if cached is not None and cached[0] is G:
            return cached[1]
        product = self.relations[number].product(self.kernels, G, transposed=transposed)
        self._products[number, transposed] = (G, product)
        return product

    def _by_rows(self, number: int) -> bool:
        """Return whether the rows have no more groups than the columns: the thinner product is cached."""
        relation = self.relations[number]
        return self.n_clusters_by_type[relation.rows] <= self.n_clusters_by_type[relation.columns]

    def cross(self, number: int, factors: Factors) -> Floats:
        """Return G_pᵀ·R·G_q, by the product with the side of fewer groups."""
        relation = self.relations[number]
        G_p, G_q = factors.memberships[relation.rows], factors.memberships[relation.columns]
        if self._by_rows(number):
            return self.overlap(self.product(number, G_p, transposed=True), G_q)
        return self.overlap(self.product(number, G_q, transposed=False), G_p).T

    def coefficients(self, kind: str, factors: Factors) -> tuple[LowRank, Floats, list[PartialGram]]:
        """Return C and Q of f(G) for one type (tnmf, eq. 3).

        The part of Q from relations in which only some objects are present is returned apart.
        """
        n_clusters = self.n_clusters_by_type[kind]
        Q, partial = np.zeros((n_clusters, n_clusters)), []
        C = [LowRank(np.zeros((len(self.network.types[kind]), 0)), np.zeros((0, n_clusters)))]
        for number, relation in enumerate(self.relations):
            if kind not in (relation.rows, relation.columns):
                continue
            across = relation.columns == kind
            G_q = factors.memberships[relation.rows if across else relation.columns]
            S = factors.associations[number].T if across else factors.associations[number]
            C.append(self._pull(number, G_q, S, across=across))
            Q_r = relation.weight * (S @ self.gram(number, G_q, across=not across) @ S.T)
            present = relation.present[across]
            if present is None:
                Q += Q_r
            else:
                partial.append(PartialGram(present, Q_r))
        return sum_low_rank(C), Q, partial

    def _pull(self, number: int, G_q: Floats, S: Floats, *, across: bool) -> LowRank:
        """Return w·R·G_q·Sᵀ as (R·G_q)·Sᵀ or R·(G_q·Sᵀ), whichever is thinner, or the same with Rᵀ."""
        relation = self.relations[number]
        if across == self._by_rows(number):
            return LowRank(self.product(number, G_q, transposed=across), relation.weight * S.T)
        product = relation.product(self.kernels, G_q @ beside(S.T, G_q), transposed=across)
        return LowRank(product, relation.weight * np.eye(len(S)))

    def unexplained(self, number: int, factors: Factors) -> float:
        """Return w·‖R − G_p·S·G_qᵀ‖² by traces (tnmf, eq. 8)."""
        relation, S = self.relations[number], factors.associations[number]
        G_p, G_q = factors.memberships[relation.rows], factors.memberships[relation.columns]
        explained = 2.0 * np.vdot(S, self.cross(number, factors))
        overlap = np.vdot(self.gram(number, G_p, across=False), S @ self.gram(number, G_q, across=True) @ S.T)
        return relation.squared_norm - relation.weight * float(explained - overlap)

    def objective(self, factors: Factors) -> float:
        """Return the objective (tnmf, eq. 2)."""
        arrays = (*factors.memberships.values(), *factors.associations)
        return self._cache.get("objective", arrays, lambda: self._objective(factors))

    def _objective(self, factors: Factors) -> float:
        total = sum(self.unexplained(number, factors) for number in range(len(self.relations)))
        for kind, penalty in self.penalties.items():
            G = factors.memberships[kind]
            total += penalty.value(G, self.overlap(G, G))
        return float(total)


def normalise_memberships(G: Floats) -> Floats:
    """Return memberships with rows that sum to 1, after bringing the columns to unit length."""
    shares = G / _column_lengths(G)
    shares /= np.maximum(shares.sum(axis=1, keepdims=True), 1e-300)
    return np.asarray(shares)


def _column_lengths(G: Floats) -> Floats:
    return np.asarray(np.maximum(np.sqrt(sum_squares(G)), MIN_LENGTH))


def log_memberships(G: Floats) -> Floats:
    """Return scores whose softmax gives the normalised memberships."""
    shares = normalise_memberships(G)
    return np.asarray(np.log(np.maximum(shares, MIN_MEMBERSHIP, out=shares), out=shares))


def assign_groups(G: Floats, filled: NDArray[np.bool_]) -> Labels:
    """Return the group of the largest membership, -1 for objects without entries.

    A group without objects gets, from a group of several, the object with the largest share in it.
    """
    length = _column_lengths(G)
    # compared at unit columns: otherwise the longest column would win most objects
    unit = G if np.all(np.abs(length - 1.0) < UNIT) else G / beside(length, G)
    largest = np.where(beside(filled, G, keep=True), unit.argmax(axis=1), -1).astype(np.int32)
    # one more for -1
    sizes = to_host(np.bincount(largest + 1, minlength=G.shape[1] + 1))[1:]
    labels: Labels = to_host(largest)
    for group in np.flatnonzero(sizes == 0).tolist():
        # labels of -1 look up the last group, but `filled` leaves these objects out
        free = filled & (sizes[labels] > 1)
        if not free.any():
            break
        G = to_host(G)
        share = G[:, group] / np.maximum(G @ (1.0 / length), 1e-300)
        chosen = int(np.where(free, share, -1.0).argmax())
        sizes[labels[chosen]] -= 1
        sizes[group] += 1
        labels[chosen] = group
    return labels
