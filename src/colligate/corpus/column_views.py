"""The input's columns as studio and report show them: the kind of each, its values, its counts by group.

A column is a category, a number, a date or text. Text that reads as numbers or dates counts as such.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import cached_property, partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.errors import NotFoundError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from colligate.corpus import Corpus

    Parser = Callable[[str], float]

CATEGORY, NUMBER, DATE, TEXT = KINDS = ("category", "number", "date", "text")
MAX_CATEGORIES = 12
FEW_NUMBERS = 12
"""Whole numbers with so few different values, such as grades, are categories."""
MANY_VALUES = 50
READABLE = 0.95
"""A column of text is one of numbers or dates if this share of its values can be read so."""
SAMPLE = 300
"""So many documents, spread over the column, show what its values are."""
NUMBER_BINS = 10
MOST_BINS = 100
YEARS_BY_MONTH = 4
DAYS_BY_DAY = 92
SECOND = 1000
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
ISO, MAIL = "ISO 8601", "mail date"
FORMATS = {
    "day/month/year": ("%d/%m/%Y", "%d/%m/%Y %H:%M", "%d/%m/%Y %H:%M:%S"),
    "month/day/year": ("%m/%d/%Y", "%m/%d/%Y %H:%M", "%m/%d/%Y %H:%M:%S"),
    "day.month.year": ("%d.%m.%Y", "%d.%m.%Y %H:%M", "%d.%m.%Y %H:%M:%S"),
    "year/month/day": ("%Y/%m/%d", "%Y/%m/%d %H:%M", "%Y/%m/%d %H:%M:%S"),
    "day-month-year": ("%d-%b-%Y", "%d-%b-%Y %H:%M:%S", "%d-%b-%Y %H:%M:%S.%f", "%d-%m-%Y"),
    "day month year": ("%d %B %Y", "%d %b %Y"),
    "month day, year": ("%B %d, %Y", "%b %d, %Y"),
    "year-month": ("%Y-%m",),
}
DIGIT = re.compile("[0-9]")
UNITS = {"year": "datetime64[Y]", "month": "datetime64[M]", "day": "datetime64[D]"}
LONGEST_DATE = 40
LONGEST_LABEL = 200


@dataclass(frozen=True, eq=False)
class Bins:
    """A value of every document as the number of a bin, -1 for none; `labels` name the bins."""

    codes: NDArray[np.int64]
    labels: list[str]


class ColumnView:
    """One column of the input, as it is shown."""

    def __init__(self, name: str, column: Any) -> None:
        self.name = name
        self._column = column

    @cached_property
    def kind(self) -> str:
        """What the column is: category, number, date or text."""
        import pyarrow as pa

        kind = self._column.type
        if pa.types.is_date(kind) or pa.types.is_timestamp(kind) or self._are_years or self._date_reader:
            return DATE
        if self._numbers is not None:
            values = self._numbers[~np.isnan(self._numbers)]
            few = len(np.unique(values)) <= FEW_NUMBERS and bool((values == np.floor(values)).all())
            return CATEGORY if few else NUMBER
        distinct = len(self._distinct[0])
        present = int((self._distinct[1] >= 0).sum())
        return TEXT if distinct > MANY_VALUES and distinct > present / 2 else CATEGORY

    def format_row(self, row: int) -> str:
        """Return the value of a document as text; empty if it has none."""
        return format_value(self._column[row].as_py())

    @property
    def format(self) -> str:
        """How dates were read, such as day/month/year; empty for other columns."""
        if self._are_years:
            return "year"
        return "" if self._date_reader is None else self._date_reader[0]

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """The numbers, or the dates as milliseconds since 1970; NaN for none."""
        values = self._dates if self.kind == DATE else self._numbers
        return np.full(len(self._column), np.nan) if values is None else values

    @cached_property
    def categories(self) -> Bins:
        """The most frequent values, and one bin for all others."""
        names, codes = self._distinct
        counts = np.bincount(codes[codes >= 0], minlength=len(names))
        order = np.argsort(-counts, kind="stable")[:MAX_CATEGORIES]
        place = np.full(len(names) + 1, len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        # -1, of documents without a value, is the last entry
        place[-1] = -1
        labels = [names[position] for position in order.tolist()]
        return Bins(place[codes], [*labels, "other"] if len(names) > len(order) else labels)

    @cached_property
    def bins(self) -> Bins:
        """The bins of the column: categories, spans of numbers, or years, months or days."""
        if self.kind == NUMBER:
            return _bin_numbers(self.values)
        return _bin_dates(self.values) if self.kind == DATE else self.categories

    @property
    def unit(self) -> str:
        """How long a bin of dates is: day, month or year; empty for other columns."""
        return choose_date_unit(self.values)[0] if self.kind == DATE else ""

    def count_by_group(self, groups: NDArray[np.int64], n_groups: int) -> NDArray[np.int64]:
        """Count documents by group and bin; the last row is no group, the last column no value."""
        rows, columns = n_groups + 1, len(self.bins.labels) + 1
        cells = np.where(groups < 0, n_groups, groups) * columns
        cells += np.where(self.bins.codes < 0, columns - 1, self.bins.codes)
        return np.bincount(cells, minlength=rows * columns).reshape(rows, columns)

    def texts(self) -> list[str]:
        """Return the values as text; empty for none."""
        names, codes = self._distinct
        return [names[code] if code >= 0 else "" for code in codes.tolist()]

    def contains(self, text: str) -> NDArray[np.bool_]:
        """Return which values contain a text, ignoring case."""
        names, codes = self._distinct
        folded = text.casefold()
        # -1, of documents without a value, is the last entry
        matches = np.array([*(folded in name.casefold() for name in names), False], dtype=bool)
        return matches[codes]

    @cached_property
    def _distinct(self) -> tuple[list[str], NDArray[np.int64]]:
        """The different values as text, and which of them each document has."""
        encoded = self._column.combine_chunks()
        encoded = encoded if hasattr(encoded, "dictionary") else encoded.dictionary_encode()
        codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
        return [format_value(value)[:LONGEST_LABEL] for value in encoded.dictionary.to_pylist()], codes

    @cached_property
    def _sample(self) -> Counter[str]:
        """The values of documents spread over the column, as text, and how many have each."""
        names, codes = self._distinct
        present = codes[codes >= 0]
        return Counter(names[code] for code in present[:: max(1, len(present) // SAMPLE)].tolist())

    @cached_property
    def _numbers(self) -> NDArray[np.float64] | None:
        """The numbers of the column; None if it has others than numbers."""
        import pyarrow as pa

        kind = self._column.type
        if pa.types.is_integer(kind) or pa.types.is_floating(kind):
            numbers = self._column.cast(pa.float64(), safe=False).to_numpy().astype(np.float64)
            return np.where(np.isfinite(numbers), numbers, np.nan)
        return self._parse(_parse_number) if _is_text(kind) and self._reads(_parse_number) else None

    @cached_property
    def _date_reader(self) -> tuple[str, Parser] | None:
        """How the dates of a column of text are read; None if it has others than dates."""
        if not _is_text(self._column.type) or self._numbers is not None:
            return None
        label, parsers = max(PARSERS.items(), key=lambda item: self._count(_try_each(item[1])))
        # the pattern of most values is tried first
        parse = _try_each(sorted(parsers, key=self._count, reverse=True))
        return (label, parse) if self._reads(parse) else None

    @cached_property
    def _dates(self) -> NDArray[np.float64] | None:
        """The dates of the column in milliseconds since 1970; None if it has others than dates."""
        import pyarrow as pa

        kind = self._column.type
        if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
            zone = getattr(kind, "tz", None)
            times = self._column.cast(pa.timestamp("ms", zone), safe=False).cast(pa.int64())
            return np.asarray(times.to_numpy(), dtype=np.float64)
        numbers = self._numbers
        if numbers is not None and self._are_years:
            first = (numbers - 1970).astype("datetime64[Y]").astype("datetime64[ms]")
            return np.where(np.isnan(numbers), np.nan, first.astype(np.float64))
        return None if self._date_reader is None else self._parse(self._date_reader[1])

    @cached_property
    def _are_years(self) -> bool:
        """Whether the column is called year or date, and has numbers of four digits."""
        numbers = self._numbers
        if numbers is None or not {"year", "date"} & set(self.name.casefold().split()):
            return False
        present = numbers[~np.isnan(numbers)]
        return len(present) > 0 and bool(((present >= 1000) & (present < 3000) & (present % 1 == 0)).all())

    def _count(self, parse: Parser) -> int:
        """Count the values of the sample that can be read."""
        return sum(count for value, count in self._sample.items() if _is_readable(parse(value)))

    def _reads(self, parse: Parser) -> bool:
        total = self._sample.total()
        return total > 0 and self._count(parse) >= READABLE * total

    def _parse(self, parse: Parser) -> NDArray[np.float64]:
        """Read all values of a column of text; NaN if one cannot be read."""
        names, codes = self._distinct
        return np.array([*map(parse, names), np.nan])[codes]


class ColumnViews:
    """The columns of a corpus by name, without its titles; what is worked out of them is kept."""

    def __init__(self, corpus: Corpus | None) -> None:
        columns: Iterable[tuple[str, Any]] = () if corpus is None else corpus.columns.items()
        title = None if corpus is None else corpus.roles.title
        self.all = {name: ColumnView(name, column) for name, column in columns if name != title}

    def find(self, name: str) -> ColumnView:
        """Return a column, or list the names of those there are."""
        if name not in self.all:
            names = ", ".join(self.all) or "none"
            raise NotFoundError(f"there is no column {name!r:.120}; the columns are: {names:.2000}")
        return self.all[name]


def format_value(value: Any) -> str:
    """Return a value of a column as text; empty if it is missing."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.isoformat(" ")
    if isinstance(value, float):
        return f"{value:.15g}"
    return value.isoformat() if isinstance(value, date) else str(value)


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_large_string(kind.value_type if pa.types.is_dictionary(kind) else kind))


