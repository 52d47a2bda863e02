"""A frame: a table of a result that pandas, polars, DuckDB and Arrow can read."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from colligate._html import Table, make_card
from colligate._text import list_first
from colligate.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

SHOWN_ROWS = 8
NAMES_SHOWN = 6


class Frame:
    """A table of a result. It cannot be changed.

    It is Arrow inside. `to_pandas` and `to_polars` return data frames. Everything that reads Arrow streams
    takes it as it is: `polars.DataFrame(frame)`, `pyarrow.table(frame)`, `duckdb.sql("from frame")`.

    Attributes
    ----------
    name : str
        What the rows are.
    """

    def __init__(self, name: str, table: Any) -> None:
        self.name = name
        self._table = table

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self._table.column_names)

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and of columns."""
        return int(self._table.num_rows), int(self._table.num_columns)

    def to_arrow(self) -> Any:
        """Return the frame as a `pyarrow.Table`, without a copy."""
        return self._table

    def to_pandas(self) -> Any:
        """Return the frame as a pandas DataFrame; pandas must be installed."""
        try:
            return self._table.to_pandas()
        except ModuleNotFoundError as error:
            raise _not_installed_error("pandas") from error

    def to_polars(self) -> Any:
        """Return the frame as a polars DataFrame; polars must be installed."""
        try:
            import polars
        except ModuleNotFoundError as error:
            raise _not_installed_error("polars") from error
        return polars.from_arrow(self._table)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the rows as dictionaries."""
        for batch in self._table.to_batches(max_chunksize=1024):
            yield from batch.to_pylist()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)

    def __getitem__(self, column: str) -> Any:
        """Return a column as a `pyarrow.ChunkedArray`."""
        if column not in self._table.column_names:
            raise KeyError(f"{self.name} have no column {column!r:.60}, but {self._list_columns()}")
        return self._table.column(column)

    def __len__(self) -> int:
        return int(self._table.num_rows)

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __repr__(self) -> str:
        return f"Frame({self.name}: {len(self):,} rows, columns {self._list_columns()})"

    def _repr_html_(self) -> str:
        rows = [list(row.values()) for row in islice(self.rows(), SHOWN_ROWS)]
        more = len(self) - len(rows)
        numeric = {
            name
            for name, kind in zip(self.columns, self._table.schema.types, strict=True)
            if any(word in str(kind) for word in ("int", "double", "float")) and "dictionary" not in str(kind)
        }
        note = f"and {more:,} more rows; to_pandas(), to_polars() and to_arrow() return all" if more else ""
        heading = f"{self.name.capitalize()}: {len(self):,} rows, {len(self.columns)} columns"
        return make_card(heading, "", Table(self.columns, rows, note, frozenset(numeric)))

    def _list_columns(self) -> str:
        return list_first(self.columns, NAMES_SHOWN)


def _not_installed_error(package: str) -> InputError:
    return InputError(f"{package} is not installed; install it, or use to_arrow()")
