"""A table of mentions in a file: CSV, TSV or Parquet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from colligate.errors import InputError
from colligate.files import located

if TYPE_CHECKING:
    import os
    from pathlib import Path

    import pyarrow as pa

COMPRESSED = (".gz", ".zst")
SEVERAL = "|"
"""What stands between the sub-types of one cell of a text file."""


def read_mentions(path: str | os.PathLike[str], count: str = "count", subtype: str = "subtype") -> pa.Table:
    """Read a table; in CSV and TSV all is text but the counts, and a cell may hold `several|sub-types`."""
    file = located(path)
    suffixes = [suffix.lower() for suffix in file.suffixes if suffix.lower() not in COMPRESSED]
    kind = suffixes[-1] if suffixes else ""
    if kind not in (".csv", ".tsv", ".parquet"):
        raise InputError(f"{file}: mentions are read from .csv, .tsv (also .gz, .zst) or .parquet")
    if not file.is_file():
        raise InputError(f"there is no file {file}")
    import pyarrow as pa

    try:
        return _parquet(file) if kind == ".parquet" else _delimited(file, kind, count, subtype)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file} cannot be read as a table: {str(error).splitlines()[0]}") from None


def _parquet(path: Path) -> pa.Table:
    import pyarrow.parquet as pq

    return pq.read_table(path)


def _delimited(path: Path, kind: str, count: str, subtype: str) -> pa.Table:
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import csv

    types: dict[str, Any] = {count: pa.float64(), **dict.fromkeys(_header(path, kind) - {count}, pa.string())}
    table = csv.read_csv(
        pa.input_stream(path),
        parse_options=csv.ParseOptions(delimiter=_delimiter(kind), newlines_in_values=True),
        convert_options=csv.ConvertOptions(column_types=types, strings_can_be_null=False),
    )
    if subtype in table.column_names:
        cells = pc.split_pattern(table[subtype], SEVERAL)
        table = table.set_column(table.column_names.index(subtype), subtype, cells)
    return table


def _header(path: Path, kind: str) -> set[str]:
    import csv
    import io

    import pyarrow as pa

    with io.TextIOWrapper(pa.input_stream(path), encoding="utf-8-sig", newline="") as lines:
        return set(next(csv.reader(lines, delimiter=_delimiter(kind)), []))


def _delimiter(kind: str) -> str:
    return "\t" if kind == ".tsv" else ","
