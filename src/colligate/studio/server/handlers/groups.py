"""Handlers: the groups of a run, its map, its words and its network."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
from starlette.responses import Response

from colligate.errors import NotFoundError, StoreError
from colligate.network import WORDS
from colligate.result.association import share_information
from colligate.result.groups import average_confidence
from colligate.studio.group_names import display_names
from colligate.studio.knowledge import log_actions
from colligate.studio.map import MapLayout, make_layout

if TYPE_CHECKING:
    from colligate.studio.run_views import RunView
    from colligate.studio.server import responses as r
    from colligate.studio.server.endpoint import Call
    from colligate.studio.session import Session

TOP = 12
NO_GROUP = 2**16 - 1


def get_groups(session: Session, call: Call) -> list[r.GroupAnswer]:
    """List the groups of a run, in the order of their lasting numbers."""
    view = session.view(call.path["run"])
    result, names = view.result, display_names(session.project, view)
    sizes = np.bincount(view.labels[view.labels >= 0], minlength=result.n_groups())
    sure = average_confidence(view.labels, result.n_groups(), result.confidence)
    coherence, words, entities = result.coherence(TOP), result.top_words(TOP), _list_entities(view)
    frozen = log_actions(session.project.journal.live()).frozen
    moved_in, moved_out = _count_moves(session, view)
    return [
        {
            "group": identity,
            "name": names[identity].name,
            "short": names[identity].short,
            **_describe_by_model(view, k),
            "size": int(sizes[k]),
            "words": [{"word": word, "weight": round(weight, 6)} for word, weight in words[k]],
            "entities": entities[k],
            "coherence": None if np.isnan(coherence[k]) else round(float(coherence[k]), 4),
            "confidence": round(float(sure[k]), 4),
            "frozen": identity in frozen,
            "moved_in": moved_in.get(identity, 0),
            "moved_out": moved_out.get(identity, 0),
        }
        for identity, k in sorted(view.position.items())
    ]


def _describe_by_model(view: RunView, group: int) -> r.ModelText:
    """Return what a language model wrote about a group, and its words; empty without one."""
    description = view.result.descriptions[group]
    return {
        "word_name": view.record.words[group] if description.name else "",
        "description": description.text,
        "described_by": description.model,
    }


def get_map(session: Session, call: Call) -> Response:
    """Return the map: a JSON header, then x, y, group and confidence of every document, little-endian."""
    view = session.view(call.path["run"])
    layout = load_layout(session, view)
    group = np.where(view.identities < 0, NO_GROUP, view.identities)
    columns = {
        "x": layout.documents[:, 0].astype("<f4"),
        "y": layout.documents[:, 1].astype("<f4"),
        "group": group.astype("<u2"),
        "confidence": np.round(view.result.confidence * 255).astype("u1"),
    }
    header = json.dumps(
        {
            "n": len(group),
            "fields": [[name, column.dtype.str.lstrip("<|")] for name, column in columns.items()],
            "groups": layout.identities.tolist(),
            "centres": layout.centres.round(5).tolist(),
            "radii": layout.radii.round(5).tolist(),
        }
    ).encode()
    # a Float32Array must begin at a multiple of four bytes
    header += b" " * (-(4 + len(header)) % 4)
    parts = (np.array([len(header)], dtype="<u4").tobytes(), header, *(c.tobytes() for c in columns.values()))
    return Response(b"".join(parts), media_type="application/octet-stream")


def load_layout(session: Session, view: RunView) -> MapLayout:
    """Load the map of a run; make it again if it is lost."""
    path = session.project.folder / "maps" / f"{view.record.number}.npz"
    try:
        return MapLayout.load(path)
    except StoreError:
        layout = make_layout(view.result, view.record.identities)
        layout.save(path)
        return layout


def get_words(session: Session, call: Call) -> list[r.WordGroup]:
    """List the groups of words; with ?group= those associated with one group of documents."""
    view = session.view(call.path["run"])
    terms, wanted = view.result.terms, call.number("group")
    if terms not in view.result.labels:
        return []
    groups: list[r.WordGroup] = [
        {
            "group": group.number,
            "name": group.name,
            "size": group.size,
            "words": [{"word": word, "weight": round(weight, 6)} for word, weight in group.members],
            "goes_with": [
                {"group": view.identity(k), "membership": round(share, 4)} for k, share in group.goes_with
            ],
        }
        for group in view.result.groups_of(terms, TOP)
    ]
    if wanted is None:
        return groups
    view.group(wanted)
    return [group for group in groups if wanted in {part["group"] for part in group["goes_with"]}]


def get_association(session: Session, call: Call) -> r.AssociationAnswer:
    """Return the association of word groups and document groups."""
    view = session.view(call.path["run"])
    result = view.result
    relation = next(
        (
            relation
            for relation in result.network.relations
            if {relation.rows, relation.columns} == {result.centre, result.terms}
            and relation.name in result.association
        ),
        None,
    )
    if relation is None:
        raise NotFoundError(
            f"{result.method} groups only {result.centre}, "
            "so there is no table of word groups by document groups"
        )
    mass = result.association[relation.name]
    mass = mass.T if relation.rows == result.centre else mass
    return {
        "words": list(result.names_of(result.terms)),
        "groups": list(view.record.identities),
        "mass": mass.round(8).tolist(),
    }


def get_hierarchy(session: Session, call: Call) -> list[r.TreeRow]:
    """List the lines of the tree of groups, from the root down."""
    view = session.view(call.path["run"])
    return [
        {
            "lines": list(lines),
            "name": node.name,
            "size": node.size,
            "group": None if node.children else node.groups[0],
        }
        for lines, node in view.result.hierarchy().rows()
    ]


def get_network(session: Session, call: Call) -> r.NetworkAnswer:
    """List the types and relations of the network."""
    result = session.view(call.path["run"]).result
    shares = share_information(result.contributions())
    return {
        "types": [
            {
                "name": name,
                "size": len(objects),
                "groups": result.n_groups(name) if name in result.labels else 0,
            }
            for name, objects in result.network.types.items()
        ],
        "relations": [
            {
                "name": relation.name,
                "rows": relation.rows,
                "columns": relation.columns,
                "entries": int(relation.matrix.nnz),
                "weight": float(relation.effective_weight),
                "share": shares.get(relation.name),
            }
            for relation in result.network.relations
        ],
    }


def _list_entities(view: RunView) -> list[list[r.EntityWeight]]:
    result = view.result
    entities: list[list[r.EntityWeight]] = [[] for _ in range(result.n_groups())]
    for type_name in result.network.types:
        if type_name not in (result.centre, result.terms, WORDS):
            for k, top in enumerate(result.top_objects(type_name, TOP)):
                entities[k] += [
                    {"type": type_name, "name": name, "weight": round(weight, 6)} for name, weight in top
                ]
    return entities


def _count_moves(session: Session, view: RunView) -> tuple[dict[int, int], dict[int, int]]:
    """Count the documents that came into and left each group since the parent run."""
    parent = session.runs.parent(view)
    if parent is None:
        return {}, {}
    before: Any = parent.identities
    moved = before != view.identities
    return _count(view.identities[moved]), _count(before[moved])


def _count(identities: Any) -> dict[int, int]:
    values, counts = np.unique(identities, return_counts=True)
    return dict(zip(values.tolist(), counts.tolist(), strict=True))
