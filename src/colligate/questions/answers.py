"""What a question is.

An answer as a statement of knowledge.

What answers call the groups of a result: as knowledge does where it names them, else by their words.

Labels of documents that stand for a group, which nobody was asked about.

A label is a name; what ties it to a group are the documents that have it. When an answer names a group that
nothing known names yet, the documents most typical of the group get its label too. They are marked, so that
they are not taken for what the user said.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.errors import InputError
from colligate.knowledge import Knowledge
from colligate.questions.known import Known
from colligate.result.groups import claimed_names

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from colligate.knowledge import Compiled
    from colligate.result import Result

    Flags = NDArray[np.bool_]

LABEL, PAIR, WORD = "label", "pair", "word"
KINDS = (LABEL, PAIR, WORD)
"""Which group is this document in? Do these two belong together? Is this word about that group?"""
SOURCE = "an answer"
MARK = "(stands for its group)"
"""How the source of such a label ends, or the note that a knowledge file has of it."""
MOST = 5


@dataclass(frozen=True)
class Question:
    """One question about a result; objects and groups are given by position.

    `items` are the document of a `label`, both documents of a `pair` (the second is known better), or the
    `word` and the word that leads its group. `groups` are those in question, the likeliest first: a label has
    several to choose from, a pair that of either document, a word one. `effect` is what the answer is
    expected to settle, in documents, by which questions are ordered.
    """

    kind: str
    items: tuple[int, ...]
    groups: tuple[int, ...]
    effect: float


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


def claims_of(result: Result) -> dict[int, str]:
    """The groups of the centre that the knowledge of a result names."""
    if result.compiled is None:
        return {}
    guidance = dict(result.compiled.guidance)
    own = guidance.pop(result.centre, None)
    tables = {kind: reach.table for kind, reach in result.reach.items()}
    return claimed_names(result.labels[result.centre], result.n_groups(), tables, own, guidance)


def group_labels(result: Result) -> tuple[str, ...]:
    """A label for every group, which answers use; no two are the same."""
    claims = claims_of(result)
    taken = set(claims.values())
    return tuple(claims.get(group) or _other(name, taken) for group, name in enumerate(result.group_names))


def _other(name: str, taken: Collection[str]) -> str:
    """A name like this one that knowledge gives to no other group."""
    found, number = name, 2
    while found in taken:
        found, number = f"{name} ({number})", number + 1
    return found


def standing_in(result: Result, group: int, document: int, compiled: Compiled, source: str) -> Knowledge:
    """Labels for documents that stand for a group, so that its label means it; none if it has one already.

    Neither the `document` that the answer is about nor one that something is known of stands for it.
    """
    label, centre = group_labels(result)[group], result.centre
    guidance = compiled.guidance.get(centre)
    if group in claims_of(result) or (guidance is not None and label in guidance.label_names):
        return Knowledge()
    known = Known.of(guidance, len(result.labels[centre]))
    free = ~(known.bound | known.outside)
    free[document] = False
    places = [at for at in result.representatives(2 * MOST)[group].tolist() if free[at]][:MOST]
    names = result.network.types[centre].names
    told = {names[at]: label for at in places}
    return Knowledge().label(told, type=centre, source=f"{source} {MARK}") if told else Knowledge()


def stand_ins(compiled: Compiled | None, kind: str) -> Flags | None:
    """Which objects of a type have such a label; None where nothing has a label."""
    guidance = None if compiled is None else compiled.guidance.get(kind)
    if compiled is None or guidance is None or guidance.label_statements is None:
        return None
    statements = compiled.statements
    told = zip(statements.source.tolist(), statements.note, strict=True)
    marked = [source.endswith(MARK) or note.endswith(MARK) for source, note in told]
    return np.array([*marked, False])[guidance.label_statements]
