"""Where the mixture starts: from what several short runs agree on.

A run begins with spherical k-means, whose first centres are the documents that knowledge names. Each run
leaves out a part of the statements, so that the others can say what they make of them (see `trust`). Where
every group has a name, runs agree by the mean of their memberships; otherwise by `consensus`. For subjects of
uneven size runs have more groups, which are then merged (see `finer`).

What several runs agree on: documents that most runs put together are put together.

Runs number their groups as they like, so groups are compared by their members. Documents × (groups of all
runs) is a bipartite graph; its leading singular vectors, found from the small matrix of overlaps between
groups, place documents that share groups near each other, and spherical k-means reads the groups off
(cf. Fern and Brodley, 2004).

More groups than are wanted, those that point the same way then made one: for subjects of uneven size.

Groups of a mixture tend to be of one size: a subject with half of the documents is cut up where nothing
divides it, and small subjects share a group. Runs with more groups have room for both; then groups near each
other by their directions are merged, whatever their size. Where subjects are of one size this does harm, and
no measure that we tried can tell from the documents alone which it is. The user may say so, or links may:
those that runs leave out are more probable to runs that are right about it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import squareform

from colligate._array import one_hot
from colligate.methods.mixture.calibration import (
    USUAL_FAITH,
    divided,
    found_faith,
    found_trust,
    more_probable,
)
from colligate.methods.mixture.em import Position, descended, evaluated, mean_directions, placed
from colligate.methods.mixture.priors import Terms, make_terms
from colligate.methods.spherical import Directions, make_dense_directions, spherical_kmeans

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from colligate.kernels import Kernels
    from colligate.methods.loop import Labels
    from colligate.methods.mixture.problem import MixtureProblem

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

SWEEPS = 15
TOLERANCE = 1e-3
# how much of a document starts outside its group
ELSEWHERE = 0.1
TRIES = 5
# how many groups are found for each that is wanted
FINER = 2
# groups below this share of the mean size go to the one nearest to them, so that odd texts are no subject
SMALL = 0.25
# farther than directions can be: two groups that have a name each are never merged
FAR = 1e6
# what is known of a problem whatever the number of groups
SHARED = ("evidence", "mass", "filled", "together", "share", "n_statements")


@dataclass(frozen=True, eq=False)
class Start:
    """Memberships to begin with, the trust in every statement, and the groups that each run found.

    Statements that are not `judged` are taken as right; `faith` is what the classifier of labels counts.
    """

    memberships: Floats
    trust: Floats
    faith: float
    judged: NDArray[np.bool_]
    runs: tuple[Labels, ...]


def begun(problem: MixtureProblem, n_runs: int, rng: np.random.Generator) -> Start:
    """What the runs agree on."""
    uses, ends = _runs(problem, divided(problem, n_runs, rng), rng)
    trust, judged = found_trust(problem, uses, ends)
    runs = tuple(_labels(problem, end) for end in ends)
    faith = found_faith(problem, uses, ends)
    terms = make_terms(problem, trust, faith)
    return Start(_common(problem, terms, ends, runs, rng), trust, faith, judged, runs)


def _runs(
    problem: MixtureProblem, uses: list[Floats], rng: np.random.Generator
) -> tuple[list[Floats], list[Position]]:
    """The runs: which statements each uses, and where it gets to.

    Where subjects are uneven, by the user's word or by that of links left out, groups are finer and merged.
    """
    some = uses[: len(uses) // 2]
    linked = problem.known is not None and len(problem.known.pairs) > 0 and len(some) > 1
    finer = finer_of(problem) if problem.uneven_sizes or linked else None
    if problem.uneven_sizes and finer is not None:
        return uses, list(_merged_ends(problem, finer, uses, rng))
    ends = list(_ends(problem, uses, rng))
    if finer is None:
        return uses, ends
    others = list(_merged_ends(problem, finer, some, rng.spawn(1)[0]))
    return (some, others) if more_probable(problem, some, others, ends[: len(some)]) else (uses, ends)


def _ends(problem: MixtureProblem, uses: Sequence[Floats], rng: np.random.Generator) -> Iterator[Position]:
    """Where a run gets to with the statements of each use."""
    for number, use in enumerate(uses):
        terms = make_terms(problem, use, USUAL_FAITH)
        q = softened(problem, terms, _first(problem, terms, rng, seeded=number % 2 == 0))
        yield descended(problem, terms, q, SWEEPS, TOLERANCE)


def _merged_ends(
    problem: MixtureProblem, finer: MixtureProblem, uses: Sequence[Floats], rng: np.random.Generator
) -> Iterator[Position]:
    """Where runs with finer groups get to, these merged."""
    for use, end in zip(uses, _ends(finer, uses, rng), strict=True):
        q = merged(finer, end.memberships, problem.n_inside)
        yield evaluated(problem, make_terms(problem, use, USUAL_FAITH), q)


def given_start(problem: MixtureProblem, labels: Labels) -> Start:
    """A start from the user's own groups, numbered so that those with a name come where it wants them."""
    trust = np.ones(problem.n_statements)
    terms = make_terms(problem, trust, USUAL_FAITH)
    seeds = _seeds(problem, terms)
    if seeds is not None:
        labels = _named(problem, labels, seeds)
    return Start(softened(problem, terms, labels), trust, USUAL_FAITH, np.zeros(len(trust), dtype=bool), ())


