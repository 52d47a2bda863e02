"""More groups than wanted, merged: short runs with $2K$ groups find small ones, which are then joined.

A merge costs the distance of two groups, and more for large ones; links between documents change it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate.methods.mixture.em import TINY, mean_directions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.knowledge.guidance import Guidance
    from colligate.methods.mixture.priors import Priors
    from colligate.methods.mixture.problem import MixtureProblem

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


def overcluster(problem: MixtureProblem) -> MixtureProblem | None:
    """Return the problem with more groups; None for a single group, or if documents are too few."""
    n_inside = problem.constants.overcluster_factor * problem.n_inside
    is_free = problem.filled.copy()
    if problem.outside is not None:
        is_free[problem.outside.members] = False
    if problem.n_inside < 2 or n_inside > np.count_nonzero(is_free):
        return None
    return problem.with_groups(n_inside)


def merge_clusters(
    finer: MixtureProblem, priors: Priors, resp: Floats, n_inside: int, exponent: float
) -> Floats:
    """Merge groups inside that point the same way; named groups keep their numbers."""
    inside = resp[:, : finer.n_inside] * finer.filled[:, None]
    number = _merged_numbers(finer, priors, inside, n_inside, exponent)
    merged = np.zeros((len(resp), n_inside + finer.n_groups - finer.n_inside))
    for group, merged_group in enumerate(number.tolist()):
        merged[:, merged_group] += resp[:, group]
    merged[:, n_inside:] = resp[:, finer.n_inside :]
    return merged


def _merged_numbers(
    finer: MixtureProblem, priors: Priors, resp: Floats, n_inside: int, exponent: float
) -> Ints:
    """Return for each group inside the group that it becomes a part of."""
    named, size = np.unique(finer.group_of_name), resp.sum(axis=0)
    mu = mean_directions(finer.kernels, finer.joint_directions, resp)
    distance = 1.0 - np.clip(mu.T @ mu, -1.0, 1.0)
    if priors.links is not None:
        distance *= _link_factor(finer, priors.links, resp)
    is_named = np.isin(np.arange(finer.n_inside), named)
    is_large = is_named | (size >= finer.constants.small_group_share * size.mean())
    # at least as many groups must stay as are wanted in the end
    is_large[np.argsort(-size, kind="stable")[:n_inside]] = True
    large, small = np.flatnonzero(is_large), np.flatnonzero(~is_large)
    part = np.zeros(finer.n_inside, dtype=np.int64)
    part[large] = link_groups(
        distance[np.ix_(large, large)], size[large], is_named[large], n_inside, exponent
    )
    part[small] = part[large[distance[np.ix_(small, large)].argmin(axis=1)]]
    number = np.full(n_inside, -1)
    number[part[named]] = named
    number[number < 0] = np.setdiff1d(np.arange(n_inside), named)
    return np.asarray(number[part], dtype=np.int64)


def _link_factor(finer: MixtureProblem, links: Guidance, resp: Floats) -> Floats:
    """Return twice the share of cannot-links among the links between groups; 1 where there are none."""
    together, apart = (resp.T @ nats / finer.constants.link_nats for nats in links.gain_and_loss(resp))
    return np.asarray(2.0 * (apart + 1.0) / (together + apart + 2.0))


def link_groups(
    distance: Floats, size: Floats, is_named: NDArray[np.bool_], n_parts: int, exponent: float
) -> Ints:
    """Merge two groups at a time, until `n_parts` are left, and return the part of each group.

    A merge costs the mean distance of the documents × (harmonic mean of the sizes)^exponent. Exponent 0 is
    average linkage; the larger it is, the rarer large groups merge. Two groups with names never merge.
    """
    distance, size, is_named = distance.copy(), np.maximum(size, TINY), is_named.copy()
    part, is_gone = np.arange(len(size)), np.zeros(len(size), dtype=bool)

    def merge_costs(group: int) -> Floats:
        harmonic = 2.0 * size[group] * size / (size[group] + size)
        is_closed = is_gone | (is_named & is_named[group]) | (np.arange(len(size)) == group)
        return np.where(is_closed, np.inf, distance[group] * harmonic**exponent)

    cost = np.array([merge_costs(group) for group in range(len(size))])
    for _ in range(len(size) - n_parts):
        one, other = divmod(int(cost.argmin()), len(size))
        distance[one] = distance[:, one] = np.average(
            distance[[one, other]], axis=0, weights=size[[one, other]]
        )
        size[one] += size[other]
        is_named[one] |= is_named[other]
        is_gone[other] = True
        part[part == other] = one
        cost[one] = cost[:, one] = merge_costs(one)
        cost[other] = cost[:, other] = np.inf
    return np.unique(part, return_inverse=True)[1].astype(np.int64)
