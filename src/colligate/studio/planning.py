"""What a run is to be: from what was asked and what stands now to the order that the worker carries out.

Where the next run begins: the groups of the present one, with what was said since carried out.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate import registry
from colligate.methods.start_file import supports_start, write_start
from colligate.studio.project.kinds import documents_of
from colligate.studio.splitting import divided

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
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
    if record.parameters.get("uneven_sizes"):
        words += ["--param", "uneven_sizes=True"]
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
    if fresh or method != view.record.method or not supports_start(registry.find_method(method)):
        return None
    found = present_state(view, project.journal)
    return found if request.get("n_clusters", found.n_clusters) == found.n_clusters else None


def _is_uneven(view: RunView | None, method: str, request: Mapping[str, Any]) -> bool:
    """Whether subjects are taken to be of very different sizes: as asked, else as in the run before."""
    return bool(request.get("uneven_sizes", _was_uneven(view))) and takes_uneven(method)


def _was_uneven(view: RunView | None) -> bool:
    return view is not None and bool(view.record.parameters.get("uneven_sizes"))


def takes_uneven(method: str) -> bool:
    """Whether a method can be told that subjects are of very different sizes."""
    return "uneven_sizes" in registry.find_method(method).domains


def _of_start(view: RunView, method: str, count: int) -> dict[str, Any]:
    """A single start suffices; the groups of words keep their number, which may not fit the default."""
    known = registry.find_method(method)().get_params(deep=False)
    found = {"n_clusters": count, "n_init": 1}
    if "n_word_clusters" in known and view.result.terms in view.result.labels:
        found["n_word_clusters"] = view.result.n_groups(view.result.terms)
    return {name: value for name, value in found.items() if name in known}


def _count(project: Project, view: RunView | None) -> int:
    """As many groups as there are, with those that were merged or split since."""
    return project.settings.n_clusters if view is None else present_state(view, project.journal).n_clusters


@dataclass(frozen=True, eq=False)
class Start:
    """The groups that documents and their terms begin in, how many of documents there are, and who they are.

    `identities` holds the lasting number of every group that a document begins in; -1 for a new one.
    """

    labels: dict[str, Labels]
    n_clusters: int
    identities: list[int]


def present_state(view: RunView, journal: Journal) -> Start:
    """Carry out what was said since a run on its groups; what was undone since is taken back first."""
    present, stood = _Present(view), journal.stood(view.record.seq)
    for entry in reversed(journal.entries()):
        if entry.undone and entry.seq in stood:
            present.take_back(entry.kind, entry.body)
    for entry in journal.live():
        if entry.seq not in stood:
            present.carry_out(entry.kind, entry.body)
    # what was merged away leaves no gap in the numbers
    used, labels = np.unique(present.labels, return_inverse=True)
    found, terms = {view.result.centre: labels.astype(np.int64)}, view.result.terms
    if terms in view.result.labels:
        found[terms] = view.result.labels[terms].astype(np.int64)
    own = [present.identities[k] for k in used.tolist()]
    return Start(found, present.free - present.gone, own)


class _Present:
    """The labels while statements are carried out; `place` tells where each lasting number now is."""

    def __init__(self, view: RunView) -> None:
        self.view = view
        self.labels = _placed(view)
        self.place = dict(view.position)
        self.identities = list(view.record.identities)
        self.gone = 0

    @property
    def free(self) -> int:
        """The first number that no group has yet."""
        return len(self.identities)

    def carry_out(self, kind: str, body: Mapping[str, Any]) -> None:
        """Carry out one statement, unless it speaks of groups that are no more."""
        groups = body.get("groups") or [body.get("group")]
        if not all(group in self.place for group in groups):
            return
        if kind == "label":
            self.labels[self._positions(documents_of(body))] = self.place[body["group"]]
        elif kind == "merge":
            self._merge(*groups)
        elif kind == "split":
            self._split(self.place[body["group"]], [self._positions(own) for own in body["seeds"]])

    def take_back(self, kind: str, body: Mapping[str, Any]) -> None:
        """Undo what a statement did to the number of groups, as far as its groups are still there."""
        if kind == "merge" and body["groups"][0] in self.place and body["groups"][1] not in self.place:
            kept, gone = body["groups"]
            self._split(self.place[kept], [self._positions(own) for own in body["exemplars"]], [gone])
            self.place[gone] = self.free - 1
        elif kind == "split" and body["group"] in self.place:
            for names in body["seeds"][1:]:
                self._join(self._home(self._positions(names)), self.place[body["group"]])

    def _home(self, positions: NDArray[np.int64]) -> int:
        """The group that most of some documents are in."""
        return int(np.bincount(self.labels[positions]).argmax())

    def _merge(self, kept: int, gone: int) -> None:
        self._join(self.place[gone], self.place[kept])
        self.place[gone] = self.place[kept]

    def _join(self, group: int, other: int) -> None:
        """Put a group into another."""
        if group != other:
            self.labels[self.labels == group] = other
            self.gone += 1

    def _split(
        self, group: int, seeds: list[NDArray[np.int64]], identities: Sequence[int] | None = None
    ) -> None:
        members = np.flatnonzero(self.labels == group)
        parts = divided(self.view.result.counts, members, seeds)
        self.labels[members] = np.where(parts > 0, self.free + parts - 1, group)
        self.identities += identities or [-1] * (len(seeds) - 1)

    def _positions(self, names: list[str]) -> NDArray[np.int64]:
        known = self.view.places
        return np.array([known[name] for name in names if name in known], dtype=np.int64)


def _placed(view: RunView) -> Labels:
    """The present groups; a document that is in none begins where its words fit best."""
    labels = view.labels.astype(np.int64)
    left = np.flatnonzero(labels < 0)
    if len(left):
        method = registry.find_method(view.result.method)
        scores = method.predict_scores(view.result.model, view.result.around.matrix[left])
        labels[left] = np.asarray(scores)[:, : view.result.n_groups()].argmax(axis=1)
    return labels
