"""Handlers: the input's columns, for the map and by group."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from colligate._array import find_interval
from colligate.corpus.column_views import DATE, NUMBER, ColumnView
from colligate.studio.server.endpoint import RefusedError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.studio.server import responses as r
    from colligate.studio.server.endpoint import Call
    from colligate.studio.session import Session


def get_column(session: Session, call: Call) -> r.ColumnAnswer:
    """Return the value of every document in a column, to colour or filter the map."""
    column = _find_column(session, call)
    measured = column.kind in (NUMBER, DATE)
    bins = column.bins if measured else column.categories
    counts = np.bincount(bins.codes[bins.codes >= 0], minlength=len(bins.labels)).tolist()
    return {
        "name": column.name,
        "kind": column.kind,
        "format": column.format,
        "missing": int((bins.codes < 0).sum()),
        "codes": bins.codes.tolist(),
        "bins": [
            {"label": label, "documents": count} for label, count in zip(bins.labels, counts, strict=True)
        ],
        "values": _list_values(column) if measured else [],
        "range": _find_range(column) if measured else None,
        "unit": column.unit,
    }


def get_column_groups(session: Session, call: Call) -> r.ColumnGroupsAnswer:
    """Count the documents of every group by a column: by category, by span of numbers, or over time."""
    view, column = session.view(call.path["run"]), _find_column(session, call)
    identities = view.record.identities
    counts = column.count_by_group(view.labels.astype(np.int64), len(identities))
    inside = counts[:-1, :-1].sum(axis=0)
    # documents in no group have a share in all documents
    totals = np.vstack([np.broadcast_to(inside, counts[:-1, :-1].shape), inside + counts[-1, :-1]])
    low, high = (_list_shares(ends) for ends in find_interval(counts[:, :-1], totals))
    return {
        "name": column.name,
        "kind": column.kind,
        "unit": column.unit,
        "bins": column.bins.labels,
        "totals": inside.tolist(),
        "groups": [
            {"group": group, "counts": row[:-1], "low": low[k], "high": high[k], "missing": row[-1]}
            for k, (group, row) in enumerate(zip((*identities, -1), counts.tolist(), strict=True))
            if group >= 0 or any(row)
        ],
    }


def _list_shares(ends: NDArray[np.float64]) -> list[list[float | None]]:
    """Return ends of intervals as JSON has them: none where there are no documents."""
    return [[None if value != value else round(value, 4) for value in row] for row in ends.tolist()]


def _find_column(session: Session, call: Call) -> ColumnView:
    name = call.query.get("name", "")
    if not name:
        raise RefusedError(
            422, "the parameter name is missing from the address", "add ?name=… with the name of a column"
        )
    return session.columns.find(name)


def _list_values(column: ColumnView) -> list[Any]:
    whole = column.kind == DATE
    values = column.values.tolist()
    return [None if value != value else int(value) if whole else value for value in values]


def _find_range(column: ColumnView) -> list[float] | None:
    present = column.values[~np.isnan(column.values)]
    return [float(present.min()), float(present.max())] if len(present) else None
