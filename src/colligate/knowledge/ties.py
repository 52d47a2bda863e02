"""Ties: what statements say about one type, as a graph of bonds and the nodes that must not meet in it.

Nodes 0 … size-1 are the objects. A group or a label is a hub, a node of its own, so that its pairs are
never listed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from colligate.knowledge.closure import components

if TYPE_CHECKING:
    from colligate.knowledge.guidance import IntArray


@dataclass(frozen=True, eq=False)
class Clashes:
    """Pairs of nodes that meet and must not, with the statements that keep them apart (-1: none)."""

    left: IntArray
    right: IntArray
    first: IntArray
    second: IntArray

    def __len__(self) -> int:
        return len(self.left)


class Ties:
    """The bonds and rivalries of one type, collected from all kinds of knowledge."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.n_nodes = size
        self._bonds: list[tuple[IntArray, IntArray, IntArray]] = []
        self._rivals: list[tuple[IntArray, IntArray, IntArray]] = []
        self._claims: dict[str, list[tuple[IntArray, IntArray, IntArray]]] = {}

    def hubs(self, count: int) -> int:
        """Add nodes of their own and return the number of the first."""
        first = self.n_nodes
        self.n_nodes += count
        return first

    def bond(self, left: IntArray, right: IntArray, statement: IntArray) -> None:
        """These nodes belong together, because of these statements."""
        self._bonds.append((left, right, statement))

    def rival(self, left: IntArray, right: IntArray, statement: IntArray) -> None:
        """These nodes must not be in one component."""
        self._rivals.append((left, right, statement))

    def claim(self, family: str, node: IntArray, side: IntArray, statement: IntArray) -> None:
        """Nodes of different sides in one family must not be in one component.

        `statement` is -1 for a hub: there the bonds of its members say who claims what.
        """
        self._claims.setdefault(family, []).append((node, side, statement))

    @property
    def bonds(self) -> tuple[IntArray, IntArray, IntArray]:
        """All bonds: left node, right node, statement."""
        return _columns(self._bonds)

    def clashes(self) -> Clashes:
        """Everything that must not meet but does; quick where nothing does."""
        if not self._rivals and not self._claims:
            return _gathered([])
        left, right, _ = self.bonds
        component = components(self.n_nodes, left, right)
        found = [_met(component, *_columns(self._rivals))]
        found += [_contested(component, *_columns(claims)) for claims in self._claims.values()]
        return _gathered(found)


def _met(component: IntArray, left: IntArray, right: IntArray, statement: IntArray) -> Clashes:
    met = component[left] == component[right]
    return Clashes(left[met], right[met], statement[met], np.full(int(met.sum()), -1, dtype=np.int64))


def _contested(component: IntArray, node: IntArray, side: IntArray, statement: IntArray) -> Clashes:
    """One clash for each further side in a component, against the side before it."""
    order = np.lexsort((statement, side, component[node]))
    node, side, statement = node[order], side[order], statement[order]
    place = component[node]
    new = np.ones(len(node), dtype=bool)
    new[1:] = (place[1:] != place[:-1]) | (side[1:] != side[:-1])
    node, place, statement = node[new], place[new], statement[new]
    after = np.flatnonzero(place[1:] == place[:-1]) + 1
    return Clashes(node[after - 1], node[after], statement[after - 1], statement[after])


def _columns(rows: list[tuple[IntArray, IntArray, IntArray]]) -> tuple[IntArray, IntArray, IntArray]:
    empty = np.zeros(0, dtype=np.int64)
    first, second, third = (np.concatenate([empty, *(row[i] for row in rows)]) for i in range(3))
    return first, second, third


def _gathered(found: list[Clashes]) -> Clashes:
    empty = np.zeros(0, dtype=np.int64)
    return Clashes(
        np.concatenate([empty, *(clash.left for clash in found)]),
        np.concatenate([empty, *(clash.right for clash in found)]),
        np.concatenate([empty, *(clash.first for clash in found)]),
        np.concatenate([empty, *(clash.second for clash in found)]),
    )
