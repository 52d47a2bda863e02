"""`colligate kb`: build a knowledge base, show its size, and query it."""

from __future__ import annotations

import csv
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from colligate.cli import options as o
from colligate.cli.console import Watch, escape_control, print_json, print_result, watch_run
from colligate.cli.options import RETRIES, TIMEOUT, Retries, Timeout

if TYPE_CHECKING:
    from colligate.entities.kb import Info, KnowledgeBase, QueryResult
    from colligate.entities.kb.load_tables import TableColumns

Files = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILE...",
        help="RDF (.nt, .ttl, .rdf, .owl, .xml, .jsonld) or tables (.csv, .tsv, .parquet) of entities "
        "(entity, name, aliases, type, subtype), classes (class, parent, label) or triples (head, relation, "
        "tail); also .gz, .zst.",
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
    """Build a knowledge base, show its size, and query it."""


@kb.command()
def build(
    context: typer.Context,
    files: Files,
    out: OutFolder,
    overwrite: OverwriteBase = False,
    json: o.AsJson = False,
) -> None:
    """Load RDF files and tables into a folder.

    An error names the malformed line, and nothing is written.
    """
    from colligate.entities.kb.store import build as build_folder

    with watch_run(context) as watch:
        counts = build_folder(files, out, overwrite=overwrite, listener=watch.listener)
    tables = _read_tables(files)
    if json:
        columns = {name: _describe(table) for name, table in tables.items()}
        print_json({"out": str(out), **asdict(counts), "tables": columns, "warnings": watch.messages})
        return
    _show_size(counts)
    for name, table in tables.items():
        _show_columns(name, table)
    print_result(f"Knowledge base: {out}")


@kb.command()
def info(
    context: typer.Context,
    base: Base,
    json: o.AsJson = False,
    timeout: Timeout = TIMEOUT,
    retries: Retries = RETRIES,
) -> None:
    """Show the size of a knowledge base."""
    with watch_run(context) as watch:
        counts = _open_uncached(base, timeout, retries, watch).info()
    if json:
        print_json({"kb": base, **asdict(counts), "warnings": watch.messages})
        return
    _show_size(counts)


@kb.command()
def query(
    context: typer.Context,
    base: Base,
    sparql: Sparql,
    json: o.AsJson = False,
    timeout: Timeout = TIMEOUT,
    retries: Retries = RETRIES,
) -> None:
    """Query a knowledge base in SPARQL; the answer is a table in CSV."""
    with watch_run(context) as watch:
        result = _open_uncached(base, timeout, retries, watch).query(sparql)
    if json:
        print_json({**asdict(result), "warnings": watch.messages})
        return
    _print_csv(result)


def _open_uncached(base: str, timeout: float, retries: int, watch: Watch) -> KnowledgeBase:
    from colligate.entities.kb import RequestPolicy, open_base

    policy = RequestPolicy(timeout=timeout, retries=retries)
    return open_base(base, cache=None, policy=policy, listener=watch.listener)


def _show_size(counts: Info) -> None:
    table = Table("", header_style="bold")
    table.add_column("number", justify="right")
    for name, number in asdict(counts).items():
        table.add_row(name, f"{number:,}")
    print_result(table)


def _read_tables(files: list[Path]) -> dict[str, TableColumns]:
    """Read, by file, which columns of each table were used; RDF files have none."""
    from colligate._storage.atomic import expand_path
    from colligate.corpus.readers.encoding import format_suffix
    from colligate.entities.kb.load_tables import TABLES, read_columns

    return {str(file): read_columns(expand_path(file)) for file in files if format_suffix(file) in TABLES}


def _describe(table: TableColumns) -> dict[str, Any]:
    return {"content": table.layout.content, "columns": table.used, "unused": list(table.unused)}


def _show_columns(name: str, table: TableColumns) -> None:
    used = [column if column == role else f"{column} (as {role})" for column, role in table.used.items()]
    unused = f"; not read: {', '.join(table.unused)}" if table.unused else ""
    print_result(f"{name}: {table.layout.content}, from {', '.join(used)}{unused}.")


def _print_csv(result: QueryResult) -> None:
    # As for predictions: a terminal obeys control codes, and a spreadsheet runs formulas.
    from colligate.result.tables import escape_formula

    shown = escape_control if sys.stdout.isatty() else str
    csv.writer(sys.stdout, lineterminator="\n").writerows(
        [shown(str(escape_formula(cell or ""))) for cell in row] for row in (result.columns, *result.rows)
    )
