"""Handlers: the groups of a run, its map, its words and its network."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
from starlette.responses import Response

from colligate.errors import NotFoundError, StoreError
from colligate.network import WORDS
from colligate.result.association import kept_shares
from colligate.result.confidence import group_confidence
from colligate.studio.map import MapLayout, lay_out
from colligate.studio.naming import called
from colligate.studio.project.overruling import overruled

if TYPE_CHECKING:
    from colligate.studio.run_views import RunView
    from colligate.studio.server import responses as g
    from colligate.studio.server.endpoint import Call
    from colligate.studio.session import Session

TOP = 12
NO_GROUP = 2**16 - 1


def get_groups(session: Session, call: Call) -> list[g.GroupAnswer]:
    """The groups of a run, in the order of their lasting numbers."""
    view = session.view(call.path["run"])
    result, names = view.result, called(session.project, view)
    sizes = np.bincount(view.labels[view.labels >= 0], minlength=result.n_groups())
    sure = group_confidence(view.labels, result.n_groups(), result.confidence)
    coherence, words, entities = result.coherence(TOP), result.top_words(TOP), _entities(view)
    live = session.project.journal.live()
    thawed = overruled(live)
    frozen = {one.body["group"] for one in live if one.kind == "freeze" and one.seq not in thawed}
    moved_in, moved_out = _moves(session, view)
    return [
        {
            "group": identity,
            "name": names[identity].name,
            "short": names[identity].short,
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


def get_map(session: Session, call: Call) -> Response:
    """The map: a header of JSON, then x, y, group and confidence of every document, little-endian."""
    view = session.view(call.path["run"])
    places = _places(session, view)
    group = np.where(view.identities < 0, NO_GROUP, view.identities)
    columns = {
        "x": places.documents[:, 0].astype("<f4"),
        "y": places.documents[:, 1].astype("<f4"),
        "group": group.astype("<u2"),
        "confidence": np.round(view.result.confidence * 255).astype("u1"),
    }
    header = json.dumps(
        {
            "n": len(group),
            "fields": [[name, column.dtype.str.lstrip("<|")] for name, column in columns.items()],
            "groups": places.identities.tolist(),
            "centres": places.centres.round(5).tolist(),
            "radii": places.radii.round(5).tolist(),
        }
    ).encode()
    # so that the numbers begin where a Float32Array may begin
    header += b" " * (-(4 + len(header)) % 4)
    parts = (np.array([len(header)], dtype="<u4").tobytes(), header, *(c.tobytes() for c in columns.values()))
    return Response(b"".join(parts), media_type="application/octet-stream")


def _places(session: Session, view: RunView) -> MapLayout:
    """The stored map; a lost one is made again."""
    path = session.project.folder / "maps" / f"{view.record.number}.npz"
    try:
        return MapLayout.load(path)
    except StoreError:
        made = lay_out(view.result, view.record.identities)
        made.save(path)
        return made


def get_words(session: Session, call: Call) -> list[g.WordGroup]:
    """The groups of words; with ?group= those that go with one group of documents."""
    view = session.view(call.path["run"])
    kind, wanted = view.result.terms, call.number("group")
    if kind not in view.result.labels:
        return []
    found: list[g.WordGroup] = [
        {
            "group": group.number,
            "name": group.name,
            "size": group.size,
            "words": [{"word": word, "weight": round(weight, 6)} for word, weight in group.members],
            "goes_with": [
                {"group": view.identity(k), "membership": round(share, 4)} for k, share in group.goes_with
            ],
        }
        for group in view.result.groups(kind, TOP)
    ]
    if wanted is None:
        return found
    view.group(wanted)
    return [group for group in found if wanted in {part["group"] for part in group["goes_with"]}]


def get_association(session: Session, call: Call) -> g.AssociationAnswer:
    """Word groups × document groups."""
    view = session.view(call.path["run"])
    result = view.result
    relation = next(
        (
            one
            for one in result.network.relations
            if {one.rows, one.columns} == {result.centre, result.terms} and one.name in result.association
        ),
        None,
    )
    if relation is None:
        raise NotFoundError(f"{result.method} groups {result.centre} alone, so there is no association")
    mass = result.association[relation.name]
    mass = mass.T if relation.rows == result.centre else mass
    return {
        "words": list(result.names_of(result.terms)),
        "groups": list(view.record.identities),
        "mass": mass.round(8).tolist(),
    }


def get_network(session: Session, call: Call) -> g.NetworkAnswer:
    """Types and relations of the network."""
    result = session.view(call.path["run"]).result
    shares = kept_shares(result.contributions())
    return {
        "types": [
            {"name": name, "size": len(kind), "groups": result.n_groups(name) if name in result.labels else 0}
            for name, kind in result.network.types.items()
        ],
        "relations": [
            {
                "name": one.name,
                "rows": one.rows,
                "columns": one.columns,
                "entries": int(one.matrix.nnz),
                "weight": float(one.effective_weight),
                "share": shares.get(one.name),
            }
            for one in result.network.relations
        ],
    }


def _entities(view: RunView) -> list[list[g.EntityWeight]]:
    result = view.result
    found: list[list[g.EntityWeight]] = [[] for _ in range(result.n_groups())]
    for kind in result.network.types:
        if kind not in (result.centre, result.terms, WORDS):
            for k, own in enumerate(result.top_objects(kind, TOP)):
                found[k] += [{"type": kind, "name": name, "weight": round(weight, 6)} for name, weight in own]
    return found


def _moves(session: Session, view: RunView) -> tuple[dict[int, int], dict[int, int]]:
    """How many documents came into and left each group since the run this one came from."""
    parent = session.runs.before(view)
    if parent is None:
        return {}, {}
    before: Any = parent.identities
    moved = before != view.identities
    return _counted(view.identities[moved]), _counted(before[moved])


def _counted(identities: Any) -> dict[int, int]:
    values, counts = np.unique(identities, return_counts=True)
    return dict(zip(values.tolist(), counts.tolist(), strict=True))
