"""More groups than are wanted, those that point the same way then made one: for subjects of uneven size.

Groups of a mixture tend to be of one size: a subject with half of the documents is cut up where nothing
divides it, and small subjects share a group. Runs with more groups have room for both; then groups near each
other by their directions are merged, whatever their size. Where subjects are of one size this does harm, and
no measure that we tried can tell from the documents alone which it is. The user may say so, or links may:
those that runs leave out are more probable to runs that are right about it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from colligate.methods.mixture.position import mean_directions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.methods.mixture.problem import MixtureProblem

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

# how many groups are found for each that is wanted
FINER = 2
# groups below this share of the mean size go to the one nearest to them, so that odd texts are no subject
SMALL = 0.25
# farther than directions can be: two groups that have a name each are never merged
FAR = 1e6
# what is known of a problem whatever the number of groups
SHARED = ("evidence", "mass", "filled", "together", "share", "n_statements")


def finer_of(problem: MixtureProblem) -> MixtureProblem | None:
    """The same problem with more groups inside; None where that makes no sense.

    It makes none where every group has a name, since names tell what belongs together, and where documents
    are fewer than its groups would be.
    """
    n_inside = FINER * problem.n_inside
    named = len(np.unique(problem.group_of_name)) == problem.n_inside
    if named or problem.n_inside < 2 or n_inside > _n_documents(problem):
        return None
    outside = problem.outside and replace(problem.outside, n_inside=n_inside)
    sizes = {**problem.sizes, problem.network.centre: problem.n_groups + n_inside - problem.n_inside}
    found = replace(problem, sizes=sizes, outside=outside, memory=[])
    vars(found).update({name: getattr(problem, name) for name in SHARED})
    return found


def _n_documents(problem: MixtureProblem) -> int:
    """How many have anything and are not known to be outside."""
    there = problem.filled.copy()
    if problem.outside is not None:
        there[problem.outside.members] = False
    return int(np.count_nonzero(there))


def merged(finer: MixtureProblem, memberships: Floats, n_inside: int) -> Floats:
    """Memberships where groups inside that are near each other are one; those with names keep theirs."""
    number = _numbers(finer, memberships[:, : finer.n_inside] * finer.filled[:, None], n_inside)
    found = np.zeros((len(memberships), n_inside + finer.n_groups - finer.n_inside))
    for group, own in enumerate(number.tolist()):
        found[:, own] += memberships[:, group]
    found[:, n_inside:] = memberships[:, finer.n_inside :]
    return found


def _numbers(finer: MixtureProblem, memberships: Floats, n_inside: int) -> Ints:
    """For each of the groups inside the one that it becomes a part of."""
    named, size = np.unique(finer.group_of_name), memberships.sum(axis=0)
    centres = mean_directions(finer.together, memberships)
    apart = 1.0 - np.clip(centres.T @ centres, -1.0, 1.0)
    large = size >= SMALL * size.mean()
    large[np.argsort(-size, kind="stable")[:n_inside]] = True
    large[named] = True
    held, small = np.flatnonzero(large), np.flatnonzero(~large)
    part = np.zeros(finer.n_inside, dtype=np.int64)
    part[held] = _parts(apart[np.ix_(held, held)], np.isin(held, named), n_inside)
    part[small] = part[held[apart[np.ix_(small, held)].argmin(axis=1)]]
    number = np.full(n_inside, -1)
    number[part[named]] = named
    number[number < 0] = np.setdiff1d(np.arange(n_inside), named)
    return np.asarray(number[part], dtype=np.int64)


def _parts(apart: Floats, named: NDArray[np.bool_], n_parts: int) -> Ints:
    """Which groups are one, by average linkage."""
    if len(apart) <= n_parts:
        return np.arange(len(apart))
    tree = linkage(squareform(apart + FAR * np.outer(named, named), checks=False), "average")
    return np.asarray(fcluster(tree, n_parts, "maxclust") - 1, dtype=np.int64)
