"""The golden files: one for each corpus and one for the studio, with one line for each item."""

from __future__ import annotations

import json
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_info

FOLDER = Path(__file__).parents[2] / "tests" / "golden"
PACKAGES = ("numpy", "scipy", "scikit-learn", "numba")

Items = dict[str, dict[str, Any]]


def describe_environment() -> dict[str, str]:
    """Describe what numbers may depend on beside the code: versions, and the kind of processor."""
    import numpy  # noqa: F401 - loads the library of linear algebra that is asked about

    kinds = sorted({str(pool.get("architecture", "")) for pool in threadpool_info()} - {"", "None"})
    return {
        "python": platform.python_version(),
        **{name: version(name) for name in PACKAGES},
        "machine": platform.machine(),
        "linear algebra": " ".join(kinds),
    }


def name_file(item: str) -> str:
    """Name the file of an item: by the corpus, or the studio."""
    return f"{item.partition('/')[0]}.json"


def read_items(folder: Path) -> Items:
    """Read all recorded items."""
    items: Items = {}
    for path in sorted(folder.glob("*.json")):
        items |= json.loads(path.read_text(encoding="utf-8"))["items"]
    return items


def read_environments(folder: Path) -> dict[str, dict[str, str]]:
    """Read the environment that each file was recorded in."""
    return {
        path.name: json.loads(path.read_text(encoding="utf-8"))["environment"]
        for path in sorted(folder.glob("*.json"))
    }


def write_items(folder: Path, items: Items, environment: dict[str, str]) -> list[Path]:
    """Write items to their files; items that are in these files already and not among them stay."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name in sorted(set(map(name_file, items))):
        path = folder / name
        kept = json.loads(path.read_text(encoding="utf-8"))["items"] if path.exists() else {}
        merged = kept | {item: value for item, value in items.items() if name_file(item) == name}
        path.write_text(format_file(merged, environment), encoding="utf-8")
        written.append(path)
    return written


def format_file(items: Items, environment: dict[str, str]) -> str:
    """Format a file with one line for each item, so that differences can be read."""
    lines = [f"{json.dumps(item)}: {json.dumps(items[item], ensure_ascii=False)}" for item in sorted(items)]
    body = ",\n  ".join(lines)
    return f'{{\n "environment": {json.dumps(environment)},\n "items": {{\n  {body}\n }}\n}}\n'
