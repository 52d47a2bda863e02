"""Rows of CSV, TSV and Parquet files as texts by column, each with the place where it stands."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any

from colligate.corpus.readers.decoding import encoding_of, lines_of
from colligate.corpus.readers.delimiter import delimiter_of
from colligate.corpus.readers.meter import Meter
from colligate.corpus.readers.opening import opening, plain_suffix, size_of
from colligate.errors import CorpusError, EncodingError, KnowledgeBaseError
from colligate.progress import nobody

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from colligate.progress import Listener

SEVERAL = "|"
"""What stands between several values of one cell."""

TABLES = (".csv", ".tsv", ".parquet")
Row = tuple[str, dict[str, str]]
ROWS = 4096


def header_of(path: Path) -> tuple[str, ...]:
    """The names of the columns."""
    if plain_suffix(path) == ".parquet":
        return tuple(_parquet(path).schema_arrow.names)
    with opening(path) as opened:
        lines = lines_of(opened, _encoding(path), newline="")
        first = next(lines, "")
        cells = next(csv.reader([first], delimiter=_delimiter(path, first)), [])
    return tuple(cell.strip() for cell in cells)


def table_rows(path: Path, listener: Listener) -> Iterator[Row]:
    """The rows in order; a cell without a value is empty."""
    return _parquet_rows(path) if plain_suffix(path) == ".parquet" else _delimited_rows(path, listener)


def _delimited_rows(path: Path, listener: Listener) -> Iterator[Row]:
    header = header_of(path)
    meter = Meter(listener, f"loading {path.name}", size_of(path))
    with opening(path) as opened:
        lines = lines_of(opened, _encoding(path), newline="")
        reader = csv.reader(lines, delimiter=_delimiter(path, next(lines, "")), strict=True)
        while True:
            place = f"{path}:{reader.line_num + 2}"
            try:
                cells = next(reader, None)
            except csv.Error as error:
                raise KnowledgeBaseError(f"{place}: malformed row ({error}); mend its quotes") from error
            if cells is None:
                break
            meter.at(opened.position)
            if cells:
                yield place, _by_column(header, cells, place)
    meter.finish()


def _encoding(path: Path) -> str:
    """The encoding of a table; none can be told here, so the advice is another than for documents."""
    try:
        return encoding_of(path, None, nobody)
    except (EncodingError, CorpusError) as error:
        told = str(error).rpartition("; ")[0]
        raise KnowledgeBaseError(f"{told}; write the table in UTF-8") from error


def _by_column(header: tuple[str, ...], cells: list[str], place: str) -> dict[str, str]:
    if len(cells) != len(header):
        raise KnowledgeBaseError(f"{place}: {len(cells)} cell(s) where the header has {len(header)}")
    return dict(zip(header, map(str.strip, cells), strict=True))


def _delimiter(path: Path, header: str) -> str:
    return "\t" if plain_suffix(path) == ".tsv" else delimiter_of(header)


def _parquet_rows(path: Path) -> Iterator[Row]:
    number = 0
    for batch in _parquet(path).iter_batches(ROWS):
        for row in batch.to_pylist():
            number += 1
            place = f"{path}, row {number}"
            yield place, {name: _text(value, name, place) for name, value in row.items()}


def _parquet(path: Path) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    size_of(path)
    try:
        return pq.ParquetFile(path)
    except (pa.ArrowException, OSError) as error:
        raise KnowledgeBaseError(f"cannot read {path} as Parquet: {error}") from error


def _text(value: Any, name: str, place: str) -> str:
    if value is None:
        return ""
    if isinstance(value, list | tuple):
        return SEVERAL.join(_text(each, name, place) for each in value)
    if isinstance(value, str | int) and not isinstance(value, bool):
        return str(value).strip()
    raise KnowledgeBaseError(f"{place}: {name!r} must be text; got {type(value).__name__}")
