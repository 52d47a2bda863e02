"""The input's columns beside text and id (date, author, class, ...), kept with the documents in Arrow memory.

Every column has one of a few types: large strings (dictionary-encoded where values repeat), whole numbers,
numbers, booleans, dates and timestamps. Nested values are JSON text, and columns of bytes are left out.
"""

from __future__ import annotations

import json
import math
import unicodedata
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from colligate.corpus.texts import BLOCK_CHARACTERS, replace_surrogates
from colligate.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

TITLE_NAMES = ("title", "headline", "subject")
MAX_COLUMNS = 200
"""More columns are left out: lines of JSON may each have keys that no other line has."""
MAX_NAME_LENGTH = 100
MAX_LEFT_OUT = 20
BLOCK_ROWS = 4096
REPEATED = 0.5
"""Strings are dictionary-encoded if at most this share of them are different."""
EXACT_FLOAT = 2**53
NAMES_SHOWN = 8


@dataclass(frozen=True)
class ColumnRoles:
    """What the columns of the input were read as.

    Attributes
    ----------
    text : tuple of str
        The columns that were joined to the text, in this order.
    id : str or None
        The column of the ids; None if the documents are numbered.
    title : str or None
        The column with the headings of the documents; None if there is none beside the text.
    left_out : tuple of str
        The first columns that were not kept: bytes, or more than 200 columns.
    """

    text: tuple[str, ...] = ()
    id: str | None = None
    title: str | None = None
    left_out: tuple[str, ...] = ()


class DocumentColumns(Mapping[str, Any]):
    """Columns of values, one for each document: name → `pyarrow.ChunkedArray`."""

    def __init__(self, table: Any = None) -> None:
        self._table = table

    @property
    def table(self) -> Any:
        """The columns as a `pyarrow.Table`; None if there are none."""
        return self._table

    def __getitem__(self, name: str) -> Any:
        if self._table is None or name not in self._table.column_names:
            raise KeyError(name)
        return self._table.column(name)

    def __iter__(self) -> Iterator[str]:
        return iter(() if self._table is None else self._table.column_names)

    def __len__(self) -> int:
        return 0 if self._table is None else int(self._table.num_columns)

    def __repr__(self) -> str:
        return f"DocumentColumns({', '.join(map(repr, self))})"

    def row(self, position: int) -> dict[str, Any]:
        """Return the value of every column for one document; None where it is missing."""
        return {name: column[position].as_py() for name, column in self.items()}

    def check_rows(self, rows: int) -> None:
        """Refuse columns of another length than the documents."""
        if self._table is not None and self._table.num_rows != rows:
            raise InputError(
                f"each column has {self._table.num_rows} values, but there are {rows} documents; give one "
                "value for each document"
            )


def find_title(names: Iterable[str], text: Sequence[str]) -> str | None:
    """Find the column of headings, in any case; a column that is the whole text is no heading of it."""
    folded: dict[str, str] = {}
    for name, count in Counter(list(names)).items():
        if count == 1:
            folded.setdefault(name.casefold(), name)
    title = next((folded[candidate] for candidate in TITLE_NAMES if candidate in folded), None)
    return None if tuple(text) == (title,) else title


def describe_roles(roles: ColumnRoles, columns: Iterable[str]) -> str:
    """Say in one line which columns were read as text and as id, and which are kept; empty without any."""
    if not roles.text:
        return ""
    kept = [name for name in columns if name not in roles.text]
    parts = [f"text from {_join_names(roles.text, ' + ')}"]
    parts.append("ids are numbers from 1" if roles.id is None else f"ids from {_quote(roles.id)}")
    parts.append(f"kept with the documents: {_join_names(kept)}" if kept else "no other columns")
    if roles.left_out:
        parts.append(f"not kept: {_join_names(roles.left_out)}")
    return "; ".join(parts)


def _join_names(names: Sequence[str], between: str = ", ") -> str:
    more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
    return between.join(map(_quote, names[:NAMES_SHOWN])) + more


