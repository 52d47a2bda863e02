"""Questions about a result, and answers as statements of knowledge.

An answer names a group by its label. Documents that carry a label tie it to a group. When an answer uses the
label of a group that no knowledge names yet, the documents most typical of that group (its exemplars) get the
label too. Exemplar labels are marked, so that nothing mistakes them for answers of the user.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.errors import InputError
from colligate.knowledge import Knowledge, find_kind
from colligate.knowledge.statements import EXEMPLAR_SUFFIX
from colligate.questions.known import KnownObjects
from colligate.result.groups import (
    find_groups_by_name,
    list_claims,
    name_groups_by_words,
    name_object,
    refer_to_group,
)

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from colligate.knowledge import Compiled
    from colligate.result import Result

    Flags = NDArray[np.bool_]

# Which group is this document in? Do these two belong together? Which group is this word about?
LABEL, PAIR, WORD = "label", "pair", "word"
KINDS = (LABEL, PAIR, WORD)
SOURCE = "an answer"
MAX_EXEMPLARS, MAX_WORDS = 5, 40


@dataclass(frozen=True)
class Question:
    """One question about a result; objects and groups are numbers.

    Attributes
    ----------
    kind : str
        `label`, `pair` or `word`.
    items : tuple of int
        The document of a `label`; both documents of a `pair`, the better known second; the word of a `word`
        and a leading word of its first group.
    groups : tuple of int
        The groups in question, the most probable first: several for a `label` and a `word`, the group of each
        document for a `pair`.
    effect : float
        How much uncertainty the answer should resolve, in documents. Questions are ranked by it.
    """

    kind: str
    items: tuple[int, ...]
    groups: tuple[int, ...]
    effect: float


def knowledge_from_answer(
    question: Question, answer: bool | str, result: Result, source: str = SOURCE
) -> Knowledge:
    """Turn an answer into knowledge.

    Parameters
    ----------
    question : Question
        The question that was answered.
    answer : bool or str
        Yes, no, or the name of a group (for `label` and `word`). Yes means the group's name in the result.
    result : Result
        The result that the question is about.
    source : str
        Where the statement comes from.

    Returns
    -------
    Knowledge
        A `pair` becomes a link: together for yes, apart for no. A document in a group gets a label; one
        not in its most probable group is set apart from that exemplar. A word about a group joins the
        category of that name; a word not about the first group is set apart from its leading word.
    """
    type_name = result.terms if question.kind == WORD else result.centre
    names = result.network.types[type_name].names
    positions = list(question.items)
    if question.kind == LABEL and answer is False:
        positions.append(_find_exemplar(question, result))
    items = [names[position] for position in positions]
    if question.kind in (LABEL, WORD) and answer is not False:
        group_name = answer if isinstance(answer, str) else label_groups(result)[question.groups[0]]
        if question.kind == LABEL:
            return Knowledge().label({items[0]: group_name}, type=type_name, source=source)
        members: Any = {type_name: items[:1]}
        return Knowledge().category(group_name, source=source, **members)
    link = Knowledge().together if answer else Knowledge().apart
    return link(source=source, **{type_name: [tuple(items)]})


def _find_exemplar(question: Question, result: Result) -> int:
    """Return the most typical document of the first group that is not the document in question."""
    for document in result.representatives(2)[question.groups[0]].tolist():
        if document != question.items[0]:
            return int(document)
    raise InputError(
        "the answer “no” cannot be stored, because the first group has no other typical document; name "
        "the right group instead"
    )


def read_document(result: Result, document: int) -> str:
    """Return the text of a document; without texts, its most frequent words."""
    if result.corpus is not None and result.corpus.texts is not None:
        return str(result.corpus.texts[document])
    row, terms = result.counts[[document]], result.network.types[result.terms]
    order = (-row.data).argsort(kind="stable")[:MAX_WORDS]
    return " ".join(name_object(terms.names, terms.name, int(row.indices[entry])) for entry in order)


def label_groups(result: Result) -> tuple[str, ...]:
    """Give every group a unique label: the user's name, else the name in the knowledge, else its words."""
    taken = {name for name in result.given_names if name}
    claims = {group: _make_unused(name, taken) for group, name in list_claims(result).items()}
    taken |= set(claims.values())
    words = name_groups_by_words(result)
    return tuple(
        name or claims.get(group) or _make_unused(words[group], taken)
        for group, name in enumerate(result.given_names)
    )


def use_labels(knowledge: Knowledge, result: Result) -> Knowledge:
    """Return the knowledge with one name for each group, its label.

    A group of a changed result may have several names: its earlier ones, its number, and those of groups that
    were merged into it.
    """
    labels = label_groups(result)
    groups = dict(zip(name_groups_by_words(result), range(len(labels)), strict=True))
    groups |= {refer_to_group(number): group for group, number in enumerate(result.group_numbers)}
    groups |= find_groups_by_name(result)
    # two names of a user's file may share a group that nobody changed
    was_changed = bool(result.parameters.get("init_names"))
    label_of = {
        name: labels[group]
        for name, group in groups.items()
        if was_changed or result.given_names[group] or name == refer_to_group(result.group_numbers[group])
    }
    renamed = Knowledge(unknown="report", contradictions="report")
    renamed.changes = knowledge.changes
    for block in knowledge.statements.blocks:
        if find_kind(block.kind).names_groups:
            block = replace(block, names=tuple(label_of.get(name, name) for name in block.names))
        renamed.add(block)
    return renamed


def _make_unused(name: str, taken: Collection[str]) -> str:
    """Number a name until it is not taken."""
    candidate, number = name, 2
    while candidate in taken:
        candidate, number = f"{name} ({number})", number + 1
    return candidate


def label_exemplars(
    result: Result, group: int, compiled: Compiled, source: str, document: int | None = None
) -> Knowledge:
    """Label the exemplars of a group whose label the knowledge does not have yet; empty if it has.

    The `document` of the answer and documents with any statement are no exemplars.
    """
    label, centre = label_groups(result)[group], result.centre
    if label in _list_names(compiled):
        return Knowledge()
    known = KnownObjects.of(compiled.guidance.get(centre), len(result.labels[centre]))
    free = ~(known.bound | known.outside)
    if document is not None:
        free[document] = False
    typical = result.representatives(2 * MAX_EXEMPLARS)[group].tolist()
    exemplars = [position for position in typical if free[position]][:MAX_EXEMPLARS]
    if not exemplars:
        return Knowledge()
    names = result.network.types[centre].names
    labels = {names[position]: label for position in exemplars}
    return Knowledge().label(labels, type=centre, source=f"{source} {EXEMPLAR_SUFFIX}")


def _list_names(compiled: Compiled) -> set[str]:
    """List the names that labels and categories give to groups."""
    guidances = compiled.guidance.values()
    categories = (guidance.seeds.categories for guidance in guidances if guidance.seeds is not None)
    labels = (guidance.label_names for guidance in guidances)
    return {name for names in (*categories, *labels) for name in names}


def find_exemplars(compiled: Compiled | None, type_name: str) -> Flags | None:
    """Mark the objects whose label is an exemplar's or of a frozen group; None if no object has a label."""
    guidance = None if compiled is None else compiled.guidance.get(type_name)
    if compiled is None or guidance is None or guidance.label_statements is None:
        return None
    statements = compiled.statements
    marked = statements.exemplar | statements.frozen
    return np.append(marked, False)[guidance.label_statements]
