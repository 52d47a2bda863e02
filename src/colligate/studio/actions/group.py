"""Actions on groups: name, merge, split, freeze and thaw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from colligate._text import count_noun
from colligate.errors import KnowledgeError
from colligate.methods.split import split_cluster
from colligate.studio.actions.base import (
    GROUP,
    GROUPS,
    LISTED,
    NAME,
    Action,
    Field,
    Verdict,
    name_group,
)
from colligate.studio.actions.exemplars import LabelAssignments

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

    from colligate.studio.actions.base import Body
    from colligate.studio.actions.state import ProjectState, RunState
    from colligate.studio.knowledge import ActionLog
    from colligate.studio.project import Entry, Project

MAX_PARTS = 8
PARTS = Field(f"a number from 2 to {MAX_PARTS}", lambda value: type(value) is int and 2 <= value <= MAX_PARTS)


class GroupAction(Action):
    """An action on groups, which must have documents."""

    def complete(self, body: Body, state: ProjectState | None) -> dict[str, Any]:
        """Refuse a group that does not exist; add the names of the groups."""
        super().complete(body, state)
        assert state is not None
        groups = [state.find_group(group) for group in self.groups(body)]
        if len(set(groups)) < len(groups):
            raise KnowledgeError("a group cannot be merged with itself; name two groups")
        numbers = {"groups": groups} if "groups" in body else {"group": groups[0]}
        return {**body, **numbers, "names": state.name_groups(groups)}


class Name(GroupAction):
    """A group gets a name. It is display only: no document moves."""

    name = "name"
    can_move = False
    fields: ClassVar = {"group": GROUP, "name": NAME}

    def complete(self, body: Body, state: ProjectState | None) -> dict[str, Any]:
        """Refuse a name that a group cannot have, or that another group has."""
        complete = super().complete(body, state)
        assert state is not None
        state.check_name(body["name"], complete["group"])
        return {**complete, "name": body["name"].strip()}

    def apply(self, body: Body, source: str, log: ActionLog) -> None:
        """Set the name."""
        log.name(body["group"], body["name"])

    def subjects(self, body: Body) -> Iterable[Hashable]:
        """Decide the name of the group."""
        return [("name", body["group"])]

    def describe(self, body: Body) -> str:
        """Say the number and the new name."""
        return f"group {body['group']} is called {body['name']}"

    def judge(self, body: Body, run: RunState) -> Verdict:
        """Be kept if the group is there."""
        group = run.names.resolve(body["group"])
        return Verdict(run.has(group), "" if run.has(group) else "the run has no such group")


class Freeze(GroupAction):
    """No document leaves a group."""

    name = "freeze"
    can_move = False
    fields: ClassVar = {"group": GROUP}

    def complete(self, body: Body, state: ProjectState | None) -> dict[str, Any]:
        """Add the documents of the group that no other statement is about."""
        complete = super().complete(body, state)
        assert state is not None
        assignments = LabelAssignments.of_project(state.project)
        members = state.groups.members(complete["group"]).tolist()
        label = state.names.label(complete["group"])
        return {**complete, "documents": state.view.ids(assignments.choose(members, label))}

    def apply(self, body: Body, source: str, log: ActionLog) -> None:
        """Label all documents of the group."""
        log.freeze(body["documents"], body["group"], source)

    def subjects(self, body: Body) -> Iterable[Hashable]:
        """Decide whether the group is frozen."""
        return [("frozen", body["group"])]

    def describe(self, body: Body) -> str:
        """Say how many documents stay."""
        count = count_noun(len(body["documents"]), "document")
        return f"no document leaves {name_group(body, body['group'])} ({count})"

    def judge(self, body: Body, run: RunState) -> Verdict:
        """Be kept if all documents are still in the group."""
        group = run.names.resolve(body["group"])
        left = [name for name in body["documents"] if run.place(name) != group]
        reason = f"{left[0]} is in {run.name_place(run.place(left[0]))}" if left else ""
        return Verdict(not left, reason)


class Thaw(GroupAction):
    """Documents may leave a frozen group again, once there is something new that moves them."""

    name = "thaw"
    can_move = False
    fields: ClassVar = {"group": GROUP}

    def complete(self, body: Body, state: ProjectState | None) -> dict[str, Any]:
        """Refuse a group that is not frozen."""
        complete = super().complete(body, state)
        assert state is not None
        if complete["group"] not in state.names.log.frozen:
            raise KnowledgeError(
                f"documents may already leave group {complete['group']}, because it is not frozen; nothing "
                "was changed"
            )
        return complete

    def revokes(self, body: Body, earlier: Entry) -> bool:
        """Revoke the freezing of the group."""
        return earlier.kind == Freeze.name and earlier.body["group"] == body["group"]

    def subjects(self, body: Body) -> Iterable[Hashable]:
        """Decide whether the group is frozen."""
        return [("frozen", body["group"])]

    def describe(self, body: Body) -> str:
        """Say that documents may leave."""
        return f"documents may leave {name_group(body, body['group'])} again"

    def judge(self, body: Body, run: RunState) -> Verdict:
        """Be kept: nothing is demanded any more."""
        return Verdict(True)


class Reshaping(GroupAction):
    """An action that changes what a group is; the group is no longer frozen."""

    def ends(self, body: Body) -> Iterable[Hashable]:
        """End the freezing of the groups."""
        return [("frozen", group) for group in self.groups(body)]

    def revokes(self, body: Body, earlier: Entry) -> bool:
        """Revoke the freezing of the groups."""
        return earlier.kind == Freeze.name and earlier.body["group"] in self.groups(body)


class Merge(Reshaping):
    """Two groups are one, which keeps the number and the name of the first."""

    name = "merge"
    fields: ClassVar = {"groups": GROUPS}

    def complete(self, body: Body, state: ProjectState | None) -> dict[str, Any]:
        """Add the documents of the second group, which move into the first."""
        complete = super().complete(body, state)
        assert state is not None
        kept, gone = complete["groups"]
        moves = state.plan_rows(state.groups.members(gone).tolist(), kept)
        return {**complete, "moves": moves, "documents": state.view.ids(state.groups.members(kept))}

    def apply(self, body: Body, source: str, log: ActionLog) -> None:
        """Statements on the second group are about the first from now on."""
        kept, gone = body["groups"]
        log.merged.pop(kept, None)
        log.merged[gone] = kept

    def ends(self, body: Body) -> Iterable[Hashable]:
        """End the freezing of both groups, and the name of the second."""
        return [*super().ends(body), ("name", body["groups"][1])]

    def describe(self, body: Body) -> str:
        """Say which groups are one."""
        return f"{' and '.join(name_group(body, group) for group in body['groups'])} are one group"

    def judge(self, body: Body, run: RunState) -> Verdict:
        """Be kept if most documents of both groups are in the first."""
        return _judge_moves([*body["moves"], {"to": body["groups"][0], **body}], run)


class Split(Reshaping):
    """A group is several; the first part keeps its number and its name."""

    name = "split"
    fields: ClassVar = {"group": GROUP, "into": PARTS}
    defaults: ClassVar = {"into": 2}

    def complete(self, body: Body, state: ProjectState | None) -> dict[str, Any]:
        """Add the number and the documents of each further part; linked documents stay in one part."""
        complete = super().complete(body, state)
        assert state is not None
        group, view = complete["group"], state.view
        members = state.groups.members(group)
        links = LabelAssignments.of_project(state.project).links
        _, *parts = split_cluster(
            view.result.counts, members, body["into"], links.component[members], links.rivals
        )
        if not all(len(part) for part in parts):
            raise KnowledgeError(_explain_unsplittable(view.ids(members), state.project, body["into"]))
        first = state.project.unused_identity()
        moves = [move for k, part in enumerate(parts) for move in state.plan_rows(part.tolist(), first + k)]
        return {**complete, "moves": moves}

    def new_groups(self, body: Body) -> list[int]:
        """Return the further parts."""
        return [move["to"] for move in body["moves"]]

    def apply(self, body: Body, source: str, log: ActionLog) -> None:
        """Labels of documents in a further part are about that part from now on."""
        for move in body["moves"]:
            for document in move["documents"]:
                if document in log.labels and log.labels[document][0] == body["group"]:
                    log.labels[document] = (move["to"], log.labels[document][1])

    def describe(self, body: Body) -> str:
        """Say how many groups there are."""
        return f"{name_group(body, body['group'])} is {body['into']} groups"

    def judge(self, body: Body, run: RunState) -> Verdict:
        """Be kept if most documents of each part are in it."""
        return _judge_moves(body["moves"], run)


def _judge_moves(moves: Iterable[Mapping[str, Any]], run: RunState) -> Verdict:
    """Judge by whether most of the moved documents are in the groups that they were moved to."""
    for move in moves:
        target = run.names.resolve(move["to"])
        parts = run.parts(target)
        arrived = sum(run.place(name) in parts for name in move["documents"])
        if 2 * arrived <= len(move["documents"]):
            total = count_noun(len(move["documents"]), "document")
            return Verdict(False, f"{arrived:,} of {total} are in {run.name_place(target)}")
    return Verdict(True)


def _explain_unsplittable(members: list[str], project: Project, parts: int) -> str:
    """Name the statements that keep the documents of a group together."""
    inside = set(members)
    links = [
        entry
        for entry in project.journal.live()
        if entry.kind == "together" and len(inside & set(entry.body["items"])) > 1
    ]
    named = [f"statement {entry.seq}: {' and '.join(entry.body['items'][:2])}" for entry in links[-LISTED:]]
    return (
        f"statements keep the documents of this group together ({', '.join(named) or 'in the file'}), so it "
        f"cannot be split into {parts} parts; undo some of them on the page Knowledge"
    )
