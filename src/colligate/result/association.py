"""Groups of the centre × objects of every type: counts, scores, and what each relation contributes.

Types related to the centre are counted by these relations, weighted as in the objective. A type farther away
is reached along the shortest path of relations: each object on the path passes its counts on in proportion.
No objects × objects matrix is ever built.

The score of object w in group k is p(w|k) · log(p(w|k) / p(w)), the object's share of the KL divergence of
the group from all documents. It is high for objects that are frequent in the group and rare elsewhere.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from colligate._array import mutual_information, mutual_information_by_row, one_hot

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from colligate.network import Network, Relation
    from colligate.result.result import Result


FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
Labels = NDArray[np.integer[Any]]
TINY = np.finfo(np.float64).tiny
# by this factor an object must be more frequent to be clearly more frequent
CLEARLY = 1.5


@dataclass(frozen=True, eq=False)
class GroupObjectTable:
    """Groups of the centre × objects of a type: how much each group has of each object.

    `totals` sums over all objects of the centre, including those in no group.
    """

    counts: sparse.csr_array
    totals: FloatArray

    @cached_property
    def scores(self) -> sparse.csr_array:
        """Groups × objects: how characteristic each object is of each group."""
        return score_objects(self.counts, self.totals)

    @cached_property
    def weights(self) -> FloatArray:
        """The share of each object in the mutual information between groups and objects."""
        sizes = np.asarray(self.counts.sum(axis=1))
        return np.asarray(self.scores.T @ (sizes / max(sizes.sum(), TINY)))

    @cached_property
    def typical(self) -> tuple[IntArray, FloatArray]:
        """The group in which each object scores highest, and that score; -1 and 0 for unused objects."""
        return find_typical_groups(self.scores)

    @cached_property
    def typical_of(self) -> NDArray[np.bool_]:
        """Objects × groups: which objects are typical of which groups.

        An object is typical of the group in which it scores highest, and of any other in which it is clearly
        more frequent than over all, if no group has it clearly more often still.
        """
        sizes = np.asarray(self.counts.sum(axis=1)).reshape(-1, 1)
        shares = self.counts.toarray() / np.maximum(sizes, TINY)
        everywhere = self.totals / max(float(self.totals.sum()), TINY)
        is_frequent = (shares > CLEARLY * everywhere) & (CLEARLY * shares >= shares.max(axis=0, initial=0.0))
        best, _ = self.typical
        return np.asarray(is_frequent.T | (best[:, None] == np.arange(len(shares))))


def tabulate_all(network: Network, labels: Labels, n_groups: int) -> dict[str, GroupObjectTable]:
    """Tabulate every type that a path of relations leads to; the centre only if it is related to itself."""
    centre = network.centre
    tables: dict[str, GroupObjectTable] = {}
    for kind in network.types:
        matrix = network.counts if kind == network.terms else combine_relations(network, centre, kind)
        if matrix is not None:
            tables[kind] = tabulate_objects(labels, n_groups, matrix)
    front = [kind for kind in tables if kind != centre]
    while front:
        front = [new for kind in front for new in _step_from(network, kind, centre, tables)]
    return tables


def tabulate_objects(labels: Labels, n_groups: int, matrix: sparse.csr_array) -> GroupObjectTable:
    """Tabulate the columns of a matrix that has the centre in its rows."""
    totals = np.asarray(matrix.sum(axis=0, dtype=np.float64))
    return GroupObjectTable(count_by_group(labels, n_groups, matrix), totals)


def count_by_group(labels: Labels, n_groups: int, counts: sparse.csr_array) -> sparse.csr_array:
    """Sum the rows of each group: groups × columns."""
    table = sparse.csr_array(one_hot(labels, n_groups).T @ counts.astype(np.float64))
    table.sort_indices()
    return table


def combine_relations(network: Network, left: str, right: str) -> sparse.csr_array | None:
    """Sum all relations between two types, by weight, with `left` in the rows; None if there is none."""
    parts = list(_orient_relations(network, left, right))
    if len(parts) < 2:
        return parts[0][1] if parts else None
    # Where all weights are 0, the relations count alike.
    weighted = [part for part in parts if part[0] > 0] or [(1.0, matrix) for _, matrix in parts]
    shares = [weight * matrix.astype(np.float64) for weight, matrix in weighted]
    return sparse.csr_array(sum(shares[1:], start=shares[0]))


def _orient_relations(network: Network, left: str, right: str) -> Iterator[tuple[float, sparse.csr_array]]:
    """Yield the weight per occurrence and the matrix of each relation; within a type in both directions."""
    for relation in network.relations:
        if (relation.rows, relation.columns) == (left, right):
            yield relation.per_occurrence, relation.matrix
        if (relation.columns, relation.rows) == (left, right):
            yield relation.per_occurrence, sparse.csr_array(relation.matrix.T.tocsr())


def _step_from(
    network: Network, kind: str, centre: str, tables: dict[str, GroupObjectTable]
) -> Iterator[str]:
    """Tabulate the types one step farther than `kind`, and yield their names."""
    for farther in network.types:
        is_new = farther not in tables and farther != centre
        matrix = combine_relations(network, kind, farther) if is_new else None
        if matrix is not None:
            tables[farther] = _propagate(tables[kind], matrix)
            yield farther


def _propagate(near: GroupObjectTable, matrix: sparse.csr_array) -> GroupObjectTable:
    sums = np.asarray(matrix.sum(axis=1, dtype=np.float64))
    shares = sparse.csr_array(
        (matrix.data / np.repeat(sums, np.diff(matrix.indptr)), matrix.indices, matrix.indptr), matrix.shape
    )
    table = sparse.csr_array(near.counts @ shares)
    table.eliminate_zeros()
    table.sort_indices()
    return GroupObjectTable(table, np.asarray(near.totals @ shares))


def score_objects(counts: sparse.csr_array, totals: FloatArray) -> sparse.csr_array:
    """Score every object that occurs in a group: p(w|k) · log(p(w|k) / p(w))."""
    sizes = np.asarray(counts.sum(axis=1))
    inside = counts.data / np.repeat(sizes, np.diff(counts.indptr))
    # Totals include documents in no group, so they are positive wherever a count is.
    everywhere = totals[counts.indices] / totals.sum()
    return sparse.csr_array(
        (inside * np.log(inside / everywhere), counts.indices, counts.indptr), counts.shape
    )


def find_typical_groups(scores: sparse.csr_array) -> tuple[IntArray, FloatArray]:
    """Return the group in which each object scores highest, and that score; -1 and 0 for unused objects."""
    rows = np.repeat(np.arange(scores.shape[0]), np.diff(scores.indptr))
    order = np.lexsort((rows, -scores.data, scores.indices))
    objects, first = np.unique(scores.indices[order], return_index=True)
    group, score = np.full(scores.shape[1], -1, dtype=np.int64), np.zeros(scores.shape[1])
    group[objects], score[objects] = rows[order][first], scores.data[order][first]
    return group, score


def take_top(scores: sparse.csr_array, limit: int) -> list[tuple[IntArray, FloatArray]]:
    """Return columns and scores of the best objects of each group, best first; positive scores only."""
    top = []
    for start, end in itertools.pairwise(scores.indptr):
        columns, values = scores.indices[start:end].astype(np.int64), scores.data[start:end]
        best = _find_largest(values, columns, limit)
        top.append((columns[best], values[best]))
    return top


def _find_largest(values: FloatArray, columns: IntArray, limit: int) -> IntArray:
    positive = np.flatnonzero(values > 0)
    if positive.size > limit > 0:
        # A partition instead of a full sort; values equal to the cut stay, so that the column breaks ties.
        cut = np.partition(values[positive], positive.size - limit)[positive.size - limit]
        positive = positive[values[positive] >= cut]
    return positive[np.lexsort((columns[positive], -values[positive]))][:limit]


def take_strongest(labels: Labels, n_groups: int, weights: FloatArray, limit: int) -> list[IntArray]:
    """Return the members of each group with the largest weights, largest first."""
    order = np.lexsort((np.arange(labels.size), -weights, labels))
    starts = np.searchsorted(labels[order], np.arange(n_groups + 1))
    return [order[start : min(end, start + limit)] for start, end in itertools.pairwise(starts)]


@dataclass(frozen=True, eq=False)
class Contribution:
    """The information of one relation, in nats.

    Attributes
    ----------
    relation : str
        The name of the relation.
    weight : float
        Its weight in the objective.
    before, after : float
        The mutual information of its objects, and of their groups.
    by_group : mapping of str to array of float
        The contribution to each group of its two types.
    share : mapping of str to array of float
        The same, divided by the contributions of all relations to the group.

    Notes
    -----
    Relation r with weight α contributes ``α · p(k) · KL(p(·|k) ‖ p(·))`` to group k. p(k, l) is the joint
    distribution of the groups of both sides. The sum over the groups of either side is α times `after`. A
    relation within a type contributes the mean of its row and its column, which keeps the sum.
    """

    relation: str
    weight: float
    before: float
    after: float
    by_group: Mapping[str, FloatArray]
    share: Mapping[str, FloatArray]


def measure_contributions(result: Result) -> tuple[Contribution, ...]:
    """Measure every relation whose association the result has, in the order of the network."""
    relations = [relation for relation in result.network.relations if relation.name in result.association]
    parts = [_split_by_group(relation, result.association[relation.name]) for relation in relations]
    totals = {
        kind: np.sum([part[kind] for part in parts if kind in part], axis=0)
        for kind in {kind for part in parts for kind in part}
    }
    return tuple(
        Contribution(
            relation=relation.name,
            weight=relation.effective_weight,
            before=mutual_information(relation.matrix),
            after=mutual_information(result.association[relation.name]),
            by_group=MappingProxyType(part),
            share=MappingProxyType({kind: _divide(values, totals[kind]) for kind, values in part.items()}),
        )
        for relation, part in zip(relations, parts, strict=True)
    )


def _split_by_group(relation: Relation, mass: FloatArray) -> dict[str, FloatArray]:
    rows, columns = (relation.effective_weight * mutual_information_by_row(side) for side in (mass, mass.T))
    if relation.rows == relation.columns:
        return {relation.rows: (rows + columns) / 2}
    return {relation.rows: rows, relation.columns: columns}


def _divide(part: FloatArray, total: FloatArray) -> FloatArray:
    return np.asarray(np.divide(part, total, out=np.zeros_like(part), where=total > 0))


def share_information(contributions: tuple[Contribution, ...]) -> dict[str, float]:
    """Return the share of each relation in all the weighted information that the groups keep."""
    kept = {part.relation: part.weight * part.after for part in contributions}
    total = sum(kept.values())
    return {name: value / total if total else 0.0 for name, value in kept.items()}
