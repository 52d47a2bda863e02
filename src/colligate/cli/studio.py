"""`colligate studio`: see the groups, say what is wrong, and cluster again, in the browser.

The project that `colligate studio` opens: made of the documents, or one that is there already.

What is given on the command line for a project that is there is never passed over: a method, a number of
groups or a seed that differ from those given before are used for a new run, known labels are taken in, and
whatever would need other documents or other knowledge is refused by the name of its option.
"""

from __future__ import annotations

import contextlib
import getpass
import webbrowser
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from colligate._storage.atomic import expand_path
from colligate.cli import options as o
from colligate.cli.cluster import suggest_number
from colligate.cli.console import Watch, print_message, print_result, watch_run
from colligate.errors import StoreError

if TYPE_CHECKING:
    from colligate.corpus import Corpus
    from colligate.knowledge import Knowledge
    from colligate.network import Network
    from colligate.studio.project import Project, Settings

    Request = dict[str, Any] | None

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
        parser=o.parse_number_or_auto,
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
MAX_DEFAULT_CLUSTERS = 40
READING = {"text": "text", "id": "id", "encoding": "encoding", "kb": "kb", "kb_type": "kb-type"}
ELSEWHERE = "choose another folder with --project"


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
    from colligate.studio.project import Project
    from colligate.studio.server.app import Server
    from colligate.studio.session import Session

    if clusters is not None and clusters != o.AUTO and clusters < 1:
        raise typer.BadParameter(f"a project needs at least one group; got {clusters}")
    folder = (
        expand_path(project) if project else expand_path(input).with_name(expand_path(input).name + SUFFIX)
    )
    name = _find_login() if who is None else who
    with watch_run(context) as watch:
        if Project.exists(folder):
            opened, asked = open_project(folder, context, watch)
        else:
            opened, asked = create_project(folder, context.params, watch, name)
    session = Session(opened, name)
    try:
        server = Server(session, port)
        session.worker.start()
        if asked is not None or session.current() is None:
            session.request_run(asked or {})
        for number, what in session.runs.damaged.items():
            print_message("warning", f"run {number} cannot be read: {what}")
        _show_address(server.address, no_browser)
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_until_stopped()
    finally:
        session.close()
    print_message("stopped", f"everything is kept in {folder}; open it again with the same command")


