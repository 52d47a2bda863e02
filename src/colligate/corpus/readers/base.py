"""What every reader gives: records, one for each document, and the place each came from.

Choosing the column of text and the column of ids among those a file has.

Turning single cells of files and tables into texts and ids.

Reading documents that are in memory already: a list of texts, or anything that gives texts one by one.

Reading documents out of Arrow record batches, which Parquet files and data frames both give.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from colligate.errors import CorpusError, EncodingError, Parameter, ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from colligate.progress import Listener

TEXT_NAMES = ("text", "body", "content", "document", "abstract", "message", "description", "title")
ID_NAMES = ("id", "doc_id", "document_id", "uid", "key")
MAX_SHOWN = 20
NESTED_TYPES = (dict, list, tuple, set, bytes, bytearray)

MISSING: Any = object()


BATCH_ROWS = 1024
"""Rows turned into Python values at a time: a batch of long texts would not fit twice."""


class Record(NamedTuple):
    """One document. `where` is a number that the source turns into a place a person can find."""

    id: str
    text: str
    where: int


class Source(Protocol):
    """Documents that can be read once from front to back, without holding them all."""

    @property
    def name(self) -> str:
        """Where the documents come from, for messages."""

    def records(self, listener: Listener) -> Iterator[Record]:
        """Read the documents in order, telling `listener` how far the reading is."""

    def place(self, where: int) -> str:
        """Name the file and line (or row) that a record's `where` stands for."""


@dataclass(frozen=True)
class ColumnRequest:
    """What the user asked for: columns of text (several are joined) and a column of ids, or nothing."""

    text: tuple[str, ...] = ()
    id: str | None = None

    @classmethod
    def of(cls, text: str | Sequence[str] | None, id: str | None) -> ColumnRequest:
        """Read the `text=` and `id=` of the public interface."""
        if text is None:
            return cls((), id)
        names = (text,) if isinstance(text, str) else tuple(text)
        if not names or not all(isinstance(name, str) for name in names):
            raise ParameterError(
                Parameter("text"), f" must be the name of a column, or a list of such names; got {text!r}"
            )
        return cls(names, id)


@dataclass(frozen=True)
class Columns:
    """The columns in use: those of text, and that of ids, if there is one."""

    text: tuple[str, ...]
    id: str | None

    @classmethod
    def choose(cls, wanted: ColumnRequest, names: Sequence[str], source: str) -> Columns:
        """Find the wanted columns among `names`, or the likely ones where nothing was asked for."""
        text = wanted.text or _guess_text_column(names, source)
        chosen = cls(text, wanted.id if wanted.id is not None else _first_match(ID_NAMES, names))
        for name in chosen.all:
            _check_single(name, names, source)
        return chosen

    @property
    def all(self) -> tuple[str, ...]:
        """Every column in use, once."""
        return tuple(dict.fromkeys((*self.text, *(() if self.id is None else (self.id,)))))

    def read(self, get: Callable[[str], Any], number: int, place: str) -> tuple[str, str]:
        """Return id and text of one row; a row without a column of ids is called by its `number`."""
        id = str(number) if self.id is None else parse_id(get(self.id), self.id, place)
        if len(self.text) == 1:
            return id, parse_text(get(self.text[0]), self.text[0], place)
        return id, join_texts(parse_text(get(name), name, place) for name in self.text)


def _guess_text_column(names: Sequence[str], source: str) -> tuple[str, ...]:
    found = _first_match(TEXT_NAMES, names)
    if found is None:
        raise CorpusError(
            f"{source} has no column that looks like text ({', '.join(TEXT_NAMES)}); name one with ",
            Parameter("text", ...),
            f"; it has {_list_names(names)}",
        )
    return (found,)


def _first_match(likely: Sequence[str], names: Sequence[str]) -> str | None:
    folded: dict[str, str] = {}
    for name in names:
        folded.setdefault(name.casefold(), name)
    return next((folded[name] for name in likely if name in folded), None)


