"""Exemplars: documents that represent a group in the knowledge file of a run.

`colligate` can be told which of the present groups a name means. A fresh start and other methods cannot, so a
few typical documents of each group that statements name are labelled too. They give way to everything that
the user stated: a document linked to one of another label, or apart from one of the same label, is left out.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from colligate.questions.known import KnownObjects
from colligate.studio.knowledge import log_actions
from colligate.studio.knowledge_file import compile_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from colligate.knowledge import Guidance
    from colligate.studio.actions.state import ProjectState
    from colligate.studio.knowledge import ActionLog
    from colligate.studio.project import Project

MAX_EXEMPLARS = 10
SOURCE = "studio"


def add_exemplars(state: ProjectState, log: ActionLog) -> None:
    """Label exemplars of every group that the labels and categories of a log name."""
    targets = [group for group, _ in (*log.labels.values(), *log.categories.values())]
    named = {state.names.resolve(group) for group in targets if isinstance(group, int)}
    assignments = LabelAssignments.of_project(state.project)
    for group in sorted(named):
        position = state.view.position.get(group)
        # a group that the run does not have yet has the documents that were moved into it
        typical = (
            state.groups.members(group).tolist()
            if position is None
            else state.view.positions(state.view.exemplars[position])
        )
        still = [row for row in typical if state.groups.labels[row] == group]
        chosen = assignments.choose(still[:MAX_EXEMPLARS], state.names.label(group))
        log.add_exemplars(state.view.ids(chosen), group, SOURCE)


class LabelAssignments:
    """The labels of documents, and the links between them."""

    def __init__(self, guidance: Guidance | None, size: int) -> None:
        # without labels: components must come from links alone, since labels change here
        links = None if guidance is None else replace(guidance, labels=None, label_statements=None)
        self.links = KnownObjects.of(links, size)
        self._names: dict[int, set[str]] = defaultdict(set)
        """The labels of each component of documents that belong together."""
        self._components: dict[str, set[int]] = defaultdict(set)
        for row, label in _labels_by_row(guidance).items():
            self._add(row, label)

    @classmethod
    def of_project(cls, project: Project) -> LabelAssignments:
        """Read the assignments of the live statements."""
        text = project.write_knowledge(log_actions(project.journal.live()))
        compiled = compile_text(text, project.folder, project.network.names)
        guidance = None if compiled is None else compiled.guidance.get(project.centre)
        return cls(guidance, len(project.network.types[project.centre]))

    def choose(self, candidates: Iterable[int], label: str) -> list[int]:
        """Choose the candidates, in their order, that can all have this label, and give it to them."""
        chosen = []
        for row in candidates:
            if self._can_have(row, label):
                self._add(row, label)
                chosen.append(row)
        return chosen

    def _add(self, row: int, label: str) -> None:
        component = int(self.links.component[row])
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
