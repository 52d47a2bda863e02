"""The base of every action: all that one kind of statement means, from its request to its verdict.

A request is short ("split this group in two"). It is parsed, checked and completed: the documents that it
moves from group to group are added, and the names that groups have at that time. What is recorded in the
journal is the completed body. Everything later is computed from recorded bodies. Groups are lasting numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from colligate._text import join_words
from colligate.errors import KnowledgeError
from colligate.knowledge.changes import LONGEST_NAME, is_printable_name

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from colligate.network import Network
    from colligate.studio.actions.state import ProjectState, RunState
    from colligate.studio.knowledge import ActionLog
    from colligate.studio.project import Entry

    Body = Mapping[str, Any]

LONGEST_TEXT = 10_000
MAX_ITEMS = 100_000
LISTED = 3


class Field(NamedTuple):
    """One field of a request: a description for messages, and a test of the value."""

    description: str
    accepts: Callable[[Any], bool]


class Verdict(NamedTuple):
    """Whether a run did what a statement says, and if not, why."""

    kept: bool
    reason: str = ""


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and len(value) <= LONGEST_TEXT


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and is_printable_name(value)


def _is_group(value: Any) -> bool:
    # not isinstance, for which True is an integer
    return type(value) is int and 0 <= value < 2**16


def _are_texts(value: Any, least: int = 1) -> bool:
    return isinstance(value, list) and least <= len(value) <= MAX_ITEMS and all(map(_is_text, value))


TEXT = Field("a text", _is_text)
NAME = Field(f"a name of at most {LONGEST_NAME} printable characters", _is_name)
GROUP = Field("the number of a group", _is_group)
GROUPS = Field(
    "a list of the numbers of two groups",
    lambda value: isinstance(value, list) and len(value) == 2 and all(map(_is_group, value)),
)
DOCUMENTS = Field(f"a list of 1 to {MAX_ITEMS:,} ids", _are_texts)
ITEMS = Field("a list of two or more ids or words", lambda value: _are_texts(value, least=2))


class Action:
    """One kind of statement. A subclass with a `name` is registered; everything else has a default."""

    name: ClassVar[str]
    fields: ClassVar[Mapping[str, Field]] = {}
    defaults: ClassVar[Mapping[str, Any]] = {}
    requestable: ClassVar[bool] = True
    """Whether the page may send it; the others are recorded by the studio."""
    can_move: ClassVar[bool] = True
    """Whether a run with the statement may have documents in other groups than a run without it."""

    # From the request to the recorded body.

    def parse(self, body: Body) -> dict[str, Any]:
        """Return the request with its defaults; raise an error if a field is missing or wrong."""
        fields, values = self.list_fields(body), {**self.defaults, **body}
        if unknown := sorted(values.keys() - fields.keys()):
            raise KnowledgeError(
                f"{self.name} has no field {unknown[0]!r:.60}; its fields: {', '.join(fields)}"
            )
        for name, field in fields.items():
            if name not in values:
                raise KnowledgeError(
                    f"{self.name} needs the field {name!r} ({field.description}), but it is missing"
                )
            if not field.accepts(values[name]):
                raise KnowledgeError(
                    f"the field {name!r} of {self.name} must be {field.description}; got {values[name]!r:.60}"
                )
        return values

    def list_fields(self, body: Body) -> Mapping[str, Field]:
        """List the fields that this request must have."""
        return self.fields

    def name_documents(self, ids: Sequence[str], centre: str) -> dict[str, Any]:
        """Return the fields of a request about these documents."""
        raise KnowledgeError(f"{self.name} is not about documents")

    def check(self, body: Body, network: Network) -> None:
        """Refuse a body that names an object that does not exist."""

    def complete(self, body: Body, state: ProjectState | None) -> dict[str, Any]:
        """Return the body to record; `state` has the present groups, None before the first run."""
        if state is None:
            if self.groups(body):
                raise KnowledgeError("there are no groups yet; cluster first")
            return dict(body)
        return dict(body)

    # What the recorded body names.

    def groups(self, body: Body) -> Sequence[int]:
        """Return the groups that the statement names."""
        if "groups" in body:
            return list(body["groups"])
        return [body["group"]] if body.get("group") is not None else []

    def new_groups(self, body: Body) -> Sequence[int]:
        """Return the groups that the statement makes."""
        return ()

    def items(self, body: Body) -> Sequence[str]:
        """Return the documents or words that the user named."""
        return ()

    def documents(self, body: Body, centre: str) -> Sequence[str]:
        """Return the documents that the user named."""
        return ()

    # Effects: on the knowledge, on earlier statements, on the groups that the next run begins from.

    def apply(self, body: Body, source: str, log: ActionLog) -> None:
        """Add the statement to the log; `source` is noted in the knowledge file."""

    def subjects(self, body: Body) -> Iterable[Hashable]:
        """Return what the statement decides until a later statement decides the same."""
        return ()

    def ends(self, body: Body) -> Iterable[Hashable]:
        """Return what earlier statements decided and no longer do, though this one does not decide it."""
        return ()

    def revokes(self, body: Body, earlier: Entry) -> bool:
        """Tell whether an earlier statement has no effect on the knowledge any more."""
        return False

    def moves(self, body: Body) -> Sequence[Mapping[str, Any]]:
        """Return the documents that the statement moves: `from`, `to` and the ids in `documents`."""
        moves: Sequence[Mapping[str, Any]] = body.get("moves", ())
        return moves

    # What the user reads.

    def describe(self, body: Body) -> str:
        """Return the statement as a sentence."""
        return self.name

    def warn(self, body: Body, state: ProjectState) -> str:
        """Say what else the statement may do, before it is made; empty if there is nothing to say."""
        return ""

    def judge(self, body: Body, run: RunState) -> Verdict | None:
        """Tell whether a run did what the statement says; None if the lines of the knowledge file tell."""
        return None


def name_group(body: Body, group: int) -> str:
    """Return the name that a body has for a group: the one when it was recorded, or a present one."""
    return str(body.get("names", {}).get(str(group), f"group {group}"))


def check_objects(network: Network, type_name: str | None, items: Sequence[str], repeated: str) -> None:
    """Refuse a type or names that do not exist, and a name that occurs twice."""
    if type_name not in network.types:
        raise KnowledgeError(
            f"there is no type {type_name!r:.60} here; the types are {', '.join(network.types)}"
        )
    names = set(network.types[str(type_name)].names)
    for item in items:
        if item not in names:
            raise KnowledgeError(f"{item!r:.80} is not among the {type_name} of the project")
    if len(set(items)) < len(items):
        twice = next(item for item in items if items.count(item) > 1)
        raise KnowledgeError(f"{twice!r:.80} is {repeated}; name different {type_name}")


def list_items(items: Sequence[str]) -> str:
    """Return names for a sentence, shortened if there are many."""
    if len(items) > LISTED:
        return f"{', '.join(items[: LISTED - 1])} and {len(items) - LISTED + 1} more"
    return join_words(items)
