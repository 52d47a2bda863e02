"""The words, or objects of another type, that tell a group apart.

The score of word w in group k is p(w|k) · log(p(w|k) / p(w)): the word's share of the divergence of the
group from the whole. It favours words that are both frequent in the group and rare elsewhere.

What the groups of the centre have of the objects of the other types, near and far.

A type that is related to the centre is counted by those relations, weighed as in the objective where there
are several. A type farther off is reached along the shortest way: each object on it hands what it has to the
objects it is related to, in proportion. Everything is groups × objects; no objects × objects is ever made.

What every relation contributed to every group of both its types, in nats.

Relation r with weight α adds α · p_r(k) · KL(p_r(·|k) ‖ p_r(·)) to group k, where p_r(k, l) is its joint mass
of the groups of both sides. Over the groups of either side that sums to α · Î_r, what the groups keep of the
relation's mutual information I_r. A relation of a type with itself adds the mean of what it tells of a group
in its rows and in its columns, so that its sum stays the same. A relation without a weight counts 1.
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


def count_by_group(
    labels: NDArray[np.integer[Any]], n_groups: int, counts: sparse.csr_array
) -> sparse.csr_array:
    """Groups × words: how often each word occurs in the documents of each group."""
    table = sparse.csr_array(one_hot(labels, n_groups).T @ counts.astype(np.float64))
    table.sort_indices()
    return table


def score_objects(table: sparse.csr_array, overall: FloatArray) -> sparse.csr_array:
    """Groups × words: the score of every word that occurs in the group; `overall` counts all documents."""
    sizes = np.asarray(table.sum(axis=1))
    inside = table.data / np.repeat(sizes, np.diff(table.indptr))
    everywhere = overall[table.indices] / overall.sum()
    return sparse.csr_array((inside * np.log(inside / everywhere), table.indices, table.indptr), table.shape)


def weigh_objects(scores: sparse.csr_array, table: sparse.csr_array) -> FloatArray:
    """Each word's share of the mutual information between groups and words: what it says about the groups."""
    sizes = np.asarray(table.sum(axis=1))
    return np.asarray(scores.T @ (sizes / max(sizes.sum(), np.finfo(np.float64).tiny)))


def take_top(scores: sparse.csr_array, limit: int) -> list[tuple[IntArray, FloatArray]]:
    """Columns and scores of the best words of each group, best first; only words with a positive score."""
    found = []
    for start, end in zip(scores.indptr[:-1], scores.indptr[1:], strict=True):
        columns, values = scores.indices[start:end].astype(np.int64), scores.data[start:end]
        best = _largest(values, columns, limit)
        found.append((columns[best], values[best]))
    return found


def find_typical_groups(scores: sparse.csr_array) -> tuple[IntArray, FloatArray]:
    """For each word the group where it scores highest, and that score; -1 and 0 for words never used."""
    rows = np.repeat(np.arange(scores.shape[0]), np.diff(scores.indptr))
    order = np.lexsort((rows, -scores.data, scores.indices))
    words, first = np.unique(scores.indices[order], return_index=True)
    group, score = np.full(scores.shape[1], -1, dtype=np.int64), np.zeros(scores.shape[1])
    group[words], score[words] = rows[order][first], scores.data[order][first]
    return group, score


def take_strongest(
    labels: NDArray[np.integer[Any]], n_groups: int, weights: FloatArray, limit: int
) -> list[IntArray]:
    """The members of each group with the largest weights, largest first."""
    order = np.lexsort((np.arange(labels.size), -weights, labels))
    starts = np.searchsorted(labels[order], np.arange(n_groups + 1))
    return [order[start : min(end, start + limit)] for start, end in itertools.pairwise(starts)]


def _largest(values: FloatArray, columns: IntArray, limit: int) -> IntArray:
    positive = np.flatnonzero(values > 0)
    if positive.size > limit:
        cut = np.partition(values[positive], positive.size - limit)[positive.size - limit]
        positive = positive[values[positive] >= cut]
    return positive[np.lexsort((columns[positive], -values[positive]))][:limit]


@dataclass(frozen=True, eq=False)
class GroupObjectTable:
    """Groups of the centre × objects of a type: how much each group has of each object.

    `totals` is what all objects of the centre have, those in no group included.
    """

    counts: sparse.csr_array
    totals: FloatArray

    @cached_property
    def scores(self) -> sparse.csr_array:
        """Groups × objects: how much each object tells the group apart."""
        return score_objects(self.counts, self.totals)

    @cached_property
    def weights(self) -> FloatArray:
        """What each object says about the groups."""
        return weigh_objects(self.scores, self.counts)

    @cached_property
    def typical(self) -> tuple[IntArray, FloatArray]:
        """The group that each object is most typical of, and its score there."""
        return find_typical_groups(self.scores)


