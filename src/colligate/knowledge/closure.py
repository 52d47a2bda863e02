"""Components: which objects must share a cluster if everything said to be together is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

if TYPE_CHECKING:
    from collections.abc import Iterator

    from colligate.knowledge.guidance import Guidance, IntArray


def components(n_nodes: int, left: IntArray, right: IntArray) -> IntArray:
    """The component of every node of an undirected graph, numbered by first node."""
    _, found = connected_components(graph(n_nodes, left, right), directed=False)
    return found.astype(np.int64)


def graph(n_nodes: int, left: IntArray, right: IntArray) -> sparse.csr_array:
    """The adjacency of a graph, both ways."""
    rows, columns = np.concatenate([left, right]), np.concatenate([right, left])
    ones = np.ones(len(rows), dtype=np.int8)
    return sparse.csr_array(sparse.coo_array((ones, (rows, columns)), shape=(n_nodes, n_nodes)))


def components_of(guidance: Guidance) -> IntArray:
    """The component of every object; groups and labels are nodes of their own, so that no pair is listed."""
    edges = [(guidance.pairs.left[guidance.pairs.sign > 0], guidance.pairs.right[guidance.pairs.sign > 0])]
    n_nodes = guidance.size
    for member, hub, n_hubs in _hubs(guidance):
        edges.append((member, hub + n_nodes))
        n_nodes += n_hubs
    left, right = (np.concatenate(side) for side in zip(*edges, strict=True))
    return components(n_nodes, left, right)[: guidance.size]


def _hubs(guidance: Guidance) -> Iterator[tuple[IntArray, IntArray, int]]:
    for links in (*guidance.groups, guidance.label_groups()):
        if links is not None and links.together > 0:
            bound = links.without_bridges()
            yield bound.member, bound.group, len(links.names)
