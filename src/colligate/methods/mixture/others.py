"""The groups of words and other objects: each is in the group of documents that uses it most for its size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate.methods.schema import related
from colligate.network import parts_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.methods.mixture.position import Position
    from colligate.methods.mixture.problem import MixtureProblem
    from colligate.methods.state import Labels

    Floats = NDArray[np.float64]

TINY = 1e-300


def other_scores(problem: MixtureProblem, at: Position) -> dict[str, Floats]:
    """For every other type in a relation, log lifts in the groups inside.

    A type that documents have is read off the tables; one farther away has the mean of its neighbours.
    """
    network, inside = problem.network, problem.n_inside
    found: dict[str, Floats] = {}
    for part in parts_of(network, network.centre):
        if part.other != network.centre:
            own = at.lifts[part.start : part.stop, :inside]
            found[part.other] = found[part.other] + own if part.other in found else own.copy()
    left = [kind for kind in related(network) if kind not in found and kind != network.centre]
    while left:
        reached = {kind: scores for kind in left if (scores := _farther(problem, kind, found)) is not None}
        if not reached:
            break
        found |= reached
        left = [kind for kind in left if kind not in reached]
    return found


def _farther(problem: MixtureProblem, kind: str, found: dict[str, Floats]) -> Floats | None:
    sums, mass = None, np.zeros(len(problem.network.types[kind]))
    around = problem.network.around(kind)
    for part in around.parts:
        if part.other in found and part.other != kind:
            matrix = around.cut(part)
            own = np.asarray(matrix @ found[part.other])
            sums = own if sums is None else sums + own
            mass += np.asarray(matrix.sum(axis=1)).ravel()
    return None if sums is None else np.asarray(sums / np.maximum(mass, TINY)[:, None])


def other_labels(problem: MixtureProblem, at: Position) -> dict[str, Labels]:
    """The group of every object; what knowledge names stays where it is said to belong."""
    found = {}
    for kind, scores in other_scores(problem, at).items():
        labels = np.where(problem.network.filled(kind), scores.argmax(axis=1), -1)
        for leaning in problem.names.leanings:
            if leaning.kind == kind:
                labels[leaning.member] = problem.group_of_name[leaning.name]
        found[kind] = labels.astype(np.int32)
    return found
