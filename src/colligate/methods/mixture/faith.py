"""How much the classifier counts that labels teach.

It sees the same words as the mixture: where groups are plain to see its nats say little new, and where they
are not they may be worth more than the mixture's. So each run goes on for some sweeps with several weights,
and the labels that it left out say how good they are: if a share a of them comes right at a weight, and the
rest may be of any of m other groups, each has the likelihood a^a·((1 − a)/m)^(1 − a). What is found is the
geometric mean of the weights, by how probable each is, with a little faith before anything is seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate.methods.mixture.descent import descended
from colligate.methods.mixture.terms import make_terms, with_faith

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from colligate.methods.mixture.position import Position
    from colligate.methods.mixture.problem import MixtureProblem

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

# the weights tried, and the one expected
TRIED = (0.25, 0.5, 1.0, 2.0)
USUAL_FAITH = 0.5
# nats against each doubling away from what is expected
SURE = 2.0
SWEEPS = 5
TOLERANCE = 1e-3


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
