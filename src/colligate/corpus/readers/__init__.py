"""Readers: each turns one kind of input into a stream of records."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

from colligate.corpus.readers.base import ColumnRequest, MemorySource, Record, Source
from colligate.corpus.readers.delimited import DelimitedSource
from colligate.corpus.readers.encoding import format_suffix, wrap_input_errors
from colligate.corpus.readers.folder import FolderSource
from colligate.corpus.readers.jsonl import JsonlSource
from colligate.corpus.readers.objects import find_source
from colligate.corpus.readers.tables import FrameSource, ParquetSource
from colligate.errors import CorpusError, Parameter, ParameterError

if TYPE_CHECKING:
    from pathlib import Path


__all__ = ["ColumnRequest", "FrameSource", "MemorySource", "Record", "Source", "find_source", "open_source"]

SUPPORTED = ".csv, .tsv, .jsonl, .ndjson and .parquet (each also .gz or .zst), or a folder of .txt files"
DELIMITERS = {".csv": None, ".tsv": "\t"}


def open_source(path: Path, request: ColumnRequest, encoding: str | None) -> Source:
    """Return the source that reads `path`, chosen by its suffix, or by whether it is a folder."""
    suffix = format_suffix(path)
    with wrap_input_errors(path):
        folder = stat.S_ISDIR(path.stat().st_mode)
    if folder:
        _check_no_columns(path, request)
        return FolderSource(path, encoding)
    if suffix in DELIMITERS:
        return DelimitedSource(path, request, encoding, DELIMITERS[suffix])
    if suffix in (".jsonl", ".ndjson"):
        return JsonlSource(path, request, encoding)
    if suffix == ".parquet":
        _check_no_encoding(path, encoding)
        return ParquetSource(path, request)
    raise _unsupported_error(path, suffix)


def _unsupported_error(path: Path, suffix: str) -> CorpusError:
    what = f"files ending in {suffix}" if suffix else "files without a suffix"
    hint = "; to read a .txt file, pass its folder" if suffix == ".txt" else ""
    return CorpusError(f"cannot read {path}: {what} are not supported; use {SUPPORTED}{hint}")


def _check_no_columns(path: Path, request: ColumnRequest) -> None:
    if request.text or request.id is not None:
        raise ParameterError(
            f"{path} is a folder of text files and has no columns; leave out ",
            Parameter("text"),
            " and ",
            Parameter("id"),
        )


def _check_no_encoding(path: Path, encoding: str | None) -> None:
    if encoding is not None:
        raise ParameterError(
            f"{path} is Parquet, whose texts are always UTF-8; leave out ", Parameter("encoding")
        )
