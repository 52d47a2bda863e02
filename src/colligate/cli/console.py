"""The two consoles: results go to stdout, everything else to stderr, where progress bars live as well.

Texts as the terminal shows them: they cannot steer it, and advice names what the command has.

Watching a run: progress, warnings as they come, and how long each stage took.

What a run found, as tables and lines for a person.
"""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import typer
from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from colligate.errors import NO_VALUE, Message, Parameter
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
    "random_state": "--seed",
}
"""Parameters of methods that have options; the others are set with --param."""
WORDS_SHOWN = 8
METRICS = ("accuracy", "nmi", "ari", "rand", "purity")
SETS = {"all": "all labelled {}", "unnamed": "those that no knowledge names"}


def print_result(*parts: RenderableType) -> None:
    """Print tables and lines of text on stdout."""
    console = _make_console(stderr=False)
    for part in parts:
        console.print(
            Text(escape_control(part)) if isinstance(part, str) else part, soft_wrap=isinstance(part, str)
        )


def print_json(content: Mapping[str, Any]) -> None:
    """Print one JSON object on stdout, in ASCII, so that no terminal and no encoding can spoil it."""
    print(json.dumps(content, indent=2, allow_nan=False))


def print_message(kind: str, text: str) -> None:
    """Tell the user something on stderr: an error, a warning, or a note of any other kind."""
    line = Text.assemble((f"{kind}: ", STYLES.get(kind, "bold")), escape_control(text))
    _make_console(stderr=True).print(line, soft_wrap=True)


@contextmanager
def show_progress() -> Iterator[Listener]:
    """Hand out a listener that shows each stage as a progress bar; it shows nothing where nobody watches."""
    console = _make_console(stderr=True)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[note]}", markup=False),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield _ProgressBars(progress)


class _ProgressBars:
    """One bar per stage, made when the stage is first heard of."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._tasks: dict[str, TaskID] = {}

    def __call__(self, event: Event) -> None:
        if event.stage not in self._tasks:
            self._tasks[event.stage] = self._progress.add_task(event.stage, total=None, note="")
        # A single step is either ahead or behind; a bar that moves says more than an empty one.
        total = None if event.total == 1 and event.done == 0 else event.total
        self._progress.update(self._tasks[event.stage], completed=event.done, total=total, note=event.note)


def _make_console(*, stderr: bool) -> Console:
    console = Console(stderr=stderr, highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = max(console.width, PIPED_WIDTH)
    return console


def escape_control(text: str) -> str:
    """Show what is not printable by its escape: hostile text must not send control codes to a terminal."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char == "\n" else ascii(char)[1:-1] for char in text)


def options_of(command: Any) -> frozenset[str]:
    """The options of a command, as they are typed; none of no command."""
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
    names = [METHOD_OPTIONS.get(parameter, f"--{parameter.replace('_', '-')}")]
    if parameter == "text":
        names.append("--label")
    return next((name for name in names if name in options), None)


class Watch:
    """What was seen of a run: its warnings in order, each once, and the seconds of every stage."""

    def __init__(self, listener: Listener, options: frozenset[str] = frozenset()) -> None:
        self._options = options
        self.listener = listener
        self.warnings: list[tuple[type[Warning], str]] = []
        self.timings: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Take the time of one stage."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.timings[name] = round(time.perf_counter() - start, 4)

    def warned(self, message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        """Take in one warning, and tell it as a line on stderr unless it was told before."""
        found = (category, format_message(message, self._options))
        if found not in self.warnings:
            self.warnings.append(found)
            print_message("warning", found[1])

    @property
    def messages(self) -> list[str]:
        """The texts of the warnings."""
        return [text for _, text in self.warnings]


@contextmanager
def watch_run(context: typer.Context) -> Iterator[Watch]:
    """Watch everything inside a command: bars and warnings go to stderr."""
    with show_progress() as listener, warnings.catch_warnings():
        watch = Watch(listener, options_of(context.command))
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = watch.warned
        yield watch


def print_run(record: Mapping[str, Any]) -> None:
    """Print the groups, what became of the knowledge, and where the report is."""
    if suggestion := record.get("suggestion"):
        tried = ", ".join(f"{number} {nats:.2f}" for number, nats in suggestion["curve"])
        print_result(
            f"{suggestion['n_clusters']} groups are suggested. How far neighbours agree, in nats: {tried}."
        )
    print_result(make_groups_table(record["groups"], record["terms"]))
    if outside := record["sizes"]["in_no_group"]:
        print_result(f"In no group: {format_count(outside, record['centre'])}.")
    for line in (_describe_knowledge(record["knowledge"]), _describe_changes(record)):
        if line:
            print_result(line)
    print_result(f"Report: {record['report']}")


def make_groups_table(groups: Sequence[Mapping[str, Any]], terms: str) -> Table:
    """One row per group: number, name, size, top words (or other terms), confidence."""
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
    """One row per set of metrics."""
    table = Table("", header_style="bold")
    for name in METRICS:
        table.add_column(name.upper() if len(name) == 3 else name, justify="right")
    for name, found in rows:
        table.add_row(Text(escape_control(name)), *(f"{found[metric]:.3f}" for metric in METRICS))
    return table


def describe_links(shares: Mapping[str, Mapping[str, float]]) -> str:
    """How many of the links hold, by type; empty where there are none."""
    told = [
        f"{share:.1%} of {sign} links between {kind}"
        for kind, found in shares.items()
        for sign, share in found.items()
    ]
    return f"Links kept: {', '.join(told)}." if told else ""


def _describe_knowledge(found: Mapping[str, Any] | None) -> str:
    if found is None:
        return ""
    told = [
        f"{found[name]:,} {name}" for name in ("kept", "broken", "contradicted", "unknown") if found[name]
    ]
    doubtful = found.get("doubtful", 0)
    verb = "disagrees" if doubtful == 1 else "disagree"
    doubt = f" {doubtful:,} of them {verb} with everything else." if doubtful else ""
    statements = format_count(found["statements"], "statements")
    return f"Knowledge: {statements}: {', '.join(told)}.{doubt} See knowledge.csv."


def _describe_changes(record: Mapping[str, Any]) -> str:
    found = record["changes"]
    if found is None:
        return ""
    return (
        f"The knowledge moved {found['moved']:,} of {format_count(found['total'], record['centre'])} "
        f"to another group (NMI of both runs: {found['agreement_nmi']:.3f})."
    )