def _check_single(name: str, names: Sequence[str], source: str) -> None:
    count = sum(other == name for other in names)
    if count == 0:
        raise CorpusError(f"{source} has no column {name!r}; it has {_list_names(names)}")
    if count > 1:
        raise CorpusError(f"{source} has {count} columns called {name!r}; rename all but one")


def _list_names(names: Sequence[str]) -> str:
    shown = ", ".join(repr(name) for name in names[:MAX_SHOWN])
    more = f" and {len(names) - MAX_SHOWN} more" if len(names) > MAX_SHOWN else ""
    return f"{shown}{more}" if names else "no columns"


def parse_text(value: Any, column: str, place: str) -> str:
    """Return the text in a cell. A missing value (None or NaN) is an empty text; a number is its digits."""
    if isinstance(value, str):
        return value
    if _is_missing(value):
        return ""
    if isinstance(value, NESTED_TYPES):
        raise CorpusError(
            f"{place}: {column!r} holds a {_describe_type(value)}, not text; choose a column of text with ",
            Parameter("text", ...),
        )
    return str(value)


def parse_id(value: Any, column: str, place: str) -> str:
    """Return the id in a cell; every document needs one once a column of ids is in use."""
    if _is_missing(value) or value == "":
        raise CorpusError(
            f"{place}: the document has no id in {column!r}; fill it in, or name another column with ",
            Parameter("id", ...),
        )
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, NESTED_TYPES):
        raise CorpusError(
            f"{place}: the id in {column!r} is a {_describe_type(value)}; ids are texts or whole numbers"
        )
    return str(value)


def join_texts(parts: Iterable[str]) -> str:
    """Join the texts of several columns, one below the other; empty ones leave no gap."""
    return "\n".join(part for part in parts if part)


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and value != value)


def _describe_type(value: Any) -> str:
    if isinstance(value, dict):
        return "nested object"
    return "sequence of bytes" if isinstance(value, bytes | bytearray) else "list"


@dataclass(frozen=True, eq=False)
class MemorySource:
    """Texts in order, with ids beside them or called by their number."""

    texts: Iterable[str | None]
    ids: Iterable[object] | None = None

    @property
    def name(self) -> str:
        """How messages call the texts."""
        return "the texts"

    def place(self, where: int) -> str:
        """The number of the text, counted from 1."""
        return f"text {where}"

    def records(self, listener: Listener) -> Iterator[Record]:
        """Give the texts in order, reading them once."""
        if isinstance(self.texts, str | bytes):
            raise CorpusError("from_texts takes a list of texts; got a single one")
        for number, (id, text) in enumerate(self._pairs(), start=1):
            yield Record(parse_id(id, "ids", self.place(number)), self._text(text, number), number)

    def _pairs(self) -> Iterator[tuple[object, object]]:
        if self.ids is None:
            for number, text in enumerate(self.texts, start=1):
                yield str(number), text
            return
        for id, text in zip_longest(self.ids, self.texts, fillvalue=MISSING):
            if id is MISSING or text is MISSING:
                few, many = ("ids", "texts") if id is MISSING else ("texts", "ids")
                raise CorpusError(f"there are fewer {few} than {many}; give one id for each text")
            yield id, text

    def _text(self, text: object, number: int) -> str:
        if isinstance(text, str):
            return text
        if text is None or (isinstance(text, float) and text != text):
            return ""
        raise CorpusError(f"{self.place(number)} is of type {type(text).__name__}; texts are str")


def read_batches(batches: Iterable[Any], columns: Columns, source: Source) -> Iterator[Record]:
    """Read the rows of all batches in order; rows are counted from 1."""
    number = 0
    for batch in batches:
        for start in range(0, batch.num_rows, BATCH_ROWS):
            part = batch.slice(start, BATCH_ROWS)
            cells = {name: _read_column(part, name, source, number + 1) for name in columns.all}
            for at in range(part.num_rows):
                number += 1
                row = {name: values[at] for name, values in cells.items()}
                yield Record(*columns.read(row.__getitem__, number, source.place(number)), number)


def _read_column(batch: Any, name: str, source: Source, row: int) -> list[Any]:
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
