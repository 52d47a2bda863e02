"""An answer as a statement of knowledge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from colligate.errors import InputError
from colligate.knowledge import Knowledge
from colligate.questions.names import group_labels
from colligate.questions.question import LABEL, WORD

if TYPE_CHECKING:
    from colligate.questions.question import Question
    from colligate.result import Result

SOURCE = "an answer"


def answer_knowledge(
    question: Question, answer: bool | str, result: Result, source: str = SOURCE
) -> Knowledge:
    """What an answer says: yes or no (True, False), or the name of a group for a label and for a word.

    Together or apart for a pair. A document that is in a group has the label of its name, one that is not in
    the likeliest is apart from the document that stands for it. A word that is about a group is in the
    category of its name, one that is not is apart from the word that leads it. The name is that of the result
    unless it is given instead of yes.
    """
    kind = result.terms if question.kind == WORD else result.centre
    names = result.network.types[kind].names
    places = list(question.items)
    if question.kind == LABEL and answer is False:
        places.append(_representative(question, result))
    items = [names[at] for at in places]
    if question.kind in (LABEL, WORD) and answer is not False:
        name = answer if isinstance(answer, str) else group_labels(result)[question.groups[0]]
        if question.kind == LABEL:
            return Knowledge().label({items[0]: name}, type=kind, source=source)
        members: Any = {kind: items[:1]}
        return Knowledge().category(name, source=source, **members)
    link = Knowledge().together if answer else Knowledge().apart
    return link(source=source, **{kind: [tuple(items)]})


def _representative(question: Question, result: Result) -> int:
    """Who stands for the likeliest group: somebody else than the document itself."""
    for at in result.representatives(2)[question.groups[0]].tolist():
        if at != question.items[0]:
            return int(at)
    raise InputError("nothing else stands for the likeliest group; answer by the name of another group")
