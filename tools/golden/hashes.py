"""Short stable hashes of arrays, names and files."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

LENGTH = 16
DIGITS = 9


def hash_bytes(content: bytes) -> str:
    """Hash bytes."""
    return hashlib.sha256(content).hexdigest()[:LENGTH]


def hash_text(text: str) -> str:
    """Hash text, whatever its line ends."""
    return hash_bytes(text.replace("\r\n", "\n").encode("utf-8", "surrogatepass"))


def hash_names(names: Iterable[Any]) -> str:
    """Hash a list of names, or of anything JSON has."""
    return hash_text(json.dumps(list(names), ensure_ascii=False))


def hash_integers(values: Any) -> str:
    """Hash whole numbers, whatever their type."""
    return hash_bytes(np.ascontiguousarray(values, dtype="<i8").tobytes())


def hash_floats(values: Any, digits: int = DIGITS) -> str:
    """Hash numbers after rounding them; the sign of zero does not count."""
    rounded = np.round(np.asarray(values, dtype="<f8"), digits) + 0.0
    return hash_bytes(np.ascontiguousarray(np.where(np.isnan(rounded), np.nan, rounded)).tobytes())


def describe_labels(labels: Any) -> dict[str, Any]:
    """Describe labels by a hash and by how often each occurs, -1 included."""
    values, counts = np.unique(np.asarray(labels, dtype=np.int64), return_counts=True)
    sizes = {str(value): count for value, count in zip(values.tolist(), counts.tolist(), strict=True)}
    return {"hash": hash_integers(labels), "counts": sizes}
