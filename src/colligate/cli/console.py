"""Output on the terminal: results on stdout; messages, warnings and progress bars on stderr.

All text is escaped, so that documents cannot send control codes to the terminal.
"""

from __future__ import annotations

import json
import math
import sys
import time
import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import typer
from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from colligate._storage.manifest import encode_value
from colligate.errors import NO_VALUE, CancelledError, InputError, Message, Parameter
from colligate.knowledge.text import format_count
from colligate.network import WORDS
from colligate.progress import Event, Listener

PIPED_WIDTH = 120
STYLES = {"error": "bold red", "stopped": "bold yellow", "warning": "yellow"}
METHOD_OPTIONS = {
    "n_clusters": "--clusters",
    "n_word_clusters": "--word-clusters",
    "n_init": "--restarts",
    "max_iter": "--max-iter",
    "n_jobs": "--jobs",
    "device": "--device",
    "random_state": "--seed",
}
"""Parameters of methods that have options; the others are set with --param."""
WORD_OPTIONS = {"pattern": "--token-pattern"}
"""Parameters of the analyser that are called otherwise on the command line."""
WORDS_SHOWN = 8
METRICS = ("accuracy", "nmi", "ari", "rand", "purity")
SETS = {"all": "all labelled {}", "unnamed": "{} without statements"}


def print_result(*parts: RenderableType) -> None:
    """Print tables and lines on stdout."""
    console = _make_console(stderr=False)
    for part in parts:
        console.print(
            Text(escape_control(part)) if isinstance(part, str) else part, soft_wrap=isinstance(part, str)
        )


def print_json(content: Mapping[str, Any]) -> None:
    """Print one JSON object on stdout, in ASCII, so that it survives any encoding."""
    print(json.dumps(content, indent=2, allow_nan=False, default=encode_value))


def print_message(kind: str, text: str) -> None:
    """Print a message on stderr; `kind` is its first word, such as error, warning or note."""
    line = Text.assemble((f"{kind}: ", STYLES.get(kind, "bold")), escape_control(text))
    _make_console(stderr=True).print(line, soft_wrap=True)


def confirm_sending(option: str) -> None:
    """Go on only if the user agrees to send texts to a server; `option` is the one that agrees beforehand."""
    if not sys.stdin.isatty():
        raise InputError(f"nothing was sent; to agree to send these texts, add {option}")
    if not typer.confirm("Send these texts?", default=False, err=True):
        raise CancelledError("nothing was sent")


@contextmanager
def show_progress() -> Iterator[Listener]:
    """Yield a listener that shows each stage as a progress bar; silent if stderr is no terminal."""
    console = _make_console(stderr=True)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[note]}", markup=False),
        TimeElapsedColumn(),
        _TimeLeftColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield _ProgressBars(progress)


class _TimeLeftColumn(ProgressColumn):
    """About how long a stage still takes, as far as that can be known."""

    def render(self, task: Task) -> Text:
        if task.finished or task.time_remaining is None:
            return Text("")
        return Text(f"about {math.ceil(task.time_remaining)} s left")


class _ProgressBars:
    """One progress bar per stage."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._tasks: dict[str, TaskID] = {}

    def __call__(self, event: Event) -> None:
        if event.stage not in self._tasks:
            self._tasks[event.stage] = self._progress.add_task(event.stage, total=None, note="")
        # A stage of a single step has no share to show: let the bar pulse instead.
        total = None if event.total == 1 and event.done == 0 else event.total
        self._progress.update(self._tasks[event.stage], completed=event.done, total=total, note=event.note)


def _make_console(*, stderr: bool) -> Console:
    console = Console(stderr=stderr, highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = max(console.width, PIPED_WIDTH)
    return console


def escape_control(text: str) -> str:
    """Escape what is not printable: hostile text must not send control codes to the terminal."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char == "\n" else ascii(char)[1:-1] for char in text)


def options_of(command: Any) -> frozenset[str]:
    """Return the options of a command as they are typed; empty for None."""
    return frozenset(option for parameter in getattr(command, "params", ()) for option in parameter.opts)


def format_message(message: Exception | str, options: Collection[str]) -> str:
    """Return the text of an error or a warning, with the command's options for the parameters it names."""
    if not isinstance(message, Message):
        return str(message)
    text = message.format_message(lambda parameter: _format_parameter(parameter, options))
    option = None if message.parameter is None else _find_option(message.parameter, options)
    return text if option is None or option in text else f"{text} ({option})"


def _format_parameter(parameter: Parameter, options: Collection[str]) -> str:
    value = "" if parameter.value is NO_VALUE else "…" if parameter.value is ... else parameter.value
    value = "none" if value is None else str(value)
    if option := _find_option(parameter.name, options):
        return f"{option} {value}".rstrip()
    if parameter.owner == "method" and "--param" in options:
        return f"--param {parameter.name}={value or '…'}"
    return str(parameter)


