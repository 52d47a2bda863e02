"""Opening files for reading: plain files only, with a largest size where they are read as a whole.

A pipe would block the reader for ever, and a device such as /dev/zero never ends.
"""

from __future__ import annotations

import errno
import io
import os
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

LARGEST_TEXT = 1 << 28
"""The largest file, in bytes, that is read as a whole: a knowledge file, answers, a list of words."""

_BLOCK = 1 << 16


def open_plain(path: Path) -> io.FileIO:
    """Open a plain file for reading, and raise OSError for a pipe, a socket, a device or a folder."""
    stream = io.FileIO(path, opener=_open_without_waiting)
    mode = os.fstat(stream.fileno()).st_mode
    if not stat.S_ISREG(mode):
        stream.close()
        what = _describe_type(mode)
        raise OSError(errno.EINVAL, f"it is {what}, not a plain file; copy its content to one")
    return stream


def read_bounded(path: Path, largest: int = LARGEST_TEXT) -> bytes:
    """Read a plain file as a whole, and raise OSError if it has more bytes than `largest`."""
    parts: list[bytes] = []
    left = largest + 1
    with open_plain(path) as stream:
        # `read` allocates what it is asked for: first the size, but a file may grow while it is read
        size = max(os.fstat(stream.fileno()).st_size, _BLOCK)
        while left > 0 and (part := stream.read(min(left, size + 1))):
            parts.append(part)
            left -= len(part)
    if left <= 0:
        raise OSError(errno.EFBIG, f"it has more than {largest:,} bytes; split it")
    return b"".join(parts)


def _open_without_waiting(name: str, flags: int) -> int:
    # opening a pipe would otherwise wait for its writer
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))


def _describe_type(mode: int) -> str:
    for test, name in ((stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"), (stat.S_ISDIR, "a folder")):
        if test(mode):
            return name
    return "a device"
