"""What the templates need: the view, its pictures, and the sentences that are computed from it.

The account of the knowledge in sentences and in a table.

Where statements came from, in short: a long path tells a reader of the table nothing new in every row.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from colligate.report.charts.flow import flow_chart, flows
from colligate.report.charts.heat import heat, share_heat
from colligate.report.charts.map import document_map, nearness
from colligate.report.charts.palette import colours
from colligate.report.charts.trace import history_chart, restarts_chart
from colligate.report.text import clip, count, counted, percent
from colligate.report.view import DOCUMENT, Nouns

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from colligate.report.view import AuditView, ChangeView, ReportView, StatementView, TraceView

_MANY_GROUPS = 40
_FLOWS_LISTED = 40
_LONGEST_NOUN = 40
_GROUPS_OPEN = 12
_MEMBERS_IN_NAME = 3
_LEAST_AGREED = 3

READ_FIRST = ("broken", "contradicted", "unknown", "kept")
_TOLD = {
    "broken": ("was broken", "were broken"),
    "contradicted": ("is contradicted by others", "are contradicted by others"),
    "unknown": ("names something that is not there", "name something that is not there"),
}
_SIGNS = {"kept": "✓", "broken": "✕", "contradicted": "≠", "unknown": "?"}
_FILE_AND_LINE = re.compile(r"(?P<folder>.*[/\\])(?P<name>[^/\\]+\.[^/\\:]+)(?P<line>:\d+)?")


def page(view: ReportView) -> dict[str, object]:
    """The names that the templates know."""
    centre, terms = _short(view.centre), _short(view.terms)
    return {
        "view": view,
        "one": centre.one,
        "many": centre.many,
        "term": terms.one,
        "terms": terms.many,
        "nearness": nearness(centre, terms),
        "reasons": "words and objects" if view.types else terms.many,
        "has_texts": _has_texts(view),
        "named": _MEMBERS_IN_NAME,
        "figures": _figures(view),
        "palette": palette_style(view),
        "map_picture": document_map(view.map, view.groups, centre, terms) if len(view.map.x) else None,
        "groups_open": _GROUPS_OPEN,
        "open_examples": _open_examples(view),
        "heat": heat(view.association, view.groups) if view.association else None,
        "trace_sentence": trace_sentence(view.trace),
        "agreement": agreement_sentence(view, centre),
        "least_agreed": least_agreed(view),
        "history_picture": history_chart(view.trace),
        "restarts_picture": restarts_chart(view.trace),
        "contributions": share_heat(view.relations, view.groups) if view.relations else None,
        **_audit(view),
        **_changes(view, centre),
    }


def palette_style(view: ReportView) -> str:
    """The style rules that give each group its colour, and let it stand out while its name is pointed at."""
    pairs = list(zip((group.number for group in view.groups), colours(len(view.groups)), strict=True))
    light = "".join(f".g{number}{{--c:{on_light}}}" for number, (on_light, _) in pairs)
    dark = "".join(f".g{number}{{--c:{on_dark}}}" for number, (_, on_dark) in pairs)
    pointed = "".join(
        f"#map:has(a.g{number}:is(:hover,:focus-visible)) .dots path:not(.g{number}){{opacity:.08}}"
        for number, _ in pairs
    )
    return f"{light}@media screen and (prefers-color-scheme:dark){{{dark}}}{pointed}"


def trace_sentence(trace: TraceView) -> str:
    """Whether and when the run settled."""
    sweeps = counted(len(trace.history), "sweep")
    how = f"settled after {sweeps}" if trace.converged else f"stopped after {sweeps}, before it had settled"
    restarts = len(trace.restarts)
    if restarts < 2:
        return f"The run {how}."
    return f"The best of {count(restarts)} restarts (number {count(trace.chosen + 1)}) {how}."


def agreement_sentence(view: ReportView, placed: Nouns = DOCUMENT) -> str | None:
    """How far the method's own runs agree with the result; None if it made none."""
    if view.trace.stability is None:
        return None
    _, mean = view.trace.stability
    return (
        f"It starts from what {count(view.trace.runs)} short runs agree on, each from another start. "
        f"A {placed.one} is where {percent(mean)} of them put it, in the mean."
    )


def least_agreed(view: ReportView) -> list[tuple[str, str]]:
    """The groups on which runs agree least, and how far."""
    if view.trace.stability is None:
        return []
    shares, mean = view.trace.stability
    below = [(shares[group.number], group.name) for group in view.groups if shares[group.number] < mean]
    return [(name, percent(share)) for share, name in sorted(below)[:_LEAST_AGREED]]


def change_sentence(changes: ChangeView, moving: Nouns = DOCUMENT) -> str:
    """How much the knowledge moved."""
    if not changes.moved:
        return f"No {moving.one} changed its group because of the knowledge."
    share = percent(changes.moved / changes.total) if changes.total else "–"
    are = "is" if changes.moved == 1 else "are"
    return (
        f"Because of the knowledge, {count(changes.moved)} of "
        f"{counted(changes.total, moving.one, moving.many)} ({share}) {are} in another group than without it."
    )


def _has_texts(view: ReportView) -> bool:
    return any(document.excerpt for group in view.groups for document in group.documents)


def _open_examples(view: ReportView) -> int:
    """How many examples of a group are seen at once; without texts they take little room."""
    if len(view.groups) > _MANY_GROUPS:
        return 1
    return 2 if _has_texts(view) else 5