def _quote(name: str) -> str:
    # names come from strangers: a terminal must not run what they contain
    return "".join(character if character.isprintable() else "\ufffd" for character in name)


def make_columns(data: Any) -> DocumentColumns:
    """Make columns of a mapping of names to lists of values, or of a data frame; None has no columns."""
    import pyarrow as pa

    if data is None or isinstance(data, DocumentColumns):
        return data or DocumentColumns()
    if isinstance(data, Mapping):
        pairs = [(str(name), values) for name, values in data.items()]
    elif is_pandas(data):
        pairs = [(str(name), data.iloc[:, position]) for position, name in enumerate(data.columns)]
    elif hasattr(data, "__arrow_c_stream__"):
        table = pa.table(data)
        pairs = list(zip(table.column_names, table.columns, strict=True))
    else:
        raise InputError(
            "columns must be a mapping of names to lists of values, or a data frame; "
            f"got {type(data).__name__}"
        )
    arrays = [convert_values(values, name) for name, values in pairs]
    if len(sizes := {len(array) for array in arrays}) > 1:
        raise InputError(
            f"the columns have different lengths ({', '.join(map(str, sorted(sizes)))}); give one value for "
            "each document in every column"
        )
    named = zip(clean_names(name for name, _ in pairs), map(normalise_column, arrays), strict=True)
    kept = {name: column for name, column in named if column is not None}
    return DocumentColumns(pa.table(kept) if kept else None)


def is_pandas(frame: Any) -> bool:
    """Tell whether this is a DataFrame of pandas."""
    return type(frame).__module__.partition(".")[0] == "pandas" and hasattr(frame, "columns")


def convert_values(values: Any, name: str) -> Any:
    """Return values of any kind (list, array, Series, Arrow) as a chunked Arrow array."""
    import pyarrow as pa

    if isinstance(values, pa.ChunkedArray):
        return values
    if isinstance(values, pa.Array):
        return pa.chunked_array([values])
    if isinstance(values, str | bytes) or not hasattr(values, "__iter__"):
        raise InputError(f"the column {name!r} must be a list of values; got {type(values).__name__}")
    if hasattr(values, "dtype"):
        try:
            converted = pa.array(values, from_pandas=True)
            return converted if isinstance(converted, pa.ChunkedArray) else pa.chunked_array([converted])
        except (pa.ArrowException, ValueError, TypeError):
            # values of different types
            values = values.tolist()
    return pa.chunked_array([make_array(list(values))])


def clean_names(names: Iterable[str]) -> list[str]:
    """Make the names of columns printable, short and different, whatever the input calls them."""
    used: set[str] = set()
    cleaned = []
    for number, name in enumerate(names, start=1):
        visible = "".join(
            " " if unicodedata.category(character) in ("Cc", "Cs") else character for character in name
        )
        plain = visible.strip()[:MAX_NAME_LENGTH].strip() or f"column {number}"
        candidate, count = plain, 2
        while candidate in used:
            candidate, count = f"{plain} ({count})", count + 1
        used.add(candidate)
        cleaned.append(candidate)
    return cleaned


