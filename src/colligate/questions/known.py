"""What is known of the documents by now: which were spoken of, which belong together, which apart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate.knowledge import Guidance
    from colligate.knowledge.guidance import IntArray

    Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Known:
    """The knowledge of one type, as questions see it.

    `component` numbers what belongs together; `rivals` holds, for a component, those it is apart from by a
    link. `families` tell the rest: components that a family puts into different groups are apart.
    `stand_ins` have a label that nobody was asked about.
    """

    component: IntArray
    labelled: Flags
    outside: Flags
    rivals: Mapping[int, frozenset[int]]
    families: tuple[Mapping[int, int], ...]
    stand_ins: Flags

    @classmethod
    def of(cls, guidance: Guidance | None, size: int, stand_ins: Flags | None = None) -> Known:
        """Read guidance; None says nothing."""
        nobody = np.zeros(size, dtype=bool)
        standing = nobody if stand_ins is None else stand_ins
        if guidance is None:
            return cls(np.arange(size), nobody, nobody, {}, (), standing)
        labelled = nobody if guidance.labels is None else guidance.labels >= 0
        outside = nobody.copy()
        outside[guidance.outsiders] = True
        component = guidance.components()
        rivals, families = _rivals(guidance, component), _families(guidance, component)
        return cls(component, labelled, outside, rivals, families, standing)

    @cached_property
    def bound(self) -> Flags:
        """Documents that a label or another document holds in their place."""
        sizes = np.bincount(self.component, minlength=len(self.component))
        return self.labelled | (sizes[self.component] > 1)

    @cached_property
    def anchored(self) -> Flags:
        """Documents that stand for a group by what was said: the bound, and those apart from all of these."""
        hoods = frozenset(self.component[self.bound].tolist())
        found = self.bound.copy()
        for own, apart in self.rivals.items():
            if hoods and own not in hoods and hoods <= apart:
                found[self.component == own] = True
        return found

    @cached_property
    def answered(self) -> Flags:
        """Documents that stand for a group because somebody said so."""
        return self.anchored & ~self.stand_ins

    def apart_from(self, document: int) -> IntArray:
        """Those that a document is known by a link to be apart from."""
        rivals = self.rivals.get(int(self.component[document]))
        return (
            np.flatnonzero(np.isin(self.component, list(rivals))) if rivals else np.zeros(0, dtype=np.int64)
        )

    def are_apart(self, one: int, other: int) -> bool:
        """Whether two documents are known to belong apart."""
        own, others = int(self.component[one]), int(self.component[other])
        return others in self.rivals.get(own, frozenset()) or any(
            own in family and others in family and family[own] != family[others] for family in self.families
        )


def _rivals(guidance: Guidance, component: IntArray) -> dict[int, frozenset[int]]:
    found: dict[int, set[int]] = {}
    apart = guidance.pairs.sign < 0
    sides = (component[side[apart]].tolist() for side in (guidance.pairs.left, guidance.pairs.right))
    for one, other in zip(*sides, strict=True):
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {own: frozenset(others) for own, others in found.items()}


def _families(guidance: Guidance, component: IntArray) -> tuple[dict[int, int], ...]:
    """For labels, and for groups that are apart: the group of each component."""
    links = [one for one in (*guidance.groups, guidance.label_groups()) if one is not None and one.apart > 0]
    bound = [one.without_bridges() for one in links]
    return tuple(dict(zip(component[one.member].tolist(), one.group.tolist(), strict=True)) for one in bound)
