"""Maximum-margin clustering by cutting planes (docs: cpm3c)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from colligate._storage.array_schema import check_complete
from colligate.methods.loop import State
from colligate.methods.margin.bundle import Point
from colligate.methods.margin.clustering import PLANE_ARRAYS, MarginClustering
from colligate.methods.margin.cutting_planes import CuttingPlaneState, Planes, add_cut, run_cccp

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from colligate.methods.margin.problem import MarginProblem


class CPM3C(MarginClustering):
    """Maximum-margin clustering with cutting planes outside: documents, and labels of some.

    min ½‖W‖² + C/(n·K) · Σ_d Σ_{r ≠ u(d)} max(0, 1 − w_u(d)·x_d + w_r·x_d),   u(d) = argmax_k w_k·x_d

    The objective and its symbols are those of `m2dcu-0`. That method solves a convex problem to its end for
    fixed groups; here the groups move while the cuts are still few, which may raise the objective. A sweep
    goes on until it has fallen, and the best weights are kept. After Zhao, Wang and Zhang (2008).

    Parameters
    ----------
    n_clusters, target_weight, balance, dimensions, scale, init
        As in `m2dcu-0`.
    precision : float
        The largest violation of a cut.
    n_init, max_iter, tol, random_state, n_jobs, device
        As in `itcc`.

    Attributes
    ----------
    labels_, history_, n_iter_, result_
        As in `Estimator`.
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
        device: str = "auto",
    ) -> None:
        self._store_parameters(locals())

    @staticmethod
    def check_state(problem: MarginProblem, numbers: Mapping[str, NDArray[Any]]) -> None:
        """Raise ValueError if the weights of the cuts are missing; see `Method.check_state`."""
        MarginClustering.check_state(problem, numbers)
        if not check_complete(numbers, ("current", *PLANE_ARRAYS)):
            raise ValueError("it has no cuts")

    def start(self, problem: MarginProblem, rng: np.random.Generator) -> State:
        """Return groups by `init`, weights of zero, and no cuts."""
        state = super().start(problem, rng)
        groups = state.labels[problem.network.centre][problem.targets]
        W = state.numbers["weights"]
        return _make_state(state, CuttingPlaneState(W, Planes.none(groups, W.shape)))

    def sweep(self, problem: MarginProblem, state: State) -> State:
        """Add cuts until the objective falls, or no cut is violated any more."""
        planes = Planes(**{name: state.numbers[name] for name in PLANE_ARRAYS})
        current = CuttingPlaneState(state.numbers["current"], planes)
        lowest = self.objective(problem, state)
        while True:
            risk = self._target_risk(problem, current.planes.groups)
            cut = add_cut(current, risk, self.precision)
            if cut is None:
                return State(state.labels, state.numbers, settled=True)
            balance = self._balance_risk(problem, [risk])
            current = run_cccp(cut, risk, balance, self.precision, problem.known)
            risks = self._risks(problem, current.planes.groups)
            if Point.of(current.W, risks).objective(risks) < lowest:
                labels = {problem.network.centre: problem.to_labels(current.planes.groups)}
                return _make_state(State(labels, {"weights": current.W}), current)


def _make_state(best: State, current: CuttingPlaneState) -> State:
    return State(best.labels, {**best.numbers, "current": current.W, **vars(current.planes)})
