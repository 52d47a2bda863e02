"""Reading data frames: pandas, polars, Arrow tables, and whatever else gives an Arrow stream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from colligate.corpus.readers.batches import batch_records
from colligate.corpus.readers.columns import Columns, Wanted
from colligate.errors import CorpusError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from colligate.corpus.readers.record import Record
    from colligate.progress import Listener


@dataclass(frozen=True, eq=False)
class FrameSource:
    """The rows of a data frame. The index of a pandas frame is no column and never the id."""

    frame: Any
    wanted: Wanted

    @property
    def name(self) -> str:
        """The kind of frame."""
        return f"the {type(self.frame).__name__}"

    def place(self, where: int) -> str:
        """The row, counted from 1."""
        return f"row {where} of {self.name}"

    def records(self, listener: Listener) -> Iterator[Record]:
        """Read the rows in order; there is nothing to wait for, so the listener hears nothing."""
        if _is_pandas(self.frame):
            names = [str(name) for name in self.frame.columns]
            columns = Columns.choose(self.wanted, names, self.name)
            batches = _pandas_table(self.frame, columns, self.name).to_batches()
        else:
            batches = _stream(self.frame)
            columns = Columns.choose(self.wanted, batches.schema.names, self.name)
        yield from batch_records(batches, columns, self)


def _is_pandas(frame: Any) -> bool:
    return type(frame).__module__.partition(".")[0] == "pandas" and hasattr(frame, "columns")


def _pandas_table(frame: Any, columns: Columns, name: str) -> Any:
    import pyarrow as pa

    wanted = frame.loc[:, [str(column) in columns.all for column in frame.columns]]
    try:
        return pa.Table.from_pandas(wanted.rename(columns=str), preserve_index=False)
    except (pa.ArrowException, ValueError) as error:
        raise CorpusError(
            f"{name} mixes kinds of values in one column of {', '.join(map(repr, columns.all))} ({error}); "
            f"make the column text first, for example with .astype(str)"
        ) from error


def _stream(frame: Any) -> Any:
    import pyarrow as pa

    if not hasattr(frame, "__arrow_c_stream__"):
        raise _no_frame(frame)
    try:
        return pa.RecordBatchReader.from_stream(frame)
    except (pa.ArrowException, ValueError, TypeError) as error:
        raise _no_frame(frame) from error


def _no_frame(frame: Any) -> CorpusError:
    return CorpusError(
        f"from_frame takes a pandas or polars DataFrame, or another that gives an Arrow stream of columns; "
        f"got {type(frame).__name__}; a single column of texts goes to from_texts"
    )
