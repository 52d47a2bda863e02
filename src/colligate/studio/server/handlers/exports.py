"""Handlers: a run as files for other programs."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from starlette.background import BackgroundTask
from starlette.responses import FileResponse

from colligate.report.map_page import render_map_page
from colligate.result.figures import draw_map_figure
from colligate.result.layout import MAX_SHOWN, Layout, sample_documents
from colligate.result.map_files import make_map_view
from colligate.result.table_files import write_documents
from colligate.studio.server.endpoint import RefusedError
from colligate.studio.server.handlers.groups import load_layout
from colligate.studio.session_files import write_session

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from colligate.studio.run_views import RunView
    from colligate.studio.server.endpoint import Call
    from colligate.studio.session import Session

# a sandbox: if a browser opens a download, text of documents must not run as a page of the studio
DOWNLOAD_POLICY = "default-src 'none'; sandbox"


def get_export(session: Session, call: Call) -> FileResponse:
    """Return a run in the format of the query; several files come as a zip file."""
    format = call.query.get("format", "")
    if format not in WRITERS:
        raise RefusedError(422, f"format must be one of {', '.join(WRITERS)}; got {format!r:.60}")
    view = session.view(call.path["run"])
    content, suffix, write = WRITERS[format]
    name = f"{session.project.folder.name.removesuffix('.studio')}-run-{view.record.number}-{content}"
    folder = Path(tempfile.mkdtemp(prefix="colligate-export-"))
    try:
        path = write(session, view, folder / f"export{suffix}")
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return FileResponse(
        path,
        filename=f"{name}{suffix or '.zip'}",
        headers={"content-security-policy": DOWNLOAD_POLICY},
        background=BackgroundTask(shutil.rmtree, folder, ignore_errors=True),
    )


def _write_documents(session: Session, view: RunView, path: Path) -> Path:
    return write_documents(session.project.with_names(view.result, view.record), path, quiet=True)


def _write_map(session: Session, view: RunView, path: Path) -> Path:
    """Write the map as the page of the studio shows it: interactive, or as a picture."""
    title = f"{session.project.folder.name.removesuffix('.studio')}, run {view.record.number}"
    result, layout = session.project.with_names(view.result, view.record), _sample_layout(session, view)
    if path.suffix == ".svg":
        text = draw_map_figure(result, layout).restyle(title=title).to_svg()
    else:
        text = render_map_page(make_map_view(result, title, layout))
    path.write_text(text, encoding="utf-8", newline="\n")
    return path


def _sample_layout(session: Session, view: RunView) -> Layout:
    """Return the positions of the documents that are in groups, at most as many as a page can show.

    The page of the studio draws upside down what pictures draw upwards, so the map is flipped.
    """
    layout, count = load_layout(session, view), view.result.n_groups()
    sizes = np.bincount(view.labels[view.labels >= 0], minlength=count)
    rows = np.sort(np.concatenate(sample_documents(view.labels, sizes, MAX_SHOWN)))
    # a rotated map may reach a little over its edges
    places, centres = (
        np.clip(np.column_stack([part[:, 0], 1.0 - part[:, 1]]), 0.0, 1.0)
        for part in (layout.documents[rows].astype(np.float64), layout.centres)
    )
    return Layout(rows, places, centres, layout.radii, view.labels.size)


def _write_label_studio(session: Session, view: RunView, path: Path) -> Path:
    return _pack(session.project.with_names(view.result, view.record).write_label_studio(path))


def _write_argilla(session: Session, view: RunView, path: Path) -> Path:
    name = session.project.folder.name.removesuffix(".studio")
    return _pack(session.project.with_names(view.result, view.record).write_argilla(path, name=name))


def _write_session(session: Session, view: RunView, path: Path) -> Path:
    return _pack(write_session(session.project, view.record, path))


def _pack(folder: Path) -> Path:
    """Make a zip file of a folder."""
    return Path(shutil.make_archive(str(folder), "zip", folder))


WRITERS: Mapping[str, tuple[str, str, Callable[[Session, RunView, Path], Path]]] = {
    "csv": ("documents", ".csv", _write_documents),
    "xlsx": ("documents", ".xlsx", _write_documents),
    "parquet": ("documents", ".parquet", _write_documents),
    "map-html": ("map", ".html", _write_map),
    "map-svg": ("map", ".svg", _write_map),
    "label-studio": ("label-studio", "", _write_label_studio),
    "argilla": ("argilla", "", _write_argilla),
    "session": ("notebook", "", _write_session),
}
"""By format: what the file is, as in its name, the end of its name, and the function that writes it.

An empty end is a folder.
"""
