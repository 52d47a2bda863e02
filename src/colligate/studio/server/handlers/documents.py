"""Handlers: documents and search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.errors import NotFoundError
from colligate.studio.actions import find_action
from colligate.studio.server.endpoint import RefusedError
from colligate.studio.server.handlers.knowledge import describe_entries

if TYPE_CHECKING:
    from colligate.network import Network
    from colligate.studio.run_views import RunView
    from colligate.studio.server import responses as r
    from colligate.studio.server.endpoint import Call
    from colligate.studio.session import Session

SNIPPET = 300
LONGEST_TEXT = 200_000
LONGEST_VALUE = 10_000
REASONS = 12
WORDS_SHOWN = 20
LONGEST_QUERY = 200
MAX_AT_ONCE = 500


def get_group_documents(session: Session, call: Call) -> r.DocumentsAnswer:
    """List the documents of a group, by membership or in the order of the input."""
    view = session.view(call.path["run"])
    group = view.group(call.path["group"])
    order = call.query.get("order", "membership")
    if order not in ("membership", "id"):
        raise RefusedError(422, f"order must be membership or id; got {order!r:.60}")
    rows = view.by_membership[group] if order == "membership" else view.members(group)
    return {"total": len(rows), "documents": _list_rows(view, rows[call.page()])}


def get_documents(session: Session, call: Call) -> r.DocumentsAnswer:
    """List documents by position, in the order of the query: ?at=3,17,4."""
    view, parts = session.view(call.path["run"]), call.query.get("at", "").split(",")
    if len(parts) > MAX_AT_ONCE or not all(part.isdecimal() and len(part) < 10 for part in parts):
        raise RefusedError(422, f"at must name 1 to {MAX_AT_ONCE} documents by position, as in ?at=3,17")
    positions = [_check_row(view, int(part)) for part in parts]
    return {"total": len(positions), "documents": _list_rows(view, positions)}


def get_document(session: Session, call: Call) -> r.DocumentAnswer:
    """Return a document, its group, the reasons, and the statements about it."""
    view = session.view(call.path["run"])
    row = _check_row(view, call.path["document"])
    why, id = view.result.why(row, REASONS), view.ids([row])[0]
    live = session.project.journal.live()
    statements = [entry for entry in live if id in find_action(entry.kind).items(entry.body)]
    return {
        "document": row,
        "id": id,
        "title": read_heading(view.result.network, row),
        "columns": _list_values(session, row),
        "text": read_document(view.result.network, row)[:LONGEST_TEXT],
        "group": view.identity(why.group),
        "memberships": _list_memberships(view, row),
        "why": {
            "words": [{"word": word, "weight": round(weight, 6)} for word, weight in why.words],
            "links": [{"statement": text, "pull": round(pull, 6)} for text, pull in why.links],
            "entities": [
                {"type": kind, "name": name, "weight": round(weight, 6)} for kind, name, weight in why.objects
            ],
        },
        "next": view.identity(why.runner_up),
        "statements": describe_entries(session, statements),
    }


def get_search(session: Session, call: Call) -> r.SearchAnswer:
    """Find documents whose text or id contains a text, ignoring case, and words that begin with it."""
    text = call.query.get("q", "").strip()
    if not text or len(text) > LONGEST_QUERY:
        raise RefusedError(422, f"q must have 1 to {LONGEST_QUERY} characters")
    view = session.view(call.number("run"))
    network, names = view.result.network, view.result.network.types[view.result.terms].names
    matches = _match(network, view, text)
    start = text.lower()
    words = [str(word) for word in names if str(word).startswith(start)]
    rows = _list_rows(view, matches[call.page()])
    return {"documents": {"total": len(matches), "documents": rows}, "words": sorted(words)[:WORDS_SHOWN]}


def _check_row(view: RunView, row: int) -> int:
    if row >= view.labels.size:
        raise NotFoundError(f"there is no document {row}; positions go from 0 to {view.labels.size - 1}")
    return row


def _match(network: Network, view: RunView, text: str) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    hits = pc.match_substring(pa.array(list(view.row_of)), text, ignore_case=True).to_numpy(False)
    if network.corpus is not None and network.corpus.texts is not None:
        column = getattr(network.corpus.texts, "column", None)
        texts = pa.array(list(network.corpus.texts)) if column is None else column
        hits = hits | pc.match_substring(texts, text, ignore_case=True).to_numpy()
    return np.flatnonzero(hits)


def _list_rows(view: RunView, positions: Any) -> list[r.DocumentRow]:
    rows = np.asarray(positions).tolist()
    return [
        {
            "document": document,
            "id": id,
            "title": read_heading(view.result.network, document),
            "group": int(view.identities[document]),
            "confidence": round(float(view.result.confidence[document]), 4),
            "text": " ".join(read_document(view.result.network, document)[: 4 * SNIPPET].split())[:SNIPPET],
        }
        for document, id in zip(rows, view.ids(rows), strict=True)
    ]


def read_document(network: Network, row: int) -> str:
    """Return the text of a document, empty if there is none."""
    corpus = network.corpus
    return "" if corpus is None or corpus.texts is None else str(corpus.texts[row])


def read_heading(network: Network, row: int) -> str:
    """Return the title of a document, or the first line of its text; empty if there is neither."""
    return "" if network.corpus is None else network.corpus.heading(row)


def _list_values(session: Session, row: int) -> list[r.ColumnValue]:
    return [
        {"name": name, "value": column.format_row(row)[:LONGEST_VALUE]}
        for name, column in session.columns.all.items()
    ]


def _list_memberships(view: RunView, row: int) -> list[r.Membership]:
    shares = view.result.memberships[view.result.centre][row]
    best = np.argsort(-shares, kind="stable")[:3].tolist()
    return [
        {"group": view.identity(k), "membership": round(float(shares[k]), 4)} for k in best if shares[k] > 0
    ]
