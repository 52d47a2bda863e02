"""What every relation contributed to every group of both its types, in nats.

Relation r with weight α adds α · p_r(k) · KL(p_r(·|k) ‖ p_r(·)) to group k, where p_r(k, l) is its joint mass
of the groups of both sides. Over the groups of either side that sums to α · Î_r, what the groups keep of the
relation's mutual information I_r. A relation of a type with itself adds the mean of what it tells of a group
in its rows and in its columns, so that its sum stays the same. A relation without a weight counts 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from colligate.network.information import information, information_by_row

if TYPE_CHECKING:
    from collections.abc import Mapping

    from colligate.network import Relation
    from colligate.result.result import Result

FloatArray = NDArray[np.float64]


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
            before=information(relation.matrix),
            after=information(result.association[relation.name]),
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
    rows, columns = (relation.effective_weight * information_by_row(side) for side in (mass, mass.T))
    if relation.rows == relation.columns:
        return {relation.rows: (rows + columns) / 2}
    return {relation.rows: rows, relation.columns: columns}


def _shares(part: FloatArray, total: FloatArray) -> FloatArray:
    return np.asarray(np.divide(part, total, out=np.zeros_like(part), where=total > 0))
