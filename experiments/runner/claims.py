"""A claim of a paper, "A is above B on C", and the verdict of the stored runs on it.

Differences A − B are taken seed by seed, since both got the same data and knowledge at a seed. They are
tested one-sided: by Wilcoxon's signed-rank test from five differences on, by a paired t-test below that.
Where a claim has several pairs, a seed counts once, with its mean difference over all pairs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from experiments.runner.store import StoredRuns

REPRODUCED, EXCEEDED, NOT_REPRODUCED = "reproduced", "exceeded", "not reproduced"
NOT_TESTABLE, NOT_COMPUTED = "not testable here", "not computed yet"
ALPHA, MIN_WILCOXON, MAX_ENUMERATED = 0.05, 5, 13


@dataclass(frozen=True)
class Pair:
    """Two cells: the paper says that the first is above the second; `published` has both figures.

    `other` is the experiment of the second cell, where it is another one. `over` are two further cells, one
    for each: then the comparison is how often a cell is above its counterpart, minus how often it is below.
    `figure` is the figure of the second cell, where it is not that of the claim. `within`: how much further
    than the claim says the first may be below the second.
    """

    above: str
    below: str
    published: tuple[float, float] | None = None
    other: str = ""
    over: tuple[str, str] | None = None
    figure: str = ""
    within: float = 0.0


@dataclass(frozen=True)
class Claim:
    """What a paper says, in our words, and the pairs of cells that test it; `why` explains the verdict.

    `most`: the claim is about most of the pairs, not every one. `within`: how far the first may be below the
    second, where the claim is not that it is above. `printed` are the pairs as the paper had them (its
    updates, weights, starts or outsiders), where such cells exist, of `printed_experiment` if that is another
    one; `printed_how` says what is the paper's in them.
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
    printed: tuple[Pair, ...] = ()
    printed_experiment: str = ""
    printed_how: str = ""

    def as_printed(self) -> Claim:
        """Return the claim about the cells as the paper had them."""
        return replace(self, experiment=self.printed_experiment or self.experiment, pairs=self.printed)

    def holds(self, count: int) -> bool:
        """Whether the claim holds if it does on `count` pairs."""
        return 2 * count > len(self.pairs) if self.most else count == len(self.pairs)


@dataclass(frozen=True)
class Part:
    """One pair of a claim by itself: its mean gain, the p-value of that, and the seeds of both cells."""

    pair: Pair
    gain: float
    p: float
    n_runs: int


@dataclass(frozen=True)
class Judgement:
    """A verdict, with the mean gain over all pairs and seeds, its p-value, and how many pairs hold.

    `weakest` is the largest p-value of a pair by itself; `n_runs` are the seeds that all pairs have; `parts`
    are the pairs by themselves.
    """

    verdict: str
    gain: float = np.nan
    p: float = np.nan
    weakest: float = np.nan
    holds: int = 0
    n_pairs: int = 0
    n_runs: int = 0
    parts: tuple[Part, ...] = ()

    def __str__(self) -> str:
        if not self.n_runs:
            return self.verdict
        text = f"{self.verdict}: {self.gain:+.3f} over {self.n_runs} seeds, p = {self.p:.2g}"
        return text if self.n_pairs == 1 else f"{text}, holds on {self.holds} of {self.n_pairs}"


