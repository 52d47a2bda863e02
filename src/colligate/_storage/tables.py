"""Parquet files of stored folders: read only if their size and their columns are what they should be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

LARGEST_RATIO = 2_000
"""A table may unfold to so many times its file; texts that repeat compress well."""
ALWAYS_ALLOWED = 1 << 28
"""A table up to this size in bytes is read whatever its ratio."""


class RowCountError(ValueError):
    """A table has another number of rows than it should."""


def read_table(
    path: Path, rows: int | None = None, texts: Iterable[str] = (), numbers: Iterable[str] = ()
) -> Any:
    """Read a Parquet file as an Arrow table; raise ValueError if it is not what it should be.

    Parameters
    ----------
    path
        The file.
    rows
        The number of rows it must have.
    texts, numbers
        The columns that must be there, without missing values: those of texts, and those of numbers.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    with path.open("rb") as stream:
        file = pq.ParquetFile(stream)
        # all before reading: a small file may unfold to any size
        if rows is not None and file.metadata.num_rows != rows:
            raise RowCountError(f"it has {file.metadata.num_rows} rows, not {rows}")
        groups = (file.metadata.row_group(number) for number in range(file.metadata.num_row_groups))
        unfolded, limit = sum(group.total_byte_size for group in groups), path.stat().st_size * LARGEST_RATIO
        if unfolded > max(limit, ALWAYS_ALLOWED):
            raise ValueError(f"it would unfold to {unfolded:,} bytes, {LARGEST_RATIO:,} times its size")
        names = file.schema_arrow.names
        if len(set(names)) < len(names):
            raise ValueError("two of its columns have the same name")
        table = file.read()
    is_type = pa.types
    for name in texts:
        kind = _find_type(table, name)
        if not (is_type.is_string(kind) or is_type.is_large_string(kind)):
            raise ValueError(f"its column {name!a:.60} must be text; it is {kind}")
    for name in numbers:
        kind = _find_type(table, name)
        if not (is_type.is_integer(kind) or is_type.is_float32(kind) or is_type.is_float64(kind)):
            raise ValueError(f"its column {name!a:.60} must be numbers; it is {kind}")
    # texts that are not UTF-8, and offsets beyond the data
    table.validate(full=True)
    return table


def _find_type(table: Any, name: str) -> Any:
    if name not in table.column_names:
        raise ValueError(f"it has no column {name!a:.60}")
    if table.column(name).null_count:
        raise ValueError(f"its column {name!a:.60} has missing values")
    return table.schema.field(name).type
