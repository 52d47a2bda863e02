"""Two cells compared seed by seed, as both saw the same data and knowledge at a seed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from experiments.cells import Runs


def gains(first: Runs, second: Runs, figure: str) -> np.ndarray:
    """What the first is above the second at each seed that both have."""
    return np.array([one[figure] - other[figure] for one, other in zip(first, second, strict=False)])


def reached(found: np.ndarray) -> bool:
    """Is the first above the second on average?"""
    return bool(found.mean() > 0)


def told(found: np.ndarray) -> str:
    """A verdict, the mean gain with its standard error, and at how many seeds it is one."""
    if not found.any():
        return f"MISSED: equal at all {len(found)} seeds"
    error = _error(found)
    verdict = "MISSED" if not reached(found) else "reached"
    if abs(found.mean()) < 2 * error:
        verdict += ", but within two standard errors of no difference"
    count = int((found > 0).sum())
    return f"{verdict}: {found.mean():+.3f} ± {error:.3f}, above at {count} of {len(found)} seeds"


def _error(found: np.ndarray) -> float:
    return float(found.std(ddof=1) / np.sqrt(len(found))) if len(found) > 1 else np.inf
