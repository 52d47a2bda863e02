"""`colligate export`: write a finished run in another format."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from colligate._storage.atomic import expand_path, write_folder
from colligate._storage.manifest import wrap_read_errors
from colligate.cli import options as o
from colligate.cli.console import print_json, print_message, watch_run
from colligate.cli.output import START as RUN_START
from colligate.cli.output import find_origin, refuse_existing
from colligate.errors import InputError, StoreError

if TYPE_CHECKING:
    from colligate.result import Result
    from colligate.result.notebook import Recipe


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
    notebook = "notebook"


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
NOT_REPEATED = ("init", "word_init", "init_names", "init_weight", "temperature", "doubt", "n_jobs", "device")
"""Parameters that the start file has, or that change nothing."""
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
    interactive page. `--format notebook --out session` writes a notebook that repeats the run.
    """
    from colligate.cli.inputs import load_run

    out = expand_path(out)
    chosen = format or _guess_format(out)
    refuse_out(out, run, overwrite)
    with watch_run(context) as watch:
        result = load_run(run)
        with watch.stage("export"):
            if chosen is Format.notebook:
                write_session(result, run, out)
            else:
                WRITERS[chosen](result, out)
    if json:
        print_json({"format": chosen.value, "out": str(out), "warnings": watch.messages})
    else:
        print_message("written", str(out))


def write_session(result: Result, run: Path, folder: Path) -> None:
    """Write a notebook that repeats a run, with its knowledge file and its start file."""
    from colligate.knowledge import Knowledge
    from colligate.result.notebook import KNOWLEDGE, NOTEBOOK, START, format_notebook

    source = expand_path(run)
    options = find_origin(source)
    if options is None:
        raise InputError(
            f"{run} is not an output folder of `colligate cluster` or `colligate change`, and a notebook can "
            "only repeat such a run; choose another folder"
        )
    start_option = expand_path(options["start"]) if options["start"] else None
    start = source / RUN_START if (source / RUN_START).is_file() else start_option
    recipe = make_recipe(result, options, has_start=start is not None)
    with write_folder(folder, overwrite=True, owned=lambda _: (NOTEBOOK, KNOWLEDGE, START)) as new:
        (new / NOTEBOOK).write_text(format_notebook(recipe), encoding="utf-8")
        if result.compiled is not None:
            Knowledge().add(*result.compiled.statements.blocks).write(new / KNOWLEDGE)
        if start is not None:
            with wrap_read_errors(start):
                shutil.copyfile(start, new / START)


def make_recipe(result: Result, options: Mapping[str, Any], *, has_start: bool) -> Recipe:
    """Describe how a run was made by options of `cluster`; the knowledge has that of sub-types already."""
    from colligate.cli.inputs import MIN_DOCUMENTS
    from colligate.network.inputs import is_stored_network
    from colligate.registry import find_method
    from colligate.result.notebook import Recipe

    defaults = find_method(result.method)().get_params(deep=False)
    parameters = {
        name: value
        for name, value in result.parameters.items()
        if name not in NOT_REPEATED and not isinstance(value, np.ndarray) and value != defaults.get(name)
    }
    return Recipe(
        input=_resolve(options["input"]),
        method=result.method,
        parameters=parameters,
        reading={name: options[name] for name in ("text", "id", "encoding") if options[name]},
        analyser={} if result.corpus is None else result.corpus.analyser.changed_options(),
        is_network=is_stored_network(Path(options["input"])),
        mentions=_resolve(options["mentions"]) if options["mentions"] else None,
        base=_resolve(options["kb"]) if options["kb"] else None,
        base_types=tuple(options["kb_type"] or ()),
        min_documents=MIN_DOCUMENTS,
        has_knowledge=result.compiled is not None,
        has_start=has_start,
        fold_duplicates=options.get("fold_duplicates", False),
    )


def _resolve(path: str) -> str:
    """Return a path from the root, since the notebook is in another folder; an address stays."""
    return path if "://" in path else str(expand_path(path).resolve())


def _guess_format(out: Path) -> Format:
    try:
        return BY_SUFFIX[out.suffix.lower()]
    except KeyError:
        names = ", ".join(format.value for format in Format)
        raise typer.BadParameter(
            f"the file name of --out must end with a known format; use one of: {names}",
            param_hint="--format",
        ) from None


def refuse_out(out: Path, run: Path, overwrite: bool) -> None:
    """Refuse to write into the run, whose folder holds only its own files, or over a file."""
    folder = expand_path(run).resolve()
    if folder in (out.resolve(), *out.resolve().parents):
        raise StoreError(f"{out} is inside the folder of the run; choose an --out outside {run}")
    refuse_existing(out, overwrite=overwrite)
