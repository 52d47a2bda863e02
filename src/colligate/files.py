"""Writing files so that nothing half-written ever stands under its final name.

Everything goes to a temporary name beside the target and is renamed when it is complete. What somebody else
put into a folder is never removed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from colligate.errors import StoreError
from colligate.interrupts import held_back

if TYPE_CHECKING:
    from collections.abc import Iterator

Ours = Callable[[Path], Iterable[str]]
"""Tells which files of a folder, as a/b.txt, belong to something the caller stored there before."""


def nothing(_: Path) -> Iterable[str]:
    """No file of the folder is ours."""
    return ()


def located(path: str | os.PathLike[str]) -> Path:
    """The place a user means: ~ stands for the home folder."""
    try:
        return Path(path).expanduser()
    except RuntimeError:  # as a shell does with the home of nobody
        return Path(path)


@contextmanager
def writing_file(target: Path) -> Iterator[Path]:
    """Hand out a temporary path; rename it to `target` on success, remove it on any failure.

    Where `target` is a link, the file it points to is replaced.
    """
    with storing(target):
        final = _behind_links(target)
        final.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{final.name}.", dir=final.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        with storing(target):
            yield temporary
            temporary.chmod(0o666 & ~_umask())
            temporary.replace(final)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def writing_folder(target: Path, *, overwrite: bool = False, ours: Ours = nothing) -> Iterator[Path]:
    """Hand out a temporary folder that becomes `target` on success and vanishes on any failure.

    An existing `target` is replaced only if `overwrite` is set, only once the new one is complete, and only
    if it holds nothing beside what `ours` names.
    """
    with storing(target):
        final = _behind_links(target)
        _refuse(target, final, overwrite, ours)
        final.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=f".{final.name}.", dir=final.parent))
    try:
        with storing(target):
            yield temporary
            temporary.chmod(0o777 & ~_umask())
            _refuse(target, final, overwrite, ours)
            _swap_in(temporary, final)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def sha256(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@contextmanager
def storing(target: Path) -> Iterator[None]:
    """Name the target in whatever the operating system refuses."""
    try:
        yield
    except StoreError:
        raise
    except OSError as error:
        raise StoreError(f"cannot write {target}: {error.strerror or error}") from error


def _behind_links(target: Path) -> Path:
    # unlike Path.resolve, this takes links that go in a circle for what they are: nothing
    return Path(os.path.realpath(located(target)))


def _refuse(target: Path, final: Path, overwrite: bool, ours: Ours) -> None:
    if not final.exists():
        return
    if not overwrite:
        raise StoreError(f"{target} exists already; choose another folder or allow overwriting")
    if not final.is_dir():
        raise StoreError(f"{target} is a file; choose a folder")
    own = {part for name in ours(final) for part in (Path(name), *Path(name).parents)}
    for entry in sorted(final.rglob("*")):
        name = entry.relative_to(final)
        if name not in own or entry.is_symlink():
            raise StoreError(
                f"{target} holds {name}, which was not stored by Colligate as this is; choose another folder"
            )


def _swap_in(temporary: Path, final: Path) -> None:
    """Put the new folder in place of the old one, which goes only when that is done."""
    with held_back():
        if not final.exists():
            temporary.rename(final)
            return
        old = Path(tempfile.mkdtemp(prefix=f".{final.name}.old.", dir=final.parent))
        previous = old / "previous"
        try:
            final.rename(previous)
            temporary.rename(final)
        except BaseException:
            if not final.exists():
                _put_back(previous, final)
            shutil.rmtree(old, ignore_errors=True)
            raise
    shutil.rmtree(old, ignore_errors=True)


def _put_back(previous: Path, final: Path) -> None:
    try:
        previous.rename(final)
    except OSError as error:
        raise StoreError(f"cannot write {final}; what was there before is kept in {previous}") from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
