"""Where a goal fails, and why: the investigations, with the stored figures set into their texts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from experiments.runner.catalogue import find
from experiments.runner.kept import Kept

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path


@dataclass(frozen=True)
class Mean:
    """The mean of a figure of a cell, or of its gain over another cell, seed by seed; or at one `seed`."""

    experiment: str
    key: str
    figure: str = "nmi"
    over: str = ""
    seed: int | None = None

    def value(self, kept: Callable[[str], Kept]) -> float:
        """What is stored of it."""
        found = kept(self.experiment).values(self.key, self.figure)
        if self.over:
            below = kept(self.experiment).values(self.over, self.figure)
            found = {seed: value - below[seed] for seed, value in found.items() if seed in below}
        if self.seed is not None:
            return found.get(self.seed, np.nan)
        return float(np.mean(list(found.values()))) if found else np.nan


@dataclass(frozen=True, eq=False)
class Reason:
    """A goal that fails, and what was measured to tell why; `text` names the figures in braces."""

    goal: str
    text: str
    figures: Mapping[str, Mean]


def sections(reasons: tuple[Reason, ...], results: Path) -> Iterator[str]:
    """A section for every goal."""
    for one in reasons:
        yield f"### {one.goal}"
        yield one.text.format(**means(one, results))


def means(reason: Reason, results: Path) -> dict[str, float]:
    """The figures of a text by their names."""
    kept = cache(lambda name: Kept.of(find(name), results))
    return {name: mean.value(kept) for name, mean in reason.figures.items()}
