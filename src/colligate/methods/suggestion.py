"""A suggested number of groups, without labels, and the curve that it rests on.

For each number K, the mixture of `colligate` groups the documents. K is scored by how well the topic
posteriors of neighbouring documents agree, in nats (eq. 8 of docs/methods/colligate.md). The score grows with
K until groups divide what belongs together. The suggestion is the knee: the K whose score, over log K, is
highest above the line between the ends of the curve. A curve that stays near its upper bound log K, or that
grows ever faster, has no knee: then the largest K is suggested. If neighbours agree on nothing, the smallest
K is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from threadpoolctl import threadpool_limits

from colligate.errors import InputError, ParameterError
from colligate.methods.colligate import Colligate
from colligate.methods.mixture.calibration import draw_pairs, fit_agreement
from colligate.methods.mixture.problem import first_groups
from colligate.progress import Event, Listener, ignore_events

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from colligate.methods.mixture.problem import MixtureProblem

NUMBERS = (2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 26, 32, 40, 52, 64, 80, 100, 128, 160, 200)
MOST = 32
# documents that a group must have in the mean
MIN_GROUP_SIZE = 5
# a curve above this share of log K is near its bound; below these nats, neighbours agree on nothing
NEAR_BOUND, MIN_RISE = 0.8, 0.05


@dataclass(frozen=True)
class Suggestion:
    """The suggested number, and the agreement of neighbours, in nats, for every number tried."""

    n_clusters: int
    curve: tuple[tuple[int, float], ...]


def suggest_clusters(
    X: Any, *, least: int = 1, most: int = MOST, n_jobs: int | None = None, listener: Listener = ignore_events
) -> Suggestion:
    """Suggest a number of groups for a corpus, a documents × words matrix or a network.

    Parameters
    ----------
    X : Corpus, array, sparse matrix or Network
        The documents.
    least : int
        The smallest number to suggest, such as the number of groups that knowledge names.
    most : int
        The largest number to try.
    n_jobs : int, optional
        The number of threads.
    listener : callable
        It is called with an `Event` before each number.

    Returns
    -------
    Suggestion
        The number and its curve. How fine groups should be is the user's decision.
    """
    curve, sample = [], None
    for problem, resp in groupings(X, most=most, n_jobs=n_jobs, listener=listener):
        sample = sample or draw_pairs(problem)
        nats = sum(agreement for _, agreement in fit_agreement(problem, resp, sample).values())
        curve.append((problem.n_groups, nats))
    return Suggestion(max(_find_knee(curve), least), tuple(curve))


def groupings(
    X: Any, *, most: int = MOST, n_jobs: int | None = None, listener: Listener = ignore_events
) -> Iterator[tuple[MixtureProblem, NDArray[np.float64]]]:
    """Yield, for every number tried, the problem with so many groups and its responsibilities."""
    if most < NUMBERS[0]:
        raise ParameterError(f"most must be at least {NUMBERS[0]}; got {most}", parameter="most")
    method = Colligate(n_clusters=1, length_exponent=0.5, n_jobs=n_jobs)
    network = method.make_network(X)
    n_filled = int(np.count_nonzero(network.nonempty(network.centre)))
    numbers = [number for number in NUMBERS if number <= min(most, n_filled // MIN_GROUP_SIZE)]
    if not numbers:
        raise InputError(
            f"{n_filled} {network.centre} are too few to suggest a number of groups; set the number yourself"
        )
    with threadpool_limits(1):
        problem = method.problem(network, {})
        for done, number in enumerate(numbers):
            listener(Event("number of groups", done, len(numbers), f"{number} groups"))
            sized = problem.with_groups(number)
            yield sized, first_groups(sized)


def _find_knee(curve: list[tuple[int, float]]) -> int:
    """Find the number at which the curve is highest above the line between its ends."""
    numbers = np.array([number for number, _ in curve])
    reached = np.maximum.accumulate([nats for _, nats in curve])
    rise, run = reached[-1] - reached[0], np.log(numbers[-1] / numbers[0])
    if rise <= MIN_RISE or run <= 0:
        return int(numbers[0])
    above = (reached - reached[0]) / rise - np.log(numbers / numbers[0]) / run
    if reached[-1] >= NEAR_BOUND * np.log(numbers[-1]) or above[1:-1].max(initial=0.0) <= 0:
        return int(numbers[-1])
    return int(numbers[int(np.argmax(above))])
