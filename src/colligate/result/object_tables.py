"""The tables of a network beyond documents and words: objects of further types, relations, contributions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.network.information import information
from colligate.result.confidence import confidence, runner_up
from colligate.result.contributions import kept_shares
from colligate.result.groups import object_type
from colligate.result.naming import object_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from colligate.result.csv_files import Row
    from colligate.result.result import Result


HEADER = (
    "name",
    "cluster",
    "cluster_name",
    "confidence",
    "runner_up",
    "count",
    "typical_group",
    "typical_name",
    "score",
)


def object_rows(result: Result, kind: str) -> Iterator[Row]:
    """One row per object of a type: its group (if any), its count, and the group it is most typical of."""
    names, own, centre = object_type(result, kind).names, result.names_of(kind), result.group_names
    yield HEADER
    columns = zip(*_placed(result, kind), totals(result, kind), *_typical(result, kind), strict=True)
    for position, (label, sure, rival, total, group, score) in enumerate(columns):
        yield (
            object_name(names, kind, position),
            label if label >= 0 else "",
            own[label] if label >= 0 else "",
            round(sure, 6) if label >= 0 else "",
            rival if rival >= 0 else "",
            number(total),
            group if group >= 0 else "",
            centre[group] if group >= 0 else "",
            f"{score:.6g}",
        )


def relation_rows(result: Result) -> Iterator[Row]:
    """One row per relation; `share` is its part of all the information that the groups keep, by weight."""
    found = {part.relation: part for part in result.contributions()}
    shares = kept_shares(tuple(found.values()))
    yield (
        "relation",
        "rows",
        "columns",
        "entries",
        "weight",
        "information_before",
        "information_after",
        "share",
    )
    for relation in result.network.relations:
        part = found.get(relation.name)
        before = information(relation.matrix) if part is None else part.before
        after = ("", "") if part is None else (part.after, shares[relation.name])
        yield (
            relation.name,
            relation.rows,
            relation.columns,
            relation.matrix.nnz,
            *(_short(value) for value in (relation.effective_weight, before, *after)),
        )


def contribution_rows(result: Result) -> Iterator[Row]:
    """One row per relation and group of either of its types: what it contributed, in nats and as a share."""
    yield ("relation", "type", "cluster", "name", "contribution", "share")
    for part in result.contributions():
        for kind, values in part.by_group.items():
            columns = zip(result.names_of(kind), values.tolist(), part.share[kind].tolist(), strict=True)
            for cluster, (name, value, share) in enumerate(columns):
                yield (part.relation, kind, cluster, name, _short(value), _short(share))


def totals(result: Result, kind: str) -> list[float]:
    """How often each object of a type occurs, over all its relations."""
    found = np.zeros(len(result.network.types[kind]))
    for relation in result.network.relations:
        for side, axis in ((relation.rows, 1), (relation.columns, 0)):
            if side == kind:
                found += np.asarray(relation.matrix.sum(axis=axis, dtype=np.float64))
    return [float(total) for total in found]


def number(value: float) -> str | int:
    """A count as people write it: whole where it is."""
    return f"{value:g}" if value % 1 else int(value)


def _placed(result: Result, kind: str) -> tuple[list[int], list[float], list[int]]:
    """Group, confidence and runner-up of each object."""
    none = np.full(len(result.network.types[kind]), -1, dtype=np.int32)
    labels = result.labels.get(kind, none)
    if kind not in result.memberships:
        return labels.tolist(), np.ones(none.size).tolist(), none.tolist()
    memberships = result.memberships[kind]
    return labels.tolist(), confidence(labels, memberships).tolist(), runner_up(labels, memberships).tolist()


def _typical(result: Result, kind: str) -> tuple[list[int], list[float]]:
    if kind not in result.reach:
        size = len(result.network.types[kind])
        return [-1] * size, [0.0] * size
    group, score = result.reach[kind].typical
    return group.tolist(), score.tolist()


def _short(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:.6g}"
