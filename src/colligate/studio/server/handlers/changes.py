"""Handlers: differences between two runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate.result.audit import BROKEN
from colligate.result.metrics import adjusted_rand_index, contingency, normalised_mutual_information
from colligate.studio.group_names import display_names
from colligate.studio.outcomes import count_outcomes
from colligate.studio.server.endpoint import LONGEST_NUMBER, RefusedError
from colligate.studio.server.handlers.knowledge import state_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from colligate.studio.run_views import RunView
    from colligate.studio.server import responses as r
    from colligate.studio.server.endpoint import Call
    from colligate.studio.session import Session

MOVED_SHOWN = 500


def get_changes(session: Session, call: Call) -> r.ChangesAnswer:
    """List the documents that moved since another run, and the statements that are newly broken."""
    after, before = session.view(call.path["run"]), session.view(call.require_number("from"))
    moved = np.flatnonzero(before.identities != after.identities)
    surest = moved[np.lexsort((moved, -after.result.confidence[moved]))]
    audit, broken = after.result.audit(), _list_broken(after)
    statements, changes = count_outcomes(state_of(session, after))
    return {
        "moved": len(moved),
        "total": after.labels.size,
        "agreement": round(normalised_mutual_information(contingency(before.labels, after.labels)), 6),
        "flow": _count_flow(before, after),
        "before": [
            {"group": group, "name": names.name, "short": names.short}
            for group, names in sorted(display_names(session.project, before).items())
        ],
        "documents": surest[:MOVED_SHOWN].tolist(),
        "sources": before.identities[surest[:MOVED_SHOWN]].tolist(),
        "kept": statements["kept"],
        "broken": statements["broken"],
        "group_changes": {"kept": changes["kept"], "broken": changes["broken"]},
        "exemplars": audit.exemplar_counts(),
        "frozen": audit.frozen_counts(),
        "newly_broken": sorted(broken - _list_broken(before))[:MOVED_SHOWN],
    }


def get_flow_documents(session: Session, call: Call) -> r.FlowDocumentsAnswer:
    """List the documents that went from one group to another, the most confident first."""
    after, before = session.view(call.path["run"]), session.view(call.require_number("from"))
    source, target = (_read_group(call.query.get(name, "")) for name in ("source", "target"))
    rows = np.flatnonzero((before.identities == source) & (after.identities == target))
    surest = rows[np.lexsort((rows, -after.result.confidence[rows]))]
    return {"total": len(rows), "documents": surest[:MOVED_SHOWN].tolist()}


def _read_group(text: str) -> int:
    """Read the lasting number of a group; -1 is no group."""
    if not text.removeprefix("-").isdecimal() or len(text) > LONGEST_NUMBER:
        raise RefusedError(422, "source and target must be numbers of groups, or -1 for no group")
    return int(text)


def get_compare(session: Session, call: Call) -> r.CompareAnswer:
    """Compare two runs: ?runs=1,2."""
    parts = call.query.get("runs", "").split(",")
    if len(parts) != 2 or not all(part.isdecimal() and len(part) < 10 for part in parts):
        raise RefusedError(422, "runs must name two runs, as in ?runs=1,2")
    first, second = (session.view(int(part)) for part in parts)
    table = contingency(first.labels, second.labels)
    return {
        "nmi": round(normalised_mutual_information(table), 6),
        "ari": round(float(adjusted_rand_index(table)), 6),
        "flow": _count_flow(first, second),
        "metrics": _evaluate(session.project.labels, (first, second)),
    }


def _evaluate(labels: NDArray[np.str_] | None, views: Sequence[RunView]) -> list[dict[str, float]] | None:
    """Compare each run with the known labels; documents without a label are left out."""
    if labels is None:
        return None
    scores = [view.result.evaluate(labels, mask=labels != "") for view in views]
    return [{name: round(value, 6) for name, value in metrics.items()} for metrics in scores]


def _count_flow(before: RunView, after: RunView) -> list[r.Flow]:
    pairs = np.column_stack([before.identities, after.identities])
    cells, counts = np.unique(pairs, axis=0, return_counts=True)
    return [
        {"source": source, "target": target, "documents": count}
        for (source, target), count in zip(cells.tolist(), counts.tolist(), strict=True)
    ]


def _list_broken(view: RunView) -> set[str]:
    """Return the broken statements as sentences."""
    audit = view.result.audit()
    numbers = np.flatnonzero((audit.status == BROKEN) & ~audit.added)
    return {audit.statement(number).text for number in numbers.tolist()}
