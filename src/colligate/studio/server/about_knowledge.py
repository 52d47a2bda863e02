"""Handlers: what was said, as statements and as a knowledge file, and what became of it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from starlette.responses import FileResponse, HTMLResponse, Response

from colligate.report.render import render
from colligate.result.view import report_view
from colligate.studio.missing import NotThereError
from colligate.studio.planning import start_path
from colligate.studio.server.gate import REPORT_POLICY
from colligate.studio.server.outcomes import Outcome, outcomes_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from colligate.studio.project import Entry
    from colligate.studio.server import answers as a
    from colligate.studio.server.route import Call
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
    return _download(session.view(call.path["run"]).record.knowledge, "knowledge.yaml", "application/yaml")


def get_run_start(session: Session, call: Call) -> Response:
    """The start file of a run that went on from another."""
    record = session.view(call.path["run"]).record
    if not record.started:
        raise NotThereError(f"run {record.number} did not go on from another, so it has no start file")
    path = start_path(session.project.folder, record.number)
    return FileResponse(path, media_type="application/json", filename="start.json")


def get_report(session: Session, call: Call) -> Response:
    """The report of a run; it may use nothing but its own style."""
    view = session.view(call.path["run"])
    page = render(report_view(view.result, f"{session.project.folder.name}, run {view.record.number}"))
    return HTMLResponse(page, headers={"content-security-policy": REPORT_POLICY})


def get_audit(session: Session, call: Call) -> a.AuditAnswer:
    """What became of every line of the knowledge of a run; those to read first come first."""
    audit = session.view(call.path["run"]).result.audit()
    rows = [audit.statement(number) for number in audit.worth_reading(len(audit)).tolist()[call.page()]]
    return {
        "counts": audit.counts(),
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
            }
            for row in rows
        ],
    }


def entry_answers(session: Session, entries: Iterable[Entry]) -> list[a.EntryAnswer]:
    """Statements of the journal with how they stand."""
    live = {entry.seq for entry in session.project.journal.live()}
    latest = session.project.latest()
    outcomes = outcomes_of(session.view(latest.number)) if latest else {}
    return [
        {**asdict(entry), "status": _status(entry, live), **asdict(outcomes.get(entry.seq, Outcome()))}  # type: ignore[typeddict-item]
        for entry in entries
    ]


def _status(entry: Entry, live: set[int]) -> str:
    if entry.undone:
        return "undone"
    return "live" if entry.seq in live else "replaced"


def _download(text: str, name: str, kind: str) -> Response:
    return Response(text, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})
