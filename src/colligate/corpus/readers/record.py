"""What every reader gives: records, one for each document, and the place each came from."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from colligate.progress import Listener


class Record(NamedTuple):
    """One document. `where` is a number that the source turns into a place a person can find."""

    id: str
    text: str
    where: int


class Source(Protocol):
    """Documents that can be read once from front to back, without holding them all."""

    @property
    def name(self) -> str:
        """Where the documents come from, for messages."""

    def records(self, listener: Listener) -> Iterator[Record]:
        """Read the documents in order, telling `listener` how far the reading is."""

    def place(self, where: int) -> str:
        """Name the file and line (or row) that a record's `where` stands for."""
