"""The links of one type as arrays, and the cost of labels under them.

Links are listed pairs, or implied by groups: all pairs within a group are must-links, all pairs between two
groups of one set cannot-links. Implied pairs are never listed: sums over the members replace them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse import csr_array

Ints = NDArray[np.int64]
SmallInts = NDArray[np.int32]
Labels = NDArray[np.int32]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Links:
    """The links of n objects, ready for label updates.

    Listed pairs are a symmetric sparse matrix of energies, not summed where a pair occurs twice: `energy` is
    added to the cost of the neighbour's cluster (negative for must-links). Implied pairs are memberships in
    groups, sorted by object: membership m puts object `owner[m]` into group `member_group[m]` of set
    `member_set[m]`, and `others[m]` is the number of further groups of that set that the object is in. Groups
    are numbered through all sets: set z begins with group `set_start[z]`, and group g has the memberships
    `by_group` from `group_start[g]`. The divergence of two objects is ⟨yᵢ − yⱼ, sᵢ − sⱼ⟩ over sparse rows `y`
    and `s` that share `indptr` and `indices`; `self_term` is ⟨yᵢ, sᵢ⟩.
    """

    neighbours: SmallInts
    neighbour_start: Ints
    energy: Floats
    y: Floats
    s: Floats
    indices: SmallInts
    indptr: Ints
    self_term: Floats
    n_columns: int
    object_start: Ints
    owner: SmallInts
    member_set: SmallInts
    member_group: SmallInts
    others: SmallInts
    by_group: SmallInts
    group_start: Ints
    set_start: Ints
    together: Floats
    apart: Floats
    twice_d_max: float

    def __len__(self) -> int:
        return len(self.indptr) - 1

    @classmethod
    def of_pairs(cls, energy: csr_array) -> Links:
        """Make links of listed pairs only, from their symmetric matrix of energies."""
        n = int(energy.shape[0])
        no_ints, no_floats, starts = np.zeros(0, np.int32), np.zeros(0), np.zeros(n + 1, np.int64)
        return cls(
            neighbours=energy.indices.astype(np.int32),
            neighbour_start=energy.indptr.astype(np.int64),
            energy=np.asarray(energy.data, dtype=np.float64),
            y=no_floats,
            s=no_floats,
            indices=no_ints,
            indptr=starts,
            self_term=np.zeros(n),
            n_columns=0,
            object_start=starts,
            owner=no_ints,
            member_set=no_ints,
            member_group=no_ints,
            others=no_ints,
            by_group=no_ints,
            group_start=starts[:1],
            set_start=starts[:1],
            together=no_floats,
            apart=no_floats,
            twice_d_max=0.0,
        )


@dataclass(frozen=True, eq=False)
class LinkTables:
    """Sums over the links of every object, or membership, for every cluster.

    `pulled` sums the energies of an object's neighbours in each cluster, `broken` the cost of its broken
    listed links. `inside` sums the divergences of a membership's object to the members of its group in each
    cluster, `everywhere` to the members of all groups of its set. The latter is empty if no set has
    cannot-links, and zero for the sets without them.
    """

    labels: Labels
    pulled: Floats
    broken: Floats
    inside: Floats
    everywhere: Floats

    @property
    def n_clusters(self) -> int:
        """The number of clusters."""
        return int(self.pulled.shape[1])


def cluster_counts(links: Links, labels: Labels, n_clusters: int) -> tuple[Floats, Floats]:
    """Count the members of each group, and of each set, in each cluster."""
    cluster = labels[links.owner]
    cell = links.member_group.astype(np.int64) * n_clusters + cluster
    n_groups = len(links.group_start) - 1
    counts = np.bincount(cell[cluster >= 0], minlength=n_groups * n_clusters)
    in_groups = counts.reshape(n_groups, n_clusters).astype(np.float64)
    # reduceat repeats a row for an empty segment; sets without members are dropped when links are compiled
    return in_groups, np.add.reduceat(in_groups, links.set_start[:-1], axis=0)


def costs_by_cluster(links: Links, tables: LinkTables) -> Floats:
    """Return the cost of each cluster for each object, up to a constant per object."""
    total = tables.pulled.copy()
    if not len(links.owner):
        return total
    together, apart = links.together[links.member_set], links.apart[links.member_set]
    each = np.arange(len(links.owner))
    # `everywhere` below includes the object's own group, whose pairs are not apart; `apart` adds them back
    total += _owner_matrix(links, each, apart - together) @ tables.inside
    if len(tables.everywhere):
        in_groups, in_sets = cluster_counts(links, tables.labels, tables.n_clusters)
        price = links.twice_d_max * apart
        total -= _owner_matrix(links, each, apart) @ tables.everywhere
        total += _owner_matrix(links, links.member_set, price) @ in_sets
        total -= _owner_matrix(links, links.member_group, price) @ in_groups
        _subtract_self(links, tables.labels, price, total)
    return total


def membership_costs(links: Links, tables: LinkTables) -> Floats:
    """Return for each membership the cost of its object's broken implied links, of both signs."""
    label = tables.labels[links.owner]
    # -1 would index the last cluster; the final `where` discards the rows of unplaced objects
    cluster = np.maximum(label, 0)
    cell = (np.arange(len(label)), cluster)
    costs = links.together[links.member_set] * (tables.inside.sum(axis=1) - tables.inside[cell])
    if len(tables.everywhere):
        in_groups, in_sets = cluster_counts(links, tables.labels, tables.n_clusters)
        # `others`: an object in several groups of a set meets itself in them, which is no link
        outside = in_sets[links.member_set, cluster] - in_groups[links.member_group, cluster] - links.others
        divergence = tables.everywhere[cell] - tables.inside[cell]
        costs += links.apart[links.member_set] * (links.twice_d_max * outside - divergence)
    return np.where(label >= 0, costs, 0.0)


