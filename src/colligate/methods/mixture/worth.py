"""What so many words of one document are worth: found without labels, from documents near each other.

Two documents of one neighbourhood are mostly of one group. If n words count n^e, their memberships by words
alone agree the more, the larger e is, as long as they do agree; where words speak too loudly, documents that
disagree cost more than those that agree gain. So e is where

    mean over pairs (d, d') of log Σ_k p(k|d)·p(k|d')/p(k)

is highest: the log-likelihood ratio of the pairs, against pairs drawn at random. Tables come from the other
half of the documents each time. The neighbour of a neighbour is taken, since neighbours themselves often
quote or copy each other. What it is worth to point where a group points, by embeddings, is found likewise.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from colligate.kernels import Rows
from colligate.methods.mixture.position import softmax

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from colligate.methods.mixture.evidence import Scale
    from colligate.methods.mixture.problem import MixtureProblem, View

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

PROBES = 2000
AROUND = 15
BLOCK = 256
EXPONENTS = np.arange(0.1, 1.001, 0.05)
CONCENTRATIONS = np.array([0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0, 14.0, 20.0])
SMOOTHING = 1.0
# directions as near as that are those of copies
COPY, ROUND = 0.9999, 3


def with_worth(problem: MixtureProblem, memberships: Floats) -> Scale:
    """The scale with an exponent for every relation, found from groups that need not be good."""
    assert problem.scale is not None
    found = problem.scale.exponent.copy()
    for part, (exponent, _) in agreements(problem, memberships).items():
        found[part] = exponent
    return replace(problem.scale, exponent=found)


def agreements(problem: MixtureProblem, memberships: Floats) -> dict[int, tuple[float, float]]:
    """For each relation the best exponent, and how far neighbours agree with it, in nats.

    Relations that too few neighbours have are left out.
    """
    assert problem.scale is not None
    assert problem.counts is not None
    rng = np.random.default_rng(0)
    pairs = _pairs(problem, rng)
    half = rng.random(problem.n_documents) < 0.5
    shares, occurrences = problem.scale.shares(problem.counts)
    found: dict[int, tuple[float, float]] = {}
    for part, (start, stop) in enumerate(
        zip(problem.scale.bounds[:-1].tolist(), problem.scale.bounds[1:].tolist(), strict=True)
    ):
        own = csr_array(shares[:, start:stop])
        both = np.diff(own.indptr)[pairs].all(axis=1)
        if both.sum() >= AROUND:
            sums = _cross_fitted(problem, own, memberships, occurrences[:, part], half)
            found[part] = _best(sums, occurrences[:, part], memberships, pairs[both])
    return found


def _pairs(problem: MixtureProblem, rng: np.random.Generator) -> Ints:
    """Documents, and each time another one two steps away; of copies one, if most pairs are copies."""
    unit, filled = np.asarray(problem.views[0].directions.unit), np.flatnonzero(problem.filled)
    found = _drawn(unit, filled, rng)
    copies = np.einsum("ij,ij->i", unit[found[:, 0]], unit[found[:, 1]]) > COPY
    if 2 * np.count_nonzero(copies) <= len(found):
        return found
    _, where = np.unique(unit[filled].round(ROUND), axis=0, return_index=True)
    return _drawn(unit, filled[np.sort(where)], rng)


def _drawn(unit: NDArray[np.float32], filled: Ints, rng: np.random.Generator) -> Ints:
    if len(filled) < 3:
        return np.zeros((0, 2), dtype=np.int64)
    first = rng.permutation(filled)[:PROBES]
    second = _near(unit, filled, _near(unit, filled, first, rng), rng)
    return np.asarray(np.column_stack([first, second])[first != second], dtype=np.int64)


def _near(unit: NDArray[np.float32], filled: Ints, where: Ints, rng: np.random.Generator) -> Ints:
    """For each document one of those nearest to it."""
    count = min(AROUND, len(filled) - 1)
    found = np.zeros(len(where), dtype=np.int64)
    for start in range(0, len(where), BLOCK):
        some = where[start : start + BLOCK]
        cosines = unit[some] @ unit[filled].T
        cosines[filled[None, :] == some[:, None]] = -np.inf
        nearest = np.sort(np.argpartition(-cosines, count - 1, axis=1)[:, :count], axis=1)
        chosen = rng.integers(count, size=len(some))
        found[start : start + BLOCK] = filled[nearest[np.arange(len(some)), chosen]]
    return found


def _cross_fitted(
    problem: MixtureProblem, shares: csr_array, q: Floats, occurrences: Floats, half: NDArray[np.bool_]
) -> Floats:
    """Each document's mean log lift in every group, by tables of the half it is not in."""
    total = np.bincount(shares.indices, shares.data, shares.shape[1])
    marginal = total / max(total.sum(), 1e-300)
    used = marginal > 0
    found = np.zeros_like(q)
    for own in (half, ~half):
        weighted = np.ascontiguousarray(q * (own * np.sqrt(occurrences))[:, None])
        table = problem.kernels.transposed_product(Rows.of(shares), weighted)
        table += SMOOTHING * table.sum() / q.shape[1] * marginal[:, None]
        table /= np.maximum(table.sum(axis=0), 1e-300)
        table[used] = np.log(np.maximum(table[used], 1e-300) / marginal[used, None])
        table[~used] = 0.0
        found[~own] = problem.kernels.product(Rows.of(shares), table)[~own]
    return found


def _best(sums: Floats, occurrences: Floats, q: Floats, pairs: Ints) -> tuple[float, float]:
    share = q.mean(axis=0)
    found = [
        _agreement([sums[side] * occurrences[side, None] ** exponent for side in pairs.T], share)
        for exponent in EXPONENTS
    ]
    best = int(np.argmax(found))
    return float(EXPONENTS[best]), found[best]


def _agreement(sides: Sequence[Floats], share: Floats) -> float:
    """How far the documents of pairs agree on their groups by the scores of both sides, in nats."""
    log_share = np.log(np.maximum(share, 1e-12))
    left, right = (softmax(scores + log_share) for scores in sides)
    both = np.sqrt(np.maximum(left.mean(axis=0) * right.mean(axis=0), 1e-300))
    return float(np.log(np.maximum((left * right / both).sum(axis=1), 1e-300)).mean())


def view_worth(problem: MixtureProblem, memberships: Floats, view: View) -> float:
    """The concentration of a view that documents near each other by words agree with; 0 if they do not."""
    rng = np.random.default_rng(0)
    pairs = _pairs(problem, rng)
    half = rng.random(problem.n_documents) < 0.5
    pairs = pairs[view.directions.filled[pairs].all(axis=1)]
    if len(pairs) < AROUND:
        return view.concentration
    unit = np.asarray(view.directions.unit, dtype=np.float64)
    cosines = np.zeros_like(memberships)
    for own in (half, ~half):
        sums = (memberships * (own & problem.filled)[:, None]).T @ unit
        centres = sums / np.maximum(np.sqrt(np.square(sums).sum(axis=1, keepdims=True)), 1e-300)
        cosines[~own] = unit[~own] @ centres.T
    share, sides = memberships.mean(axis=0), [cosines[side] for side in pairs.T]
    found = [_agreement([nats * side for side in sides], share) for nats in CONCENTRATIONS]
    return float(CONCENTRATIONS[int(np.argmax(found))])
