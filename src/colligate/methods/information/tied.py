"""A start for linked objects: those tied together start in one cluster, where their pooled words fit best.

Object by object, a set of tied objects hardly ever leaves a wrong cluster, since the first to go pays for all
its ties. So sets are placed as wholes: the largest first, each where its pooled score is highest, less the
cost of what it is to be apart from, and again until none would move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from colligate.kernels import Links

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.kernels import Kernels
    from colligate.methods.information.links import SideLinks
    from colligate.methods.state import Labels

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

SWEEPS = 30
# beyond this many groups the table of what is apart from what grows too large for a start, which then leaves
# apart-links to the sweeps; so it does with a set in which an object is in several groups
MOST_GROUPS = 2000


def tied_labels(links: SideLinks, scores: Floats, kernels: Kernels) -> Labels:
    """Labels of the linked objects from their scores (objects × clusters)."""
    _, tie = np.unique(links.component, return_inverse=True)
    n_ties = int(tie.max()) + 1
    pooled = np.zeros((n_ties, scores.shape[1]))
    np.add.at(pooled, tie, scores)
    between = Links.of_pairs(_energies(links, tie, n_ties))
    labels = np.full(n_ties, -1, dtype=np.int32)
    order = np.argsort(-np.bincount(tie), kind="stable")
    kernels.settle(between, None, -pooled, labels, order, SWEEPS)
    return np.asarray(labels[tie], dtype=np.int32)


def _energies(links: SideLinks, tie: Ints, n_ties: int) -> sparse.csr_array:
    """What two sets of tied objects cost in one cluster: the links apart between them."""
    k, n = links.kernel, len(links.where)
    pairs = sparse.csr_array((k.energy, k.neighbours, k.neighbour_start), shape=(n, n))
    belongs = sparse.csr_array((np.ones(n), (np.arange(n), tie)), shape=(n, n_ties))
    total = sparse.csr_array(belongs.T @ pairs @ belongs)
    for z in np.flatnonzero(k.apart > 0):
        total = total + _group_energies(links, int(z), tie, n_ties)
    total.setdiag(0.0)
    total.eliminate_zeros()
    return sparse.csr_array(total)


def _group_energies(links: SideLinks, z: int, tie: Ints, n_ties: int) -> sparse.csr_array:
    """The implied links apart between the groups of one set, each group being part of one tie."""
    k, members = links.kernel, links.members
    mine = np.flatnonzero(members.set == z)
    owner = members.owner[mine]
    _, group = np.unique(members.group[mine], return_inverse=True)
    n_groups = int(group.max()) + 1
    home = np.zeros(n_groups, dtype=np.int64)
    home[group] = tie[owner]
    if n_groups > MOST_GROUPS or np.any(home[group] != tie[owner]):
        return sparse.csr_array((n_ties, n_ties))
    inside = sparse.csr_array((np.ones(len(mine)), (group, owner)), shape=(n_groups, len(links.where)))
    shape = (len(links.where), links.n_columns)
    y = inside @ sparse.csr_array((k.y, k.indices, k.indptr), shape=shape)
    s = inside @ sparse.csr_array((k.s, k.indices, k.indptr), shape=shape)
    shared = (y @ s.T).toarray()
    own = np.asarray(inside @ k.self_term)
    count = np.bincount(group, minlength=n_groups).astype(np.float64)
    divergence = np.outer(own, count) + np.outer(count, own) - shared - shared.T
    cost = k.apart[z] * (k.twice_d_max * np.outer(count, count) - divergence)
    rows, columns = np.repeat(home, n_groups), np.tile(home, n_groups)
    table = sparse.coo_array((cost.ravel(), (rows, columns)), shape=(n_ties, n_ties))
    return sparse.csr_array(table)
