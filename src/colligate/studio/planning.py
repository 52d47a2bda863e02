"""Plan the next run: its method, its parameters and its start, as an order for the worker.

A run starts from the present groups: those of the last run, with the statements since then carried out. If no
new statement can move a document, the run keeps groups and confidence as they are.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from colligate import registry
from colligate.methods.start_file import StartGroups, binds_names, supports_start, write_start
from colligate.studio.actions import find_action
from colligate.studio.actions.exemplars import add_exemplars
from colligate.studio.actions.state import ProjectState
from colligate.studio.group_names import GroupNames
from colligate.studio.knowledge import knowledge_text, log_actions

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from colligate.studio.project import Project
    from colligate.studio.project.runs import RunRecord
    from colligate.studio.run_views import RunView

FOLD = "fold-duplicates"
"""The option of a project whose copies count once."""
OPTIONS = {
    "n_clusters": "--clusters",
    "n_word_clusters": "--word-clusters",
    "n_init": "--restarts",
    "random_state": "--seed",
}
WORD_OPTIONS = {
    "min_df": "--min-df",
    "max_df": "--max-df",
    "pattern": "--token-pattern",
    "stem": "--stem",
    "segmenter": "--segmenter",
}
WORD_FLAGS = {"lowercase": "--no-lowercase", "keep_markup": "--keep-markup"}
STOP_WORDS = "stop_words.txt"
"""The file of a list of stop words, beside the command."""


def make_order(
    project: Project, view: RunView | None, request: Mapping[str, Any], number: int
) -> dict[str, Any]:
    """Make the order of one run; its start, if it has one, is written to the project first.

    A run continues from the present groups unless the request asks for another method, another number of
    groups, a fresh start, another evenness of sizes, or a run without knowledge.
    """
    method = choose_method(project, view, request)
    parameters: dict[str, Any] = {"random_state": project.settings.seed}
    log, state = log_actions(project.journal.live()), None if view is None else ProjectState(project, view)
    names = GroupNames.of(log, None if view is None else view.record)
    start = None if state is None else _start(state, names, method, request)
    if state is None or start is None:
        parameters["n_clusters"] = request.get("n_clusters") or _present_count(project, state)
    else:
        write_start(start_path(project.folder, number), project.network, start)
        parameters |= _warm_parameters(start, method, project)
    if _is_uneven(view, method, request):
        parameters["uneven_sizes"] = True
    if state is not None and (start is None or not binds_names(registry.find_method(method))):
        add_exemplars(state, log)
    text = knowledge_text(log, names, project.folder, project.centre, project.terms)
    return {
        "run": number,
        "method": method,
        "parameters": parameters,
        "seq": project.journal.head,
        "knowledge": "" if request.get("knowledge") == "off" else text,
        "started": start is not None,
        "repeats": None if state is None or start is None else _find_repeated(state, start),
        "parent": None if view is None else view.record.number,
        "names": {str(group): name for group, name in log.named.items()},
        "labels": names.labels,
        "word_labels": list(names.word_labels),
        "claims": dict(names.claims),
        "unused": project.unused_identity(),
        "fold_duplicates": FOLD in project.settings.reading,
    }


def choose_method(project: Project, view: RunView | None, request: Mapping[str, Any]) -> str:
    """Take the method of the request, else that of the run before, else that of the project."""
    return str(request.get("method") or (view.record.method if view else project.settings.method))


def start_path(folder: Path, number: int) -> Path:
    """Return the path of the start file of a run."""
    return folder / "starts" / f"{number}.json"


def list_word_options(project: Project) -> dict[str, Any]:
    """Return the options of the analyser that are not at their defaults."""
    corpus = project.network.corpus
    return {} if corpus is None else corpus.analyser.changed_options()


def _format_word_options(options: Mapping[str, Any]) -> list[str]:
    """Return options of the analyser as words of a command; a list of stop words is in a file."""
    words: list[str] = []
    for name, value in options.items():
        if name == "ngrams":
            words += ["--ngrams", "-".join(map(str, value))]
        elif name == "stop_words":
            languages = value if isinstance(value, str) else STOP_WORDS
            words += ["--stop-words", "none" if value is None else languages]
        elif name in WORD_FLAGS:
            words.append(WORD_FLAGS[name])
        elif name in WORD_OPTIONS:
            words += [WORD_OPTIONS[name], str(value)]
    return words


def format_command(project: Project, record: RunRecord) -> str:
    """Return the command line that makes the same groups from the exported files."""
    record = project.recipe(record)
    words = ["colligate", "cluster", project.settings.input, "--method", record.method]
    for name, option in OPTIONS.items():
        if name in record.parameters:
            words += [option, str(record.parameters[name])]
    if record.parameters.get("uneven_sizes"):
        words += ["--param", "uneven_sizes=True"]
    for option, value in project.settings.reading.items():
        for item in value if isinstance(value, list) else [value]:
            words += [f"--{option}"] if item is True else [f"--{option}", str(item)]
    words += _format_word_options(list_word_options(project))
    if record.knowledge:
        words += ["--knowledge", "knowledge.yaml", "--unknown", "report", "--contradictions", "report"]
    if "kb" in project.settings.reading:
        words.append("--no-subtypes")
    if start_path(project.folder, record.number).is_file():
        words += ["--start", "start.json"]
    return shlex.join(words)


def _start(
    state: ProjectState, names: GroupNames, method: str, request: Mapping[str, Any]
) -> StartGroups | None:
    """Make the start from the present groups; None for a fresh start."""
    view = state.view
    evenness_changes = _is_uneven(view, method, request) != _was_uneven(view)
    fresh = request.get("fresh") or request.get("knowledge") == "off" or evenness_changes
    if fresh or method != view.record.method or not supports_start(registry.find_method(method)):
        return None
    state.groups.names = dict(names.log.named)
    start = state.groups.to_start(names.labels, names.word_labels)
    return start if request.get("n_clusters", len(start.numbers)) == len(start.numbers) else None


def _find_repeated(state: ProjectState, start: StartGroups) -> int | None:
    """Return the run that made the present groups; None if a statement since then can move documents."""
    journal, record = state.project.journal, state.view.record
    changed = journal.numbers_at(record.seq) ^ journal.numbers_at(journal.head)
    is_new = any(entry.seq in changed and find_action(entry.kind).can_move for entry in journal.entries())
    # a run without knowledge did not use the statements before it
    is_unused = not record.knowledge and bool(
        state.project.write_knowledge(log_actions(journal.live_at(record.seq)))
    )
    if is_new or is_unused or start.numbers != record.identities:
        return None
    return record.number if record.repeats is None else record.repeats


def _is_uneven(view: RunView | None, method: str, request: Mapping[str, Any]) -> bool:
    """Tell whether groups may differ much in size: by the request, else as in the run before."""
    return bool(request.get("uneven_sizes", _was_uneven(view))) and accepts_uneven_sizes(method)


def _was_uneven(view: RunView | None) -> bool:
    return view is not None and bool(view.record.parameters.get("uneven_sizes"))


def accepts_uneven_sizes(method: str) -> bool:
    """Tell whether a method has a setting for groups of very different sizes."""
    return "uneven_sizes" in registry.find_method(method).domains


def _warm_parameters(start: StartGroups, method: str, project: Project) -> dict[str, Any]:
    """Return the parameters of a run from present groups that the command line repeats beside the start."""
    parameters = start.parameters(project.network, registry.find_method(method))
    return {name: parameters[name] for name in OPTIONS if name in parameters}


def _present_count(project: Project, state: ProjectState | None) -> int:
    """Count the groups, with merges, splits and new groups since the run."""
    return project.settings.n_clusters if state is None else len(state.groups.to_start().numbers)
