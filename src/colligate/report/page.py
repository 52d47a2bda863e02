"""What the templates need: the view, its pictures, and the sentences that are computed from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from colligate.report.audit import audit_sentence, audit_table, kept_for_nothing, read_first
from colligate.report.charts.flow import flow_chart, flows
from colligate.report.charts.heat import heat
from colligate.report.charts.map import document_map
from colligate.report.charts.palette import colours
from colligate.report.charts.trace import history_chart, restarts_chart
from colligate.report.numbers import count, counted, percent
from colligate.report.sources import short_sources

if TYPE_CHECKING:
    from colligate.report.view import ChangeView, ReportView, TraceView

_MANY_GROUPS = 40
_FLOWS_LISTED = 40


def page(view: ReportView) -> dict[str, object]:
    """The names that the templates know."""
    return {
        "view": view,
        "figures": _figures(view),
        "palette": palette_style(view),
        "map_picture": document_map(view.map, view.groups) if len(view.map.x) else None,
        "open_examples": 1 if len(view.groups) > _MANY_GROUPS else 2,
        "heat": heat(view.association, view.groups) if view.association else None,
        "trace_sentence": trace_sentence(view.trace),
        "history_picture": history_chart(view.trace),
        "restarts_picture": restarts_chart(view.trace),
        **_audit(view),
        **_changes(view),
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


def change_sentence(changes: ChangeView) -> str:
    """How much the knowledge moved."""
    if not changes.moved:
        return "No document changed its group because of the knowledge."
    share = percent(changes.moved / changes.total) if changes.total else "–"
    are = "is" if changes.moved == 1 else "are"
    return (
        f"Because of the knowledge, {count(changes.moved)} of {counted(changes.total, 'document')} ({share}) "
        f"{are} in another group than without it."
    )


def _figures(view: ReportView) -> list[tuple[str, str]]:
    filled = sum(group.size > 0 for group in view.groups)
    figures = [(count(view.map.total), "documents"), (count(filled), "groups")]
    if view.association:
        figures.append((count(len(view.association.word_groups)), "word groups"))
    if view.audit and view.audit.total:
        kept = sum(counts.get("kept", 0) for counts in view.audit.by_kind.values())
        figures.append((percent(kept / view.audit.total), "of the knowledge kept"))
    if view.changes:
        figures.append((count(view.changes.moved), "documents moved by it"))
    return figures


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


def _changes(view: ReportView) -> dict[str, object]:
    changes = view.changes
    if changes is None:
        return {"changes": None}
    classes = [f"g{group.number}" for group in view.groups] + ["none"] * len(changes.after_names)
    return {
        "changes": changes,
        "change_sentence": change_sentence(changes),
        "flow_picture": flow_chart(changes, classes) if changes.moved else None,
        "flows": flows(changes, _FLOWS_LISTED) if changes.moved else [],
        "flow_classes": classes,
    }
