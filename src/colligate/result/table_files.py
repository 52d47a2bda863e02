"""The tables of a result as files: CSV, Excel workbooks, or Parquet.

A workbook has types, a frozen header and filters. Text is always written as text, never as a formula or a
link. Excel has limits, which are kept: a cell has at most 32,767 characters, a sheet 1,048,576 rows.
"""

from __future__ import annotations

import math
import re
import warnings
from contextlib import ExitStack
from datetime import date, datetime
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from colligate._storage.atomic import wrap_write_errors, write_file
from colligate.corpus.partitions import PartitionTexts
from colligate.errors import CutTextWarning, InputError, ParameterError
from colligate.result.tables import (
    CSV_BATCH_ROWS,
    documents_table,
    groups_table,
    make_table_rows,
    make_tables,
    name_tables,
    write_csv_files,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from colligate.result.result import Result


FORMATS = ("csv", "xlsx", "parquet")
PART_ROWS = 1_000_000
"""Rows of a part of the documents where the source has no partitions of texts."""
MAX_CELL = 32_767
MAX_ROWS = 1_048_576
MAX_SHEET_NAME = 31
# Excel stores numbers with 15 digits; a longer number is an id, and stays exact as text.
MAX_EXACT = 10**15
FIRST_YEAR = 1900
WIDTHS = {
    "text": 80,
    "title": 50,
    "id": 18,
    "name": 32,
    "note": 50,
    "top_words": 80,
    "subject": 24,
    "object": 24,
}
WIDTH = 14
# XML cannot hold these characters, and Excel repairs a workbook that has their escapes in another form.
UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def write_tables(result: Result, folder: Path, format: str = "csv") -> list[Path]:
    """Write every table of the result, all or none; knowledge only with knowledge."""
    check_format(format)
    files = {folder / f"{name}.{format}": table for name, table in make_tables(result).items()}
    parts = []
    if result.network.is_sharded:
        # the first table is that of the documents
        path, documents = next(iter(files.items()))
        del files[path]
        parts = [write_parts(documents, path.with_suffix(".parquet"), list_parts_of(result))]
    write_table_files(files, format)
    return [*parts, *files]


def list_parts_of(result: Result) -> list[int]:
    """Return where the partitions of the documents start, and where the last ends."""
    texts = None if result.corpus is None else result.corpus.texts
    if isinstance(texts, PartitionTexts):
        return [int(start) for start in texts.starts]
    return [*range(0, len(result.labels[result.centre]), PART_ROWS), len(result.labels[result.centre])]


def write_parts(table: Any, folder: Path, starts: list[int]) -> Path:
    """Write a table as a folder of Parquet files, one for each range of rows; return the folder."""
    import pyarrow.parquet as pq

    with wrap_write_errors(folder):
        folder.mkdir(parents=True)
    for number, (start, stop) in enumerate(pairwise(starts)):
        with write_file(folder / f"part-{number:05}.parquet") as target:
            pq.write_table(table.slice(start, stop - start), target)
    return folder


def write_documents(result: Result, path: Path, format: str | None = None, *, quiet: bool = False) -> Path:
    """Write the documents, with their columns and texts; without a format, the name of the file decides.

    A workbook also has the groups and the knowledge. If `quiet`, only the workbook itself says that texts
    were cut.
    """
    chosen = check_format(format or path.suffix.lower().removeprefix("."))
    if chosen == "xlsx":
        with write_file(path) as target:
            _write_workbook(_make_sheets(result), target, path, quiet=quiet)
    else:
        write_table_files({path: documents_table(result)}, chosen)
    return path


def _make_sheets(result: Result) -> dict[str, Any]:
    """Make the sheets of a workbook by their names: documents, groups, and with knowledge its statements."""
    import pyarrow as pa

    documents = name_tables(result.network.types)[result.centre]
    sheets = {documents.capitalize(): documents_table(result), "Groups": groups_table(result)}
    if result.compiled is None:
        return sheets
    audit = result.audit()
    # a lexicon may imply more links than a sheet has rows; the documents are written all the same
    too_many = f"{len(audit):,} statements do not fit on a sheet; they are in knowledge.csv of all tables"
    return sheets | {"Knowledge": audit.table() if len(audit) < MAX_ROWS else pa.table({"note": [too_many]})}


def check_format(format: str) -> str:
    """Return the format of tables, or refuse it."""
    if format not in FORMATS:
        raise ParameterError(
            f'format must be "csv", "xlsx" or "parquet"; got {format!r:.60}', parameter="format"
        )
    return format


def write_table_files(files: Mapping[Path, Any], format: str) -> None:
    """Write Arrow tables or streams in one format, all or none; warn about texts that were cut."""
    if format == "csv":
        write_csv_files({path: make_table_rows(table) for path, table in files.items()})
        return
    with ExitStack() as complete:
        for path, table in files.items():
            target = complete.enter_context(write_file(path))
            if format == "parquet":
                _write_parquet(table, target)
            else:
                _write_workbook({path.stem: table}, target, path)


def _write_parquet(table: Any, target: Path) -> None:
    from pyarrow import parquet

    with parquet.ParquetWriter(target, table.schema, compression="zstd") as writer:
        for batch in table.to_batches() if hasattr(table, "to_batches") else table:
            writer.write_batch(batch)


def _write_workbook(sheets: Mapping[str, Any], target: Path, path: Path, *, quiet: bool = False) -> None:
    """Write a workbook of tables by the names of their sheets; warn about texts that were cut."""
    from xlsxwriter import Workbook

    options = {
        # Row by row to a temporary file: a large corpus would not fit in memory.
        "constant_memory": True,
        "strings_to_formulas": False,
        "strings_to_numbers": False,
        "strings_to_urls": False,
    }
    with Workbook(str(target), options) as book:
        n_cut = sum(_write_sheet(book, name, _read_all(table), path) for name, table in sheets.items())
        if n_cut:
            _add_note(book, n_cut)
    if n_cut and not quiet:
        warnings.warn(
            f"{path.name}: {n_cut:,} texts are longer than a cell of Excel ({MAX_CELL:,} characters) "
            "and were cut; write Parquet or CSV to keep whole texts",
            CutTextWarning,
            stacklevel=3,
        )


def _read_all(table: Any) -> Any:
    return table.read_all() if hasattr(table, "read_all") else table


def _write_sheet(book: Any, name: str, table: Any, path: Path) -> int:
    """Write one sheet, and return how many texts were cut."""
    if table.num_rows + 1 > MAX_ROWS:
        raise InputError(
            f"the sheet {name} of {path.name} would have {table.num_rows + 1:,} rows, and a sheet of Excel "
            f"has at most {MAX_ROWS:,}; write Parquet or CSV"
        )
    sheet = book.add_worksheet(name[:MAX_SHEET_NAME].strip("'") or "table")
    bold, day = book.add_format({"bold": True}), book.add_format({"num_format": "yyyy-mm-dd"})
    moment = book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
    for column, title in enumerate(table.column_names):
        sheet.set_column(column, column, WIDTHS.get(title, WIDTH))
    sheet.freeze_panes(1, 0)
    sheet.autofilter(0, 0, table.num_rows, max(table.num_columns - 1, 0))
    for column, title in enumerate(table.column_names):
        sheet.write_string(0, column, clip_cell(str(title))[0], bold)
    return sum(
        _write_cell(sheet, row, column, value, day, moment)
        for row, cells in enumerate(_list_rows(table), start=1)
        for column, value in enumerate(cells)
    )


def _list_rows(table: Any) -> Iterator[tuple[Any, ...]]:
    for batch in table.to_batches(max_chunksize=CSV_BATCH_ROWS):
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def _write_cell(sheet: Any, row: int, column: int, value: Any, day: Any, moment: Any) -> bool:
    """Write one cell by its type, and tell whether its text was cut."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return False
    if isinstance(value, bool):
        sheet.write_boolean(row, column, value)
    elif isinstance(value, int | float) and abs(value) < MAX_EXACT:
        sheet.write_number(row, column, value)
    elif isinstance(value, date) and value.year > FIRST_YEAR and getattr(value, "tzinfo", None) is None:
        sheet.write_datetime(row, column, value, moment if isinstance(value, datetime) else day)
    else:
        text = value.isoformat() if isinstance(value, date) else str(value)
        clipped, is_cut = clip_cell(text)
        sheet.write_string(row, column, clipped)
        return is_cut
    return False


def clip_cell(text: str) -> tuple[str, bool]:
    """Return a text that a cell can hold, and whether it was cut.

    It has no character that XML lacks, and at most 32,767 units of UTF-16, which Excel counts as characters.
    Lines end with a line feed: other programs than Excel show the escape of a carriage return.
    """
    writable = UNWRITABLE.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))
    encoded = writable.encode("utf-16-le") if 2 * len(writable) > MAX_CELL else b""
    if len(encoded) <= 2 * MAX_CELL:
        return writable, False
    mark = f" … [cut: the text has {len(text):,} characters]"
    return encoded[: 2 * (MAX_CELL - len(mark))].decode("utf-16-le", errors="ignore") + mark, True


def _add_note(book: Any, n_cut: int) -> None:
    note = book.add_worksheet("About")
    note.set_column(0, 0, 100)
    note.write_string(
        0,
        0,
        f"{n_cut:,} texts are longer than a cell of Excel can be and were cut. They end with “[cut: …]”. "
        "Export Parquet or CSV for whole texts.",
    )
