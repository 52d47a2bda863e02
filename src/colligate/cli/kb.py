"""`colligate kb`: build a knowledge base, look at it, and ask it."""

from __future__ import annotations

import csv
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table as Shown

from colligate.cli import options as o
from colligate.cli.console import Watch, escape_control, print_json, print_result, watch_run
from colligate.cli.options import RETRIES, TIMEOUT, Retries, Timeout

if TYPE_CHECKING:
    from colligate.entities.kb import Info, KnowledgeBase, QueryResult

Files = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILE...",
        help="RDF (.nt, .ttl, .rdf, .owl, .xml, .jsonld) or tables (.csv, .tsv, .parquet) of entities "
        "(entity, name, aliases, type, subtype), classes (class, parent) or triples (head, relation, tail); "
        "also .gz, .zst.",
    ),
]
Base = Annotated[
    str,
    typer.Argument(metavar="KB", help="A folder that `kb build` wrote, a file, or the URL of an endpoint."),
]
Sparql = Annotated[str, typer.Argument(metavar="SPARQL", help="A query in SPARQL 1.1.")]
OutFolder = Annotated[
    Path, typer.Option("--out", "-o", help="The folder to write.", rich_help_panel=o.OUTPUT)
]
OverwriteBase = Annotated[
    bool,
    typer.Option("--overwrite", help="Replace the knowledge base in that folder.", rich_help_panel=o.OUTPUT),
]

kb = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")


@kb.callback()
def knowledge_base() -> None:
    """Build a knowledge base, look at it, and ask it."""


@kb.command()
def build(
    context: typer.Context,
    files: Files,
    out: OutFolder,
    overwrite: OverwriteBase = False,
    json: o.AsJson = False,
) -> None:
    """Load RDF files and tables into a folder; of a malformed file the line is told and nothing kept."""
    from colligate.entities.kb import build as built

    with watch_run(context) as watch:
        counts = built(files, out, overwrite=overwrite, listener=watch.listener)
    if json:
        print_json({"out": str(out), **asdict(counts), "warnings": watch.messages})
        return
    _show(counts)
    print_result(f"Knowledge base: {out}")


@kb.command()
def info(
    context: typer.Context,
    base: Base,
    json: o.AsJson = False,
    timeout: Timeout = TIMEOUT,
    retries: Retries = RETRIES,
) -> None:
    """Tell how much is in a knowledge base."""
    with watch_run(context) as watch:
        counts = _asked_anew(base, timeout, retries, watch).info()
    if json:
        print_json({"kb": base, **asdict(counts), "warnings": watch.messages})
        return
    _show(counts)


@kb.command()
def query(
    context: typer.Context,
    base: Base,
    sparql: Sparql,
    json: o.AsJson = False,
    timeout: Timeout = TIMEOUT,
    retries: Retries = RETRIES,
) -> None:
    """Ask a knowledge base in SPARQL; the answer is a table in CSV."""
    with watch_run(context) as watch:
        found = _asked_anew(base, timeout, retries, watch).query(sparql)
    if json:
        print_json({**asdict(found), "warnings": watch.messages})
        return
    _print(found)


def _asked_anew(base: str, timeout: float, retries: int, watch: Watch) -> KnowledgeBase:
    from colligate.entities.kb import RequestPolicy, open_base

    policy = RequestPolicy(timeout=timeout, retries=retries)
    return open_base(base, cache=None, policy=policy, listener=watch.listener)


def _show(counts: Info) -> None:
    table = Shown("", header_style="bold")
    table.add_column("number", justify="right")
    for what, number in asdict(counts).items():
        table.add_row(what, f"{number:,}")
    print_result(table)


def _print(found: QueryResult) -> None:
    # As predictions are printed: a terminal obeys control codes, a spreadsheet formulas.
    from colligate.result.tables import harmless

    shown = escape_control if sys.stdout.isatty() else str
    csv.writer(sys.stdout, lineterminator="\n").writerows(
        [shown(str(harmless(cell or ""))) for cell in row] for row in (found.columns, *found.rows)
    )
