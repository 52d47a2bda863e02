"""The loop of all methods: restarts, convergence, empty clusters, progress, checkpoints, cancellation.

A method supplies a `Problem` and turns one `State` into the next; `optimise` does the rest.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from colligate._storage.array_schema import ArraySpec, check_arrays
from colligate.errors import CancelledError, NumericalError, ParameterError
from colligate.kernels.arrays import is_finite, to_host
from colligate.network.neighbourhood import list_parts
from colligate.progress import Event, Listener, ignore_events, reporting_to

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from colligate.kernels import Kernels
    from colligate.knowledge import Guidance
    from colligate.methods.base import Method
    from colligate.methods.checkpoint import Checkpoint
    from colligate.network import Network

Labels = NDArray[np.int32]
# filling an empty cluster may raise the objective by this share: rounding
REFILL_TOLERANCE = 1e-9
# the objective of a state in a checkpoint may differ by this share from the one computed again
OBJECTIVE_TOLERANCE = 1e-6


@dataclass(frozen=True, eq=False)
class Problem:
    """One clustering problem. `sizes` gives the number of clusters of each type that is clustered."""

    network: Network
    kernels: Kernels
    n_clusters_by_type: Mapping[str, int]
    guidance: Mapping[str, Guidance] = field(default_factory=dict)

    @property
    def user_network(self) -> Network:
        """The network that the result describes; a method may add outsiders to the one it works on."""
        return self.network


@dataclass(frozen=True, eq=False)
class State:
    """Labels per type, and the arrays that the method keeps between iterations, on a GPU or workers if used.

    It is immutable and contains only arrays, so that any run can be checkpointed. `settled` ends the restart.
    """

    labels: Mapping[str, Labels]
    numbers: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    settled: bool = False

    def with_labels(self, kind: str, labels: Labels) -> State:
        """Return the state with other labels for one type."""
        return State({**self.labels, kind: labels}, self.numbers, self.settled)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return everything as named arrays of NumPy."""
        arrays: dict[str, NDArray[Any]] = {f"labels/{kind}": value for kind, value in self.labels.items()}
        arrays.update({f"numbers/{name}": to_host(value) for name, value in self.numbers.items()})
        arrays["settled"] = np.array(self.settled)
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> State:
        """Invert `to_arrays`."""
        split = {name: name.split("/", 1) for name in arrays if "/" in name}
        labels = {rest: arrays[name] for name, (part, rest) in split.items() if part == "labels"}
        numbers = {rest: arrays[name] for name, (part, rest) in split.items() if part == "numbers"}
        return cls(labels, numbers, bool(arrays["settled"]))


@dataclass(frozen=True)
class Run:
    """One restart so far: its state, and the objective at the start and after each iteration."""

    state: State
    history: tuple[float, ...]
    converged: bool = False

    @property
    def objective(self) -> float:
        """The last objective."""
        return self.history[-1]


@dataclass(frozen=True)
class Progress:
    """All restarts so far: the objectives of the finished ones, the best one, and the current one."""

    seed: int
    finished: tuple[float, ...] = ()
    best: Run | None = None
    chosen: int = 0
    current: Run | None = None


@dataclass(frozen=True)
class Settings:
    """How to run the loop."""

    seed: int
    n_init: int
    max_iter: int
    tol: float
    listener: Listener = ignore_events
    checkpoint: Checkpoint | None = None
    cancelled: Callable[[], bool] = bool


@dataclass(frozen=True)
class Outcome:
    """All restarts: the best one and its number, the final objective of each, and the seed."""

    best: Run
    chosen: int
    restarts: tuple[float, ...]
    seed: int


def optimise(method: Method, problem: Problem, settings: Settings) -> Outcome:
    """Run every restart and keep the one with the lowest objective (the first of equals)."""
    saved = _load_progress(method, problem, settings.checkpoint) if settings.checkpoint else None
    # a resumed run without a fixed seed continues with the seed it drew
    progress = saved or Progress(settings.seed)
    # one stream for each restart: a resumed run draws the same numbers as an uninterrupted one
    seeds = np.random.SeedSequence(progress.seed).spawn(settings.n_init)
    for number in range(len(progress.finished), settings.n_init):
        run = _run_restart(method, problem, settings, progress, seeds[number])
        if progress.best is None or run.objective < progress.best.objective:
            progress = replace(progress, best=run, chosen=number)
        progress = replace(progress, current=None, finished=(*progress.finished, run.objective))
        _save(settings, progress, force=True)
    assert progress.best is not None
    return Outcome(progress.best, progress.chosen, progress.finished, progress.seed)


def _load_progress(method: Method, problem: Problem, checkpoint: Checkpoint) -> Progress | None:
    """Read a checkpoint, and check its states: the compiled code of the methods trusts them."""
    progress = checkpoint.load()
    for run in () if progress is None else (progress.best, progress.current):
        if run is not None:
            try:
                check_state(method, problem, run.state)
                objective = _finite_objective(method, problem, run.state)
            except (ArithmeticError, LookupError, TypeError, ValueError) as error:
                raise checkpoint.damage_error(error) from error
            if not abs(objective - run.objective) <= OBJECTIVE_TOLERANCE * max(1.0, abs(objective)):
                raise checkpoint.damage_error(f"its objective is {objective:g}, not {run.objective:g}")
    return progress


