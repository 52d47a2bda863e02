"""The start: an ensemble of short runs that hold statements out, and the consensus of their groups.

A run starts from spherical k-means around the documents that knowledge names. Where every group has a name,
the consensus is the mean of the responsibilities. Otherwise the groups of all runs are clustered as a
bipartite graph (Fern and Brodley, 2004). Where sizes are uneven, runs have more groups, which are merged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import squareform
from scipy.special import softmax

from colligate._array import one_hot
from colligate.methods.mixture.calibration import (
    estimate_reliability,
    fit_classifier_weight,
    links_favour,
    split_statements,
)
from colligate.methods.mixture.em import TINY, EMState, clamp, m_step, mean_directions, run_em
from colligate.methods.mixture.implied_links import ImpliedLinks, weigh_implied_links
from colligate.methods.mixture.priors import Priors, make_priors, select_groups
from colligate.methods.spherical import Directions, make_dense_directions, spherical_kmeans
from colligate.progress import report

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from colligate.kernels import Kernels
    from colligate.methods.loop import Labels
    from colligate.methods.mixture.problem import MixtureProblem

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

# a distance that no two directions have: two named groups are never merged
FAR = 1e6


@dataclass(frozen=True, eq=False)
class Start:
    """Responsibilities to start from, what the ensemble estimated, and the labels of each run.

    Statements that are not `judged` have a reliability of 1.
    """

    resp: Floats
    reliability: Floats
    beta: float
    judged: NDArray[np.bool_]
    runs: tuple[Labels, ...]
    implied_links: ImpliedLinks


def initialize(problem: MixtureProblem, n_ensemble: int, rng: np.random.Generator) -> Start:
    """Run the ensemble, estimate reliability and β from held-out statements, and find the consensus."""
    uses, runs = _run_ensemble(problem, split_statements(problem, n_ensemble, rng), rng)
    reliability, judged = estimate_reliability(problem, uses, runs)
    implied_links = _judge_implied_links(problem, [run.resp for run in runs], reliability, judged)
    labels = tuple(np.where(problem.filled, run.resp.argmax(axis=1), -1).astype(np.int32) for run in runs)
    beta = fit_classifier_weight(problem, uses, runs)
    priors = make_priors(problem, reliability, beta)
    resp = consensus_resp(problem, priors, runs, labels, rng)
    return Start(resp, reliability, beta, judged, labels, implied_links)


def initialize_from_labels(problem: MixtureProblem) -> Start:
    """Start from the user's groups, which keep their numbers."""
    assert problem.init is not None
    reliability, beta = np.ones(problem.n_statements), problem.constants.default_beta
    judged = np.zeros(problem.n_statements, dtype=bool)
    resp = smooth_labels(problem, make_priors(problem, reliability, beta), problem.init)
    implied_links = _judge_implied_links(problem, [resp], reliability, judged)
    return Start(resp, reliability, beta, judged, (), implied_links)


def _judge_implied_links(
    problem: MixtureProblem, resps: Sequence[Floats], reliability: Floats, judged: NDArray[np.bool_]
) -> ImpliedLinks:
    """Weigh the links of groups of features, and fill in the reliability of their members."""
    links = weigh_implied_links(problem, resps)
    reliability[links.statement], judged[links.statement] = links.reliability, True
    return links


