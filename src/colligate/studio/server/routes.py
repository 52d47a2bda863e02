"""The routes of the studio, all in one list."""

from __future__ import annotations

from colligate.studio.server import responses as r
from colligate.studio.server import schema as s
from colligate.studio.server.endpoint import Route
from colligate.studio.server.handlers import (
    changes,
    documents,
    groups,
    knowledge,
    pending,
    project,
    questions,
)

BYTES, YAML, HTML = "application/octet-stream", "application/yaml", "text/html"
RUN = "/api/runs/{run:int}"
PAGE = ("offset", "limit")

ROUTES = (
    Route("GET", "/api/project", project.get_project, "The project and its state.", r.ProjectAnswer),
    Route("GET", "/api/runs", project.get_runs, "All runs.", list[r.RunAnswer]),
    Route("POST", "/api/runs", project.post_runs, "Cluster.", r.JobAnswer, s.RunRequest, status=202),
    Route("GET", "/api/jobs", project.get_jobs, "All jobs.", list[r.JobAnswer]),
    Route("DELETE", "/api/jobs/{job:int}", project.delete_job, "Cancel a job.", r.JobAnswer),
    Route("GET", f"{RUN}/groups", groups.get_groups, "The groups of a run.", list[r.GroupAnswer]),
    Route("GET", f"{RUN}/map", groups.get_map, "The positions of its documents, as numbers.", BYTES),
    Route(
        "GET",
        f"{RUN}/groups/{{group:int}}/documents",
        documents.get_group_documents,
        "The documents of a group.",
        r.DocumentsAnswer,
        query=(*PAGE, "order"),
    ),
    Route(
        "GET",
        f"{RUN}/documents",
        documents.get_documents,
        "Documents by position.",
        r.DocumentsAnswer,
        query=("at",),
    ),
    Route(
        "GET",
        f"{RUN}/documents/{{document:int}}",
        documents.get_document,
        "A document, and why it is in its group.",
        r.DocumentAnswer,
    ),
    Route("GET", f"{RUN}/words", groups.get_words, "Groups of words.", list[r.WordGroup], query=("group",)),
    Route(
        "GET",
        f"{RUN}/association",
        groups.get_association,
        "Word groups × document groups.",
        r.AssociationAnswer,
    ),
    Route("GET", f"{RUN}/network", groups.get_network, "Types and relations.", r.NetworkAnswer),
    Route(
        "GET",
        f"{RUN}/changes",
        changes.get_changes,
        "What moved since another run.",
        r.ChangesAnswer,
        query=("from",),
    ),
    Route(
        "GET",
        f"{RUN}/pending",
        pending.get_pending,
        "The documents and groups that statements since the run are about.",
        r.PendingAnswer,
    ),
    Route(
        "GET",
        f"{RUN}/audit",
        knowledge.get_audit,
        "The outcome of every line of its knowledge.",
        r.AuditAnswer,
        query=PAGE,
    ),
    Route("GET", f"{RUN}/knowledge.yaml", knowledge.get_run_knowledge_file, "Its knowledge file.", YAML),
    Route("GET", f"{RUN}/start.json", knowledge.get_run_start, "Its start file.", "application/json"),
    Route("GET", f"{RUN}/report", knowledge.get_report, "The report of a run.", HTML),
    Route(
        "GET",
        "/api/search",
        documents.get_search,
        "Find documents and words.",
        r.SearchAnswer,
        query=("q", "run", *PAGE),
    ),
    Route(
        "GET",
        "/api/questions",
        questions.get_questions,
        "The most useful questions.",
        list[r.QuestionAnswer],
        query=("run", "n", "kinds"),
    ),
    Route(
        "POST",
        "/api/questions/{question:int}",
        questions.post_answer,
        "Answer a question.",
        r.AnswerAnswer,
        s.AnswerRequest,
    ),
    Route("GET", "/api/compare", changes.get_compare, "Compare two runs.", r.CompareAnswer, query=("runs",)),
    Route("GET", "/api/statements", knowledge.get_statements, "All statements.", list[r.EntryAnswer]),
    Route(
        "POST",
        "/api/statements",
        knowledge.post_statements,
        "Make a statement.",
        r.EntryAnswer,
        s.StatementRequest,
        status=201,
    ),
    Route(
        "POST",
        "/api/preview",
        knowledge.post_preview,
        "What a statement would do.",
        r.PreviewAnswer,
        s.PreviewRequest,
    ),
    Route("POST", "/api/undo", knowledge.post_undo, "Undo a statement.", r.EntryAnswer, s.UndoRequest),
    Route("POST", "/api/redo", knowledge.post_redo, "Redo a statement.", r.EntryAnswer, s.RedoRequest),
    Route("GET", "/api/knowledge", knowledge.get_knowledge, "The knowledge file as text.", r.TextAnswer),
    Route(
        "PUT",
        "/api/knowledge",
        knowledge.put_knowledge,
        "Replace all statements by a knowledge file.",
        r.TextAnswer,
        s.TextRequest,
    ),
    Route("GET", "/api/knowledge.yaml", knowledge.get_knowledge_file, "The knowledge file.", YAML),
)
