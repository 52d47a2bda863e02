"""Handlers: the project, its runs and jobs."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from colligate import registry
from colligate.corpus.columns import ColumnRoles
from colligate.errors import ColligateError
from colligate.methods.guidance import takes
from colligate.studio.knowledge_file import compile_text
from colligate.studio.planning import accepts_uneven_sizes, choose_method, format_command
from colligate.studio.project.runs import RUNNING, WAITING
from colligate.studio.server.endpoint import RefusedError

if TYPE_CHECKING:
    from colligate.studio.project import Project
    from colligate.studio.project.runs import Job, RunRecord
    from colligate.studio.server.endpoint import Call
    from colligate.studio.server.responses import ColumnsSummary, JobAnswer, ProjectAnswer, RunAnswer
    from colligate.studio.session import Session


def get_project(session: Session, call: Call) -> ProjectAnswer:
    """Return the project and its state."""
    project, current = session.project, session.current()
    available = _list_network_methods(project)
    latest = None if current is None else current.record
    jobs = [job for job in project.work.jobs() if job.status in (WAITING, RUNNING)]
    return {
        "name": project.folder.name.removesuffix(".studio"),
        "counts": {name: len(objects) for name, objects in project.network.types.items()},
        "centre": project.centre,
        "terms": project.terms,
        "method": latest.method if latest else project.settings.method,
        "n_clusters": len(latest.identities) if latest else project.settings.n_clusters,
        "suggestion": project.settings.suggestion,
        "seed": project.settings.seed,
        "methods": list_methods(project),
        "methods_without_knowledge": available,
        "uneven_methods": [name for name in available if accepts_uneven_sizes(name)],
        "current": latest.number if latest else None,
        "seq": project.journal.head,
        "jobs": [_describe_job(job) for job in jobs],
        "damaged": [{"run": run, "what": what} for run, what in sorted(session.runs.damaged.items())],
        "progress": session.progress,  # type: ignore[typeddict-item]
        "who": session.who,
        "columns": _describe_columns(session),
    }


def _describe_columns(session: Session) -> ColumnsSummary:
    """Describe how the columns of the input were read."""
    corpus = session.project.network.corpus
    roles = ColumnRoles() if corpus is None else corpus.roles
    return {
        "text": list(roles.text),
        "id": roles.id,
        "title": roles.title,
        "kept": [{"name": name, "kind": column.kind} for name, column in session.columns.all.items()],
        "left_out": list(roles.left_out),
        "sentence": "" if corpus is None else corpus.describe_columns(),
    }


def list_methods(project: Project) -> list[str]:
    """List the methods that accept the network and all live statements."""
    compiled = compile_text(project.knowledge(), project.folder, project.network.names)
    kinds: list[str] = []
    if compiled is not None:
        guided = [(name, part) for name, part in compiled.guidance.items() if not part.is_empty]
        kinds += [f"{kind}:{name}" for name, part in guided for kind in part.kinds]
        kinds += [f"outside:{project.centre}"] * bool(compiled.outside_corpora)
    return [
        name
        for name in _list_network_methods(project)
        if all(takes(registry.find_method(name), what, project.network) for what in kinds)
    ]


def _list_network_methods(project: Project) -> list[str]:
    """List the methods that accept the network."""
    return [name for name, method in registry.load_methods().items() if _takes_network(method, project)]


def get_runs(session: Session, call: Call) -> list[RunAnswer]:
    """List all runs."""
    journal = session.project.journal
    live = journal.numbers_at(journal.head)
    return [_describe_run(session.project, run, live) for run in session.project.work.runs()]


def _describe_run(project: Project, run: RunRecord, live: set[int]) -> RunAnswer:
    return {
        "number": run.number,
        "at": run.at,
        "method": run.method,
        "parameters": dict(run.parameters),
        "parent": run.parent,
        "started": run.started,
        "knowledge": bool(run.knowledge),
        "seconds": run.seconds,
        "warnings": list(run.warnings),
        "seq": run.seq,
        "command": format_command(project, run),
        "stale": project.journal.numbers_at(run.seq) != live,
    }


def post_runs(session: Session, call: Call) -> JobAnswer:
    """Put a run in the queue."""
    request: dict[str, Any] = dict(call.body)
    if "method" in request:
        registry.find_method(request["method"])
    most = len(session.project.network.types[session.project.centre])
    if "n_clusters" in request and not 1 <= request["n_clusters"] <= most:
        raise RefusedError(
            422,
            f"n_clusters must be from 1 to {most} (the number of {session.project.centre}); "
            f"got {request['n_clusters']}",
        )
    origin = session.view(request["from_run"]) if "from_run" in request else session.current()
    method = choose_method(session.project, origin, request)
    if request.get("uneven_sizes") and not accepts_uneven_sizes(method):
        raise RefusedError(
            422,
            f"{method} has no setting for groups of very different sizes",
            "choose another method, or leave out uneven_sizes",
        )
    return _describe_job(session.request_run(request))


def get_jobs(session: Session, call: Call) -> list[JobAnswer]:
    """List all jobs."""
    return [_describe_job(job) for job in session.project.work.jobs()]


def delete_job(session: Session, call: Call) -> JobAnswer:
    """Cancel a job."""
    return _describe_job(session.cancel(call.path["job"]))


def _describe_job(job: Job) -> JobAnswer:
    return asdict(job)  # type: ignore[return-value]


def _takes_network(method: type[Any], project: Project) -> bool:
    try:
        method().check_network(project.network)
    except ColligateError:
        return False
    return True
