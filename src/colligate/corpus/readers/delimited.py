"""Reading CSV and TSV files, one document for each row.

Telling by its header what separates the cells of a CSV file, which differs from country to country.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from colligate.corpus.readers.base import ColumnRequest, Columns, Record
from colligate.corpus.readers.encoding import detect_encoding, file_size, open_input, read_lines
from colligate.errors import CorpusError
from colligate.progress import ProgressMeter

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from colligate.progress import Listener


UNCLOSED_QUOTE = "unexpected end of data"
"""What the csv module says of a quote that the end of the file leaves open."""
MAX_CELL_LENGTH = 2**31 - 1
DELIMITER_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar"}
_QUOTED = re.compile(r'"[^"]*"?')


class Row(NamedTuple):
    """The cells of a row, with the lines on which it begins and ends."""

    first: int
    last: int
    cells: list[str]


@dataclass(frozen=True)
class DelimitedSource:
    """The rows of a file whose first row names the columns, and tells the delimiter if none is given."""

    path: Path
    wanted: ColumnRequest
    encoding: str | None
    delimiter: str | None

    @property
    def name(self) -> str:
        """The path of the file."""
        return str(self.path)

    def place(self, where: int) -> str:
        """The file and the line on which the row begins."""
        return f"{self.path}:{where}"

    def records(self, listener: Listener) -> Iterator[Record]:
        """Read the rows in order; cells may hold line breaks, and be as long as they like."""
        encoding = detect_encoding(self.path, self.encoding, listener)
        meter = ProgressMeter(listener, "reading", file_size(self.path))
        with open_input(self.path) as opened:
            delimiter, lines = self._delimited(read_lines(opened, encoding, newline=""))
            rows = self._rows(lines, delimiter)
            header = next(rows, None)
            if header is None:
                raise CorpusError(f"{self.path} is empty; its first row must name the columns")
            for record in self._records(header.cells, rows, delimiter):
                meter.update(opened.position)
                yield record
        meter.finish()

    def _records(self, header: list[str], rows: Iterator[Row], delimiter: str) -> Iterator[Record]:
        names = [name.strip() for name in header]
        columns = Columns.choose(self.wanted, names, self.name)
        index = {name: names.index(name) for name in columns.all}
        for number, row in enumerate(rows, start=1):
            if len(row.cells) != len(names):
                raise self._uneven(row, names, delimiter)
            cells = {name: row.cells[at] for name, at in index.items()}
            yield Record(*columns.read(cells.__getitem__, number, self.place(row.first)), row.first)

    def _delimited(self, lines: Iterator[str]) -> tuple[str, Iterator[str]]:
        """The delimiter, and all the lines again."""
        if self.delimiter is not None:
            return self.delimiter, lines
        seen = []
        for line in lines:
            seen.append(line)
            if line.strip():
                break
        return detect_delimiter(seen[-1]), chain(seen, lines)

    def _rows(self, lines: Iterator[str], delimiter: str) -> Iterator[Row]:
        # The module's limit of 131,072 characters holds for the whole process: raise it, never lower it.
        csv.field_size_limit(max(csv.field_size_limit(), MAX_CELL_LENGTH))
        reader = csv.reader(lines, delimiter=delimiter, strict=True)
        while True:
            first = reader.line_num + 1
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                raise self._malformed(first, reader.line_num, error) from error
            if cells:
                yield Row(first, reader.line_num, cells)

    def _malformed(self, first: int, last: int, error: csv.Error) -> CorpusError:
        if str(error) == UNCLOSED_QUOTE:
            what = f"a quote opened in the row of line {first} is never closed"
        else:
            what = f"malformed row ({error})"
        return CorpusError(
            f"{self._span(first, last)}: {what}; a cell that holds quotes is quoted as a whole, "
            f"and its own quotes are doubled"
        )

    def _uneven(self, row: Row, names: list[str], delimiter: str) -> CorpusError:
        return CorpusError(
            f"{self._span(row.first, row.last)}: malformed row: {len(row.cells)} cell(s) where the header "
            f"has {len(names)}; quote cells that hold a {DELIMITER_NAMES[delimiter]} or a line break"
        )

    def _span(self, first: int, last: int) -> str:
        return self.place(first) if first == last else f"{self.place(first)}–{last}"


def detect_delimiter(header: str) -> str:
    """The delimiter of a header line: a comma where there is one or nothing else, or the most frequent."""
    bare = _QUOTED.sub("", header)
    if "," in bare:
        return ","
    return max(DELIMITER_NAMES, key=bare.count)
