"""Reading a folder of text files, one document for each file.

Files that are not UTF-8 are assumed to have the same encoding, since a short file seldom shows it.
"""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from colligate._text import list_first
from colligate.corpus.readers.base import Record
from colligate.corpus.readers.encoding import (
    BYTE_ORDER_MARK,
    COMPRESSED_SUFFIXES,
    SAMPLE_BYTES,
    UTF8,
    check_byte_order,
    check_encoding,
    check_not_binary,
    decoding_error,
    file_size,
    find_flaw,
    format_suffix,
    guess_encoding,
    open_input,
    read_byte_order_mark,
    sample_non_ascii,
    warn_guessed,
    wrap_input_errors,
)
from colligate.corpus.readers.limits import line_error, read_limits
from colligate.errors import CorpusError, SkippedFilesWarning
from colligate.progress import ProgressMeter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from colligate.corpus.columns import ColumnsBuilder
    from colligate.progress import Listener


@dataclass(frozen=True)
class FolderSource:
    """The text files in a folder and those below it, in the order of their ids, without hidden ones."""

    path: Path
    encoding: str | None

    @property
    def name(self) -> str:
        """The path of the folder."""
        return str(self.path)

    def describe(self, location: int) -> str:
        """Name the file."""
        return str(self._files[location][1])

    def records(self, listener: Listener, kept: ColumnsBuilder) -> Iterator[Record]:
        """Read the files in order; they have no columns to keep."""
        self._warn_skipped()
        sizes = [file_size(path) for _, path in self._files]
        meter = ProgressMeter(listener, "reading", sum(sizes))
        decoder = FolderDecoder(self.path, [path for _, path in self._files], self.encoding)
        done = 0
        for number, (id, path) in enumerate(self._files):
            yield Record(id, decoder.decode(path), number)
            done += sizes[number]
            meter.update(done)
        decoder.finish()
        meter.finish()

    @cached_property
    def _files(self) -> list[tuple[str, Path]]:
        texts = [path for path in self._entries if _is_text_file(path)]
        if not texts:
            raise CorpusError(
                f"{self.path} contains no .txt, .txt.gz or .txt.zst file; {_describe_contents(self._entries)}"
            )
        for path in texts:
            _check_inside(path, self.path)
        return sorted((_make_id(path, self.path), path) for path in texts)

    @cached_property
    def _entries(self) -> list[Path]:
        with wrap_input_errors(self.path):
            return sorted(_walk_files(self.path))

    def _warn_skipped(self) -> None:
        skipped = [
            path.relative_to(self.path).as_posix() for path in self._entries if not _is_text_file(path)
        ]
        if not skipped or len(skipped) == len(self._entries):
            return
        files = "1 other file is" if len(skipped) == 1 else f"{len(skipped):,} other files are"
        warnings.warn(
            f"{self.path}: only .txt files are read; {files} skipped: {list_first(skipped)}",
            SkippedFilesWarning,
            stacklevel=2,
        )


def _is_text_file(path: Path) -> bool:
    return format_suffix(path) == ".txt"


def _walk_files(folder: Path) -> Iterator[Path]:
    # os.walk would skip folders that it may not read, without a word
    for parent, folders, files in os.walk(folder, onerror=_raise_error):
        # in place: os.walk descends into what is left in the list
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(parent, name) for name in files if not name.startswith("."))


def _check_inside(path: Path, folder: Path) -> None:
    """Refuse a link that leads out of the folder: what it names would be stored with the documents."""
    if path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)):
        raise CorpusError(
            f"{path} is a link to a file outside {folder}; copy that file into the folder, or remove the link"
        )


def _raise_error(error: OSError) -> None:
    raise error


def _make_id(path: Path, folder: Path) -> str:
    plain = path.with_suffix("") if path.suffix.lower() in COMPRESSED_SUFFIXES else path
    return plain.with_suffix("").relative_to(folder).as_posix()


def _describe_contents(entries: list[Path]) -> str:
    if not entries:
        return "it is empty"
    return f"it contains {entries[0].name}; to read a single file, pass its path"


class FolderDecoder:
    """Decodes the files of a folder; those that are not UTF-8 in the encoding that all of them suggest."""

    def __init__(self, folder: Path, files: list[Path], encoding: str | None) -> None:
        self._folder = folder
        self._files = files
        self._encoding = check_encoding(encoding) if encoding else None
        self._n_guessed = 0

    def decode(self, path: Path) -> str:
        """Return the text of one file."""
        data = _read_bytes(path)
        marked = read_byte_order_mark(data)
        encoding = self._encoding or marked or UTF8
        check_byte_order(data[:4], encoding, path)
        flaw = find_flaw([data], encoding)
        if flaw is None:
            return data.decode(encoding).removeprefix(BYTE_ORDER_MARK)
        check_not_binary(flaw._replace(nul=True) if b"\0" in data and not marked else flaw, path)
        if self._encoding or marked:
            raise decoding_error(path, flaw, encoding, None)
        if self._shared_encoding is None or find_flaw([data], self._shared_encoding) is not None:
            raise decoding_error(path, flaw, UTF8, self._shared_encoding)
        self._n_guessed += 1
        return data.decode(self._shared_encoding)

    def finish(self) -> None:
        """Warn once of all files that were read in a guessed encoding."""
        if self._n_guessed and self._shared_encoding is not None:
            warn_guessed(f"{self._n_guessed} file(s) of {self._folder} are", self._shared_encoding)

    @cached_property
    def _shared_encoding(self) -> str | None:
        sample = b""
        for path in self._files:
            data = _read_bytes(path)
            if (
                read_byte_order_mark(data) is None
                and b"\0" not in data
                and find_flaw([data], UTF8) is not None
            ):
                sample += sample_non_ascii([data]) + b"\n"
            if len(sample) >= SAMPLE_BYTES:
                break
        return guess_encoding(sample.rstrip(b"\n"))


def _read_bytes(path: Path) -> bytes:
    largest = read_limits().line
    with open_input(path) as opened:
        data = opened.stream.read(largest + 1)
    if len(data) > largest:
        raise line_error(f"{path}: the text", largest)
    return data
