"""Tables of mentions in CSV, TSV and Parquet files.

Arrow reads a file fast, but does not report lines. A CSV or TSV file is therefore scanned here for its header
and, where a message needs the line of a row, once more.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from colligate._storage.atomic import expand_path
from colligate.errors import EncodingError, InputError
from colligate.network.columns import Columns
from colligate.network.objects import is_unicode
from colligate.network.validation import RowRef

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence
    from pathlib import Path

COMPRESSED = (".gz", ".zst")
DELIMITERS = {".csv": ",", ".tsv": "\t"}
SEPARATOR = "|"
"""Separates the sub-types in one cell of a text file."""
_MAX_CELL = 2**31 - 1


def read_mentions(path: str | os.PathLike[str], count: str = "count", subtype: str = "subtype") -> Columns:
    """Read a table; in CSV and TSV all is text but the counts, and a cell may contain `several|sub-types`."""
    file = expand_path(path)
    suffixes = [suffix.lower() for suffix in file.suffixes if suffix.lower() not in COMPRESSED]
    suffix = suffixes[-1] if suffixes else ""
    if suffix not in (*DELIMITERS, ".parquet"):
        raise InputError(f"{file}: a table of mentions must be .csv, .tsv (also .gz, .zst) or .parquet")
    if not file.is_file():
        raise InputError(f"there is no file {file}; check the path")
    if suffix == ".parquet":
        return _read_parquet(file)
    return _read_delimited(DelimitedFile(file, DELIMITERS[suffix]), count, subtype)


def _read_parquet(path: Path) -> Columns:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            table = file.read()
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise _unreadable(path, error) from None
    return Columns.from_table(table, RowRef(str(path)))


def _read_delimited(file: DelimitedFile, count: str, subtype: str) -> Columns:
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        table = _read_texts(file)
    except (pa.ArrowException, OSError, UnicodeDecodeError, csv.Error) as error:
        raise _unreadable(file.path, error) from None
    columns = Columns.from_table(table, LineRef(str(file.path), "line", 2, file))
    parts = dict(columns.parts)
    if count in parts:
        parts[count] = _parse_numbers(columns.arrow(count), count, columns.rows)
    if subtype in parts:
        parts[subtype] = pc.split_pattern(parts[subtype], SEPARATOR)
    return Columns(parts, columns.rows)


def _read_texts(file: DelimitedFile) -> Any:
    """Read the table as text, without the unnamed columns that spreadsheets leave behind."""
    import pyarrow as pa
    from pyarrow import csv as arrow

    try:
        table = arrow.read_csv(
            pa.input_stream(file.path),
            parse_options=arrow.ParseOptions(delimiter=file.delimiter, newlines_in_values=True),
            convert_options=arrow.ConvertOptions(
                column_types=dict.fromkeys(file.header(), pa.string()), strings_can_be_null=False
            ),
        )
    except (pa.ArrowInvalid, UnicodeDecodeError):
        file.refuse_faults()
        raise
    return table.select([index for index, name in enumerate(table.column_names) if name])


def _parse_numbers(texts: Any, name: str, rows: RowRef) -> Any:
    """Parse a column of text as numbers; an empty cell is missing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    trimmed = pc.utf8_trim_whitespace(texts)
    trimmed = pc.if_else(pc.equal(trimmed, ""), None, trimmed)
    try:
        return trimmed.cast(pa.float64())
    except pa.ArrowInvalid:
        row = _find_unparsable(trimmed)
        raise InputError(
            f"{rows.name(row)}: {name!r} must be a number; got {texts[row].as_py()!r:.60}"
        ) from None


def _find_unparsable(texts: Any) -> int:
    """Find the first row that is not a number by bisection; Arrow does not report it."""
    low, high = 0, len(texts)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _are_numbers(texts[low:middle]) else (low, middle)
    return low


def _are_numbers(texts: Any) -> bool:
    import pyarrow as pa

    try:
        texts.cast(pa.float64())
    except pa.ArrowInvalid:
        return False
    return True


def _unreadable(path: Path, error: Exception) -> InputError:
    return InputError(f"{path} cannot be read as a table: {str(error).splitlines()[0]}")


@dataclass(frozen=True)
class DelimitedFile:
    """A CSV or TSV file, plain or compressed, whose first record names the columns."""

    path: Path
    delimiter: str

    def records(self) -> Iterator[tuple[int, list[str]]]:
        """Yield every record but empty lines, with the line it begins on, counted from 1."""
        # The module's limit of 131,072 characters is for the whole process: raise it, never lower it.
        csv.field_size_limit(max(csv.field_size_limit(), _MAX_CELL))
        with self._open("strict") as lines:
            reader = csv.reader(lines, delimiter=self.delimiter)
            line = 1
            for cells in reader:
                if cells:
                    yield line, cells
                line = reader.line_num + 1

    def header(self) -> list[str]:
        """Return the names of the columns."""
        return next((cells for _, cells in self.records()), [])

    def refuse_faults(self) -> None:
        """Raise an error for the first line that is not UTF-8, or has more or fewer cells than the header."""
        with self._open("surrogateescape") as lines:
            for number, line in enumerate(lines, start=1):
                if not is_unicode(line):
                    raise EncodingError(
                        f"line {number} of {self.path} is not UTF-8 text; save the file as UTF-8"
                    )
        width = len(self.header())
        for number, cells in self.records():
            if len(cells) != width:
                raise InputError(
                    f"line {number} of {self.path} has {len(cells)} cell(s), but the header has "
                    f"{width}; if a cell contains a {'tab' if self.delimiter == chr(9) else 'comma'} or a "
                    "line break, put it in quotes"
                )

    def _open(self, errors: str) -> Any:
        import pyarrow as pa

        return io.TextIOWrapper(pa.input_stream(self.path), encoding="utf-8-sig", errors=errors, newline="")


@dataclass(frozen=True)
class LineRef(RowRef):
    """Refers to the rows of a CSV or TSV file by the lines of an editor: the header is line 1."""

    file: DelimitedFile | None = None

    def numbers(self, rows: Sequence[int]) -> list[int]:
        """Return the lines on which rows begin: cells may contain line breaks, and lines may be empty."""
        wanted, lines = set(rows), dict[int, int]()
        for row, (line, _) in enumerate(() if self.file is None else self.file.records(), start=-1):
            if row in wanted:
                lines[row] = line
            if len(lines) == len(wanted):
                break
        return [lines.get(row, row + self.first) for row in rows]
