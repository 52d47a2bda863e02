"""What no call that adds knowledge may be given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from colligate.errors import KnowledgeError
from colligate.knowledge.kind import all_kinds, find_kind
from colligate.knowledge.spelling import misspells
from colligate.knowledge.wording import is_text, shown

if TYPE_CHECKING:
    from colligate.knowledge.block import Block


def refuse_unfit(block: Block) -> None:
    """Refuse a type or a source that is no text, and a type that the knowledge file could not hold.

    A type called like a key of the knowledge file, or a slip of one, could be written there, but not read.
    """
    sections = [kind.section for kind in all_kinds() if kind.section]
    for what, name in (("type", block.type), ("source", block.source)):
        if not is_text(name):
            raise KnowledgeError(f"the name of a {what} must be text; got {shown(name)}")
    if block.type in (*sections, *find_kind(block.kind).reserved):
        raise KnowledgeError(
            f"no type can be called {shown(block.type)!r}: that is a key of the knowledge file; "
            "rename the type"
        )
    if near := [section for section in sections if misspells(block.type, section)]:
        raise KnowledgeError(
            f"no type can be called {shown(block.type)!r}: in the knowledge file that is a slip of "
            f"{near[0]!r}; rename the type"
        )


def refuse_nothing(given: Mapping[str, Any], call: str, example: str) -> None:
    """Refuse a call that names no objects."""
    if not given:
        raise KnowledgeError(f"{call} names no objects; give them by their type, as in {example}")


def refuse_no_mapping(given: object, call: str, what: str) -> None:
    """Refuse anything but a mapping."""
    if not isinstance(given, Mapping):
        raise KnowledgeError(f"{call} needs a mapping from {what}; got {shown(given)}")