def _owner_matrix(links: Links, columns: NDArray[Any], factor: Floats) -> csr_array:
    """Return the matrix that sums rows, one for each membership, over the memberships of each object."""
    return csr_array((factor, columns, links.object_start), shape=(len(links), int(columns.max()) + 1))


def _subtract_self(links: Links, labels: Labels, price: Floats, total: Floats) -> None:
    """Subtract the pairs of an object with itself, which is in several groups of a set."""
    counted = np.bincount(links.owner, weights=price * links.others, minlength=len(links))
    placed = np.flatnonzero((labels >= 0) & (counted > 0))
    total[placed, labels[placed]] -= counted[placed]


def add_pairs(links: Links, left: SmallInts, right: SmallInts, energy: Floats) -> Links:
    """Add listed pairs, in both directions."""
    n = len(links)
    ends = np.concatenate([left, right]), np.concatenate([right, left])
    entries = sparse.coo_array((np.concatenate([energy, energy]), ends), shape=(n, n))
    # not summed: a pair that is both a must-link and a cannot-link has two costs
    entries.has_canonical_format = True
    matrix = entries.tocsr()
    return replace(
        links,
        neighbours=matrix.indices.astype(np.int32, copy=False),
        neighbour_start=matrix.indptr.astype(np.int64),
        energy=matrix.data,
    )


def add_groups(
    links: Links, owner: SmallInts, number: SmallInts, group: SmallInts, sizes: Ints, prices: Floats
) -> Links:
    """Add memberships, sorted by owner. Set z has `sizes[z]` groups; `prices` are together and apart."""
    # stable: the members of a group keep the order of the objects, and so do the sums over them
    by_group = np.argsort(group, kind="stable").astype(np.int32)
    in_set = owner.astype(np.int64) * len(sizes) + number
    _, position, counts = np.unique(in_set, return_inverse=True, return_counts=True)
    return replace(
        links,
        object_start=np.searchsorted(owner, np.arange(len(links) + 1)),
        owner=owner,
        member_set=number,
        member_group=group,
        others=(counts[position] - 1).astype(np.int32),
        by_group=by_group,
        group_start=np.searchsorted(group[by_group], np.arange(sizes.sum() + 1)),
        set_start=np.concatenate([[0], np.cumsum(sizes)]),
        together=prices[0],
        apart=prices[1],
    )
