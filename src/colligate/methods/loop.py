"""The one loop: restarts, tolerance, finite checks, empty clusters, trace, progress, checkpoints, stops."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.errors import CancelledError, NumericalError
from colligate.methods.run import Progress, Run
from colligate.progress import Event, Listener, nobody

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from colligate.methods.checkpoint import Checkpoint
    from colligate.methods.contract import Method
    from colligate.methods.problem import Problem
    from colligate.methods.state import Labels, State


@dataclass(frozen=True)
class Settings:
    """How to run: everything that is not the method's own business."""

    seed: int
    n_init: int
    max_iter: int
    tol: float
    listener: Listener = nobody
    checkpoint: Checkpoint | None = None
    cancelled: Callable[[], bool] = bool


@dataclass(frozen=True)
class Outcome:
    """All restarts: the best one, the final objective of each, and the seed of all."""

    best: Run
    chosen: int
    restarts: tuple[float, ...]
    seed: int


def optimise(method: Method, problem: Problem, settings: Settings) -> Outcome:
    """Run every restart and keep the one with the lowest objective (the first of equals)."""
    saved = settings.checkpoint.load() if settings.checkpoint else None
    # a run without a fixed seed goes on with the one it drew
    progress = saved or Progress(settings.seed)
    seeds = np.random.SeedSequence(progress.seed).spawn(settings.n_init)
    for number in range(len(progress.finished), settings.n_init):
        run = _restart(method, problem, settings, progress, seeds[number])
        best = progress.best
        if best is None or run.objective < best.objective:
            progress = replace(progress, best=run, chosen=number)
        progress = replace(progress, current=None, finished=(*progress.finished, run.objective))
        _save(settings, progress, force=True)
    assert progress.best is not None
    return Outcome(progress.best, progress.chosen, progress.finished, progress.seed)


def _restart(
    method: Method, problem: Problem, settings: Settings, progress: Progress, seed: np.random.SeedSequence
) -> Run:
    run = progress.current or _begun(method, problem, seed)
    while not run.converged and len(run.history) <= settings.max_iter:
        if settings.cancelled():
            _save(settings, replace(progress, current=run), force=True)
            kept = "is kept in its checkpoint" if settings.checkpoint else "is lost, as it had no checkpoint"
            raise CancelledError(f"the run was stopped; what it had reached {kept}")
        run = _advance(method, problem, run, settings.tol)
        _report(settings, progress, run)
        _save(settings, replace(progress, current=run))
    return _finish(method, problem, run)


def _begun(method: Method, problem: Problem, seed: np.random.SeedSequence) -> Run:
    state = method.start(problem, np.random.default_rng(seed))
    return Run(state, (_checked_objective(method, problem, state),))


def _advance(method: Method, problem: Problem, run: Run, tol: float) -> Run:
    state = _refill(method, problem, method.sweep(problem, run.state))
    value = _checked_objective(method, problem, state)
    previous = run.history[-1]
    # against the previous objective, never the first: a slow start must not count as convergence
    converged = state.settled or abs(previous - value) <= tol * max(abs(previous), 1e-300)
    return Run(state, (*run.history, value), converged)


def _finish(method: Method, problem: Problem, run: Run) -> Run:
    state = method.finish(problem, run.state)
    if state is run.state:
        return run
    return replace(run, state=state, history=(*run.history, _checked_objective(method, problem, state)))


def _checked_objective(method: Method, problem: Problem, state: State) -> float:
    value = method.objective(problem, state)
    if not np.isfinite(value):
        raise NumericalError(f"the objective of {method.name} is {value}; this is a defect, please report it")
    for name, numbers in state.numbers.items():
        if not np.all(np.isfinite(numbers)):
            raise NumericalError(f"{name} of {method.name} is not finite; this is a defect, please report it")
    return value


def _refill(method: Method, problem: Problem, state: State) -> State:
    """Give each empty cluster the object that fits its own worst, where that does not raise the objective."""
    for kind, labels in state.labels.items():
        sizes = np.bincount(labels[labels >= 0], minlength=problem.sizes[kind])
        empty = np.flatnonzero(sizes == 0)
        if len(empty) == 0:
            continue
        filled = _filled(labels, sizes, empty, method.misfits(problem, state, kind))
        candidate = state.with_labels(kind, filled)
        before = method.objective(problem, state)
        if method.objective(problem, candidate) <= before + 1e-9 * abs(before):
            state = candidate
    return state


def _filled(labels: Labels, sizes: NDArray[Any], empty: NDArray[Any], misfits: NDArray[Any]) -> Labels:
    """Labels with one object for each empty cluster, as far as clusters have objects to spare."""
    filled, left = labels.copy(), sizes.copy()
    targets = iter(empty.tolist())
    target = next(targets, None)
    for i in misfits.tolist():
        if target is None:
            break
        if left[labels[i]] > 1:
            left[labels[i]] -= 1
            filled[i] = target
            target = next(targets, None)
    return filled


def _report(settings: Settings, progress: Progress, run: Run) -> None:
    number = len(progress.finished) + 1
    note = (
        f"restart {number} of {settings.n_init}, sweep {len(run.history) - 1}, objective {run.objective:.6g}"
    )
    settings.listener(Event("clustering", number - 1, settings.n_init, note))


def _save(settings: Settings, progress: Progress, *, force: bool = False) -> None:
    if settings.checkpoint:
        settings.checkpoint.save(progress, force=force)
