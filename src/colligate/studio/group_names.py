"""What groups are called: on the page, and by the labels of the knowledge file."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from colligate.studio.actions import find_action
from colligate.studio.actions.base import LONGEST_NAME

if TYPE_CHECKING:
    from collections.abc import Iterable

    from colligate.studio.project import Entry, Project
    from colligate.studio.run_views import RunView


class DisplayName(NamedTuple):
    """The name of a group on the page; `short` leaves out the words that follow a label."""

    name: str
    short: str


def display_names(project: Project, view: RunView) -> dict[int, DisplayName]:
    """Return the name of each group: the user's, or that of the result.

    A label that the studio made of the words of a group is not repeated before these words.
    """
    live = [(find_action(entry.kind), entry.body) for entry in project.journal.live()]
    labels = (label for action, body in live for _, label in action.group_labels(body))
    generated = {label for label in labels if _is_words(project, label)}
    names: dict[int, DisplayName] = {}
    for k, (identity, full) in enumerate(zip(view.record.identities, view.result.group_names, strict=True)):
        name = next((label for label in generated if full.startswith(f"{label}: ")), full)
        claim = view.claims.get(k, name)
        names[identity] = DisplayName(name, claim if name.startswith(f"{claim}: ") else name)
    for action, body in live:
        chosen = action.group_name(body)
        if chosen is not None and chosen.group in names:
            names[chosen.group] = DisplayName(chosen.name, chosen.name)
    return names


def _is_words(project: Project, label: str) -> bool:
    words, terms = label.split(", "), project.network.types[project.terms].names
    return len(words) > 1 and all(word in terms for word in words)


class GroupLabels:
    """The labels of the groups in the knowledge file: that of an earlier statement, a claim, or words."""

    def __init__(self, view: RunView, entries: Iterable[Entry]) -> None:
        self._view = view
        self._claims = {view.identity(k): name for k, name in view.claims.items()}
        self._stated: dict[int, str] = {}
        self._names: dict[int, str] = {}
        for entry in entries:
            action = find_action(entry.kind)
            for group, label in action.group_labels(entry.body):
                self._stated.setdefault(group, label)
            name = action.group_name(entry.body)
            if name is not None and not entry.undone:
                self._names[name.group] = name.name

    def find(self, group: int) -> str:
        """Return the label of a group."""
        if group in self._stated:
            return self._stated[group]
        words = self._view.result.group_names[self._view.group(group)][:LONGEST_NAME]
        return self._claims.get(group) or self.unused(words)

    def of_others(self, group: int) -> set[str]:
        """Return the labels and names of the other groups."""
        names = (self._stated, self._claims, self._names)
        return {label for part in names for number, label in part.items() if number != group}

    def unused(self, name: str) -> str:
        """Return a label like this one that no group has."""
        taken, label, number = self.of_others(-1), name, 2
        while label in taken:
            label, number = f"{name} ({number})", number + 1
        return label
