"""The manifest of a stored knowledge base: what the folder is, and which files belong to it.

The files have checksums of their own, so the manifest holds their sizes: a missing, cut or foreign file is
found without reading gigabytes.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from colligate.errors import StoreError
from colligate.sealing import Seal
from colligate.shape import MAPPING, TEXTS, Part, check_shape
from colligate.stored_files import is_inside

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from colligate.world.base.interface import Info

NAME = "knowledge_base.json"
STORE = "store"
AGAIN = "build the knowledge base again"
SEAL = Seal(
    "colligate-knowledge-base",
    1,
    "does not describe a knowledge base; choose the folder that `colligate kb build` wrote",
    AGAIN,
)
SIZES = Part("an object of whole numbers", lambda found: all(type(size) is int for size in found.values()))


def write_manifest(folder: Path, sources: Sequence[str], counts: Info) -> None:
    """Seal a folder whose store is complete and closed."""
    sizes = {name: (folder / name).stat().st_size for name in _present(folder)}
    text = SEAL.text({"sources": list(sources), "counts": asdict(counts), "files": sizes})
    (folder / NAME).write_text(text, encoding="utf-8")


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read a manifest and hold the folder against it."""
    if not (folder / NAME).is_file():
        raise StoreError(f"{folder / NAME} is missing: {folder} is no knowledge base, or not a whole one")
    found = SEAL.opened(folder / NAME)
    _check(found, folder)
    for name, size in found["files"].items():
        path = folder / name
        if not is_inside(name) or not path.is_file() or path.stat().st_size != size:
            raise StoreError(f"{path} is missing, or was changed after it was written; {AGAIN}")
    return found


def listed_files(folder: Path) -> Iterable[str]:
    """The files of a folder that belong to a knowledge base stored there, sound or not."""
    try:
        found = SEAL.parsed(folder / NAME)
        _check(found, folder)
    except StoreError:
        return []
    return [NAME, *found["files"]] if found.get("format") == SEAL.format else []


def _check(found: dict[str, Any], folder: Path) -> None:
    check_shape(found, {"sources": TEXTS, "counts": MAPPING, "files": MAPPING}, str(folder / NAME), AGAIN)
    check_shape(found, {"files": SIZES}, str(folder / NAME), AGAIN)


def _present(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
