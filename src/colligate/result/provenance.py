"""Which versions made a result."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from colligate.version import __version__

PARTS = ("numpy", "scipy", "scikit-learn", "numba", "pyarrow")


def versions() -> dict[str, str]:
    """The versions of Colligate, Python and the parts that compute."""
    found = {"colligate": __version__, "python": platform.python_version()}
    return found | {part: _version(part) for part in PARTS}


def _version(part: str) -> str:
    try:
        return version(part)
    except PackageNotFoundError:
        return "not installed"
