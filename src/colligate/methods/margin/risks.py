"""The risks of the weights W (groups × features): convex, at least 0, and piecewise linear in the scores.

A risk depends on W through its scores, which are linear in W, so that a line of W is a line of scores.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from colligate.methods.loop import Labels
    from colligate.methods.margin.features import Features

    Floats = NDArray[np.float64]
    Line = Callable[[float], float]


class Cut(NamedTuple):
    """A plane below a risk: slope in W, offset, and for documents the shortfalls that are summed."""

    slope: Floats
    offset: float
    choice: NDArray[np.bool_] | None = None


class Risk(Protocol):
    """One term of the weighted sum that the bundle method minimises."""

    @property
    def weight(self) -> float:
        """The factor of the risk in the objective."""

    def scores(self, W: Floats) -> Floats:
        """Return the scores through which the risk depends on W."""

    def value(self, scores: Floats) -> float:
        """Return the risk."""

    def along(self, scores: Floats, others: Floats) -> Line:
        """Return the risk as a function of the share of the way from `scores` to `others`."""

    def cut(self, scores: Floats) -> Cut:
        """Return a plane below the risk that touches it at these scores."""


@dataclass(frozen=True, eq=False)
class TargetRisk:
    """Documents should score 1 higher in their group u(d) than elsewhere (m2dcu-0, eq. 1; paper, eq. 11).

    R(W) = 1/(n·K) · Σ_d Σ_{r ≠ u(d)} max(0, 1 − w_u(d)·x_d + w_r·x_d)
    """

    features: Features
    groups: Labels
    weight: float

    def scores(self, W: Floats) -> Floats:
        """See `Risk`."""
        return self.features.scores(W)

    def value(self, scores: Floats) -> float:
        """See `Risk`."""
        return float(np.maximum(_shortfalls(scores, self.groups), 0.0).sum()) / scores.size

    def along(self, scores: Floats, others: Floats) -> Line:
        """See `Risk`; shortfalls are linear in the scores, so they are computed only twice."""
        begin = _shortfalls(scores, self.groups)
        step = _shortfalls(others, self.groups) - begin
        return lambda share: float(np.maximum(begin + share * step, 0.0).sum()) / begin.size

    def cut(self, scores: Floats) -> Cut:
        """See `Risk`; made of the documents and groups of the paper's equation 20."""
        choice = violated_margins(scores, self.groups)
        return Cut(*make_target_plane(self.features, choice, self.groups), choice)


def violated_margins(scores: Floats, groups: Labels) -> NDArray[np.bool_]:
    """Return documents × groups: over which groups a document's lead is below 1 (paper, eq. 20)."""
    return np.asarray(_shortfalls(scores, groups) > 0)


def make_target_plane(features: Features, choice: NDArray[np.bool_], groups: Labels) -> tuple[Floats, float]:
    """Return the mean of the chosen shortfalls as slope in W and offset."""
    table, number = signed_counts(choice, groups)
    return features.sums(table / table.size), number / table.size


def signed_counts(choice: NDArray[np.bool_], groups: Labels) -> tuple[Floats, float]:
    """Return how often each score is added or subtracted in the sum of shortfalls, and their number."""
    table = choice.astype(np.float64)
    documents = np.arange(len(table))
    # a choice made for other groups may include what is now the document's own
    table[documents, groups] = 0.0
    sums = table.sum(axis=1)
    table[documents, groups] = -sums
    return table, float(sums.sum())


def hinge_losses(scores: Floats, groups: Labels) -> Floats:
    """Return the loss of each document in its group: the sum of its hinges against the other groups."""
    return np.asarray(np.maximum(_shortfalls(scores, groups), 0.0).sum(axis=1))


def _shortfalls(scores: Floats, groups: Labels) -> Floats:
    """Return 1 − w_u·x + w_r·x; 0 for r = u, which the paper's equation 11 counts as a constant."""
    documents = np.arange(len(scores))
    shortfalls = 1.0 + scores - scores[documents, groups][:, None]
    shortfalls[documents, groups] = 0.0
    return np.asarray(shortfalls)


@dataclass(frozen=True, eq=False)
class OutsiderRisk:
    """Outsiders should score about the same in all groups (m2dcu, eq. 1; paper, eq. 12, which is convex).

    R(W) = 1/N · Σ_j max(0, K/(K−1)·(max_k w_k·x_j − mean_k w_k·x_j) − ε)
    """

    features: Features
    epsilon: float
    weight: float

    def scores(self, W: Floats) -> Floats:
        """See `Risk`."""
        return self.features.scores(W)

    def value(self, scores: Floats) -> float:
        """See `Risk`."""
        return float(np.maximum(margins(scores) - self.epsilon, 0.0).mean())

    def along(self, scores: Floats, others: Floats) -> Line:
        """See `Risk`."""
        return lambda share: self.value(scores + share * (others - scores))

    def cut(self, scores: Floats) -> Cut:
        """See `Risk`; the outsiders of the paper's equation 21."""
        n_outsiders, n_groups = scores.shape
        beyond = margins(scores) > self.epsilon
        # the slope (m2dcu, eq. 1): 1/N for the best group, and −1/(N·(K − 1)) for each of the others
        each = 1.0 / (n_outsiders * max(n_groups - 1, 1))
        table = np.where(beyond[:, None], -each, 0.0) * np.ones(n_groups)
        table[np.arange(n_outsiders), scores.argmax(axis=1)] += beyond * (each * n_groups)
        return Cut(self.features.sums(table), -self.epsilon * float(beyond.mean()))


def margins(scores: Floats) -> Floats:
    """Return how far each best score is above the mean of the others: K/(K−1)·(max − mean) (m2dcu, eq. 2)."""
    n_groups = scores.shape[1]
    return np.asarray((scores.max(axis=1) - scores.mean(axis=1)) * (n_groups / max(n_groups - 1, 1)))


@dataclass(frozen=True, eq=False)
class BalanceRisk:
    """The mean scores m of two groups should differ by at most `slack`.

    R(W) = max(0, max_k m_k − min_k m_k − slack). With a weight above what the other risks can gain, it is a
    constraint.
    """

    features: Features
    slack: float
    weight: float

    def scores(self, W: Floats) -> Floats:
        """See `Risk`."""
        return self.features.mean_scores(W)

    def value(self, scores: Floats) -> float:
        """See `Risk`."""
        return max(0.0, float(np.ptp(scores)) - self.slack)

    def along(self, scores: Floats, others: Floats) -> Line:
        """See `Risk`."""
        return lambda share: self.value(scores + share * (others - scores))

    def cut(self, scores: Floats) -> Cut:
        """See `Risk`."""
        return Cut(*self._plane(len(scores), int(scores.argmax()), int(scores.argmin())))

    def planes(self, n_groups: int) -> Iterator[tuple[Floats, float]]:
        """Yield all planes: one for every ordered pair of groups."""
        return (self._plane(n_groups, *pair) for pair in permutations(range(n_groups), 2))

    def _plane(self, n_groups: int, above: int, below: int) -> tuple[Floats, float]:
        table = np.zeros(n_groups)
        table[above] += 1.0
        table[below] -= 1.0
        return self.features.mean_sums(table), -self.slack
