"""Contradictions: statements that contradict each other, found before the run.

The statements about the objects of a type form a graph: edges join what belongs together, and some nodes
must not be in one component. Nodes 0 … size-1 are the objects. A group or a label is a further node, so that
its pairs are never listed. What a kind says about groups it checks by itself (`Kind.find_contradictions`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from colligate.knowledge.guidance import adjacency, connected_nodes
from colligate.knowledge.kinds.base import find_kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from colligate.knowledge.guidance import IntArray
    from colligate.knowledge.statements import Statements


MAX_DETAILED = 20
"""How many contradictions are described in detail; all are counted."""
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

    detailed: tuple[Contradiction, ...]
    total: int
    involved: IntArray


def find_contradictions(
    type_name: str, graph: StatementGraph, statements: Statements, further: Sequence[Contradiction] = ()
) -> Finding:
    """Find what must not meet in one component but does; `further` ones were found by their kinds."""
    clashes = graph.clashes()
    involved = [np.array([number for one in further for number in (*one.claims, *one.chain)], dtype=np.int64)]
    detailed: list[Contradiction] = []
    if len(clashes):
        paths = TogetherPaths(graph.n_nodes, graph.edges)
        detailed = [
            _describe_clash(type_name, clashes, clash, graph.size, paths, statements)
            for clash in range(min(MAX_DETAILED, len(clashes)))
        ]
        involved.append(_involved(clashes, graph.size, paths, detailed))
    detailed = [*further, *detailed][:MAX_DETAILED]
    return Finding(tuple(detailed), len(clashes) + len(further), np.unique(np.concatenate(involved)))


def summarise_contradictions(contradictions: Iterable[Contradiction], total: int) -> str:
    """Return the message of an error or a warning, without the advice how to go on."""
    lines = [f"  {contradiction.text}" for contradiction in contradictions]
    if total > len(lines):
        lines.append(f"  and {total - len(lines)} more")
    return "\n".join([f"{total} contradiction{'s' if total > 1 else ''} in the knowledge:", *lines])


def cite(number: int, statements: Statements) -> str:
    """Return a statement in a few words, with where it came from."""
    statement = statements[number]
    return f"{find_kind(statement.kind).describe_briefly(statement)} ({statement.where})"


def _describe_clash(
    type_name: str, clashes: Clashes, clash: int, size: int, paths: TogetherPaths, statements: Statements
) -> Contradiction:
    start, end = int(clashes.left[clash]), int(clashes.right[clash])
    chain = paths.shortest(start, end)
    # a group or label makes no claim by itself: the statement that puts the first or last object there does
    first = chain.pop(0) if start >= size else int(clashes.first[clash])
    second = chain.pop() if end >= size else int(clashes.second[clash])
    claims = [number for number in (first, second) if number >= 0]
    return Contradiction(type_name, tuple(claims), tuple(chain), _clash_text(claims, chain, statements))


def _clash_text(claims: list[int], chain: list[int], statements: Statements) -> str:
    against = " and ".join(cite(number, statements) for number in claims)
    if not chain:
        return f"{against}; these statements contradict each other"
    links = [cite(number, statements) for number in chain[:_LONGEST_CHAIN]]
    if len(chain) > _LONGEST_CHAIN:
        links.append(f"and {len(chain) - _LONGEST_CHAIN} more")
    return f"{against}, but they are linked through {', '.join(links)}"


def _involved(
    clashes: Clashes, size: int, paths: TogetherPaths, detailed: Iterable[Contradiction]
) -> IntArray:
    cited = [number for contradiction in detailed for number in (*contradiction.claims, *contradiction.chain)]
    claims = np.concatenate([clashes.first[clashes.left < size], clashes.second[clashes.right < size]])
    between = paths.edges_on_paths(clashes.left, clashes.right)
    return np.concatenate([np.array(cited, dtype=np.int64), claims[claims >= 0], between])


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
    """What the statements about one type join and keep apart, collected from all kinds of knowledge."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.n_nodes = size
        self._joined: list[tuple[IntArray, IntArray, IntArray]] = []
        self._separated: list[tuple[IntArray, IntArray, IntArray]] = []
        self._exclusive: dict[str, list[tuple[IntArray, IntArray, IntArray]]] = {}

    def add_nodes(self, count: int) -> int:
        """Add nodes for groups or labels, and return the number of the first."""
        first = self.n_nodes
        self.n_nodes += count
        return first

    def join(self, left: IntArray, right: IntArray, statement: IntArray) -> None:
        """Record that nodes belong together, by these statements."""
        self._joined.append((left, right, statement))

    def separate(self, left: IntArray, right: IntArray, statement: IntArray) -> None:
        """Record that nodes must not be in one component."""
        self._separated.append((left, right, statement))

    def exclusive(self, family: str, node: IntArray, side: IntArray, statement: IntArray) -> None:
        """Record that nodes of different sides in one family must not be in one component.

        `statement` is -1 for the node of a group or label: there the statements of its members count.
        """
        self._exclusive.setdefault(family, []).append((node, side, statement))

    @property
    def edges(self) -> tuple[IntArray, IntArray, IntArray]:
        """All joined pairs: left node, right node, statement."""
        return _concatenate(self._joined)

    def clashes(self) -> Clashes:
        """Return everything that must not meet but does; quick where nothing can."""
        if not self._separated and not self._exclusive:
            return _gather([])
        left, right, _ = self.edges
        component = connected_nodes(self.n_nodes, left, right)
        parts = [_separated_clashes(component, *_concatenate(self._separated))]
        parts += [_exclusive_clashes(component, *_concatenate(rows)) for rows in self._exclusive.values()]
        return _gather(parts)


