"""`colligate export`: write a finished run in another format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from colligate._storage.atomic import expand_path
from colligate.cli import options as o
from colligate.cli.console import print_json, print_message, watch_run
from colligate.errors import StoreError

if TYPE_CHECKING:
    from colligate.result import Result


class Format(StrEnum):
    """What to write."""

    csv = "csv"
    xlsx = "xlsx"
    parquet = "parquet"
    map_html = "map-html"
    map_svg = "map-svg"
    map_png = "map-png"
    label_studio = "label-studio"
    argilla = "argilla"


BY_SUFFIX = {
    ".csv": Format.csv,
    ".xlsx": Format.xlsx,
    ".parquet": Format.parquet,
    ".html": Format.map_html,
    ".svg": Format.map_svg,
    ".png": Format.map_png,
}
"""The format of a file by the end of its name, where --format is left out."""


def write_table(result: Result, path: Path, format: Format) -> None:
    """Write the documents to a file with the name of the format, else all tables to a folder."""
    if path.suffix.lower() == f".{format}":
        result.write_documents(path, format=format.value)
    else:
        result.write_tables(path, format=format.value)


WRITERS: Mapping[Format, Callable[[Result, Path], Any]] = {
    **{format: partial(write_table, format=format) for format in (Format.csv, Format.xlsx, Format.parquet)},
    Format.map_html: lambda result, path: result.map_page(path),
    Format.map_svg: lambda result, path: result.map_picture(path, format="svg"),
    Format.map_png: lambda result, path: result.map_picture(path, format="png"),
    # Without --overwrite, the command has refused what exists; a folder with other files is never replaced.
    Format.label_studio: lambda result, path: result.write_label_studio(path, overwrite=True),
    Format.argilla: lambda result, path: result.write_argilla(path, name=path.name, overwrite=True),
}
FormatOption = Annotated[
    Format | None,
    typer.Option(
        "--format",
        help="What to write; by default the end of the name of --out decides.",
        rich_help_panel=o.OUTPUT,
    ),
]
OutPath = Annotated[
    Path, typer.Option("--out", "-o", help="The file or folder to write.", rich_help_panel=o.OUTPUT)
]


def export(
    context: typer.Context,
    run: o.RunFolder,
    out: OutPath,
    format: FormatOption = None,
    overwrite: o.OverwriteFile = False,
    json: o.AsJson = False,
) -> None:
    """Write the documents and groups of RUN for another program, or its map.

    `colligate export run --out documents.xlsx` writes the documents with their groups, columns and texts;
    `--format xlsx --out tables` writes all tables to a folder. `--out map.html` writes the map as one
    interactive page.
    """
    from colligate.cli.inputs import load_run

    out = expand_path(out)
    chosen = format or _guess_format(out)
    _refuse_out(out, run, overwrite)
    with watch_run(context) as watch:
        result = load_run(run)
        with watch.stage("export"):
            WRITERS[chosen](result, out)
    if json:
        print_json({"format": chosen.value, "out": str(out), "warnings": watch.messages})
    else:
        print_message("written", str(out))


def _guess_format(out: Path) -> Format:
    try:
        return BY_SUFFIX[out.suffix.lower()]
    except KeyError:
        names = ", ".join(format.value for format in Format)
        raise typer.BadParameter(
            f"the name of --out does not tell the format; choose one of: {names}", param_hint="--format"
        ) from None


def _refuse_out(out: Path, run: Path, overwrite: bool) -> None:
    """Refuse to write into the run, whose folder holds only its own files, or over a file."""
    folder = expand_path(run).resolve()
    if folder in (out.resolve(), *out.resolve().parents):
        raise StoreError(f"{out} is inside {run}, which holds only the run; choose another --out")
    if out.exists() and not overwrite:
        raise StoreError(f"{out} already exists; add --overwrite to replace it, or choose another --out")