def _find_login() -> str:
    """The login name; empty on a machine that knows none."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""


def _show_address(address: str, no_browser: bool) -> None:
    print_result(address)
    if not no_browser:
        webbrowser.open(address)


def open_project(folder: Path, context: typer.Context, watch: Watch) -> tuple[Project, Request]:
    """Open a project that is there, and tell the run that the command line asks for, if it asks for one."""
    from colligate.registry import find_method
    from colligate.studio.project import Project

    given = context.params
    if given["method"]:
        find_method(given["method"])
    with watch.stage("opening"):
        project = Project(folder)
    try:
        _refuse_changes(project, given)
        if given["label"] is not None:
            project.set_labels(_read_known_labels({**given, **_saved_reading(project, given)}))
        return project, _request_run(project, context, watch)
    except BaseException:
        project.close()
        raise


def create_project(
    folder: Path, given: dict[str, Any], watch: Watch, who: str = ""
) -> tuple[Project, Request]:
    """Read the documents and make a project of them; `who` is noted with the knowledge file."""
    from colligate.cli.inputs import Entities, add_subtypes, read_documents, read_knowledge
    from colligate.registry import find_method
    from colligate.studio.project import Project, Settings
    from colligate.studio.project.folder import hash_input

    input, kb = expand_path(given["input"]), given["kb"]
    method = given["method"] or o.DEFAULT_METHOD
    find_method(method)
    told = read_knowledge(given["knowledge"], o.Policy.report.value, o.Policy.report.value)
    entities = Entities(None, kb, tuple(given["kb_type"] or ()), kb is not None)
    reading = {name: given[name] or None for name in ("text", "id", "encoding")}
    with watch.stage("reading"):
        documents, table = read_documents(input, entities, o.Policy.report.value, watch, **reading)
        known = add_subtypes(told, table, entities, o.Policy.report.value, o.Policy.report.value)
    settings = Settings(
        input=str(input.resolve()),
        digest=hash_input(input),
        method=method,
        n_clusters=_choose_clusters(given["clusters"], documents, known, watch),
        seed=given["seed"],
        reading=_reading_options(given),
        auto=given["clusters"] == o.AUTO,
    )
    text = _make_knowledge_text(known is told, known, given["knowledge"])
    return Project.create(folder, documents, settings, text, _read_known_labels(given), who), None


def _refuse_changes(project: Project, given: dict[str, Any]) -> None:
    """Refuse other documents, other ways to read them, and other knowledge than the project has."""
    from colligate.studio.knowledge_file import import_text

    project.refuse_other_input(expand_path(given["input"]))
    for option, value in _reading_options(given).items():
        if value != project.settings.reading.get(option):
            raise StoreError(
                f"{project.folder} was made with another --{option}; leave it out, or {ELSEWHERE}"
            )
    path = given["knowledge"]
    if path is not None and import_text(path, project.folder) != project.imported_knowledge():
        raise StoreError(
            f"{project.folder} was made with other knowledge than {path}; leave out --knowledge and edit it "
            f"in the studio, or {ELSEWHERE}"
        )


def _saved_reading(project: Project, given: dict[str, Any]) -> dict[str, Any]:
    """How the documents of the project were read, as far as labels are read the same way."""
    return {name: given[name] or project.settings.reading.get(name) for name in ("id", "encoding")}


def _request_run(project: Project, context: typer.Context, watch: Watch) -> Request:
    """The run that the options ask for; None if they are as they were and no run is still to be made.

    It is kept with the settings until it came to its end, so that it is made whenever the studio is opened.
    """
    wanted = _update_settings(project, context, watch)
    changed = [
        name
        for name in ("method", "n_clusters", "seed")
        if vars(wanted)[name] != vars(project.settings)[name]
    ]
    if changed:
        more = {name: vars(wanted)[name] for name in changed if name != "seed"}
        wanted = replace(wanted, asked={**wanted.asked, "fresh": True, **more})
        _note_changes(wanted, changed)
    if wanted != project.settings:
        project.save_settings(wanted)
    return dict(wanted.asked) or None


def _note_changes(wanted: Settings, changed: list[str]) -> None:
    told = {
        "method": wanted.method,
        "n_clusters": f"{wanted.n_clusters} groups",
        "seed": f"seed {wanted.seed}",
    }
    print_message(
        "note", f"clustering afresh, by the options given now: {', '.join(told[name] for name in changed)}"
    )


def _update_settings(project: Project, context: typer.Context, watch: Watch) -> Settings:
    from colligate.studio.knowledge_file import read_text

    given, settings = context.params, project.settings
    if given["method"]:
        settings = replace(settings, method=given["method"])
    source = context.get_parameter_source("seed")
    if source is not None and source.name == "COMMANDLINE":
        settings = replace(settings, seed=given["seed"])
    clusters = given["clusters"]
    if clusters is None or (clusters == o.AUTO and settings.auto):
        return settings
    known = read_text(project.knowledge(), project.folder) if clusters == o.AUTO else None
    number = _choose_clusters(clusters, project.network, known, watch)
    return replace(settings, n_clusters=number, auto=clusters == o.AUTO)


def _choose_clusters(
    asked: Any, documents: Corpus | Network, knowledge: Knowledge | None, watch: Watch
) -> int:
    """The number of groups that is given, suggested, or usual."""
    if asked is None:
        return _default_clusters(documents)
    return suggest_number(documents, knowledge, watch).n_clusters if asked == o.AUTO else int(asked)


def _read_known_labels(given: dict[str, Any]) -> dict[str, str]:
    from colligate.cli.inputs import read_labels

    if given["label"] is None:
        return {}
    return read_labels(expand_path(given["input"]), given["label"], given["id"], given["encoding"])


def _make_knowledge_text(own: bool, known: Any, path: Path | None) -> str:
    """The knowledge file of a new project: the user's own, or one with what the knowledge base adds."""
    import tempfile

    from colligate.studio.knowledge_file import dump_text, import_text

    with tempfile.TemporaryDirectory() as place:
        if own:
            return "" if path is None else import_text(path, Path(place))
        return "" if known is None else dump_text(known, Path(place))


def _reading_options(given: dict[str, Any]) -> dict[str, Any]:
    """The options that say how the documents were read, as `colligate cluster` takes them."""
    found = {option: given[name] for name, option in READING.items() if given[name]}
    if "://" not in found.get("kb", "://"):
        found["kb"] = str(expand_path(found["kb"]).resolve())
    return found


def _default_clusters(documents: Corpus | Network) -> int:
    from colligate.network import Network

    network = documents if isinstance(documents, Network) else Network.from_corpus(documents)
    filled = int(network.nonempty(network.centre).sum())
    return int(max(1, min(MAX_DEFAULT_CLUSTERS, round(filled ** (1 / 3)), filled)))
