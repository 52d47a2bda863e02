"""Handlers: the questions that would help most, and their answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from colligate.questions import KINDS, LABEL, PAIR, WORD
from colligate.studio.naming import Called, called
from colligate.studio.server.endpoint import RefusedError
from colligate.studio.server.handlers.documents import text_of
from colligate.studio.server.handlers.knowledge import LONGEST_NOTE, entry_answers

if TYPE_CHECKING:
    from colligate.studio.run_views import RunView
    from colligate.studio.server import responses as q
    from colligate.studio.server.endpoint import Call
    from colligate.studio.session import Asked, Session

USUAL, MOST = 5, 50
LONGEST_TEXT = 4_000
WORDS_SHOWN = 6
TEXTS = {
    LABEL: "Which group does this document belong to?",
    PAIR: "Do these two belong together?",
    WORD: "Is the word “{}” about this group?",
}


def get_questions(session: Session, call: Call) -> list[q.QuestionAnswer]:
    """The next questions about a run, the most useful first: ?run=2&n=5&kinds=pair,word."""
    view = session.view(call.number("run"))
    kinds = call.query["kinds"].split(",") if call.query.get("kinds") else None
    if kinds is not None and not set(kinds) <= set(KINDS):
        raise RefusedError(422, f"kinds must be among {', '.join(KINDS)}; got {call.query['kinds']!r:.60}")
    names = called(session.project, view)
    asked = session.asking.propose(view, call.number("n", USUAL, MOST) or USUAL, kinds)
    return [_question(one, view, names) for one in asked]


def post_answer(session: Session, call: Call) -> q.AnswerAnswer:
    """Answer a question. Once this is answered, the statement is on the disk."""
    who, why = (str(call.body.get(part, ""))[:LONGEST_NOTE] for part in ("who", "why"))
    told = session.asking.answer(
        call.path["question"], call.body["answer"], call.body.get("group"), who=who, why=why
    )
    return {"statement": None if told is None else entry_answers(session, [told])[0]}


def _question(asked: Asked, view: RunView, names: dict[int, Called]) -> q.QuestionAnswer:
    question = asked.question
    words = view.result.top_words(WORDS_SHOWN)
    items = _words(view, question.items) if question.kind == WORD else _documents(view, question.items)
    return {
        "id": asked.number,
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


def _documents(view: RunView, positions: tuple[int, ...]) -> list[q.QuestionItem]:
    return [
        {"document": at, "id": id, "text": text_of(view.result.network, at)[:LONGEST_TEXT]}
        for at, id in zip(positions, view.ids(positions), strict=True)
    ]


def _words(view: RunView, positions: tuple[int, ...]) -> list[q.QuestionItem]:
    names = view.result.network.types[view.result.terms].names
    return [{"document": None, "id": str(names[positions[0]]), "text": ""}]
