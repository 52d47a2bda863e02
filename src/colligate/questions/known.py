"""What is known about the objects of one type: labels, links and outsiders, as questions need them."""

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
class KnownObjects:
    """The knowledge about one type of object.

    Attributes
    ----------
    component : array
        The number of each object's must-link component.
    labelled, outside : boolean arrays
        Objects with a label; outsiders.
    rivals : mapping
        For a component, the components that a cannot-link keeps apart from it.
    families : tuple of mappings
        Groups that exclude each other (labels, groups apart): component to group. Components in different
        groups of one family are apart.
    exemplars : boolean array
        Objects whose label the program chose, not the user.
    """

    component: IntArray
    labelled: Flags
    outside: Flags
    rivals: Mapping[int, frozenset[int]]
    families: tuple[Mapping[int, int], ...]
    exemplars: Flags

    @classmethod
    def of(cls, guidance: Guidance | None, size: int, exemplars: Flags | None = None) -> KnownObjects:
        """Read guidance; None means that nothing is known."""
        nothing = np.zeros(size, dtype=bool)
        exemplars = nothing if exemplars is None else exemplars
        if guidance is None:
            return cls(np.arange(size), nothing, nothing, {}, (), exemplars)
        labelled = nothing if guidance.labels is None else guidance.labels >= 0
        outside = nothing.copy()
        outside[guidance.outsiders] = True
        component = guidance.components()
        rivals, families = _find_rivals(guidance, component), _find_exclusive_groups(guidance, component)
        return cls(component, labelled, outside, rivals, families, exemplars)

    @cached_property
    def bound(self) -> Flags:
        """Objects with a label or a must-link."""
        sizes = np.bincount(self.component, minlength=len(self.component))
        return self.labelled | (sizes[self.component] > 1)

    @cached_property
    def anchored(self) -> Flags:
        """Objects that define a group: the bound ones, and those apart from all bound ones."""
        bound_components = frozenset(self.component[self.bound].tolist())
        anchored = self.bound.copy()
        for component, rivals in self.rivals.items():
            if bound_components and component not in bound_components and bound_components <= rivals:
                anchored[self.component == component] = True
        return anchored

    @cached_property
    def answered(self) -> Flags:
        """Objects that define a group by a statement of the user."""
        return self.anchored & ~self.exemplars

    def apart_from(self, item: int) -> IntArray:
        """The objects that a cannot-link keeps apart from this one."""
        rivals = self.rivals.get(int(self.component[item]))
        return (
            np.flatnonzero(np.isin(self.component, list(rivals))) if rivals else np.zeros(0, dtype=np.int64)
        )

    def are_apart(self, left: int, right: int) -> bool:
        """Whether two objects are known to be in different groups."""
        a, b = int(self.component[left]), int(self.component[right])
        return b in self.rivals.get(a, frozenset()) or any(
            a in family and b in family and family[a] != family[b] for family in self.families
        )


def _find_rivals(guidance: Guidance, component: IntArray) -> dict[int, frozenset[int]]:
    """Map components to those that cannot-links keep apart from them."""
    rivals: dict[int, set[int]] = {}
    apart = guidance.pairs.sign < 0
    sides = (component[side[apart]].tolist() for side in (guidance.pairs.left, guidance.pairs.right))
    for left, right in zip(*sides, strict=True):
        rivals.setdefault(left, set()).add(right)
        rivals.setdefault(right, set()).add(left)
    return {number: frozenset(members) for number, members in rivals.items()}


def _find_exclusive_groups(guidance: Guidance, component: IntArray) -> tuple[dict[int, int], ...]:
    """For the labels and for every list of groups that are apart: component to group."""
    lists = [links for links in (*guidance.groups, guidance.label_groups()) if links is not None]
    exclusive = [links.without_bridges() for links in lists if links.apart > 0]
    return tuple(
        dict(zip(component[links.member].tolist(), links.group.tolist(), strict=True)) for links in exclusive
    )
