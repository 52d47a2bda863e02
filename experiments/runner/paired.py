"""Two cells compared seed by seed, as both saw the same data and knowledge, and goals that ask for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from experiments.runner.kept import Kept


def gains(above: Mapping[int, float], below: Mapping[int, float]) -> np.ndarray:
    """What the first is above the second at each seed that both have."""
    return np.array([above[seed] - below[seed] for seed in sorted(set(above) & set(below))])


def not_above(kept: Kept, key: str, rivals: Mapping[str, str], figure: str) -> list[str]:
    """The goal that a cell is above all rivals on average, where it is missed: by what, and by how much."""
    told = []
    for name, rival in rivals.items():
        found = gains(kept.values(key, figure), kept.values(rival, figure))
        if not len(found) or found.mean() <= 0:
            told.append(f"{key}, {figure}, above {name}: {_spread(found)}")
    return told


def _spread(found: np.ndarray) -> str:
    """The mean gain with its standard error, and at how many seeds it is one."""
    if not len(found):
        return "not computed"
    error = found.std(ddof=1) / np.sqrt(len(found)) if len(found) > 1 else np.inf
    return f"{found.mean():+.3f} ± {error:.3f}, above at {int((found > 0).sum())} of {len(found)} seeds"
