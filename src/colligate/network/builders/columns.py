"""Columns of a table of any make: pandas, polars, Arrow, whatever gives an Arrow stream, or a mapping."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from colligate.errors import InputError
from colligate.network.builders.coded import Coded, IntArray
from colligate.network.builders.weights import Weights, checked_weights

if TYPE_CHECKING:
    from colligate.network.builders.place import Place


@dataclass(frozen=True, eq=False)
class Columns:
    """The columns of a user's table, turned into numbers only when they are asked for."""

    parts: Mapping[str, Any]
    place: Place

    @classmethod
    def of(cls, table: Any, place: Place) -> Columns:
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

    def texts(self, name: str) -> Coded:
        """A column of names; whole numbers are names too, and nothing may be missing or empty."""
        return self.names(self.arrow(name), name)

    def ends(self, name: str) -> Coded | IntArray:
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

    def names(self, array: Any, name: str) -> Coded:
        """Number an Arrow array of names that came from the column `name`."""
        import pyarrow.compute as pc

        texts = as_text(array, f"column {name!r} of {self.place.what}")
        self._refuse_missing(texts, name)
        empty = pc.index(pc.binary_length(texts), 0).as_py()
        if empty >= 0:
            raise InputError(f"{self.place.at(empty)} has an empty {name!r}; name it, or leave the row out")
        return Coded.of(texts)

    def weights(self, name: str) -> Weights:
        """A column of finite numbers, none of them negative."""
        array = self.arrow(name)
        self._refuse_missing(array, name)
        return checked_weights(array.to_numpy(zero_copy_only=False), name, self.place)

    def _refuse_missing(self, array: Any, name: str) -> None:
        if array.null_count:
            import numpy as np

            row = int(np.flatnonzero(array.is_null(nan_is_null=True).to_numpy(zero_copy_only=False))[0])
            raise InputError(f"{self.place.at(row)} has no {name!r}; give it, or leave the row out")


def as_text(array: Any, what: str) -> Any:
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
