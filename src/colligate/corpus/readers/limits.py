"""Limits of what is read: how long a line or text may be, and how much a compressed file may unfold to.

A small compressed file can hold a line of many gigabytes. The limits are far above what documents have;
environment variables raise them.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from colligate.errors import CorpusError, ParameterError

if TYPE_CHECKING:
    from pathlib import Path

LINE_VARIABLE, UNPACKED_VARIABLE = "COLLIGATE_MAX_LINE", "COLLIGATE_MAX_UNPACKED"


class ReadingLimits(NamedTuple):
    """The largest line or text, in characters, and the largest unpacked file, in bytes."""

    line: int = 100_000_000
    unpacked: int = 100_000_000_000


def read_limits() -> ReadingLimits:
    """Return the limits, with those that environment variables set."""
    limits = ReadingLimits()
    return ReadingLimits(
        _read_variable(LINE_VARIABLE, limits.line), _read_variable(UNPACKED_VARIABLE, limits.unpacked)
    )


def _read_variable(name: str, default: int) -> int:
    text = os.environ.get(name, "")
    if not text:
        return default
    if not text.isdecimal() or len(text) > 15 or int(text) < 1:
        raise ParameterError(
            f"the environment variable {name} must be a whole number above 0; it is {text!a:.40}"
        )
    return int(text)


def check_unpacked(n_bytes: int, path: Path) -> None:
    """Raise an error once a compressed file has unfolded to more bytes than the limit."""
    largest = read_limits().unpacked
    if n_bytes > largest:
        raise CorpusError(
            f"{path} unfolds to more than {largest:,} bytes; unpack it and split it, or set the environment "
            f"variable {UNPACKED_VARIABLE} to a larger number"
        )


def line_error(what: str, largest: int) -> CorpusError:
    """Return the error for a line or text that is too long."""
    return CorpusError(
        f"{what} is longer than {largest:,} characters; check that each document is on its own line, or set "
        f"the environment variable {LINE_VARIABLE} to a larger number"
    )