def _find_option(parameter: str, options: Collection[str]) -> str | None:
    """Return the option for a parameter; `evaluate` reads labels as texts are read."""
    names = [{**METHOD_OPTIONS, **WORD_OPTIONS}.get(parameter, f"--{parameter.replace('_', '-')}")]
    if parameter == "text":
        names.append("--label")
    return next((name for name in names if name in options), None)


class Watch:
    """Records a run: its warnings in order, each once, and the seconds of every stage."""

    def __init__(self, listener: Listener, options: frozenset[str] = frozenset()) -> None:
        self._options = options
        self.listener = listener
        self.warnings: list[tuple[type[Warning], str]] = []
        self.timings: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time one stage."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.timings[name] = round(time.perf_counter() - start, 4)

    def warned(self, message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        """Record a warning, and print it on stderr the first time."""
        entry = (category, format_message(message, self._options))
        if entry not in self.warnings:
            self.warnings.append(entry)
            print_message("warning", entry[1])

    @property
    def messages(self) -> list[str]:
        """The texts of the warnings."""
        return [text for _, text in self.warnings]


@contextmanager
def watch_run(context: typer.Context) -> Iterator[Watch]:
    """Record a command: progress bars and warnings go to stderr."""
    with show_progress() as listener, warnings.catch_warnings():
        watch = Watch(listener, options_of(context.command))
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = watch.warned
        yield watch


def print_run(record: Mapping[str, Any]) -> None:
    """Print the groups, the outcome of the knowledge, and the path of the report."""
    if suggestion := record.get("suggestion"):
        print_result(*suggestion["text"].splitlines())
    print_result(make_groups_table(record["groups"], record["terms"]))
    if outside := record["sizes"]["in_no_group"]:
        print_result(f"In no group: {format_count(outside, record['centre'])}.")
    for line in (_describe_knowledge(record), _describe_changes(record)):
        if line:
            print_result(line)
    print_result(f"Report: {record['report']}")


def make_groups_table(groups: Sequence[Mapping[str, Any]], terms: str) -> Table:
    """Make a table with one row per group: number, name, size, top words (or other terms), confidence."""
    table = Table("group", "name", header_style="bold")
    table.add_column("size", justify="right")
    table.add_column(Text(escape_control(f"top {terms}")))
    table.add_column("confidence", justify="right")
    between = " " if terms == WORDS else "; "
    for group in groups:
        words = between.join(group[f"top_{terms}"][:WORDS_SHOWN])
        cells = (
            str(group["cluster"]),
            group["name"],
            f"{group['size']:,}",
            words,
            f"{group['confidence']:.0%}",
        )
        table.add_row(*(Text(escape_control(cell)) for cell in cells))
    return table


def make_metrics_table(rows: Sequence[tuple[str, Mapping[str, float]]]) -> Table:
    """Make a table with one row per set of documents."""
    table = Table("", header_style="bold")
    for name in METRICS:
        table.add_column(name.upper() if len(name) == 3 else name, justify="right")
    for name, scores in rows:
        table.add_row(Text(escape_control(name)), *(f"{scores[metric]:.3f}" for metric in METRICS))
    return table


def describe_links(shares: Mapping[str, Mapping[str, float]]) -> str:
    """Describe which share of the links is kept, by type; empty without links."""
    parts = [
        f"{share:.1%} of {sign} links between {type_name}"
        for type_name, by_sign in shares.items()
        for sign, share in by_sign.items()
    ]
    return f"Links kept: {', '.join(parts)}." if parts else ""


def _describe_knowledge(record: Mapping[str, Any]) -> str:
    counts = record["knowledge"]
    if counts is None:
        return ""
    table = next(name for name in record["tables"] if name.startswith("knowledge."))
    parts = [
        f"{counts[name]:,} {name}" for name in ("kept", "broken", "contradicted", "unknown") if counts[name]
    ]
    doubtful = counts.get("doubtful", 0)
    verb = "is" if doubtful == 1 else "are"
    doubt = f" {doubtful:,} of them {verb} doubtful." if doubtful else ""
    statements = format_count(counts["statements"], "statements")
    return f"Knowledge: {statements}: {', '.join(parts)}.{doubt} See {table}."


def _describe_changes(record: Mapping[str, Any]) -> str:
    changes = record["changes"]
    if changes is None:
        return ""
    return (
        f"The knowledge moved {changes['moved']:,} of {format_count(changes['total'], record['centre'])} "
        f"to another group (NMI of both runs: {changes['agreement_nmi']:.3f})."
    )
