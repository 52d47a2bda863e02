"""The map of the source names files that exist, and every package."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "colligate"
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def test_every_file_on_the_map_exists():
    paths = re.findall(r"`([\w./*]+(?:\.py|\.js|/))`", PAGE)
    assert len(paths) > 60
    missing = [
        path
        for path in paths
        if "NAME" not in path and not any(list(root.glob(path.rstrip("/"))) for root in (SOURCE, ROOT))
    ]
    assert missing == []


def test_every_package_is_on_the_map():
    packages = {path.parent.name for path in SOURCE.glob("*/__init__.py")} - {"demo"}
    assert {name for name in packages if f"`{name}/`" not in PAGE} == set()
