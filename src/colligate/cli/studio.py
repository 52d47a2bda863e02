"""`colligate studio`: open a project in the browser, a new one or one that exists.

Options for an existing project are never ignored: another method, number of groups or seed starts a new run,
known labels are added, and options that would need other documents or knowledge are errors.
"""

from __future__ import annotations

import contextlib
import getpass
import sys
import webbrowser
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from colligate._chat import KEY_VARIABLE
from colligate._storage.atomic import expand_path
from colligate.cli import options as o
from colligate.cli.cluster import suggest_number
from colligate.cli.console import Watch, print_message, print_result, watch_run
from colligate.errors import StoreError
from colligate.progress import Event

if TYPE_CHECKING:
    from colligate.corpus import Corpus
    from colligate.knowledge import Knowledge
    from colligate.network import Network
    from colligate.studio.project import Project, Settings

    Request = dict[str, Any] | None

SUFFIX = ".studio"
ProjectFolder = Annotated[
    Path | None, typer.Option("--project", help="The project folder; by default INPUT.studio.")
]
Clusters = Annotated[
    Any,
    typer.Option(
        "--clusters",
        "-k",
        help="The number of groups to start with; auto uses the suggested number. By default the cube root "
        "of the number of documents, at most 40.",
        parser=o.parse_number_or_auto,
        metavar="N|auto",
        rich_help_panel=o.RUN,
    ),
]
LabelColumn = Annotated[
    str | None,
    typer.Option(
        "--label",
        help="A column of known labels. Runs are compared with them; no method sees them.",
        rich_help_panel=o.READING,
    ),
]
Who = Annotated[
    str | None,
    typer.Option("--who", help="The author noted with each statement; by default your login name."),
]
Port = Annotated[int, typer.Option("--port", min=0, max=65535, help="The port; by default a free one.")]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Only print the address.")]
MAX_DEFAULT_CLUSTERS = 40
READING = {
    "text": "text",
    "id": "id",
    "encoding": "encoding",
    "kb": "kb",
    "kb_type": "kb-type",
    "fold_duplicates": "fold-duplicates",
}
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
    min_df: o.MinDf = None,
    max_df: o.MaxDf = "1.0",
    stop_words: o.Stop = None,
    ngrams: o.Ngrams = "1",
    token_pattern: o.TokenPattern = None,
    lowercase: o.Lowercase = True,
    stem: o.Stem = None,
    segmenter: o.Segmenter = None,
    keep_markup: o.KeepMarkup = False,
    fold_duplicates: o.FoldDuplicates = False,
    label: LabelColumn = None,
    who: Who = None,
    port: Port = 0,
    no_browser: NoBrowser = False,
    name_with: o.NameWith = None,
    model: o.ModelName = None,
    prompt: o.PromptFile = None,
    send_to_remote: o.SendToRemote = False,
    key_variable: o.KeyVariable = KEY_VARIABLE,
    timeout: o.Timeout = o.TIMEOUT,
    retries: o.Retries = o.RETRIES,
) -> None:
    """Open INPUT in the studio: a page in your browser, served on this machine only.

    Everything is saved in a project folder beside INPUT. Options that differ from those of the project start
    a new run, or are an error. The printed address works once, in one browser. Ctrl-C stops the
    studio; nothing is lost.

    With --model, a language model names and describes the groups of each run of this session.
    """
    from colligate.cli.name_model import GroupNamer
    from colligate.studio.project import Project
    from colligate.studio.server.app import Server
    from colligate.studio.server.security import remove_entry_file
    from colligate.studio.session import Session

    if clusters is not None and clusters != o.AUTO and clusters < 1:
        raise typer.BadParameter(f"a project needs at least one group; got {clusters}")
    folder = choose_folder(input, project)
    name = _find_login() if who is None else who
    namer = GroupNamer.of(context.params)
    if namer is not None:
        namer.agree(send_to_remote)
    if not sys.stderr.isatty():
        # a terminal shows bars instead
        print_message("note", f"{'opening' if Project.exists(folder) else 'reading'} {input}")
    with watch_run(context) as watch:
        if Project.exists(folder):
            opened, asked = open_project(folder, context, watch)
        else:
            opened, asked = create_project(folder, context.params, watch, name)
    session = Session(opened, name, None if namer is None else namer.to_order(context.params))
    try:
        server = Server(session, port)
        session.worker.start()
        is_clustering = asked is not None or session.current() is None
        if is_clustering:
            session.request_run(asked or {})
        for number, what in session.runs.damaged.items():
            print_message("warning", f"run {number} cannot be read: {what}")
        _show_address(server.address, folder, no_browser)
        if is_clustering:
            print_message("note", "the documents are being clustered; the page shows the progress")
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_until_stopped()
    finally:
        session.close()
        remove_entry_file(folder)
    print_message("stopped", f"everything is saved in {folder}; the same command opens it again")


