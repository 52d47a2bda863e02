"""Plan the next run: its method, its parameters and its warm start, as an order for the worker.

A warm start takes the groups of the present run and replays the statements made since.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate import registry
from colligate.methods.start_file import supports_start, write_start
from colligate.studio.actions import find_action

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from colligate.studio.project import Project
    from colligate.studio.project.journal import Journal
    from colligate.studio.project.runs import RunRecord
    from colligate.studio.run_views import RunView

    Labels = NDArray[np.int64]


OPTIONS = {
    "n_clusters": "--clusters",
    "n_word_clusters": "--word-clusters",
    "n_init": "--restarts",
    "random_state": "--seed",
}


def make_order(
    project: Project, view: RunView | None, request: Mapping[str, Any], number: int
) -> dict[str, Any]:
    """Make the order of one run; its warm start, if it has one, is written to the project first.

    A run continues from the present groups unless the request asks for another method, another number of
    groups, a fresh start, another evenness of sizes, or a run without knowledge.
    """
    method = choose_method(project, view, request)
    parameters: dict[str, Any] = {"random_state": project.settings.seed}
    identities: list[int] = [] if view is None else list(view.record.identities)
    start = None if view is None else _start(project, view, method, request)
    if view is None or start is None:
        parameters["n_clusters"] = request.get("n_clusters") or _present_count(project, view)
    else:
        write_start(start_path(project.folder, number), project.network, start.labels)
        parameters |= _warm_parameters(view, method, start.n_clusters)
        identities = start.identities
    if _is_uneven(view, method, request):
        parameters["uneven_sizes"] = True
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
    if record.started:
        words += ["--start", "start.json"]
    return shlex.join(words)


def _start(project: Project, view: RunView, method: str, request: Mapping[str, Any]) -> WarmStart | None:
    """Make the warm start of a run; None for a fresh start."""
    evenness_changes = _is_uneven(view, method, request) != _was_uneven(view)
    fresh = request.get("fresh") or request.get("knowledge") == "off" or evenness_changes
    if fresh or method != view.record.method or not supports_start(registry.find_method(method)):
        return None
    start = warm_start(view, project.journal)
    return start if request.get("n_clusters", start.n_clusters) == start.n_clusters else None


def _is_uneven(view: RunView | None, method: str, request: Mapping[str, Any]) -> bool:
    """Tell whether groups may differ much in size: by the request, else as in the run before."""
    return bool(request.get("uneven_sizes", _was_uneven(view))) and accepts_uneven_sizes(method)


def _was_uneven(view: RunView | None) -> bool:
    return view is not None and bool(view.record.parameters.get("uneven_sizes"))


def accepts_uneven_sizes(method: str) -> bool:
    """Tell whether a method has a setting for groups of very different sizes."""
    return "uneven_sizes" in registry.find_method(method).domains


def _warm_parameters(view: RunView, method: str, count: int) -> dict[str, Any]:
    """Return the parameters of a run with a warm start: one start, and the present number of word groups."""
    accepted = registry.find_method(method)().get_params(deep=False)
    parameters = {"n_clusters": count, "n_init": 1}
    if "n_word_clusters" in accepted and view.result.terms in view.result.labels:
        parameters["n_word_clusters"] = view.result.n_groups(view.result.terms)
    return {name: value for name, value in parameters.items() if name in accepted}


def _present_count(project: Project, view: RunView | None) -> int:
    """Count the groups, with merges and splits since the run."""
    return project.settings.n_clusters if view is None else warm_start(view, project.journal).n_clusters


@dataclass(frozen=True, eq=False)
class WarmStart:
    """The groups that documents and terms begin in, the number of groups, and their lasting numbers.

    `identities` has one lasting number for every group that a document begins in; -1 for a new group.
    """

    labels: dict[str, Labels]
    n_clusters: int
    identities: list[int]


def warm_start(view: RunView, journal: Journal) -> WarmStart:
    """Replay the statements since a run on its groups; first revert those undone since."""
    replayed, before = ReplayedLabels(view), journal.numbers_at(view.record.seq)
    # backwards: what was stated last is taken back first
    for entry in reversed(journal.entries()):
        if entry.undone and entry.seq in before:
            find_action(entry.kind).revert(entry.body, replayed)
    for entry in journal.live_since(view.record.seq):
        action = find_action(entry.kind)
        if all(map(replayed.has, action.groups(entry.body))):
            action.replay(entry.body, replayed)
    # a merged group leaves no gap in the numbers
    used, compact = np.unique(replayed.labels, return_inverse=True)
    labels, terms = {view.result.centre: compact.astype(np.int64)}, view.result.terms
    if terms in view.result.labels:
        labels[terms] = view.result.labels[terms].astype(np.int64)
    identities = [replayed.identities[label] for label in used.tolist()]
    return WarmStart(labels, replayed.n_clusters, identities)


class ReplayedLabels:
    """The labels of documents while statements are replayed; groups are given by their lasting numbers."""

    def __init__(self, view: RunView) -> None:
        self.counts = view.result.counts
        self.labels = _place_all(view)
        self.identities = list(view.record.identities)
        self._rows = view.row_of
        self._label_of = dict(view.position)
        self._n_joined = 0

    @property
    def n_clusters(self) -> int:
        """The number of groups."""
        return len(self.identities) - self._n_joined

    def has(self, group: int) -> bool:
        """Tell whether a group is still there."""
        return group in self._label_of

    def positions(self, names: Iterable[str]) -> Labels:
        """Return the rows of documents by their ids."""
        return np.array([self._rows[name] for name in names if name in self._rows], dtype=np.int64)

    def members(self, group: int) -> Labels:
        """Return the documents of a group."""
        return np.flatnonzero(self.labels == self._label_of[group])

    def assign(self, names: Iterable[str], group: int) -> None:
        """Move documents into a group."""
        self.labels[self.positions(names)] = self._label_of[group]

    def merge(self, kept: int, gone: int) -> None:
        """Move a group into another, and call both by the number of that one."""
        self._join(self._label_of[gone], self._label_of[kept])
        self._label_of[gone] = self._label_of[kept]

    def join(self, names: Iterable[str], group: int) -> None:
        """Move the group with most of these documents into another."""
        home = int(np.bincount(self.labels[self.positions(names)]).argmax())
        self._join(home, self._label_of[group])

    def divide(self, members: Labels, parts: Labels, identities: Sequence[int]) -> None:
        """Make a new group of each part of some members but the first; `identities` are their numbers."""
        first = len(self.identities)
        self.labels[members] = np.where(parts > 0, first + parts - 1, self.labels[members])
        self.identities += identities
        # a part without a number of its own gets one from the next run
        self._label_of |= {group: first + k for k, group in enumerate(identities) if group >= 0}

    def _join(self, label: int, target: int) -> None:
        if label != target:
            self.labels[self.labels == label] = target
            self._n_joined += 1


def _place_all(view: RunView) -> Labels:
    """Return the groups of a run; a document in no group begins where its words fit best."""
    labels = view.labels.astype(np.int64)
    unplaced = np.flatnonzero(labels < 0)
    if len(unplaced):
        method = registry.find_method(view.result.method)
        scores = method.predict_scores(view.result.model, view.result.neighbourhood.matrix[unplaced])
        labels[unplaced] = np.asarray(scores)[:, : view.result.n_groups()].argmax(axis=1)
    return labels
