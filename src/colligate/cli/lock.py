"""One run at a time in an output folder: a lock file that tells which process has it.

The lock of a process that is dead, however it died, is taken over.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from colligate.errors import StoreError

NAME = ".colligate-lock"
# Locks of this process: a number in a file may be an earlier process's, as in a container that starts anew.
_held: set[Path] = set()


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Have the folder to oneself while inside, or say who has it."""
    path = folder / NAME
    _take(path)
    _held.add(path)
    try:
        yield
    finally:
        _held.discard(path)
        path.unlink(missing_ok=True)


def _take(path: Path) -> None:
    if _made(path):
        return
    owner = _read(path)
    if not _is_dead(owner, path):
        raise _taken(path, owner)
    _clear(path, owner)
    if not _made(path):
        raise _taken(path, _read(path))


def _made(path: Path) -> bool:
    try:
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
    except FileExistsError:
        return False
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        stream.write(f"{os.getpid()} {socket.gethostname()}\n")
    return True


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except FileNotFoundError:
        return ""


def _is_dead(owner: str, path: Path) -> bool:
    """Whether a process of this machine has the lock and is gone; of another machine nobody can tell."""
    number, _, host = owner.partition(" ")
    if host != socket.gethostname() or not number.isdecimal() or int(number) == 0:
        return False
    if int(number) == os.getpid():
        return path not in _held
    return os.name == "posix" and not _lives(int(number))


def _lives(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def _clear(path: Path, owner: str) -> None:
    """Remove a dead lock, and only that one: another run may have taken it over in the meantime."""
    aside = path.with_name(f"{NAME}.{os.getpid()}")
    try:
        path.rename(aside)
    except FileNotFoundError:
        return
    if _read(aside) != owner:
        aside.rename(path)
        raise _taken(path, _read(path))
    aside.unlink()


def _taken(path: Path, owner: str) -> StoreError:
    number, _, host = owner.partition(" ")
    who = f"process {number} on {host}" if host else "a process that does not say its number"
    return StoreError(
        f"{path.parent} is in use by another run ({who}); wait for it, or choose another folder with --out. "
        f"If there is no such run any more, remove {path}"
    )
