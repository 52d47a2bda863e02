"""Reading JSON lines, one document for each line."""

from __future__ import annotations

import json
import warnings
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from colligate.corpus.readers.base import ColumnRequest, Columns, Record
from colligate.corpus.readers.encoding import detect_encoding, file_size, open_input, read_lines
from colligate.errors import CorpusError, MissingTextWarning, Parameter
from colligate.progress import ProgressMeter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from colligate.corpus.columns import ColumnsBuilder
    from colligate.progress import Listener

HEADER_LINES = 100
"""So many lines show which keys there are: a single line may lack some."""


@dataclass(frozen=True)
class JsonlSource:
    """The lines of a file, each of them one JSON object; blank lines are skipped."""

    path: Path
    request: ColumnRequest
    encoding: str | None

    @property
    def name(self) -> str:
        """The path of the file."""
        return str(self.path)

    def describe(self, location: int) -> str:
        """Name the file and the line."""
        return f"{self.path}:{location}"

    def records(self, listener: Listener, kept: ColumnsBuilder) -> Iterator[Record]:
        """Read the lines in order."""
        encoding = detect_encoding(self.path, self.encoding, listener)
        meter = ProgressMeter(listener, "reading", file_size(self.path))
        with open_input(self.path) as opened:
            objects = self._parse_lines(read_lines(opened, encoding, newline="\n"))
            for record in self._records(objects, kept):
                meter.update(opened.position)
                yield record
        meter.finish()

    def _records(
        self, objects: Iterator[tuple[int, dict[str, Any]]], kept: ColumnsBuilder
    ) -> Iterator[Record]:
        first = list(islice(objects, HEADER_LINES))
        if not first:
            raise CorpusError(f"{self.path} is empty; each line must be one JSON object")
        names = list(dict.fromkeys(key for _, row in first for key in row))
        columns = Columns.choose(self.request, names, self.name)
        kept.roles = columns.roles
        used = {name.casefold() for name in columns.all}
        n_missing, first_missing = 0, 0
        for number, (line, row) in enumerate(chain(first, objects), start=1):
            cells = _match_keys(row, columns)
            if cells.keys().isdisjoint(columns.text):
                n_missing, first_missing = n_missing + 1, first_missing or line
            if columns.keep:
                others = {key: value for key, value in row.items() if key.casefold() not in used}
                kept.add_row(
                    others if columns.title is None else {columns.title: cells.get(columns.title)} | others
                )
            yield Record(*columns.read(cells.get, number, self.describe(line)), line)
        if n_missing:
            self._warn_missing_text(n_missing, first_missing, columns)

    def _warn_missing_text(self, count: int, first: int, columns: Columns) -> None:
        keys = " or ".join(repr(name) for name in columns.text)
        lines = "1 line lacks" if count == 1 else f"{count:,} lines lack"
        warning = MissingTextWarning(
            f"{self.path}: {lines} the key {keys} (first: line {first}). These documents are empty. "
            "Add the key, or name another with ",
            Parameter("text", ...),
        )
        warnings.warn(warning, stacklevel=2)

    def _parse_lines(self, lines: Iterable[str]) -> Iterator[tuple[int, dict[str, Any]]]:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                yield number, self._parse_line(line, number)

    def _parse_line(self, line: str, number: int) -> dict[str, Any]:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise CorpusError(
                f"{self.describe(number)}: not valid JSON {_describe_flaw(line, error)}; "
                f"each line must be one whole JSON object"
            ) from error
        if not isinstance(value, dict):
            raise CorpusError(
                f"{self.describe(number)}: this is a JSON {type(value).__name__}, not an object; "
                f'each line must look like {{"id": ..., "text": ...}}'
            )
        return value


def _describe_flaw(line: str, error: Exception) -> str:
    """Describe where in the line the JSON is wrong; the parser's line numbers count within this line."""
    if isinstance(error, json.JSONDecodeError):
        end = len(line.rstrip())
        if error.pos >= end:
            return f"(the line ends too early, at column {end})"
        return f"at column {error.pos + 1}"
    return "(nested too deeply)" if isinstance(error, RecursionError) else "(a number has too many digits)"


def _match_keys(row: dict[str, Any], columns: Columns) -> dict[str, Any]:
    """Return the row with the keys in use spelt as the columns are; a row may have them in another case."""
    if all(name in row for name in columns.all):
        return row
    folded: dict[str, Any] = {}
    for key, value in row.items():
        folded.setdefault(key.casefold(), value)
    return {name: folded[name.casefold()] for name in columns.all if name.casefold() in folded} | row
