"""Reading documents out of Arrow record batches, which Parquet files and data frames both give."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from colligate.corpus.readers.record import Record
from colligate.errors import CorpusError, EncodingError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from colligate.corpus.readers.columns import Columns
    from colligate.corpus.readers.record import Source

ROWS = 1024
"""Rows turned into Python values at a time: a batch of long texts would not fit twice."""


def batch_records(batches: Iterable[Any], columns: Columns, source: Source) -> Iterator[Record]:
    """Read the rows of all batches in order; rows are counted from 1."""
    number = 0
    for batch in batches:
        for start in range(0, batch.num_rows, ROWS):
            part = batch.slice(start, ROWS)
            cells = {name: _values(part, name, source, number + 1) for name in columns.all}
            for at in range(part.num_rows):
                number += 1
                row = {name: values[at] for name, values in cells.items()}
                yield Record(*columns.read(row.__getitem__, number, source.place(number)), number)


def _values(batch: Any, name: str, source: Source, row: int) -> list[Any]:
    column = batch.column(batch.schema.get_field_index(name))
    try:
        values: list[Any] = column.to_pylist()
    except UnicodeDecodeError as error:
        raise EncodingError(
            f"{source.place(row)} or soon after: {name!r} holds bytes that are not UTF-8 "
            f"(0x{error.object[error.start]:02x}); write the column again as UTF-8"
        ) from error
    except (ValueError, OverflowError) as error:
        raise CorpusError(f"{source.place(row)} or soon after: cannot read {name!r}: {error}") from error
    return values
