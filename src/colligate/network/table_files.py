"""Columns of a table of any make: pandas, polars, Arrow, whatever gives an Arrow stream, or a mapping.

A table of mentions in a file: CSV, TSV or Parquet.

The records of a CSV or TSV file with the lines they begin on, and what is wrong with such a file.

Tables are read by Arrow, which is quick but does not tell lines; a file is gone through here for its header
and, where something is to be told of it, once more.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from colligate._storage.atomic import expand_path
from colligate.errors import EncodingError, InputError
from colligate.network.assembly import Categorical, IntArray
from colligate.network.validation import RowRef, Weights, check_weights

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence
    from pathlib import Path

COMPRESSED = (".gz", ".zst")
DELIMITERS = {".csv": ",", ".tsv": "\t"}
SEPARATOR = "|"
"""What stands between the sub-types of one cell of a text file."""
_LONGEST_CELL = 2**31 - 1


@dataclass(frozen=True, eq=False)
class Columns:
    """The columns of a user's table, turned into numbers only when they are asked for."""

    parts: Mapping[str, Any]
    place: RowRef

    @classmethod
    def of(cls, table: Any, place: RowRef) -> Columns:
        """Take a table; `place` is how messages call it. A column that stands twice is refused."""
        found = _named(table, place.what)
        parts = dict(found)
        if len(parts) < len(found):
            names = [name for name, _ in found]
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError(f"the column {twice!r:.60} stands twice in {place.what}; rename or remove one")
        return cls(parts, place)

    def __contains__(self, name: str) -> bool:
        return name in self.parts

    def arrow(self, name: str) -> Any:
        """One column as a plain Arrow array."""
        if name not in self.parts:
            raise InputError(
                f"there is no column {name!r} in {self.place.what}; the columns are "
                f"{', '.join(map(repr, self.parts)) or 'none'}"
            )
        what = f"column {name!r} of {self.place.what}"
        if not _is_column(self.parts[name]):
            raise InputError(f"{what} must be a list of values; got {type(self.parts[name]).__name__}")
        lengths = {len(part) for part in self.parts.values() if _is_column(part)}
        if len(lengths) > 1:
            raise InputError(f"the columns of {self.place.what} differ in length: {sorted(lengths)}")
        return _arrow(self.parts[name], what)

    def texts(self, name: str) -> Categorical:
        """A column of names; whole numbers are names too, and nothing may be missing or empty."""
        return self.names(self.arrow(name), name)

    def ends(self, name: str) -> Categorical | IntArray:
        """A column of objects: positions where it holds whole numbers, otherwise names."""
        import pyarrow as pa

        array = self.arrow(name)
        if not (pa.types.is_integer(array.type) or pa.types.is_floating(array.type)):
            return self.names(array, name)
        self._refuse_missing(array, name)
        try:
            positions: IntArray = array.cast(pa.int64()).to_numpy()
        except pa.ArrowException as error:
            raise InputError(
                f"column {name!r} of {self.place.what} must hold names (text) or positions (whole numbers); "
                f"{error}"
            ) from error
        return positions

    def names(self, array: Any, name: str) -> Categorical:
        """Number an Arrow array of names that came from the column `name`."""
        import pyarrow.compute as pc

        texts = cast_to_text(array, f"column {name!r} of {self.place.what}")
        self._refuse_missing(texts, name)
        empty = pc.index(pc.binary_length(texts), 0).as_py()
        if empty >= 0:
            raise InputError(f"{self.place.at(empty)} has an empty {name!r}; name it, or leave the row out")
        return Categorical.of(texts)

    def weights(self, name: str) -> Weights:
        """A column of finite numbers, none of them negative."""
        array = self.arrow(name)
        self._refuse_missing(array, name)
        return check_weights(array.to_numpy(zero_copy_only=False), name, self.place)

    def _refuse_missing(self, array: Any, name: str) -> None:
        if array.null_count:
            import numpy as np

            row = int(np.flatnonzero(array.is_null(nan_is_null=True).to_numpy(zero_copy_only=False))[0])
            raise InputError(f"{self.place.at(row)} has no {name!r}; give it, or leave the row out")


