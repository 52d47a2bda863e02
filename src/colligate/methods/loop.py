"""The one loop: restarts, tolerance, finite checks, empty clusters, trace, progress, checkpoints, stops."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from colligate.errors import CancelledError, NumericalError
from colligate.methods.run import Progress, Run
from colligate.progress import Event, Listener, nobody

if TYPE_CHECKING:
    from collections.abc import Callable

    from colligate.methods.checkpoint import Checkpoint
    from colligate.methods.contract import Method
    from colligate.methods.problem import Problem
    from colligate.methods.state import State


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
    """All restarts: the best one, and the final objective of each."""

    best: Run
    chosen: int
    restarts: tuple[float, ...]


def optimise(method: Method, problem: Problem, settings: Settings) -> Outcome:
    """Run every restart and keep the one with the lowest objective (the first of equals)."""
    saved = settings.checkpoint.load() if settings.checkpoint else None
    progress = saved or Progress()
    seeds = np.random.SeedSequence(settings.seed).spawn(settings.n_init)
    for number in range(len(progress.finished), settings.n_init):
        run = _restart(method, problem, settings, progress, seeds[number])
        best = progress.best
        if best is None or run.objective < best.objective:
            progress = replace(progress, best=run, chosen=number)
        progress = replace(progress, current=None, finished=(*progress.finished, run.objective))
        _save(settings, progress, force=True)
    assert progress.best is not None
    return Outcome(progress.best, progress.chosen, progress.finished)


def _restart(
    method: Method, problem: Problem, settings: Settings, progress: Progress, seed: np.random.SeedSequence
) -> Run:
    run = progress.current
    if run is None:
        state = method.start(problem, np.random.default_rng(seed))
        run = Run(state, (_checked_objective(method, problem, state),))
    while not run.converged and len(run.history) <= settings.max_iter:
        if settings.cancelled():
            _save(settings, replace(progress, current=run), force=True)
            raise CancelledError("the run was stopped; what it had reached is kept in its checkpoint")
        run = _advance(method, problem, run, settings.tol)
        _report(settings, progress, run)
        _save(settings, replace(progress, current=run))
    return _finish(method, problem, run)


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
        misfits = [i for i in method.misfits(problem, state, kind) if sizes[labels[i]] > 1][: len(empty)]
        filled = labels.copy()
        filled[misfits] = empty[: len(misfits)]
        candidate = state.with_labels(kind, filled)
        if method.objective(problem, candidate) <= method.objective(problem, state) + 1e-12:
            state = candidate
    return state


def _report(settings: Settings, progress: Progress, run: Run) -> None:
    number = len(progress.finished) + 1
    note = (
        f"restart {number} of {settings.n_init}, sweep {len(run.history) - 1}, objective {run.objective:.6g}"
    )
    settings.listener(Event("clustering", number - 1, settings.n_init, note))


def _save(settings: Settings, progress: Progress, *, force: bool = False) -> None:
    if settings.checkpoint:
        settings.checkpoint.save(progress, force=force)
