"""Plan the next run: its method, its parameters and its start, as an order for the worker.

A run starts from the present groups: those of the last run, with the statements since then carried out.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from colligate import registry
from colligate.methods.start_file import StartGroups, binds_names, supports_start, write_start
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

OPTIONS = {
    "n_clusters": "--clusters",
    "n_word_clusters": "--word-clusters",
    "n_init": "--restarts",
    "random_state": "--seed",
}


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
        "parent": None if view is None else view.record.number,
        "names": {str(group): name for group, name in log.named.items()},
        "labels": names.labels,
        "word_labels": list(names.word_labels),
        "claims": dict(names.claims),
        "unused": project.unused_identity(),
    }


def choose_method(project: Project, view: RunView | None, request: Mapping[str, Any]) -> str:
    """Take the method of the request, else that of the run before, else that of the project."""
    return str(request.get("method") or (view.record.method if view else project.settings.method))


def start_path(folder: Path, number: int) -> Path:
    """Return the path of the start file of a run."""
    return folder / "starts" / f"{number}.json"


def format_command(project: Project, record: RunRecord) -> str:
    """Return the command line that makes the same groups from the exported files."""
    words = ["colligate", "cluster", project.settings.input, "--method", record.method]
    for name, option in OPTIONS.items():
        if name in record.parameters:
            words += [option, str(record.parameters[name])]
    if record.parameters.get("uneven_sizes"):
        words += ["--param", "uneven_sizes=True"]
    for option, value in project.settings.reading.items():
        for item in value if isinstance(value, list) else [value]:
            words += [f"--{option}", str(item)]
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