class ColumnsBuilder:
    """Collects the columns of a source while it is read, by rows or by Arrow batches."""

    def __init__(self) -> None:
        self.roles = ColumnRoles()
        self._columns: dict[str, _ColumnBuilder] = {}
        self._left_out: dict[str, None] = {}
        self._rows = 0
        self._pending_rows = 0
        self._pending_characters = 0

    def add_row(self, cells: Mapping[str, Any]) -> None:
        """Add the cells of one document; a column that it lacks has no value."""
        for name, value in cells.items():
            column = self._find(name)
            if column is not None and value is not None and value != "":
                column.add(value, self._pending_rows)
                self._pending_characters += len(value) if isinstance(value, str) else 8
        self._pending_rows += 1
        if self._pending_rows >= BLOCK_ROWS or self._pending_characters >= BLOCK_CHARACTERS:
            self._flush()

    def add_column(self, name: str, values: Any) -> None:
        """Add an Arrow array of the next values of a column."""
        column = self._find(name)
        if column is not None:
            column.blocks += getattr(values, "chunks", [values])

    def leave_out(self, name: str) -> None:
        """Note a column that is not kept."""
        if len(self._left_out) < MAX_LEFT_OUT:
            self._left_out.setdefault(name)

    def finish(self) -> DocumentColumns:
        """Return the columns, with what was left out noted in the roles."""
        import pyarrow as pa

        self._flush()
        kept = {}
        for (name, column), label in zip(self._columns.items(), clean_names(self._columns), strict=True):
            values = column.finish()
            if values is None:
                self.leave_out(name)
            else:
                kept[label] = values
        roles = self.roles
        self.roles = ColumnRoles(roles.text, roles.id, roles.title, tuple(self._left_out))
        return DocumentColumns(pa.table(kept) if kept else None)

    def _find(self, name: str) -> _ColumnBuilder | None:
        column = self._columns.get(name)
        if column is None and len(self._columns) >= MAX_COLUMNS:
            self.leave_out(name)
        elif column is None:
            column = self._columns[name] = _ColumnBuilder(self._rows)
        return column

    def _flush(self) -> None:
        for column in self._columns.values():
            column.flush(self._pending_rows)
        self._rows += self._pending_rows
        self._pending_rows = self._pending_characters = 0


class _ColumnBuilder:
    """The values of one column: Arrow blocks, and those not yet in a block."""

    def __init__(self, missing: int) -> None:
        import pyarrow as pa

        self.blocks: list[Any] = [pa.nulls(missing)] if missing else []
        self._pending: list[Any] = []

    def add(self, value: Any, row: int) -> None:
        """Add the value of a row of the block; rows in between have none."""
        self._pending.extend([None] * (row - len(self._pending)))
        self._pending.append(value)

    def flush(self, rows: int) -> None:
        """Make a block of the pending values."""
        if rows:
            self._pending.extend([None] * (rows - len(self._pending)))
            self.blocks.append(make_array(self._pending))
            self._pending = []

    def finish(self) -> Any:
        """Return the column; None if its values are bytes."""
        return normalise_column(_join_blocks(self.blocks))


def make_array(values: Sequence[Any]) -> Any:
    """Make an Arrow array of Python values; values of different types become text."""
    import pyarrow as pa

    values = [None if isinstance(value, float) and math.isnan(value) else value for value in values]
    types = {type(value) for value in values} - {type(None)}
    if types <= {str}:
        return _encode_repeated(
            pa.array(
                [None if value is None else replace_surrogates(value) for value in values], pa.large_string()
            )
        )
    if types == {bool}:
        return pa.array(values, pa.bool_())
    try:
        if types == {int}:
            return pa.array(values, pa.int64())
        if types <= {int, float} and all(map(is_exact, values)):
            return pa.array(values, pa.float64())
        if not types & {dict, list, tuple, set}:
            return pa.array(values)
    except (pa.ArrowException, OverflowError, ValueError, TypeError):
        pass
    return pa.array([_as_text(value) for value in values], pa.large_string())


def is_exact(value: int | float | None) -> bool:
    """Tell whether a number stays the same as a float."""
    return not isinstance(value, int) or abs(value) <= EXACT_FLOAT