def choose_folder(input: Path, project: Path | None) -> Path:
    """Return the folder of a project: the requested one, or one beside the input."""
    from colligate.cli.inputs import locate_input

    if project is not None:
        return expand_path(project)
    place = locate_input(input)
    return place.with_name(place.name + SUFFIX)


def _find_login() -> str:
    """Return the login name; empty if the machine has none."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""


def _show_address(address: str, folder: Path, no_browser: bool) -> None:
    """Print the address, and open a browser with a file that leads there: arguments are seen by all users."""
    from colligate.studio.server.security import write_entry_file

    print_result(address)
    if not no_browser:
        webbrowser.open(write_entry_file(address, folder).resolve().as_uri())


def open_project(folder: Path, context: typer.Context, watch: Watch) -> tuple[Project, Request]:
    """Open an existing project, and return the run that the options request, if any."""
    from colligate.registry import find_method
    from colligate.studio.project import Project

    options = context.params
    if options["method"]:
        find_method(options["method"])
    watch.listener(Event("opening the project", 0, 1))
    with watch.stage("opening"):
        project = Project(folder)
    try:
        _refuse_changes(project, context)
        if options["label"] is not None:
            project.set_labels(_read_known_labels({**options, **_saved_reading(project, options)}))
        return project, _request_run(project, context, watch)
    except BaseException:
        project.close()
        raise


def create_project(
    folder: Path, options: dict[str, Any], watch: Watch, who: str = ""
) -> tuple[Project, Request]:
    """Read the documents and create a project; `who` is noted with the knowledge file."""
    from colligate.cli.inputs import (
        Entities,
        add_subtypes,
        fold_documents,
        make_analyser,
        read_documents,
        read_knowledge,
        report_copies,
    )
    from colligate.registry import find_method
    from colligate.studio.project import Project, Settings
    from colligate.studio.project.folder import hash_input

    input, kb = expand_path(options["input"]), options["kb"]
    method = options["method"] or o.DEFAULT_METHOD
    find_method(method)
    file_knowledge = read_knowledge(options["knowledge"], o.Policy.report.value, o.Policy.report.value)
    entities = Entities(None, kb, tuple(options["kb_type"] or ()), kb is not None)
    reading: dict[str, Any] = {name: options[name] or None for name in ("text", "id", "encoding")}
    reading["analyser"] = make_analyser(options)
    with watch.stage("reading"):
        documents, table = read_documents(input, entities, o.Policy.report.value, watch, **reading)
        all_knowledge = add_subtypes(
            file_knowledge, table, entities, o.Policy.report.value, o.Policy.report.value
        )
    with watch.stage("copies"):
        copies = report_copies(documents, watch, fold=options["fold_duplicates"])
    distinct = fold_documents(documents, copies)
    n_clusters, suggestion = _choose_clusters(options["clusters"], distinct, all_knowledge, watch)
    settings = Settings(
        input=str(input.resolve()),
        digest=hash_input(input),
        method=method,
        n_clusters=n_clusters,
        seed=options["seed"],
        reading=_reading_options(options),
        auto=options["clusters"] == o.AUTO,
        suggestion=suggestion,
    )
    text = _make_knowledge_text(all_knowledge is file_knowledge, all_knowledge, options["knowledge"])
    watch.listener(Event("saving the project", 0, 1))
    return Project.create(folder, documents, settings, text, _read_known_labels(options), who), None


def _refuse_changes(project: Project, context: typer.Context) -> None:
    """Refuse other documents, reading options or knowledge than those of the project."""
    from colligate.cli.inputs import list_changed_words
    from colligate.studio.knowledge_file import import_text

    options, corpus = context.params, project.network.corpus
    project.refuse_other_input(expand_path(options["input"]))
    if corpus is not None and (changed := list_changed_words(context, corpus.analyser)):
        raise StoreError(
            f"{project.folder} was made with another {changed[0]}; omit this option, or {ELSEWHERE}"
        )
    for name, value in _reading_options(options).items():
        if value != project.settings.reading.get(name):
            raise StoreError(
                f"{project.folder} was made with another --{name}; omit this option, or {ELSEWHERE}"
            )
    path = options["knowledge"]
    if path is not None and import_text(path, project.folder) != project.imported_knowledge():
        raise StoreError(
            f"{project.folder} was made with other knowledge, not with {path}; omit --knowledge and "
            f"edit the knowledge in the studio, or {ELSEWHERE}"
        )


def _saved_reading(project: Project, options: dict[str, Any]) -> dict[str, Any]:
    """Return the project's reading options that also apply to labels."""
    return {name: options[name] or project.settings.reading.get(name) for name in ("id", "encoding")}


