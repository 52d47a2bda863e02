"""What actions see: the present groups with all statements carried out, and a run to be judged by."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.errors import KnowledgeError, NotFoundError
from colligate.knowledge.changes import check_group_name
from colligate.methods.revision import (
    Move,
    RevisedGroups,
    count_nearer,
    find_alike,
    find_word_documents,
    plan_apart,
    plan_moves,
    plan_together,
)
from colligate.studio.actions import find_action
from colligate.studio.knowledge import log_actions

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from colligate.studio.group_names import GroupNames
    from colligate.studio.project import Entry, Project
    from colligate.studio.run_views import RunView


class ProjectState:
    """The groups of a run with the statements since then carried out, and the names of groups and documents.

    Statements that the run had and that are undone since are taken back first.
    """

    def __init__(self, project: Project, view: RunView) -> None:
        self.project = project
        self.view = view
        self.groups = RevisedGroups(view.result, view.directions)
        journal = project.journal
        before = journal.numbers_at(view.record.seq)
        # backwards: what was stated last is taken back first
        for entry in reversed(journal.entries()):
            if entry.undone and entry.seq in before:
                self._take_back(entry)
        for entry in journal.live_since(view.record.seq):
            self._move(find_action(entry.kind).moves(entry.body))

    @cached_property
    def names(self) -> GroupNames:
        """The names of the groups."""
        return self.project.names(self.view.record)

    def find_group(self, group: int) -> int:
        """Return a group that has documents; one that was merged into another is that one."""
        group = self.names.resolve(group)
        if not self.groups.has(group):
            numbers = np.unique(self.groups.labels[self.groups.labels >= 0]).tolist()
            raise NotFoundError(f"there is no group {group}; the groups are {', '.join(map(str, numbers))}")
        return group

    def find_target(self, body: Mapping[str, Any]) -> tuple[int, str]:
        """Return the group that a request names, by number or name, and the name of a new group or ''.

        `new` is the name of a new group, and `name` that of any group.
        """
        if body.get("group") is not None:
            return self.find_group(body["group"]), ""
        group = self.names.find(body["name"]) if "name" in body else None
        if group is not None and self.groups.has(group):
            return group, ""
        name = body["name"] if "name" in body else body["new"]
        self.check_name(name)
        return self.project.unused_identity(), name.strip()

    def check_name(self, name: str, group: int | None = None) -> None:
        """Refuse a name that a group cannot have, or that another group than this one has."""
        taken = ((number, taken) for taken, number in self.names.taken())
        check_group_name(name, (item for item in taken if item[0] != group and self.groups.has(item[0])))

    def rows(self, ids: Iterable[str]) -> list[int]:
        """Return the rows of documents by their ids."""
        return self.view.positions(list(ids))

    @cached_property
    def held(self) -> NDArray[np.bool_]:
        """The documents that a statement is about: they do not follow others."""
        log = log_actions(self.project.journal.live())
        held = np.zeros(len(self.groups.labels), dtype=bool)
        rows = [self.view.row_of[id] for id in (*log.labels, *log.outside) if id in self.view.row_of]
        held[rows] = True
        return held

    def plan_documents(self, rows: Sequence[int], target: int) -> list[dict[str, Any]]:
        """List the moves of documents into a group, and of those that follow them."""
        moves = plan_moves(self.groups, rows, target)
        held = self.held.copy()
        held[list(rows)] = True
        following = find_alike(self.groups, moves, held)
        return [*map(self._to_body, moves), *({**self._to_body(move), "alike": True} for move in following)]

    def count_nearer(self, rows: Sequence[int]) -> int:
        """Count other documents without a statement that are nearer to these than to their own group."""
        held = self.held.copy()
        held[list(rows)] = True
        return count_nearer(self.groups, rows, held)

    def plan_rows(self, rows: Sequence[int], target: int) -> list[dict[str, Any]]:
        """List the moves of documents into a group, without any that are alike."""
        return [self._to_body(move) for move in plan_moves(self.groups, rows, target)]

    def plan_link(self, kind: str, rows: Sequence[int]) -> list[dict[str, Any]]:
        """List the moves of linked documents, so that they are together, or apart."""
        plan = plan_together if kind == "together" else plan_apart
        return [self._to_body(move) for move in plan(self.groups, rows, self.held)]

    def plan_word(self, word: str, target: int) -> list[dict[str, Any]]:
        """List the moves of documents that a seed word moves into a group."""
        names = self.project.network.types[self.project.terms].names
        column = list(names).index(word)
        moves = find_word_documents(self.groups, column, target, self.held)
        if not moves and not self.groups.has(target):
            raise KnowledgeError(
                f"no document without a statement is mainly about {word!r:.60}, so the word cannot start a "
                "new group; choose an existing group"
            )
        return [self._to_body(move) for move in moves]

    def name_groups(self, groups: Iterable[int]) -> dict[str, str]:
        """Return the names of groups for the body of a statement."""
        return {str(group): self.names.display(group).short for group in groups if group >= 0}

    def _take_back(self, entry: Entry) -> None:
        """Move documents back; a group that the statement made gives back all its documents."""
        action = find_action(entry.kind)
        moves = [move for move in action.moves(entry.body) if move["from"] >= 0]
        self._move({**move, "from": move["to"], "to": move["from"]} for move in reversed(moves))
        for new in action.new_groups(entry.body):
            sources = [move for move in moves if move["to"] == new]
            if sources:
                # documents that came later go where most came from
                largest = max(sources, key=lambda move: len(move["documents"]))
                self._join(new, self.names.resolve(largest["from"]))

    def _to_body(self, move: Move) -> dict[str, Any]:
        return {"from": move.source, "to": move.target, "documents": self.view.ids(move.rows)}

    def _move(self, moves: Iterable[Mapping[str, Any]]) -> None:
        """Carry out recorded moves; a document that is elsewhere by now stays there."""
        for move in moves:
            source, target = (self.names.resolve(move[end]) for end in ("from", "to"))
            rows = [self.view.row_of[id] for id in move["documents"] if id in self.view.row_of]
            still = [row for row in rows if self.groups.labels[row] in (move["from"], source, target)]
            self.groups.move([Move(source, target, tuple(still))])

    def _join(self, source: int, target: int) -> None:
        """Move all documents of a group into another."""
        self.groups.move([Move(source, target, tuple(self.groups.members(source).tolist()))])


@dataclass(frozen=True, eq=False)
class RunState:
    """A run that statements are judged by, the names of its groups, and the statements that it had."""

    view: RunView
    names: GroupNames
    entries: Sequence[Entry]

    def place(self, document: str) -> int:
        """Return the group of a document; -1 for none."""
        row = self.view.row_of.get(document)
        return -1 if row is None else int(self.view.identities[row])

    def parts(self, group: int) -> set[int]:
        """Return a group and all groups that were split off it."""
        parts = {group}
        for entry in self.entries:
            if entry.kind == "split" and self.names.resolve(entry.body["group"]) in parts:
                parts |= {move["to"] for move in entry.body["moves"]}
        return parts

    def has(self, group: int) -> bool:
        """Tell whether the run has a group."""
        return group in self.view.position

    def is_typical(self, word: str, group: int) -> bool:
        """Tell whether a word is typical of a group, which the run must have."""
        result = self.view.result
        typical_of = result.object_tables[result.terms].typical_of
        return bool(typical_of[self._column(word), self.view.position[group]])

    def typical_group(self, word: str) -> int:
        """Return the group that a word is most typical of; -1 for none."""
        result = self.view.result
        position = int(result.object_tables[result.terms].typical[0][self._column(word)])
        return -1 if position < 0 else self.view.identity(position)

    def _column(self, word: str) -> int:
        result = self.view.result
        return list(result.network.types[result.terms].names).index(word)

    def name_place(self, group: int) -> str:
        """Return a group for a reason: its number and name."""
        if group >= 0 and not self.has(group):
            return f"group {group}, which this run does not have"
        return f"group {group}, {self.names.display(group).short}" if group >= 0 else "no group"
