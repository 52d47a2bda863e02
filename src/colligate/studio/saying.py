"""Making whole what a person says: who stands for a group, and the label the file calls it by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from colligate.errors import KnowledgeError
from colligate.studio.naming import called, told_labels
from colligate.studio.project.kinds import LONGEST_NAME, checked, documents_of
from colligate.studio.run_views import EXEMPLARS
from colligate.studio.splitting import halves
from colligate.studio.standing import Standing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from colligate.network import Network
    from colligate.studio.project import Project
    from colligate.studio.project.journal import Entry
    from colligate.studio.run_views import RunView

TIES_TOLD = 3


def whole_statement(
    kind: str, body: Mapping[str, Any], project: Project, view: RunView | None
) -> dict[str, Any]:
    """The body of a statement as it is written down; refused if it names what is not there."""
    said = checked(kind, body)
    _refuse_unknown(kind, said, project.network, view)
    if view is None or kind in ("together", "apart", "outside", "category"):
        return said
    labels = Labels(view, project.journal.entries())
    groups = said.get("groups") or [said["group"]]
    _refuse_changed(kind, groups, project, view)
    standing = Standing.now(project, groups if kind in ("merge", "split") else ())
    if kind == "merge":
        return _merge(said, view, labels, standing)
    if kind == "split":
        return _split(said, view, labels, standing, project.journal.live())
    group, label = said["group"], labels.of(said["group"])
    if kind == "freeze":
        stays = standing.take(view.members(view.group(group)).tolist(), label)
        return {**said, "label": label, "documents": view.ids(stays)}
    if kind == "name" and said["name"] in labels.of_others(group) | _shown(project, view, group):
        raise KnowledgeError(
            f"another group is called {said['name']!r:.80}; choose another name, or merge them"
        )
    own = view.positions(documents_of(said)) if kind == "label" else []
    standing.relabel(own, label)
    candidates = [at for at in view.positions(view.exemplars[view.group(group)]) if at not in own]
    return {**said, "label": label, "exemplars": view.ids(standing.take(candidates, label))}


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


def _shown(project: Project, view: RunView, group: int) -> set[str]:
    """What the page calls the other groups."""
    others = (one for own, one in called(project, view).items() if own != group)
    return {name for one in others for name in (one.name, one.short)}


def _refuse_changed(kind: str, groups: list[int], project: Project, view: RunView) -> None:
    """Refuse to change a group as a whole once more, before a run has made what was said of it."""
    stood = project.journal.stood(view.record.seq)
    new = [entry for entry in project.journal.live() if entry.seq not in stood]
    for entry in new if kind in ("merge", "split", "freeze") else ():
        changed = set(entry.body.get("groups", [entry.body.get("group")])) & set(groups)
        if changed and entry.kind in (("split",) if kind == "merge" else ("split", "merge")):
            how = {"split": "split", "merge": "merged"}[entry.kind]
            raise KnowledgeError(
                f"group {min(changed) + 1} was {how} by statement {entry.seq}, and there are no groups of it "
                f"yet; cluster again first, or undo that statement"
            )


def _merge(said: dict[str, Any], view: RunView, labels: Labels, standing: Standing) -> dict[str, Any]:
    groups = said["groups"]
    names = [labels.of(group) for group in groups]
    standing.relabel(standing.carriers(names[1]), names[0])
    candidates = [view.positions(view.exemplars[view.group(group)]) for group in groups]
    exemplars = [view.ids(standing.take(part, names[0])) for part in candidates]
    return {**said, "labels": names, "exemplars": exemplars}


def _split(
    said: dict[str, Any], view: RunView, labels: Labels, standing: Standing, live: list[Entry]
) -> dict[str, Any]:
    """Divide a group; documents that belong together stay so, and all that carried its label are divided."""
    members, own = view.members(view.group(said["group"])), labels.of(said["group"])
    inside, component = set(members.tolist()), standing.known.component
    carriers = standing.carriers(own)
    staying = {int(component[at]) for at in carriers - inside}
    parts = halves(
        view.result.counts, members, said["into"], component[members], standing.known.rivals, staying
    )
    names = [own, *(labels.unused(f"{own}, part {part}") for part in range(2, said["into"] + 1))]
    standing.relabel(carriers & inside, None)
    seeds = []
    for name, part in zip(names, (part.tolist() for part in parts), strict=True):
        carried = standing.take([at for at in part if at in carriers], name)
        seeds.append(carried + standing.take([at for at in part if at not in carriers], name, EXEMPLARS))
    if not all(seeds):
        raise KnowledgeError(_ties(view.ids(members), live, said["into"]))
    return {**said, "labels": names, "seeds": [view.ids(part) for part in seeds]}


def _ties(names: list[str], live: list[Entry], parts: int) -> str:
    """Which statements hold the documents of a group together."""
    inside = set(names)
    ties = [
        entry for entry in live if entry.kind == "together" and len(inside & set(entry.body["items"])) > 1
    ]
    told = [f"statement {entry.seq}: {' and '.join(entry.body['items'][:2])}" for entry in ties[-TIES_TOLD:]]
    which = ", ".join(told) or "see the knowledge file"
    return (
        f"what was said holds the documents of this group together ({which}), so that it cannot be split "
        f"into {parts}; undo some of it on the page Knowledge"
    )


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
    items = said.get("items") or said.get("documents")
    items = items or [said[part] for part in ("document", "word") if part in said]
    names = network.types[str(type_name)].names
    for item in items:
        if item not in names:
            raise KnowledgeError(f"{item!r:.80} is not among the {type_name} here")
    if len(set(items)) < len(items):
        what = "linked to itself" if "items" in said else "named twice"
        raise KnowledgeError(f"an object is {what}; name different ones")
