"""Where the next run begins: the groups of the present one, with what was said since carried out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate import registry
from colligate.studio.project.kinds import documents_of
from colligate.studio.splitting import divided

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from colligate.studio.project.journal import Journal
    from colligate.studio.run_view import RunView

    Labels = NDArray[np.int64]


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
        method = registry.find(view.result.method)
        scores = method.scores(view.result.model, view.result.around.matrix[left])
        labels[left] = np.asarray(scores)[:, : view.result.n_groups()].argmax(axis=1)
    return labels