def _is_readable(value: float) -> bool:
    return not math.isnan(value)


def _parse_number(text: str) -> float:
    # float() also reads 1_000, nan and inf
    if len(text) > LONGEST_DATE or not DIGIT.search(text) or "_" in text:
        return math.nan
    try:
        value = float(text)
    except ValueError:
        return math.nan
    return value if math.isfinite(value) else math.nan


def _to_milliseconds(moment: datetime) -> float:
    """Return the milliseconds since 1970; a time without a zone is read as UTC."""
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return (aware - EPOCH) / timedelta(milliseconds=1)


def _make_parser(read: Callable[[str], datetime]) -> Parser:
    def parse(text: str) -> float:
        stripped = text.strip()
        if not 6 <= len(stripped) <= LONGEST_DATE or not DIGIT.search(stripped):
            return math.nan
        try:
            return _to_milliseconds(read(stripped))
        except (ValueError, TypeError, OverflowError, IndexError):
            return math.nan

    return parse


def _read_pattern(pattern: str, text: str) -> datetime:
    return datetime.strptime(text, pattern)


def _try_each(parsers: Sequence[Parser]) -> Parser:
    def parse(text: str) -> float:
        return next(filter(_is_readable, (parser(text) for parser in parsers)), math.nan)

    return parse


