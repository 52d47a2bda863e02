"""The data folder and the readers of its files."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator


def find_data_folder() -> Path:
    """Return the data folder if `--data` is not set.

    It is `$COLLIGATE_DATA`, or `shared/data` beside the repository if that exists, or `data` in it.
    """
    if named := os.environ.get("COLLIGATE_DATA"):
        return Path(named)
    repository = Path(__file__).resolve().parents[2]
    beside = repository.parent / "shared" / "data"
    return beside if beside.is_dir() else repository / "data"


DATA_FOLDER = find_data_folder()


def read_lines(path: Path, about: str) -> Iterator[dict[str, Any]]:
    """Yield the objects of a JSONL file of the data folder; `about` describes its content."""
    _refuse_absent(path, f" It has {about}.")
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        yield from map(json.loads, stream)


def read_arrays(path: Path) -> dict[str, np.ndarray]:
    """Read the arrays of a data set that is stored as a sparse matrix."""
    _refuse_absent(path, "")
    with np.load(path) as file:
        return {name: file[name] for name in file.files}


def _refuse_absent(path: Path, about: str) -> None:
    if not path.exists():
        raise SystemExit(f"{path} does not exist. Choose the folder that contains it with --data.{about}")
