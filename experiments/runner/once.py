"""One seed of one cell: make the task, fit, judge, with the time and the memory it took."""

from __future__ import annotations

import time
import warnings
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sklearn.exceptions import ConvergenceWarning

import colligate as cg
from experiments.runner.declared import Other

if TYPE_CHECKING:
    from collections.abc import Iterator

    from experiments.runner.declared import Cell, Task
    from experiments.runner.kept import Run

FIGURES = ("nmi", "accuracy", "ari", "rand")
STATUS, FORGET = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def run_once(cell: Cell | Other, data: Path, seed: int) -> Run:
    """The figures of one seed; time and memory are those of the fit, the corpus in memory included."""
    if isinstance(cell, Other):
        with measured() as cost:
            found = cell.figures(data, seed)
        return {**found, **cost, "seed": seed}
    task = cell.setting.task(data, seed)
    model = cg.make(cell.method, random_state=seed, **{**task.parameters, **cell.parameters})
    with measured() as cost, warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(task.data, knowledge=task.knowledge)
    return {
        **_judged(task, model.result_),
        **task.further(model),
        "sweeps": model.n_iter_,
        "converged": model.result_.converged,
        **cost,
        "seed": seed,
    }


@contextmanager
def measured() -> Iterator[dict[str, Any]]:
    """Fills in seconds, those of the processor and, where the system tells it, the peak of memory."""
    cost: dict[str, Any] = {}
    _forget_peak()
    began, busy = time.perf_counter(), time.process_time()
    yield cost
    cost["seconds"] = round(time.perf_counter() - began, 2)
    cost["processor_seconds"] = round(time.process_time() - busy, 2)
    cost["peak_mib"] = _peak()


def _judged(task: Task, result: cg.Result) -> Run:
    """The figures of the documents that are judged, and of each part of all that is not empty."""
    everyone = result.evaluate(task.labels, mask=task.judged)
    found: Run = {name: everyone[name] for name in FIGURES}
    for part, mask in task.parts.items():
        found[part] = int(mask.sum())
        told = result.evaluate(task.labels, mask=mask) if mask.any() else {}
        found |= {f"{part}_{name}": told.get(name) for name in FIGURES}
    return found


def _forget_peak() -> None:
    """Start the peak of resident memory anew; only Linux can."""
    if FORGET.exists():
        FORGET.write_text("5")


def _peak() -> int | None:
    if not STATUS.exists():
        return None
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) // 1024