PARSERS: dict[str, list[Parser]] = {
    ISO: [_make_parser(datetime.fromisoformat)],
    **{
        label: [_make_parser(partial(_read_pattern, pattern)) for pattern in patterns]
        for label, patterns in FORMATS.items()
    },
    MAIL: [_make_parser(parsedate_to_datetime)],
}


def _bin_numbers(values: NDArray[np.float64]) -> Bins:
    present = ~np.isnan(values)
    codes = np.full(len(values), -1, dtype=np.int64)
    if not present.any():
        return Bins(codes, [])
    edges = np.linspace(values[present].min(), values[present].max(), NUMBER_BINS + 1)
    codes[present] = np.clip(np.searchsorted(edges, values[present], side="right") - 1, 0, NUMBER_BINS - 1)
    return Bins(codes, [f"{low:.4g} to {high:.4g}" for low, high in pairwise(edges)])


def choose_date_unit(values: NDArray[np.float64]) -> tuple[str, int]:
    """Choose the bins of dates: days, months or years, and how many years to a bin."""
    present = values[~np.isnan(values)]
    days = float(np.ptp(present)) / (86_400 * SECOND) if len(present) else 0.0
    if days <= DAYS_BY_DAY:
        return "day", 1
    if days <= YEARS_BY_MONTH * 365.25:
        return "month", 1
    return "year", next(step for step in (1, 10, 100, 1000) if days / 365.25 / step < MOST_BINS)


def _bin_dates(values: NDArray[np.float64]) -> Bins:
    present = ~np.isnan(values)
    codes = np.full(len(values), -1, dtype=np.int64)
    if not present.any():
        return Bins(codes, [])
    unit, step = choose_date_unit(values)
    moments = values[present].astype("datetime64[ms]").astype(UNITS[unit])
    # months are counted from 1970 like days and years
    numbers = (moments.astype(np.int64) + (1970 if unit == "year" else 0)) // step
    first, last = int(numbers.min()), int(numbers.max())
    codes[present] = numbers - first
    return Bins(codes, [_label_date(number, unit, step) for number in range(first, last + 1)])


def _label_date(number: int, unit: str, step: int) -> str:
    if unit == "year":
        return str(number) if step == 1 else f"{number * step} to {number * step + step - 1}"
    return str(np.int64(number).astype(UNITS[unit]))