def _run_ensemble(
    problem: MixtureProblem, uses: list[Floats], rng: np.random.Generator
) -> tuple[list[Floats], list[EMState]]:
    """Return the statements that each run uses, and its last state.

    Where sizes are uneven, by the user's choice or by held-out links, runs overcluster and merge.
    """
    half, known = uses[: len(uses) // 2], problem.document_guidance
    has_links = known is not None and len(known.pairs) > 0 and len(half) > 1
    finer = overcluster(problem) if problem.uneven_sizes or has_links else None
    if problem.uneven_sizes and finer is not None:
        return uses, list(_merged_runs(problem, finer, uses, rng))
    runs = [run for _, run in _runs(problem, uses, rng)]
    if finer is None:
        return uses, runs
    # a separate stream: the consensus draws the same numbers whether finer runs were made or not
    merged = list(_merged_runs(problem, finer, half, rng.spawn(1)[0]))
    return (half, merged) if links_favour(problem, half, merged, runs[: len(half)]) else (uses, runs)


def _runs(
    problem: MixtureProblem, uses: Sequence[Floats], rng: np.random.Generator
) -> Iterator[tuple[Priors, EMState]]:
    """Run EM with the statements of each use; every other run finds groups first and names them then."""
    constants = problem.constants
    for number, use in enumerate(uses):
        report("starting", number, len(uses), f"run {number + 1} of {len(uses)}")
        priors = make_priors(problem, use, constants.default_beta)
        seeds = _seed_labels(problem, priors)
        if seeds is None or number % 2 == 0:
            labels = first_labels(problem, rng, seeds)
        else:
            labels = _match_seeds(problem, first_labels(problem, rng, None), seeds)
        resp = smooth_labels(problem, priors, labels)
        yield priors, run_em(problem, priors, resp, constants.ensemble_max_iter, constants.ensemble_tol)


def _merged_runs(
    problem: MixtureProblem, finer: MixtureProblem, uses: Sequence[Floats], rng: np.random.Generator
) -> Iterator[EMState]:
    """Run EM with more groups, and merge them."""
    # names have the first groups, so that the priors of the merged groups are columns of the finer ones
    columns = np.r_[: problem.n_inside, finer.n_inside : finer.n_groups]
    for priors, run in _runs(finer, uses, rng):
        resp = merge_clusters(finer, run.resp, problem.n_inside)
        yield m_step(problem, select_groups(priors, columns, problem.n_inside), resp)


# --- one run ---


def first_labels(problem: MixtureProblem, rng: np.random.Generator, seeds: Labels | None) -> Labels:
    """Run spherical k-means from seeds, if there are any; outsiders attract documents like them."""
    objects, outside = problem.joint_directions, problem.outside
    if outside is None:
        return spherical_kmeans(problem.kernels, objects, problem.n_inside, rng, seeds)
    is_outsider = np.zeros(problem.n_documents, dtype=bool)
    is_outsider[outside.members] = True
    outsiders = Directions(objects.unit, objects.filled & is_outsider)
    group = spherical_kmeans(problem.kernels, outsiders, outside.n_groups, rng)
    # groups of outsiders come first in this call, since groups without a seed must come last
    start = np.full(len(group), -1) if seeds is None else np.where(seeds >= 0, seeds + outside.n_groups, -1)
    start = np.where(is_outsider, group, start).astype(np.int32)
    labels = spherical_kmeans(problem.kernels, objects, problem.n_groups, rng, start)
    labels = np.where(is_outsider, group, labels)
    # the problem numbers groups of outsiders last, so the numbers are turned round
    return np.where(labels >= 0, (labels - outside.n_groups) % problem.n_groups, -1).astype(np.int32)


def _seed_labels(problem: MixtureProblem, priors: Priors) -> Labels | None:
    """Label documents with a label, a category, or seed features most of which are of one group."""
    seeds = priors.clamped.copy()
    for counts in (priors.document_seeds, priors.seed_counts):
        if counts is not None:
            largest = counts.max(axis=1)
            is_clear = (seeds < 0) & (largest > 0) & (2.0 * largest > counts.sum(axis=1))
            seeds = np.where(is_clear, counts.argmax(axis=1), seeds).astype(np.int32)
    if problem.outside is not None:
        seeds[problem.outside.members] = -1
    return seeds if (seeds >= 0).any() else None


def _match_seeds(problem: MixtureProblem, labels: Labels, seeds: Labels) -> Labels:
    """Renumber groups inside to match the seeds; groups of outsiders keep their numbers."""
    inside = labels < problem.n_inside
    matched = match_labels(np.where(inside, labels, -1).astype(np.int32), seeds, problem.n_inside)
    return np.where(inside, matched, labels).astype(np.int32)


def smooth_labels(problem: MixtureProblem, priors: Priors, labels: Labels) -> Floats:
    """Put most of each document into its group, and the rest into all groups that are open to it."""
    smoothing = problem.constants.label_smoothing
    resp = np.full((len(labels), problem.n_groups), smoothing / problem.n_groups)
    if problem.forbidden is not None:
        resp[problem.forbidden] = 0.0
    placed = np.flatnonzero(labels >= 0)
    resp[placed, labels[placed]] += 1.0 - smoothing
    # the softmax of logs makes rows sum to 1 again, with closed groups at nearly 0
    return clamp(priors, softmax(np.log(np.maximum(resp, TINY)), axis=1))


# --- consensus ---


def consensus_resp(
    problem: MixtureProblem,
    priors: Priors,
    runs: Sequence[EMState],
    run_labels: Sequence[Labels],
    rng: np.random.Generator,
) -> Floats:
    """Combine the runs into responsibilities."""
    mean = np.mean([run.resp for run in runs], axis=0)
    named = np.unique(problem.group_of_name)
    if len(runs) == 1 or len(named) >= problem.n_inside:
        return clamp(priors, softmax(np.log(np.maximum(mean, TINY)), axis=1))
    inside = [np.where(labels < problem.n_inside, labels, -1).astype(np.int32) for labels in run_labels]
    labels = consensus_labels(
        problem.kernels, inside, problem.n_inside, rng, problem.constants.consensus_n_init
    )
    if len(named):
        # named groups have the same number in all runs, the others have not
        likely = named[mean[:, named].argmax(axis=1)]
        is_clear = mean[:, named].max(axis=1) > 0.5
        labels = match_labels(labels, np.where(is_clear, likely, -1).astype(np.int32), problem.n_inside)
    if problem.outside is not None:
        outside = mean[:, problem.n_inside :]
        is_outside = outside.sum(axis=1) > 0.5
        labels = np.where(is_outside, problem.n_inside + outside.argmax(axis=1), labels).astype(np.int32)
    return smooth_labels(problem, priors, labels)


def consensus_labels(
    kernels: Kernels, runs: Sequence[Labels], n_groups: int, rng: np.random.Generator, n_init: int
) -> Labels:
    """Cluster documents by the groups that they share; documents in no group of any run stay in none."""
    stacked = sparse.csr_array(sparse.hstack([one_hot(labels, n_groups) for labels in runs], format="csr"))
    size = np.maximum(np.asarray(stacked.sum(axis=0)).ravel(), 1.0)
    # every document is in one group of each run, so only the groups need to be normalised
    scaled = sparse.csr_array(stacked / np.sqrt(size))
    # groups × groups: its eigenvectors give the singular vectors without documents × documents
    overlaps = np.asarray((scaled.T @ scaled).todense())
    _, vectors = np.linalg.eigh(overlaps)
    rows = np.asarray(scaled @ np.ascontiguousarray(vectors[:, -n_groups:]))
    objects = make_dense_directions(rows, np.diff(stacked.indptr) > 0)
    candidates = [spherical_kmeans(kernels, objects, n_groups, rng) for _ in range(n_init)]
    unit = np.asarray(objects.unit, dtype=np.float64)

    def sum_of_cosines(labels: Labels) -> float:
        sums = one_hot(labels, n_groups).T @ unit
        return float(np.sqrt(np.square(sums).sum(axis=1)).sum())

    return max(candidates, key=sum_of_cosines)


def match_labels(labels: Labels, target: Labels, n_groups: int) -> Labels:
    """Renumber groups so that they share as many documents as possible with those of a target."""
    both = (labels >= 0) & (target >= 0)
    overlap = np.zeros((n_groups, n_groups))
    np.add.at(overlap, (labels[both], target[both]), 1.0)
    # the Hungarian method finds the renumbering with the largest overlap of all
    rows, columns = linear_sum_assignment(-overlap)
    number = np.zeros(n_groups, dtype=np.int32)
    number[rows] = columns
    return np.where(labels >= 0, number[labels], -1).astype(np.int32)


def document_stability(runs: Sequence[Labels], labels: Labels, n_groups: int) -> NDArray[np.float32]:
    """Compute for each document the share of runs that put it in its group, once groups are matched.

    It is NaN for documents that are in no group, or were in none in every run.
    """
    if not runs:
        return np.zeros(0, dtype=np.float32)
    same = [match_labels(run, labels, n_groups) == labels for run in runs]
    seen = (labels >= 0) & (np.max(runs, axis=0) >= 0)
    return np.where(seen, np.mean(same, axis=0), np.nan).astype(np.float32)


# --- uneven sizes: more groups, merged ---


def overcluster(problem: MixtureProblem) -> MixtureProblem | None:
    """Return the problem with more groups; None if every group has a name, or documents are too few."""
    n_inside = problem.constants.overcluster_factor * problem.n_inside
    is_named = len(np.unique(problem.group_of_name)) == problem.n_inside
    is_free = problem.filled.copy()
    if problem.outside is not None:
        is_free[problem.outside.members] = False
    if is_named or problem.n_inside < 2 or n_inside > np.count_nonzero(is_free):
        return None
    return problem.with_groups(n_inside)


def merge_clusters(finer: MixtureProblem, resp: Floats, n_inside: int) -> Floats:
    """Merge groups inside that point the same way; named groups keep their numbers."""
    number = _merged_numbers(finer, resp[:, : finer.n_inside] * finer.filled[:, None], n_inside)
    merged = np.zeros((len(resp), n_inside + finer.n_groups - finer.n_inside))
    for group, merged_group in enumerate(number.tolist()):
        merged[:, merged_group] += resp[:, group]
    merged[:, n_inside:] = resp[:, finer.n_inside :]
    return merged


def _merged_numbers(finer: MixtureProblem, resp: Floats, n_inside: int) -> Ints:
    """Return for each group inside the group that it becomes a part of."""
    named, size = np.unique(finer.group_of_name), resp.sum(axis=0)
    mu = mean_directions(finer.joint_directions, resp)
    distance = 1.0 - np.clip(mu.T @ mu, -1.0, 1.0)
    is_large = size >= finer.constants.small_group_share * size.mean()
    # at least as many groups must stay as are wanted in the end
    is_large[np.argsort(-size, kind="stable")[:n_inside]] = True
    is_large[named] = True
    large, small = np.flatnonzero(is_large), np.flatnonzero(~is_large)
    part = np.zeros(finer.n_inside, dtype=np.int64)
    part[large] = _link_groups(distance[np.ix_(large, large)], np.isin(large, named), n_inside)
    part[small] = part[large[distance[np.ix_(small, large)].argmin(axis=1)]]
    number = np.full(n_inside, -1)
    number[part[named]] = named
    number[number < 0] = np.setdiff1d(np.arange(n_inside), named)
    return np.asarray(number[part], dtype=np.int64)


def _link_groups(distance: Floats, named: NDArray[np.bool_], n_parts: int) -> Ints:
    """Cluster groups by average linkage."""
    if len(distance) <= n_parts:
        return np.arange(len(distance))
    tree = linkage(squareform(distance + FAR * np.outer(named, named), checks=False), "average")
    return np.asarray(fcluster(tree, n_parts, "maxclust") - 1, dtype=np.int64)
