"""Computing what is missing: cell by cell, seed by seed, in this process or in several."""

from __future__ import annotations

import multiprocessing
import signal
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from typing import TYPE_CHECKING

from experiments.runner.catalogue import find
from experiments.runner.kept import RESULTS, Kept, commit
from experiments.runner.once import run_once

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Future
    from pathlib import Path

    from experiments.runner.declared import Experiment
    from experiments.runner.kept import Run


@dataclass(frozen=True)
class Wanted:
    """Which runs are wanted, and how they are computed."""

    data: Path
    results: Path = RESULTS
    seeds: int | None = None
    only: tuple[str, ...] = ("",)
    again: bool = False
    quick: bool = False
    jobs: int = 1


@dataclass(frozen=True)
class Due:
    """One run that is to be computed."""

    experiment: str
    key: str
    seed: int

    def __str__(self) -> str:
        return f"{self.experiment}: {self.key}, seed {self.seed}"


def outstanding(experiment: Experiment, kept: Kept, wanted: Wanted) -> list[Due]:
    """The runs that are wanted and not kept, or all that are wanted again; cell by cell."""
    quick = experiment.quick if wanted.quick else None
    if wanted.quick and quick is None:
        return []
    due = []
    for cell in experiment.cells:
        seeds = wanted.seeds or (quick.seeds if quick else experiment.runs(cell))
        asked = any(word in cell.key for word in wanted.only)
        if asked and (quick is None or any(word in cell.key for word in quick.only)):
            left = range(seeds) if wanted.again else kept.missing(cell.key, seeds)
            due += [Due(experiment.name, cell.key, seed) for seed in left]
    return due


def absent(experiment: Experiment, data: Path) -> list[str]:
    """The files of the data folder that an experiment needs and that are not there."""
    return [name for name in experiment.corpora if not (data / name).exists()]


def computed(
    due: Sequence[Due], kept: dict[str, Kept], wanted: Wanted, told: Callable[[Due, str], None]
) -> int:
    """Compute runs and keep each as soon as it is finished; return how many failed, which are told of.

    Runs do not depend on each other or on the number of processes; only their order of finishing does.
    """
    failed = 0
    for one, outcome in _outcomes(due, wanted):
        if isinstance(outcome, Exception):
            failed += 1
            told(one, f"failed: {type(outcome).__name__}: {outcome}")
            continue
        kept[one.experiment].add(one.key, {**outcome, "jobs": wanted.jobs, "commit": commit()})
        figure = f"NMI {outcome['nmi']:.3f} in " if "nmi" in outcome else ""
        told(one, f"{figure}{outcome['seconds']:.1f} s")
    return failed


def _outcomes(due: Sequence[Due], wanted: Wanted) -> Iterator[tuple[Due, Run | Exception]]:
    if wanted.jobs == 1:
        for one in due:
            yield one, _attempt(one, wanted.data)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(wanted.jobs, mp_context=context, initializer=_end_quietly) as pool:
        futures: dict[Future[Run | Exception], Due] = {
            pool.submit(_attempt, one, wanted.data): one for one in due
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


def _end_quietly() -> None:
    """Let Ctrl-C end a process without a word, as the first process tells it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _attempt(one: Due, data: Path) -> Run | Exception:
    """One run, or what went wrong with it: one failure must not lose the other runs."""
    try:
        return run_once(find(one.experiment).cell(one.key), data, one.seed)
    except Exception as error:
        return error
