"""`colligate studio`: see the groups, say what is wrong, and cluster again, in the browser."""

from __future__ import annotations

import contextlib
import getpass
import webbrowser
from pathlib import Path
from typing import Annotated, Any

import typer

from colligate.cli import options as o
from colligate.cli.console import say, show
from colligate.cli.watch import watching
from colligate.files import located

SUFFIX = ".studio"

ProjectFolder = Annotated[
    Path | None, typer.Option("--project", help="The folder of the project; INPUT.studio without it.")
]
Clusters = Annotated[
    Any,
    typer.Option(
        "--clusters",
        "-k",
        help="How many groups to begin with; auto takes the number that is suggested. Without it the cube "
        "root of the documents, at most 40.",
        parser=o.number_or_auto,
        metavar="N|auto",
        rich_help_panel=o.RUN,
    ),
]
LabelColumn = Annotated[
    str | None,
    typer.Option(
        "--label",
        help="A column of known labels: runs are held against them, and no method is told of them.",
        rich_help_panel=o.READING,
    ),
]
Who = Annotated[
    str | None, typer.Option("--who", help="Who is noted with what is said; your login name without it.")
]
Port = Annotated[int, typer.Option("--port", min=0, max=65535, help="The port; a free one without it.")]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Print the address, and open no browser.")]


def studio(
    context: typer.Context,
    input: o.InputOrNetwork,
    knowledge: o.KnowledgeFile = None,
    kb: o.KnowledgeBase = None,
    kb_type: o.BaseTypes = None,
    project: ProjectFolder = None,
    method: o.MethodName = None,
    clusters: Clusters = None,
    seed: o.Seed = 0,
    text: o.TextColumns = None,
    id: o.IdColumn = None,
    encoding: o.Encoding = None,
    label: LabelColumn = None,
    who: Who = None,
    port: Port = 0,
    no_browser: NoBrowser = False,
) -> None:
    """Open INPUT in the studio: a page in your browser, served from this machine to this machine alone.

    Everything is kept in a project folder beside INPUT, and is there again when you come back. Options that
    differ from those it was made with are used for a new run, or refused by name. The printed address works
    once, in one browser. Ctrl-C ends the studio; nothing is lost by it.
    """
    from colligate.cli.studio_project import made, reopened
    from colligate.studio.project import Project
    from colligate.studio.server.serve import Server
    from colligate.studio.session import Session

    if clusters is not None and clusters != o.AUTO and clusters < 1:
        raise typer.BadParameter(f"a project needs at least one group; got {clusters}")
    folder = located(project) if project else located(input).with_name(located(input).name + SUFFIX)
    name = _login() if who is None else who
    with watching(context) as watch:
        if Project.is_there(folder):
            opened, asked = reopened(folder, context, watch)
        else:
            opened, asked = made(folder, context.params, watch, name)
    session = Session(opened, name)
    try:
        server = Server(session, port)
        session.keeper.start()
        if asked is not None or session.current() is None:
            session.ask_run(asked or {})
        for number, what in session.runs.damaged.items():
            say("warning", f"run {number} cannot be read: {what}")
        _tell(server.address, no_browser)
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_here()
    finally:
        session.close()
    say("stopped", f"everything is kept in {folder}; open it again with the same command")


def _login() -> str:
    """The login name; empty on a machine that knows none."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""


def _tell(address: str, no_browser: bool) -> None:
    show(address)
    if not no_browser:
        webbrowser.open(address)
