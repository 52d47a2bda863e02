"""Handlers: the project, its runs and jobs."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from colligate import registry
from colligate.errors import ColligateError
from colligate.methods.guidance import takes
from colligate.studio.knowledge_file import compile_text
from colligate.studio.planning import command_of, method_of, takes_uneven
from colligate.studio.project import runs as w
from colligate.studio.server.endpoint import RefusedError

if TYPE_CHECKING:
    from colligate.studio.project import Project
    from colligate.studio.project.runs import RunRecord
    from colligate.studio.server.endpoint import Call
    from colligate.studio.server.responses import JobAnswer, ProjectAnswer, RunAnswer
    from colligate.studio.session import Session


def get_project(session: Session, call: Call) -> ProjectAnswer:
    """The project and how it stands."""
    project, current = session.project, session.current()
    untold = _network_methods(project)
    latest = None if current is None else current.record
    jobs = [job for job in project.work.jobs() if job.status in (w.WAITING, w.RUNNING)]
    return {
        "name": project.folder.name.removesuffix(".studio"),
        "counts": {name: len(kind) for name, kind in project.network.types.items()},
        "centre": project.centre,
        "terms": project.terms,
        "method": latest.method if latest else project.settings.method,
        "n_clusters": len(latest.identities) if latest else project.settings.n_clusters,
        "seed": project.settings.seed,
        "methods": fitting_methods(project),
        "untold_methods": untold,
        "uneven_methods": [name for name in untold if takes_uneven(name)],
        "current": latest.number if latest else None,
        "seq": project.journal.head,
        "jobs": [_job(job) for job in jobs],
        "damaged": [{"run": run, "what": what} for run, what in sorted(session.runs.damaged.items())],
        "who": session.who,
    }


def fitting_methods(project: Project) -> list[str]:
    """The methods that take the network and everything that was said."""
    compiled = compile_text(project.knowledge(), project.folder, project.network.names)
    kinds: list[str] = []
    if compiled is not None:
        guided = [(kind, own) for kind, own in compiled.guidance.items() if not own.is_empty]
        kinds += [f"{what}:{kind}" for kind, own in guided for what in own.kinds]
        kinds += [f"outside:{project.centre}"] * bool(compiled.outside_corpora)
    return [
        name
        for name in _network_methods(project)
        if all(takes(registry.find_method(name), what, project.network) for what in kinds)
    ]


def _network_methods(project: Project) -> list[str]:
    """The methods that take the network, whatever was said."""
    return [name for name, method in registry.load_methods().items() if _takes_network(method, project)]


def get_runs(session: Session, call: Call) -> list[RunAnswer]:
    """All runs."""
    journal = session.project.journal
    stands = journal.stood(journal.head)
    return [_run(session.project, run, stands) for run in session.project.work.runs()]


def _run(project: Project, run: RunRecord, stands: set[int]) -> RunAnswer:
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
        "command": command_of(project, run),
        "stale": project.journal.stood(run.seq) != stands,
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
            f"n_clusters must be a number from 1 to {most}, as many as there are {session.project.centre}; "
            f"got {request['n_clusters']}",
        )
    origin = session.view(request["from_run"]) if "from_run" in request else session.current()
    method = method_of(session.project, origin, request)
    if request.get("uneven_sizes") and not takes_uneven(method):
        raise RefusedError(
            422,
            f"{method} cannot be told that subjects are of very different sizes",
            "take another method, or cluster without saying so",
        )
    return _job(session.request_run(request))


def get_jobs(session: Session, call: Call) -> list[JobAnswer]:
    """All jobs."""
    return [_job(job) for job in session.project.work.jobs()]


def delete_job(session: Session, call: Call) -> JobAnswer:
    """Call off a job."""
    return _job(session.cancel(call.path["job"]))


def _job(job: w.Job) -> JobAnswer:
    found: JobAnswer = asdict(job)  # type: ignore[assignment]
    return found


def _takes_network(method: type[Any], project: Project) -> bool:
    try:
        method().check_network(project.network)
    except ColligateError:
        return False
    return True