def _figures(view: ReportView) -> list[tuple[str, str]]:
    filled = sum(group.size > 0 for group in view.groups)
    figures = [(count(view.map.total), _short(view.centre).many), (count(filled), "groups")]
    if view.association:
        figures.append((count(len(view.association.word_groups)), f"{_short(view.terms).one} groups"))
    figures += [(count(len(kind.groups)), f"{_short(kind.name).one} groups") for kind in view.types]
    if view.audit and view.audit.total:
        kept = sum(counts.get("kept", 0) for counts in view.audit.by_kind.values())
        figures.append((percent(kept / view.audit.total), "of the knowledge kept"))
    if view.changes:
        figures.append((count(view.changes.moved), f"{_short(view.centre).many} moved by it"))
    return figures


def _short(name: Nouns) -> Nouns:
    """Types may be called anything, at any length."""
    return Nouns(clip(name.one, _LONGEST_NOUN), clip(name.many, _LONGEST_NOUN))


def _audit(view: ReportView) -> dict[str, object]:
    if view.audit is None:
        return {"audit": None}
    statements = read_first(view.audit.statements)
    return {
        "audit": view.audit,
        "audit_sentence": audit_sentence(view.audit),
        "audit_table": audit_table(view.audit),
        "statements": [found for found in statements if not kept_for_nothing(found)],
        "kept_statements": [found for found in statements if kept_for_nothing(found)],
        "sources": short_sources(found.source for found in statements),
    }


def _changes(view: ReportView, moving: Nouns) -> dict[str, object]:
    changes = view.changes
    if changes is None:
        return {"changes": None}
    classes = [f"g{group.number}" for group in view.groups] + ["none"] * len(changes.after_names)
    return {
        "changes": changes,
        "change_sentence": change_sentence(changes, moving),
        "flow_picture": flow_chart(changes, classes, moving) if changes.moved else None,
        "flows": flows(changes, _FLOWS_LISTED) if changes.moved else [],
        "flow_classes": classes,
    }


@dataclass(frozen=True)
class AuditTable:
    """Counts by kind (rows) and status (columns), with their sums."""

    statuses: Sequence[str]
    rows: Sequence[tuple[str, Sequence[int]]]
    sums: Sequence[int]


def audit_table(audit: AuditView) -> AuditTable:
    """Only the statuses that occur, the best one first."""
    present = {status for counts in audit.by_kind.values() for status in counts}
    known = [status for status in reversed(READ_FIRST) if status in present]
    statuses = known + sorted(present.difference(READ_FIRST))
    rows = [(kind, [counts.get(status, 0) for status in statuses]) for kind, counts in audit.by_kind.items()]
    return AuditTable(statuses, rows, [_number(audit, status) for status in statuses])


def audit_sentence(audit: AuditView) -> str:
    """What became of the knowledge, in one or two plain sentences."""
    doubtful = sum(own.doubtful for own in audit.trusted)
    verb = "disagrees" if doubtful == 1 else "disagree"
    doubt = f" {count(doubtful)} of them {verb} with everything else." if doubtful else ""
    return _outcome(audit) + doubt


def _outcome(audit: AuditView) -> str:
    kept = _number(audit, "kept")
    if kept == audit.total:
        told = "The one statement was kept." if kept == 1 else f"All {count(kept)} statements were kept."
        return told if kept else "There was no statement to keep."
    were = "was" if kept == 1 else "were"
    rest = [
        f"{count(number)} {one if number == 1 else many}"
        for status, (one, many) in _TOLD.items()
        if (number := _number(audit, status))
    ]
    told = f"{count(kept)} of {counted(audit.total, 'statement')} {were} kept"
    return (
        f"{told}; {' and '.join([', '.join(rest[:-1]), rest[-1]] if len(rest) > 1 else rest)}."
        if rest
        else told + "."
    )


def read_first(statements: Sequence[StatementView]) -> list[StatementView]:
    """Broken and contradicted statements first, and the costly before the cheap."""
    return sorted(
        statements, key=lambda statement: (_rank(statement), _cheapness(statement), statement.number)
    )


def kept_for_nothing(statement: StatementView) -> bool:
    """Whether there is nothing to say about a statement but that it was kept."""
    return statement.status == "kept" and statement.cost == 0 and not statement.doubtful


def sign(status: str) -> str:
    """A sign for a status, so that it is not told by colour alone."""
    return _SIGNS.get(status, "•")


def _number(audit: AuditView, status: str) -> int:
    return sum(counts.get(status, 0) for counts in audit.by_kind.values())


def _rank(statement: StatementView) -> int:
    return READ_FIRST.index(statement.status) if statement.status in READ_FIRST else len(READ_FIRST)


def _cheapness(statement: StatementView) -> float:
    return -statement.cost if math.isfinite(statement.cost) else math.inf


@dataclass(frozen=True)
class Sources:
    """The short form of every source, and the paths that were shortened, each once."""

    short: Mapping[str, str]
    paths: Sequence[str]


def short_sources(sources: Iterable[str]) -> Sources:
    """Files by their name only, unless two of them share it; all else as it is."""
    given = list(dict.fromkeys(sources))
    found = {source: match for source in given if (match := _FILE_AND_LINE.fullmatch(source))}
    folders: dict[str, set[str]] = {}
    for match in found.values():
        folders.setdefault(match["name"], set()).add(match["folder"])
    clear = {source: match for source, match in found.items() if len(folders[match["name"]]) == 1}
    short = {source: f"{match['name']}{match['line'] or ''}" for source, match in clear.items()}
    paths = dict.fromkeys(match["folder"] + match["name"] for match in clear.values())
    return Sources({source: short.get(source, source) for source in given}, list(paths))
