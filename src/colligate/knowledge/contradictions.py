"""Contradictions: statements that cannot all hold, found before the run and told in the user's terms.

Ties: what statements say about one type, as a graph of bonds and the nodes that must not meet in it.

Nodes 0 … size-1 are the objects. A group or a label is a hub, a node of its own, so that its pairs are
never listed.

Chains: the together-statements through which two objects meet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse.csgraph import breadth_first_order

from colligate.knowledge.guidance import adjacency, connected_nodes
from colligate.knowledge.kinds.base import find_kind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from colligate.knowledge.guidance import IntArray
    from colligate.knowledge.statements import Statements


MAX_DETAILED = 20
"""How many contradictions are told in detail; all are counted."""
_LONGEST_CHAIN = 8

_SEED = 20_070_611


@dataclass(frozen=True)
class Contradiction:
    """Statements that cannot hold (`claims`) because of what belongs together (`chain`), by their numbers."""

    type: str
    claims: tuple[int, ...]
    chain: tuple[int, ...]
    text: str


@dataclass(frozen=True, eq=False)
class Finding:
    """The contradictions about one type: the first few in detail, their number, all statements involved."""

    told: tuple[Contradiction, ...]
    total: int
    involved: IntArray


def find_contradictions(type_name: str, ties: StatementGraph, statements: Statements) -> Finding:
    """Find what must not meet in one component but does, with the chain that brings it together."""
    clashes = ties.clashes()
    if not len(clashes):
        return Finding((), 0, np.zeros(0, dtype=np.int64))
    chains = TogetherPaths(ties.n_nodes, ties.bonds)
    told = tuple(
        _told(type_name, clashes, at, ties.size, chains, statements)
        for at in range(min(MAX_DETAILED, len(clashes)))
    )
    return Finding(told, len(clashes), _involved(clashes, ties.size, chains, told))


def summarise_contradictions(contradictions: Iterable[Contradiction], total: int) -> str:
    """The message of an error or a warning, without the advice how to go on."""
    lines = [f"  {found.text}" for found in contradictions]
    if total > len(lines):
        lines.append(f"  and {total - len(lines)} more")
    return "\n".join([f"{total} contradiction{'s' if total > 1 else ''} in the knowledge:", *lines])


def _told(
    type_name: str, clashes: Clashes, at: int, size: int, chains: TogetherPaths, statements: Statements
) -> Contradiction:
    start, end = int(clashes.left[at]), int(clashes.right[at])
    chain = chains.shortest(start, end)
    first = chain.pop(0) if start >= size else int(clashes.first[at])
    second = chain.pop() if end >= size else int(clashes.second[at])
    claims = [number for number in (first, second) if number >= 0]
    return Contradiction(type_name, tuple(claims), tuple(chain), _text(claims, chain, statements))


def _text(claims: list[int], chain: list[int], statements: Statements) -> str:
    against = " and ".join(_worded(number, statements) for number in claims)
    if not chain:
        return f"{against}, which cannot both hold"
    links = [_worded(number, statements) for number in chain[:_LONGEST_CHAIN]]
    if len(chain) > _LONGEST_CHAIN:
        links.append(f"and {len(chain) - _LONGEST_CHAIN} more")
    return f"{against}, yet together through {', '.join(links)}"


def _worded(number: int, statements: Statements) -> str:
    statement = statements[number]
    return f"{find_kind(statement.kind).claim(statement)} ({statement.where})"


def _involved(
    clashes: Clashes, size: int, chains: TogetherPaths, told: tuple[Contradiction, ...]
) -> IntArray:
    in_detail = [number for found in told for number in (*found.claims, *found.chain)]
    claims = np.concatenate([clashes.first[clashes.left < size], clashes.second[clashes.right < size]])
    along = chains.involved(clashes.left, clashes.right)
    return np.unique(np.concatenate([np.array(in_detail, dtype=np.int64), claims[claims >= 0], along]))


@dataclass(frozen=True, eq=False)
class Clashes:
    """Pairs of nodes that meet and must not, with the statements that keep them apart (-1: none)."""

    left: IntArray
    right: IntArray
    first: IntArray
    second: IntArray

    def __len__(self) -> int:
        return len(self.left)


class StatementGraph:
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
        component = connected_nodes(self.n_nodes, left, right)
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


class TogetherPaths:
    """Paths over bonds, told as statements."""

    def __init__(self, n_nodes: int, bonds: tuple[IntArray, IntArray, IntArray]) -> None:
        self.n_nodes = n_nodes
        self.left, self.right, statement = bonds
        self._graph = adjacency(n_nodes, self.left, self.right)
        key = self._key(self.left, self.right)
        order = np.lexsort((statement, key))
        self._keys, self._statements = key[order], statement[order]

    def shortest(self, start: int, end: int) -> list[int]:
        """The statements along a shortest chain from one node to another of its component."""
        _, before = breadth_first_order(self._graph, start, directed=True)
        nodes = [end]
        while nodes[-1] != start:
            nodes.append(int(before[nodes[-1]]))
        path = np.array(nodes[::-1], dtype=np.int64)
        return [int(number) for number in self._statement(path[:-1], path[1:])]

    def involved(self, starts: IntArray, ends: IntArray) -> IntArray:
        """The statements along some chain of every pair, without walking the pairs one by one.

        Each pair puts one random token on both its ends. In a spanning tree, the tokens below an edge
        cancel out unless the edge lies between the ends of some pair.
        """
        order, before = self._tree(starts)
        tokens = np.random.default_rng(_SEED).integers(1, 2**62, size=len(starts), dtype=np.int64)
        weight = np.zeros(self.n_nodes + 1, dtype=np.int64)
        np.bitwise_xor.at(weight, starts, tokens)
        np.bitwise_xor.at(weight, ends, tokens)
        below = weight.tolist()
        parents = before.tolist()
        for node in order[:0:-1].tolist():
            below[parents[node]] ^= below[node]
        crossed = np.array([node for node in order[1:].tolist() if below[node]], dtype=np.int64)
        crossed = crossed[before[crossed] != self.n_nodes]
        return self._statement(crossed, before[crossed])

    def _tree(self, starts: IntArray) -> tuple[IntArray, IntArray]:
        """A breadth-first tree over the components of `starts`, hung on one more node."""
        component = connected_nodes(self.n_nodes, self.left, self.right)
        _, first = np.unique(component[starts], return_index=True)
        roots = starts[first]
        top = np.full(len(roots), self.n_nodes, dtype=np.int64)
        hung = adjacency(
            self.n_nodes + 1, np.concatenate([self.left, top]), np.concatenate([self.right, roots])
        )
        order, before = breadth_first_order(hung, self.n_nodes, directed=True)
        return order.astype(np.int64), before.astype(np.int64)

    def _statement(self, left: IntArray, right: IntArray) -> IntArray:
        return self._statements[np.searchsorted(self._keys, self._key(left, right))]

    def _key(self, left: IntArray, right: IntArray) -> NDArray[np.int64]:
        return np.minimum(left, right) * self.n_nodes + np.maximum(left, right)
