"""The data folder: where it is, and how its files are read."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

DEFAULT = Path(__file__).resolve().parents[3] / "shared" / "data"


def lines(path: Path, about: str) -> Iterator[dict[str, Any]]:
    """The objects of a JSONL file of the data folder; `about` says what stands in it."""
    _refuse_absent(path, f" It has {about}.")
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        yield from map(json.loads, stream)


def arrays(path: Path) -> dict[str, np.ndarray]:
    """The arrays of a set that is stored as a sparse matrix."""
    _refuse_absent(path, "")
    with np.load(path) as file:
        return {name: file[name] for name in file.files}


def _refuse_absent(path: Path, about: str) -> None:
    if not path.exists():
        raise SystemExit(f"{path} is not there. Give the folder that holds it with --data.{about}")
