"""The names of groups: what the user called them, and how the knowledge file refers to them.

A group is its lasting number. Statements name groups by number, so a name is display only. When the knowledge
file of a run is written, every number becomes a name, and the start of the run says which group it means.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from colligate.studio.knowledge import ActionLog
    from colligate.studio.project import Project
    from colligate.studio.project.runs import RunRecord
    from colligate.studio.run_views import RunView


class DisplayName(NamedTuple):
    """The name of a group on the page; `short` leaves out the words that follow a name of the file."""

    name: str
    short: str


@dataclass(frozen=True, eq=False)
class GroupNames:
    """The names of the groups of a run, with the statements of a log.

    `words` has the characteristic words of each group, `claims` the group of each name in the user's
    knowledge file, and `model_names` what a language model calls groups. A name of a model is for the page
    alone: in the knowledge file a group goes by its words.
    """

    log: ActionLog
    words: Mapping[int, str]
    claims: Mapping[str, int]
    model_names: Mapping[int, str] = field(default_factory=dict)

    @classmethod
    def of(cls, log: ActionLog, record: RunRecord | None) -> GroupNames:
        """Take words and claims from the record of a run; there are none before the first."""
        if record is None:
            return cls(log, {}, {})
        # a run without a language model has no such names
        named = zip(record.identities, record.model_names, strict=False)
        return cls(
            log,
            dict(zip(record.identities, record.words, strict=True)),
            record.claims,
            {group: name for group, name in named if name},
        )

    def resolve(self, group: int) -> int:
        """Return the group that a group was merged into, or itself."""
        seen: set[int] = set()
        while group in self.log.merged and group not in seen:
            seen.add(group)
            group = self.log.merged[group]
        return group

    def display(self, group: int) -> DisplayName:
        """Return the name of a group on the page."""
        if group in self.log.named:
            return DisplayName(self.log.named[group], self.log.named[group])
        claim = self._claim_of.get(group)
        words = self.words.get(group) or f"group {group}"
        if claim is None:
            words = self.model_names.get(group, words)
        if words in self.log.named.values():
            words = f"{words} ({group})"
        return (
            DisplayName(words, words) if claim in (None, words) else DisplayName(f"{claim}: {words}", claim)
        )

    def label(self, target: int | str) -> str:
        """Return the name of a group, or the present one of a name, as the knowledge file has it."""
        if isinstance(target, str):
            group = self.find(target)
            return target if group is None else self.label(group)
        group = self.resolve(target)
        return self._labels.get(group) or f"group {group}"

    def find(self, name: str) -> int | None:
        """Return the group of a name of the user, of the file, or of its words; None if there is none."""
        if name in self._by_label:
            return self._by_label[name]
        group = self.claims.get(name)
        if group is None:
            group = next((number for number in self._labels if self.display(number).name == name), None)
        return None if group is None else self.resolve(group)

    def update(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return the body of a statement with the present names of its groups, for its sentence.

        A merge keeps the name of the group that is gone, as does a group that no run and no statement has. A
        statement that made a group and was undone keeps the name that it gave.
        """
        names = dict(body.get("names", {}))
        made = body["group"] if body.get("new") else None
        for text in names:
            group = self.resolve(int(text))
            is_merged = group != int(text) and "groups" in body
            has_words = group in self.words and int(text) != made
            if not is_merged and (has_words or group in self.log.named):
                names[text] = self.display(group).short
        return {**body, "names": names} if names else dict(body)

    def taken(self) -> list[tuple[str, int]]:
        """List the names that the page and the knowledge file use, each with its group."""
        shown = [(name, group) for group in self._labels for name in self.display(group)]
        return list(dict.fromkeys([*shown, *self.labels.items()]))

    @cached_property
    def labels(self) -> dict[str, int]:
        """The group of each name that the knowledge file may have: before it was renamed, and after."""
        return {name: self.resolve(group) for name, group in self.claims.items()} | self._by_label

    @property
    def word_labels(self) -> list[str]:
        """The names in the knowledge file that are only the words of a group, since it has no name."""
        named = self.log.named.keys() | self._claim_of.keys()
        return [label for group, label in self._labels.items() if group not in named]

    @cached_property
    def _claim_of(self) -> dict[int, str]:
        claim_of: dict[int, str] = {}
        for name, group in self.claims.items():
            # a group keeps its name when another is merged into it
            if group not in self.log.merged:
                claim_of.setdefault(group, name)
        return claim_of

    @cached_property
    def _labels(self) -> dict[int, str]:
        labels: dict[int, str] = {}
        stated = (target for target, _ in (*self.log.labels.values(), *self.log.categories.values()))
        targets = {self.resolve(target) for target in stated if isinstance(target, int)}
        groups = {*self.words, *self.log.named, *self._claim_of, *targets} - self.log.merged.keys()
        for group in sorted(groups):
            name = self.log.named.get(group) or self._claim_of.get(group) or self.words.get(group)
            # a part of a split that no run has had yet has no words
            name = name or f"group {group}"
            # the words of two groups can be the same
            labels[group] = name if name not in labels.values() else f"{name} ({group})"
        return labels

    @cached_property
    def _by_label(self) -> dict[str, int]:
        return {label: group for group, label in self._labels.items()}


def display_names(project: Project, view: RunView) -> dict[int, DisplayName]:
    """Return the name of each group of a run."""
    names = project.names(view.record)
    return {group: names.display(group) for group in view.record.identities}
