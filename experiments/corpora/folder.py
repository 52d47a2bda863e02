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

# where `--data` is not set: $COLLIGATE_DATA, or the folder `data` of the repository
DATA_FOLDER = Path(os.environ.get("COLLIGATE_DATA") or Path(__file__).resolve().parents[2] / "data")


def read_lines(path: Path, about: str) -> Iterator[dict[str, Any]]:
    """The objects of a JSONL file of the data folder; `about` says what stands in it."""
    _refuse_absent(path, f" It has {about}.")
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        yield from map(json.loads, stream)


def read_arrays(path: Path) -> dict[str, np.ndarray]:
    """The arrays of a set that is stored as a sparse matrix."""
    _refuse_absent(path, "")
    with np.load(path) as file:
        return {name: file[name] for name in file.files}


def _refuse_absent(path: Path, about: str) -> None:
    if not path.exists():
        raise SystemExit(f"{path} is not there. Give the folder that holds it with --data.{about}")
