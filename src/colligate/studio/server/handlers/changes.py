"""Handlers: differences between two runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate.result.audit import BROKEN
from colligate.result.metrics import adjusted_rand_index, contingency, normalised_mutual_information
from colligate.studio.outcomes import count_statuses, mark_exemplars
from colligate.studio.server.endpoint import RefusedError

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
    exemplars = mark_exemplars(audit)
    counts = count_statuses(audit, ~exemplars)
    return {
        "moved": len(moved),
        "total": after.labels.size,
        "agreement": round(normalised_mutual_information(contingency(before.labels, after.labels)), 6),
        "flow": _count_flow(before, after),
        "documents": surest[:MOVED_SHOWN].tolist(),
        "sources": before.identities[surest[:MOVED_SHOWN]].tolist(),
        "kept": counts["kept"],
        "broken": counts["broken"],
        "standing": count_statuses(audit, exemplars),
        "newly_broken": sorted(broken - _list_broken(before))[:MOVED_SHOWN],
    }


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
    numbers = np.flatnonzero((audit.status == BROKEN) & ~mark_exemplars(audit))
    return {audit.statement(number).text for number in numbers.tolist()}
