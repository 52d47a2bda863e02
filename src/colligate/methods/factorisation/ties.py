"""Sets of objects tied together, and a start with each in one group: where it fits best, apart from rivals.

Alone, a tied object hardly ever leaves a wrong group, since the first to go loses all its ties.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from colligate.kernels import Links
from colligate.knowledge.faces import one_hot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from colligate.kernels import Kernels
    from colligate.knowledge import Guidance
    from colligate.methods.directions import Directions
    from colligate.methods.state import Labels

    Ints = NDArray[np.int64]

SWEEPS = 30
# a single wrong link can tie all there is together: a set of more than so many average groups stays as it is
MOST_GROUPFULS = 2.0
# beyond this many groups the table of what is apart from what grows too large for a start
MOST_GROUPS = 2000


def tied_sets(guidance: Guidance, n_clusters: int) -> sparse.csr_array:
    """Objects × sets of two objects and more that are tied together."""
    tie = guidance.components()
    kept = _whole(tie, n_clusters)
    return one_hot(np.where(kept, np.cumsum(kept) - 1, -1)[tie], int(kept.sum()))


def tied_labels(
    kernels: Kernels, objects: Directions, labels: Labels, n_clusters: int, guidance: Guidance
) -> Labels:
    """Labels with every set of tied objects as a whole, the largest set placed first."""
    tie = guidance.components()
    n_ties = int(tie.max()) + 1
    cosines = objects.cosines(kernels, objects.means(labels, n_clusters))
    pooled = np.zeros((n_ties, n_clusters))
    np.add.at(pooled, tie, cosines)
    found = np.full(n_ties, -1, dtype=np.int32)
    order = np.argsort(-np.bincount(tie), kind="stable")
    kernels.settle(Links.of_pairs(_rivals(guidance, tie, n_ties)), None, -pooled, found, order, SWEEPS)
    whole = objects.filled & _whole(tie, n_clusters)[tie]
    return np.where(whole, found[tie], labels).astype(np.int32)


def _whole(tie: Ints, n_clusters: int) -> NDArray[np.bool_]:
    """Which sets are of several objects and not too large to be believed."""
    size = np.bincount(tie)
    return np.asarray((size > 1) & (size <= MOST_GROUPFULS * len(tie) / n_clusters))


def _rivals(guidance: Guidance, tie: Ints, n_ties: int) -> sparse.csr_array:
    """What two sets cost in one group: as much as their members could be worth there, if they are apart."""
    ends = [np.zeros((0, 2), dtype=np.int64), *_apart(guidance, tie)]
    left, right = np.concatenate(ends).T
    met = left != right
    sizes = np.bincount(tie, minlength=n_ties)
    cost = (sizes[left] + sizes[right])[met].astype(np.float64)
    rows, columns = np.concatenate([left[met], right[met]]), np.concatenate([right[met], left[met]])
    table = sparse.coo_array((np.concatenate([cost, cost]), (rows, columns)), shape=(n_ties, n_ties))
    return sparse.csr_array(table)


def _apart(guidance: Guidance, tie: Ints) -> Iterator[Ints]:
    """Pairs of sets that a listed link, or two groups that are apart, keep separate."""
    pairs = guidance.pairs
    listed = pairs.sign < 0
    yield np.column_stack([tie[pairs.left[listed]], tie[pairs.right[listed]]])
    for links in guidance.groups:
        home = np.unique(tie[links.without_bridges().member]) if links.apart else np.zeros(0, dtype=np.int64)
        if len(home) <= MOST_GROUPS:
            yield np.column_stack([side.ravel() for side in np.meshgrid(home, home)])
