"""What links cost: in all, per object and cluster, per statement. An object in no cluster breaks no link."""

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


def link_cost(links: SideLinks, labels: Labels) -> float:
    """The cost of all broken links."""
    total = float(links.pairs.cost[_broken(links, labels)].sum())
    if links.members.n_sets:
        split, joined = _membership_costs(links, labels)
        total += float((split + joined).sum()) / 2.0
    return total


def costs_by_cluster(links: SideLinks, labels: Labels, n_clusters: int) -> Floats:
    """What each cluster would cost each linked object, up to a constant per object."""
    k, n = links.kernel, len(links.where)
    energy = sparse.csr_array((k.energy, k.neighbours, k.neighbour_start), shape=(n, n))
    total = np.asarray(energy @ _one_hot(labels, n_clusters))
    if links.members.n_sets:
        owner, number = links.members.owner, links.members.set
        inside, outside, n_outside = _divergence_sums(links, labels, group_sums(links, labels, n_clusters))
        apart = k.apart[number][:, None] * (k.twice_d_max * n_outside - outside)
        np.add.at(total, owner, apart - k.together[number][:, None] * inside)
    return total


def statement_costs(links: SideLinks, labels: Labels, n_statements: int) -> Floats:
    """What each statement costs: its broken pair, or all broken pairs that its membership implies."""
    costs = np.zeros(n_statements)
    broken = _broken(links, labels)
    np.add.at(costs, links.pairs.statement[broken], links.pairs.cost[broken])
    if links.members.n_sets:
        split, joined = _membership_costs(links, labels)
        said = links.members.statement >= 0
        np.add.at(costs, links.members.statement[said], (split + joined)[said])
    return costs


def group_sums(links: SideLinks, labels: Labels, n_clusters: int) -> GroupSums:
    """The sums over the members of each (group, cluster), and over all groups of sets with links apart."""
    k, members = links.kernel, links.members
    mine = np.flatnonzero(labels[members.owner] >= 0)
    owner, group, number = members.owner[mine], members.group[mine], members.set[mine]
    cluster = labels[owner].astype(np.int64)
    length = np.diff(k.indptr)[owner]
    entry = _entries(k.indptr[owner], length)
    slot = k.slots[_entries(k.member_start[mine], length)]
    spread = np.repeat(cluster, length)
    # without links apart nothing reads the sums over all groups
    read = np.flatnonzero(np.repeat(k.apart[number] > 0, length))
    row = np.repeat(k.all_start[number], length)[read] + k.indices[entry[read]]
    n_rows = links.n_columns * int(np.count_nonzero(k.apart > 0))

    def summed(rows: Ints, columns: Ints, n: int, values: Floats) -> Floats:
        flat = np.bincount(rows * n_clusters + columns, weights=values, minlength=n * n_clusters)
        return np.asarray(flat, dtype=np.float64).reshape(n, n_clusters)

    return GroupSums(
        s=summed(slot, spread, members.n_slots, k.s[entry]),
        y=summed(slot, spread, members.n_slots, k.y[entry]),
        count=summed(group, cluster, members.n_groups, np.ones(len(mine))),
        self_term=summed(group, cluster, members.n_groups, k.self_term[owner]),
        all_s=summed(row, spread[read], n_rows, k.s[entry[read]]),
        all_y=summed(row, spread[read], n_rows, k.y[entry[read]]),
        all_count=summed(number, cluster, members.n_sets, np.ones(len(mine))),
        all_self_term=summed(number, cluster, members.n_sets, k.self_term[owner]),
    )


def _broken(links: SideLinks, labels: Labels) -> NDArray[np.bool_]:
    """Which listed links are broken."""
    left, right = labels[links.pairs.left], labels[links.pairs.right]
    return np.asarray((left >= 0) & (right >= 0) & ((left != right) == links.pairs.together))


def _one_hot(labels: Labels, n_clusters: int) -> Floats:
    return np.asarray(labels[:, None] == np.arange(n_clusters), dtype=np.float64)


def _entries(start: Ints, length: Ints) -> Ints:
    """The positions start[0], start[0] + 1, …, then start[1], …, `length` of each."""
    before = np.cumsum(length) - length
    return np.asarray(np.arange(length.sum()) + np.repeat(start - before, length), dtype=np.int64)


def _divergence_sums(links: SideLinks, labels: Labels, sums: GroupSums) -> tuple[Floats, Floats, Floats]:
    """For each membership and cluster: divergences in the group, to other groups, and the latter's members.

    Other groups count where the set has links apart. The object itself is no member of another group.
    """
    k, members = links.kernel, links.members
    owner, group, number = members.owner, members.group, members.set
    length = np.diff(k.indptr)[owner]
    entry = _entries(k.indptr[owner], length)
    start = np.concatenate([[0], np.cumsum(length)])

    def total(columns: Ints, s: Floats, y: Floats, count: Floats, own: Floats) -> Floats:
        shape = (len(owner), len(s))
        shared = sparse.csr_array((k.y[entry], columns, start), shape=shape) @ s
        shared += sparse.csr_array((k.s[entry], columns, start), shape=shape) @ y
        return np.asarray(count * k.self_term[owner][:, None] + own - shared)

    inside = total(
        k.slots[_entries(k.member_start, length)], sums.s, sums.y, sums.count[group], sums.self_term[group]
    )
    n_outside = (sums.all_count[number] - sums.count[group]) * (k.apart[number] > 0)[:, None]
    if not np.any(k.apart > 0):
        return inside, np.zeros_like(inside), n_outside
    column = np.repeat(np.maximum(k.all_start[number], 0), length) + k.indices[entry]
    everywhere = total(column, sums.all_s, sums.all_y, sums.all_count[number], sums.all_self_term[number])
    placed = np.flatnonzero(labels[owner] >= 0)
    n_outside[placed, labels[owner[placed]]] -= _other_memberships(owner, number)[placed]
    return inside, (everywhere - inside) * (k.apart[number] > 0)[:, None], n_outside


def _other_memberships(owner: Ints, number: Ints) -> Ints:
    """For each membership, how many further ones its owner has in the same set."""
    _, place, counts = np.unique(np.stack([owner, number]), axis=1, return_inverse=True, return_counts=True)
    return np.asarray(counts[place.ravel()] - 1, dtype=np.int64)


def _membership_costs(links: SideLinks, labels: Labels) -> tuple[Floats, Floats]:
    """For each membership, the cost of its broken together-pairs and of its broken apart-pairs."""
    k, members = links.kernel, links.members
    n_clusters = int(labels.max(initial=0)) + 1
    inside, outside, n_outside = _divergence_sums(links, labels, group_sums(links, labels, n_clusters))
    own = labels[members.owner]
    at = (np.arange(len(own)), np.maximum(own, 0))
    split = k.together[members.set] * (inside.sum(axis=1) - inside[at])
    joined = k.apart[members.set] * (k.twice_d_max * n_outside[at] - outside[at])
    return np.where(own >= 0, split, 0.0), np.where(own >= 0, joined, 0.0)
