"""The manifest of a stored folder: a JSON file with its format, its content and a hash of every other file.

A stored folder may come from anybody. Nothing of it is used before the manifest fits its schema and the files
fit their hashes, and no file outside the folder is ever opened.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, NamedTuple

import numpy as np

from colligate._storage.atomic import hash_file
from colligate._storage.plain_file import read_bounded
from colligate.errors import ColligateError, StoreError

DEEPEST = 64
"""How deep the values of a manifest may be nested."""
LARGEST_COUNT = 2**53
LARGEST_NUMBER = 1e300
FORMAT, VERSION, FILES, DIGEST_FIELD = "format", "format_version", "files", "sha256_of_this"


class Field(NamedTuple):
    """What a field of a JSON object must be: in words, and as a test."""

    description: str
    accepts: Callable[[Any], bool]


def nullable(field: Field) -> Field:
    """Accept null as well."""
    return Field(f"{field.description}, or null", lambda value: value is None or field.accepts(value))


def _is_string(value: Any) -> bool:
    return isinstance(value, str)


def _is_count(value: Any) -> bool:
    # not isinstance, for which True is an integer
    return type(value) is int and 0 <= value <= LARGEST_COUNT


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) <= LARGEST_NUMBER


def _is_seed(value: Any) -> bool:
    return type(value) is int and value >= 0


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _is_list(value: Any, accepts: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(map(accepts, value))


def _is_map(value: Any, accepts: Callable[[Any], bool]) -> bool:
    return isinstance(value, dict) and all(map(accepts, value.values()))


STRING = Field("text", _is_string)
STRINGS = Field("a list of texts", lambda value: _is_list(value, _is_string))
STRING_MAP = Field("an object of texts", lambda value: _is_map(value, _is_string))
BOOLEAN = Field("true or false", lambda value: isinstance(value, bool))
INTEGER = Field("a whole number", _is_count)
SEED = Field("a whole number", _is_seed)
INTEGER_MAP = Field("an object of whole numbers", lambda value: _is_map(value, _is_count))
NUMBER = Field("a number", _is_number)
INTEGERS = Field("a list of whole numbers", lambda value: _is_list(value, _is_count))
NUMBERS = Field("a list of numbers", lambda value: _is_list(value, _is_number))
OBJECT = Field("an object", _is_object)
OBJECTS = Field("a list of objects", lambda value: _is_list(value, _is_object))

Schema = Mapping[str, "Field | list[dict[str, Field]]"]
"""Fields by name; a list with one schema means a list of objects of that schema."""


@dataclass(frozen=True)
class Manifest:
    """One kind of manifest.

    `what` names the stored thing, `hint` advises on a file of another kind, and `advice` what to
    do about a damaged one. A schema with a field `files` lists all other files of the folder, each with what
    `measure` returns for it; without `exact` the folder may hold further files.
    """

    name: str
    format: str
    version: int
    what: str
    schema: Schema
    hint: str
    advice: str
    measure: Callable[[Path], str | int] = hash_file
    exact: bool = True

    def write(self, folder: Path, content: Mapping[str, Any]) -> None:
        """Write the manifest of a folder whose other files are complete."""
        if FILES in self.schema:
            content = {**content, FILES: {name: self.measure(folder / name) for name in list_files(folder)}}
        # a lone surrogate becomes the JSON escape that it is read from
        (folder / self.name).write_text(self.encode(content), encoding="utf-8", errors="backslashreplace")

    def encode(self, content: Mapping[str, Any]) -> str:
        """Return the text of the manifest."""
        whole = {FORMAT: self.format, VERSION: self.version, **content}
        try:
            # hashed as a reader will see it: tuples become lists, and keys become texts
            plain = json.loads(json.dumps(whole, default=encode_value))
        except (TypeError, ValueError) as error:
            raise StoreError(
                f"the {self.what} cannot be stored: {error}; use only numbers, texts, lists and arrays"
            ) from error
        return json.dumps({**plain, DIGEST_FIELD: _hash_content(plain)}, ensure_ascii=False, indent=2) + "\n"

    def read(self, folder: Path) -> dict[str, Any]:
        """Read the content; refuse a manifest or a file that is missing, changed, foreign or newer."""
        path = folder / self.name
        if not folder.is_dir():
            raise StoreError(f"there is no folder {folder}; check the path")
        # a link could make a program read files outside the folder
        if path.is_symlink() or not path.is_file():
            raise StoreError(f"{path} is missing, so {folder} is not a complete {self.what}; {self.hint}")
        content = self._read_content(path)
        check_schema(content, self.schema, path, self.advice)
        if FILES in self.schema:
            check_files(folder, self, content[FILES])
        return content

    def list_files(self, folder: Path) -> list[str]:
        """List the files of what is stored in a folder, damaged or not; nothing if it is something else."""
        try:
            content = read_object(folder / self.name, self.advice)
        except StoreError:
            return []
        files = content.get(FILES)
        return [self.name, *files] if content.get(FORMAT) == self.format and isinstance(files, dict) else []

    def _read_content(self, path: Path) -> dict[str, Any]:
        content = read_object(path, self.advice)
        digest = content.pop(DIGEST_FIELD, None)
        expected = _hash_content(content)
        format, version = content.pop(FORMAT, None), content.pop(VERSION, None)
        # before the digest: a file of another kind is not a damaged one
        if format != self.format or type(version) is not int:
            raise StoreError(f"{path} does not describe a stored {self.what}; {self.hint}")
        if version != self.version:
            age, action = (
                ("a newer", "upgrade Colligate") if version > self.version else ("an older", self.advice)
            )
            raise StoreError(
                f"{path} was written by {age} version of Colligate (format {version}, but this version "
                f"reads format {self.version}); {action}"
            )
        if digest != expected:
            raise StoreError(f"{path} was changed after it was written; {self.advice}")
        return content


def read_object(path: Path, advice: str) -> dict[str, Any]:
    """Read the JSON object in a file."""
    try:
        return parse_object(read_bounded(path))
    except OSError as error:
        raise StoreError(f"cannot read {path}: {error.strerror or error}") from error
    except ValueError as error:
        raise StoreError(f"{path} is damaged and cannot be read ({error}); {advice}") from error


def parse_object(data: bytes) -> dict[str, Any]:
    """Parse JSON, and raise ValueError if it is broken or deep; anything but an object is an empty one."""
    try:
        content = json.loads(data.decode("utf-8"))
    except RecursionError:
        raise ValueError("its values are nested too deeply") from None
    # what the parser accepts may still be too deep for code that walks through it
    level: list[Any] = [content]
    for _ in range(DEEPEST):
        level = [item for value in level for item in _list_items(value)]
        if not level:
            return content if isinstance(content, dict) else {}
    raise ValueError("its values are nested too deeply")


def _list_items(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def encode_value(value: Any) -> Any:
    """Turn a value of NumPy, a mapping or a path into one that JSON has; for `json.dumps(default=...)`."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Path):
        return str(value)
    raise TypeError(f"JSON cannot store {type(value).__name__} {value!r:.60}")


