"""Render a view as one HTML file, without scripts or external assets.

The templates get the view, its charts, and the sentences and tables made here.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from colligate._storage.atomic import expand_path, write_file
from colligate._text import (
    bar_width,
    capitalise,
    clean_view,
    clip,
    count_noun,
    format_count,
    format_number,
    format_percent,
    format_signed,
    join_words,
)
from colligate.knowledge.statements import MODEL_SOURCE
from colligate.report.cell_tables import ColumnTable, make_column_table, make_share_table
from colligate.report.column_chart import FEW, draw_shares
from colligate.report.drawing import to_page
from colligate.report.flow_chart import draw_flow, list_flows
from colligate.report.heat_chart import draw_heat, make_heat_table
from colligate.report.map import describe_nearness, draw_map
from colligate.report.palette import choose_colours
from colligate.report.trace_chart import draw_history, draw_restarts
from colligate.report.tree_chart import draw_tree
from colligate.report.view import DOCUMENT, Nouns

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from jinja2 import Environment
    from markupsafe import Markup

    from colligate.report.drawing import Drawing
    from colligate.report.view import (
        AuditView,
        ChangeView,
        ColumnCountsView,
        ReportView,
        StatementView,
        TraceView,
    )


_MANY_GROUPS = 40
_FLOWS_LISTED = 40
_LONGEST_NOUN = 40
_GROUPS_OPEN = 12
_MEMBERS_IN_NAME = 3
READ_FIRST = ("broken", "contradicted", "unknown", "kept")
_OUTCOMES = {
    "broken": ("was broken", "were broken"),
    "contradicted": ("is contradicted by others", "are contradicted by others"),
    "unknown": ("names an unknown object", "name unknown objects"),
}
_SIGNS = {"kept": "✓", "broken": "✕", "contradicted": "≠", "unknown": "?"}
_FILE_AND_LINE = re.compile(
    rf"(?!{MODEL_SOURCE})(?P<folder>.*[/\\])(?P<name>[^/\\]+\.[^/\\:]+)(?P<line>:\d+)?"
)


def render(view: ReportView) -> str:
    """Render the page; the same view gives the same page."""
    return load_templates().get_template("page.html").render(make_context(clean_view(view)))


def write(view: ReportView, path: str | os.PathLike[str]) -> Path:
    """Write the page, all or nothing, and return its path."""
    text = render(view)
    target = expand_path(path)
    with write_file(target) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")
    return target


@cache
def load_templates() -> Environment:
    """Load the templates of all pages, with the filters for numbers and texts."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("colligate.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "bar": bar_width,
        "capitalise": capitalise,
        "clip": clip,
        "count": format_count,
        "count_noun": count_noun,
        "number": format_number,
        "percent": format_percent,
        "sign": status_sign,
        "signed": format_signed,
    }
    return environment


def make_context(view: ReportView) -> dict[str, object]:
    """Return the variables of the templates."""
    centre, terms = _clip_nouns(view.centre), _clip_nouns(view.terms)
    heat = make_heat_table(view.association, view.groups) if view.association else None
    return {
        "view": view,
        "one": centre.one,
        "many": centre.many,
        "term": terms.one,
        "terms": terms.many,
        "nearness": describe_nearness(centre, terms),
        "reasons": "words and objects" if view.types else terms.many,
        "has_texts": _has_texts(view),
        "named": _MEMBERS_IN_NAME,
        "figures": _list_figures(view),
        "palette": make_palette_style(view),
        "map_picture": to_page(draw_map(view.map, view.groups, centre, terms)) if len(view.map.x) else None,
        "groups_open": _GROUPS_OPEN,
        "open_examples": _count_open_examples(view),
        "heat": heat,
        "heat_picture": to_page(draw_heat(heat, terms)) if heat else None,
        "tree_picture": _show(draw_tree(view.tree, centre)),
        "trace_sentence": describe_run(view.trace),
        "history_picture": _show(draw_history(view.trace)),
        "restarts_picture": _show(draw_restarts(view.trace)),
        "contributions": make_share_table(view.relations, view.groups) if view.relations else None,
        "columns": [_make_column_context(column, view, centre) for column in view.columns],
        "few": FEW,
        **_make_audit_context(view),
        **_make_change_context(view, centre),
    }


def _show(drawing: Drawing | None) -> Markup | None:
    """Return a drawing for the page; None if there is nothing to draw."""
    return None if drawing is None else to_page(drawing)


@dataclass(frozen=True)
class ColumnContext:
    """A column of the input on the page: its picture, and the numbers of documents."""

    name: str
    unit: str
    missing: int
    picture: Markup | None
    table: ColumnTable


def _make_column_context(column: ColumnCountsView, view: ReportView, centre: Nouns) -> ColumnContext:
    return ColumnContext(
        column.name,
        column.unit,
        sum(column.missing),
        _show(draw_shares(column, view.groups, centre)),
        make_column_table(column, view.groups),
    )


