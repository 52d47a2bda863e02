"""Tables of links and label updates under links, on a pool of threads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate.kernels.fast import group_links, link_moves, pair_links
from colligate.kernels.interface import CHEAPER, MOST_MOVES
from colligate.kernels.linked import LinkTables, cluster_counts, costs_by_cluster

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.kernels.fast.threads import Pool
    from colligate.kernels.linked import Floats, Ints, Labels, Links

    Flags = NDArray[np.bool_]


def link_tables(
    pool: Pool, links: Links, labels: Labels, n_clusters: int, known: LinkTables | None
) -> LinkTables:
    """See `Kernels.link_tables`. Only what the changed objects touch is done again."""
    if known is None or known.n_clusters != n_clusters:
        known = _none_placed(links, n_clusters)
    changed = labels != known.labels
    if not changed.any():
        return known
    found = LinkTables(
        labels.copy(),
        *(table.copy() for table in (known.pulled, known.broken, known.inside, known.everywhere)),
    )
    _pull(pool, links, found, changed)
    if len(links.owner):
        _sum_groups(pool, links, found, changed)
        _sum_sets(pool, links, found, known.labels, changed)
    return found


def settle(
    pool: Pool,
    links: Links,
    known: LinkTables | None,
    cost: Floats,
    labels: Labels,
    order: Ints,
    max_rounds: int,
) -> LinkTables:
    """See `Kernels.settle`."""
    tables = link_tables(pool, links, labels, cost.shape[1], known)
    for _ in range(max_rounds):
        total = costs_by_cluster(links, tables)
        total += cost
        if not _move(links, total, labels, order):
            break
        tables = link_tables(pool, links, labels, cost.shape[1], tables)
    return tables


def _move(links: Links, total: Floats, labels: Labels, order: Ints) -> int:
    """One round from what the clusters cost; return the number of moves."""
    moves = link_moves.move(
        link_moves.restless(total, labels, order, CHEAPER),
        (links.neighbours, links.neighbour_start, links.energy),
        _rows(links),
        (links.object_start, links.member_set, links.member_group),
        (links.together, links.apart, links.twice_d_max),
        links.n_columns,
        MOST_MOVES if len(links.owner) else len(links),
        total,
        labels,
        CHEAPER,
    )
    return int(moves)


def _rows(links: Links) -> tuple[Floats, Floats, NDArray[np.int32], Ints, Floats]:
    return links.y, links.s, links.indices, links.indptr, links.self_term


def _none_placed(links: Links, n_clusters: int) -> LinkTables:
    n, n_members = len(links), len(links.owner)
    return LinkTables(
        labels=np.full(n, -1, dtype=np.int32),
        pulled=np.zeros((n, n_clusters)),
        broken=np.zeros(n),
        inside=np.zeros((n_members, n_clusters)),
        everywhere=np.zeros((n_members if np.any(links.apart > 0) else 0, n_clusters)),
    )


def _pull(pool: Pool, links: Links, found: LinkTables, changed: Flags) -> None:
    """Do the listed links of changed objects and of their neighbours again."""
    pairs = links.neighbours, links.neighbour_start
    rows = pair_links.touched(*pairs, changed)
    pool.map(
        lambda a, b: pair_links.pull(
            *pairs, links.energy, found.labels, rows, found.pulled, found.broken, a, b
        ),
        len(rows),
    )


def _sum_groups(pool: Pool, links: Links, found: LinkTables, changed: Flags) -> None:
    """Do the groups of changed objects again, in the blocks of clusters where they have members."""
    stale = np.zeros(len(links.group_start) - 1, dtype=bool)
    stale[links.member_group[changed[links.owner]]] = True
    found.inside[stale[links.member_group]] = 0.0
    in_groups, _ = cluster_counts(links, found.labels, found.n_clusters)
    group, block = np.nonzero(_blocks(in_groups > 0) & stale[:, None])
    tasks = np.stack([links.group_start[group], links.group_start[group + 1], block * group_links.BLOCK])
    _run(pool, links, found, tasks, found.inside)


def _sum_sets(pool: Pool, links: Links, found: LinkTables, before: Labels, changed: Flags) -> None:
    """Do the sets with links apart again, in the blocks of clusters that objects left or entered."""
    moved = np.flatnonzero(changed[links.owner] & (links.apart[links.member_set] > 0))
    stale = np.zeros((len(links.apart), found.n_clusters), dtype=bool)
    for labels in (before, found.labels):
        own = labels[links.owner[moved]]
        stale[links.member_set[moved][own >= 0], own[own >= 0]] = True
    number, block = np.nonzero(_blocks(stale))
    edges = links.group_start[links.set_start]
    tasks = np.stack([edges[number], edges[number + 1], block * group_links.BLOCK])
    _run(pool, links, found, tasks, found.everywhere)


def _blocks(flags: Flags) -> Flags:
    """Which blocks of clusters have a flag."""
    return np.logical_or.reduceat(flags, np.arange(0, flags.shape[1], group_links.BLOCK), axis=1)


def _run(pool: Pool, links: Links, found: LinkTables, tasks: Ints, result: Floats) -> None:
    """Sum divergences, task by task."""
    pool.map(
        lambda a, b: group_links.sum_divergences(
            _rows(links), links.n_columns, links.owner, found.labels, links.by_group, tasks, result, a, b
        ),
        tasks.shape[1],
        chunks=group_links.CHUNKS,
        small=2,
    )
