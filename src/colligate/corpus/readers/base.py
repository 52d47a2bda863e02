"""What the readers share: records, the choice of columns, and how cells become texts and ids."""

from __future__ import annotations

import warnings
from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from colligate._text import list_first
from colligate.corpus.columns import (
    TITLE_NAMES,
    ColumnRoles,
    ColumnsBuilder,
    DocumentColumns,
    clean_names,
    find_title,
)
from colligate.errors import CorpusError, EncodingError, MissingTextWarning, Parameter, ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from colligate.progress import Listener

TEXT_NAMES = ("text", "body", "content", "document", "abstract", "message", "description", *TITLE_NAMES)
ID_NAMES = ("id", "doc_id", "document_id", "uid", "key")
MAX_SHOWN = 20
MAX_ID_LENGTH = 4_096
"""Ids are shown on every page; this is also the longest path of a file."""
NESTED_TYPES = (dict, list, tuple, set, bytes, bytearray)
MISSING: Any = object()
BATCH_ROWS = 1024
"""Rows turned into Python values at a time: a batch of long texts would not fit twice."""


class Record(NamedTuple):
    """One document; `location` is a number that `Source.describe` turns into words."""

    id: str
    text: str
    location: int


class Source(Protocol):
    """Documents that can be read once from front to back, without holding them all."""

    @property
    def name(self) -> str:
        """Where the documents come from, for messages."""

    def records(self, listener: Listener, kept: ColumnsBuilder) -> Iterator[Record]:
        """Read the documents in order, keep their other columns, and report progress to the listener."""

    def describe(self, location: int) -> str:
        """Name the file and line (or row) of a record."""


@dataclass(frozen=True)
class ColumnRequest:
    """The columns that the user asked for: text (several are joined) and id, or nothing.

    `keep` tells whether the other columns are kept. `like` has the columns of an earlier corpus: without a
    request, they are read again if all of its text columns are there. `call` is the function that takes the
    request, where the user called another one.
    """

    text: tuple[str, ...] = ()
    id: str | None = None
    keep: bool = True
    like: ColumnRoles | None = None
    call: str = ""

    @classmethod
    def of(
        cls,
        text: str | Sequence[str] | None,
        id: str | None,
        like: ColumnRoles | None = None,
        call: str = "",
    ) -> ColumnRequest:
        """Check the parameters `text` and `id` of the public interface."""
        if text is None:
            return cls((), id, like=like, call=call)
        names = (text,) if isinstance(text, str) else tuple(text)
        if not names or not all(isinstance(name, str) for name in names):
            raise ParameterError(
                Parameter("text"),
                f" must be the name of a column, or a list of such names; got {text!r}",
                parameter="text",
            )
        return cls(names, id, like=like, call=call)


@dataclass(frozen=True)
class Columns:
    """The columns in use: those of text, that of ids and that of titles, if there are such."""

    text: tuple[str, ...]
    id: str | None
    title: str | None = None
    keep: bool = True

    @classmethod
    def choose(cls, request: ColumnRequest, names: Sequence[str], source: str) -> Columns:
        """Find the requested columns among `names`, or those with common names."""
        known = request.like
        is_known = known is not None and bool(known.text) and set(known.text) <= set(names)
        if known is not None and is_known and not request.text:
            text, usual_id = known.text, known.id if known.id in names else None
        else:
            text, usual_id = request.text or _guess_text_columns(names, source, request.call), None
        id = request.id if request.id is not None else usual_id or _first_match(ID_NAMES, names)
        chosen = cls(text, id, find_title(names, text), request.keep)
        for name in chosen.all:
            _check_single(name, names, source, "id" if name == id and name not in text else "text")
        return chosen

    @property
    def roles(self) -> ColumnRoles:
        """What the columns are read as."""
        return ColumnRoles(self.text, self.id, self.title if self.keep else None)

    @property
    def all(self) -> tuple[str, ...]:
        """Every column in use, once."""
        return tuple(dict.fromkeys((*self.text, *(() if self.id is None else (self.id,)))))

    def is_kept(self, name: str) -> bool:
        """Tell whether the values of a column are kept beside text and id."""
        return self.keep and (name == self.title or name not in self.all)

    def read(self, get: Callable[[str], Any], number: int, place: str) -> tuple[str, str]:
        """Return id and text of one row; the id is its `number` if there is no column of ids."""
        id = str(number) if self.id is None else parse_id(get(self.id), self.id, place)
        texts = [parse_text(get(name), name, place) for name in self.text]
        return id, texts[0] if len(texts) == 1 else "\n".join(text for text in texts if text)


