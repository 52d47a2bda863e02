"""Deciding how the bytes of a file become text, before a single document is read from it."""

from __future__ import annotations

import io
import warnings
from typing import TYPE_CHECKING

from colligate.corpus.readers.encoding import (
    MARK,
    UTF8,
    Flaw,
    first_flaw,
    guess,
    is_swapped,
    known_encoding,
    marked_encoding,
    telling_lines,
)
from colligate.corpus.readers.meter import Meter
from colligate.corpus.readers.opening import BLOCK, opening, size_of
from colligate.errors import CorpusError, EncodingError, GuessedEncodingWarning
from colligate.progress import nobody

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from colligate.corpus.readers.opening import Opened
    from colligate.progress import Listener


def encoding_of(path: Path, asked: str | None, listener: Listener) -> str:
    """Return an encoding in which the whole of `path` is text, or say which byte stands against it.

    The file is read through once. A wrong guess in the middle of a long reading would come too late, and
    decoding costs little beside counting words.
    """
    with opening(path) as opened:
        head = opened.stream.read(4)
    marked = marked_encoding(head)
    encoding = known_encoding(asked) if asked else marked or UTF8
    refuse_swapped(head, encoding, path)
    flaw = first_flaw(_blocks(path, listener), encoding)
    if flaw is None:
        return encoding
    refuse_binary(flaw, path)
    if asked or marked:
        raise broken(path, flaw, encoding, None)
    return _guessed(path, flaw)


def refuse_binary(flaw: Flaw, path: Path) -> None:
    """Raise if the flaw is a NUL: then the file is no text at all, or UTF-16 without a mark."""
    if flaw.nul:
        raise CorpusError(
            f"{path}:{flaw.line}: a NUL at byte {flaw.offset}: this is a binary file, not text; "
            f"if it is text in UTF-16, pass encoding='utf-16-le' or encoding='utf-16-be'"
        )


def refuse_swapped(head: bytes, encoding: str, path: Path) -> None:
    """Raise if the file's byte order mark says that its bytes are in the other order."""
    if is_swapped(head, encoding):
        raise EncodingError(
            f"{path}:1: the file is marked as UTF-16 in the other byte order than {encoding}; "
            f"leave out encoding=, and the mark is used"
        )


def broken(path: Path, flaw: Flaw, encoding: str, likely: str | None) -> EncodingError:
    """Make the error that says which byte of the file is not text, and what to try."""
    name = "utf-8" if encoding == UTF8 else encoding
    hint = likely or ("cp1252" if encoding == UTF8 else "utf-8")
    return EncodingError(
        f"{path}:{flaw.line}: byte {flaw.offset} (0x{flaw.byte:02x}) is not text in {name}; "
        f"pass the file's encoding, for example encoding={hint!r}"
    )


def warn_guessed(what: str, encoding: str) -> None:
    """Tell the user that text was read in an encoding that nobody named."""
    warnings.warn(
        f"{what} not UTF-8, read as {encoding}; pass encoding={encoding!r} if that is right, "
        f"or the right one if it is not",
        GuessedEncodingWarning,
        stacklevel=2,
    )


def lines_of(opened: Opened, encoding: str, newline: str) -> Iterator[str]:
    """Read an open file line by line, without a byte order mark; lines end as in the file."""
    lines = io.TextIOWrapper(opened.stream, encoding, newline=newline)
    yield lines.readline().removeprefix(MARK)
    yield from lines


def _guessed(path: Path, flaw: Flaw) -> str:
    sample = telling_lines(_blocks(path, nobody))
    if b"\0" in sample:
        refuse_binary(flaw._replace(nul=True), path)
    found = guess(sample)
    if found is None or first_flaw(_blocks(path, nobody), found) is not None:
        raise broken(path, flaw, UTF8, found)
    warn_guessed(f"{path} is", found)
    return found


def _blocks(path: Path, listener: Listener) -> Iterator[bytes]:
    meter = Meter(listener, "checking", size_of(path))
    with opening(path) as opened:
        while block := opened.stream.read(BLOCK):
            meter.at(opened.position)
            yield block
    meter.finish()
