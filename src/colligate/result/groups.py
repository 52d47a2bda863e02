"""The groups of any type: their names, who stands for them, and which groups of the centre they go with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from colligate.errors import InputError
from colligate.result.claims import claimed_names
from colligate.result.confidence import confidence
from colligate.result.group_words import indicator, strongest_members, top_words
from colligate.result.naming import group_names, names_by_members, object_name
from colligate.result.reach import reach_of

if TYPE_CHECKING:
    from colligate.network import ObjectType
    from colligate.result.result import Result

FloatArray = NDArray[np.float64]

ROUNDING = 1e-9


@dataclass(frozen=True)
class ObjectGroup:
    """One group of a type.

    `members` holds (name, strength), the strongest first. `goes_with` holds (group of the centre, share):
    which part of what the group's objects have to do with the centre falls there, for those where it is more
    than could be expected, the largest first.
    """

    number: int
    name: str
    size: int
    members: tuple[tuple[str, float], ...]
    goes_with: tuple[tuple[int, float], ...]


def object_type(result: Result, kind: str) -> ObjectType:
    """A type of the network, or who there is instead."""
    if kind not in result.network.types:
        raise InputError(
            f"there is no type {kind!r:.60} in this result; there are {', '.join(result.network.types)}"
        )
    return result.network.types[kind]


def labels_of(result: Result, kind: str) -> NDArray[np.int32]:
    """The groups of the objects of a type, or which types there are groups of."""
    object_type(result, kind)
    if kind not in result.labels:
        raise InputError(f"{result.method} does not group {kind}; it groups {', '.join(result.labels)}")
    return result.labels[kind]


def names_of(result: Result, kind: str) -> tuple[str, ...]:
    """A unique name for every group of a type; none where the method does not group it."""
    if kind == result.centre:
        return result.group_names
    own = object_type(result, kind)
    if kind not in result.labels:
        return ()
    return names_by_members(result.labels[kind], result.n_groups(kind), strengths(result, kind), own)


def names_of_centre(result: Result) -> tuple[str, ...]:
    """A unique name for every group of the centre, as knowledge calls it or by what it has most of."""
    guidance = dict(result.compiled.guidance) if result.compiled is not None else {}
    own, labels = guidance.pop(result.centre, None), result.labels[result.centre]
    tables = {kind: reach.table for kind, reach in result.reach.items()}
    claims = claimed_names(labels, result.n_groups(), tables, own, guidance)
    reach = result.reach[result.terms]
    return group_names(labels, reach.scores, object_type(result, result.terms), claims, table=reach.table)


def names_before(result: Result) -> tuple[str, ...]:
    """A unique name for every group of the run without knowledge; none where it was not made."""
    if result.before is None or result.centre not in result.before:
        return ()
    labels = result.before[result.centre]
    reach = reach_of(labels, result.n_groups(), result.counts)
    return group_names(labels, reach.scores, object_type(result, result.terms), table=reach.table)


def top_objects(result: Result, kind: str, limit: int) -> list[list[tuple[str, float]]]:
    """The objects of a type that tell each group of the centre apart, with their scores, best first."""
    own = object_type(result, kind)
    if kind not in result.reach:
        return [[] for _ in range(result.n_groups())]
    return [
        [(object_name(own.names, kind, at), float(value)) for at, value in zip(*part, strict=True)]
        for part in top_words(result.reach[kind].scores, limit)
    ]


def groups(result: Result, kind: str, limit: int) -> tuple[ObjectGroup, ...]:
    """Every group of a type with its strongest members."""
    own, labels = object_type(result, kind), labels_of(result, kind)
    count, strength = result.n_groups(kind), strengths(result, kind)
    sizes = np.bincount(labels[labels >= 0], minlength=count)
    members = strongest_members(labels, count, strength, limit)
    return tuple(
        ObjectGroup(
            number=number,
            name=name,
            size=int(sizes[number]),
            members=tuple((object_name(own.names, kind, at), float(strength[at])) for at in part.tolist()),
            goes_with=goes_with,
        )
        for number, (name, part, goes_with) in enumerate(
            zip(names_of(result, kind), members, _goes_with(result, kind), strict=True)
        )
    )


def strengths(result: Result, kind: str) -> FloatArray:
    """How well each object stands for its group: what it says about the centre, times its membership.

    Of the terms the first alone counts. Objects that no way leads to have their membership alone.
    """
    if kind == result.centre:
        return result.confidence
    if kind == result.terms:
        return result.reach[kind].weights
    sure = (
        confidence(result.labels[kind], result.memberships[kind])
        if kind in result.memberships
        else np.ones(result.labels[kind].size)
    )
    return sure * result.reach[kind].weights if kind in result.reach else sure


def _goes_with(result: Result, kind: str) -> list[tuple[tuple[int, float], ...]]:
    count = result.n_groups(kind)
    if kind not in result.reach or kind == result.centre:
        return [()] * count
    mass = np.asarray((result.reach[kind].table @ indicator(result.labels[kind], count)).todense())
    shares = mass / np.maximum(mass.sum(axis=0), np.finfo(np.float64).tiny)
    expected = mass.sum(axis=1) / max(mass.sum(), np.finfo(np.float64).tiny)
    more = shares > expected[:, None] * (1 + ROUNDING)
    return [
        tuple((k, float(column[k])) for k in np.argsort(-column, kind="stable").tolist() if above[k])
        for column, above in zip(shares.T, more.T, strict=True)
    ]
