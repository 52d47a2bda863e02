"""Reading CSV and TSV files, one document for each row; the delimiter of a CSV file is that of its header."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from colligate.corpus.columns import clean_names
from colligate.corpus.readers.base import ColumnRequest, Columns, Record
from colligate.corpus.readers.encoding import detect_encoding, file_size, open_input, read_lines
from colligate.corpus.readers.limits import line_error, read_limits
from colligate.errors import CorpusError
from colligate.progress import ProgressMeter

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from colligate.corpus.columns import ColumnsBuilder
    from colligate.progress import Listener


LONG_CELL = "field larger than field limit"
UNCLOSED_QUOTE = "unexpected end of data"
"""The message of the csv module for a quote that is still open at the end of the file."""
MAX_COLUMNS = 100_000
DELIMITER_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar"}
QUOTED = re.compile(r'"[^"]*"?')


class Row(NamedTuple):
    """The cells of a row, and the lines on which it begins and ends."""

    first: int
    last: int
    cells: list[str]


@dataclass(frozen=True)
class DelimitedSource:
    """The rows of a file whose first row names the columns; without `delimiter` that row shows it."""

    path: Path
    request: ColumnRequest
    encoding: str | None
    delimiter: str | None

    @property
    def name(self) -> str:
        """The path of the file."""
        return str(self.path)

    def describe(self, location: int) -> str:
        """Name the file and the line on which the row begins."""
        return f"{self.path}:{location}"

    def records(self, listener: Listener, kept: ColumnsBuilder) -> Iterator[Record]:
        """Read the rows in order; cells may contain line breaks and be of any length."""
        encoding = detect_encoding(self.path, self.encoding, listener)
        meter = ProgressMeter(listener, "reading", file_size(self.path))
        with open_input(self.path) as opened:
            delimiter, lines = self._detect_delimiter(read_lines(opened, encoding, newline=""))
            rows = self._rows(lines, delimiter)
            header = next(rows, None)
            if header is None:
                raise CorpusError(f"{self.path} is empty; its first row must name the columns")
            for record in self._records(header.cells, rows, delimiter, kept):
                meter.update(opened.position)
                yield record
        meter.finish()

    def _records(
        self, header: list[str], rows: Iterator[Row], delimiter: str, kept: ColumnsBuilder
    ) -> Iterator[Record]:
        names = [name.strip() for name in header]
        if len(names) > MAX_COLUMNS:
            raise CorpusError(
                f"{self.path}:1: the header has {len(names):,} columns; at most {MAX_COLUMNS:,} are read. "
                "Check that this is a table"
            )
        columns = Columns.choose(self.request, names, self.name)
        index = {name: names.index(name) for name in columns.all}
        kept.roles = columns.roles
        others = [
            (label, position)
            for position, (name, label) in enumerate(zip(names, clean_names(names), strict=True))
            if columns.is_kept(name)
        ]
        for number, row in enumerate(rows, start=1):
            if len(row.cells) != len(names):
                raise self._uneven_error(row, names, delimiter)
            cells = {name: row.cells[position] for name, position in index.items()}
            kept.add_row({label: row.cells[position] for label, position in others})
            yield Record(*columns.read(cells.__getitem__, number, self.describe(row.first)), row.first)

    def _detect_delimiter(self, lines: Iterator[str]) -> tuple[str, Iterator[str]]:
        """Return the delimiter, and all the lines again."""
        if self.delimiter is not None:
            return self.delimiter, lines
        seen = []
        for line in lines:
            seen.append(line)
            if line.strip():
                break
        return detect_delimiter(seen[-1]), chain(seen, lines)

    def _rows(self, lines: Iterator[str], delimiter: str) -> Iterator[Row]:
        # the module's limit of 131,072 characters is that of the whole process: raise it, never lower it
        csv.field_size_limit(max(csv.field_size_limit(), read_limits().line))
        reader = csv.reader(lines, delimiter=delimiter, strict=True)
        while True:
            first = reader.line_num + 1
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                raise self._malformed_error(first, reader.line_num, error) from error
            if cells:
                yield Row(first, reader.line_num, cells)

    def _malformed_error(self, first: int, last: int, error: csv.Error) -> CorpusError:
        if str(error).startswith(LONG_CELL):
            return line_error(f"{self._describe_span(first, last)}: a cell", read_limits().line)
        if str(error) == UNCLOSED_QUOTE:
            what = f"the row of line {first} opens a quote and never closes it"
        else:
            what = f"malformed row ({error})"
        return CorpusError(
            f"{self._describe_span(first, last)}: {what}; if a cell contains quotes, put the whole cell in "
            f"quotes and double the quotes inside it"
        )

    def _uneven_error(self, row: Row, names: list[str], delimiter: str) -> CorpusError:
        return CorpusError(
            f"{self._describe_span(row.first, row.last)}: the row has {len(row.cells)} cell(s), but the "
            f"header has {len(names)}; if a cell contains a {DELIMITER_NAMES[delimiter]} or a line break, "
            "put it in quotes"
        )

    def _describe_span(self, first: int, last: int) -> str:
        return self.describe(first) if first == last else f"{self.describe(first)}–{last}"


def detect_delimiter(header: str) -> str:
    """Return the delimiter of a header line: a comma if there is one, or the most frequent one."""
    # quoted names of columns may hold delimiters
    bare = QUOTED.sub("", header)
    if "," in bare:
        return ","
    return max(DELIMITER_NAMES, key=bare.count)
