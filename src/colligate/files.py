"""Writing files so that nothing half-written ever stands under its final name.

Everything goes to a temporary name beside the target and is renamed when it is complete.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from colligate.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def writing_file(target: Path) -> Iterator[Path]:
    """Hand out a temporary path; rename it to `target` on success, remove it on any failure."""
    handle, name = _make_temporary(target, tempfile.mkstemp)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(target)
    except OSError as error:
        raise StoreError(f"cannot write {target}: {error.strerror or error}") from error
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def writing_folder(target: Path, *, overwrite: bool = False) -> Iterator[Path]:
    """Hand out a temporary folder that becomes `target` on success and vanishes on any failure.

    An existing `target` is replaced only if `overwrite` is set, and only once the new one is complete.
    """
    if target.exists() and not overwrite:
        raise StoreError(f"{target} exists already; choose another folder or allow overwriting")
    temporary = Path(_make_temporary(target, tempfile.mkdtemp))
    try:
        yield temporary
        temporary.chmod(0o777 & ~_umask())
        _swap_in(temporary, target)
    except OSError as error:
        if isinstance(error, StoreError):
            raise
        raise StoreError(f"cannot write {target}: {error.strerror or error}") from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def sha256(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _make_temporary(target: Path, make):  # type: ignore[no-untyped-def]
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        return make(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise StoreError(f"cannot write {target}: {error.strerror or error}") from error


def _swap_in(temporary: Path, target: Path) -> None:
    if not target.exists():
        temporary.rename(target)
        return
    old = Path(tempfile.mkdtemp(prefix=f".{target.name}.old.", dir=target.parent))
    target.rename(old / "previous")
    try:
        temporary.rename(target)
    except OSError:
        (old / "previous").rename(target)
        raise
    finally:
        shutil.rmtree(old, ignore_errors=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
