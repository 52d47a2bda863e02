"""Reading Parquet files and data frames (pandas, polars, Arrow), one document for each row."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from colligate.corpus.columns import MAX_COLUMNS, clean_names, convert_values, is_bytes, is_pandas
from colligate.corpus.readers.base import ColumnRequest, Columns, read_batches
from colligate.corpus.readers.encoding import COMPRESSED_SUFFIXES, file_size, open_input
from colligate.errors import CorpusError
from colligate.progress import ProgressMeter

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

    from colligate.corpus.columns import ColumnsBuilder
    from colligate.corpus.readers.base import Record
    from colligate.progress import Listener


BATCH_ROWS = 4096


@dataclass(frozen=True)
class ParquetSource:
    """The rows of a Parquet file."""

    path: Path
    request: ColumnRequest

    @property
    def name(self) -> str:
        """The path of the file."""
        return str(self.path)

    def describe(self, location: int) -> str:
        """Name the file and the row."""
        return f"{self.path}, row {location}"

    def records(self, listener: Listener, kept: ColumnsBuilder) -> Iterator[Record]:
        """Read the rows in order, with the columns in use and those to keep."""
        import pyarrow.parquet as pq

        size = file_size(self.path)
        if size == 0:
            raise CorpusError(f"{self.path} is empty, so it is not a Parquet file; write the file again")
        meter = ProgressMeter(listener, "reading", size)
        with _open_seekable(self.path) as stream, self._wrap_arrow_errors():
            file = pq.ParquetFile(stream)
            columns = Columns.choose(self.request, file.schema_arrow.names, self.name)
            batches = file.iter_batches(BATCH_ROWS, columns=_list_wanted(file.schema_arrow, columns, kept))
            rows = max(1, file.metadata.num_rows)
            for record in read_batches(batches, columns, self, kept):
                meter.update(size * record.location // rows)
                yield record
        meter.finish()

    @contextmanager
    def _wrap_arrow_errors(self) -> Iterator[None]:
        import pyarrow as pa

        try:
            yield
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            raise CorpusError(
                f"cannot read {self.path} as Parquet: {error}; it may be cut short or of another format"
            ) from error


@contextmanager
def _open_seekable(path: Path) -> Iterator[Any]:
    """Open a Parquet file, whose end is read first; a compressed one is unpacked to a temporary file."""
    with open_input(path) as opened:
        if path.suffix.lower() not in COMPRESSED_SUFFIXES:
            yield opened.raw
            return
        with tempfile.TemporaryFile() as unpacked:
            _unpack(opened.stream, unpacked, path)
            yield unpacked


def _unpack(packed: BinaryIO, unpacked: Any, path: Path) -> None:
    try:
        shutil.copyfileobj(packed, unpacked, 1 << 20)
    except OSError as error:
        raise CorpusError(f"cannot unpack {path}: {error.strerror or error}") from error
    unpacked.seek(0)


@dataclass(frozen=True, eq=False)
class FrameSource:
    """The rows of a data frame. The index of a pandas frame is no column and never the id."""

    frame: Any
    request: ColumnRequest

    @property
    def name(self) -> str:
        """The type of the frame."""
        return f"the {type(self.frame).__name__}"

    def describe(self, location: int) -> str:
        """Name the row, counted from 1."""
        return f"row {location} of {self.name}"

    def records(self, listener: Listener, kept: ColumnsBuilder) -> Iterator[Record]:
        """Read the rows in order; they are in memory, so no progress is reported."""
        if is_pandas(self.frame):
            names = [str(name) for name in self.frame.columns]
            columns = Columns.choose(self.request, names, self.name)
            batches = _convert_pandas(self.frame, columns, self.name).to_batches()
            if columns.keep:
                _keep_pandas(self.frame, columns, kept)
        else:
            batches = _open_stream(self.frame)
            columns = Columns.choose(self.request, batches.schema.names, self.name)
        yield from read_batches(batches, columns, self, kept)


def _list_wanted(schema: Any, columns: Columns, kept: ColumnsBuilder) -> list[str]:
    """List the columns to read: those in use, and those to keep, without columns of bytes."""
    wanted = list(columns.all)
    for column in schema:
        if column.name in columns.all or not columns.keep:
            continue
        if is_bytes(column.type) or len(wanted) >= MAX_COLUMNS:
            kept.leave_out(column.name)
        else:
            wanted.append(column.name)
    return list(dict.fromkeys(wanted))


def _keep_pandas(frame: Any, columns: Columns, kept: ColumnsBuilder) -> None:
    """Keep the other columns of a pandas frame, each converted by itself, since its values may be mixed."""
    names = clean_names(str(name) for name in frame.columns)
    for position, name in enumerate(names):
        if name not in columns.all and columns.is_kept(name):
            kept.add_column(name, convert_values(frame.iloc[:, position], name))


def _convert_pandas(frame: Any, columns: Columns, name: str) -> Any:
    import pyarrow as pa

    used = frame.loc[:, [str(column) in columns.all for column in frame.columns]]
    try:
        return pa.Table.from_pandas(used.rename(columns=str), preserve_index=False)
    except (pa.ArrowException, ValueError) as error:
        raise CorpusError(
            f"{name}: one of the columns {', '.join(map(repr, columns.all))} has values of different types "
            f"({error}); convert it to text, for example with .astype(str)"
        ) from error


def _open_stream(frame: Any) -> Any:
    import pyarrow as pa

    if not hasattr(frame, "__arrow_c_stream__"):
        raise _not_a_frame_error(frame)
    try:
        return pa.RecordBatchReader.from_stream(frame)
    except (pa.ArrowException, ValueError, TypeError) as error:
        raise _not_a_frame_error(frame) from error


def _not_a_frame_error(frame: Any) -> CorpusError:
    return CorpusError(
        "from_frame accepts a pandas or polars DataFrame, or another table that supports Arrow "
        f"streams; got {type(frame).__name__}. To read a single column of texts, use from_texts"
    )
