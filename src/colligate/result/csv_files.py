"""Writing tables as CSV. What is text in them may come from somebody else, and spreadsheets open them."""

from __future__ import annotations

import csv
import re
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from colligate.files import writing_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

Row = tuple[Any, ...]
# the last four are as wide as East Asian characters, and taken for the same
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")


def write_csv(path: Path, rows: Iterable[Row]) -> None:
    """Write rows as UTF-8 CSV, harmless; text that UTF-8 cannot hold is written with backslashes."""
    write_all({path: rows})


def write_all(tables: Mapping[Path, Iterable[Row]]) -> None:
    """Write several tables, all or none."""
    with ExitStack() as complete:
        for path, rows in tables.items():
            _write_rows(complete.enter_context(writing_file(path)), rows)


def harmless(cell: Any) -> Any:
    """The cell as a CSV file has it: text that a spreadsheet would take for a formula gets a quote first.

    A number stays as it is.
    """
    if isinstance(cell, str) and cell.startswith(FORMULA) and not NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell


def _write_rows(path: Path, rows: Iterable[Row]) -> None:
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as stream:
        csv.writer(stream).writerows(map(harmless, row) for row in rows)
