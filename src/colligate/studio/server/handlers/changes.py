"""Handlers: what changed between runs, and how far they agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate.result.audit import BROKEN
from colligate.result.metrics import adjusted_rand_index, contingency, normalised_mutual_information
from colligate.studio.outcomes import counts_of, standing_in
from colligate.studio.server.endpoint import RefusedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from colligate.studio.run_views import RunView
    from colligate.studio.server import responses as a
    from colligate.studio.server.endpoint import Call
    from colligate.studio.session import Session

MOVED_SHOWN = 500


def get_changes(session: Session, call: Call) -> a.ChangesAnswer:
    """What moved since another run, by the lasting numbers of the groups, and which statements broke."""
    after, before = session.view(call.path["run"]), session.view(call.needed("from"))
    moved = np.flatnonzero(before.identities != after.identities)
    surest = moved[np.lexsort((moved, -after.result.confidence[moved]))]
    audit, broken = after.result.audit(), _broken(after)
    added = standing_in(audit)
    counts = counts_of(audit, ~added)
    return {
        "moved": len(moved),
        "total": after.labels.size,
        "agreement": round(normalised_mutual_information(contingency(before.labels, after.labels)), 6),
        "flow": _flow(before, after),
        "documents": surest[:MOVED_SHOWN].tolist(),
        "kept": counts["kept"],
        "broken": counts["broken"],
        "standing": counts_of(audit, added),
        "newly_broken": sorted(broken - _broken(before))[:MOVED_SHOWN],
    }


def get_compare(session: Session, call: Call) -> a.CompareAnswer:
    """How far two runs agree: ?runs=1,2."""
    parts = call.query.get("runs", "").split(",")
    if len(parts) != 2 or not all(part.isdecimal() and len(part) < 10 for part in parts):
        raise RefusedError(422, "runs must name two runs, as in ?runs=1,2")
    one, other = (session.view(int(part)) for part in parts)
    table = contingency(one.labels, other.labels)
    return {
        "nmi": round(normalised_mutual_information(table), 6),
        "ari": round(float(adjusted_rand_index(table)), 6),
        "flow": _flow(one, other),
        "metrics": _metrics(session.project.labels, (one, other)),
    }


def _metrics(labels: NDArray[np.str_] | None, views: Sequence[RunView]) -> list[dict[str, float]] | None:
    """What each run is worth by the known labels; documents without one are not judged."""
    if labels is None:
        return None
    found = [view.result.evaluate(labels, mask=labels != "") for view in views]
    return [{name: round(value, 6) for name, value in one.items()} for one in found]


def _flow(before: RunView, after: RunView) -> list[a.Flow]:
    pairs = np.column_stack([before.identities, after.identities])
    cells, counts = np.unique(pairs, axis=0, return_counts=True)
    return [
        {"source": source, "target": target, "documents": count}
        for (source, target), count in zip(cells.tolist(), counts.tolist(), strict=True)
    ]


def _broken(view: RunView) -> set[str]:
    """What was said and broken, in words."""
    audit = view.result.audit()
    numbers = np.flatnonzero((audit.status == BROKEN) & ~standing_in(audit))
    return {audit.statement(number).text for number in numbers.tolist()}
