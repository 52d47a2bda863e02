"""Reading Parquet files, one document for each row."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from colligate.corpus.readers.batches import batch_records
from colligate.corpus.readers.columns import Columns, Wanted
from colligate.corpus.readers.meter import Meter
from colligate.corpus.readers.opening import COMPRESSED, opening, size_of
from colligate.errors import CorpusError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

    from colligate.corpus.readers.record import Record
    from colligate.progress import Listener

BATCH = 4096


@dataclass(frozen=True)
class ParquetSource:
    """The rows of a Parquet file."""

    path: Path
    wanted: Wanted

    @property
    def name(self) -> str:
        """The path of the file."""
        return str(self.path)

    def place(self, where: int) -> str:
        """The file and the row."""
        return f"{self.path}, row {where}"

    def records(self, listener: Listener) -> Iterator[Record]:
        """Read the rows in order, only the columns in use."""
        import pyarrow.parquet as pq

        size = size_of(self.path)
        if size == 0:
            raise CorpusError(f"{self.path} is empty; a Parquet file has at least a header")
        meter = Meter(listener, "reading", size)
        with _seekable(self.path) as stream, self._arrow_errors():
            file = pq.ParquetFile(stream)
            columns = Columns.choose(self.wanted, file.schema_arrow.names, self.name)
            batches = file.iter_batches(BATCH, columns=list(columns.all))
            rows = max(1, file.metadata.num_rows)
            for record in batch_records(batches, columns, self):
                meter.at(size * record.where // rows)
                yield record
        meter.finish()

    @contextmanager
    def _arrow_errors(self) -> Iterator[None]:
        import pyarrow as pa

        try:
            yield
        except (pa.ArrowException, OSError) as error:
            raise CorpusError(
                f"cannot read {self.path} as Parquet: {error}; it may be cut short or of another format"
            ) from error


@contextmanager
def _seekable(path: Path) -> Iterator[Any]:
    """Open a Parquet file, whose end is read first; a compressed one is unpacked to a nameless file."""
    with opening(path) as opened:
        if path.suffix.lower() not in COMPRESSED:
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
