"""What links cost: in all, per object and cluster, and per statement."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from colligate.kernels import GroupSums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.methods.information.links import SideLinks
    from colligate.methods.state import Labels

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]


def group_sums(links: SideLinks, labels: Labels, n_clusters: int) -> list[GroupSums]:
    """The sums over the members of each (group, cluster), one entry per set of groups."""
    return [_set_sums(links, z, labels, n_clusters) for z in range(len(links.members.n_groups))]


def link_cost(links: SideLinks, labels: Labels) -> float:
    """The cost of all broken links."""
    pairs = links.pairs
    split = labels[pairs.left] != labels[pairs.right]
    total = float(pairs.cost[split == pairs.together].sum())
    if links.members.n_groups:
        joined, apart = _membership_costs(links, labels)
        total += float((joined + apart).sum()) / 2.0
    return total


def costs_by_cluster(links: SideLinks, labels: Labels, n_clusters: int) -> Floats:
    """What each cluster would cost each linked object, up to a constant per object."""
    k = links.kernel
    n = len(links.where)
    energy = sparse.csr_array((k.energy, k.neighbours, k.neighbour_start), shape=(n, n))
    total = np.asarray(energy @ _one_hot(labels, n_clusters))
    for z, sums in enumerate(group_sums(links, labels, n_clusters)):
        mine = np.flatnonzero(links.members.set == z)
        inside, outside = _divergence_sums(links, mine, sums)
        n_outside = sums.all_count - sums.count[links.members.group[mine]]
        cost = k.apart[z] * (k.twice_d_max * n_outside - outside) - k.together[z] * inside
        np.add.at(total, links.members.owner[mine], cost)
    return total


def statement_costs(links: SideLinks, labels: Labels, n_statements: int) -> Floats:
    """What each statement costs: its broken pair, or all broken pairs that its membership implies."""
    costs = np.zeros(n_statements)
    pairs = links.pairs
    broken = (labels[pairs.left] != labels[pairs.right]) == pairs.together
    np.add.at(costs, pairs.statement[broken], pairs.cost[broken])
    if links.members.n_groups:
        split, joined = _membership_costs(links, labels)
        said = links.members.statement >= 0
        np.add.at(costs, links.members.statement[said], (split + joined)[said])
    return costs


def _one_hot(labels: Labels, n_clusters: int) -> Floats:
    return np.asarray(labels[:, None] == np.arange(n_clusters), dtype=np.float64)


def _set_sums(links: SideLinks, z: int, labels: Labels, n_clusters: int) -> GroupSums:
    k, members = links.kernel, links.members
    mine = np.flatnonzero((members.set == z) & (labels[members.owner] >= 0))
    owner, group = members.owner[mine], members.group[mine]
    cluster = labels[owner].astype(np.int64)
    length = np.diff(k.indptr)[owner]
    entry = _entries(k.indptr[owner], length)
    slot = k.slots[_entries(k.member_start[mine], length)]
    spread = np.repeat(cluster, length)

    def summed(rows: Ints, columns: Ints, n_rows: int, values: Floats) -> Floats:
        flat = np.bincount(rows * n_clusters + columns, weights=values, minlength=n_rows * n_clusters)
        return np.asarray(flat, dtype=np.float64).reshape(n_rows, n_clusters)

    # without apart-links nothing reads the sums over all groups
    n_all = links.n_columns if k.apart[z] else 0
    column = k.indices[entry] if n_all else entry[:0]
    every = slice(len(column))
    count = summed(group, cluster, members.n_groups[z], np.ones(len(mine)))
    own = summed(group, cluster, members.n_groups[z], k.self_term[owner])
    return GroupSums(
        s=summed(slot, spread, members.n_slots[z], k.s[entry]),
        y=summed(slot, spread, members.n_slots[z], k.y[entry]),
        count=count,
        self_term=own,
        all_s=summed(column, spread[every], n_all, k.s[entry][every]),
        all_y=summed(column, spread[every], n_all, k.y[entry][every]),
        all_count=count.sum(axis=0),
        all_self_term=own.sum(axis=0),
    )


def _entries(start: Ints, length: Ints) -> Ints:
    """The positions start[0], start[0] + 1, …, then start[1], …, `length` of each."""
    before = np.cumsum(length) - length
    return np.asarray(np.arange(length.sum()) + np.repeat(start - before, length))


def _divergence_sums(links: SideLinks, mine: Ints, sums: GroupSums) -> tuple[Floats, Floats]:
    """For each membership and cluster, the divergences to members of its group, and of the other groups."""
    k, members = links.kernel, links.members
    owner, group = members.owner[mine], members.group[mine]
    length = np.diff(k.indptr)[owner]
    entry, slot = _entries(k.indptr[owner], length), k.slots[_entries(k.member_start[mine], length)]
    start = np.concatenate([[0], np.cumsum(length)])

    def total(columns: Ints, s: Floats, y: Floats, count: Floats, own: Floats) -> Floats:
        shape = (len(mine), len(s))
        shared = sparse.csr_array((k.y[entry], columns, start), shape=shape) @ s
        shared += sparse.csr_array((k.s[entry], columns, start), shape=shape) @ y
        return np.asarray(count * k.self_term[owner][:, None] + own - shared)

    inside = total(slot, sums.s, sums.y, sums.count[group], sums.self_term[group])
    if not len(sums.all_s):
        return inside, np.zeros_like(inside)
    everywhere = total(k.indices[entry], sums.all_s, sums.all_y, sums.all_count, sums.all_self_term)
    return inside, everywhere - inside


def _membership_costs(links: SideLinks, labels: Labels) -> tuple[Floats, Floats]:
    """For each membership, the cost of its broken together-pairs and of its broken apart-pairs."""
    k, members = links.kernel, links.members
    n_clusters = int(labels.max(initial=0)) + 1
    split, joined = np.zeros(len(members.owner)), np.zeros(len(members.owner))
    for z, sums in enumerate(group_sums(links, labels, n_clusters)):
        mine = np.flatnonzero(members.set == z)
        inside, outside = _divergence_sums(links, mine, sums)
        own = labels[members.owner[mine]]
        at = (np.arange(len(mine)), own)
        split[mine] = k.together[z] * np.where(own >= 0, inside.sum(axis=1) - inside[at], 0.0)
        n_outside = sums.all_count[own] - sums.count[members.group[mine], own]
        repeats = _memberships_of_owner(members.owner[mine]) - 1
        cost = k.twice_d_max * (n_outside - repeats) - outside[at]
        joined[mine] = k.apart[z] * np.where(own >= 0, cost, 0.0)
    return split, joined


def _memberships_of_owner(owner: Ints) -> Ints:
    """For each membership, how many memberships its owner has in the set."""
    return np.bincount(owner)[owner]
