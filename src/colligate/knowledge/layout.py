"""The plain data of a knowledge file that is being written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from colligate.knowledge.block import Block
    from colligate.knowledge.kind import Layout

BUILT_IN_CODE = "code"
"""The source of statements that nobody gave a source."""


def entry(layout: Layout, section: str, key: str) -> list[Any]:
    """The list under a key of a section, made where it is missing."""
    found: list[Any] = layout.setdefault(section, {}).setdefault(key, [])
    return found


def noted(block: Block, row: int) -> str:
    """The note of a row; a source that is no file becomes the note, so that it is not lost."""
    from_file = block.lines is not None or block.source == BUILT_IN_CODE
    return block.note(row) or ("" if from_file else block.source)


def long_form(key: str, value: Any, strength: float, note: str) -> Any:
    """A value alone where nothing more is to be said, otherwise a mapping with its strength and note."""
    extra: dict[str, Any] = {}
    if strength != 1.0:
        extra["strength"] = strength
    if note:
        extra["note"] = note
    return {key: value, **extra} if extra else value