def tabulate_objects(labels: Labels, n_groups: int, matrix: sparse.csr_array) -> GroupObjectTable:
    """What groups have of the columns of a matrix with the centre in its rows."""
    return GroupObjectTable(
        count_by_group(labels, n_groups, matrix), np.asarray(matrix.sum(axis=0, dtype=np.float64))
    )


def tabulate_all(network: Network, labels: Labels, n_groups: int) -> dict[str, GroupObjectTable]:
    """The reach of every type that some way leads to; the centre's own where it is related to itself."""
    centre = network.centre
    found: dict[str, GroupObjectTable] = {}
    for kind in network.types:
        matrix = network.counts if kind == network.terms else combine_relations(network, centre, kind)
        if matrix is not None:
            found[kind] = tabulate_objects(labels, n_groups, matrix)
    front = [kind for kind in found if kind != centre]
    while front:
        front = [new for kind in front for new in _step_from(network, kind, centre, found)]
    return found


def combine_relations(network: Network, left: str, right: str) -> sparse.csr_array | None:
    """All relations between two types as one matrix, `left` in its rows; None where there is none."""
    parts = list(_orient_relations(network, left, right))
    if len(parts) < 2:
        return parts[0][1] if parts else None
    weighed = [part for part in parts if part[0] > 0] or [(1.0, matrix) for _, matrix in parts]
    shares = [weight * matrix.astype(np.float64) for weight, matrix in weighed]
    return sparse.csr_array(sum(shares[1:], start=shares[0]))


def _orient_relations(network: Network, left: str, right: str) -> Iterator[tuple[float, sparse.csr_array]]:
    """Each relation between two types with what an occurrence counts in it; within a type in both ways."""
    for relation in network.relations:
        if (relation.rows, relation.columns) == (left, right):
            yield relation.per_occurrence, relation.matrix
        if (relation.columns, relation.rows) == (left, right):
            yield relation.per_occurrence, sparse.csr_array(relation.matrix.T.tocsr())


def _step_from(network: Network, kind: str, centre: str, found: dict[str, GroupObjectTable]) -> Iterator[str]:
    """Go on from a type to those not reached yet."""
    for other in network.types:
        matrix = None if other in found or other == centre else combine_relations(network, kind, other)
        if matrix is not None:
            found[other] = _propagate(found[kind], matrix)
            yield other


def _propagate(near: GroupObjectTable, matrix: sparse.csr_array) -> GroupObjectTable:
    sums = np.asarray(matrix.sum(axis=1, dtype=np.float64))
    shares = sparse.csr_array(
        (matrix.data / np.repeat(sums, np.diff(matrix.indptr)), matrix.indices, matrix.indptr), matrix.shape
    )
    table = sparse.csr_array(near.counts @ shares)
    table.eliminate_zeros()
    table.sort_indices()
    return GroupObjectTable(table, np.asarray(near.totals @ shares))


@dataclass(frozen=True, eq=False)
class Contribution:
    """One relation: the mutual information of its objects (`before`) and of their groups (`after`).

    `by_group` holds by type what it contributed to each group, for the type in its rows and that in its
    columns; `share` the same as a part of what all relations contributed to that group.
    """

    relation: str
    weight: float
    before: float
    after: float
    by_group: Mapping[str, FloatArray]
    share: Mapping[str, FloatArray]


def measure_contributions(result: Result) -> tuple[Contribution, ...]:
    """One entry for every relation of which the result knows the association, in the order of the network."""
    known = [relation for relation in result.network.relations if relation.name in result.association]
    parts = [_split_by_group(relation, result.association[relation.name]) for relation in known]
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
            share=MappingProxyType({kind: _divide(own, totals[kind]) for kind, own in part.items()}),
        )
        for relation, part in zip(known, parts, strict=True)
    )


def share_information(found: tuple[Contribution, ...]) -> dict[str, float]:
    """By relation: its part of all the information that the groups keep, by weight."""
    kept = {part.relation: part.weight * part.after for part in found}
    total = sum(kept.values())
    return {name: own / total if total else 0.0 for name, own in kept.items()}


def _split_by_group(relation: Relation, mass: FloatArray) -> dict[str, FloatArray]:
    rows, columns = (relation.effective_weight * mutual_information_by_row(side) for side in (mass, mass.T))
    if relation.rows == relation.columns:
        return {relation.rows: (rows + columns) / 2}
    return {relation.rows: rows, relation.columns: columns}


def _divide(part: FloatArray, total: FloatArray) -> FloatArray:
    return np.asarray(np.divide(part, total, out=np.zeros_like(part), where=total > 0))
