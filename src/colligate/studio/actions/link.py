"""Links between objects of one type: together (must-link) and apart (cannot-link)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from colligate.errors import KnowledgeError
from colligate.studio.actions.base import (
    GROUP,
    ITEMS,
    NAME,
    Action,
    Verdict,
    check_objects,
    list_items,
    name_group,
)

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from colligate.network import Network
    from colligate.studio.actions.base import Body, Field
    from colligate.studio.actions.state import ProjectState, RunState
    from colligate.studio.knowledge import ActionLog


class Link(Action):
    """A link between two or more objects; of two about the same pair, the later counts."""

    fields: ClassVar = {"type": NAME, "items": ITEMS}

    def name_documents(self, ids: Sequence[str], centre: str) -> dict[str, Any]:
        """Return the fields of a link between documents."""
        return {"type": centre, "items": list(ids)}

    def check(self, body: Body, network: Network) -> None:
        """Refuse a type or an object that does not exist."""
        check_objects(network, body["type"], body["items"], "linked to itself")

    def complete(self, body: Body, state: ProjectState | None) -> dict[str, Any]:
        """Add the documents that move, so that the link holds."""
        if state is None or body["type"] != state.project.centre:
            return dict(body)
        moves = state.plan_link(self.name, state.rows(body["items"]))
        return {**body, "moves": moves}

    def items(self, body: Body) -> list[str]:
        """Return the names of the linked objects."""
        return list(body["items"])

    def documents(self, body: Body, centre: str) -> Sequence[str]:
        """Return the linked objects if they are documents."""
        return self.items(body) if body["type"] == centre else ()

    def apply(self, body: Body, source: str, log: ActionLog) -> None:
        """Add the pair in place of an earlier link of the same two, or the longer list."""
        items = tuple(body["items"])
        if len(items) > 2:
            log.link_sets.append((self.name, body["type"], items, source))
        else:
            log.links.pop((body["type"], frozenset(items)), None)
            log.links[body["type"], frozenset(items)] = (self.name, items, source)

    def subjects(self, body: Body) -> Iterable[Hashable]:
        """Decide how a pair is linked; longer lists are never superseded."""
        return [("pair", body["type"], frozenset(body["items"]))] if len(body["items"]) == 2 else []

    def describe(self, body: Body) -> str:
        """Say how the objects are linked."""
        return f"{list_items(body['items'])} belong {self.name}"


class Together(Link):
    """The objects belong to the same group."""

    name = "together"


class Apart(Link):
    """The objects belong to different groups.

    The first of two words is not about a `group`, if the statement names one: the answer no to a question.
    """

    name = "apart"

    def list_fields(self, body: Body) -> Mapping[str, Field]:
        """List the fields, with `group` if the request has it."""
        return {**self.fields, "group": GROUP} if "group" in body else self.fields

    def complete(self, body: Body, state: ProjectState | None) -> dict[str, Any]:
        """Add the name of the group that a word is not about."""
        complete = super().complete(body, state)
        if "group" not in complete:
            return complete
        if state is None or complete["type"] != state.project.terms:
            raise KnowledgeError("apart needs the field 'group' only for words, after a run; leave it out")
        group = state.find_group(complete["group"])
        return {**complete, "group": group, "names": state.name_groups([group])}

    def describe(self, body: Body) -> str:
        """Say that the objects are apart, or what a word is not about."""
        if "group" not in body:
            return super().describe(body)
        return f"the word {body['items'][0]} is not about {name_group(body, body['group'])}"

    def judge(self, body: Body, run: RunState) -> Verdict | None:
        """Be kept if the word is not typical of the group; without a group, the lines tell."""
        if "group" not in body:
            return None
        group = run.names.resolve(body["group"])
        is_typical = run.has(group) and run.is_typical(body["items"][0], group)
        return Verdict(not is_typical, f"it is typical of {run.name_place(group)}" if is_typical else "")
