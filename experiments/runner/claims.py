"""A claim of a paper, "A is above B on C", and the verdict that the stored runs give on it.

The verdict is computed by rule. Differences A − B are taken seed by seed, as both saw the same data and
knowledge at a seed, and tested one-sided: by Wilcoxon's signed ranks from five differences on, by a paired t
below that. Where a claim is of several pairs, a seed counts once, with its mean difference over all pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

if TYPE_CHECKING:
    from collections.abc import Callable

    from experiments.runner.kept import Kept

REPRODUCED, EXCEEDED, NOT_REPRODUCED = "reproduced", "exceeded", "not reproduced"
NOT_TESTABLE, NOT_COMPUTED = "not testable here", "not computed yet"
LEVEL, FEWEST = 0.05, 5


@dataclass(frozen=True)
class Pair:
    """Two cells: the first is said to be above the second; both figures as published.

    `other` is the experiment of the second where that is another one. `over` are two further cells, one for
    each: then it is compared how often a cell is above its own, less how often it is below. `figure` is that
    of the second where it is not that of the claim.
    """

    above: str
    below: str
    published: tuple[float, float] | None = None
    other: str = ""
    over: tuple[str, str] | None = None
    figure: str = ""


@dataclass(frozen=True)
class Claim:
    """What a paper says, in our words, and the pairs of cells that judge it; `why` says why it is so.

    `most` says that it is of most of the pairs, not of every one; `within` how far below the second the first
    may be, where it is not said to be above.
    """

    paper: str
    where: str
    says: str
    experiment: str = ""
    pairs: tuple[Pair, ...] = ()
    figure: str = "nmi"
    why: str = ""
    most: bool = False
    within: float = 0.0

    def holds(self, count: int) -> bool:
        """Whether it is enough that it holds on so many pairs."""
        return 2 * count > len(self.pairs) if self.most else count == len(self.pairs)


@dataclass(frozen=True)
class Judged:
    """A verdict, with the mean gain over all pairs and seeds, its p-value, and how many pairs hold.

    `weakest` is the largest p-value of a pair by itself; `n_runs` are the seeds that all pairs have.
    """

    verdict: str
    gain: float = np.nan
    p: float = np.nan
    weakest: float = np.nan
    holds: int = 0
    n_pairs: int = 0
    n_runs: int = 0

    def __str__(self) -> str:
        if not self.n_runs:
            return self.verdict
        told = f"{self.verdict}: {self.gain:+.3f} over {self.n_runs} seeds, p = {self.p:.2g}"
        return told if self.n_pairs == 1 else f"{told}, holds on {self.holds} of {self.n_pairs}"


def judge(claim: Claim, kept: Callable[[str], Kept]) -> Judged:
    """What the runs of experiments, kept by name, say of a claim. A claim without pairs cannot be tested.

    Reproduced if every pair (or most, where the claim is of most) has a positive mean gain and all together
    are significant, each seed by its mean gain over the pairs.

    Exceeded if moreover the first of every pair and its gain are above those published.
    """
    found = [_differences(pair, claim, kept) for pair in claim.pairs]
    seeds = sorted(set.intersection(*(set(gained) for _, gained in found))) if found else []
    if len(seeds) < 2:
        return Judged(NOT_COMPUTED if found else NOT_TESTABLE)
    together = np.array([np.mean([gained[seed] for _, gained in found]) for seed in seeds])
    alone = [np.array(list(gained.values())) for _, gained in found]
    p, holds = chance(together + claim.within), sum(gained.mean() > -claim.within for gained in alone)
    verdict = REPRODUCED if claim.holds(int(holds)) and p < LEVEL else NOT_REPRODUCED
    levels = [level for level, _ in found]
    if verdict == REPRODUCED and all(map(_beyond, claim.pairs, levels, alone)):
        verdict = EXCEEDED
    weakest = max(chance(gained + claim.within) for gained in alone)
    return Judged(verdict, float(together.mean()), p, weakest, int(holds), len(found), len(seeds))


def chance(differences: np.ndarray) -> float:
    """How likely differences at least so large would be if there were none."""
    if not differences.any():
        return 1.0
    if np.ptp(differences) == 0:
        return 0.5 ** len(differences) if differences[0] > 0 else 1.0
    if len(differences) >= FEWEST:
        return float(stats.wilcoxon(differences, alternative="greater").pvalue)
    return float(stats.ttest_1samp(differences, 0.0, alternative="greater").pvalue)


def _differences(pair: Pair, claim: Claim, kept: Callable[[str], Kept]) -> tuple[float, dict[int, float]]:
    """The mean figure of the first cell, and its gains at the seeds that both cells have."""
    above = kept(claim.experiment).values(pair.above, claim.figure)
    below = kept(pair.other or claim.experiment).values(pair.below, pair.figure or claim.figure)
    if pair.over:
        own = (kept(claim.experiment).values(key, claim.figure) for key in pair.over)
        above, below = (_signs(values, bare) for values, bare in zip((above, below), own, strict=True))
    both = {seed: value - below[seed] for seed, value in sorted(above.items()) if seed in below}
    return float(np.mean([above[seed] for seed in both])) if both else np.nan, both


def _signs(values: dict[int, float], bare: dict[int, float]) -> dict[int, float]:
    """1 where a cell is above another, -1 where it is below, at the seeds that both have."""
    return {seed: float(np.sign(value - bare[seed])) for seed, value in values.items() if seed in bare}


def _beyond(pair: Pair, level: float, gained: np.ndarray) -> bool:
    if pair.published is None:
        return False
    above, below = pair.published
    return bool(level > above and gained.mean() > above - below)
