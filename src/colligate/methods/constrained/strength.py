"""How much all links of a type say together; implied pairs are counted and not listed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.knowledge import GroupLinks, Guidance


def total_strength(guidance: Guidance) -> float:
    """The strengths of all links, listed and implied, together and apart."""
    return float(guidance.pairs.strength.sum()) + sum(_implied(links) for links in guidance.groups)


def _implied(links: GroupLinks) -> float:
    """Pairs within groups and across them; a pair of memberships of one object counts as none."""
    within = float(_pairs(np.bincount(links.group)).sum())
    own = float(_pairs(np.bincount(links.member)).sum())
    across = float(_pairs(np.array([len(links)])).sum()) - within - own
    return links.together * within + links.apart * across


def _pairs(sizes: NDArray[np.int64]) -> NDArray[np.float64]:
    n = sizes.astype(np.float64)
    return np.asarray(n * (n - 1.0) / 2.0)
