"""The records of a CSV or TSV file with the lines they begin on, and what is wrong with such a file.

Tables are read by Arrow, which is quick but does not tell lines; a file is gone through here for its header
and, where something is to be told of it, once more.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from colligate.errors import EncodingError, InputError
from colligate.network.builders.place import Place

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

_LONGEST_CELL = 2**31 - 1


@dataclass(frozen=True)
class Delimited:
    """A CSV or TSV file, plain or compressed, whose first record names the columns."""

    path: Path
    delimiter: str

    def records(self) -> Iterator[tuple[int, list[str]]]:
        """Every record that is not an empty line, with the line it begins on, counted from 1."""
        # The module's limit of 131,072 characters holds for the whole process: raise it, never lower it.
        csv.field_size_limit(max(csv.field_size_limit(), _LONGEST_CELL))
        with self._opened("strict") as lines:
            reader = csv.reader(lines, delimiter=self.delimiter)
            line = 1
            for cells in reader:
                if cells:
                    yield line, cells
                line = reader.line_num + 1

    def header(self) -> list[str]:
        """The names of the columns."""
        return next((cells for _, cells in self.records()), [])

    def refuse_faults(self) -> None:
        """Raise an error for the first line that is not UTF-8, or has other columns than the header."""
        with self._opened("surrogateescape") as lines:
            for number, line in enumerate(lines, start=1):
                if not _is_unicode(line):
                    raise EncodingError(
                        f"line {number} of {self.path} is not UTF-8 text; save the file as UTF-8"
                    )
        width = len(self.header())
        for number, cells in self.records():
            if len(cells) != width:
                raise InputError(
                    f"line {number} of {self.path} has {len(cells)} cell(s), the header {width}; quote cells "
                    f"that hold a {'tab' if self.delimiter == chr(9) else 'comma'} or a line break"
                )

    def _opened(self, errors: str) -> Any:
        import pyarrow as pa

        return io.TextIOWrapper(pa.input_stream(self.path), encoding="utf-8-sig", errors=errors, newline="")


@dataclass(frozen=True)
class Lines(Place):
    """The rows of a CSV or TSV file, known by the lines of an editor: the header is line 1."""

    file: Delimited | None = None

    @classmethod
    def of(cls, file: Delimited) -> Lines:
        """The lines of a file."""
        return cls(str(file.path), "line", 2, file)

    def numbers(self, rows: Sequence[int]) -> list[int]:
        """The lines on which these rows begin: cells may hold line breaks, and lines may be empty."""
        wanted, found = set(rows), dict[int, int]()
        for row, (line, _) in enumerate(() if self.file is None else self.file.records(), start=-1):
            if row in wanted:
                found[row] = line
            if len(found) == len(wanted):
                break
        return [found.get(row, row + self.first) for row in rows]


def _is_unicode(line: str) -> bool:
    try:
        line.encode()
    except UnicodeEncodeError:
        return False
    return True
