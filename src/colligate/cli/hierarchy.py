"""`colligate hierarchy`: show the groups of a run as a tree, and join them to fewer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from colligate._storage.atomic import expand_path
from colligate.cli import options as o
from colligate.cli.console import escape_control, print_json, print_message, print_result, watch_run
from colligate.cli.export import refuse_out

if TYPE_CHECKING:
    from colligate.result.hierarchy import Cut, Hierarchy

CutNumber = Annotated[
    int | None,
    typer.Option("--cut", min=1, help="Join the nearest groups until so many are left."),
]
OutFile = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        help="Also write a file (.csv, .xlsx, .parquet): the nodes of the tree, or with --cut the documents.",
        rich_help_panel=o.OUTPUT,
    ),
]


def hierarchy(
    context: typer.Context,
    run: o.RunFolder,
    cut: CutNumber = None,
    out: OutFile = None,
    overwrite: o.OverwriteFile = False,
    json: o.AsJson = False,
) -> None:
    """Show how the groups of RUN join to larger ones.

    Groups are near if the method places their documents alike. Nothing is clustered again, and RUN stays as
    it is. With --cut 5, the groups are joined to five; `--out parts.csv` writes the part of each document.
    The other direction is `colligate change RUN --refine GROUP --into K`: it divides one group.
    """
    from colligate.cli.inputs import load_run
    from colligate.result.table_files import check_format, write_table_files

    format = ""
    if out is not None:
        out = expand_path(out)
        format = check_format(out.suffix.lower().removeprefix("."))
        refuse_out(out, run, overwrite)
    with watch_run(context) as watch:
        tree = load_run(run).hierarchy()
        if cut is not None and cut > tree.n_groups:
            raise typer.BadParameter(
                f"the run has {tree.n_groups} groups; choose a number from 1 to {tree.n_groups}",
                param_hint="--cut",
            )
        joined = None if cut is None else tree.cut(cut)
        if out is not None:
            write_table_files({out: (joined or tree).to_frame().to_arrow()}, format)
    if json:
        print_json(_describe(tree, joined, out, watch.messages))
        return
    print_result(escape_control(str(tree)) if joined is None else _make_table(joined))
    if out is not None:
        print_message("written", str(out))


def _describe(tree: Hierarchy, joined: Cut | None, out: Path | None, warnings: list[str]) -> dict[str, Any]:
    record: dict[str, Any] = {"out": None if out is None else str(out), "warnings": warnings}
    if joined is None:
        return {"nodes": list(tree.to_frame().rows()), **record}
    parts = [
        {"part": k, "name": name, "size": size, "clusters": list(groups)}
        for k, (name, size, groups) in enumerate(zip(joined.names, joined.sizes, joined.groups, strict=True))
    ]
    return {"parts": parts, **record}


def _make_table(joined: Cut) -> Table:
    """Make a table with one row per part: number, name, size, and its groups."""
    names = dict(zip(joined.result.group_numbers, joined.result.group_names, strict=True))
    table = Table("part", "name", header_style="bold")
    table.add_column("size", justify="right")
    table.add_column("groups")
    for k, (name, size, groups) in enumerate(zip(joined.names, joined.sizes, joined.groups, strict=True)):
        members = "; ".join(f"{number}: {names[number]}" for number in groups)
        table.add_row(*(Text(escape_control(cell)) for cell in (str(k), name, f"{size:,}", members)))
    return table
