"""Reading CSV and TSV files, one document for each row."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from typing import TYPE_CHECKING

from colligate.corpus.readers.columns import Columns, Wanted
from colligate.corpus.readers.decoding import encoding_of, text_of
from colligate.corpus.readers.meter import Meter
from colligate.corpus.readers.opening import opening, size_of
from colligate.corpus.readers.record import Record
from colligate.errors import CorpusError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from colligate.progress import Listener

LONGEST_CELL = 2**31 - 1
NAMES = {",": "comma", "\t": "tab"}


@dataclass(frozen=True)
class DelimitedSource:
    """The rows of a CSV or TSV file whose first row names the columns."""

    path: Path
    wanted: Wanted
    encoding: str | None
    delimiter: str

    @property
    def name(self) -> str:
        """The path of the file."""
        return str(self.path)

    def place(self, where: int) -> str:
        """The file and the line on which the row ends."""
        return f"{self.path}:{where}"

    def records(self, listener: Listener) -> Iterator[Record]:
        """Read the rows in order; cells may hold line breaks, and be as long as they like."""
        encoding = encoding_of(self.path, self.encoding, listener)
        meter = Meter(listener, "reading", size_of(self.path))
        with opening(self.path) as opened:
            rows = self._rows(text_of(opened, encoding, newline=""))
            _, header = next(rows, (0, None))
            if header is None:
                raise CorpusError(f"{self.path} is empty; its first row must name the columns")
            for record in self._records(header, rows):
                meter.at(opened.position)
                yield record
        meter.finish()

    def _records(self, header: list[str], rows: Iterator[tuple[int, list[str]]]) -> Iterator[Record]:
        names = [name.strip() for name in header]
        columns = Columns.choose(self.wanted, names, self.name)
        index = {name: names.index(name) for name in columns.all}
        for number, (line, cells) in enumerate(rows, start=1):
            if len(cells) != len(names):
                raise self._uneven(line, cells, names)
            row = {name: cells[at] for name, at in index.items()}
            yield Record(*columns.read(row.__getitem__, number, self.place(line)), line)

    def _rows(self, lines: Iterator[str]) -> Iterator[tuple[int, list[str]]]:
        # The module's limit of 131,072 characters holds for the whole process: raise it, never lower it.
        csv.field_size_limit(max(csv.field_size_limit(), LONGEST_CELL))
        reader = csv.reader(lines, delimiter=self.delimiter, strict=True)
        while True:
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                raise CorpusError(
                    f"{self.place(reader.line_num)}: malformed row ({error}); a cell that holds quotes "
                    f"is quoted as a whole, and its own quotes are doubled"
                ) from error
            if cells:
                yield reader.line_num, cells

    def _uneven(self, line: int, cells: list[str], names: list[str]) -> CorpusError:
        return CorpusError(
            f"{self.place(line)}: malformed row: {len(cells)} cell(s) where the header has {len(names)}; "
            f"quote cells that hold a {NAMES[self.delimiter]} or a line break"
        )
