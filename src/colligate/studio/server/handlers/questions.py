"""Handlers: the most useful questions, and their answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from colligate.errors import ColligateError
from colligate.questions import KINDS, LABEL, PAIR, WORD
from colligate.studio.group_names import DisplayName, display_names
from colligate.studio.server.endpoint import RefusedError
from colligate.studio.server.handlers.documents import read_document
from colligate.studio.server.handlers.knowledge import LONGEST_NOTE, describe_entries, describe_moves
from colligate.studio.session import NO, QUESTIONS_AT_ONCE, YES

if TYPE_CHECKING:
    from colligate.studio.run_views import RunView
    from colligate.studio.server import responses as r
    from colligate.studio.server.endpoint import Call
    from colligate.studio.session import PendingQuestion, Session

MAX = 50
LONGEST_TEXT = 4_000
WORDS_SHOWN = 6
TEXTS = {
    LABEL: "Which group does this document belong to?",
    PAIR: "Do these two belong together?",
    WORD: "Which group is the word “{}” about?",
}


def get_questions(session: Session, call: Call) -> list[r.QuestionAnswer]:
    """List the next questions about a run, the most useful first: ?run=2&n=5&kinds=pair,word."""
    view = session.view(call.number("run"))
    kinds = call.query["kinds"].split(",") if call.query.get("kinds") else None
    if kinds is not None and not set(kinds) <= set(KINDS):
        raise RefusedError(422, f"kinds must be among {', '.join(KINDS)}; got {call.query['kinds']!r:.60}")
    names = display_names(session.project, view)
    n = call.number("n", QUESTIONS_AT_ONCE, MAX) or QUESTIONS_AT_ONCE
    return [_describe(pending, view, names) for pending in session.questions.propose(view, n, kinds)]


def post_answer(session: Session, call: Call) -> r.AnswerAnswer:
    """Answer a question. The statement is on the disk once this returns."""
    who, why = (str(call.body.get(part, ""))[:LONGEST_NOTE] for part in ("who", "why"))
    entry = session.questions.answer(
        call.path["question"], call.body["answer"], call.body.get("group"), who=who, why=why
    )
    return {"statement": None if entry is None else describe_entries(session, [entry])[0]}


def get_answers(session: Session, call: Call) -> list[r.AnswerPreview]:
    """Tell what each answer to a question would do, as the preview of its statement does."""
    pending = session.questions.find(call.path["question"])
    view = session.view(pending.run)
    has_choices, groups = pending.question.kind != PAIR, pending.question.groups
    chosen: list[int | None] = [view.identity(group) for group in groups] if has_choices else [None]
    answers = [*((YES, group) for group in chosen), (NO, None)]
    return [_preview_answer(session, pending, view, answer, group) for answer, group in answers]


def _preview_answer(
    session: Session, pending: PendingQuestion, view: RunView, answer: str, group: int | None
) -> r.AnswerPreview:
    statement = session.questions.to_statement(pending, answer, group)
    moves: list[r.PreviewMove] = []
    refusal = ""
    if statement is not None:
        kind, body = statement
        try:
            moves = describe_moves(kind, session.complete(kind, body, pending.run), view)
        except ColligateError as error:
            refusal = str(error)
    return {"answer": answer, "group": group, "moves": moves, "refusal": refusal}


def _describe(pending: PendingQuestion, view: RunView, names: dict[int, DisplayName]) -> r.QuestionAnswer:
    question = pending.question
    words = view.result.top_words(WORDS_SHOWN)
    items = (_list_words if question.kind == WORD else _list_documents)(view, question.items)
    return {
        "id": pending.number,
        "kind": question.kind,
        "text": TEXTS[question.kind].format(items[0]["id"]),
        "items": items,
        "groups": [
            {
                "group": view.identity(group),
                "name": names[view.identity(group)].name,
                "short": names[view.identity(group)].short,
                "words": [word for word, _ in words[group]],
            }
            for group in dict.fromkeys(question.groups)
            if group >= 0
        ],
        "effect": round(question.effect, 4),
    }


def _list_documents(view: RunView, positions: tuple[int, ...]) -> list[r.QuestionItem]:
    return [
        {"document": row, "id": id, "text": read_document(view.result.network, row)[:LONGEST_TEXT]}
        for row, id in zip(positions, view.ids(positions), strict=True)
    ]


def _list_words(view: RunView, positions: tuple[int, ...]) -> list[r.QuestionItem]:
    names = view.result.network.types[view.result.terms].names
    return [{"document": None, "id": str(names[positions[0]]), "text": ""}]
