"""An answer as a statement of knowledge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from colligate.errors import InputError
from colligate.knowledge import Knowledge
from colligate.questions.question import LABEL, WORD

if TYPE_CHECKING:
    from colligate.questions.question import Question
    from colligate.result import Result

SOURCE = "an answer"


def answer_knowledge(
    question: Question, answer: bool | str, result: Result, source: str = SOURCE
) -> Knowledge:
    """What an answer says: the name of a group for a label, yes or no (True, False) for the others.

    Together or apart for a pair. A word that is about a group is in the category of its name, one that is not
    is apart from the word that leads it; the name is that of the result unless it is given instead of yes.
    """
    names = result.network.types[result.terms if question.kind == WORD else result.centre].names
    items = [names[at] for at in question.items]
    kind = result.terms if question.kind == WORD else result.centre
    if question.kind == LABEL:
        if not isinstance(answer, str):
            raise InputError("a label question is answered by the name of a group; got yes or no")
        return Knowledge().label({items[0]: answer}, type=kind, source=source)
    if question.kind == WORD and answer is not False:
        name = answer if isinstance(answer, str) else result.group_names[question.groups[0]]
        members: Any = {kind: items[:1]}
        return Knowledge().category(name, source=source, **members)
    link = Knowledge().together if answer else Knowledge().apart
    return link(source=source, **{kind: [tuple(items)]})