def make_palette_style(view: ReportView) -> str:
    """Make the style rules of the groups' colours, and of the group whose name is hovered."""
    numbers = [group.number for group in view.groups]
    colours = choose_colours(max(numbers, default=-1) + 1)
    pairs = [(number, colours[number]) for number in numbers]
    light = "".join(f".g{number}{{--c:{on_light}}}" for number, (on_light, _) in pairs)
    dark = "".join(f".g{number}{{--c:{on_dark}}}" for number, (_, on_dark) in pairs)
    pointed = "".join(
        f"#map:has(a.g{number}:is(:hover,:focus-visible)) .dots path:not(.g{number}){{opacity:.08}}"
        for number, _ in pairs
    )
    return f"{light}@media screen and (prefers-color-scheme:dark){{{dark}}}{pointed}"


def describe_run(trace: TraceView) -> str:
    """Say whether and when the run converged."""
    # The history begins with the objective at the start.
    iterations = count_noun(max(len(trace.history) - 1, 0), "iteration")
    how = f"converged after {iterations}" if trace.converged else f"did not converge within {iterations}"
    restarts = len(trace.restarts)
    if restarts < 2:
        return f"The run {how}."
    return f"The best of {format_count(restarts)} restarts (number {format_count(trace.chosen + 1)}) {how}."


def describe_changes(changes: ChangeView, moving: Nouns = DOCUMENT) -> str:
    """Say how many documents changed group."""
    if not changes.moved:
        return f"No {moving.one} changed its group because of the knowledge."
    share = format_percent(changes.moved / changes.total) if changes.total else "–"
    are = "is" if changes.moved == 1 else "are"
    return (
        f"Because of the knowledge, {format_count(changes.moved)} of "
        f"{count_noun(changes.total, moving.one, moving.many)} ({share}) {are} in another group "
        "than without it."
    )


def _has_texts(view: ReportView) -> bool:
    return any(document.excerpt for group in view.groups for document in group.documents)


def _count_open_examples(view: ReportView) -> int:
    """Return how many examples of a group are open at first; more without texts, which take space."""
    if len(view.groups) > _MANY_GROUPS:
        return 1
    return 2 if _has_texts(view) else 5


def _list_figures(view: ReportView) -> list[tuple[str, str]]:
    filled = sum(group.size > 0 for group in view.groups)
    figures = [
        (format_count(view.map.total), _clip_nouns(view.centre).many),
        (format_count(filled), "groups"),
    ]
    if view.association:
        figures.append(
            (format_count(len(view.association.word_groups)), f"{_clip_nouns(view.terms).one} groups")
        )
    figures += [
        (format_count(len(kind.groups)), f"{_clip_nouns(kind.name).one} groups") for kind in view.types
    ]
    if view.audit and view.audit.total:
        kept = sum(counts.get("kept", 0) for counts in view.audit.by_kind.values())
        figures.append((format_percent(kept / view.audit.total), "of the statements kept"))
    if view.changes:
        figures.append(
            (format_count(view.changes.moved), f"{_clip_nouns(view.centre).many} moved by knowledge")
        )
    return figures


def _clip_nouns(name: Nouns) -> Nouns:
    """Clip the names of a type, which may have any length."""
    return Nouns(clip(name.one, _LONGEST_NOUN), clip(name.many, _LONGEST_NOUN))


def _make_audit_context(view: ReportView) -> dict[str, object]:
    if view.audit is None:
        return {"audit": None}
    statements = sort_by_urgency(view.audit.statements)
    return {
        "audit": view.audit,
        "audit_sentence": describe_audit(view.audit),
        "audit_table": tabulate_audit(view.audit),
        "statements": [statement for statement in statements if not is_kept_at_no_cost(statement)],
        "kept_statements": [statement for statement in statements if is_kept_at_no_cost(statement)],
        "sources": shorten_sources(statement.source for statement in statements),
    }


def _make_change_context(view: ReportView, moving: Nouns) -> dict[str, object]:
    changes = view.changes
    if changes is None:
        return {"changes": None}
    colours = [f"g{group.number}" for group in view.groups] + ["grey"] * len(changes.after_names)
    return {
        "changes": changes,
        "change_sentence": describe_changes(changes, moving),
        "flow_picture": _show(draw_flow(changes, colours, moving)) if changes.moved else None,
        "flows": list_flows(changes, _FLOWS_LISTED) if changes.moved else [],
        "flow_classes": colours,
    }


@dataclass(frozen=True)
class AuditTable:
    """Counts by kind (rows) and status (columns), with their sums."""

    statuses: Sequence[str]
    rows: Sequence[tuple[str, Sequence[int]]]
    sums: Sequence[int]