def _common(
    problem: MixtureProblem,
    terms: Terms,
    ends: list[Position],
    runs: tuple[Labels, ...],
    rng: np.random.Generator,
) -> Floats:
    mean = np.mean([end.memberships for end in ends], axis=0)
    named = np.unique(problem.group_of_name)
    if len(ends) == 1 or len(named) >= problem.n_inside:
        return placed(terms, np.log(np.maximum(mean, 1e-300)))
    inside = [np.where(run < problem.n_inside, run, -1).astype(np.int32) for run in runs]
    labels = agreed(problem.kernels, inside, problem.n_inside, rng)
    if len(named):
        # the runs number named groups alike, and the others as they like
        own = named[mean[:, named].argmax(axis=1)]
        clear = mean[:, named].max(axis=1) > 1.0 / 2.0
        labels = renumbered(labels, np.where(clear, own, -1).astype(np.int32), problem.n_inside)
    if problem.outside is not None:
        beyond = mean[:, problem.n_inside :]
        out = beyond.sum(axis=1) > 1.0 / 2.0
        labels = np.where(out, problem.n_inside + beyond.argmax(axis=1), labels).astype(np.int32)
    return softened(problem, terms, labels)


def _first(problem: MixtureProblem, terms: Terms, rng: np.random.Generator, *, seeded: bool) -> Labels:
    """Groups around what knowledge names, or groups found without it that are then named by it."""
    seeds = _seeds(problem, terms)
    if seeds is None or seeded:
        return first_labels(problem, rng, seeds)
    return _named(problem, first_labels(problem, rng, None), seeds)


def _named(problem: MixtureProblem, labels: Labels, seeds: Labels) -> Labels:
    """Groups inside numbered as their seeds want it; groups of outsiders stay what they are."""
    inside = np.where(labels < problem.n_inside, labels, -1).astype(np.int32)
    found = renumbered(inside, seeds, problem.n_inside)
    return np.where(labels < problem.n_inside, found, labels).astype(np.int32)


def first_labels(problem: MixtureProblem, rng: np.random.Generator, seeds: Labels | None) -> Labels:
    """Spherical k-means from seeds, where there are any; outsiders draw those near them to their groups."""
    objects, outside = problem.together, problem.outside
    if outside is None:
        return spherical_kmeans(problem.kernels, objects, problem.n_inside, rng, seeds)
    apart = np.zeros(problem.n_documents, dtype=bool)
    apart[outside.members] = True
    beyond = Directions(objects.unit, objects.filled & apart)
    others = spherical_kmeans(problem.kernels, beyond, outside.n_groups, rng)
    # groups of outsiders come first here, since those that no seed speaks for must come last
    first = np.full(len(apart), -1) if seeds is None else np.where(seeds >= 0, seeds + outside.n_groups, -1)
    first = np.where(apart, others, first).astype(np.int32)
    labels = spherical_kmeans(problem.kernels, objects, problem.n_groups, rng, first)
    labels = np.where(apart, others, labels)
    return np.where(labels >= 0, (labels - outside.n_groups) % problem.n_groups, -1).astype(np.int32)


