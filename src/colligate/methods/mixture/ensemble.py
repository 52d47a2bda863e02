"""The start: an ensemble of short runs that hold statements out, and the consensus of their groups.

A run starts from spherical k-means around the documents that knowledge names. Where every group has a name,
the consensus is the mean of the responsibilities. Otherwise the groups of all runs are clustered as a
bipartite graph (Fern and Brodley, 2004). Half of the runs have more groups than wanted, which are merged
(`merged_groups.py`); of both halves, the consensus with the lower F wins.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from scipy.optimize import linear_sum_assignment
from scipy.special import entr

from colligate._array import one_hot
from colligate.kernels.arrays import softmax
from colligate.methods.mixture.calibration import (
    discount_seeds,
    estimate_reliability,
    fit_classifier_weight,
    seed_precision,
    split_statements,
)
from colligate.methods.mixture.em import (
    TINY,
    EMState,
    Estimate,
    clamp,
    run_em,
    update_parameters,
)
from colligate.methods.mixture.implied_links import ImpliedLinks, weigh_implied_links
from colligate.methods.mixture.merged_groups import merge_clusters, overcluster
from colligate.methods.mixture.priors import Priors, find_linked_groups, make_priors, select_groups
from colligate.methods.spherical import (
    Directions,
    draw_kmeans,
    make_dense_directions,
    spherical_kmeans,
)
from colligate.progress import report

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from colligate.kernels import Kernels
    from colligate.methods.loop import Labels
    from colligate.methods.mixture.problem import MixtureProblem
    from colligate.methods.outsiders import OutsiderGroups

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

EQUAL_TOLERANCE = 1e-6
"""Values that differ by less than this share are equal: single precision differs between devices."""

MAX_DOUBLE = 2**25
"""More responsibilities of a run than this, which are 268 MB, are kept in single precision."""


@dataclass(frozen=True, eq=False)
class Start:
    """Responsibilities to start from, and what the ensemble estimated.

    Statements that are not `judged` have a reliability of 1. `agreement` is the mean posterior of the runs;
    None if there was one run at most. `linked_groups` has the groups of documents with links, which teach
    the classifier; None if there are no links.
    """

    resp: Floats
    reliability: Floats
    beta: float
    judged: NDArray[np.bool_]
    agreement: NDArray[np.float32] | None
    implied_links: ImpliedLinks
    linked_groups: Labels | None


def initialize(problem: MixtureProblem, n_ensemble: int, rng: np.random.Generator) -> Start:
    """Run the ensemble, estimate reliability and β from held-out statements, and find the best consensus."""
    constants = problem.constants
    # the draws of a run without knowledge, so that its starts are among those that compete
    bare_rng = deepcopy(rng)
    uses = split_statements(problem, n_ensemble, rng)
    ensemble = _run_ensemble(problem, uses, rng)
    runs = ensemble.runs
    reliability, judged = estimate_reliability(problem, uses, runs)
    implied_links = _judge_implied_links(problem, [run.resp for run in runs], reliability, judged)
    beta = fit_classifier_weight(problem, uses, runs)
    priors = make_priors(problem, reliability, beta)
    starts = [
        Candidate(consensus_resp(problem, priors, family.runs, rng), family.exponent)
        for family in ensemble.families
    ]
    # labels may join what words keep apart: then groups by words are no rival
    if problem.runs_use_knowledge and not problem.document_labels and n_ensemble > 1:
        rivals = list(_starts_without_knowledge(problem, priors, n_ensemble, bare_rng))
        precision = seed_precision(problem, uses, runs)
        if precision is not None and precision < constants.min_seed_precision:
            reliability = discount_seeds(problem, reliability)
            priors, starts = make_priors(problem, reliability, beta), rivals
        else:
            starts += rivals
    # links move their documents first, and what these teach comes after
    is_decided = len(starts) == 1 and priors.links is None
    resp = starts[0].resp if is_decided else _reach_lowest(problem, priors, starts)
    agreement = None
    if len(runs) > 1:
        start_labels = np.where(problem.filled, resp.argmax(axis=1), -1).astype(np.int32)
        agreement = run_agreement([run.resp for run in runs], start_labels, problem.n_groups)
    linked_groups = find_linked_groups(problem, priors, resp)
    return Start(resp, reliability, beta, judged, agreement, implied_links, linked_groups)


@dataclass(frozen=True, eq=False)
class Candidate:
    """Responsibilities that compete to be the start, and the exponent of a family."""

    resp: Floats
    exponent: float | None


def _reach_lowest(problem: MixtureProblem, priors: Priors, starts: Sequence[Candidate]) -> Floats:
    """Run EM from each start, and return the responsibilities at the lowest F; of equals the first.

    Merged groups must be lower by a margin. Starts whose groups contradict the labels do not compete.
    """
    tasks = (partial(_run_from_start, problem, priors, start.resp) for start in starts)
    results = problem.kernels.run_side_by_side(tasks, problem.max_running)
    value = np.array([result.free_energy for result in results])
    margins = [
        _find_margin(problem, start.exponent, result.resp)
        for start, result in zip(starts, results, strict=True)
    ]
    value += np.array(margins) * np.abs(value)
    if len(priors.labelled):
        value[~_fit_labels(np.array([result.accuracy for result in results]), len(priors.labelled))] = np.inf
    is_lowest = value <= value.min() + EQUAL_TOLERANCE * abs(value.min())
    return results[int(is_lowest.argmax())].resp


def _find_margin(problem: MixtureProblem, exponent: float | None, resp: Floats) -> float:
    """Return the share of F by which groups must be lower than others to be the start.

    Uneven groups by average linkage may be higher, unless seed words for all groups tell which are right.
    """
    constants = problem.constants
    if exponent is None:
        return 0.0
    if exponent > 0.0 or _has_seeds_of_all_groups(problem):
        return constants.merge_margin
    labels = resp[problem.filled].argmax(axis=1)
    sizes = np.bincount(labels[labels < problem.n_inside], minlength=problem.n_inside)
    entropy = entr(sizes / max(sizes.sum(), 1)).sum()
    is_uneven = entropy <= constants.uneven_entropy * np.log(problem.n_inside)
    return constants.uneven_margin if is_uneven else constants.merge_margin


def _has_seeds_of_all_groups(problem: MixtureProblem) -> bool:
    """Return whether every group has a seed word."""
    groups = {
        group
        for entries in problem.feature_seeds
        for group in np.unique(problem.group_of_name[entries.name]).tolist()
    }
    return len(groups) >= problem.n_inside


@dataclass(frozen=True, eq=False)
class StartRun:
    """What EM reaches from a start, and the share of the labelled documents that their features place right.

    A document is placed by its features alone here, without its label and without the classifier.
    """

    resp: Floats
    free_energy: float
    accuracy: float


def _run_from_start(problem: MixtureProblem, priors: Priors, resp: Floats) -> StartRun:
    """Run EM from responsibilities, and see how it fits the labels."""
    constants, labelled = problem.constants, priors.labelled
    state = run_em(problem, priors, resp, constants.ensemble_max_iter, constants.ensemble_tol)
    accuracy = 1.0
    if len(labelled):
        placed = _feature_scores(priors, state, labelled).argmax(axis=1)
        accuracy = float((placed == priors.clamped[labelled]).mean())
    return StartRun(state.resp, state.free_energy, accuracy)


def _fit_labels(accuracy: Floats, n_labels: int) -> NDArray[np.bool_]:
    """Return which starts are within a standard error of the one that fits the labels best.

    Labels may join what words keep apart, as two languages: F would prefer groups by words.
    """
    mean = (accuracy + accuracy.max()) / 2.0
    error = np.sqrt(2.0 * mean * (1.0 - mean) / n_labels)
    return np.asarray(accuracy.max() - accuracy <= error)


def _feature_scores(priors: Priors, state: EMState, documents: Ints) -> Floats:
    """Return the scores of documents without the prior scores."""
    scores = state.scores[documents]
    return scores if priors.u is None else scores - priors.u[documents]


def _starts_without_knowledge(
    problem: MixtureProblem, priors: Priors, n_runs: int, rng: np.random.Generator
) -> Iterator[Candidate]:
    """Yield the consensus of runs without any statement; names go to the groups with their documents.

    Runs with knowledge may bend all groups to a few statements. EM does not find back from there.
    """
    seeds = _seed_labels(problem, priors)
    # a use of 0 leaves all statements out
    for family in _run_ensemble(problem, [np.zeros(problem.n_statements)] * n_runs, rng).families:
        labels = consensus_labels(
            problem.kernels,
            [_inside_labels(problem, run) for run in family.runs],
            problem.n_inside,
            rng,
            problem.constants.consensus_n_init,
        )
        if seeds is not None:
            labels = _match_seeds(problem, labels, seeds)
        yield Candidate(smooth_labels(problem, priors, labels), family.exponent)


def _inside_labels(problem: MixtureProblem, run: Estimate) -> Labels:
    """Return the group of every document in a run; -1 in groups of outsiders and without features."""
    labels = run.resp.argmax(axis=1)
    return np.where(problem.filled & (labels < problem.n_inside), labels, -1).astype(np.int32)


def initialize_from_labels(problem: MixtureProblem) -> Start:
    """Start from the user's groups, which keep their numbers."""
    assert problem.init is not None
    reliability, beta = np.ones(problem.n_statements), problem.constants.default_beta
    judged = np.zeros(problem.n_statements, dtype=bool)
    priors = make_priors(problem, reliability, beta)
    resp = smooth_labels(problem, priors, problem.init)
    implied_links = _judge_implied_links(problem, [resp], reliability, judged)
    linked_groups = find_linked_groups(problem, priors, resp)
    return Start(resp, reliability, beta, judged, None, implied_links, linked_groups)


