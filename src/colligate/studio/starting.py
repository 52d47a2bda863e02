"""Where the next run begins: the groups of the present one, with what was said since carried out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate import registry
from colligate.studio.splitting import divided

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from colligate.studio.project.journal import Entry
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


def present_state(view: RunView, live: Iterable[Entry]) -> Start:
    """Carry out what was said since a run on its groups."""
    present = _Present(view)
    for entry in live:
        if entry.seq > view.record.seq:
            present.carry_out(entry.kind, entry.body)
    # what was merged away leaves no gap in the numbers
    used, labels = np.unique(present.labels, return_inverse=True)
    found, terms = {view.result.centre: labels.astype(np.int64)}, view.result.terms
    if terms in view.result.labels:
        found[terms] = view.result.labels[terms].astype(np.int64)
    own = [view.identity(k) if k < view.result.n_groups() else -1 for k in used.tolist()]
    return Start(found, present.free - present.gone, own)


class _Present:
    """The labels while statements are carried out; `place` tells where each lasting number now is."""

    def __init__(self, view: RunView) -> None:
        self.view = view
        self.labels = _placed(view)
        self.place = dict(view.position)
        self.free = view.result.n_groups()
        self.gone = 0

    def carry_out(self, kind: str, body: Mapping[str, Any]) -> None:
        """Carry out one statement, unless it speaks of groups that are no more."""
        groups = body.get("groups") or [body.get("group")]
        if not all(group in self.place for group in groups):
            return
        if kind == "label":
            self.labels[self._positions([body["document"]])] = self.place[body["group"]]
        elif kind == "merge":
            self._merge(*groups)
        elif kind == "split":
            self._split(self.place[body["group"]], [self._positions(own) for own in body["seeds"]])

    def _merge(self, kept: int, gone: int) -> None:
        if self.place[kept] == self.place[gone]:
            return
        self.labels[self.labels == self.place[gone]] = self.place[kept]
        self.place[gone] = self.place[kept]
        self.gone += 1

    def _split(self, group: int, seeds: list[NDArray[np.int64]]) -> None:
        members = np.flatnonzero(self.labels == group)
        parts = divided(self.view.result.counts, members, seeds)
        self.labels[members] = np.where(parts > 0, self.free + parts - 1, group)
        self.free += len(seeds) - 1

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
