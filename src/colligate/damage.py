"""Telling damage by the name of the file: a stored file may hold anything, and its readers raise anything."""

from __future__ import annotations

import struct
from contextlib import contextmanager
from typing import TYPE_CHECKING
from zipfile import BadZipFile

from colligate.errors import ColligateError, StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RAISED = (
    ColligateError,
    ArithmeticError,
    AttributeError,
    BadZipFile,
    EOFError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
    struct.error,
)


@contextmanager
def naming(path: Path, what: str = "is damaged and cannot be read", advice: str = "") -> Iterator[None]:
    """Turn whatever reading a stored file raises into a StoreError that names it."""
    import pyarrow as pa

    try:
        yield
    except StoreError:
        raise
    except (*RAISED, pa.ArrowException) as error:
        told = str(error) if isinstance(error, ColligateError | ValueError | OSError) else repr(error)
        raise StoreError(f"{path} {what} ({told}){advice and '; '}{advice}") from error
