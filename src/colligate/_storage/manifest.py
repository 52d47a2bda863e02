"""Sealed JSON files: an object that names its format and its version, and carries a digest of itself.

What the parts of a stored JSON object must be; it may hold anything until it was held against this.

The files of a stored folder: exactly those that its manifest lists, each as it was written.

Telling damage by the name of the file: a stored file may hold anything, and its readers raise anything.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Any, NamedTuple
from zipfile import BadZipFile

from colligate._storage.atomic import hash_file
from colligate.errors import ColligateError, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

DIGEST_FIELD = "sha256_of_this"
READ_ERRORS = (
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


@dataclass(frozen=True)
class Manifest:
    """One kind of sealed file: its format, the version that is read, and the words for one that is unfit.

    `strange` completes "{path} …" for a file of another kind, `again` tells what to do about a damaged one.
    """

    format: str
    version: int
    strange: str
    again: str

    def text(self, content: Mapping[str, Any]) -> str:
        """The file of some content, which must be in JSON's own terms."""
        whole = {"format": self.format, "format_version": self.version, **content}
        return json.dumps({**whole, DIGEST_FIELD: hash_content(whole)}, ensure_ascii=False, indent=2) + "\n"

    def opened(self, path: Path) -> dict[str, Any]:
        """The content of a file whose seal is whole; another kind or version and a change are refused."""
        found = self.parsed(path)
        version = found.get("format_version")
        if found.get("format") != self.format or type(version) is not int:
            raise StoreError(f"{path} {self.strange}")
        if version > self.version:
            raise StoreError(
                f"{path} is of format {version}, written by a newer Colligate; "
                f"this one reads {self.version}: upgrade Colligate"
            )
        if version < self.version:
            raise StoreError(
                f"{path} is of format {version}, written by an older Colligate, and this one reads only "
                f"{self.version}: make it again"
            )
        if found.pop(DIGEST_FIELD, None) != hash_content(found):
            raise StoreError(f"{path} was changed after it was written; {self.again}")
        return found

    def parsed(self, path: Path) -> dict[str, Any]:
        """The object in a file, whatever it holds and whether or not it was changed."""
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise StoreError(f"cannot read {path}: {error.strerror or error}") from error
        except (ValueError, RecursionError) as error:
            raise StoreError(f"{path} is damaged and cannot be read ({error}); {self.again}") from error
        if not isinstance(found, dict):
            raise StoreError(f"{path} {self.strange}")
        return found


def hash_content(content: Mapping[str, Any]) -> str:
    """The SHA-256 of an object, whatever the order of its keys."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


class Field(NamedTuple):
    """What a part must be, in words and as a test."""

    what: str
    fits: Callable[[Any], bool]


def _is_integer(value: Any) -> bool:
    return type(value) is int and value >= 0


def _is_number(value: Any) -> bool:
    return type(value) in (int, float)


def _is_list_of(value: Any, fits: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(map(fits, value))


def _is_string(value: Any) -> bool:
    return isinstance(value, str)


STRING = Field("text", _is_string)


STRINGS = Field("a list of texts", lambda value: _is_list_of(value, _is_string))


BOOLEAN = Field("true or false", lambda value: isinstance(value, bool))


INTEGER = Field("a whole number", _is_integer)


NUMBER = Field("a number", _is_number)


NUMBERS = Field("a list of numbers", lambda value: _is_list_of(value, _is_number))


OBJECT = Field("an object", lambda value: isinstance(value, dict))


OBJECTS = Field("a list of objects", lambda value: _is_list_of(value, OBJECT.fits))


STRING_MAP = Field(
    "an object of texts", lambda value: isinstance(value, dict) and all(map(_is_string, value.values()))
)


def nullable(part: Field) -> Field:
    """The same part, or null."""
    return Field(f"{part.what}, or null", lambda value: value is None or part.fits(value))


def check_schema(found: Mapping[str, Any], shape: Mapping[str, Field], where: str, advice: str) -> None:
    """Refuse an object that lacks a part, or has one that is something else."""
    for name, part in shape.items():
        if name not in found or not part.fits(found[name]):
            got = f"; got {found[name]!a:.60}" if name in found else ", and is missing"
            raise StoreError(f"{where} is damaged: {name} must be {part.what}{got}; {advice}")


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
    present = _list_files(folder) - {manifest}
    for name in sorted(hashes.keys() - present):
        raise StoreError(f"{folder / name} is missing: the stored {what} is not whole; {again}")
    for name in sorted(present - hashes.keys()):
        raise StoreError(f"{folder / name} is not a part of the stored {what}; move it elsewhere")
    for name, expected in hashes.items():
        if _hash_file(folder / name) != expected:
            raise StoreError(f"{folder / name} is damaged or was changed after it was written; {again}")


def is_inside(name: str) -> bool:
    """Whether a name, as a/b.txt, can only mean a file of the folder it is said of."""
    windows = PureWindowsPath(name)
    plain = not (windows.drive or windows.root or "\\" in name or "\0" in name)
    return plain and ".." not in windows.parts and str(PurePosixPath(name)) == name != "."


def _list_files(folder: Path) -> set[str]:
    found: set[str] = set()
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(place, name)
            if path.is_symlink() or not (path.is_file() or path.is_dir()):
                raise StoreError(f"{path} is a link or no plain file; a stored folder holds its files itself")
        found |= {Path(place, name).relative_to(folder).as_posix() for name in files}
    return found


def _hash_file(path: Path) -> str:
    try:
        return hash_file(path)
    except OSError as error:
        raise StoreError(f"cannot read {path}: {error.strerror or error}") from error


@contextmanager
def wrap_read_errors(
    path: Path, what: str = "is damaged and cannot be read", advice: str = ""
) -> Iterator[None]:
    """Turn whatever reading a stored file raises into a StoreError that names it."""
    import pyarrow as pa

    try:
        yield
    except StoreError:
        raise
    except (*READ_ERRORS, pa.ArrowException) as error:
        told = str(error) if isinstance(error, ColligateError | ValueError | OSError) else repr(error)
        raise StoreError(f"{path} {what} ({told}){advice and '; '}{advice}") from error
