"""A suggestion how many groups to ask for, without labels, with the curve it rests on.

For each number of groups, documents are grouped by the mixture of `colligate`, and documents two neighbours
apart are asked how far their words agree on a group (see `mixture.worth`), in nats. The more groups, the more
there is to agree on, until groups divide what belongs together; then more groups add little. The suggestion
is the knee: where the curve, over the logarithm of the number, is highest above the line between its ends.
There is no knee where neighbours agree on nearly everything up to the end, log K nats, or ever faster, so
that the largest number is suggested; nor where they agree on nothing, so that the smallest is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from threadpoolctl import threadpool_limits

from colligate.errors import InputError, ParameterError
from colligate.kernels import make_kernels
from colligate.methods.colligate import Colligate
from colligate.methods.mixture.calibration import agreements
from colligate.methods.mixture.problem import first_groups
from colligate.progress import Event, Listener, ignore_events

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from colligate.methods.mixture.problem import MixtureProblem

NUMBERS = (2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 26, 32, 40, 52, 64, 80, 100, 128, 160, 200)
MOST = 32
# a group of fewer documents is hardly one
SMALLEST = 5
# the share of all there is to agree on that is nearly everything, and the nats that are nothing
FULL, NOTHING = 0.8, 0.05


@dataclass(frozen=True)
class Suggestion:
    """The number suggested, and for every number tried how far neighbours agree, in nats."""

    n_clusters: int
    curve: tuple[tuple[int, float], ...]


def suggest_clusters(
    X: Any, *, least: int = 1, most: int = MOST, n_jobs: int | None = None, listener: Listener = ignore_events
) -> Suggestion:
    """Suggest a number of groups for a corpus, a documents × words matrix or a network.

    Numbers up to `most` are tried, and no fewer than `least` suggested: so many groups have a name, say. It
    is a suggestion: over how fine groups should be, only the user decides.
    """
    curve = [
        (problem.n_groups, sum(nats for _, nats in agreements(problem, groups).values()))
        for problem, groups in groupings(X, most=most, n_jobs=n_jobs, listener=listener)
    ]
    return Suggestion(max(_knee(curve), least), tuple(curve))


def groupings(
    X: Any, *, most: int = MOST, n_jobs: int | None = None, listener: Listener = ignore_events
) -> Iterator[tuple[MixtureProblem, NDArray[np.float64]]]:
    """For every number tried, the problem of so many groups, and the memberships found."""
    if most < NUMBERS[0]:
        raise ParameterError(f"most must be at least {NUMBERS[0]}; got {most}")
    method = Colligate(n_clusters=1, length_exponent=0.5, n_jobs=n_jobs)
    network = method._network(X, reset=True)
    filled = int(np.count_nonzero(network.nonempty(network.centre)))
    numbers = [number for number in NUMBERS if number <= min(most, filled // SMALLEST)]
    if not numbers:
        raise InputError(
            f"{filled} {network.centre} are too few to suggest a number of groups; say how many to find"
        )
    with threadpool_limits(1):
        problem = replace(method.problem(network, {}), kernels=make_kernels("fast", n_jobs))
        for done, number in enumerate(numbers):
            listener(Event("number of groups", done, len(numbers), f"{number} groups"))
            sized = replace(problem, sizes={**problem.sizes, network.centre: number})
            yield sized, first_groups(sized)


def _knee(curve: list[tuple[int, float]]) -> int:
    numbers = np.array([number for number, _ in curve])
    reached = np.maximum.accumulate([nats for _, nats in curve])
    rise, run = reached[-1] - reached[0], np.log(numbers[-1] / numbers[0])
    if rise <= NOTHING or run <= 0:
        return int(numbers[0])
    above = (reached - reached[0]) / rise - np.log(numbers / numbers[0]) / run
    if reached[-1] >= FULL * np.log(numbers[-1]) or above[1:-1].max(initial=0.0) <= 0:
        return int(numbers[-1])
    return int(numbers[int(np.argmax(above))])