def _guess_text_columns(names: Sequence[str], source: str, call: str) -> tuple[str, ...]:
    """Choose the column of the text, after that of the titles if there is one."""
    name = _first_match(TEXT_NAMES, names)
    if name is None:
        raise CorpusError(
            f"{source} has no text column with a usual name (such as {', '.join(TEXT_NAMES)}); name the "
            "text column with ",
            Parameter("text", ..., owner=call),
            f"; the table has {_list_names(names)}",
        )
    title = find_title(names, (name,))
    return (name,) if title is None else (title, name)


def _first_match(candidates: Sequence[str], names: Sequence[str]) -> str | None:
    folded: dict[str, str] = {}
    for name in names:
        folded.setdefault(name.casefold(), name)
    return next((folded[candidate] for candidate in candidates if candidate in folded), None)


def _check_single(name: str, names: Sequence[str], source: str, parameter: str) -> None:
    count = names.count(name)
    if count == 0:
        near = get_close_matches(name, names, n=1)
        guess = f"; did you mean {near[0]!r}? It" if near else "; it"
        raise CorpusError(
            f"{source} has no column {name!r}{guess} has {_list_names(names)}", parameter=parameter
        )
    if count > 1:
        raise CorpusError(f"{source} has {count} columns called {name!r}; rename all but one")


def _list_names(names: Sequence[str]) -> str:
    return f"the columns {list_first(names, MAX_SHOWN, repr)}" if names else "no columns"


def parse_text(value: Any, column: str, place: str) -> str:
    """Return the text in a cell. A missing value (None or NaN) is an empty text; a number is its digits."""
    if isinstance(value, str):
        return value
    if is_missing(value):
        return ""
    if isinstance(value, NESTED_TYPES):
        raise CorpusError(
            f"{place}: {column!r} contains a {_describe_type(value)}, not text; choose a text column with ",
            Parameter("text", ...),
        )
    return str(value)


def parse_id(value: Any, column: str, place: str) -> str:
    """Return the id in a cell; every document needs one if there is a column of ids."""
    id = _read_id(value, column, place)
    if len(id) > MAX_ID_LENGTH:
        raise CorpusError(
            f"{place}: the id in {column!r} has {len(id):,} characters; at most {MAX_ID_LENGTH:,} are "
            "allowed. Name another id column with ",
            Parameter("id", ...),
        )
    return id


def _read_id(value: Any, column: str, place: str) -> str:
    if is_missing(value) or value == "":
        raise CorpusError(
            f"{place}: the document has no id, because {column!r} is empty; fill in the id, or name "
            "another id column with ",
            Parameter("id", ...),
        )
    # pandas turns whole numbers into floats where some are missing
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, NESTED_TYPES):
        raise CorpusError(
            f"{place}: the id in {column!r} is a {_describe_type(value)}; ids must be text or whole numbers"
        )
    return str(value)


def is_missing(value: Any) -> bool:
    """Tell whether a value is None, NaN, or the NA of pandas, which need not be installed."""
    return (
        value is None
        or (isinstance(value, float) and value != value)
        or type(value).__name__ in ("NAType", "NaTType")
    )


def _describe_type(value: Any) -> str:
    if isinstance(value, dict):
        return "nested object"
    return "sequence of bytes" if isinstance(value, bytes | bytearray) else "list"


