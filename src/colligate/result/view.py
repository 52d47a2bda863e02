"""A result as the report shows it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from colligate.knowledge.wording import singular
from colligate.report.view import MapView, Nouns, ReportView, TraceView
from colligate.result.layout import Layout, layout
from colligate.result.view_facts import facts, summary, warnings
from colligate.result.view_groups import association, group_views
from colligate.result.view_knowledge import audit_view, change_view
from colligate.result.view_network import relation_views, type_views

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from colligate.result.result import Result


def write_report(result: Result, path: Path, title: str | None = None) -> Path:
    """Render the result into one HTML file."""
    from colligate.report.render import write

    write(report_view(result, title), path)
    return path


def report_view(result: Result, title: str | None = None) -> ReportView:
    """Gather everything the report shows."""
    labels, count = result.labels[result.centre], result.n_groups()
    places = layout(labels, count, result.counts, result.confidence, result.runner_up)
    return ReportView(
        title=title or f"Groups of {result.centre}",
        summary=summary(result),
        facts=facts(result),
        groups=group_views(result, places),
        map=_map(result, places),
        trace=_trace(result),
        association=association(result),
        audit=audit_view(result),
        changes=change_view(result),
        warnings=warnings(result),
        centre=Nouns(singular(result.centre), result.centre),
        terms=Nouns(singular(result.terms), result.terms),
        types=type_views(result),
        relations=relation_views(result),
    )


def _trace(result: Result) -> TraceView:
    found = TraceView(result.history, result.restarts, result.chosen, result.converged)
    stable = result.stability
    if stable is None:
        return found
    labels = result.labels[result.centre]
    groups = [_mean(stable[labels == group]) for group in range(result.n_groups(result.centre))]
    n_runs = int(result.model.get("n_runs", result.parameters["n_runs"]))
    return replace(found, runs=n_runs, stability=(groups, _mean(stable)))


def _mean(stable: NDArray[np.float32]) -> float:
    told = stable[~np.isnan(stable)]
    return float(told.mean()) if len(told) else float("nan")


def _map(result: Result, places: Layout) -> MapView:
    x, y = np.round(places.places.T, 4).tolist()
    group = result.labels[result.centre][places.documents].tolist()
    return MapView(x, y, group, places.documents.size, places.total)
