"""The manifest of a stored network: what the folder holds, and the proof that it still holds it.

The names of the files are never taken from it: they follow from the types and relations it lists.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from colligate.errors import StoreError
from colligate.files import sha256
from colligate.sealing import Seal
from colligate.shape import MAPPINGS, NUMBER, TEXT, TEXT_BY_NAME, TRUTH, WHOLE, check_shape, maybe
from colligate.stored_files import check_files

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

NAME = "network.json"
AGAIN = "restore it from a copy, or make the network again"
SEAL = Seal(
    "colligate-network", 1, "does not describe a stored network; choose the folder that save() wrote", AGAIN
)
PARTS = {"types": MAPPINGS, "relations": MAPPINGS, "files": TEXT_BY_NAME}
TYPE = {"name": TEXT, "size": WHOLE, "named": TRUTH}
RELATION = {"name": TEXT, "rows": TEXT, "columns": TEXT, "weight": maybe(NUMBER)}


def objects_file(number: int) -> str:
    """The file with the names of a type's objects."""
    return f"objects-{number}.parquet"


def relation_file(number: int) -> str:
    """The file with the entries of a relation."""
    return f"relation-{number}.parquet"


def write_manifest(folder: Path, types: list[dict[str, Any]], relations: list[dict[str, Any]]) -> None:
    """Seal a folder: list its types and relations, and its files with their hashes."""
    files = {path.name: sha256(path) for path in sorted(folder.iterdir())}
    text = SEAL.text({"types": types, "relations": relations, "files": files})
    (folder / NAME).write_text(text, encoding="utf-8")


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read a manifest and check the files it speaks of; whatever is wrong is told by the name of the file."""
    path = folder / NAME
    if not folder.is_dir():
        raise StoreError(f"there is no folder {folder}")
    if not path.is_file():
        raise StoreError(f"{path} is missing: {folder} is not a stored network, or not a whole one")
    found = SEAL.opened(path)
    _check_parts(found, path)
    check_files(folder, NAME, found["files"], "network")
    return found


def listed_files(folder: Path) -> Iterable[str]:
    """The files of a folder that belong to a network stored there, sound or not."""
    try:
        found = SEAL.parsed(folder / NAME)
        _check_parts(found, folder / NAME)
    except StoreError:
        return []
    return [NAME, *found["files"]] if found.get("format") == SEAL.format else []


def _check_parts(manifest: dict[str, Any], path: Path) -> None:
    check_shape(manifest, PARTS, str(path), AGAIN)
    for shape, listed in ((TYPE, manifest["types"]), (RELATION, manifest["relations"])):
        for each in listed:
            check_shape(each, shape, str(path), AGAIN)
    expected = {objects_file(at) for at, kind in enumerate(manifest["types"]) if kind["named"]}
    expected |= {relation_file(at) for at, _ in enumerate(manifest["relations"])}
    if strange := sorted(expected ^ manifest["files"].keys()):
        raise StoreError(f"{path} is damaged: {strange[0]!r:.60} does not fit what it lists; {AGAIN}")
