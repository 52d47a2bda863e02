"""The claims of the papers and what the stored runs say of them, as a table of a page."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

from experiments.claims.every import every_claim
from experiments.runner.catalogue import find
from experiments.runner.claims import EXCEEDED, LEVEL, NOT_COMPUTED, REPRODUCED, judge
from experiments.runner.kept import Kept

if TYPE_CHECKING:
    from pathlib import Path

    from experiments.runner.claims import Judged

HEADINGS = ("paper", "where", "claim", "verdict", "gain", "p", "p, weakest pair", "holds on", "runs", "why")


def verdicts(results: Path) -> str:
    """How many claims have which verdict, and every one of them."""
    told, rows = judged(results)
    lines = [HEADINGS, ("---",) * len(HEADINGS), *rows]
    return f"{told}\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines)


def judged(results: Path) -> tuple[str, list[tuple[str, ...]]]:
    """How many claims have which verdict, and a row for every one, in the order of HEADINGS."""
    kept = cache(lambda name: Kept.of(find(name), results))
    every = [(claim, judge(claim, kept)) for claim in every_claim()]
    counts = Counter(found.verdict for _, found in every)
    shaky = sum(unsure(found) for _, found in every)
    told = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
    rows = [
        (claim.paper, claim.where, claim.says, verdict(found), *figures(found), claim.why or "–")
        for claim, found in every
    ]
    return (
        f"{len(every)} claims: {told}. Of those that hold, {shaky} do so only with all pairs together.",
        rows,
    )


def verdict(found: Judged) -> str:
    """The verdict, and whether it needs all pairs together."""
    return f"{found.verdict}, all pairs together" if unsure(found) else found.verdict


def unsure(found: Judged) -> bool:
    """Whether a claim holds, but not for every pair by itself beyond chance."""
    return found.verdict in (REPRODUCED, EXCEEDED) and found.weakest >= LEVEL


def figures(found: Judged) -> tuple[str, ...]:
    """The mean gain, its p-values, on how many pairs of cells it holds, and over how many paired runs."""
    if not found.n_runs or found.verdict == NOT_COMPUTED:
        return ("–",) * 5
    chances = ("< 0.001" if p < 0.001 else f"{p:.3f}" for p in (found.p, found.weakest))
    return f"{found.gain:+.3f}", *chances, f"{found.holds} of {found.n_pairs}", str(found.n_runs)