def tabulate_audit(audit: AuditView) -> AuditTable:
    """Count the statements by kind and status; statuses that do not occur are left out."""
    present = {status for counts in audit.by_kind.values() for status in counts}
    known = [status for status in reversed(READ_FIRST) if status in present]
    statuses = known + sorted(present.difference(READ_FIRST))
    rows = [(kind, [counts.get(status, 0) for status in statuses]) for kind, counts in audit.by_kind.items()]
    return AuditTable(statuses, rows, [_count_status(audit, status) for status in statuses])


def describe_audit(audit: AuditView) -> str:
    """Describe the outcome of the knowledge in one or two sentences."""
    doubtful = sum(source.doubtful for source in audit.trusted)
    verb = "is" if doubtful == 1 else "are"
    doubt = f" {format_count(doubtful)} of them {verb} doubtful." if doubtful else ""
    apart = _describe_exemplars(audit) + _describe_frozen(audit)
    return _describe_outcome(audit) + doubt + _describe_lines(audit) + apart


def _describe_lines(audit: AuditView) -> str:
    """Say how many lines the statements have, if one has several."""
    if audit.lines <= audit.total:
        return ""
    verb = "has" if audit.total == 1 else "have"
    return f" {'It' if audit.total == 1 else 'They'} {verb} {count_noun(audit.lines, 'line')} below."


def _describe_exemplars(audit: AuditView) -> str:
    n_exemplars, kept = sum(audit.exemplars.values()), audit.exemplars.get("kept", 0)
    if not n_exemplars:
        return ""
    stayed = "all" if kept == n_exemplars else format_count(kept)
    added = "was" if n_exemplars == 1 else "were"
    return f" {count_noun(n_exemplars, 'exemplar')} {added} added to them: {stayed} stayed in their group."


def _describe_frozen(audit: AuditView) -> str:
    n_frozen, kept = sum(audit.frozen.values()), audit.frozen.get("kept", 0)
    if not n_frozen:
        return ""
    stayed = "all" if kept == n_frozen else format_count(kept)
    return f" {count_noun(n_frozen, 'document')} of frozen groups: {stayed} stayed."


def _describe_outcome(audit: AuditView) -> str:
    kept = _count_status(audit, "kept")
    if kept == audit.total:
        if kept < 2:
            return "The one statement was kept." if kept else "There are no statements."
        return f"All {format_count(kept)} statements were kept."
    were = "was" if kept == 1 else "were"
    rest = [
        f"{format_count(number)} {one if number == 1 else many}"
        for status, (one, many) in _OUTCOMES.items()
        if (number := _count_status(audit, status))
    ]
    sentence = f"{format_count(kept)} of {count_noun(audit.total, 'statement')} {were} kept"
    if rest:
        sentence += f"; {join_words(rest)}"
    return f"{sentence}."


def sort_by_urgency(statements: Sequence[StatementView]) -> list[StatementView]:
    """Sort broken and contradicted statements first, and by cost."""
    return sorted(
        statements, key=lambda statement: (_rank_status(statement), _sort_cost(statement), statement.number)
    )


def is_kept_at_no_cost(statement: StatementView) -> bool:
    """Tell whether a statement is kept, at no cost, and trusted."""
    return statement.status == "kept" and statement.cost == 0 and not statement.doubtful


def status_sign(status: str) -> str:
    """Return a sign for a status, so that it is not shown only by colour."""
    return _SIGNS.get(status, "•")


def _count_status(audit: AuditView, status: str) -> int:
    return sum(counts.get(status, 0) for counts in audit.by_kind.values())


def _rank_status(statement: StatementView) -> int:
    return READ_FIRST.index(statement.status) if statement.status in READ_FIRST else len(READ_FIRST)


def _sort_cost(statement: StatementView) -> float:
    return -statement.cost if math.isfinite(statement.cost) else math.inf


@dataclass(frozen=True)
class Sources:
    """The short form of every source, and the full paths of those that were shortened."""

    short: Mapping[str, str]
    paths: Sequence[str]


def shorten_sources(sources: Iterable[str]) -> Sources:
    """Shorten files to their name, unless two share it; a full path in every row is hard to read."""
    distinct = list(dict.fromkeys(sources))
    matches = {source: match for source in distinct if (match := _FILE_AND_LINE.fullmatch(source))}
    folders: dict[str, set[str]] = {}
    for match in matches.values():
        folders.setdefault(match["name"], set()).add(match["folder"])
    clear = {source: match for source, match in matches.items() if len(folders[match["name"]]) == 1}
    short = {source: f"{match['name']}{match['line'] or ''}" for source, match in clear.items()}
    paths = dict.fromkeys(match["folder"] + match["name"] for match in clear.values())
    return Sources({source: short.get(source, source) for source in distinct}, list(paths))
