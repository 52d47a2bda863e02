"""Links between objects of one type: together (must-link) and apart (cannot-link)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from colligate.studio.actions.base import ITEMS, NAME, Action, check_objects, list_items

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from colligate.network import Network
    from colligate.studio.actions.base import Body
    from colligate.studio.actions.state import ProjectState
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
    """The objects belong to different groups."""

    name = "apart"
