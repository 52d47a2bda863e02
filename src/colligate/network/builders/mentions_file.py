"""A table of mentions in a file: CSV, TSV or Parquet."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any

from colligate.errors import InputError
from colligate.files import located
from colligate.network.builders.columns import Columns
from colligate.network.builders.delimited import Delimited, Lines
from colligate.network.builders.place import Place

if TYPE_CHECKING:
    import os
    from pathlib import Path

COMPRESSED = (".gz", ".zst")
DELIMITERS = {".csv": ",", ".tsv": "\t"}
SEVERAL = "|"
"""What stands between the sub-types of one cell of a text file."""


def read_mentions(path: str | os.PathLike[str], count: str = "count", subtype: str = "subtype") -> Columns:
    """Read a table; in CSV and TSV all is text but the counts, and a cell may hold `several|sub-types`."""
    file = located(path)
    suffixes = [suffix.lower() for suffix in file.suffixes if suffix.lower() not in COMPRESSED]
    kind = suffixes[-1] if suffixes else ""
    if kind not in (*DELIMITERS, ".parquet"):
        raise InputError(f"{file}: mentions are read from .csv, .tsv (also .gz, .zst) or .parquet")
    if not file.is_file():
        raise InputError(f"there is no file {file}")
    if kind == ".parquet":
        return _parquet(file)
    return _delimited(Delimited(file, DELIMITERS[kind]), count, subtype)


def _parquet(path: Path) -> Columns:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            table = file.read()
    except (pa.ArrowException, OSError) as error:
        raise _unreadable(path, error) from None
    return Columns.of(table, Place(str(path)))


def _delimited(file: Delimited, count: str, subtype: str) -> Columns:
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        table = _texts(file)
    except (pa.ArrowException, OSError, UnicodeDecodeError, csv.Error) as error:
        raise _unreadable(file.path, error) from None
    columns = Columns.of(table, Lines.of(file))
    parts = dict(columns.parts)
    if count in parts:
        parts[count] = _numbers(columns.arrow(count), count, columns.place)
    if subtype in parts:
        parts[subtype] = pc.split_pattern(parts[subtype], SEVERAL)
    return Columns(parts, columns.place)


def _texts(file: Delimited) -> Any:
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


def _numbers(texts: Any, name: str, place: Place) -> Any:
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
