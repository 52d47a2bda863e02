"""Actions on words: category (seed words of a group)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

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
        """List the fields, with `group` in place of `name` if the request has it."""
        return {"group": GROUP, "word": TEXT} if "group" in body else self.fields

    def check(self, body: Body, network: Network) -> None:
        """Refuse a word that does not occur."""
        check_objects(network, network.terms, [body["word"]], "named twice")

    def items(self, body: Body) -> list[str]:
        """Return the word."""
        return [body["word"]]

    def complete(self, body: Body, state: ProjectState | None) -> dict[str, Any]:
        """Add the group, and the documents that move; before the first run the name is all there is."""
        if state is None:
            return {**super().complete(body, None), "new": ""}
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
        """Be kept if the group has more of the word than all groups together have on average."""
        if "group" not in body:
            return None
        group = run.names.resolve(body["group"])
        if not run.has(group):
            return Verdict(False, f"the run has no group {group}")
        table = run.view.result.object_tables[run.view.result.terms].counts
        column = list(run.view.result.network.types[run.view.result.terms].names).index(body["word"])
        counts = np.asarray(table[:, [column]].todense()).ravel()
        share = counts / np.maximum(np.asarray(table.sum(axis=1)).ravel(), 1e-300)
        position = run.view.position[group]
        if share[position] * float(table.sum()) > counts.sum():
            return Verdict(True)
        best = run.view.identity(int(counts.argmax()))
        return Verdict(False, f"most of its documents are in {run.name_place(best)}")
