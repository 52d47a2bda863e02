"""Actions on documents: label (this document belongs to that group) and outside (to no group, Universum)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from colligate.errors import KnowledgeError
from colligate.studio.actions.base import (
    DOCUMENTS,
    GROUP,
    NAME,
    TEXT,
    Action,
    Field,
    Verdict,
    check_objects,
    list_items,
    name_group,
)

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from colligate.network import Network
    from colligate.studio.actions.base import Body
    from colligate.studio.actions.state import ProjectState, RunState
    from colligate.studio.knowledge import ActionLog


class DocumentAction(Action):
    """An action on one document, or on several: `documents` in place of `document`."""

    def list_fields(self, body: Body) -> Mapping[str, Field]:
        """List the fields, with `documents` if the request has it."""
        if "documents" not in body:
            return self.fields
        rest = {name: field for name, field in self.fields.items() if name != "document"}
        return {"documents": DOCUMENTS, **rest}

    def name_documents(self, ids: Sequence[str], centre: str) -> dict[str, Any]:
        """Return the field with the documents."""
        return {"documents": list(ids)} if len(ids) > 1 else {"document": ids[0]}

    def check(self, body: Body, network: Network) -> None:
        """Refuse a document that does not exist."""
        check_objects(network, network.centre, self.items(body), "named twice")

    def items(self, body: Body) -> list[str]:
        """Return the ids of the documents."""
        return list(body["documents"]) if "documents" in body else [body["document"]]

    def documents(self, body: Body, centre: str) -> Sequence[str]:
        """Return the ids of the documents."""
        return self.items(body)

    def subjects(self, body: Body) -> Iterable[Hashable]:
        """Decide the group of each document."""
        return [("document", name) for name in self.items(body)]

    def judge(self, body: Body, run: RunState) -> Verdict:
        """Be kept if every document is where the statement says."""
        target = -1 if body.get("group") is None else run.names.resolve(body["group"])
        elsewhere = [name for name in self.items(body) if run.place(name) != target]
        if not elsewhere:
            return Verdict(True)
        place = run.name_place(run.place(elsewhere[0]))
        if len(self.items(body)) == 1:
            return Verdict(False, f"it is in {place}")
        more = len(elsewhere) - 1
        rest = "1 more is not where it" if more == 1 else f"{more:,} more are not where they"
        others = f" and {rest} should be" if more else ""
        return Verdict(False, f"{elsewhere[0]} is in {place}{others}")

    def _belong(self, body: Body, where: str) -> str:
        items = self.items(body)
        return f"{list_items(items)} {'belong' if len(items) > 1 else 'belongs'} {where}"


class Label(DocumentAction):
    """Documents belong to a group, by its number, or by a name that may be new."""

    name = "label"
    fields: ClassVar = {"document": TEXT, "group": GROUP}

    def list_fields(self, body: Body) -> Mapping[str, Field]:
        """List the fields, with `name` or `new` in place of `group` if the request has one of them."""
        fields = dict(super().list_fields(body))
        for name in ("name", "new"):
            if name in body:
                del fields["group"]
                return {**fields, name: NAME}
        return fields

    def complete(self, body: Body, state: ProjectState | None) -> dict[str, Any]:
        """Add the group, the documents that move, and those that are clearly alike and follow."""
        if state is None:
            raise KnowledgeError("there are no groups yet; cluster first")
        target, new = state.find_target(body)
        moves = state.plan_documents(state.rows(self.items(body)), target)
        sources = [move["from"] for move in moves]
        names = {**state.name_groups([*sources, target]), **({str(target): new} if new else {})}
        rest = {name: value for name, value in body.items() if name != "name"}
        return {**rest, "group": target, "new": new, "moves": moves, "names": names}

    def new_groups(self, body: Body) -> list[int]:
        """Return the group, if it is new."""
        return [body["group"]] if body["new"] else []

    def apply(self, body: Body, source: str, log: ActionLog) -> None:
        """Label the documents."""
        if body["new"]:
            log.name(body["group"], body["new"])
        log.label(self.items(body), body["group"], source)

    def describe(self, body: Body) -> str:
        """Describe where the documents belong."""
        new = "the new group " if body["new"] else ""
        return self._belong(body, f"in {new}{name_group(body, body['group'])}")


class Outside(DocumentAction):
    """Documents belong to no group."""

    name = "outside"
    fields: ClassVar = {"document": TEXT}

    def apply(self, body: Body, source: str, log: ActionLog) -> None:
        """Take the labels of the documents away, and put them outside."""
        for name in self.items(body):
            log.labels.pop(name, None)
            log.outside[name] = source

    def describe(self, body: Body) -> str:
        """Say that the documents belong nowhere."""
        return self._belong(body, "to no group")

    def warn(self, body: Body, state: ProjectState) -> str:
        """Say how many other documents a fresh start may leave out: they are like these."""
        rows = state.rows(self.items(body))
        n = state.count_nearer(rows)
        if not n:
            return ""
        example, it = ("this one", "it") if len(rows) == 1 else ("these", "them")
        nearer = "1 is" if n == 1 else f"{n:,} are"
        group = "its own group" if n == 1 else "their own group"
        return (
            f"A fresh start may leave out other documents like {example} too: {nearer} more like {it} than "
            f"like {group}."
        )
