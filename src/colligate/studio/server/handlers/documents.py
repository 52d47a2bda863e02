"""Handlers: documents and search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.errors import NotFoundError
from colligate.knowledge.statements import FROZEN_SUFFIX
from colligate.studio.actions import find_action
from colligate.studio.document_lists import DocumentOrder, find_stated
from colligate.studio.group_names import display_names
from colligate.studio.knowledge import log_actions
from colligate.studio.search import GROUP, make_snippet, match_groups, parse_query
from colligate.studio.server.endpoint import RefusedError
from colligate.studio.server.handlers.groups import load_layout
from colligate.studio.server.handlers.knowledge import describe_entries

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from colligate.network import Network
    from colligate.studio.project import Entry
    from colligate.studio.run_views import RunView
    from colligate.studio.search import Filter, Query
    from colligate.studio.server import responses as r
    from colligate.studio.server.endpoint import Call
    from colligate.studio.session import Session

    Positions = NDArray[np.int64]

SNIPPET = 300
LONGEST_TEXT = 200_000
LONGEST_VALUE = 10_000
REASONS = 60
PAGE = 50
SIMILAR, MAX_SIMILAR = 10, 100
WORDS_SHOWN = 20
LONGEST_QUERY = 200


def post_documents(session: Session, call: Call) -> r.DocumentsAnswer:
    """List documents: of a group, in a part of the map, at positions, or that match a query; in any order."""
    view, body = session.view(call.path["run"]), call.body
    query = _parse(session, body.get("q", ""))
    positions = _select(session, view, body, query)
    order = body.get("order", "given")
    is_reversed = body.get("reverse", False)
    stated = find_stated(session.project)
    if body.get("unstated"):
        positions = positions[~stated[positions]]
    ordered = DocumentOrder(view, session.texts, session.columns, stated).sort(
        positions, order, is_reversed=is_reversed
    )
    start = body.get("offset", 0)
    page = ordered[start : start + body.get("limit", PAGE)]
    return {"total": len(ordered), "documents": _list_rows(view, page, stated, query.terms)}


def _select(session: Session, view: RunView, body: Mapping[str, Any], query: Query) -> Positions:
    """Return the documents that fit every part of a request; the order is that of the query or of `at`."""
    n_documents = view.labels.size
    if "q" in body:
        positions = _find(session, view, query)
    else:
        positions = _check_positions(body.get("at", range(n_documents)), n_documents)
    inside = np.ones(n_documents, dtype=bool)
    if "q" in body and "at" in body:
        inside = np.zeros(n_documents, dtype=bool)
        inside[_check_positions(body["at"], n_documents)] = True
    if "group" in body:
        view.group(body["group"])
        inside &= view.identities == body["group"]
    if "box" in body:
        inside &= _is_in_box(load_layout(session, view).documents, body["box"])
    inside[_check_positions(body.get("skip", ()), n_documents)] = False
    return positions[inside[positions]]


def _check_positions(positions: Sequence[int], n_documents: int) -> Positions:
    rows = np.array(positions, dtype=np.int64)
    wrong = rows[(rows < 0) | (rows >= n_documents)]
    if wrong.size:
        raise NotFoundError(f"there is no document {wrong[0]}; positions go from 0 to {n_documents - 1}")
    return rows


def _is_in_box(places: NDArray[Any], box: Sequence[float]) -> NDArray[np.bool_]:
    left, top, right, bottom = np.array(box, dtype=np.float32)
    x, y = places[:, 0].astype(np.float32), places[:, 1].astype(np.float32)
    flags: NDArray[np.bool_] = (x >= left) & (x <= right) & (y >= top) & (y <= bottom)
    return flags


def get_document(session: Session, call: Call) -> r.DocumentAnswer:
    """Return a document, its group, the reasons, and the statements about it."""
    view = session.view(call.path["run"])
    row = _check_row(view, call.path["document"])
    why, id = view.result.why(row, REASONS), view.ids([row])[0]
    live = session.project.journal.live()
    centre = session.project.centre
    statements = [entry for entry in live if id in find_action(entry.kind).documents(entry.body, centre)]
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
        "frozen": _is_frozen(live, id),
        "statements": describe_entries(session, statements),
    }


def _is_frozen(live: Sequence[Entry], id: str) -> bool:
    """Tell whether a document stays in its group because the group is frozen."""
    _, source = log_actions(live).labels.get(id, (-1, ""))
    return source.endswith(FROZEN_SUFFIX)


def get_similar(session: Session, call: Call) -> list[r.SimilarRow]:
    """List the documents that are most similar to one document."""
    view = session.view(call.path["run"])
    row = _check_row(view, call.path["document"])
    similar = view.result.similar(row, max(call.number("limit", SIMILAR, MAX_SIMILAR) or 0, 1))
    rows = _list_rows(view, [each.position for each in similar], find_stated(session.project))
    return [
        {**listed, "similarity": round(each.similarity, 4)}
        for listed, each in zip(rows, similar, strict=True)
    ]


def get_search(session: Session, call: Call) -> r.SearchAnswer:
    """Find the documents that match a query, and words that begin with it."""
    text = call.query.get("q", "").strip()
    if not text:
        raise RefusedError(422, "the search is empty", "give words to search for")
    view = session.view(call.number("run"))
    query = _parse(session, text)
    names = view.result.network.types[view.result.terms].names
    start = query.terms[-1].lower() if query.terms else ""
    words = sorted(str(word) for word in names if str(word).startswith(start)) if start else []
    return {
        "positions": _find(session, view, query).tolist(),
        "words": words[:WORDS_SHOWN],
        "notes": [
            f"no group is called “{part.value}”"
            for part in query.filters
            if part.key == GROUP and not match_groups(_group_names(session, view), part.value)
        ],
    }


def _parse(session: Session, text: str) -> Query:
    if len(text) > LONGEST_QUERY:
        raise RefusedError(422, f"the search has more than {LONGEST_QUERY} characters")
    return parse_query(text, session.columns.all)


def _find(session: Session, view: RunView, query: Query) -> Positions:
    """Return the documents of a run that match a query, the best first."""

    def passes(part: Filter) -> NDArray[np.bool_]:
        if part.key != GROUP:
            return session.columns.find(part.key).contains(part.value)
        return np.isin(view.identities, match_groups(_group_names(session, view), part.value))

    return session.texts.find(query, passes)


def _group_names(session: Session, view: RunView) -> dict[int, str]:
    return {group: name.name for group, name in display_names(session.project, view).items()}


def _check_row(view: RunView, row: int) -> int:
    if row >= view.labels.size:
        raise NotFoundError(f"there is no document {row}; positions go from 0 to {view.labels.size - 1}")
    return row


def _list_rows(
    view: RunView, positions: Any, stated: NDArray[np.bool_], terms: Sequence[str] = ()
) -> list[r.DocumentRow]:
    rows = np.asarray(positions, dtype=np.int64).tolist()
    return [
        {
            "document": document,
            "id": id,
            "title": title,
            "title_pieces": make_snippet(title, terms, len(title)),
            "group": int(view.identities[document]),
            "next": view.identity(int(view.result.runner_up[document])),
            "confidence": round(float(view.result.confidence[document]), 4),
            "stated": bool(stated[document]),
            "text": "".join(pieces),
            "pieces": pieces,
        }
        for document, id in zip(rows, view.ids(rows), strict=True)
        for title, text in [read_title_and_text(view.result.network, document)]
        for pieces in [make_snippet(text, terms, SNIPPET)]
    ]


def read_title_and_text(network: Network, row: int) -> tuple[str, str]:
    """Return the title of a document, empty if the input has none for it, and the text after it."""
    text = read_document(network, row)
    titles = None if network.corpus is None else network.corpus.title_column
    title = "" if titles is None else str(titles[row].as_py() or "")
    return (read_heading(network, row), text.removeprefix(title)) if title.strip() else ("", text)


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
