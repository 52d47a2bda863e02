"""The manifest of a stored result: what the folder holds, and the proof that it still holds it.

It names the format, the SHA-256 of every other file, and a digest of itself.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.errors import StoreError
from colligate.files import sha256
from colligate.sealing import Seal
from colligate.shape import (
    MAPPING,
    NUMBERS,
    TEXT,
    TEXT_BY_NAME,
    TRUTH,
    WHOLE,
    check_shape,
    maybe,
)
from colligate.stored_files import check_files

if TYPE_CHECKING:
    from pathlib import Path

NAME = "manifest.json"
AGAIN = "restore it from a copy, or make the result again"
SEAL = Seal(
    "colligate-result",
    2,
    "is not the manifest of a stored result; choose the folder that save() wrote",
    AGAIN,
)
SHAPE = {
    "method": TEXT,
    "parameters": MAPPING,
    "seed": maybe(WHOLE),
    "history": NUMBERS,
    "n_iter": WHOLE,
    "converged": TRUTH,
    "restarts": NUMBERS,
    "chosen": WHOLE,
    "versions": TEXT_BY_NAME,
    "network": MAPPING,
    "corpus": TRUTH,
    "before": TRUTH,
    "knowledge": maybe(MAPPING),
    "files": TEXT_BY_NAME,
}


def write_manifest(folder: Path, content: dict[str, Any]) -> None:
    """Seal a folder: list its files with their hashes beside `content`."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    files = {path.relative_to(folder).as_posix(): sha256(path) for path in paths}
    try:
        plain = json.loads(json.dumps({**content, "files": files}, default=_plain))
    except (TypeError, ValueError) as error:
        raise StoreError(f"the result cannot be stored: a parameter has no open form ({error})") from error
    (folder / NAME).write_text(SEAL.text(plain), encoding="utf-8", errors="backslashreplace")


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read a manifest and check every file it lists; whatever is wrong is told by the name of the file."""
    path = folder / NAME
    if not folder.is_dir():
        raise StoreError(f"there is no folder {folder}")
    if path.is_symlink() or not path.is_file():
        raise StoreError(f"{path} is missing: {folder} is not a stored result, or not a whole one")
    found = SEAL.opened(path)
    check_shape({"knowledge": None, **found}, SHAPE, str(path), AGAIN)
    check_files(folder, NAME, found["files"], "result")
    return found


def own_files(folder: Path) -> tuple[str, ...]:
    """The files of a stored result, damaged or not, as its manifest lists them; none of any other folder."""
    try:
        found = SEAL.parsed(folder / NAME)
    except StoreError:
        return ()
    listed = found.get("files")
    return (NAME, *listed) if found.get("format") == SEAL.format and isinstance(listed, dict) else ()


def _plain(value: Any) -> Any:
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} {value!r:.60}")
