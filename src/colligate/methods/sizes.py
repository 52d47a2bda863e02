"""Groups within bounds on their sizes: hard labels of least cost, and offsets for responsibilities.

Both solve a transport problem by its dual: each group has an offset, or a price, which is zero unless one of
its bounds is active. A round takes O(n·K) and a K × K product; no table is larger than objects × groups.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.special import logsumexp

from colligate.knowledge import GroupSizes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from colligate.knowledge import Guidance

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

COLDNESS = 10.0
"""The mean gap between the two best groups of an object, in temperatures, where prices are found."""
NEWTON_STEPS = 100
MAX_STEP = 5.0
MIN_LENGTH = 1e-6
SUFFICIENT = 1e-4
RIDGE = 1e-9
TOLERANCE = 1e-3
"""How far an expected size may be off, in objects."""
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class SizeBounds:
    """The least and the greatest size of each group; together they can be met by `n_objects`."""

    lower: Ints
    upper: Ints

    @classmethod
    def of(
        cls,
        guidance: Guidance | None,
        n_groups: int,
        n_objects: int,
        group_of_name: Mapping[str, int] | None = None,
    ) -> SizeBounds | None:
        """Return the bounds that knowledge sets; None without any.

        Bounds that contradict each other are relaxed as little as possible: the user has been warned.
        """
        sizes = None if guidance is None else guidance.of_kind(GroupSizes)
        if sizes is None:
            return None
        lower, upper = sizes.bounds(group_of_name or {}, n_groups)
        lower = np.minimum(lower, n_objects)
        upper = np.maximum(np.minimum(upper, n_objects), lower)
        if lower.sum() > n_objects:
            lower = _level(lower, n_objects)
            upper = np.maximum(upper, lower)
        while upper.sum() < n_objects:
            smallest = upper == upper.min()
            # at least 1, so that the loop ends
            upper[smallest] += max((n_objects - upper.sum()) // smallest.sum(), 1)
        return cls(lower, upper)

    def admits(self, sizes: Floats | Ints, tolerance: float = 0.0) -> bool:
        """Tell whether sizes are within the bounds."""
        return bool(np.all((sizes >= self.lower - tolerance) & (sizes <= self.upper + tolerance)))

    def widened(self, n_groups: int) -> SizeBounds:
        """Return the bounds with further groups that may have any size."""
        more = n_groups - len(self.lower)
        # far below the largest integer: bounds are summed and subtracted without overflow
        largest = np.iinfo(np.int64).max // 4
        return SizeBounds(
            np.pad(self.lower, (0, more)), np.pad(self.upper, (0, more), constant_values=largest)
        )

    def without(self, taken: Ints) -> SizeBounds:
        """Return the bounds for the objects that are left when `taken` are in each group for certain."""
        return SizeBounds(np.maximum(self.lower - taken, 0), np.maximum(self.upper - taken, 0))


def match_labels_to_groups(
    guidance: Guidance | None, labels: NDArray[np.integer], n_groups: int
) -> dict[str, int]:
    """Return the group of each label in the knowledge: the one with most of its objects, no group twice."""
    if guidance is None or guidance.labels is None:
        return {}
    both = (guidance.labels >= 0) & (labels >= 0)
    overlap = np.zeros((len(guidance.label_names), n_groups))
    np.add.at(overlap, (guidance.labels[both], labels[both]), 1.0)
    rows, groups = linear_sum_assignment(-overlap)
    return {guidance.label_names[row]: int(group) for row, group in zip(rows, groups, strict=True)}


def _level(lower: Ints, total: int) -> Ints:
    """Cut the largest bounds to one level, so that they sum to `total` at most."""
    level = 0
    for candidate in np.unique(lower).tolist():
        if np.minimum(lower, candidate).sum() <= total:
            level = candidate
    rest = np.minimum(lower, level)
    above = lower > level
    return np.asarray(rest + above * ((total - rest.sum()) // max(int(above.sum()), 1)))


# --- hard labels ---


def assign_within_bounds(cost: Floats, bounds: SizeBounds) -> Ints:
    """Return the labels of least total cost (objects × groups) whose groups keep their bounds.

    Prices bring the sizes near their bounds; then moves along cheapest paths between groups make the labels
    feasible, and negative cycles of moves are cancelled until there is none, so that the labels are optimal.
    """
    labels: Ints = cost.argmin(axis=1)
    n_groups = cost.shape[1]
    if not len(cost) or bounds.admits(np.bincount(labels, minlength=n_groups)):
        return labels
    prices = _fit_prices(cost, bounds)
    moves = _Moves(cost, (cost + prices).argmin(axis=1), prices)
    for sources, sinks in _violations(moves, bounds):
        moves.apply(moves.cheapest_path(sources, sinks))
    while (cycle := moves.negative_cycle(bounds)) is not None:
        moves.apply(cycle)
    return moves.labels


def _fit_prices(cost: Floats, bounds: SizeBounds) -> Floats:
    """Return prices that bring the sizes near their bounds: offsets at a low temperature."""
    if cost.shape[1] == 1:
        return np.zeros(1)
    best_two = np.partition(cost, 1, axis=1)[:, :2]
    # objects with equal costs everywhere have no gap; any temperature will do
    temperature = float(np.mean(best_two[:, 1] - best_two[:, 0])) / COLDNESS or 1.0
    return -temperature * fit_offsets(-cost / temperature, bounds, np.ones(len(cost)))


def _violations(moves: _Moves, bounds: SizeBounds) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.bool_]]]:
    """Yield the groups that are to lose an object and those that may gain it, while a bound is broken."""
    while True:
        sizes = moves.sizes
        too_large, too_small = sizes > bounds.upper, sizes < bounds.lower
        if too_large.any():
            yield too_large, too_small if too_small.any() else sizes < bounds.upper
        elif too_small.any():
            yield sizes > bounds.lower, too_small
        else:
            return


class _Moves:
    """Labels, and the cheapest move of one object between each pair of groups."""

    def __init__(self, cost: Floats, labels: Ints, prices: Floats) -> None:
        self.cost, self.labels = cost, labels
        n_groups = cost.shape[1]
        self.sizes = np.bincount(labels, minlength=n_groups)
        self.price = np.full((n_groups, n_groups), np.inf)
        self.mover = np.zeros((n_groups, n_groups), dtype=np.int64)
        self.scale = max(float(np.abs(cost).max(initial=0.0)), float(np.abs(prices).max(initial=0.0)))
        for group in range(n_groups):
            self._update(group)

    def _update(self, group: int) -> None:
        members = np.flatnonzero(self.labels == group)
        self.price[group] = np.inf
        if members.size:
            extra = self.cost[members] - self.cost[members, group, None]
            best = extra.argmin(axis=0)
            self.price[group] = extra[best, np.arange(extra.shape[1])]
            self.mover[group] = members[best]
        self.price[group, group] = np.inf

    def cheapest_path(self, sources: NDArray[np.bool_], sinks: NDArray[np.bool_]) -> list[int]:
        """Return the groups along a cheapest path of moves (Bellman–Ford)."""
        # moves can have negative prices, which rules out Dijkstra's method
        distance, before = self._distances(np.where(sources, 0.0, np.inf))
        path = [int(np.argmin(np.where(sinks & ~sources, distance, np.inf)))]
        # a cheapest path visits no group twice; the second condition ends one that rounding has closed
        while before[path[-1]] >= 0 and len(path) <= len(before):
            path.append(int(before[path[-1]]))
        return path[::-1]

    def _distances(self, distance: Floats) -> tuple[Floats, Ints]:
        before = np.full(len(distance), -1, dtype=np.int64)
        for _ in range(len(distance)):
            through = distance[:, None] + self.price
            best = through.argmin(axis=0)
            shorter = through[best, np.arange(len(distance))]
            better = shorter < distance - ROUNDING * self.scale
            if not better.any():
                break
            distance, before = np.where(better, shorter, distance), np.where(better, best, before)
        return distance, before

    def negative_cycle(self, bounds: SizeBounds) -> list[int] | None:
        """Return moves that lower the cost and keep the bounds: a closed cycle, or a path that may be open.

        One more node represents the bounds: a path may start where a group can lose an object, and end where
        one can gain it.
        """
        n_groups = len(self.sizes)
        price = np.full((n_groups + 1,) * 2, np.inf)
        price[:n_groups, :n_groups] = self.price
        price[n_groups, :n_groups][self.sizes > bounds.lower] = 0.0
        price[:n_groups, n_groups][self.sizes < bounds.upper] = 0.0
        # zero everywhere: the search starts from all nodes at once
        distance, before = np.zeros(n_groups + 1), np.full(n_groups + 1, -1, dtype=np.int64)
        node = -1
        for _ in range(n_groups + 1):
            through = distance[:, None] + price
            best = through.argmin(axis=0)
            shorter = through[best, np.arange(n_groups + 1)]
            better = shorter < distance - ROUNDING * self.scale
            if not better.any():
                return None
            distance, before = np.where(better, shorter, distance), np.where(better, best, before)
            node = int(np.flatnonzero(better)[0])
        # as many steps back as there are nodes lead from any node onto the cycle
        for _ in range(n_groups + 1):
            node = int(before[node])
        cycle = [node]
        while (node := int(before[node])) != cycle[0]:
            cycle.append(node)
        cycle = [*cycle, cycle[0]][::-1]
        if n_groups not in cycle:
            return cycle
        # opened at the node of the bounds, the cycle is a path between groups
        start = cycle.index(n_groups)
        return (cycle[start:-1] + cycle[:start])[1:]

    def apply(self, path: list[int]) -> None:
        """Move the cheapest object along each step of a path of groups."""
        steps = list(pairwise(path))
        # all movers are read first: later steps of the path do not see earlier ones
        for object_, group in [(self.mover[a, b], b) for a, b in steps]:
            self.labels[object_] = group
        self.sizes = np.bincount(self.labels, minlength=len(self.sizes))
        for group in dict.fromkeys(path):
            self._update(group)


# --- responsibilities ---


def fit_offsets(scores: Floats, bounds: SizeBounds, weights: Floats) -> Floats:
    """Return offsets b such that softmax(s_dk + b_k/λ_d) has expected sizes within the bounds.

    These responsibilities minimise Σ_d λ_d·Σ_k q_dk·(log q_dk − s_dk) under the bounds. An offset is positive
    only for a group at its lower bound, negative only at its upper one, and zero otherwise: it minimises the
    convex dual Σ_d λ_d·log Σ_k exp(s_dk + b_k/λ_d) − Σ_k (lower·max(b, 0) − upper·max(−b, 0)). Newton's
    method takes it there; a step stops where an offset would change its sign.
    """
    dual = _Dual(scores, bounds, weights)
    for _ in range(NEWTON_STEPS):
        gradient = dual.gradient()
        if np.abs(gradient).max(initial=0.0) <= TOLERANCE:
            break
        dual.step(gradient)
    return dual.b


class _Dual:
    """The dual of the bounded E-step at offsets b: its value, responsibilities and expected sizes."""

    def __init__(self, scores: Floats, bounds: SizeBounds, weights: Floats) -> None:
        self.scores, self.weights, self.rate = scores, weights, 1.0 / weights[:, None]
        self.lower = bounds.lower.astype(np.float64)
        # an upper bound beyond all objects is none, and a huge one would cost digits
        self.upper = np.minimum(bounds.upper, len(scores) + 1).astype(np.float64)
        self._move(*self._evaluate(np.zeros(scores.shape[1])))

    def gradient(self) -> Floats:
        """Return expected sizes less the bounds that they are to meet; 0 for a size that may stay."""
        active = np.where(self.b > 0, self.lower, np.where(self.b < 0, self.upper, self.sizes))
        return np.asarray(self.sizes - np.clip(active, self.lower, self.upper))

    def step(self, gradient: Floats) -> None:
        """Take a Newton step over the offsets that are not zero or must leave it, halved until it helps."""
        moving = np.flatnonzero((self.b != 0) | (gradient != 0))
        side = np.where(self.b != 0, np.sign(self.b), -np.sign(gradient))
        q = self.resp[:, moving]
        scaled = self.rate * q
        hessian = np.diag(scaled.sum(axis=0)) - q.T @ scaled
        # adding one number to all offsets changes nothing, so the matrix can be singular
        hessian[np.diag_indices_from(hessian)] += RIDGE * (1.0 + np.trace(hessian))
        direction = np.zeros(len(gradient))
        direction[moving] = -np.linalg.solve(hessian, gradient[moving])
        # responsibilities near 0 and 1 make the dual nearly linear, and a Newton step far too long
        direction *= min(1.0, MAX_STEP * (1.0 + np.abs(self.b).max()) / np.abs(direction).max())
        length = 1.0
        while True:
            b = self.b + length * direction
            candidate = self._evaluate(np.where(b * side < 0, 0.0, b))
            falls = candidate[1] <= self.value + SUFFICIENT * float(gradient @ (candidate[0] - self.b))
            if falls or length < MIN_LENGTH:
                break
            length /= 2.0
        self._move(*candidate)

    def _evaluate(self, b: Floats) -> tuple[Floats, float, Floats]:
        shifted = self.scores + self.rate * b
        log_sum = logsumexp(shifted, axis=1, keepdims=True)
        value = float(self.weights @ log_sum[:, 0])
        value -= float(self.lower @ np.maximum(b, 0.0)) - float(self.upper @ np.maximum(-b, 0.0))
        return b, value, np.exp(shifted - log_sum)

    def _move(self, b: Floats, value: float, resp: Floats) -> None:
        self.b, self.value, self.resp = b, value, resp
        self.sizes = resp.sum(axis=0)
