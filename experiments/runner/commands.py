"""The commands: list the experiments, run what is missing, show what is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from experiments.page.verdicts import (
    HEADINGS,
    claim_rows,
    describe_protocols,
    judge_claims,
    summarise,
)
from experiments.runner.experiment import select_experiments
from experiments.runner.run import (
    list_changed_jobs,
    list_first_jobs,
    list_jobs,
    missing_files,
    run_jobs,
)
from experiments.runner.store import StoredRuns
from experiments.runner.tables import format_terminal

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from experiments.runner.experiment import Experiment
    from experiments.runner.run import Job, RunRequest

WIDTH = 220


def list_all(data: Path) -> int:
    """Print every experiment: what it is about, how much is computed, and which files are missing."""
    table = Table()
    for heading in ("name", "paper", "cells", "complete", "seeds", "missing files", "about"):
        table.add_column(heading, no_wrap=heading == "name")
    for experiment in select_experiments(()):
        stored = StoredRuns.of(experiment)
        complete = sum(not stored.missing(cell.key, experiment.n_runs(cell)) for cell in experiment.cells)
        counts = (str(len(experiment.cells)), str(complete), str(experiment.seeds))
        missing = ", ".join(missing_files(experiment, data)) or "none"
        table.add_row(experiment.name, experiment.paper, *counts, missing, experiment.about)
    Console(width=WIDTH).print(table)
    return 0


def run_all(names: Sequence[str], request: RunRequest) -> int:
    """Run experiments; those whose corpora are missing are named and skipped."""
    console = Console(width=WIDTH)
    experiments, n_skipped = [], 0
    for experiment in select_experiments(names):
        missing = missing_files(experiment, request.data)
        if not missing:
            experiments.append(experiment)
            continue
        n_skipped += 1
        message = f"{experiment.name} is skipped: {', '.join(missing)} not in {request.data}."
        console.print(f"{message} Set the folder that has it with --data.", style="bold")
    stored = {experiment.name: StoredRuns.of(experiment, request.results) for experiment in experiments}
    list_wanted = list_first_jobs if request.changed else list_jobs
    jobs = [
        job for experiment in experiments for job in list_wanted(experiment, stored[experiment.name], request)
    ]
    before = {job: stored[job.experiment].run(job.key, job.seed) for job in jobs} if request.changed else {}
    failed = _run_with_progress(jobs, stored, request, console)
    if request.changed:
        further = list_changed_jobs(jobs, before, stored)
        cells = {(job.experiment, job.key) for job in further}
        console.print(f"{len(cells)} of {len(jobs)} cells have other figures; their other runs are computed.")
        failed += _run_with_progress(further, stored, request, console)
    missed = 0
    if not request.quick:
        missed = sum(_print_missed_goals(each, stored[each.name], console) for each in experiments)
    console.print(f"{len(jobs)} runs, {failed} failed, {missed} goals missed, {n_skipped} skipped.")
    if experiments and not jobs:
        console.print("There was nothing to compute; --again computes stored runs again.")
    if len(names) == 1 and experiments:
        console.print(f"To print the tables: python -m experiments show {names[0]}", markup=False)
    return 1 if failed or missed or n_skipped else 0


def show_all(names: Sequence[str], results: Path) -> int:
    """Print the tables of experiments from the stored runs."""
    console = Console(width=WIDTH)
    for experiment in select_experiments(names):
        stored = StoredRuns.of(experiment, results)
        for spec in experiment.tables:
            console.print(format_terminal(spec, experiment, stored))
            if spec.note:
                console.print(spec.note)
    return 0


def show_claims(results: Path) -> int:
    """Print the verdict of the stored runs on every claim of the papers."""
    console, table = Console(width=WIDTH), Table(title="Claims of the papers", show_lines=True)
    for heading in ("paper", *HEADINGS):
        table.add_column(heading)
    verdicts = judge_claims(results)
    for verdict, row in zip(verdicts, claim_rows(verdicts), strict=True):
        table.add_row(verdict.claim.paper, *row)
    console.print(table)
    console.print(describe_protocols(verdicts))
    console.print(summarise(verdicts))
    return 0


def _run_with_progress(
    jobs: list[Job], stored: dict[str, StoredRuns], request: RunRequest, console: Console
) -> int:
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=console) as bar:
        task = bar.add_task("", total=len(jobs))

        def report(job: Job, outcome: str) -> None:
            bar.update(task, advance=1, description=str(job))
            bar.console.print(f"{job}: {outcome}", markup=False)

        return run_jobs(jobs, stored, request, report)


def _print_missed_goals(experiment: Experiment, stored: StoredRuns, console: Console) -> int:
    missed = experiment.missed(stored)
    for goal in missed:
        console.print(f"goal missed in {experiment.name}: {goal}", style="bold")
    return len(missed)
