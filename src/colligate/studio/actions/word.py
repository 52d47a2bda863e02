"""Actions on words: category (seed words of a group)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from colligate.knowledge.changes import check_group_name
from colligate.studio.actions.base import GROUP, NAME, TEXT, Action, Verdict, check_objects, name_group

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

    from colligate.network import Network
    from colligate.studio.actions.base import Body, Field
    from colligate.studio.actions.state import ProjectState, RunState
    from colligate.studio.knowledge import ActionLog


class Category(Action):
    """A word is a seed word of a group, by its number, or by a name that may be new."""

    name = "category"
    fields: ClassVar = {"name": NAME, "word": TEXT}

    def list_fields(self, body: Body) -> Mapping[str, Field]:
        """List the fields, with `group` or `new` in place of `name` if the request has one of them."""
        if "group" in body:
            return {"group": GROUP, "word": TEXT}
        return {"new": NAME, "word": TEXT} if "new" in body else self.fields

    def check(self, body: Body, network: Network) -> None:
        """Refuse a word that does not occur."""
        check_objects(network, network.terms, [body["word"]], "named twice")

    def items(self, body: Body) -> list[str]:
        """Return the word."""
        return [body["word"]]

    def complete(self, body: Body, state: ProjectState | None) -> dict[str, Any]:
        """Add the group, and the documents that move; before the first run the name is all there is."""
        if state is None:
            super().complete(body, None)
            name = body["new"] if "new" in body else body["name"]
            check_group_name(name)
            return {"word": body["word"], "name": name, "new": ""}
        target, new = state.find_target(body)
        moves = state.plan_word(body["word"], target)
        sources = [move["from"] for move in moves]
        names = {**state.name_groups([*sources, target]), **({str(target): new} if new else {})}
        return {"word": body["word"], "group": target, "new": new, "moves": moves, "names": names}

    def new_groups(self, body: Body) -> list[int]:
        """Return the group, if it is new."""
        return [body["group"]] if body["new"] else []

    def apply(self, body: Body, source: str, log: ActionLog) -> None:
        """Put the word into its group."""
        if body["new"]:
            log.name(body["group"], body["new"])
        log.categories.pop(body["word"], None)
        log.categories[body["word"]] = (body.get("group", body.get("name")), source)

    def subjects(self, body: Body) -> Iterable[Hashable]:
        """Decide the group of the word."""
        return [("word", body["word"])]

    def describe(self, body: Body) -> str:
        """Say what the word is about."""
        if "group" not in body:
            return f"the word {body['word']} is about {body['name']}"
        new = "the new group " if body["new"] else ""
        return f"the word {body['word']} is about {new}{name_group(body, body['group'])}"

    def judge(self, body: Body, run: RunState) -> Verdict | None:
        """Be kept if the word is typical of the group."""
        if "group" not in body:
            return None
        group = run.names.resolve(body["group"])
        if not run.has(group):
            return Verdict(False, f"the run has no group {group}")
        if run.is_typical(body["word"], group):
            return Verdict(True)
        return Verdict(False, f"it is typical of {run.name_place(run.typical_group(body['word']))}")