def _judge_implied_links(
    problem: MixtureProblem, resps: Sequence[Floats], reliability: Floats, judged: NDArray[np.bool_]
) -> ImpliedLinks:
    """Weigh the links of groups of features, and fill in the reliability of their members."""
    links = weigh_implied_links(problem, resps)
    reliability[links.statement], judged[links.statement] = links.reliability, True
    return links


@dataclass(frozen=True, eq=False)
class Family:
    """Runs that have a consensus, and the exponent of the merging of their groups; None if not merged."""

    runs: list[Estimate]
    exponent: float | None


@dataclass(frozen=True, eq=False)
class Ensemble:
    """The runs, one for each use of statements, and the families of runs that have a consensus each."""

    runs: list[Estimate]
    families: list[Family]


def _run_ensemble(problem: MixtureProblem, uses: Sequence[Floats], rng: np.random.Generator) -> Ensemble:
    """Run EM with the statements of each use: the first half as it is, the others with more groups, merged.

    A single run is as it is. Where the user says that sizes are uneven, groups of all runs are merged.
    """
    says_uneven = problem.uneven_sizes is True
    finer = None if len(uses) == 1 and not says_uneven else overcluster(problem)
    n_plain = len(uses) if finer is None else 0 if says_uneven else len(uses) // 2
    exponents = _list_exponents(problem)
    tasks = _draw_runs(problem, uses[:n_plain], rng, lambda _, run: [_keep_estimate(run)])
    if finer is not None:
        merge = _merge_in_every_way(problem, finer, exponents)
        tasks = chain(tasks, _draw_runs(finer, uses[n_plain:], rng, merge))
    largest = problem if finer is None else finer
    results = problem.kernels.run_side_by_side(tasks, largest.max_running)
    plain = [run for (run,) in results[:n_plain]]
    if finer is None:
        return Ensemble(plain, [Family(plain, None)])
    merged = [list(runs) for runs in zip(*results[n_plain:], strict=True)]
    # those of the first exponent stand for their runs
    families = [Family(plain, None)] if plain else []
    families += [Family(runs, exponent) for runs, exponent in zip(merged, exponents, strict=True)]
    return Ensemble([*plain, *merged[0]], families)


