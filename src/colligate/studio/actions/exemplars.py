"""Exemplars: documents that represent a group, chosen by the studio where a statement names a group.

They give way to everything that the user stated: a document linked to one of another label, or apart from one
of the same label, is not chosen.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from colligate.questions.known import KnownObjects
from colligate.studio.knowledge import ActionLog, knowledge_text, log_actions
from colligate.studio.knowledge_file import compile_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from colligate.knowledge import Guidance
    from colligate.studio.project import Entry, Project


class LabelAssignments:
    """The labels of documents, and the links between them.

    Labels may be given by any name that they ever had; `log` has the present one.
    """

    def __init__(self, guidance: Guidance | None, size: int, log: ActionLog | None = None) -> None:
        self._current = (log or ActionLog()).current_label
        # without labels: components must come from links alone, since labels change here
        links = None if guidance is None else replace(guidance, labels=None, label_statements=None)
        self.links = KnownObjects.of(links, size)
        self._assign(_labels_by_row(guidance))

    @classmethod
    def of_project(cls, project: Project, entries: Iterable[Entry] | None = None) -> LabelAssignments:
        """Read the assignments of some statements, by default of all that are live."""
        live = project.journal.live() if entries is None else list(entries)
        text = knowledge_text(live, project.folder, project.centre, project.terms)
        compiled = compile_text(text, project.folder, project.network.names)
        guidance = None if compiled is None else compiled.guidance.get(project.centre)
        return cls(guidance, len(project.network.types[project.centre]), log_actions(live))

    def labelled(self, label: str) -> set[int]:
        """Return the documents that have a label."""
        return {row for row, name in self._labels.items() if name == self._current(label)}

    def relabel(self, rows: Iterable[int], label: str | None) -> None:
        """Give documents another label, or none."""
        name = None if label is None else self._current(label)
        labels: dict[int, str | None] = {**self._labels, **dict.fromkeys(rows, name)}
        self._assign({row: value for row, value in labels.items() if value is not None})

    def choose(self, candidates: Iterable[int], label: str, limit: int | None = None) -> list[int]:
        """Choose the candidates, in their order, that can all have this label, and give it to them."""
        chosen, name = list[int](), self._current(label)
        for row in candidates:
            if limit is not None and len(chosen) >= limit:
                break
            if self._can_have(row, name):
                self._add(row, name)
                chosen.append(row)
        return chosen

    def _assign(self, labels: Mapping[int, str]) -> None:
        self._labels: dict[int, str] = {}
        self._names: dict[int, set[str]] = defaultdict(set)
        """The labels of each component of documents that belong together."""
        self._components: dict[str, set[int]] = defaultdict(set)
        for row, label in labels.items():
            self._add(row, label)

    def _add(self, row: int, label: str) -> None:
        component = int(self.links.component[row])
        self._labels[row] = label
        self._names[component].add(label)
        self._components[label].add(component)

    def _can_have(self, row: int, label: str) -> bool:
        component, sharing = int(self.links.component[row]), self._components[label]
        if self.links.outside[row] or self._names[component] - {label}:
            return False
        if sharing & self.links.rivals.get(component, frozenset()):
            return False
        return not any(_separates(family, component, sharing) for family in self.links.families)


def _separates(family: Mapping[int, int], component: int, sharing: set[int]) -> bool:
    """Tell whether a family of groups that are apart separates a component from one that shares its label."""
    group = family.get(component)
    return group is not None and any(family.get(rival, group) != group for rival in sharing)


def _labels_by_row(guidance: Guidance | None) -> dict[int, str]:
    if guidance is None or guidance.labels is None:
        return {}
    return {row: guidance.label_names[code] for row, code in enumerate(guidance.labels.tolist()) if code >= 0}
