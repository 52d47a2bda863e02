"""The hierarchy of classes: which class lies below which, and what they are called."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from colligate.world.base.terms import plain

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_END = re.compile(r"[^/#]+(?=[/#]*$)")


@dataclass(frozen=True)
class Hierarchy:
    """Classes with their parents and labels. A class may have several parents, and be below itself.

    Where several ways lead up, the shortest counts, and among equally short ones the first by id. A class is
    at the top if it has no parent, or if `tops` names it.
    """

    parents: Mapping[str, tuple[str, ...]]
    labels: Mapping[str, str] = field(default_factory=dict)
    tops: frozenset[str] = frozenset()
    _paths: dict[str, tuple[str, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def top(self, kind: str) -> str:
        """The class at the top above a class, which is itself where nothing is above it."""
        return self.path(kind)[0]

    def child_below_top(self, kind: str) -> str | None:
        """The class right below the top on the way to a class; None for one that is at the top."""
        path = self.path(kind)
        return path[1] if len(path) > 1 else None

    def path(self, kind: str) -> tuple[str, ...]:
        """The classes from the top down to a class, both included."""
        if kind not in self._paths:
            self._paths[kind] = self._found(kind)
        return self._paths[kind]

    def depth(self, kind: str) -> int:
        """How many classes are above a class on its path."""
        return len(self.path(kind)) - 1

    def label(self, kind: str) -> str:
        """What a class is called; a class without a label goes by the end of its id."""
        if kind in self.labels:
            return self.labels[kind]
        end = _END.search(plain(kind))
        return end[0] if end else kind

    def below(self, tops: Collection[str]) -> Hierarchy:
        """The same hierarchy with these classes at the top, whatever is above them."""
        return replace(self, tops=frozenset(tops))

    def _found(self, kind: str) -> tuple[str, ...]:
        """Search upwards, step by step; in a circle without a way out, the class itself is the top."""
        ways: list[tuple[str, ...]] = [(kind,)]
        seen = {kind}
        while ways:
            if ends := [way for way in ways if self._is_top(way[0])]:
                return min(ends)
            steps: dict[str, tuple[str, ...]] = {}
            for longer in sorted((parent, *way) for way in ways for parent in self.parents[way[0]]):
                steps.setdefault(longer[0], longer)
            ways = [way for parent, way in steps.items() if parent not in seen]
            seen |= steps.keys()
        return (kind,)

    def _is_top(self, kind: str) -> bool:
        return kind in self.tops or not self.parents.get(kind)