def _list_exponents(problem: MixtureProblem) -> tuple[float, ...]:
    """List how much merging avoids large groups; 0, which is average linkage, does not look at sizes."""
    if problem.uneven_sizes is True:
        return (0.0,)
    exponents = problem.constants.size_exponents
    return tuple(filter(None, exponents)) if problem.uneven_sizes is False else exponents


def _draw_runs(
    problem: MixtureProblem,
    uses: Sequence[Floats],
    rng: np.random.Generator,
    finish: Callable[[Priors, EMState], list[Estimate]],
) -> Iterator[Callable[[], list[Estimate]]]:
    """Yield a task for each use, which runs EM with its statements and returns what `finish` makes of it.

    The draws, the priors and the reports are made here, in order. Without labels, every other run finds
    groups first and names them then.
    """
    for number, use in enumerate(uses):
        report("starting", number, len(uses), f"run {number + 1} of {len(uses)}")
        priors = make_priors(problem, use, problem.constants.default_beta)
        seeds = _seed_labels(problem, priors)
        if seeds is None or problem.document_labels or number % 2 == 0:
            find_labels, names = draw_first_labels(problem, rng, seeds), None
        else:
            find_labels, names = draw_first_labels(problem, rng, None), seeds
        yield partial(_run_once, problem, priors, find_labels, names, finish)