def cast_to_text(array: Any, what: str) -> Any:
    """An Arrow array of text or whole numbers as one of large strings."""
    import pyarrow as pa

    kinds = pa.types
    if kinds.is_dictionary(array.type):
        array = array.dictionary_decode()
    readable = (
        kinds.is_integer,
        kinds.is_string,
        kinds.is_large_string,
        kinds.is_string_view,
        kinds.is_null,
    )
    if not any(fits(array.type) for fits in readable):
        raise InputError(f"{what} must hold text; it holds {array.type}")
    return array.cast(pa.large_string())


def _named(table: Any, what: str) -> list[tuple[str, Any]]:
    """The columns in their order, each with its name."""
    if isinstance(table, Mapping):
        return [(str(name), values) for name, values in table.items()]
    if type(table).__module__.partition(".")[0] == "pandas" and hasattr(table, "columns"):
        return [(str(name), table.iloc[:, at]) for at, name in enumerate(table.columns)]
    if hasattr(table, "__arrow_c_stream__"):
        import pyarrow as pa

        found = pa.table(table)
        return list(zip(found.column_names, found.columns, strict=True))
    raise InputError(
        f"{what} must be a DataFrame (pandas, polars), an Arrow table or a mapping of columns; "
        f"got {type(table).__name__}"
    )


def _is_column(values: Any) -> bool:
    return hasattr(values, "__len__") and not isinstance(values, str | bytes)


def _arrow(values: Any, what: str) -> Any:
    import pyarrow as pa

    try:
        stream = hasattr(values, "__arrow_c_stream__") and not isinstance(values, pa.ChunkedArray)
        array = pa.chunked_array(values) if stream else values
        if not isinstance(array, pa.Array | pa.ChunkedArray):
            array = pa.array(array, from_pandas=True)
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        raise InputError(
            f"{what} cannot be read ({error}); make all its values text, or all of them numbers"
        ) from error
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def read_mentions(path: str | os.PathLike[str], count: str = "count", subtype: str = "subtype") -> Columns:
    """Read a table; in CSV and TSV all is text but the counts, and a cell may hold `several|sub-types`."""
    file = expand_path(path)
    suffixes = [suffix.lower() for suffix in file.suffixes if suffix.lower() not in COMPRESSED]
    kind = suffixes[-1] if suffixes else ""
    if kind not in (*DELIMITERS, ".parquet"):
        raise InputError(f"{file}: mentions are read from .csv, .tsv (also .gz, .zst) or .parquet")
    if not file.is_file():
        raise InputError(f"there is no file {file}")
    if kind == ".parquet":
        return _parquet(file)
    return _delimited(DelimitedFile(file, DELIMITERS[kind]), count, subtype)


def _parquet(path: Path) -> Columns:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            table = file.read()
    except (pa.ArrowException, OSError) as error:
        raise _unreadable(path, error) from None
    return Columns.of(table, RowRef(str(path)))


def _delimited(file: DelimitedFile, count: str, subtype: str) -> Columns:
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        table = _texts(file)
    except (pa.ArrowException, OSError, UnicodeDecodeError, csv.Error) as error:
        raise _unreadable(file.path, error) from None
    columns = Columns.of(table, LineRef.of(file))
    parts = dict(columns.parts)
    if count in parts:
        parts[count] = _numbers(columns.arrow(count), count, columns.place)
    if subtype in parts:
        parts[subtype] = pc.split_pattern(parts[subtype], SEPARATOR)
    return Columns(parts, columns.place)


def _texts(file: DelimitedFile) -> Any:
    """The table, all of it text; columns without a name, such as spreadsheets leave behind, are left out."""
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
    return table.select([at for at, name in enumerate(table.column_names) if name])


def _numbers(texts: Any, name: str, place: RowRef) -> Any:
    """A column of text as numbers; an empty cell is none."""
    import pyarrow as pa
    import pyarrow.compute as pc

    trimmed = pc.utf8_trim_whitespace(texts)
    trimmed = pc.if_else(pc.equal(trimmed, ""), None, trimmed)
    try:
        return trimmed.cast(pa.float64())
    except pa.ArrowInvalid:
        row = _first_unreadable(trimmed)
        raise InputError(
            f"{place.at(row)}: {name!r} must be a number; got {texts[row].as_py()!r:.60}"
        ) from None


def _first_unreadable(texts: Any) -> int:
    """The first row that is no number, by halves: there is one, and Arrow does not say which."""
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
class LineRef(RowRef):
    """The rows of a CSV or TSV file, known by the lines of an editor: the header is line 1."""

    file: DelimitedFile | None = None

    @classmethod
    def of(cls, file: DelimitedFile) -> LineRef:
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
