"""Handlers: what was said, as statements and as a knowledge file, and what became of it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from starlette.responses import FileResponse, HTMLResponse, Response

from colligate.errors import NotFoundError
from colligate.report.render import render
from colligate.result.report_view import report_view
from colligate.studio.naming import group_names
from colligate.studio.outcomes import Outcome, counts_of, outcomes_of, reason_of, standing_in
from colligate.studio.planning import start_path
from colligate.studio.project.overruling import overruled
from colligate.studio.server.security import REPORT_POLICY

if TYPE_CHECKING:
    from collections.abc import Iterable

    from colligate.studio.project import Entry
    from colligate.studio.project.runs import RunRecord
    from colligate.studio.server import responses as a
    from colligate.studio.server.endpoint import Call
    from colligate.studio.session import Session

LONGEST_NOTE = 500


def get_statements(session: Session, call: Call) -> list[a.EntryAnswer]:
    """Everything that was ever said."""
    return entry_answers(session, session.project.journal.entries())


def post_statements(session: Session, call: Call) -> a.EntryAnswer:
    """Say something. Once this is answered, it is on the disk."""
    body = dict(call.body)
    body.pop("after", None)
    who, why = (str(body.pop(part, ""))[:LONGEST_NOTE] for part in ("who", "why"))
    return entry_answers(
        session, [session.say(body.pop("kind"), body.pop("body"), who=who, why=why, **body)]
    )[0]


def post_undo(session: Session, call: Call) -> a.EntryAnswer:
    """Take back the last statement, or one by its id."""
    return entry_answers(session, [session.undo(call.body.get("id"))])[0]


def post_redo(session: Session, call: Call) -> a.EntryAnswer:
    """Say again what was undone last."""
    return entry_answers(session, [session.redo()])[0]


def get_knowledge(session: Session, call: Call) -> a.TextAnswer:
    """The knowledge file of what stands."""
    journal = session.project.journal
    with journal.lock:
        return {"text": session.project.knowledge(), "seq": journal.head}


def put_knowledge(session: Session, call: Call) -> a.TextAnswer:
    """Put a knowledge file in the place of everything said."""
    who, why = (str(call.body.get(part, ""))[:LONGEST_NOTE] for part in ("who", "why"))
    session.replace_knowledge(call.body["text"], call.body["seq"], who=who, why=why)
    return get_knowledge(session, call)


def get_knowledge_file(session: Session, call: Call) -> Response:
    """The knowledge file of what stands, to be saved."""
    return _download(session.project.knowledge(), "knowledge.yaml", "application/yaml")


def get_run_knowledge_file(session: Session, call: Call) -> Response:
    """The knowledge file that a run was made with."""
    return _download(_record(session, call).knowledge, "knowledge.yaml", "application/yaml")


def get_run_start(session: Session, call: Call) -> Response:
    """The start file of a run that went on from another."""
    record = _record(session, call)
    if not record.started:
        raise NotFoundError(f"run {record.number} did not go on from another, so it has no start file")
    path = start_path(session.project.folder, record.number)
    if not path.is_file():
        raise NotFoundError(f"the start file of run {record.number} is lost; cluster again")
    return FileResponse(path, media_type="application/json", filename="start.json")


def _record(session: Session, call: Call) -> RunRecord:
    """The record of a run, which stands in the journal whether or not its files can be read."""
    found = session.project.run(call.path["run"])
    if found is None:
        raise NotFoundError(f"there is no run {call.path['run']}")
    return found


def get_report(session: Session, call: Call) -> Response:
    """The report of a run; it may use nothing but its own style."""
    view = session.view(call.path["run"])
    page = render(report_view(view.result, f"{session.project.folder.name}, run {view.record.number}"))
    return HTMLResponse(page, headers={"content-security-policy": REPORT_POLICY})


def get_audit(session: Session, call: Call) -> a.AuditAnswer:
    """What became of every line of the knowledge of a run: what a person said first, then who stands in."""
    view = session.view(call.path["run"])
    audit, names = view.result.audit(), group_names(session.project, view)
    added, order = standing_in(audit), audit.worth_reading(len(audit))
    own_first = [*order[~added[order]].tolist(), *order[added[order]].tolist()]
    rows = [audit.statement(number) for number in own_first[call.page()]]
    return {
        "counts": counts_of(audit, ~added),
        "standing": counts_of(audit, added),
        "by_kind": audit.by_kind(),
        "total": len(audit),
        "rows": [
            {
                "text": row.text,
                "kind": row.kind,
                "type": row.type,
                "status": row.status,
                "cost": round(row.cost, 10),
                "strength": audit.statements[row.number].strength,
                "trust": None if row.trust is None else round(row.trust, 4),
                "note": row.note,
                "line": row.source.rpartition("/")[2],
                "reason": reason_of(view, names, audit.statements[row.number], row.status),
                "stands_in": bool(added[row.number]),
            }
            for row in rows
        ],
    }


def entry_answers(session: Session, entries: Iterable[Entry]) -> list[a.EntryAnswer]:
    """Statements of the journal with how they stand."""
    live = session.project.journal.live()
    standing, by, outcomes = {entry.seq for entry in live}, overruled(live), _outcomes(session)
    return [
        {
            **asdict(entry),  # type: ignore[typeddict-item]
            "status": _status(entry, standing),
            "overruled": by.get(entry.seq, 0),
            **asdict(Outcome() if entry.seq in by else outcomes.get(entry.seq, Outcome())),
        }
        for entry in entries
    ]


def _outcomes(session: Session) -> dict[int, Outcome]:
    """What the last run made of the statements that it was told."""
    current = session.current()
    if current is None:
        return {}
    told = session.project.journal.live_after(current.record.seq)
    return outcomes_of(current, group_names(session.project, current), told)


def _status(entry: Entry, live: set[int]) -> str:
    if entry.undone:
        return "undone"
    return "live" if entry.seq in live else "replaced"


def _download(text: str, name: str, kind: str) -> Response:
    return Response(text, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})