def _run_once(
    problem: MixtureProblem,
    priors: Priors,
    find_labels: Callable[[], Labels],
    names: Labels | None,
    finish: Callable[[Priors, EMState], list[Estimate]],
) -> list[Estimate]:
    """Run EM from labels, whose groups get the numbers of `names` if there are any."""
    constants, labels = problem.constants, find_labels()
    if names is not None:
        labels = _match_seeds(problem, labels, names)
    resp = smooth_labels(problem, priors, labels)
    run = run_em(problem, priors, resp, constants.ensemble_max_iter, constants.ensemble_tol)
    return finish(priors, run)


def _keep_estimate(run: Estimate) -> Estimate:
    """Return what is kept of a run: no scores, and many responsibilities in single precision."""
    resp: NDArray[Any] = run.resp.astype(np.float32) if run.resp.size > MAX_DOUBLE else run.resp
    return Estimate(resp, run.log_phi_ratio, run.mu, run.log_pi)


def _merge_in_every_way(
    problem: MixtureProblem, finer: MixtureProblem, exponents: Sequence[float]
) -> Callable[[Priors, EMState], list[Estimate]]:
    """Return the function that merges the groups of a run with more groups, once for each exponent."""
    # names have the first groups, so that the priors of the merged groups are columns of the finer ones
    columns = np.r_[: problem.n_inside, finer.n_inside : finer.n_groups]

    def merge(priors: Priors, run: EMState) -> list[Estimate]:
        of_merged = select_groups(priors, columns, problem.n_inside)
        resps = (
            merge_clusters(finer, priors, run.resp, problem.n_inside, exponent) for exponent in exponents
        )
        return [_keep_estimate(update_parameters(problem, of_merged, resp)[0].on_host()) for resp in resps]

    return merge


# --- one run ---


def first_labels(problem: MixtureProblem, rng: np.random.Generator, seeds: Labels | None) -> Labels:
    """Run spherical k-means from seeds, if there are any; outsiders attract documents like them."""
    return draw_first_labels(problem, rng, seeds)()


def draw_first_labels(
    problem: MixtureProblem, rng: np.random.Generator, seeds: Labels | None
) -> Callable[[], Labels]:
    """Draw the centres of spherical k-means, or take seeds; return the function that finds the labels."""
    if problem.outside is None:
        return draw_kmeans(problem.kernels, problem.start_directions, problem.n_inside, rng, seeds)
    labels = _labels_beside_outsiders(problem, problem.outside, rng, seeds)
    return lambda: labels


def _labels_beside_outsiders(
    problem: MixtureProblem, outside: OutsiderGroups, rng: np.random.Generator, seeds: Labels | None
) -> Labels:
    """Run spherical k-means in which outsiders attract documents like them."""
    objects = problem.start_directions
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
    return clamp(priors, softmax(np.log(np.maximum(resp, TINY, out=resp), out=resp), problem.kernels))


def consensus_resp(
    problem: MixtureProblem,
    priors: Priors,
    runs: Sequence[Estimate],
    rng: np.random.Generator,
) -> Floats:
    """Combine the runs into responsibilities."""
    # one by one: an array of all would take as much memory again
    mean = runs[0].resp.astype(np.float64)
    for run in runs[1:]:
        mean += run.resp
    mean /= len(runs)
    named = np.unique(problem.group_of_name)
    if len(runs) == 1 or len(named) >= problem.n_inside:
        return clamp(priors, softmax(np.log(np.maximum(mean, TINY, out=mean), out=mean), problem.kernels))
    inside = [_inside_labels(problem, run) for run in runs]
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
    draws = (draw_kmeans(kernels, objects, n_groups, rng) for _ in range(n_init))
    candidates = kernels.run_side_by_side(draws, n_init)
    unit = np.asarray(objects.unit, dtype=np.float64)

    def sum_of_cosines(labels: Labels) -> float:
        sums = one_hot(labels, n_groups).T @ unit
        return float(np.sqrt(np.square(sums).sum(axis=1)).sum())

    sums = np.array([sum_of_cosines(labels) for labels in candidates])
    return candidates[int((sums >= sums.max() * (1.0 - EQUAL_TOLERANCE)).argmax())]


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


def run_agreement(resps: Sequence[Floats], labels: Labels, n_groups: int) -> NDArray[np.float32]:
    """Average the posteriors of runs, each read as one over the groups of `labels`.

    A group of a run stands for all groups that its documents are in, by their shares. So no run needs groups
    that match one to one: one that joins two groups says of a document that it is in either.
    """
    mean = np.zeros((len(labels), n_groups))
    for resp in resps:
        shares = np.asarray(one_hot(labels, n_groups).T @ resp)
        shares /= np.maximum(shares.sum(axis=0), TINY)
        mean += resp @ shares.T
    return (mean / max(len(resps), 1)).astype(np.float32)
