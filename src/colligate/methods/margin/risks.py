"""The risks of a weight matrix W (groups × features): convex, at least 0, and piecewise linear in the scores.

A risk sees W through its scores, which are linear in it, so that a line of W is a line of scores.
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
    """A plane below a risk: slope in W, offset, and for the documents the shortfalls that are summed."""

    slope: Floats
    offset: float
    choice: NDArray[np.bool_] | None = None


class Risk(Protocol):
    """What a bundle minimises a weighted sum of."""

    @property
    def weight(self) -> float:
        """How much the risk counts."""

    def scores(self, weights: Floats) -> Floats:
        """What the risk sees of W."""

    def value(self, scores: Floats) -> float:
        """The risk at some scores."""

    def along(self, scores: Floats, others: Floats) -> Line:
        """The risk by how far one has gone from some scores to others."""

    def cut(self, scores: Floats) -> Cut:
        """A plane below the risk that touches it at these scores."""


@dataclass(frozen=True, eq=False)
class TargetRisk:
    """Documents in given groups should score there 1 higher than elsewhere (equation 11).

    R(W) = 1/(n·K) · Σ_d Σ_{r ≠ u(d)} max(0, 1 − w_u(d)·x_d + w_r·x_d)
    """

    features: Features
    groups: Labels
    weight: float

    def scores(self, weights: Floats) -> Floats:
        """See `Risk`."""
        return self.features.scores(weights)

    def value(self, scores: Floats) -> float:
        """See `Risk`."""
        return float(np.maximum(_shortfalls(scores, self.groups), 0.0).sum()) / scores.size

    def along(self, scores: Floats, others: Floats) -> Line:
        """See `Risk`; the shortfalls are linear in the scores, so that they are found but twice."""
        begin = _shortfalls(scores, self.groups)
        step = _shortfalls(others, self.groups) - begin
        return lambda share: float(np.maximum(begin + share * step, 0.0).sum()) / begin.size

    def cut(self, scores: Floats) -> Cut:
        """See `Risk`; made of the documents and groups of equation 20."""
        choice = violated_margins(scores, self.groups)
        return Cut(*make_target_plane(self.features, choice, self.groups), choice)


def violated_margins(scores: Floats, groups: Labels) -> NDArray[np.bool_]:
    """Documents × groups: over which other groups a document's lead falls short of 1 (equation 20)."""
    return np.asarray(_shortfalls(scores, groups) > 0)


def make_target_plane(features: Features, short: NDArray[np.bool_], groups: Labels) -> tuple[Floats, float]:
    """The sum of the shortfalls over any documents and groups, as slope in W and offset."""
    table, number = signed_counts(short, groups)
    return features.sums(table / table.size), number / table.size


def signed_counts(short: NDArray[np.bool_], groups: Labels) -> tuple[Floats, float]:
    """How often each score is added (below 0: taken off) in a sum of shortfalls, and how many there are."""
    table = short.astype(np.float64)
    places = np.arange(len(table))
    table[places, groups] = 0.0
    sums = table.sum(axis=1)
    table[places, groups] = -sums
    return table, float(sums.sum())


def hinge_losses(scores: Floats, groups: Labels) -> Floats:
    """What each document would lose in its group: the sum of its hinges against the other groups."""
    return np.asarray(np.maximum(_shortfalls(scores, groups), 0.0).sum(axis=1))


def _shortfalls(scores: Floats, groups: Labels) -> Floats:
    """1 less the lead over each other group; 0 at the own group, which equation 11 counts as a constant."""
    places = np.arange(len(scores))
    found = 1.0 + scores - scores[places, groups][:, None]
    found[places, groups] = 0.0
    return np.asarray(found)


@dataclass(frozen=True, eq=False)
class OutsiderRisk:
    """Outsiders should score about the same everywhere (equation 12, which is convex as it stands).

    R(W) = 1/N · Σ_j max(0, K/(K−1)·(max_p w_p·x_j − mean_p w_p·x_j) − tolerance)
    """

    features: Features
    tolerance: float
    weight: float

    def scores(self, weights: Floats) -> Floats:
        """See `Risk`."""
        return self.features.scores(weights)

    def value(self, scores: Floats) -> float:
        """See `Risk`."""
        return float(np.maximum(margins(scores) - self.tolerance, 0.0).mean())

    def along(self, scores: Floats, others: Floats) -> Line:
        """See `Risk`."""
        return lambda share: self.value(scores + share * (others - scores))

    def cut(self, scores: Floats) -> Cut:
        """See `Risk`; the outsiders of equation 21."""
        n_outsiders, n_groups = scores.shape
        beyond = margins(scores) > self.tolerance
        each = 1.0 / (n_outsiders * max(n_groups - 1, 1))
        table = np.where(beyond[:, None], -each, 0.0) * np.ones(n_groups)
        table[np.arange(n_outsiders), scores.argmax(axis=1)] += beyond * (each * n_groups)
        return Cut(self.features.sums(table), -self.tolerance * float(beyond.mean()))


def margins(scores: Floats) -> Floats:
    """How far each document's best group lies above the mean of the others: K/(K−1)·(max − mean)."""
    n_groups = scores.shape[1]
    return np.asarray((scores.max(axis=1) - scores.mean(axis=1)) * (n_groups / max(n_groups - 1, 1)))


@dataclass(frozen=True, eq=False)
class BalanceRisk:
    """The mean scores of two groups should differ by at most `slack`.

    R(W) = max(0, max_p m_p − min_p m_p − slack), m the mean scores. With a weight above what the other
    risks can gain it is a constraint.
    """

    features: Features
    slack: float
    weight: float

    def scores(self, weights: Floats) -> Floats:
        """See `Risk`."""
        return self.features.mean_scores(weights)

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
        """All planes there are: one for every group above every other."""
        return (self._plane(n_groups, *pair) for pair in permutations(range(n_groups), 2))

    def _plane(self, n_groups: int, above: int, below: int) -> tuple[Floats, float]:
        table = np.zeros(n_groups)
        table[above] += 1.0
        table[below] -= 1.0
        return self.features.mean_sums(table), -self.slack
