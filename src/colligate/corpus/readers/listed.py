"""Reading documents that are in memory already: a list of texts, or anything that gives texts one by one."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from colligate.corpus.readers.record import Record
from colligate.corpus.readers.values import as_id
from colligate.errors import CorpusError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from colligate.progress import Listener

NOTHING: Any = object()


@dataclass(frozen=True, eq=False)
class ListedSource:
    """Texts in order, with ids beside them or called by their number."""

    texts: Iterable[str | None]
    ids: Iterable[object] | None = None

    @property
    def name(self) -> str:
        """How messages call the texts."""
        return "the texts"

    def place(self, where: int) -> str:
        """The number of the text, counted from 1."""
        return f"text {where}"

    def records(self, listener: Listener) -> Iterator[Record]:
        """Give the texts in order, reading them once."""
        if isinstance(self.texts, str | bytes):
            raise CorpusError("from_texts takes a list of texts; got a single one")
        for number, (id, text) in enumerate(self._pairs(), start=1):
            yield Record(as_id(id, "ids", self.place(number)), self._text(text, number), number)

    def _pairs(self) -> Iterator[tuple[object, object]]:
        if self.ids is None:
            for number, text in enumerate(self.texts, start=1):
                yield str(number), text
            return
        for id, text in zip_longest(self.ids, self.texts, fillvalue=NOTHING):
            if id is NOTHING or text is NOTHING:
                few, many = ("ids", "texts") if id is NOTHING else ("texts", "ids")
                raise CorpusError(f"there are fewer {few} than {many}; give one id for each text")
            yield id, text

    def _text(self, text: object, number: int) -> str:
        if isinstance(text, str):
            return text
        if text is None or (isinstance(text, float) and text != text):
            return ""
        raise CorpusError(f"{self.place(number)} is of type {type(text).__name__}; texts are str")
