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
from colligate.methods.mixture.terms import with_faith

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from colligate.methods.mixture.position import Position
    from colligate.methods.mixture.problem import MixtureProblem
    from colligate.methods.mixture.terms import Terms

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

# the weights tried, and the one expected
TRIED = (0.25, 0.5, 1.0, 2.0)
USUAL = 0.5
# nats against each doubling away from what is expected
SURE = 2.0
SWEEPS = 5
TOLERANCE = 1e-3


def found_faith(
    problem: MixtureProblem, uses: Sequence[Floats], tried: Sequence[Terms], runs: Sequence[Position]
) -> float:
    """The weight by the labels that runs left out."""
    member, group, statement = _labels(problem)
    out = np.array([use[statement] == 0 for use in uses])
    left = np.flatnonzero(out.any(axis=0))
    if not len(left) or all(terms.expert is None for terms in tried):
        return USUAL
    likely = []
    for weight in TRIED:
        found = np.zeros((len(left), problem.n_groups))
        for own, terms, run in zip(out, tried, runs, strict=True):
            at = descended(problem, with_faith(problem, terms, weight), run.memberships, SWEEPS, TOLERANCE)
            found += at.memberships[member[left]] * own[left, None]
        right = int(np.count_nonzero(found.argmax(axis=1) == group[left]))
        likely.append(_likelihood(right, len(left), problem.n_inside) - SURE * abs(np.log2(weight / USUAL)))
    share = np.exp(np.array(likely) - max(likely))
    return float(np.exp2(share @ np.log2(TRIED) / share.sum()))


def _labels(problem: MixtureProblem) -> tuple[Ints, Ints, Ints]:
    """Documents with a label, their groups, and the statements that say so."""
    none = np.zeros(0, dtype=np.int64)
    found: list[tuple[Ints, Ints, Ints]] = [(none, none, none)]
    for leaning in problem.names.leanings:
        if leaning.firm and leaning.kind == problem.network.centre:
            said = np.flatnonzero(leaning.statement >= 0)
            group = problem.group_of_name[leaning.name]
            found.append((leaning.member[said], group[said], leaning.statement[said]))
    member, group, statement = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return member, group, statement


def _likelihood(right: int, n_labels: int, n_groups: int) -> float:
    """How likely labels are of which some come right."""
    share = (right + 0.5) / (n_labels + 1.0)
    others = max(n_groups - 1.0, 1.0)
    return float(n_labels * (share * np.log(share) + (1.0 - share) * np.log((1.0 - share) / others)))