@dataclass(frozen=True, eq=False)
class MemorySource:
    """Texts in memory, with ids or numbered."""

    texts: Iterable[str | None]
    ids: Iterable[object] | None = None
    columns: DocumentColumns = field(default_factory=DocumentColumns)

    @property
    def name(self) -> str:
        """How messages call the texts."""
        return "the texts"

    def describe(self, location: int) -> str:
        """Name the text by its number, from 1."""
        return f"text {location}"

    def records(self, listener: Listener, kept: ColumnsBuilder) -> Iterator[Record]:
        """Return the texts in order, reading them once."""
        if isinstance(self.texts, str | bytes):
            raise CorpusError("from_texts needs a list of texts; got a single text")
        kept.roles = ColumnRoles(title=find_title(self.columns, ()))
        for name, column in self.columns.items():
            kept.add_column(name, column)
        missing = array("q")
        for number, (id, text) in enumerate(self._pairs(), start=1):
            place = self.describe(number)
            if not isinstance(text, str) and not is_missing(text):
                raise CorpusError(f"{place} is of type {type(text).__name__}; texts must be str")
            if not isinstance(text, str):
                missing.append(number)
            yield Record(parse_id(id, "ids", place), text if isinstance(text, str) else "", number)
        warn_missing_texts(missing, self)

    def _pairs(self) -> Iterator[tuple[object, Any]]:
        if self.ids is None:
            for number, text in enumerate(self.texts, start=1):
                yield str(number), text
            return
        if isinstance(self.ids, str) or not isinstance(self.ids, Iterable):
            raise CorpusError(f"ids must be a list with an id for each text; got {self.ids!r:.60}")
        for id, text in zip_longest(self.ids, self.texts, fillvalue=MISSING):
            if id is MISSING or text is MISSING:
                few, many = ("ids", "texts") if id is MISSING else ("texts", "ids")
                raise CorpusError(f"there are fewer {few} than {many}; give one id for each text")
            yield id, text


def read_batches(
    batches: Iterable[Any], columns: Columns, source: Source, kept: ColumnsBuilder
) -> Iterator[Record]:
    """Read the rows of Arrow record batches in order, counted from 1."""
    kept.roles = columns.roles
    number, missing = 0, array("q")
    for batch in batches:
        for name, column in zip(clean_names(batch.schema.names), batch.columns, strict=True):
            if columns.is_kept(name):
                kept.add_column(name, column)
        for start in range(0, batch.num_rows, BATCH_ROWS):
            part = batch.slice(start, BATCH_ROWS)
            cells = [_read_column(part, name, source, number + 1) for name in columns.all]
            for row in zip(*cells, strict=True):
                number += 1
                values = dict(zip(columns.all, row, strict=True))
                if all(is_missing(values[name]) for name in columns.text):
                    missing.append(number)
                yield Record(*columns.read(values.__getitem__, number, source.describe(number)), number)
    if columns.keep:
        warn_missing_texts(missing, source)


def warn_missing_texts(missing: Sequence[int], source: Source) -> None:
    """Warn once of all records without a text (None or NaN): they are empty documents."""
    if len(missing):
        count = "1 text is" if len(missing) == 1 else f"{len(missing):,} texts are"
        warnings.warn(
            f"{count} missing (first: {source.describe(missing[0])}). An empty document is in no group.",
            MissingTextWarning,
            stacklevel=2,
        )


def _read_column(batch: Any, name: str, source: Source, row: int) -> list[Any]:
    column = batch.column(batch.schema.get_field_index(name))
    try:
        values: list[Any] = column.to_pylist()
    except UnicodeDecodeError as error:
        raise EncodingError(
            f"{source.describe(row)} or a later row: {name!r} contains bytes that are not UTF-8 "
            f"(0x{error.object[error.start]:02x}); write the column again as UTF-8"
        ) from error
    except (ValueError, OverflowError) as error:
        raise CorpusError(f"{source.describe(row)} or a later row: cannot read {name!r}: {error}") from error
    return values