def judge(claim: Claim, stored: Callable[[str], StoredRuns]) -> Judgement:
    """Judge a claim by the stored runs of experiments. A claim without pairs cannot be tested.

    Reproduced if every pair (or most, for a claim about most) has a positive mean gain and the gains of the
    seeds, each averaged over the pairs, are significant. Exceeded if, in addition, the first figure of every
    pair and its gain are above the published ones.
    """
    compared = [_compare_cells(pair, claim, stored) for pair in claim.pairs]
    seeds = sorted(set.intersection(*(set(gained) for _, gained in compared))) if compared else []
    if len(seeds) < 2:
        return Judgement(NOT_COMPUTED if compared else NOT_TESTABLE)
    together = np.array([np.mean([gained[seed] for _, gained in compared]) for seed in seeds])
    alone = [np.array(list(gained.values())) for _, gained in compared]
    slack = [claim.within + pair.within for pair in claim.pairs]
    p = p_value(together + float(np.mean(slack)))
    holds = sum(gained.mean() > -allowed for gained, allowed in zip(alone, slack, strict=True))
    verdict = REPRODUCED if claim.holds(int(holds)) and p < ALPHA else NOT_REPRODUCED
    levels = [level for level, _ in compared]
    if verdict == REPRODUCED and all(map(_exceeds, claim.pairs, levels, alone)):
        verdict = EXCEEDED
    parts = tuple(
        Part(pair, float(gained.mean()), p_value(gained + allowed), len(gained))
        for pair, gained, allowed in zip(claim.pairs, alone, slack, strict=True)
    )
    weakest = max(part.p for part in parts)
    gain = float(together.mean())
    return Judgement(verdict, gain, p, weakest, int(holds), len(compared), len(seeds), parts)


def correct_p_values(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for their number by Holm's method; those that are no number stay so.

    The smallest of m p-values is multiplied by m, the next by m − 1 and so on, and none is below the one
    before. It needs no assumption on how the claims depend on each other.
    """
    tested = sorted((p, place) for place, p in enumerate(p_values) if np.isfinite(p))
    corrected, largest = [float("nan")] * len(p_values), 0.0
    for rank, (p, place) in enumerate(tested):
        largest = max(largest, min(1.0, p * (len(tested) - rank)))
        corrected[place] = largest
    return corrected


def p_value(differences: np.ndarray) -> float:
    """Test one-sided whether paired differences are above zero."""
    if not differences.any():
        return 1.0
    if np.ptp(differences) == 0:
        return 0.5 ** len(differences) if differences[0] > 0 else 1.0
    if MIN_WILCOXON <= len(differences) <= MAX_ENUMERATED:
        return _test_signed_ranks(differences)
    if len(differences) > MAX_ENUMERATED:
        return float(stats.wilcoxon(differences, alternative="greater").pvalue)
    return float(stats.ttest_1samp(differences, 0.0, alternative="greater").pvalue)


def _test_signed_ranks(differences: np.ndarray) -> float:
    """Compute the exact p-value of Wilcoxon's test over all signs.

    scipy does the same where differences are tied, but a hundred times slower.
    """
    present = differences[differences != 0]
    ranks = stats.rankdata(np.abs(present))
    signs = (np.arange(2 ** len(ranks))[:, None] >> np.arange(len(ranks))) & 1
    # ranks are halves, so that their sums are exact
    return float(np.mean(signs @ ranks >= ranks[present > 0].sum()))


def _compare_cells(
    pair: Pair, claim: Claim, stored: Callable[[str], StoredRuns]
) -> tuple[float, dict[int, float]]:
    """Compute the mean figure of the first cell, and its gains at the seeds that both cells have."""
    above = stored(claim.experiment).values(pair.above, claim.figure)
    below = stored(pair.other or claim.experiment).values(pair.below, pair.figure or claim.figure)
    if pair.over:
        references = (stored(claim.experiment).values(key, claim.figure) for key in pair.over)
        above, below = (
            _compare_signs(values, bare) for values, bare in zip((above, below), references, strict=True)
        )
    both = {seed: value - below[seed] for seed, value in sorted(above.items()) if seed in below}
    return float(np.mean([above[seed] for seed in both])) if both else np.nan, both


def _compare_signs(values: dict[int, float], bare: dict[int, float]) -> dict[int, float]:
    """Return 1 where a cell is above another and -1 where it is below, at the seeds that both have."""
    return {seed: float(np.sign(value - bare[seed])) for seed, value in values.items() if seed in bare}


def _exceeds(pair: Pair, level: float, gained: np.ndarray) -> bool:
    if pair.published is None:
        return False
    above, below = pair.published
    return bool(level > above and gained.mean() > above - below)
