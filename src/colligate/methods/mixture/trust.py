"""How far each statement is trusted: by what the rest of the knowledge and the documents say of it.

Every run of the ensemble leaves out a part of the statements. The runs without a statement say how probable
it is, p. If a share ε of the statements of its kind is wrong, and a wrong one points to any of m others, it
is right with the probability (1 − ε)·p / ((1 − ε)·p + ε·(1 − p)/m). ε is where all of a kind are the most
probable, with a little faith before anything is seen. Runs may be too sure of themselves: then their odds
are worth a power of themselves, which is found together with ε.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate.methods.mixture.position import softmax

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from colligate.knowledge.guidance import PairLinks
    from colligate.methods.mixture.position import Position
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
    from colligate.network import parts_of

    found = np.zeros((len(problem.network.types[kind]), problem.n_groups))
    for part in parts_of(problem.network, problem.network.centre):
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