def _seeds(problem: MixtureProblem, terms: Terms) -> Labels | None:
    """Documents with a label, those said to be of a group, and those whose words clearly lean to one."""
    seeds = terms.firm.copy()
    for table in (terms.said, terms.votes):
        if table is not None:
            most = table.max(axis=1)
            clear = (seeds < 0) & (most > 0) & (2.0 * most > table.sum(axis=1))
            seeds = np.where(clear, table.argmax(axis=1), seeds).astype(np.int32)
    if problem.outside is not None:
        seeds[problem.outside.members] = -1
    return seeds if (seeds >= 0).any() else None


def softened(problem: MixtureProblem, terms: Terms, labels: Labels) -> Floats:
    """Most of each document in its group, the rest in all that are open to it."""
    q = np.full((len(labels), problem.n_groups), ELSEWHERE / problem.n_groups)
    if problem.closed is not None:
        q[problem.closed] = 0.0
    there = np.flatnonzero(labels >= 0)
    q[there, labels[there]] += 1.0 - ELSEWHERE
    return placed(terms, np.log(np.maximum(q, 1e-300)))


def _labels(problem: MixtureProblem, at: Position) -> Labels:
    return np.where(problem.filled, at.memberships.argmax(axis=1), -1).astype(np.int32)


def agreed(kernels: Kernels, runs: Sequence[Labels], n_groups: int, rng: np.random.Generator) -> Labels:
    """One grouping for all runs; documents in no group of any run stay in none."""
    stacked = sparse.csr_array(sparse.hstack([one_hot(labels, n_groups) for labels in runs], format="csr"))
    size = np.maximum(np.asarray(stacked.sum(axis=0)).ravel(), 1.0)
    scaled = sparse.csr_array(stacked / np.sqrt(size))
    overlaps = np.asarray((scaled.T @ scaled).todense())
    _, vectors = np.linalg.eigh(overlaps)
    rows = np.asarray(scaled @ np.ascontiguousarray(vectors[:, -n_groups:]))
    objects = make_dense_directions(rows, np.diff(stacked.indptr) > 0)
    tries = [spherical_kmeans(kernels, objects, n_groups, rng) for _ in range(TRIES)]
    unit = np.asarray(objects.unit, dtype=np.float64)
    return max(tries, key=lambda labels: _closeness(unit, labels, n_groups))


def _closeness(unit: Floats, labels: Labels, n_groups: int) -> float:
    """The sum of cosines to the mean direction of the own group."""
    sums = one_hot(labels, n_groups).T @ unit
    return float(np.sqrt(np.square(sums).sum(axis=1)).sum())


def renumbered(labels: Labels, like: Labels, n_groups: int) -> Labels:
    """The same groups, numbered so that they share as many documents as can be with those of others."""
    both = (labels >= 0) & (like >= 0)
    overlap = np.zeros((n_groups, n_groups))
    np.add.at(overlap, (labels[both], like[both]), 1.0)
    own, other = linear_sum_assignment(-overlap)
    number = np.zeros(n_groups, dtype=np.int32)
    number[own] = other
    return np.where(labels >= 0, number[labels], -1).astype(np.int32)


def stability(runs: Sequence[Labels], labels: Labels, n_groups: int) -> NDArray[np.float32]:
    """For each document the share of runs that put it in its group, once their groups are matched.

    NaN for documents that are in no group, or were in none in any run.
    """
    if not runs:
        return np.zeros(0, dtype=np.float32)
    alike = [renumbered(run, labels, n_groups) == labels for run in runs]
    seen = (labels >= 0) & (np.max(runs, axis=0) >= 0)
    return np.where(seen, np.mean(alike, axis=0), np.nan).astype(np.float32)


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
