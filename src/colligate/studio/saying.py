"""Making whole what a person says: who stands for a group, and the label the file calls it by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from colligate.errors import KnowledgeError
from colligate.studio.project.kinds import LONGEST_NAME, checked
from colligate.studio.run_view import EXEMPLARS
from colligate.studio.splitting import seeds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from colligate.network import Network
    from colligate.studio.project.journal import Entry
    from colligate.studio.run_view import RunView


def whole_statement(
    kind: str, body: Mapping[str, Any], network: Network, view: RunView | None, entries: list[Entry]
) -> dict[str, Any]:
    """The body of a statement as it is written down; refused if it names what is not there."""
    said = checked(kind, body)
    _refuse_unknown(kind, said, network, view)
    if view is None or kind in ("together", "apart", "outside", "category"):
        return said
    labels = Labels(view, entries)
    if kind == "merge":
        return _merge(said, view, labels)
    group = said["group"]
    label = labels.of(group)
    if kind == "freeze":
        return {**said, "label": label, "documents": view.ids(view.members(view.group(group)))}
    if kind == "split":
        return _split(said, view, labels)
    exemplars = [name for name in view.exemplars[view.group(group)] if name != said.get("document")]
    if kind == "name" and said["name"] in labels.of_others(group):
        raise KnowledgeError(
            f"another group is called {said['name']!r:.80}; choose another name, or merge them"
        )
    return {**said, "label": label, "exemplars": exemplars}


class Labels:
    """What the knowledge file calls the groups: as it did before, as knowledge names them, or by words."""

    def __init__(self, view: RunView, entries: Iterable[Entry]) -> None:
        self._view = view
        self._claims = {view.identity(k): name for k, name in view.claims.items()}
        self._told: dict[int, str] = {}
        self._named: dict[int, str] = {}
        for entry in entries:
            for group, label in told_labels(entry):
                self._told.setdefault(group, label)
            if entry.kind == "name" and not entry.undone:
                self._named[entry.body["group"]] = entry.body["name"]

    def of(self, group: int) -> str:
        """The label of a group."""
        if group in self._told:
            return self._told[group]
        words = self._view.result.group_names[self._view.group(group)][:LONGEST_NAME]
        return self._claims.get(group) or self.unused(words)

    def of_others(self, group: int) -> set[str]:
        """What the other groups are called."""
        parts = (self._told, self._claims, self._named)
        return {label for part in parts for own, label in part.items() if own != group}

    def unused(self, name: str) -> str:
        """A label like this one that nothing has yet."""
        taken, found, number = self.of_others(-1), name, 2
        while found in taken:
            found, number = f"{name} ({number})", number + 1
        return found


def told_labels(entry: Entry) -> Iterator[tuple[int, str]]:
    """Which groups a statement called by which labels."""
    body = entry.body
    if entry.kind == "merge":
        yield from zip(body["groups"], body["labels"], strict=True)
    elif entry.kind == "split":
        yield body["group"], body["labels"][0]
    elif entry.kind in ("label", "name", "freeze"):
        yield body["group"], body["label"]


def _merge(said: dict[str, Any], view: RunView, labels: Labels) -> dict[str, Any]:
    groups = said["groups"]
    exemplars = [view.exemplars[view.group(group)] for group in groups]
    return {**said, "labels": [labels.of(group) for group in groups], "exemplars": exemplars}


def _split(said: dict[str, Any], view: RunView, labels: Labels) -> dict[str, Any]:
    members = view.members(view.group(said["group"]))
    found = seeds(view.result.counts, members, said["into"], EXEMPLARS)
    own = labels.of(said["group"])
    names = [own, *(labels.unused(f"{own}, part {part}") for part in range(2, said["into"] + 1))]
    return {**said, "labels": names, "seeds": [view.ids(part) for part in found]}


def _refuse_unknown(kind: str, said: Mapping[str, Any], network: Network, view: RunView | None) -> None:
    groups = said.get("groups") or ([said["group"]] if "group" in said else [])
    if groups and view is None:
        raise KnowledgeError("there are no groups yet; cluster first")
    if view is not None:
        for group in groups:
            view.group(group)
    if len(set(groups)) < len(groups):
        raise KnowledgeError("a group cannot be merged with itself; name two groups")
    type_name = said.get("type") or (network.terms if kind == "category" else network.centre)
    if type_name not in network.types:
        raise KnowledgeError(
            f"there is no type {type_name!r:.60} here; the types are {', '.join(network.types)}"
        )
    items = said.get("items") or [said[part] for part in ("document", "word") if part in said]
    names = network.types[str(type_name)].names
    for item in items:
        if item not in names:
            raise KnowledgeError(f"{item!r:.80} is not among the {type_name} here")
    if len(set(items)) < len(items):
        raise KnowledgeError("an object is linked to itself; name different ones")
