"""Reading JSON lines, one document for each line."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from colligate.corpus.readers.columns import Columns, Wanted
from colligate.corpus.readers.decoding import encoding_of, text_of
from colligate.corpus.readers.meter import Meter
from colligate.corpus.readers.opening import opening, size_of
from colligate.corpus.readers.record import Record
from colligate.errors import CorpusError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from colligate.progress import Listener

FIRST = 100
"""So many lines tell which keys there are: a single line may lack some."""


@dataclass(frozen=True)
class JsonlSource:
    """The lines of a file, each of them one JSON object; blank lines are passed over."""

    path: Path
    wanted: Wanted
    encoding: str | None

    @property
    def name(self) -> str:
        """The path of the file."""
        return str(self.path)

    def place(self, where: int) -> str:
        """The file and the line."""
        return f"{self.path}:{where}"

    def records(self, listener: Listener) -> Iterator[Record]:
        """Read the lines in order."""
        encoding = encoding_of(self.path, self.encoding, listener)
        meter = Meter(listener, "reading", size_of(self.path))
        with opening(self.path) as opened:
            for record in self._records(self._objects(text_of(opened, encoding, newline="\n"))):
                meter.at(opened.position)
                yield record
        meter.finish()

    def _records(self, objects: Iterator[tuple[int, dict[str, Any]]]) -> Iterator[Record]:
        first = list(islice(objects, FIRST))
        if not first:
            raise CorpusError(f"{self.path} is empty; each of its lines must hold one JSON object")
        names = list(dict.fromkeys(key for _, row in first for key in row))
        columns = Columns.choose(self.wanted, names, self.name)
        for number, (line, row) in enumerate(chain(first, objects), start=1):
            yield Record(*columns.read(row.get, number, self.place(line)), line)

    def _objects(self, lines: Iterable[str]) -> Iterator[tuple[int, dict[str, Any]]]:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                yield number, self._object(line, number)

    def _object(self, line: str, number: int) -> dict[str, Any]:
        try:
            found = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise CorpusError(
                f"{self.place(number)}: not valid JSON ({error}); each line must hold one whole JSON object"
            ) from error
        if not isinstance(found, dict):
            raise CorpusError(
                f"{self.place(number)}: a JSON {type(found).__name__}, not an object; "
                f'each line must look like {{"id": ..., "text": ...}}'
            )
        return found
