"""What a key means as the answer to a question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from colligate.cli.console import show
from colligate.cli.questions_shown import CHOICES, GROUPED, group_line
from colligate.questions import LABEL
from colligate.questions.names import group_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from colligate.cli.keys import Lines
    from colligate.knowledge import Compiled
    from colligate.questions import Question
    from colligate.result import Result


@dataclass(frozen=True)
class Reply:
    """An answer; the group of the result that it names, where it names one; and what it does, to be told."""

    answer: bool | str
    group: int | None = None
    does: str = ""


def reply_of(question: Question, key: str, result: Result) -> Reply:
    """What one of the keys that are offered says, but for `m`."""
    if key == "n":
        return Reply(False)
    if question.kind not in GROUPED:
        return Reply(True)
    group = question.groups[0 if key == "y" else CHOICES.index(key)]
    return Reply(group_labels(result)[group], group if question.kind == LABEL else None)


def named_reply(result: Result, numbers: Sequence[int], known: Compiled, hands: Lines) -> Reply | None:
    """Ask for the group by its number or name, or for a new name; None if nothing is given."""
    order = sorted(range(len(numbers)), key=lambda group: numbers[group])
    show(*(group_line(result, group, numbers) for group in order))
    show("Its group: the number or name of one of these, or a new name:")
    text = (hands.line() or "").strip()
    if not text:
        return None
    labels = group_labels(result)
    for group in order:
        if text == str(numbers[group]) or text.casefold() == labels[group].casefold():
            return Reply(labels[group], group, f"it is in group {numbers[group]}, {labels[group]}")
    return _label_of_no_group(text, result, known)


def _label_of_no_group(text: str, result: Result, known: Compiled) -> Reply:
    """A label that no group has: one that was given since the groups were made, or a new one."""
    guidance = known.guidance.get(result.centre)
    given = () if guidance is None else guidance.label_names
    for label in given:
        if text.casefold() == label.casefold():
            return Reply(label, None, f"it has the label {label}, which was given before")
    does = f"{text} is a new label, which no group has yet; cluster again (c) to see its group"
    if len(given) >= result.n_groups():
        does += f". There are now {len(given) + 1} labels for {result.n_groups()} groups: some share one"
    return Reply(text, None, does)
