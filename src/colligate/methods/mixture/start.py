"""Where the mixture starts: from what several short runs agree on.

A run begins with spherical k-means, whose first centres are the documents that knowledge names. Each run
leaves out a part of the statements, so that the others can say what they make of them (see `trust`). Where
every group has a name, runs agree by the mean of their memberships; otherwise by `consensus`. For subjects of
uneven size runs have more groups, which are then merged (see `finer`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from colligate.methods.directions import Directions, spherical_labels
from colligate.methods.mixture.consensus import agreed, renumbered
from colligate.methods.mixture.descent import descended
from colligate.methods.mixture.faith import USUAL_FAITH, found_faith
from colligate.methods.mixture.finer import finer_of, merged
from colligate.methods.mixture.position import Position, evaluated, placed
from colligate.methods.mixture.terms import Terms, make_terms
from colligate.methods.mixture.trust import divided, found_trust, more_probable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from colligate.methods.mixture.problem import MixtureProblem
    from colligate.methods.state import Labels

    Floats = NDArray[np.float64]

SWEEPS = 15
TOLERANCE = 1e-3
# how much of a document starts outside its group
ELSEWHERE = 0.1


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
    finer = finer_of(problem) if problem.uneven or linked else None
    if problem.uneven and finer is not None:
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
        return spherical_labels(problem.kernels, objects, problem.n_inside, rng, seeds)
    apart = np.zeros(problem.n_documents, dtype=bool)
    apart[outside.members] = True
    beyond = Directions(objects.unit, objects.filled & apart)
    others = spherical_labels(problem.kernels, beyond, outside.n_groups, rng)
    # groups of outsiders come first here, since those that no seed speaks for must come last
    first = np.full(len(apart), -1) if seeds is None else np.where(seeds >= 0, seeds + outside.n_groups, -1)
    first = np.where(apart, others, first).astype(np.int32)
    labels = spherical_labels(problem.kernels, objects, problem.n_groups, rng, first)
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