def _separated_clashes(component: IntArray, left: IntArray, right: IntArray, statement: IntArray) -> Clashes:
    met = component[left] == component[right]
    return Clashes(left[met], right[met], statement[met], np.full(int(met.sum()), -1, dtype=np.int64))


def _exclusive_clashes(component: IntArray, node: IntArray, side: IntArray, statement: IntArray) -> Clashes:
    """Return one clash for each further side in a component, against the side before it."""
    order = np.lexsort((statement, side, component[node]))
    node, side, statement = node[order], side[order], statement[order]
    place = component[node]
    new = np.ones(len(node), dtype=bool)
    new[1:] = (place[1:] != place[:-1]) | (side[1:] != side[:-1])
    node, place, statement = node[new], place[new], statement[new]
    # neighbouring sides only: k sides in a component are k − 1 clashes, not k·(k − 1)/2
    after = np.flatnonzero(place[1:] == place[:-1]) + 1
    return Clashes(node[after - 1], node[after], statement[after - 1], statement[after])


def _concatenate(rows: list[tuple[IntArray, IntArray, IntArray]]) -> tuple[IntArray, IntArray, IntArray]:
    empty = np.zeros(0, dtype=np.int64)
    first, second, third = (np.concatenate([empty, *(row[i] for row in rows)]) for i in range(3))
    return first, second, third


def _gather(parts: list[Clashes]) -> Clashes:
    empty = np.zeros(0, dtype=np.int64)
    return Clashes(
        np.concatenate([empty, *(part.left for part in parts)]),
        np.concatenate([empty, *(part.right for part in parts)]),
        np.concatenate([empty, *(part.first for part in parts)]),
        np.concatenate([empty, *(part.second for part in parts)]),
    )


class TogetherPaths:
    """Paths along what belongs together, as statements."""

    def __init__(self, n_nodes: int, edges: tuple[IntArray, IntArray, IntArray]) -> None:
        self.n_nodes = n_nodes
        self.left, self.right, statement = edges
        self._graph = adjacency(n_nodes, self.left, self.right)
        key = self._key(self.left, self.right)
        # of several statements for one edge, the search finds that with the lowest number
        order = np.lexsort((statement, key))
        self._keys, self._statements = key[order], statement[order]

    def shortest(self, start: int, end: int) -> list[int]:
        """Return the statements along a shortest path from one node to another of its component."""
        from scipy.sparse.csgraph import breadth_first_order

        _, before = breadth_first_order(self._graph, start, directed=True)
        nodes = [end]
        while nodes[-1] != start:
            nodes.append(int(before[nodes[-1]]))
        path = np.array(nodes[::-1], dtype=np.int64)
        return [int(number) for number in self._statement(path[:-1], path[1:])]

    def edges_on_paths(self, starts: IntArray, ends: IntArray) -> IntArray:
        """Return the statements along one path of every pair, without walking the pairs one by one.

        Each pair puts one random token on both its ends. In a spanning tree, the tokens below an edge
        cancel out unless the edge lies between the ends of a pair.
        """
        order, before = self._tree(starts)
        # different tokens cancel by chance once in 2⁶²
        tokens = np.random.default_rng(_SEED).integers(1, 2**62, size=len(starts), dtype=np.int64)
        weight = np.zeros(self.n_nodes + 1, dtype=np.int64)
        np.bitwise_xor.at(weight, starts, tokens)
        np.bitwise_xor.at(weight, ends, tokens)
        # lists, since loops over Python integers are faster than over array elements
        below = weight.tolist()
        parents = before.tolist()
        # backwards in breadth-first order, so that children come before their parents
        for node in order[:0:-1].tolist():
            below[parents[node]] ^= below[node]
        crossed = np.array([node for node in order[1:].tolist() if below[node]], dtype=np.int64)
        # the edges to the added top node are no statements
        crossed = crossed[before[crossed] != self.n_nodes]
        return self._statement(crossed, before[crossed])

    def _tree(self, starts: IntArray) -> tuple[IntArray, IntArray]:
        """Return a breadth-first tree over the components of `starts`, below one more node."""
        component = connected_nodes(self.n_nodes, self.left, self.right)
        _, first = np.unique(component[starts], return_index=True)
        roots = starts[first]
        top = np.full(len(roots), self.n_nodes, dtype=np.int64)
        left, right = np.concatenate([self.left, top]), np.concatenate([self.right, roots])
        rooted = adjacency(self.n_nodes + 1, left, right)
        from scipy.sparse.csgraph import breadth_first_order

        order, before = breadth_first_order(rooted, self.n_nodes, directed=True)
        return order.astype(np.int64), before.astype(np.int64)

    def _statement(self, left: IntArray, right: IntArray) -> IntArray:
        return self._statements[np.searchsorted(self._keys, self._key(left, right))]

    def _key(self, left: IntArray, right: IntArray) -> NDArray[np.int64]:
        return np.minimum(left, right) * self.n_nodes + np.maximum(left, right)
