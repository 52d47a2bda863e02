"""`colligate studio`: see the groups, say what is wrong, and cluster again, in the browser."""

from __future__ import annotations

import contextlib
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from colligate.cli import options as o
from colligate.cli.console import say, show
from colligate.cli.watch import Watch, watching
from colligate.files import located

if TYPE_CHECKING:
    from colligate.corpus import Corpus
    from colligate.network import Network
    from colligate.studio.project import Project

SUFFIX = ".studio"
MOST_CLUSTERS = 40

ProjectFolder = Annotated[
    Path | None, typer.Option("--project", help="The folder of the project; INPUT.studio without it.")
]
Clusters = Annotated[
    int | None,
    typer.Option(
        "--clusters",
        "-k",
        min=1,
        help="How many groups to begin with; without it the cube root of the documents, at most 40.",
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
    port: Port = 0,
    no_browser: NoBrowser = False,
) -> None:
    """Open INPUT in the studio: a page in your browser, served from this machine to this machine alone.

    Everything is kept in a project folder beside INPUT, and is there again when you come back. The printed
    address works once, in one browser. Ctrl-C ends the studio; nothing is lost by it.
    """
    from colligate.studio.server.serve import Server
    from colligate.studio.session import Session

    folder = located(project) if project else located(input).with_name(located(input).name + SUFFIX)
    with watching(context) as watch:
        opened = _opened(folder, input, knowledge, watch) or _made(folder, context.params, watch)
    session = Session(opened)
    try:
        session.keeper.start()
        if opened.latest() is None:
            session.ask_run({})
        server = Server(session, port)
        _tell(server.address, no_browser)
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_here()
    finally:
        session.close()
    say("stopped", f"everything is kept in {folder}; open it again with the same command")


def _opened(folder: Path, input: Path, knowledge: Path | None, watch: Watch) -> Project | None:
    from colligate.errors import StoreError
    from colligate.studio.project import Project
    from colligate.studio.project.compiling import imported_text

    if not Project.is_there(folder):
        return None
    with watch.stage("opening"):
        project = Project(folder)
    try:
        project.refuse_other_input(located(input))
        if knowledge is not None and imported_text(knowledge, folder) != project.imported():
            raise StoreError(
                f"{folder} was made with other knowledge than {knowledge}; leave out --knowledge and edit it "
                "in the studio, or choose another folder with --project"
            )
    except BaseException:
        project.close()
        raise
    return project


def _made(folder: Path, given: dict[str, Any], watch: Watch) -> Project:
    """Read the documents and make a project of them."""
    from colligate.cli.documents import Entities, read_documents, read_knowledge, with_subtypes
    from colligate.registry import find
    from colligate.studio.project import Project, Settings
    from colligate.studio.project.documents import digest_of

    input, kb = located(given["input"]), given["kb"]
    method = given["method"] or o.DEFAULT_METHOD
    find(method)
    told = read_knowledge(given["knowledge"], o.Policy.report.value, o.Policy.report.value)
    entities = Entities(None, kb, tuple(given["kb_type"] or ()), kb is not None)
    reading = {name: given[name] or None for name in ("text", "id", "encoding")}
    with watch.stage("reading"):
        documents, table = read_documents(input, entities, o.Policy.report.value, watch, **reading)
        known = with_subtypes(told, table, entities, o.Policy.report.value, o.Policy.report.value)
    settings = Settings(
        input=str(input.resolve()),
        digest=digest_of(input),
        method=method,
        n_clusters=given["clusters"] or _usual_clusters(documents),
        seed=given["seed"],
        reading=_reading(given),
    )
    text = _text(known is told, known, given["knowledge"])
    return Project.create(folder, documents, settings, text, _labels(given))


def _labels(given: dict[str, Any]) -> dict[str, str]:
    from colligate.cli.labels import read_labels

    if given["label"] is None:
        return {}
    return read_labels(located(given["input"]), given["label"], given["id"], given["encoding"])


def _text(own: bool, known: Any, path: Path | None) -> str:
    """The knowledge file of a new project: the user's own, or one with what the knowledge base adds."""
    import tempfile

    from colligate.studio.project.compiling import imported_text, text_of

    with tempfile.TemporaryDirectory() as place:
        if own:
            return "" if path is None else imported_text(path, Path(place))
        return "" if known is None else text_of(known, Path(place))


def _reading(given: dict[str, Any]) -> dict[str, Any]:
    """The options that say how the documents were read, as `colligate cluster` takes them."""
    names = {"text": "text", "id": "id", "encoding": "encoding", "kb": "kb", "kb_type": "kb-type"}
    found = {option: given[name] for name, option in names.items() if given[name]}
    if "://" not in found.get("kb", "://"):
        found["kb"] = str(located(found["kb"]).resolve())
    return found


def _usual_clusters(documents: Corpus | Network) -> int:
    from colligate.network import Network

    network = documents if isinstance(documents, Network) else Network.from_corpus(documents)
    filled = int(network.filled(network.centre).sum())
    return int(max(1, min(MOST_CLUSTERS, round(filled ** (1 / 3)), filled)))


def _tell(address: str, no_browser: bool) -> None:
    show(address)
    if not no_browser:
        webbrowser.open(address)