def _hash_content(content: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def check_schema(content: Mapping[str, Any], schema: Schema, where: object, advice: str) -> None:
    """Refuse an object that lacks a field, or has one that is something else."""
    for name, field in schema.items():
        test = OBJECTS if isinstance(field, list) else field
        if name not in content or not test.accepts(content[name]):
            problem = f"; got {content[name]!a:.60}" if name in content else ", but it is missing"
            raise StoreError(f"{where} is damaged: {name} must be {test.description}{problem}; {advice}")
        if isinstance(field, list):
            for item in content[name]:
                check_schema(item, field[0], where, advice)


def check_files(folder: Path, manifest: Manifest, measures: Mapping[str, str | int]) -> None:
    """Refuse a folder in which a file is missing, changed, a link or not listed; open listed files only."""
    what, advice = manifest.what, manifest.advice
    for name in measures:
        if not is_inside(name):
            raise StoreError(
                f"{folder / manifest.name} lists the file {name!a:.200}, which is outside this folder; "
                "do not use this folder"
            )
    present = set(list_files(folder)) - {manifest.name}
    for name in sorted(measures.keys() - present):
        raise StoreError(f"{folder / name} is missing: the stored {what} is incomplete; {advice}")
    for name in sorted(present - measures.keys() if manifest.exact else ()):
        raise StoreError(f"{folder / name} is not a part of the stored {what}; move it elsewhere")
    for name, expected in measures.items():
        with wrap_read_errors(folder / name, "cannot be read", advice):
            measure = manifest.measure(folder / name)
        if measure != expected:
            raise StoreError(f"{folder / name} is damaged or was changed after it was written; {advice}")


def is_inside(name: str) -> bool:
    """Whether a name such as a/b.txt can only mean a file inside the folder it is relative to."""
    # by the rules of Windows, which are the stricter ones, so that a name is safe on every system
    windows = PureWindowsPath(name)
    plain = not (windows.drive or windows.root or "\\" in name or "\0" in name)
    return plain and ".." not in windows.parts and str(PurePosixPath(name)) == name != "."


def list_files(folder: Path) -> list[str]:
    """List all files below a folder; refuse links, pipes and devices."""
    names = []
    for parent, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(parent, name)
            # a pipe or a device would block the reader or never end
            if path.is_symlink() or not (path.is_file() or path.is_dir()):
                raise StoreError(
                    f"{path} is a symbolic link or not a regular file; replace it by a regular file"
                )
        names += [Path(parent, name).relative_to(folder).as_posix() for name in files]
    return sorted(names)


@contextmanager
def wrap_read_errors(
    path: Path, problem: str = "is damaged and cannot be read", advice: str = ""
) -> Iterator[None]:
    """Raise a StoreError that names the file, whatever its reader raises: it may hold anything."""
    try:
        yield
    except StoreError:
        raise
    except Exception as error:
        reason = str(error) if isinstance(error, ColligateError | ValueError | OSError) else repr(error)
        raise StoreError(f"{path} {problem} ({reason}){advice and '; '}{advice}") from error
