"""Handlers: what the statements since a run are about, for the marks on the map."""

from __future__ import annotations

from typing import TYPE_CHECKING

from colligate.studio.actions import find_action
from colligate.studio.knowledge import superseded

if TYPE_CHECKING:
    from colligate.studio.server import responses as r
    from colligate.studio.server.endpoint import Call
    from colligate.studio.session import Session

NO_TARGET = -1


def get_pending(session: Session, call: Call) -> r.PendingAnswer:
    """List the documents and merged groups that a run does not know statements of yet."""
    view = session.view(call.path["run"])
    live = session.project.journal.live()
    replaced = superseded(live)
    targets: dict[int, int] = {}
    merges: list[list[int]] = []
    for entry in live:
        if entry.seq <= view.record.seq or entry.seq in replaced:
            continue
        action, body = find_action(entry.kind), entry.body
        if entry.kind == "merge":
            merges.append(list(action.groups(body)))
        decided, target = set(action.subjects(body)), next(iter(action.groups(body)), NO_TARGET)
        for name in action.documents(body, view.result.centre):
            # a link says nothing about the group of a document, so an earlier move still counts
            if ("document", name) in decided:
                targets[view.row_of[name]] = target
            else:
                targets.setdefault(view.row_of[name], NO_TARGET)
    return {"documents": list(targets), "targets": list(targets.values()), "merges": merges}
