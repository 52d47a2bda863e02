"""Columns of a user's table: pandas, polars, Arrow, anything with an Arrow stream, or a mapping."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from colligate.errors import InputError
from colligate.network.validation import RowRef, Weights, check_weights

if TYPE_CHECKING:
    from collections.abc import Iterator

IntArray = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Categorical:
    """A column of names as numbers: `distinct` is sorted, and `codes` gives each row's position in it."""

    codes: IntArray
    distinct: list[str]

    def __len__(self) -> int:
        return len(self.codes)

    @classmethod
    def from_arrow(cls, texts: Any) -> Categorical:
        """Number the names of an Arrow array of text without nulls."""
        import pyarrow.compute as pc

        encoded = texts.dictionary_encode()
        # only the distinct names are sorted and become Python strings
        order = pc.sort_indices(encoded.dictionary)
        rank = np.empty(len(order), dtype=np.int64)
        rank[order.to_numpy()] = np.arange(len(order))
        return cls(rank[encoded.indices.to_numpy()], encoded.dictionary.take(order).to_pylist())

    def __getitem__(self, rows: IntArray | NDArray[np.bool_]) -> Categorical:
        """Select rows, with only the names that occur in them."""
        kept, codes = np.unique(self.codes[rows], return_inverse=True)
        return Categorical(codes.astype(np.int64), [self.distinct[code] for code in kept.tolist()])

    def look_up(self, table: Mapping[str, int]) -> IntArray:
        """Return for every row the value of its name in `table`; -1 if there is none."""
        values = (table.get(name, -1) for name in self.distinct)
        return np.fromiter(values, dtype=np.int64, count=len(self.distinct))[self.codes]

    def items(self, rows: IntArray) -> Iterator[tuple[str, int]]:
        """Yield names with their rows."""
        return ((self.distinct[self.codes[row]], row) for row in rows.tolist())


@dataclass(frozen=True, eq=False)
class Columns:
    """The columns of a user's table, which are converted only when they are used."""

    parts: Mapping[str, Any]
    rows: RowRef

    @classmethod
    def from_table(cls, table: Any, rows: RowRef) -> Columns:
        """Take a table; `rows` is how messages refer to it. A repeated column is refused."""
        named = _list_columns(table, rows.what)
        parts = dict(named)
        if len(parts) < len(named):
            names = [name for name, _ in named]
            repeated = next(name for name in names if names.count(name) > 1)
            raise InputError(f"the column {repeated!r:.60} occurs twice in {rows.what}; rename or remove one")
        return cls(parts, rows)

    def __contains__(self, name: str) -> bool:
        return name in self.parts

    def arrow(self, name: str) -> Any:
        """Return one column as an Arrow array."""
        if name not in self.parts:
            raise InputError(
                f"there is no column {name!r} in {self.rows.what}; the columns are "
                f"{', '.join(map(repr, self.parts)) or 'none'}"
            )
        what = f"column {name!r} of {self.rows.what}"
        if not _is_column(self.parts[name]):
            raise InputError(f"{what} must be a list of values; got {type(self.parts[name]).__name__}")
        lengths = {len(part) for part in self.parts.values() if _is_column(part)}
        if len(lengths) > 1:
            raise InputError(
                f"the columns of {self.rows.what} differ in length: {sorted(lengths)}; give one value for "
                "each row in every column"
            )
        return _to_arrow(self.parts[name], what)

    def names(self, column: str) -> Categorical:
        """Return a column of names: text or whole numbers, none of them missing or empty."""
        return self._number_names(self.arrow(column), column)

    def names_or_positions(self, column: str) -> Categorical | IntArray:
        """Return a column of objects: positions if it holds whole numbers, otherwise names."""
        import pyarrow as pa

        array = self.arrow(column)
        if not (pa.types.is_integer(array.type) or pa.types.is_floating(array.type)):
            return self._number_names(array, column)
        self._refuse_missing(array, column)
        try:
            positions: IntArray = array.cast(pa.int64()).to_numpy()
        except pa.ArrowException as error:
            raise InputError(
                f"column {column!r} of {self.rows.what} must contain names (text) or positions (whole "
                f"numbers); {error}"
            ) from error
        return positions

    def weights(self, column: str) -> Weights:
        """Return a column of finite, non-negative numbers."""
        array = self.arrow(column)
        self._refuse_missing(array, column)
        return check_weights(array.to_numpy(zero_copy_only=False), column, self.rows)

    def _number_names(self, array: Any, column: str) -> Categorical:
        import pyarrow.compute as pc

        texts = cast_to_text(array, f"column {column!r} of {self.rows.what}")
        self._refuse_missing(texts, column)
        empty = pc.index(pc.binary_length(texts), 0).as_py()
        if empty >= 0:
            raise InputError(
                f"{self.rows.name(empty)}: the column {column!r} is empty; fill it in, or leave out the row"
            )
        try:
            return Categorical.from_arrow(texts)
        except UnicodeDecodeError as error:
            # Parquet and Arrow do not check it
            raise InputError(
                f"column {column!r} of {self.rows.what} contains bytes that are not UTF-8 "
                f"(0x{error.object[error.start]:02x}); write the column again as UTF-8"
            ) from error

    def _refuse_missing(self, array: Any, column: str) -> None:
        if array.null_count:
            row = int(np.flatnonzero(array.is_null(nan_is_null=True).to_numpy(zero_copy_only=False))[0])
            raise InputError(
                f"{self.rows.name(row)}: the column {column!r} is empty; fill it in, or leave out the row"
            )


def cast_to_text(array: Any, what: str) -> Any:
    """Cast an Arrow array of text or whole numbers to large strings."""
    import pyarrow as pa

    is_type = pa.types
    if is_type.is_dictionary(array.type):
        array = array.dictionary_decode()
    accepted = (
        is_type.is_integer,
        is_type.is_string,
        is_type.is_large_string,
        is_type.is_string_view,
        is_type.is_null,
    )
    if not any(accepts(array.type) for accepts in accepted):
        raise InputError(f"{what} must contain text; it contains {array.type}")
    return array.cast(pa.large_string())


def _list_columns(table: Any, what: str) -> list[tuple[str, Any]]:
    """List the columns of a table in their order, each with its name."""
    if isinstance(table, Mapping):
        return [(str(name), values) for name, values in table.items()]
    if type(table).__module__.partition(".")[0] == "pandas" and hasattr(table, "columns"):
        # by position: two columns of one name would come as a frame
        return [(str(name), table.iloc[:, index]) for index, name in enumerate(table.columns)]
    if hasattr(table, "__arrow_c_stream__"):
        import pyarrow as pa

        arrow = pa.table(table)
        return list(zip(arrow.column_names, arrow.columns, strict=True))
    raise InputError(
        f"{what} must be a DataFrame (pandas, polars), an Arrow table or a mapping of columns; "
        f"got {type(table).__name__}"
    )


def _is_column(values: Any) -> bool:
    return hasattr(values, "__len__") and not isinstance(values, str | bytes)


def _to_arrow(values: Any, what: str) -> Any:
    import pyarrow as pa

    try:
        has_stream = hasattr(values, "__arrow_c_stream__") and not isinstance(values, pa.ChunkedArray)
        array = pa.chunked_array(values) if has_stream else values
        if not isinstance(array, pa.Array | pa.ChunkedArray):
            # NaN, too, means that a value is missing
            array = pa.array(array, from_pandas=True)
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        raise InputError(
            f"{what} cannot be read ({error}); make all values text, or all values numbers"
        ) from error
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
