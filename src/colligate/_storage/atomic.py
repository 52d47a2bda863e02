"""Writing files and folders atomically: whole or not at all, whatever interrupts it.

Everything is written under a temporary name beside the target and renamed when it is complete. Files that
somebody else put into a folder are never removed. A lock keeps a folder for one run at a time.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import socket
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from colligate.errors import StoreError

OwnedFiles = Callable[[Path], Iterable[str]]
"""Lists the files of a folder, such as a/b.txt, that the caller stored there before."""
LOCK_NAME = ".colligate-lock"


def no_files(_: Path) -> Iterable[str]:
    """List no file."""
    return ()


def expand_path(path: str | os.PathLike[str]) -> Path:
    """Return the path with ~ replaced by the home folder."""
    try:
        return Path(path).expanduser()
    except RuntimeError:  # an unknown user: a shell leaves such a path as it is
        return Path(path)


@contextmanager
def write_file(target: Path) -> Iterator[Path]:
    """Hand out a temporary path; rename it to `target` on success, remove it on any failure.

    Where `target` is a link, the file it points to is replaced.
    """
    with wrap_write_errors(target):
        final = _resolve_links(target)
        final.parent.mkdir(parents=True, exist_ok=True)
        # in the folder of the target: renaming is atomic only within a file system
        handle, name = tempfile.mkstemp(prefix=f".{final.name}.", dir=final.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        with wrap_write_errors(target):
            yield temporary
            # mkstemp lets only the owner read; the file gets the usual rights
            temporary.chmod(0o666 & ~_read_umask())
            temporary.replace(final)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def write_folder(target: Path, *, overwrite: bool = False, owned: OwnedFiles = no_files) -> Iterator[Path]:
    """Hand out a temporary folder; rename it to `target` on success, remove it on any failure.

    An existing `target` is replaced only with `overwrite`, only once the new one is complete, and only if it
    holds no other files than `owned` lists.
    """
    with wrap_write_errors(target):
        final = _resolve_links(target)
        _check_overwrite(target, final, overwrite, owned)
        final.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=f".{final.name}.", dir=final.parent))
    try:
        with wrap_write_errors(target):
            yield temporary
            temporary.chmod(0o777 & ~_read_umask())
            # again, because somebody may have put a file there meanwhile
            _check_overwrite(target, final, overwrite, owned)
            _replace_folder(temporary, final)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def hash_file(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@contextmanager
def wrap_write_errors(target: Path) -> Iterator[None]:
    """Raise a StoreError that names the target for what the operating system refuses."""
    try:
        yield
    except StoreError:
        raise
    except OSError as error:
        raise StoreError(f"cannot write {target}: {error.strerror or error}") from error


def _resolve_links(target: Path) -> Path:
    # unlike Path.resolve, this does not fail on links that go in a circle
    return Path(os.path.realpath(expand_path(target)))


def _check_overwrite(target: Path, final: Path, overwrite: bool, owned: OwnedFiles) -> None:
    if not final.exists():
        return
    if not overwrite:
        raise StoreError(
            f"{target} already exists; choose another folder, or replace it with overwrite=True "
            "(--overwrite on the command line)"
        )
    if not final.is_dir():
        raise StoreError(f"{target} is a file; choose a folder")
    stored = {part for name in owned(final) for part in (Path(name), *Path(name).parents)}
    for entry in sorted(final.rglob("*")):
        name = entry.relative_to(final)
        # a link could lead out of the folder
        if name not in stored or entry.is_symlink():
            raise StoreError(
                f"{target} is not replaced, because it contains {name}, which Colligate did not write; "
                "choose another folder"
            )


def _replace_folder(temporary: Path, final: Path) -> None:
    """Replace a folder by the new one, and remove the old one when that is done."""
    with defer_interrupts():
        if not final.exists():
            temporary.rename(final)
            return
        # a folder cannot be renamed onto one that is not empty, so the old one moves away first
        old = Path(tempfile.mkdtemp(prefix=f".{final.name}.old.", dir=final.parent))
        previous = old / "previous"
        try:
            final.rename(previous)
            temporary.rename(final)
        except BaseException:
            # the old folder has moved away, and the new one did not arrive
            if not final.exists():
                _restore_folder(previous, final)
            shutil.rmtree(old, ignore_errors=True)
            raise
    shutil.rmtree(old, ignore_errors=True)


def _restore_folder(previous: Path, final: Path) -> None:
    try:
        previous.rename(final)
    except OSError as error:
        raise StoreError(
            f"cannot write {final}; its earlier content is now in {previous}. To restore it, move "
            f"that folder to {final}."
        ) from error


def _read_umask() -> int:
    # the mask can only be read by setting it
    mask = os.umask(0)
    os.umask(mask)
    return mask


@contextmanager
def defer_interrupts() -> Iterator[None]:
    """Hold Ctrl-C back until the block ends. Python delivers it to the main thread only."""
    previous = signal.getsignal(signal.SIGINT)
    # None means a handler that Python did not set and could not put back
    if threading.current_thread() is not threading.main_thread() or previous is None:
        yield
        return
    interrupted = threading.Event()
    signal.signal(signal.SIGINT, lambda *_: interrupted.set())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
        if interrupted.is_set():
            signal.raise_signal(signal.SIGINT)


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder, or raise an error that names the process that holds it.

    The operating system holds the lock, so it ends with the process, however that ends.
    """
    from filelock import FileLock, Timeout

    path = folder / LOCK_NAME
    lock = FileLock(path, timeout=0)
    try:
        lock.acquire()
    except Timeout as error:
        raise _locked_error(path) from error
    try:
        with suppress(OSError):
            path.write_text(f"{os.getpid()} {socket.gethostname()}\n", encoding="utf-8")
        yield
    finally:
        # removed while it is held: another run that waits for this file sees that it is gone
        with suppress(OSError):
            path.unlink()
        lock.release()


def _locked_error(path: Path) -> StoreError:
    try:
        number, _, host = path.read_text(encoding="utf-8", errors="replace").strip().partition(" ")
    except OSError:
        number = host = ""
    owner = f"process {number} on {host}" if host else "another process"
    return StoreError(
        f"{path.parent} is in use by another run ({owner}); wait until that run ends, or choose another "
        "folder with --out"
    )


def swap_files(names: Sequence[str], path: Path, new: Path, old: Path) -> None:
    """Move what is in `path` to `old` and what is in `new` to `path`; if that fails, move everything back.

    The last of `names` leaves first and arrives last, so that a folder that has it is complete.
    """
    moves = [(path / name, old / name) for name in reversed(names) if (path / name).exists()]
    moves += [(new / name, path / name) for name in names if (new / name).exists()]
    with defer_interrupts():
        try:
            for source, target in moves:
                source.rename(target)
        except BaseException:
            for source, target in reversed(moves):
                # only the moves that were made
                if target.exists() and not source.exists():
                    target.rename(source)
            raise


def restore_files(names: Sequence[str], path: Path, new: Path, old: Path) -> None:
    """Restore what was in `path` before a `swap_files` that was killed halfway."""
    if (path / names[-1]).exists():
        return
    with defer_interrupts():
        for name in names:
            if (old / name).exists():
                if (path / name).exists():
                    (path / name).rename(new / name)
                (old / name).rename(path / name)
