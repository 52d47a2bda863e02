"""Chains: the together-statements through which two objects meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse.csgraph import breadth_first_order

from colligate.knowledge.closure import components, graph

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.knowledge.guidance import IntArray

_SEED = 20_070_611


class Chains:
    """Paths over bonds, told as statements."""

    def __init__(self, n_nodes: int, bonds: tuple[IntArray, IntArray, IntArray]) -> None:
        self.n_nodes = n_nodes
        self.left, self.right, statement = bonds
        self._graph = graph(n_nodes, self.left, self.right)
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
        component = components(self.n_nodes, self.left, self.right)
        _, first = np.unique(component[starts], return_index=True)
        roots = starts[first]
        top = np.full(len(roots), self.n_nodes, dtype=np.int64)
        hung = graph(self.n_nodes + 1, np.concatenate([self.left, top]), np.concatenate([self.right, roots]))
        order, before = breadth_first_order(hung, self.n_nodes, directed=True)
        return order.astype(np.int64), before.astype(np.int64)

    def _statement(self, left: IntArray, right: IntArray) -> IntArray:
        return self._statements[np.searchsorted(self._keys, self._key(left, right))]

    def _key(self, left: IntArray, right: IntArray) -> NDArray[np.int64]:
        return np.minimum(left, right) * self.n_nodes + np.maximum(left, right)
