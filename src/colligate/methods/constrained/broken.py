"""Which links labels break, in the form in which the metric sees them: no implied pair is listed.

The distances of all pairs in a set S of unit rows sum to ½(n² − ‖Σ x‖²). So the implied links that are broken
are a signed sum over sets: of a group whose pairs are together, the group less its parts in each cluster; of
groups that are apart, less what of all of them sits in a cluster, and again the parts of each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.methods.information.links import SideLinks
    from colligate.methods.state import Labels

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Broken:
    """Pairs of documents and sets of them, and how often each counts; less than 0 for what is apart."""

    left: Ints
    right: Ints
    per_pair: Floats
    sets: sparse.csr_array
    per_set: Floats


def broken_links(links: SideLinks, labels: Labels, weight: float, strengths: Floats) -> Broken:
    """What labels of the linked documents break; `strengths` are those of the listed links."""
    pairs = links.pairs
    own, other = labels[pairs.left], labels[pairs.right]
    wrong = np.flatnonzero((own >= 0) & (other >= 0) & ((own != other) == pairs.together))
    signed = weight * strengths[wrong] * np.where(pairs.together[wrong], 1.0, -1.0)
    sets, per_set = _sets(links, labels)
    return Broken(links.where[pairs.left[wrong]], links.where[pairs.right[wrong]], signed, sets, per_set)


def _sets(links: SideLinks, labels: Labels) -> tuple[sparse.csr_array, Floats]:
    """The sets of implied links as rows of ones, over all documents up to the last linked one."""
    members, k = links.members, links.kernel
    placed = labels[members.owner] >= 0
    owner, number, group = (
        part[placed].astype(np.int64) for part in (members.owner, members.set, members.group)
    )
    cluster, n_clusters = labels[owner].astype(np.int64), int(labels.max(initial=0)) + 1
    together, apart = k.together[number], k.apart[number]
    whole = group, together
    parts = group * n_clusters + cluster, apart - together
    mixed = number * n_clusters + cluster, -apart
    found = [_rows(links.where[owner], *one) for one in (whole, parts, mixed)]
    n_columns = int(links.where.max(initial=-1)) + 1
    blocks = [sparse.csr_array((np.ones(len(c)), (r, c)), shape=(len(w), n_columns)) for r, c, w in found]
    return sparse.csr_array(sparse.vstack(blocks, format="csr")), np.concatenate([w for _, _, w in found])


def _rows(documents: Ints, key: Ints, count: Floats) -> tuple[Ints, Ints, Floats]:
    """Number the sets by their keys, and leave out those that count nothing."""
    used = count != 0
    _, first, row = np.unique(key[used], return_index=True, return_inverse=True)
    return row, documents[used], count[used][first]
