"""The manifest of a stored network: what the folder holds, and the proof that it still holds it.

The names of the files are never taken from it: they follow from the types and relations it lists.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from colligate.errors import StoreError
from colligate.files import sha256
from colligate.shape import MAPPINGS, NUMBER, TEXT, TEXT_BY_NAME, TRUTH, WHOLE, check_shape
from colligate.stored_files import check_files

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

NAME = "network.json"
FORMAT = "colligate-network"
VERSION = 1
DIGEST = "sha256_of_this"
AGAIN = "restore it from a copy, or make the network again"
PARTS = {"types": MAPPINGS, "relations": MAPPINGS, "files": TEXT_BY_NAME}
TYPE = {"name": TEXT, "size": WHOLE, "named": TRUTH}
RELATION = {"name": TEXT, "rows": TEXT, "columns": TEXT, "weight": NUMBER}


def objects_file(number: int) -> str:
    """The file with the names of a type's objects."""
    return f"objects-{number}.parquet"


def relation_file(number: int) -> str:
    """The file with the entries of a relation."""
    return f"relation-{number}.parquet"


def write_manifest(folder: Path, types: list[dict[str, Any]], relations: list[dict[str, Any]]) -> None:
    """Seal a folder: list its types and relations, and its files with their hashes."""
    files = {path.name: sha256(path) for path in sorted(folder.iterdir())}
    content = {
        "format": FORMAT,
        "format_version": VERSION,
        "types": types,
        "relations": relations,
        "files": files,
    }
    sealed = json.dumps({**content, DIGEST: _digest(content)}, ensure_ascii=False, indent=2)
    (folder / NAME).write_text(sealed + "\n", encoding="utf-8")


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read a manifest and check the files it speaks of; whatever is wrong is told by the name of the file."""
    path = folder / NAME
    if not folder.is_dir():
        raise StoreError(f"there is no folder {folder}")
    if not path.is_file():
        raise StoreError(f"{path} is missing: {folder} is not a stored network, or not a whole one")
    found = _parsed(path)
    version = found.get("format_version")
    if found.get("format") != FORMAT or type(version) is not int:
        raise StoreError(f"{path} does not describe a stored network; choose the folder that save() wrote")
    if version > VERSION:
        raise StoreError(
            f"{path} is of format {version}, written by a newer Colligate; "
            f"this one reads up to {VERSION}: upgrade Colligate"
        )
    if found.pop(DIGEST, None) != _digest(found):
        raise StoreError(f"{path} was changed after it was written; {AGAIN}")
    _check_parts(found, path)
    check_files(folder, NAME, found["files"], "network")
    return found


def listed_files(folder: Path) -> Iterable[str]:
    """The files of a folder that belong to a network stored there, sound or not."""
    try:
        found = _parsed(folder / NAME)
        _check_parts(found, folder / NAME)
    except StoreError:
        return []
    return [NAME, *found["files"]] if found.get("format") == FORMAT else []


def _parsed(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise StoreError(f"cannot read {path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise StoreError(f"{path} is damaged and cannot be read ({error}); {AGAIN}") from error
    if not isinstance(found, dict):
        raise StoreError(f"{path} does not describe a stored network; choose the folder that save() wrote")
    return found


def _check_parts(manifest: dict[str, Any], path: Path) -> None:
    check_shape(manifest, PARTS, str(path), AGAIN)
    for shape, listed in ((TYPE, manifest["types"]), (RELATION, manifest["relations"])):
        for each in listed:
            check_shape(each, shape, str(path), AGAIN)
    expected = {objects_file(at) for at, kind in enumerate(manifest["types"]) if kind["named"]}
    expected |= {relation_file(at) for at, _ in enumerate(manifest["relations"])}
    if strange := sorted(expected ^ manifest["files"].keys()):
        raise StoreError(f"{path} is damaged: {strange[0]!r:.60} does not fit what it lists; {AGAIN}")


def _digest(manifest: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()
