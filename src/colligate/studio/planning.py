"""What a run is to be: from what was asked and what stands now to the order that the worker carries out."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from colligate import registry
from colligate.studio.project.start_file import takes_start, write_start
from colligate.studio.starting import present_state

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from colligate.studio.project import Project
    from colligate.studio.project.work import RunRecord
    from colligate.studio.run_view import RunView
    from colligate.studio.starting import Start

OPTIONS = {
    "n_clusters": "--clusters",
    "n_word_clusters": "--word-clusters",
    "n_init": "--restarts",
    "random_state": "--seed",
}


def make_order(
    project: Project, view: RunView | None, request: Mapping[str, Any], number: int
) -> dict[str, Any]:
    """The order of one run; what it begins from, if anything, is written to the project first.

    A run goes on from the present groups if neither another method nor another number of groups nor a fresh
    start is asked for, nor subjects are said to be more or less even than before, and knowledge is on.
    """
    method = method_of(project, view, request)
    parameters: dict[str, Any] = {"random_state": project.settings.seed}
    identities: list[int] = [] if view is None else list(view.record.identities)
    start = None if view is None else _start(project, view, method, request)
    if view is None or start is None:
        parameters["n_clusters"] = request.get("n_clusters") or _count(project, view)
    else:
        write_start(start_path(project.folder, number), project.network, start.labels)
        parameters |= _of_start(view, method, start.n_clusters)
        identities = start.identities
    if _is_uneven(view, method, request):
        parameters["uneven"] = True
    return {
        "run": number,
        "method": method,
        "parameters": parameters,
        "seq": project.journal.head,
        "knowledge": "" if request.get("knowledge") == "off" else project.knowledge(),
        "started": start is not None,
        "parent": None if view is None else view.record.number,
        "identities": identities,
        "unused": project.unused_identity(),
    }


def method_of(project: Project, view: RunView | None, request: Mapping[str, Any]) -> str:
    """The method that is asked for, else that of the run before, else that of the project."""
    return str(request.get("method") or (view.record.method if view else project.settings.method))


def start_path(folder: Path, number: int) -> Path:
    """Where the start of a run is kept."""
    return folder / "starts" / f"{number}.json"


def command_of(project: Project, record: RunRecord) -> str:
    """The command line that makes the same groups, with the exported files beside it."""
    words = ["colligate", "cluster", project.settings.input, "--method", record.method]
    for name, option in OPTIONS.items():
        if name in record.parameters:
            words += [option, str(record.parameters[name])]
    if record.parameters.get("uneven"):
        words += ["--param", "uneven=True"]
    for option, value in project.settings.reading.items():
        for one in value if isinstance(value, list) else [value]:
            words += [f"--{option}", str(one)]
    if record.knowledge:
        words += ["--knowledge", "knowledge.yaml", "--unknown", "report", "--contradictions", "report"]
    if "kb" in project.settings.reading:
        words.append("--no-subtypes")
    if record.started:
        words += ["--start", "start.json"]
    return shlex.join(words)


def _start(project: Project, view: RunView, method: str, request: Mapping[str, Any]) -> Start | None:
    """What a run goes on from; None if it begins anew."""
    evenness_changes = _is_uneven(view, method, request) != _was_uneven(view)
    fresh = request.get("fresh") or request.get("knowledge") == "off" or evenness_changes
    if fresh or method != view.record.method or not takes_start(registry.find(method)):
        return None
    found = present_state(view, project.journal)
    return found if request.get("n_clusters", found.n_clusters) == found.n_clusters else None


def _is_uneven(view: RunView | None, method: str, request: Mapping[str, Any]) -> bool:
    """Whether subjects are taken to be of very different sizes: as asked, else as in the run before."""
    return bool(request.get("uneven", _was_uneven(view))) and takes_uneven(method)


def _was_uneven(view: RunView | None) -> bool:
    return view is not None and bool(view.record.parameters.get("uneven"))


def takes_uneven(method: str) -> bool:
    """Whether a method can be told that subjects are of very different sizes."""
    return "uneven" in registry.find(method).domains


def _of_start(view: RunView, method: str, count: int) -> dict[str, Any]:
    """A single start suffices; the groups of words keep their number, which may not fit the default."""
    known = registry.find(method)().get_params(deep=False)
    found = {"n_clusters": count, "n_init": 1}
    if "n_word_clusters" in known and view.result.terms in view.result.labels:
        found["n_word_clusters"] = view.result.n_groups(view.result.terms)
    return {name: value for name, value in found.items() if name in known}


def _count(project: Project, view: RunView | None) -> int:
    """As many groups as there are, with those that were merged or split since."""
    return project.settings.n_clusters if view is None else present_state(view, project.journal).n_clusters
