"""What the commands do: list the experiments, compute what is missing, show what is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from experiments.page.verdicts import HEADINGS, judged
from experiments.runner.catalogue import chosen
from experiments.runner.kept import Kept
from experiments.runner.schedule import absent, computed, outstanding
from experiments.runner.tables import terminal

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from experiments.runner.declared import Experiment
    from experiments.runner.schedule import Due, Wanted

WIDTH = 180


def list_all(data: Path) -> int:
    """Every experiment: what it is of, how much is computed, and which files it misses."""
    table = Table()
    for heading in ("name", "paper", "cells", "complete", "seeds", "missing files", "about"):
        table.add_column(heading, no_wrap=heading == "name")
    for one in chosen(()):
        kept = Kept.of(one)
        complete = sum(not kept.missing(cell.key, one.runs(cell)) for cell in one.cells)
        counts = (str(len(one.cells)), str(complete), str(one.seeds))
        table.add_row(one.name, one.paper, *counts, ", ".join(absent(one, data)) or "none", one.about)
    Console(width=WIDTH).print(table)
    return 0


def run_all(names: Sequence[str], wanted: Wanted) -> int:
    """Compute what is wanted of some experiments; those whose corpora are missing are told and left out."""
    console = Console(width=WIDTH)
    experiments, left_out = [], 0
    for one in chosen(names):
        missing = absent(one, wanted.data)
        if not missing:
            experiments.append(one)
            continue
        left_out += 1
        told = f"{one.name} is left out: {', '.join(missing)} not in {wanted.data}."
        console.print(f"{told} Give the folder that has it with --data.", style="bold")
    kept = {one.name: Kept.of(one, wanted.results) for one in experiments}
    due = [run for one in experiments for run in outstanding(one, kept[one.name], wanted)]
    failed = _with_bar(due, kept, wanted, console)
    missed = 0 if wanted.quick else sum(_goals(one, kept[one.name], console) for one in experiments)
    console.print(f"{len(due)} runs, {failed} failed, {missed} goals missed, {left_out} left out.")
    return 1 if failed or missed or left_out else 0


def show_all(names: Sequence[str], results: Path) -> int:
    """Print the tables of some experiments from what is kept."""
    console = Console(width=WIDTH)
    for one in chosen(names):
        kept = Kept.of(one, results)
        for shown in one.tables:
            console.print(terminal(shown, one, kept))
            if shown.note:
                console.print(shown.note)
    return 0


def show_claims(results: Path) -> int:
    """Print the verdict on every claim of the papers, as the stored runs give it."""
    console, table = Console(width=WIDTH), Table(title="Claims of the papers", show_lines=True)
    for heading in HEADINGS:
        table.add_column(heading)
    told, rows = judged(results)
    for row in rows:
        table.add_row(*row)
    console.print(table)
    console.print(told)
    return 0


def _with_bar(due: list[Due], kept: dict[str, Kept], wanted: Wanted, console: Console) -> int:
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=console) as bar:
        task = bar.add_task("", total=len(due))

        def told(one: Due, what: str) -> None:
            bar.update(task, advance=1, description=str(one))
            bar.console.print(f"{one}: {what}", markup=False)

        return computed(due, kept, wanted, told)


def _goals(one: Experiment, kept: Kept, console: Console) -> int:
    missed = one.missed(kept)
    for goal in missed:
        console.print(f"goal missed in {one.name}: {goal}", style="bold")
    return len(missed)
