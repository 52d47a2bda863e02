"""The routes of the studio: this list is all there is."""

from __future__ import annotations

from colligate.studio.server import responses as a
from colligate.studio.server import responses as g
from colligate.studio.server import responses as q
from colligate.studio.server import responses as r
from colligate.studio.server.endpoint import Route
from colligate.studio.server.handlers import changes as changes
from colligate.studio.server.handlers import documents as documents
from colligate.studio.server.handlers import groups as groups
from colligate.studio.server.handlers import knowledge as knowledge
from colligate.studio.server.handlers import project as project
from colligate.studio.server.handlers import questions as questions

BYTES, YAML, HTML = "application/octet-stream", "application/yaml", "text/html"
RUN = "/api/runs/{run:int}"
PAGE = ("offset", "limit")

ROUTES = (
    Route("GET", "/api/project", project.get_project, "The project and how it stands.", a.ProjectAnswer),
    Route("GET", "/api/runs", project.get_runs, "All runs.", list[a.RunAnswer]),
    Route("POST", "/api/runs", project.post_runs, "Cluster (again).", a.JobAnswer, r.RunRequest, status=202),
    Route("GET", "/api/jobs", project.get_jobs, "All jobs.", list[a.JobAnswer]),
    Route("DELETE", "/api/jobs/{job:int}", project.delete_job, "Call off a job.", a.JobAnswer),
    Route("GET", f"{RUN}/groups", groups.get_groups, "The groups of a run.", list[g.GroupAnswer]),
    Route("GET", f"{RUN}/map", groups.get_map, "Where its documents are, as numbers.", BYTES),
    Route(
        "GET",
        f"{RUN}/groups/{{group:int}}/documents",
        documents.get_group_documents,
        "The documents of a group.",
        a.DocumentsAnswer,
        query=(*PAGE, "order"),
    ),
    Route(
        "GET",
        f"{RUN}/documents",
        documents.get_documents,
        "Some documents by position.",
        a.DocumentsAnswer,
        query=("at",),
    ),
    Route(
        "GET",
        f"{RUN}/documents/{{document:int}}",
        documents.get_document,
        "A document and why it is where it is.",
        a.DocumentAnswer,
    ),
    Route("GET", f"{RUN}/words", groups.get_words, "Groups of words.", list[g.WordGroup], query=("group",)),
    Route(
        "GET",
        f"{RUN}/association",
        groups.get_association,
        "Word groups × document groups.",
        g.AssociationAnswer,
    ),
    Route("GET", f"{RUN}/network", groups.get_network, "Types and relations.", g.NetworkAnswer),
    Route(
        "GET",
        f"{RUN}/changes",
        changes.get_changes,
        "What moved since another run.",
        a.ChangesAnswer,
        query=("from",),
    ),
    Route(
        "GET", f"{RUN}/audit", knowledge.get_audit, "What became of its knowledge.", a.AuditAnswer, query=PAGE
    ),
    Route(
        "GET", f"{RUN}/knowledge.yaml", knowledge.get_run_knowledge_file, "The file it was made with.", YAML
    ),
    Route("GET", f"{RUN}/start.json", knowledge.get_run_start, "What it went on from.", "application/json"),
    Route("GET", f"{RUN}/report", knowledge.get_report, "The report of a run.", HTML),
    Route(
        "GET",
        "/api/search",
        documents.get_search,
        "Look for documents and words.",
        a.SearchAnswer,
        query=("q", "run", *PAGE),
    ),
    Route(
        "GET",
        "/api/questions",
        questions.get_questions,
        "What would help most to know.",
        list[q.QuestionAnswer],
        query=("run", "n", "kinds"),
    ),
    Route(
        "POST",
        "/api/questions/{question:int}",
        questions.post_answer,
        "Answer a question.",
        q.AnswerAnswer,
        q.AnswerRequest,
    ),
    Route("GET", "/api/compare", changes.get_compare, "Two runs.", a.CompareAnswer, query=("runs",)),
    Route("GET", "/api/statements", knowledge.get_statements, "All that was said.", list[a.EntryAnswer]),
    Route(
        "POST",
        "/api/statements",
        knowledge.post_statements,
        "Say something.",
        a.EntryAnswer,
        r.StatementRequest,
        status=201,
    ),
    Route("POST", "/api/undo", knowledge.post_undo, "Take a statement back.", a.EntryAnswer, r.UndoRequest),
    Route("POST", "/api/redo", knowledge.post_redo, "Say it again.", a.EntryAnswer, r.RedoRequest),
    Route("GET", "/api/knowledge", knowledge.get_knowledge, "The knowledge file as text.", a.TextAnswer),
    Route(
        "PUT",
        "/api/knowledge",
        knowledge.put_knowledge,
        "Replace all that was said by a text.",
        a.TextAnswer,
        r.TextRequest,
    ),
    Route("GET", "/api/knowledge.yaml", knowledge.get_knowledge_file, "The knowledge file.", YAML),
)