def check_state(method: Method, problem: Problem, state: State) -> None:
    """Raise ValueError for a state whose arrays do not fit the problem."""
    network, numbers = problem.network, problem.n_clusters_by_type
    columns = list_parts(network, network.centre)
    sizes = {f"size of {kind}": len(objects) for kind, objects in network.types.items()}
    sizes |= {f"groups of {kind}": number for kind, number in numbers.items()}
    sizes["documents"], sizes["groups"] = len(network.types[network.centre]), numbers[network.centre]
    sizes["columns"] = columns[-1].stop if columns else 0
    if state.labels.keys() - numbers.keys():
        raise ValueError("it has labels of a type that is not clustered")
    if network.centre not in state.labels:
        raise ValueError(f"it has no labels of {network.centre}")
    labels = ArraySpec(("size of *",), ("int32",), least=-1, below="groups of *")
    check_arrays(state.labels, {"*": labels}, sizes, "the labels")
    check_arrays(state.numbers, method.state_schema, sizes, "the state")
    method.check_state(problem, state.numbers)


def _run_restart(
    method: Method, problem: Problem, settings: Settings, progress: Progress, seed: np.random.SeedSequence
) -> Run:
    run = progress.current
    if run is None:
        with reporting_to(lambda event: _report_start(settings, progress, event)):
            state = method.start(problem, np.random.default_rng(seed))
        run = Run(state, (_finite_objective(method, problem, state),))
    # the history begins with the start, so it is one longer than the number of sweeps
    while not run.converged and len(run.history) <= settings.max_iter:
        if settings.cancelled():
            _stop(settings, replace(progress, current=run))
        run = _sweep_once(method, problem, run, settings.tol)
        _report(settings, progress, run)
        _save(settings, replace(progress, current=run))
    final = method.finish(problem, run.state)
    # most methods return the state as it is; then nothing is computed again
    if final is run.state:
        return run
    return replace(run, state=final, history=(*run.history, _finite_objective(method, problem, final)))


def _report_start(settings: Settings, progress: Progress, event: Event) -> None:
    """Pass on an event of a method's start, which may take most of the time; stop there if asked to."""
    settings.listener(event)
    if settings.cancelled():
        _stop(settings, progress)


def _stop(settings: Settings, progress: Progress) -> NoReturn:
    _save(settings, progress, force=True)
    kept = "is in its checkpoint" if settings.checkpoint else "is lost, since it had no checkpoint"
    raise CancelledError(f"the run was stopped; its progress {kept}")


def _sweep_once(method: Method, problem: Problem, run: Run, tol: float) -> Run:
    state = _refill_empty(method, problem, method.sweep(problem, run.state))
    value = _finite_objective(method, problem, state)
    previous = run.history[-1]
    # relative to the previous objective, not the first: a slow start must not count as convergence
    converged = state.settled or abs(previous - value) <= tol * max(abs(previous), 1e-300)
    return Run(state, (*run.history, value), converged)


def _finite_objective(method: Method, problem: Problem, state: State) -> float:
    value = method.objective(problem, state)
    if not np.isfinite(value):
        raise NumericalError(f"the objective of {method.name} is {value}; this is a defect, please report it")
    for name, numbers in state.numbers.items():
        if not is_finite(numbers):
            raise NumericalError(f"{name} of {method.name} is not finite; this is a defect, please report it")
    return value


def _refill_empty(method: Method, problem: Problem, state: State) -> State:
    """Move the worst misfits to empty clusters where that does not raise the objective."""
    for kind, labels in state.labels.items():
        sizes = np.bincount(labels[labels >= 0], minlength=problem.n_clusters_by_type[kind])
        empty = np.flatnonzero(sizes == 0)
        if len(empty) == 0:
            continue
        filled = _fill(labels, sizes, empty, method.misfits(problem, state, kind))
        candidate = state.with_labels(kind, filled)
        before = method.objective(problem, state)
        if method.objective(problem, candidate) <= before + REFILL_TOLERANCE * abs(before):
            state = candidate
    return state


def _fill(labels: Labels, sizes: NDArray[Any], empty: NDArray[Any], misfits: NDArray[Any]) -> Labels:
    """Put one misfit into each empty cluster, as long as its cluster keeps another object."""
    filled, left = labels.copy(), sizes.copy()
    targets = iter(empty.tolist())
    target = next(targets, None)
    for i in misfits.tolist():
        if target is None:
            break
        # without this, filling one cluster would empty another
        if left[labels[i]] > 1:
            left[labels[i]] -= 1
            filled[i] = target
            target = next(targets, None)
    return filled


def _report(settings: Settings, progress: Progress, run: Run) -> None:
    number = len(progress.finished) + 1
    iteration = len(run.history) - 1
    note = f"restart {number} of {settings.n_init}, iteration {iteration}, objective {run.objective:.6g}"
    settings.listener(Event("clustering", number - 1, settings.n_init, note))


def _save(settings: Settings, progress: Progress, *, force: bool = False) -> None:
    if settings.checkpoint:
        settings.checkpoint.save(progress, force=force)


def resolve_seed(random_state: Any) -> int:
    """Return one integer seed from anything scikit-learn accepts as `random_state`; a fresh one for None."""
    if random_state is None:
        return int(np.random.SeedSequence().generate_state(1)[0])
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31 - 1))
    if isinstance(random_state, int | np.integer) and random_state >= 0:
        return int(random_state)
    raise ParameterError(
        "random_state must be None, a NumPy random generator or a whole number of at least 0; got "
        f"{random_state!r}.",
        parameter="random_state",
    )
