"""Maximum-margin clustering by cutting planes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from colligate.methods.loop import State
from colligate.methods.margin.bundle import Point
from colligate.methods.margin.clustering import PLANE_ARRAYS, MarginClustering
from colligate.methods.margin.cutting_planes import CuttingPlaneState, Planes, add_cut, run_cccp

if TYPE_CHECKING:
    import numpy as np

    from colligate.methods.margin.problem import MarginProblem


class CPM3C(MarginClustering):
    """Maximum-margin clustering with cutting planes outside: documents, and labels of some.

    The objective is that of `m2dcu-0`. Where that solves a convex problem to its end for each set of groups,
    this lets the groups move while the cuts are still few; nothing promises that the objective falls then. A
    sweep goes on until it has fallen, and the best weights are kept. After Zhao, Wang and Zhang (2008).

    Parameters
    ----------
    n_clusters, target_weight, balance, dimensions, scale, init
        As in `m2dcu-0`.
    precision : float
        By how much a cut may be violated.
    n_init, max_iter, tol, random_state, n_jobs
        As in `itcc`.
    """

    name: ClassVar[str] = "cpm3c"
    paper: ClassVar[str] = "Zhao, Wang, Zhang 2008; Zhang, Wang, Si 2011"

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        target_weight: float = 64.0,
        balance: float = 0.0,
        dimensions: int | None = 300,
        scale: float = 0.0,
        precision: float = 1e-2,
        init: Any = "auto",
        n_init: int = 5,
        max_iter: int = 100,
        tol: float = 1e-4,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.target_weight = target_weight
        self.balance = balance
        self.dimensions = dimensions
        self.scale = scale
        self.precision = precision
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    def start(self, problem: MarginProblem, rng: np.random.Generator) -> State:
        """Groups by `init`, weights of zero, and no cuts."""
        state = super().start(problem, rng)
        groups = state.labels[problem.network.centre][problem.targets]
        weights = state.numbers["weights"]
        return _state(state, CuttingPlaneState(weights, Planes.none(groups, weights.shape)))

    def sweep(self, problem: MarginProblem, state: State) -> State:
        """Add cuts until the objective falls, or none is violated any more."""
        stand = CuttingPlaneState(
            state.numbers["current"], Planes(**{name: state.numbers[name] for name in PLANE_ARRAYS})
        )
        lowest = self.objective(problem, state)
        while True:
            risk = self._target_risk(problem, stand.planes.groups)
            cut = add_cut(stand, risk, self.precision)
            if cut is None:
                return State(state.labels, state.numbers, settled=True)
            balance = self._balance_risk(problem, [risk])
            stand = run_cccp(cut, risk, balance, self.precision, problem.known)
            risks = self._risks(problem, stand.planes.groups)
            if Point.of(stand.weights, risks).objective(risks) < lowest:
                labels = {problem.network.centre: problem.placed(stand.planes.groups)}
                return _state(State(labels, {"weights": stand.weights}), stand)


def _state(best: State, stand: CuttingPlaneState) -> State:
    return State(best.labels, {**best.numbers, "current": stand.weights, **vars(stand.planes)})
