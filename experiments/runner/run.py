"""Run what is missing, cell by cell and seed by seed, in this process or in several."""

from __future__ import annotations

import multiprocessing
import signal
import time
import warnings
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sklearn.exceptions import ConvergenceWarning

import colligate as cg
from experiments.runner.experiment import Measurement, load_experiment
from experiments.runner.store import RESULTS, StoredRuns, current_commit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Future

    from experiments.runner.experiment import Cell, Experiment, Task
    from experiments.runner.store import Run

FIGURES = ("nmi", "accuracy", "ari", "rand")
# what a run took and what made it
COSTS = ("seconds", "processor_seconds", "peak_mib", "jobs", "commit")
LAST_DIGITS = 1e-6
STATUS, CLEAR_REFS = Path("/proc/self/status"), Path("/proc/self/clear_refs")


@dataclass(frozen=True)
class RunRequest:
    """Which runs are wanted, and how they are computed."""

    data: Path
    results: Path = RESULTS
    seeds: int | None = None
    only: tuple[str, ...] = ("",)
    again: bool = False
    quick: bool = False
    jobs: int = 1
    changed: bool = False

    def wants(self, key: str) -> bool:
        """Return whether a cell has one of the words in its key."""
        return any(word in key for word in self.only)


@dataclass(frozen=True)
class Job:
    """One run to compute."""

    experiment: str
    key: str
    seed: int

    def __str__(self) -> str:
        return f"{self.experiment}: {self.key}, seed {self.seed}"


def list_jobs(experiment: Experiment, stored: StoredRuns, request: RunRequest) -> list[Job]:
    """List the requested runs that are not stored, or all of them with `again`."""
    quick = experiment.quick if request.quick else None
    if request.quick and quick is None:
        return []
    jobs = []
    for cell in experiment.cells:
        n_seeds = request.seeds or (quick.seeds if quick else experiment.n_runs(cell))
        if request.wants(cell.key) and (quick is None or any(word in cell.key for word in quick.only)):
            seeds = range(n_seeds) if request.again else stored.missing(cell.key, n_seeds)
            jobs += [Job(experiment.name, cell.key, seed) for seed in seeds]
    return jobs


def list_first_jobs(experiment: Experiment, stored: StoredRuns, request: RunRequest) -> list[Job]:
    """List the first stored run of each requested cell: does the present code repeat it?"""
    requested = [cell.key for cell in experiment.cells if request.wants(cell.key)]
    return [Job(experiment.name, key, min(stored.seeds(key))) for key in requested if stored.seeds(key)]


def list_changed_jobs(
    jobs: Sequence[Job], before: dict[Job, Run], stored: dict[str, StoredRuns]
) -> list[Job]:
    """List the other stored runs of the cells whose first run has other figures now."""
    return [
        Job(job.experiment, job.key, seed)
        for job in jobs
        if have_other_figures(before[job], stored[job.experiment].run(job.key, job.seed))
        for seed in stored[job.experiment].seeds(job.key)
        if seed != job.seed
    ]


def have_other_figures(first: Run, second: Run) -> bool:
    """Compare two runs without what they took and what made them; last digits may differ."""
    return any(_differs(value, second.get(name)) for name, value in first.items() if name not in COSTS)


def _differs(first: Any, second: Any) -> bool:
    if isinstance(first, float) and isinstance(second, int | float):
        return abs(first - second) > LAST_DIGITS
    return bool(first != second)


def missing_files(experiment: Experiment, data: Path) -> list[str]:
    """List the files that an experiment needs and that the data folder does not have."""
    return [name for name in experiment.corpora if not (data / name).exists()]


def run_jobs(
    jobs: Sequence[Job],
    stored: dict[str, StoredRuns],
    request: RunRequest,
    report: Callable[[Job, str], None],
) -> int:
    """Compute runs, store each as soon as it is finished, and return how many failed.

    Runs do not depend on each other or on the number of processes; only the order in which they finish does.
    """
    failed = 0
    for job, outcome in _run_each(jobs, request):
        if isinstance(outcome, Exception):
            failed += 1
            report(job, f"failed: {type(outcome).__name__}: {outcome}")
            continue
        stored[job.experiment].add(job.key, {**outcome, "jobs": request.jobs, "commit": current_commit()})
        figure = f"NMI {outcome['nmi']:.3f} in " if "nmi" in outcome else ""
        report(job, f"{figure}{outcome['seconds']:.1f} s")
    return failed


def _run_each(jobs: Sequence[Job], request: RunRequest) -> Iterator[tuple[Job, Run | Exception]]:
    if request.jobs == 1:
        for job in jobs:
            yield job, _attempt(job, request.data)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(request.jobs, mp_context=context, initializer=_restore_interrupt) as pool:
        futures: dict[Future[Run | Exception], Job] = {
            pool.submit(_attempt, job, request.data): job for job in jobs
        }
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        except (KeyboardInterrupt, GeneratorExit):
            for process in multiprocessing.active_children():
                process.terminate()
            raise
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _restore_interrupt() -> None:
    """Let Ctrl-C end a worker without a message; the main process reports it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _attempt(job: Job, data: Path) -> Run | Exception:
    """Compute a run, or return its error: one failure must not lose the other runs."""
    try:
        return run_once(load_experiment(job.experiment).cell(job.key), data, job.seed)
    except Exception as error:
        return error


def run_once(cell: Cell | Measurement, data: Path, seed: int) -> Run:
    """Compute the figures of one seed; time and memory are those of the fit, with the corpus in memory."""
    if isinstance(cell, Measurement):
        with measure() as cost:
            figures = cell.figures(data, seed)
        return {**figures, **cost, "seed": seed}
    task = cell.setting.task(data, seed)
    model = cg.make(cell.method, random_state=seed, **{**task.parameters, **cell.parameters})
    with measure() as cost, warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(task.data, knowledge=task.knowledge)
    return {
        **_evaluate(task, model.result_),
        **task.further(model),
        "sweeps": model.n_iter_,
        "converged": model.result_.converged,
        **cost,
        "seed": seed,
    }


@contextmanager
def measure() -> Iterator[dict[str, Any]]:
    """Fill in seconds, processor seconds and, on Linux, the peak of memory."""
    cost: dict[str, Any] = {}
    _reset_peak_memory()
    started, busy = time.perf_counter(), time.process_time()
    yield cost
    cost["seconds"] = round(time.perf_counter() - started, 2)
    cost["processor_seconds"] = round(time.process_time() - busy, 2)
    cost["peak_mib"] = _peak_memory()


def _evaluate(task: Task, result: cg.Result) -> Run:
    """Compare the groups with the labels, over the judged documents and over each part."""
    metrics = result.evaluate(task.labels, mask=task.judged)
    figures: Run = {name: metrics[name] for name in FIGURES}
    for part, mask in task.parts.items():
        figures[part] = int(mask.sum())
        metrics = result.evaluate(task.labels, mask=mask) if mask.any() else {}
        figures |= {f"{part}_{name}": metrics.get(name) for name in FIGURES}
    return figures


def _reset_peak_memory() -> None:
    if CLEAR_REFS.exists():
        CLEAR_REFS.write_text("5")


def _peak_memory() -> int | None:
    if not STATUS.exists():
        return None
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) // 1024
