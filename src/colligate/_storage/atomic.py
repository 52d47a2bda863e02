"""Writing files and folders atomically: whole or not at all, whatever interrupts it.

Everything is written under a temporary name beside the target and renamed when it is complete. Before the
name changes, the content is on the disk (`fsync`), and afterwards the name is: after a power cut there is the
old file or the new one, never an empty one. Files that somebody else put into a folder are never removed. A
lock keeps a folder for one run at a time.
"""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import shutil
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from colligate.errors import InputError, StoreError

OwnedFiles = Callable[[Path], Iterable[str]]
"""Lists the files of a folder, such as a/b.txt, that the caller stored there before."""
LOCK_NAME = ".colligate-lock"
ABANDONED_SECONDS = 5.0
"""An empty lock that is younger may be one that is being written."""


def no_files(_: Path) -> Iterable[str]:
    """List no file."""
    return ()


def expand_path(path: str | os.PathLike[str]) -> Path:
    """Return the path with ~ replaced by the home folder; refuse one that no file can have."""
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"a path is needed, as text or a pathlib.Path; got {path!r:.80}")
    if "\0" in str(path):
        raise InputError(f"{str(path)!a:.80} is no path: no name of a file contains the character NUL")
    try:
        return Path(path).expanduser()
    except RuntimeError:  # an unknown user: a shell leaves such a path as it is
        return Path(path)


@contextmanager
def write_file(target: Path, *, private: bool = False) -> Iterator[Path]:
    """Hand out a temporary path; rename it to `target` on success, remove it on any failure.

    Where `target` is a link, the file it points to is replaced. Only the owner may read a `private` file, and
    a link in its place is replaced itself: it may come from somebody else.
    """
    with wrap_write_errors(target):
        final = _resolve_links(target.parent) / target.name if private else _resolve_links(target)
        final.parent.mkdir(parents=True, exist_ok=True)
        temporary = _name_temporary(final)
        os.close(os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o666))
    try:
        with wrap_write_errors(target, temporary):
            yield temporary
            if private:
                temporary.chmod(0o600)
            sync_file(temporary)
            temporary.replace(final)
            sync_folder(final.parent)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def write_folder(
    target: Path, *, overwrite: bool = False, owned: OwnedFiles = no_files, private: bool = False
) -> Iterator[Path]:
    """Hand out a temporary folder; rename it to `target` on success, remove it on any failure.

    An existing `target` is replaced only with `overwrite`, only once the new one is complete, and only if it
    holds no other files than `owned` lists. Only the owner may read a `private` folder.
    """
    with wrap_write_errors(target):
        final = _resolve_links(target)
        _check_overwrite(target, final, overwrite, owned)
        final.parent.mkdir(parents=True, exist_ok=True)
        temporary = _name_temporary(final)
        temporary.mkdir(0o700 if private else 0o777)
    try:
        with wrap_write_errors(target, temporary):
            yield temporary
            if private:
                make_private(temporary)
            sync_tree(temporary)
            # again, because somebody may have put a file there meanwhile
            _check_overwrite(target, final, overwrite, owned)
            _replace_folder(temporary, final)
            sync_folder(final.parent)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def hash_file(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def sync_file(path: Path) -> None:
    """Return once the content of a file is on the disk."""
    # for writing, which Windows needs
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_folder(path: Path) -> None:
    """Return once the names of the files in a folder are on the disk, where the system can do that."""
    # Windows cannot open a folder, and some file systems cannot sync one
    with suppress(OSError):
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def sync_tree(path: Path) -> None:
    """Return once everything in a folder is on the disk: the files first, then the folders from below."""
    for parent, _, files in os.walk(path, topdown=False):
        for name in files:
            sync_file(Path(parent, name))
        sync_folder(Path(parent))


def make_private(path: Path) -> None:
    """Take away all rights of other users from a folder and everything in it."""
    for parent, _, files in os.walk(path):
        Path(parent).chmod(0o700)
        for name in files:
            Path(parent, name).chmod(0o600)


@contextmanager
def wrap_write_errors(target: Path, temporary: Path | None = None) -> Iterator[None]:
    """Raise a StoreError that names the target for what the operating system refuses.

    A message that names the temporary path names the target instead: the user does not know the other.
    """
    try:
        yield
    except StoreError as error:
        if temporary is None or str(temporary) not in str(error):
            raise
        raise StoreError(str(error).replace(str(temporary), str(target))) from error
    except OSError as error:
        reason = str(error.strerror or error)
        if temporary is not None:
            reason = reason.replace(str(temporary), str(target))
        raise StoreError(f"cannot write {target}: {reason}") from error


def _resolve_links(target: Path) -> Path:
    # unlike Path.resolve, this does not fail on links that go in a circle
    return Path(os.path.realpath(expand_path(target)))


def _name_temporary(final: Path) -> Path:
    """Return an unused path beside another: renaming is atomic only within a file system.

    `tempfile` would let only the owner read what it makes, and the mask of the usual rights can be read only
    by setting it, for all threads. So the caller makes the file or folder, and the system applies the mask.
    """
    return final.with_name(f".{final.name}.{secrets.token_urlsafe(6)}")


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
        if not _is_abandoned(path):
            raise _locked_error(path) from error
        path.unlink(missing_ok=True)
        lock = FileLock(path, timeout=0)
        try:
            lock.acquire()
        except Timeout:
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


def _is_abandoned(path: Path) -> bool:
    """Whether a lock is an empty file that nobody holds.

    Where the file system has no locks, the file itself is the lock. A process that was killed before it wrote
    its number there leaves a file that nobody could take over.
    """
    try:
        status = path.stat()
        if status.st_size or time.time() - status.st_mtime < ABANDONED_SECONDS:
            return False
        import fcntl

        with path.open("rb") as stream:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:
        return False
    except OSError as error:
        # no locks at all; any other error is that of a lock that somebody holds
        return error.errno in (errno.ENOSYS, errno.ENOTSUP)
    return True


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
    sync_tree(new)
    moves = [(path / name, old / name) for name in reversed(names) if (path / name).exists()]
    moves += [(new / name, path / name) for name in names if (new / name).exists()]
    with defer_interrupts():
        try:
            for source, target in moves:
                source.rename(target)
            sync_folder(path)
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
