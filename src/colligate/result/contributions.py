"""What every relation contributed to every group, in nats.

Relation r with weight α adds α · p_r(k) · KL(p_r(·|k) ‖ p_r(·)) to group k, where p_r(k, l) is its joint mass
of the groups of both sides. Over the groups that sums to α · Î_r, what the groups keep of the relation's
mutual information I_r. A relation of the centre tells of the groups of the centre, any other of those in its
rows; a relation of a type with itself of its rows, too. A relation without a weight counts 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy import sparse

    from colligate.network import Relation
    from colligate.result.result import Result

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Contribution:
    """One relation: the mutual information of its objects (`before`) and of their groups (`after`).

    `by_group` holds what it contributed to each group of type `kind`; `share` the same as a part of what all
    relations contributed to that group of that type.
    """

    relation: str
    kind: str
    weight: float
    before: float
    after: float
    by_group: FloatArray
    share: FloatArray


def contributions(result: Result) -> tuple[Contribution, ...]:
    """One entry for every relation of which the result knows the association, in the order of the network."""
    known = [relation for relation in result.network.relations if relation.name in result.association]
    kinds = {relation.name: _told_of(relation, result.centre) for relation in known}
    parts = {relation.name: _by_group(result, relation, kinds[relation.name]) for relation in known}
    totals = {
        kind: np.sum([parts[name] for name, own in kinds.items() if own == kind], axis=0)
        for kind in kinds.values()
    }
    return tuple(
        Contribution(
            relation=relation.name,
            kind=kinds[relation.name],
            weight=weight_of(relation),
            before=information(relation.matrix),
            after=float(_parts(result.association[relation.name]).sum()),
            by_group=parts[relation.name],
            share=_shares(parts[relation.name], totals[kinds[relation.name]]),
        )
        for relation in known
    )


def information(matrix: sparse.csr_array) -> float:
    """The mutual information of rows and columns of a sparse matrix, in nats; 0 of an empty one."""
    total = float(matrix.sum(dtype=np.float64))
    if total <= 0:
        return 0.0
    rows, columns = (np.asarray(matrix.sum(axis=axis, dtype=np.float64)) / total for axis in (1, 0))
    joint = matrix.data / total
    expected = np.repeat(rows, np.diff(matrix.indptr)) * columns[matrix.indices]
    return max(float(np.sum(joint * np.log(joint / expected))), 0.0)


def weight_of(relation: Relation) -> float:
    """What a relation counts in the objective."""
    return 1.0 if relation.weight is None else float(relation.weight)


def _told_of(relation: Relation, centre: str) -> str:
    return centre if relation.columns == centre else relation.rows


def _by_group(result: Result, relation: Relation, kind: str) -> FloatArray:
    mass = result.association[relation.name]
    return weight_of(relation) * _parts(mass if relation.rows == kind else mass.T)


def _parts(mass: FloatArray) -> FloatArray:
    """By row of a joint mass: its probability times the divergence of its columns from the whole."""
    joint = mass / max(float(mass.sum()), np.finfo(np.float64).tiny)
    expected = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    some = (joint > 0) & (expected > 0)
    value = np.zeros(joint.shape)
    value[some] = joint[some] * np.log(joint[some] / expected[some])
    return np.asarray(np.maximum(value.sum(axis=1), 0.0), dtype=np.float64)


def _shares(part: FloatArray, total: FloatArray) -> FloatArray:
    return np.asarray(np.divide(part, total, out=np.zeros_like(part), where=total > 0))
