"""How far each statement is trusted: by what the rest of the knowledge and the documents say of it.

Every run of the ensemble leaves out a part of the statements. The runs without a statement say how probable
it is, p. If a share ε of the statements of its kind is wrong, and a wrong one points to any of m others, it
is right with the probability (1 − ε)·p / ((1 − ε)·p + ε·(1 − p)/m). ε is where all of a kind are the most
probable, with a little faith before anything is seen. Runs may be too sure of themselves: then their odds
are worth a power of themselves, which is found together with ε.

How much the classifier counts that labels teach.

It sees the same words as the mixture: where groups are plain to see its nats say little new, and where they
are not they may be worth more than the mixture's. So each run goes on for some sweeps with several weights,
and the labels that it left out say how good they are: if a share a of them comes right at a weight, and the
rest may be of any of m other groups, each has the likelihood a^a·((1 − a)/m)^(1 − a). What is found is the
geometric mean of the weights, by how probable each is, with a little faith before anything is seen.

How sure memberships should be: as sure as the runs agree.

Scores in nats add up evidence that is not independent, so that their softmax is too sure. Runs that start
elsewhere say how much of it holds: scores are divided by the temperature at which the mean of the largest
memberships is the mean share of runs that agree with the result. No group changes by it.

What so many words of one document are worth: found without labels, from documents near each other.

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

from colligate.kernels import SparseRows
from colligate.methods.mixture.em import descended, softmax
from colligate.methods.mixture.priors import make_terms, with_faith

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from colligate.knowledge.guidance import PairLinks
    from colligate.methods.mixture.em import Position
    from colligate.methods.mixture.features import Scale, View
    from colligate.methods.mixture.problem import MixtureProblem

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

# each statement is left out of one run in so many
EVERY = 3
# errors are looked for from one in a thousand on; so many statements are taken as seen before any is
ERRORS = np.geomspace(1e-3, 0.9, 60)
SEEN_RIGHT, SEEN_WRONG = 9.0, 0.5
POWERS = (1.0, 0.7, 0.5, 0.35, 0.25, 0.12, 0.06, 0.03)
# nats against each halving of the odds
SURE = 2.0
MOST = 50.0
FEWEST = 10
# so many standard errors are more than chance, and so much more probable is worth it
CLEARLY, WORTH_IT = 2.0, 0.02
# one occurrence of a word says little of where it belongs
OCCURRENCES = 5.0
TINY = 1e-12
# the weights tried, and the one expected
TRIED = (0.25, 0.5, 1.0, 2.0)
USUAL_FAITH = 0.5
SWEEPS = 5
TOLERANCE = 1e-3
# where there are no runs to ask
USUAL = 2.5
SOME = 20_000
HOTTEST = 64.0
STEPS = 30
PROBES = 2000
AROUND = 15
BLOCK = 256
EXPONENTS = np.arange(0.1, 1.001, 0.05)
CONCENTRATIONS = np.array([0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0, 14.0, 20.0])
SMOOTHING = 1.0
# directions as near as that are those of copies
COPY, ROUND = 0.9999, 3


def divided(problem: MixtureProblem, n_runs: int, rng: np.random.Generator) -> list[Floats]:
    """For each run, 1 for statements that it uses and 0 for those it leaves out.

    One run after the other leaves out another part, and then they are divided anew. A single run uses all,
    and so do all where statements are few; every name keeps something of its own.
    """
    found: list[Floats] = []
    for number in range(n_runs):
        if number % EVERY == 0:
            part = rng.integers(EVERY, size=problem.n_statements)
        used = (part != number % EVERY).astype(np.float64)
        for name in range(len(problem.names.names)):
            own = np.concatenate([np.zeros(0, np.int64), *_statements_of(problem, name)])
            own = own[own >= 0]
            if len(own) and not used[own].any():
                used[own] = 1.0
        few = n_runs == 1 or problem.n_statements < FEWEST
        found.append(np.ones(problem.n_statements) if few else used)
    return found


def _statements_of(problem: MixtureProblem, name: int) -> list[Ints]:
    return [leaning.statement[leaning.name == name] for leaning in problem.names.leanings]


def found_trust(
    problem: MixtureProblem, uses: Sequence[Floats], runs: Sequence[Position]
) -> tuple[Floats, NDArray[np.bool_]]:
    """How probable every statement is to be right, and which were judged; others are taken as right."""
    trust, judged = np.ones(problem.n_statements), np.zeros(problem.n_statements, dtype=bool)
    for statement, probable, others in _kinds(problem, runs):
        p = _left_out(statement, probable, uses)
        seen = np.flatnonzero(~np.isnan(p))
        if len(seen) < FEWEST:
            continue
        right = _right(p[seen], others)
        trust[statement[seen]] = np.minimum(trust[statement[seen]], right)
        judged[statement[seen]] = True
    return trust, judged


def more_probable(
    problem: MixtureProblem, uses: Sequence[Floats], ones: Sequence[Position], others: Sequence[Position]
) -> bool:
    """Whether links that runs leave out are clearly more probable to some runs than to others like them."""
    assert problem.known is not None
    pairs = problem.known.pairs
    one, other = (_left_out(pairs.statement, _as_said(pairs, runs), uses) for runs in (ones, others))
    further = (one - other)[~np.isnan(one)]
    if len(further) < FEWEST:
        return False
    return bool(further.mean() > max(CLEARLY * further.std() / np.sqrt(len(further)), WORTH_IT))


def _left_out(statement: Ints, probable: Floats, uses: Sequence[Floats]) -> Floats:
    """How probable each statement is to the runs that leave it out, in the mean; NaN if none does."""
    out = np.array([use[statement] == 0 for use in uses]) & (statement >= 0)
    counted = out.sum(axis=0)
    return np.where(counted > 0, (probable * out).sum(axis=0) / np.maximum(counted, 1), np.nan)


def _kinds(problem: MixtureProblem, runs: Sequence[Position]) -> list[tuple[Ints, Floats, float]]:
    """For each kind of statement: their numbers, how probable every run finds each, and how many others."""
    inside = problem.n_inside
    found = []
    for leaning in problem.names.leanings:
        group = problem.group_of_name[leaning.name]
        if leaning.kind == problem.network.centre:
            probable = np.array([run.memberships[leaning.member, group] for run in runs])
        else:
            probable = np.array(
                [_of_columns(problem, run, leaning.kind)[leaning.member, group] for run in runs]
            )
        found.append((leaning.statement, probable, max(inside - 1.0, 1.0)))
    known = problem.known
    if known is not None and len(known.pairs):
        said = _as_said(known.pairs, runs)
        for sign in (1, -1):
            own = known.pairs.sign == sign
            if own.any():
                found.append((known.pairs.statement[own], said[:, own], 1.0))
    return found


def _as_said(pairs: PairLinks, runs: Sequence[Position]) -> Floats:
    """How probable it is to every run that the documents of a pair are together or apart as is said."""
    same = np.array([_same(run, pairs.left, pairs.right) for run in runs])
    return np.where(pairs.sign > 0, same, 1.0 - same)


def _same(run: Position, left: Ints, right: Ints) -> Floats:
    """How probable two documents are in one group, if both answers were as likely before."""
    q = run.memberships
    together = np.einsum("ik,ik->i", q[left], q[right])
    chance = float(np.square(np.exp(run.log_share)).sum())
    odds = together / np.maximum(1.0 - together, TINY) * (1.0 - chance) / max(chance, TINY)
    return np.asarray(odds / (1.0 + odds))


def _of_columns(problem: MixtureProblem, run: Position, kind: str) -> Floats:
    """How probable each group is for some occurrences of an object, all groups as likely before."""
    from colligate.network import list_parts

    found = np.zeros((len(problem.network.types[kind]), problem.n_groups))
    for part in list_parts(problem.network, problem.network.centre):
        if part.other == kind:
            found += run.lifts[part.start : part.stop]
    return softmax(OCCURRENCES * found)


def _right(p: Floats, others: float) -> Floats:
    """The probability of each statement to be right."""
    p = np.clip(p, TINY, 1.0 - TINY)
    odds = np.log(p) - np.log((1.0 - p) / others)
    tried = {power: _fitted(odds * power, others) for power in POWERS}
    best = max(POWERS, key=lambda power: tried[power][0] + SURE * np.log2(power))
    return tried[best][1]


def _fitted(odds: Floats, others: float) -> tuple[float, Floats]:
    """How likely statements of these log odds are at the best share of errors, and who is right then."""
    p = 1.0 / (1.0 + others * np.exp(-np.clip(odds, -MOST, MOST)))
    wrong = (1.0 - p) / others
    likely = np.log(np.outer(1.0 - ERRORS, p) + np.outer(ERRORS, wrong)).sum(axis=1)
    likely += SEEN_RIGHT * np.log(1.0 - ERRORS) + SEEN_WRONG * np.log(ERRORS)
    best = int(likely.argmax())
    right, error = (1.0 - ERRORS[best]) * p, ERRORS[best] * wrong
    return float(likely[best]), np.asarray(right / (right + error))


def found_faith(problem: MixtureProblem, uses: Sequence[Floats], runs: Sequence[Position]) -> float:
    """The weight by the labels that runs left out."""
    member, group, statement = _labels(problem)
    out = np.array([use[statement] == 0 for use in uses])
    left = np.flatnonzero(out.any(axis=0))
    if not len(left) or len(np.unique(group)) < 2:
        return USUAL_FAITH
    found = np.zeros((len(TRIED), len(left), problem.n_groups))
    for use, own, run in zip(uses, out, runs, strict=True):
        terms = make_terms(problem, use, USUAL_FAITH)
        for index, weight in enumerate(TRIED):
            at = descended(problem, with_faith(problem, terms, weight), run.memberships, SWEEPS, TOLERANCE)
            found[index] += at.memberships[member[left]] * own[left, None]
    right = np.count_nonzero(found.argmax(axis=2) == group[left], axis=1)
    likely = _likelihood(right, len(left), problem.n_inside)
    likely -= SURE * np.abs(np.log2(np.array(TRIED) / USUAL_FAITH))
    share = np.exp(likely - likely.max())
    return float(np.exp2(share @ np.log2(TRIED) / share.sum()))


def _labels(problem: MixtureProblem) -> tuple[Ints, Ints, Ints]:
    """Documents with words and a label, their groups, and the statements that say so."""
    none = np.zeros(0, dtype=np.int64)
    found: list[tuple[Ints, Ints, Ints]] = [(none, none, none)]
    for leaning in problem.names.leanings:
        if leaning.firm and leaning.kind == problem.network.centre:
            said = np.flatnonzero((leaning.statement >= 0) & problem.filled[leaning.member])
            group = problem.group_of_name[leaning.name]
            found.append((leaning.member[said], group[said], leaning.statement[said]))
    member, group, statement = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return member, group, statement


def _likelihood(right: Ints, n_labels: int, n_groups: int) -> Floats:
    """How likely labels are of which some come right, more than by a guess."""
    others = max(n_groups - 1.0, 1.0)
    share = np.maximum((right + 0.5) / (n_labels + 1.0), 1.0 / (others + 1.0))
    return np.asarray(n_labels * (share * np.log(share) + (1.0 - share) * np.log((1.0 - share) / others)))


def temperature(scores: Floats, stability: NDArray[np.float32]) -> float:
    """At least 1; documents in no group must be left out by the caller."""
    step = max(1, len(scores) // SOME)
    some = scores[::step] - scores[::step].max(axis=1, keepdims=True)
    wanted = float(stability[::step].mean()) if len(some) else 1.0
    low, high = 1.0, HOTTEST
    if not len(some) or _sureness(some, low) <= wanted:
        return low
    for _ in range(STEPS):
        middle = float(np.sqrt(low * high))
        low, high = (middle, high) if _sureness(some, middle) > wanted else (low, middle)
    return low


def _sureness(scores: Floats, at: float) -> float:
    """The mean of the largest memberships."""
    return float((1.0 / np.exp(scores / at).sum(axis=1)).mean())


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
        table = problem.kernels.transposed_product(SparseRows.of(shares), weighted)
        table += SMOOTHING * table.sum() / q.shape[1] * marginal[:, None]
        table /= np.maximum(table.sum(axis=0), 1e-300)
        table[used] = np.log(np.maximum(table[used], 1e-300) / marginal[used, None])
        table[~used] = 0.0
        found[~own] = problem.kernels.product(SparseRows.of(shares), table)[~own]
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
