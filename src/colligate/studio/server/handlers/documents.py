"""Handlers: documents, and looking for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.errors import NotFoundError
from colligate.studio.project.kinds import OF_DOCUMENTS, documents_of
from colligate.studio.server.endpoint import RefusedError
from colligate.studio.server.handlers.knowledge import entry_answers

if TYPE_CHECKING:
    from colligate.network import Network
    from colligate.studio.project import Entry
    from colligate.studio.run_views import RunView
    from colligate.studio.server import responses as a
    from colligate.studio.server import responses as g
    from colligate.studio.server.endpoint import Call
    from colligate.studio.session import Session

SNIPPET = 300
LONGEST_TEXT = 200_000
REASONS = 12
WORDS_SHOWN = 20
LONGEST_QUERY = 200
MOST_AT_ONCE = 500


def get_group_documents(session: Session, call: Call) -> a.DocumentsAnswer:
    """The documents of a group, by membership or in their own order."""
    view = session.view(call.path["run"])
    group = view.group(call.path["group"])
    order = call.query.get("order", "membership")
    if order not in ("membership", "id"):
        raise RefusedError(422, f"order must be membership or id; got {order!r:.60}")
    found = view.by_membership[group] if order == "membership" else view.members(group)
    return {"total": len(found), "documents": _rows(view, found[call.page()])}


def get_documents(session: Session, call: Call) -> a.DocumentsAnswer:
    """Some documents by position, in the order in which they are named: ?at=3,17,4."""
    view, parts = session.view(call.path["run"]), call.query.get("at", "").split(",")
    if len(parts) > MOST_AT_ONCE or not all(part.isdecimal() and len(part) < 10 for part in parts):
        raise RefusedError(422, f"at must name 1 to {MOST_AT_ONCE} documents by position, as in ?at=3,17")
    positions = [_there(view, int(part)) for part in parts]
    return {"total": len(positions), "documents": _rows(view, positions)}


def get_document(session: Session, call: Call) -> a.DocumentAnswer:
    """A document, where it is and why."""
    view = session.view(call.path["run"])
    at = _there(view, call.path["document"])
    why, id = view.result.why(at, REASONS), view.ids([at])[0]
    said = [entry for entry in session.project.journal.live() if _names(entry, id)]
    return {
        "document": at,
        "id": id,
        "text": text_of(view.result.network, at)[:LONGEST_TEXT],
        "group": view.identity(why.group),
        "memberships": _memberships(view, at),
        "why": {
            "words": [{"word": word, "weight": round(weight, 6)} for word, weight in why.words],
            "links": [{"statement": text, "pull": round(pull, 6)} for text, pull in why.links],
            "entities": [
                {"type": kind, "name": name, "weight": round(weight, 6)} for kind, name, weight in why.objects
            ],
        },
        "next": view.identity(why.runner_up),
        "statements": entry_answers(session, said),
    }


def get_search(session: Session, call: Call) -> a.SearchAnswer:
    """Documents whose text or id holds some text, whatever its case, and words that begin with it."""
    text = call.query.get("q", "").strip()
    if not text or len(text) > LONGEST_QUERY:
        raise RefusedError(422, f"q must hold 1 to {LONGEST_QUERY} characters")
    view = session.view(call.number("run"))
    network, names = view.result.network, view.result.network.types[view.result.terms].names
    found = _found(network, view, text)
    start = text.lower()
    words = [str(word) for word in names if str(word).startswith(start)]
    rows = _rows(view, found[call.page()])
    return {"documents": {"total": len(found), "documents": rows}, "words": sorted(words)[:WORDS_SHOWN]}


def _there(view: RunView, at: int) -> int:
    if at >= view.labels.size:
        raise NotFoundError(f"there is no document {at}; they are counted from 0 to {view.labels.size - 1}")
    return at


def _found(network: Network, view: RunView, text: str) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    hits = pc.match_substring(pa.array(list(view.places)), text, ignore_case=True).to_numpy(False)
    if network.corpus is not None and network.corpus.texts is not None:
        column = getattr(network.corpus.texts, "column", None)
        texts = pa.array(list(network.corpus.texts)) if column is None else column
        hits = hits | pc.match_substring(texts, text, ignore_case=True).to_numpy()
    return np.flatnonzero(hits)


def _rows(view: RunView, positions: Any) -> list[a.DocumentRow]:
    at = np.asarray(positions).tolist()
    return [
        {
            "document": document,
            "id": id,
            "group": int(view.identities[document]),
            "confidence": round(float(view.result.confidence[document]), 4),
            "text": " ".join(text_of(view.result.network, document)[: 4 * SNIPPET].split())[:SNIPPET],
        }
        for document, id in zip(at, view.ids(at), strict=True)
    ]


def text_of(network: Network, at: int) -> str:
    """The text of a document, empty where it is not known."""
    corpus = network.corpus
    return "" if corpus is None or corpus.texts is None else str(corpus.texts[at])


def _memberships(view: RunView, at: int) -> list[g.Membership]:
    row = view.result.memberships[view.result.centre][at]
    best = np.argsort(-row, kind="stable")[:3].tolist()
    return [{"group": view.identity(k), "membership": round(float(row[k]), 4)} for k in best if row[k] > 0]


def _names(entry: Entry, id: str) -> bool:
    """Whether a statement names a document itself, not only as one that stands for its group."""
    if entry.kind in OF_DOCUMENTS:
        return id in documents_of(entry.body)
    return id in entry.body.get("items", ())