def _request_run(project: Project, context: typer.Context, watch: Watch) -> Request:
    """Return the run that changed options request; None if nothing changed and no run is pending.

    A requested run stays in the settings until it is finished, so that it survives a restart.
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


def _note_changes(settings: Settings, changed: list[str]) -> None:
    labels = {
        "method": settings.method,
        "n_clusters": f"{settings.n_clusters} groups",
        "seed": f"seed {settings.seed}",
    }
    print_message(
        "note", f"clustering again with the changed options: {', '.join(labels[name] for name in changed)}"
    )


def _update_settings(project: Project, context: typer.Context, watch: Watch) -> Settings:
    from colligate.studio.knowledge_file import read_text

    options, settings = context.params, project.settings
    if options["method"]:
        settings = replace(settings, method=options["method"])
    source = context.get_parameter_source("seed")
    if source is not None and source.name == "COMMANDLINE":
        settings = replace(settings, seed=options["seed"])
    clusters = options["clusters"]
    if clusters is None or (clusters == o.AUTO and settings.auto):
        return settings
    knowledge = read_text(project.knowledge(), project.folder) if clusters == o.AUTO else None
    number, suggestion = _choose_clusters(clusters, project.network, knowledge, watch)
    return replace(settings, n_clusters=number, auto=clusters == o.AUTO, suggestion=suggestion)


def _choose_clusters(
    asked: Any, documents: Corpus | Network, knowledge: Knowledge | None, watch: Watch
) -> tuple[int, str]:
    """Return the requested, suggested, or default number of groups, and the words of a suggestion."""
    if asked != o.AUTO:
        return _default_clusters(documents) if asked is None else int(asked), ""
    suggestion = suggest_number(documents, knowledge, watch)
    for line in str(suggestion).splitlines():
        print_message("note", line)
    return suggestion.n_clusters, str(suggestion)


def _read_known_labels(options: dict[str, Any]) -> dict[str, str]:
    from colligate.cli.inputs import read_labels

    if options["label"] is None:
        return {}
    return read_labels(expand_path(options["input"]), options["label"], options["id"], options["encoding"])


def _make_knowledge_text(is_file: bool, knowledge: Any, path: Path | None) -> str:
    """Return the knowledge file of a new project: the user's, or one with the knowledge base's sub-types."""
    import tempfile

    from colligate.studio.knowledge_file import dump_text, import_text

    with tempfile.TemporaryDirectory() as place:
        if is_file:
            return "" if path is None else import_text(path, Path(place))
        return "" if knowledge is None else dump_text(knowledge, Path(place))


def _reading_options(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options for reading the documents, under their command line names."""
    reading = {option: options[name] for name, option in READING.items() if options[name]}
    if "://" not in reading.get("kb", "://"):
        reading["kb"] = str(expand_path(reading["kb"]).resolve())
    return reading


def _default_clusters(documents: Corpus | Network) -> int:
    from colligate.network import Network

    network = documents if isinstance(documents, Network) else Network.from_corpus(documents)
    filled = int(network.nonempty(network.centre).sum())
    return int(max(1, min(MAX_DEFAULT_CLUSTERS, round(filled ** (1 / 3)), filled)))