def _as_text(value: Any) -> str | None:
    """Return a value as text: nested ones as JSON; None if it is missing or cannot be written."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, dict | list | tuple):
        return replace_surrogates(str(value))
    try:
        return replace_surrogates(json.dumps(value, ensure_ascii=False, default=str))
    except (RecursionError, ValueError, TypeError):
        return None


def _join_blocks(blocks: Sequence[Any]) -> Any:
    """Join blocks to one column; whole numbers and numbers are numbers, other mixed types are text."""
    import pyarrow as pa

    types = {block.type for block in blocks if not pa.types.is_null(block.type)}
    plain = {kind.value_type if pa.types.is_dictionary(kind) else kind for kind in types}
    if types == {pa.int64(), pa.float64()} and all(
        is_exact(value) for block in blocks if block.type == pa.int64() for value in block.to_pylist()
    ):
        target = pa.float64()
    elif len(types) <= 1:
        target = next(iter(types), pa.large_string())
    elif len(plain) == 1:
        target = next(iter(plain))
    else:
        texts = [pa.array(map(_as_text, block.to_pylist()), pa.large_string()) for block in blocks]
        return pa.chunked_array(texts, pa.large_string())
    return pa.chunked_array(
        [
            pa.nulls(len(block), target)
            if pa.types.is_null(block.type)
            else block
            if block.type == target
            else block.cast(target)
            for block in blocks
        ],
        target,
    )


def normalise_column(column: Any) -> Any:
    """Return an Arrow column as one of the types that are kept; None for a column of bytes."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind, is_type = column.type, pa.types
    if kind == pa.dictionary(pa.int32(), pa.large_string()) and _is_valid(column):
        return column.unify_dictionaries()
    if is_type.is_dictionary(kind):
        return normalise_column(column.cast(kind.value_type))
    if is_bytes(kind):
        return None
    if is_type.is_null(kind):
        return pa.chunked_array([pa.nulls(len(column), pa.large_string())])
    if is_type.is_string(kind) or is_type.is_large_string(kind):
        return _encode_repeated(_repair_text(column))
    if is_type.is_boolean(kind):
        return column
    try:
        if is_type.is_integer(kind):
            return column.cast(pa.int64())
        if is_type.is_floating(kind) or is_type.is_decimal(kind):
            numbers = column.cast(pa.float64())
            return pc.if_else(pc.is_nan(numbers), pa.scalar(None, pa.float64()), numbers)
        if is_type.is_date(kind) or is_type.is_timestamp(kind):
            times = column.cast(pa.date32()) if is_type.is_date(kind) else _cast_to_microseconds(column)
            # an error if Python has no such year
            pc.min_max(times).as_py()
            return times
    except (pa.ArrowException, ValueError, OverflowError):
        pass
    return _encode_repeated(_write_texts(column))


def _cast_to_microseconds(column: Any) -> Any:
    """Cut off the parts of a microsecond; a time too far away for microseconds is an error."""
    import pyarrow as pa

    kind = column.type
    return column.cast(pa.timestamp("us", None if kind.tz is None else "UTC"), safe=kind.unit != "ns")


def is_bytes(kind: Any) -> bool:
    """Tell whether an Arrow type is bytes, which are never shown."""
    import pyarrow as pa

    tests = ("is_binary", "is_large_binary", "is_fixed_size_binary", "is_binary_view")
    return any(getattr(pa.types, test)(kind) for test in tests if hasattr(pa.types, test))


def _repair_text(column: Any) -> Any:
    """Return a column of strings as large strings; bytes that are not UTF-8 are replaced."""
    import pyarrow as pa

    if not _is_valid(column):
        data = column.cast(pa.large_binary()).to_pylist()
        texts = [None if value is None else value.decode("utf-8", "replace") for value in data]
        return pa.chunked_array([pa.array(texts, pa.large_string())])
    return column.cast(pa.large_string())


def _is_valid(column: Any) -> bool:
    import pyarrow as pa

    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def _write_texts(column: Any) -> Any:
    """Return the values of any other type as text; those that cannot be read are missing."""
    import pyarrow as pa

    texts = []
    for scalar in column:
        try:
            value = scalar.as_py()
        except (ValueError, OverflowError, TypeError, NotImplementedError, pa.ArrowException):
            value = None
        texts.append(_as_text(value))
    return pa.chunked_array([pa.array(texts, pa.large_string())])


def _encode_repeated(column: Any) -> Any:
    """Return strings dictionary-encoded if many of them repeat."""
    import pyarrow as pa

    encoded = column.dictionary_encode()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.unify_dictionaries()
        distinct = len(encoded.chunk(0).dictionary) if encoded.num_chunks else 0
    else:
        distinct = len(encoded.dictionary)
    return encoded if distinct <= REPEATED * len(column) else column
