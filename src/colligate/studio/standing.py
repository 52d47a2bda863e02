"""Who may stand for a group: a document that nothing else that was said keeps from its label.

A person says "this document belongs there"; the studio adds documents that stand for the place. These are its
own choice, so they give way to everything that a person said: whoever is tied to a document of another label,
or is apart from one of this label, is passed over.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from colligate.questions.known import KnownObjects
from colligate.studio.knowledge_file import compile_text
from colligate.studio.project.knowledge import Said, knowledge_text, said_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from colligate.knowledge import Guidance
    from colligate.studio.project import Entry, Project


class Standing:
    """The labels that documents carry, and what belongs together or apart beside them.

    Labels are named as they were first told; `said` knows what they are called by now.
    """

    def __init__(self, guidance: Guidance | None, size: int, said: Said | None = None) -> None:
        self._called = (said or Said()).label_of
        ties = None if guidance is None else replace(guidance, labels=None, label_statements=None)
        self.known = KnownObjects.of(ties, size)
        self._labels: dict[int, set[str]] = defaultdict(set)
        self._carriers: dict[str, set[int]] = defaultdict(set)
        self.of: dict[int, str] = {}
        for at, label in _labelled(guidance).items():
            self._carry(at, label)

    @classmethod
    def now(cls, project: Project, thawed: Iterable[int] = ()) -> Standing:
        """What stands in a project; groups that are about to be thawed are no more frozen."""
        changed = set(thawed)
        live = [entry for entry in project.journal.live() if not _freezes(entry, changed)]
        text = knowledge_text(live, project.folder, project.centre, project.terms)
        compiled = compile_text(text, project.folder, project.network.names)
        guidance = None if compiled is None else compiled.guidance.get(project.centre)
        return cls(guidance, len(project.network.types[project.centre]), said_of(live))

    def carriers(self, label: str) -> set[int]:
        """The documents that carry a label."""
        return {at for at, own in self.of.items() if own == self._called(label)}

    def relabel(self, positions: Iterable[int], label: str | None) -> None:
        """Take these documents to carry another label, or none, from here on."""
        moved = dict.fromkeys(positions, None if label is None else self._called(label))
        told = {**self.of, **moved}
        self.of, self._labels, self._carriers = {}, defaultdict(set), defaultdict(set)
        for at, own in told.items():
            if own is not None:
                self._carry(at, own)

    def take(self, positions: Iterable[int], label: str, limit: int | None = None) -> list[int]:
        """Those of some documents, in their order, that may stand for a label together."""
        found, name = list[int](), self._called(label)
        for at in positions:
            if limit is not None and len(found) >= limit:
                break
            if self._may(at, name):
                self._carry(at, name)
                found.append(at)
        return found

    def _carry(self, at: int, label: str) -> None:
        component = int(self.known.component[at])
        self.of[at] = label
        self._labels[component].add(label)
        self._carriers[label].add(component)

    def _may(self, at: int, label: str) -> bool:
        component, carriers = int(self.known.component[at]), self._carriers[label]
        if self.known.outside[at] or self._labels[component] - {label}:
            return False
        if carriers & self.known.rivals.get(component, frozenset()):
            return False
        return not any(_differ(family, component, carriers) for family in self.known.families)


def _differ(family: Mapping[int, int], component: int, others: set[int]) -> bool:
    """Whether a family puts a component elsewhere than one of some others."""
    own = family.get(component)
    return own is not None and any(family.get(other, own) != own for other in others)


def _labelled(guidance: Guidance | None) -> dict[int, str]:
    if guidance is None or guidance.labels is None:
        return {}
    return {at: guidance.label_names[code] for at, code in enumerate(guidance.labels.tolist()) if code >= 0}


def _freezes(entry: Entry, groups: set[int]) -> bool:
    return entry.kind == "freeze" and entry.body["group"] in groups
