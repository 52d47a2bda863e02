"""What the groups of the centre have of the objects of the other types, near and far.

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

from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from colligate._array import mutual_information, mutual_information_by_row
from colligate.result.group_words import group_counts, scores_of, typical_group, weights_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from colligate.network import Network, Relation
    from colligate.result.result import Result


FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
Labels = NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class Reach:
    """Groups of the centre × objects of a type: how much each group has of each object.

    `overall` is what all objects of the centre have, those in no group included.
    """

    table: sparse.csr_array
    overall: FloatArray

    @cached_property
    def scores(self) -> sparse.csr_array:
        """Groups × objects: how much each object tells the group apart."""
        return scores_of(self.table, self.overall)

    @cached_property
    def weights(self) -> FloatArray:
        """What each object says about the groups."""
        return weights_of(self.scores, self.table)

    @cached_property
    def typical(self) -> tuple[IntArray, FloatArray]:
        """The group that each object is most typical of, and its score there."""
        return typical_group(self.scores)


def reach_of(labels: Labels, n_groups: int, matrix: sparse.csr_array) -> Reach:
    """What groups have of the columns of a matrix with the centre in its rows."""
    return Reach(group_counts(labels, n_groups, matrix), np.asarray(matrix.sum(axis=0, dtype=np.float64)))


def reaches(network: Network, labels: Labels, n_groups: int) -> dict[str, Reach]:
    """The reach of every type that some way leads to; the centre's own where it is related to itself."""
    centre = network.centre
    found: dict[str, Reach] = {}
    for kind in network.types:
        matrix = network.counts if kind == network.terms else between(network, centre, kind)
        if matrix is not None:
            found[kind] = reach_of(labels, n_groups, matrix)
    front = [kind for kind in found if kind != centre]
    while front:
        front = [new for kind in front for new in _stepped(network, kind, centre, found)]
    return found


def between(network: Network, left: str, right: str) -> sparse.csr_array | None:
    """All relations between two types as one matrix, `left` in its rows; None where there is none."""
    parts = list(_directed(network, left, right))
    if len(parts) < 2:
        return parts[0][1] if parts else None
    weighed = [part for part in parts if part[0] > 0] or [(1.0, matrix) for _, matrix in parts]
    shares = [weight * matrix.astype(np.float64) for weight, matrix in weighed]
    return sparse.csr_array(sum(shares[1:], start=shares[0]))


def _directed(network: Network, left: str, right: str) -> Iterator[tuple[float, sparse.csr_array]]:
    """Each relation between two types with what an occurrence counts in it; within a type in both ways."""
    for relation in network.relations:
        if (relation.rows, relation.columns) == (left, right):
            yield relation.per_occurrence, relation.matrix
        if (relation.columns, relation.rows) == (left, right):
            yield relation.per_occurrence, sparse.csr_array(relation.matrix.T.tocsr())


def _stepped(network: Network, kind: str, centre: str, found: dict[str, Reach]) -> Iterator[str]:
    """Go on from a type to those not reached yet."""
    for other in network.types:
        matrix = None if other in found or other == centre else between(network, kind, other)
        if matrix is not None:
            found[other] = _handed_on(found[kind], matrix)
            yield other


def _handed_on(near: Reach, matrix: sparse.csr_array) -> Reach:
    sums = np.asarray(matrix.sum(axis=1, dtype=np.float64))
    shares = sparse.csr_array(
        (matrix.data / np.repeat(sums, np.diff(matrix.indptr)), matrix.indices, matrix.indptr), matrix.shape
    )
    table = sparse.csr_array(near.table @ shares)
    table.eliminate_zeros()
    table.sort_indices()
    return Reach(table, np.asarray(near.overall @ shares))


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


def contributions(result: Result) -> tuple[Contribution, ...]:
    """One entry for every relation of which the result knows the association, in the order of the network."""
    known = [relation for relation in result.network.relations if relation.name in result.association]
    parts = [_by_group(relation, result.association[relation.name]) for relation in known]
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
            share=MappingProxyType({kind: _shares(own, totals[kind]) for kind, own in part.items()}),
        )
        for relation, part in zip(known, parts, strict=True)
    )


def kept_shares(found: tuple[Contribution, ...]) -> dict[str, float]:
    """By relation: its part of all the information that the groups keep, by weight."""
    kept = {part.relation: part.weight * part.after for part in found}
    total = sum(kept.values())
    return {name: own / total if total else 0.0 for name, own in kept.items()}


def _by_group(relation: Relation, mass: FloatArray) -> dict[str, FloatArray]:
    rows, columns = (relation.effective_weight * mutual_information_by_row(side) for side in (mass, mass.T))
    if relation.rows == relation.columns:
        return {relation.rows: (rows + columns) / 2}
    return {relation.rows: rows, relation.columns: columns}


def _shares(part: FloatArray, total: FloatArray) -> FloatArray:
    return np.asarray(np.divide(part, total, out=np.zeros_like(part), where=total > 0))
