"""The files of a stored folder: exactly those that its manifest lists, each as it was written."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING

from colligate.errors import StoreError
from colligate.files import sha256

if TYPE_CHECKING:
    from collections.abc import Mapping


def check_files(folder: Path, manifest: str, hashes: Mapping[str, str], what: str) -> None:
    """Refuse a folder with a file too few, too many, changed, or of which it does not hold the bytes itself.

    `hashes` are the SHA-256 of the files as the manifest lists them; no other file is ever opened.
    """
    again = f"restore it from a copy, or make the {what} again"
    for name in hashes:
        if not is_inside(name):
            raise StoreError(
                f"{folder / manifest} names {name!a:.200}, which is outside its folder; do not use it"
            )
    present = _present(folder) - {manifest}
    for name in sorted(hashes.keys() - present):
        raise StoreError(f"{folder / name} is missing: the stored {what} is not whole; {again}")
    for name in sorted(present - hashes.keys()):
        raise StoreError(f"{folder / name} is not a part of the stored {what}; move it elsewhere")
    for name, expected in hashes.items():
        if _sha256(folder / name) != expected:
            raise StoreError(f"{folder / name} is damaged or was changed after it was written; {again}")


def is_inside(name: str) -> bool:
    """Whether a name, as a/b.txt, can only mean a file of the folder it is said of."""
    windows = PureWindowsPath(name)
    plain = not (windows.drive or windows.root or "\\" in name or "\0" in name)
    return plain and ".." not in windows.parts and str(PurePosixPath(name)) == name != "."


def _present(folder: Path) -> set[str]:
    found: set[str] = set()
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(place, name)
            if path.is_symlink() or not (path.is_file() or path.is_dir()):
                raise StoreError(f"{path} is a link or no plain file; a stored folder holds its files itself")
        found |= {Path(place, name).relative_to(folder).as_posix() for name in files}
    return found


def _sha256(path: Path) -> str:
    try:
        return sha256(path)
    except OSError as error:
        raise StoreError(f"cannot read {path}: {error.strerror or error}") from error
