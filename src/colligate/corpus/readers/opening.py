"""Opening a file of documents as a stream of plain bytes, whatever it is compressed with."""

from __future__ import annotations

import gzip
import io
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from colligate.errors import CorpusError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

COMPRESSED = (".gz", ".zst")
BLOCK = 1 << 18


class Opened:
    """An open file: `raw` as it lies on disk, `stream` its decompressed bytes."""

    def __init__(self, path: Path, raw: io.FileIO) -> None:
        self.raw = raw
        self.stream: BinaryIO = io.BufferedReader(_Plain(path, _decompressed(path, raw)), BLOCK)

    @property
    def position(self) -> int:
        """How many bytes of the file on disk have been read so far."""
        return self.raw.tell()


@contextmanager
def opening(path: Path) -> Iterator[Opened]:
    """Open `path` for reading its decompressed bytes; what goes wrong names the file."""
    with reading(path):
        raw = io.FileIO(path)
    with raw:
        yield Opened(path, raw)


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn whatever the operating system or a decompressor raises into an error that names the file."""
    try:
        yield
    except FileNotFoundError as error:
        raise CorpusError(f"there is no file {path}; check the name and the folder") from error
    except PermissionError as error:
        raise CorpusError(f"cannot read {path}: permission denied; ask for the right to read it") from error
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise _damaged(path, error) from error
    except OSError as error:
        if path.suffix.lower() in COMPRESSED and error.errno is None:
            raise _damaged(path, error) from error
        raise CorpusError(f"cannot read {path}: {error.strerror or error}") from error


def plain_suffix(path: Path) -> str:
    """The suffix that tells the format, in lower case, without `.gz` or `.zst` behind it."""
    name = path.with_suffix("") if path.suffix.lower() in COMPRESSED else path
    return name.suffix.lower()


def size_of(path: Path) -> int:
    """The size of the file on disk in bytes."""
    with reading(path):
        return path.stat().st_size


def _damaged(path: Path, error: BaseException) -> CorpusError:
    return CorpusError(f"{path} is damaged or cut short ({error}); fetch or compress it again")


def _decompressed(path: Path, raw: io.FileIO) -> Any:
    suffix = path.suffix.lower()
    if suffix == ".gz":
        return gzip.GzipFile(fileobj=raw, mode="rb")
    if suffix == ".zst":
        import pyarrow as pa

        return pa.CompressedInputStream(pa.PythonFile(raw, mode="r"), "zstd")
    return raw


class _Plain(io.RawIOBase):
    """Decompressed bytes of a file, with every error turned into one that names the file."""

    def __init__(self, path: Path, stream: Any) -> None:
        self._path = path
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        with reading(self._path):
            block = self._stream.read(len(buffer))
        buffer[: len(block)] = block
        return len(block)
