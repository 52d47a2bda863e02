"""Handlers: statements, the knowledge file, and their outcomes."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from starlette.responses import FileResponse, HTMLResponse, Response

from colligate.errors import NotFoundError
from colligate.knowledge.statements import shorten_source
from colligate.report.render import render
from colligate.result.report_view import make_report_view
from colligate.studio.actions import find_action, find_requestable
from colligate.studio.actions.state import ProjectState, RunState
from colligate.studio.knowledge import superseded
from colligate.studio.knowledge_file import read_text
from colligate.studio.outcomes import (
    Outcome,
    explain_broken,
    judge_statements,
)
from colligate.studio.planning import start_path
from colligate.studio.server.security import REPORT_POLICY

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from colligate.studio.group_names import GroupNames
    from colligate.studio.project import Entry
    from colligate.studio.project.runs import RunRecord
    from colligate.studio.run_views import RunView
    from colligate.studio.server import responses as r
    from colligate.studio.server.endpoint import Call
    from colligate.studio.session import Session

LONGEST_NOTE = 500
# actions that change groups and have no line in the knowledge file
WITHOUT_LINES = ("merge", "split", "name", "freeze", "thaw")


def get_statements(session: Session, call: Call) -> list[r.EntryAnswer]:
    """List every statement ever made."""
    return describe_entries(session, session.project.journal.entries())


def post_statements(session: Session, call: Call) -> r.EntryAnswer:
    """Make a statement. It is on the disk once this returns."""
    body = dict(call.body)
    body.pop("after", None)
    who, why = (str(body.pop(part, ""))[:LONGEST_NOTE] for part in ("who", "why"))
    kind, fields = body.pop("kind"), body.pop("body")
    if positions := body.pop("at", []):
        fields = fields | _name_documents(session, kind, positions, body.get("run"))
    return describe_entries(session, [session.record(kind, fields, who=who, why=why, **body)])[0]


def _name_documents(session: Session, kind: str, positions: list[int], run: int | None) -> dict[str, Any]:
    """Return the fields of a statement about the documents at these positions."""
    view = session.view(run)
    wrong = [row for row in positions if not 0 <= row < view.labels.size]
    if wrong:
        raise NotFoundError(f"there is no document {wrong[0]}; positions go from 0 to {view.labels.size - 1}")
    return find_requestable(kind).name_documents(view.ids(positions), session.project.centre)


def post_preview(session: Session, call: Call) -> r.PreviewAnswer:
    """Tell what a statement would do, without making it: the documents that it moves, and a new group."""
    kind, view, fields = call.body["kind"], session.current(), call.body["body"]
    if positions := call.body.get("at"):
        fields = fields | _name_documents(session, kind, positions, None)
    body = session.complete(kind, fields)
    action = find_action(kind)
    return {
        "sentence": action.describe(body),
        "new_groups": list(action.new_groups(body)),
        "warning": "" if view is None else action.warn(body, ProjectState(session.project, view)),
        "moves": describe_moves(kind, body, view),
    }


def describe_moves(kind: str, body: Mapping[str, Any], view: RunView | None) -> list[r.PreviewMove]:
    """Describe what a statement would move, by the positions of documents."""
    return [
        {
            "source": move["from"],
            "target": move["to"],
            "documents": [] if view is None else view.positions(move["documents"]),
            "alike": bool(move.get("alike")),
        }
        for move in find_action(kind).moves(body)
    ]


def post_undo(session: Session, call: Call) -> r.EntryAnswer:
    """Undo the last statement, or one by its id."""
    return describe_entries(session, [session.undo(call.body.get("id"))])[0]


def post_redo(session: Session, call: Call) -> r.EntryAnswer:
    """Redo what was undone last."""
    return describe_entries(session, [session.redo()])[0]


def get_knowledge(session: Session, call: Call) -> r.TextAnswer:
    """Return the knowledge file of the live statements."""
    journal = session.project.journal
    with journal.lock:
        text, live = session.project.knowledge(), journal.live()
        replaced = superseded(live)
        return {
            "text": text,
            "seq": journal.head,
            "statements": read_text(text, session.project.folder).statements.n_stated,
            "changes": sum(entry.kind in WITHOUT_LINES and entry.seq not in replaced for entry in live),
        }


def put_knowledge(session: Session, call: Call) -> r.TextAnswer:
    """Replace all statements by a knowledge file."""
    who, why = (str(call.body.get(part, ""))[:LONGEST_NOTE] for part in ("who", "why"))
    session.replace_knowledge(call.body["text"], call.body["seq"], who=who, why=why)
    return get_knowledge(session, call)


def get_knowledge_file(session: Session, call: Call) -> Response:
    """Download the knowledge file of the live statements."""
    return _download(session.project.knowledge(), "knowledge.yaml", "application/yaml")


def get_run_knowledge_file(session: Session, call: Call) -> Response:
    """Download the knowledge file that makes the groups of a run again."""
    record = session.project.recipe(_find_record(session, call))
    return _download(record.knowledge, "knowledge.yaml", "application/yaml")


def get_run_start(session: Session, call: Call) -> Response:
    """Download the start file of a run that came after another: its groups, or only its numbers and names."""
    record = _find_record(session, call)
    if record.parent is None:
        raise NotFoundError(f"run {record.number} did not continue another run, so it has no start file")
    path = start_path(session.project.folder, record.number)
    if not path.is_file():
        raise NotFoundError(f"the start file of run {record.number} is lost; cluster again")
    return FileResponse(path, media_type="application/json", filename="start.json")


def _find_record(session: Session, call: Call) -> RunRecord:
    """Return the record of a run, which exists even if its files cannot be read."""
    record = session.project.run(call.path["run"])
    if record is None:
        raise NotFoundError(f"there is no run {call.path['run']}")
    return record


def get_report(session: Session, call: Call) -> Response:
    """Return the report of a run; its policy allows no scripts."""
    view = session.view(call.path["run"])
    title = f"{session.project.folder.name}, run {view.record.number}"
    report = make_report_view(session.project.with_names(view.result, view.record), title)
    page = render(replace(report, warnings=(*report.warnings, *_list_broken_changes(session, view))))
    return HTMLResponse(page, headers={"content-security-policy": REPORT_POLICY})


def _list_broken_changes(session: Session, view: RunView) -> list[str]:
    """Describe broken statements that have no line in the knowledge file, which the report does not judge."""
    run = state_of(session, view)
    outcomes, replaced = judge_statements(run), superseded(run.entries)
    return [
        f"{_describe_entry(entry, run.names)}: this does not hold, {outcome.reason}"
        for entry in run.entries
        if entry.kind in WITHOUT_LINES
        and entry.seq not in replaced
        and (outcome := outcomes.get(entry.seq, Outcome())).verdict == "broken"
    ]


def get_audit(session: Session, call: Call) -> r.AuditAnswer:
    """List the outcome of every line of the knowledge of a run, what nobody stated last."""
    view = session.view(call.path["run"])
    audit, run = view.result.audit(), state_of(session, view)
    added, frozen, order = audit.added, audit.statements.frozen, audit.prioritise(len(audit))
    stated_first = [*order[~added[order]].tolist(), *order[added[order]].tolist()]
    rows = [audit.statement(number) for number in stated_first[call.page()]]
    return {
        "counts": audit.counts(),
        "exemplars": audit.exemplar_counts(),
        "frozen": audit.frozen_counts(),
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
                "line": shorten_source(row.source),
                "reason": explain_broken(run, audit.statements[row.number], row.status),
                "stands_in": bool(added[row.number] and not frozen[row.number]),
                "frozen": bool(frozen[row.number]),
            }
            for row in rows
        ],
    }


def describe_entries(session: Session, entries: Iterable[Entry]) -> list[r.EntryAnswer]:
    """Describe statements: each as a sentence, with its status and its outcome in the last run."""
    live = session.project.journal.live()
    numbers, replaced, outcomes = {entry.seq for entry in live}, superseded(live), _judge_current(session)
    names = session.project.names(session.project.latest())
    return [
        {
            **asdict(entry),  # type: ignore[typeddict-item]
            "sentence": _describe_entry(entry, names),
            "status": _status(entry, numbers),
            "overruled": replaced.get(entry.seq, 0),
            **asdict(Outcome() if entry.seq in replaced else outcomes.get(entry.seq, Outcome())),
        }
        for entry in entries
    ]


def _describe_entry(entry: Entry, names: GroupNames) -> str:
    """Return a statement as a sentence with the present names of groups."""
    return find_action(entry.kind).describe(names.update(entry.body))


def _judge_current(session: Session) -> dict[int, Outcome]:
    """Return the outcomes of statements in the last run."""
    current = session.current()
    return {} if current is None else judge_statements(state_of(session, current))


def state_of(session: Session, view: RunView) -> RunState:
    """Return a run with the names of its groups and the statements that it had."""
    entries = session.project.journal.live_at(view.record.seq)
    return RunState(view, session.project.names(view.record), entries)


def _status(entry: Entry, live: set[int]) -> str:
    if entry.undone:
        return "undone"
    return "live" if entry.seq in live else "replaced"


def _download(text: str, name: str, kind: str) -> Response:
    return Response(text, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})
