"""The claims of the papers with the verdicts of the stored runs, as a table of a page."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

from experiments.claims import all_claims
from experiments.runner.claims import ALPHA, EXCEEDED, NOT_COMPUTED, REPRODUCED, judge
from experiments.runner.experiment import load_experiment
from experiments.runner.store import StoredRuns

if TYPE_CHECKING:
    from pathlib import Path

    from experiments.runner.claims import Judgement

HEADINGS = ("paper", "where", "claim", "verdict", "gain", "p", "p, weakest pair", "holds on", "runs", "why")


def compose_verdicts(results: Path) -> str:
    """Count the verdicts, and list every claim."""
    summary, rows = judge_claims(results)
    lines = [HEADINGS, ("---",) * len(HEADINGS), *rows]
    return f"{summary}\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines)


def judge_claims(results: Path) -> tuple[str, list[tuple[str, ...]]]:
    """Judge every claim: the number of each verdict, and a row for each claim in the order of HEADINGS."""
    stored = cache(lambda name: StoredRuns.of(load_experiment(name), results))
    judged = [(claim, judge(claim, stored)) for claim in all_claims()]
    counts = Counter(judgement.verdict for _, judgement in judged)
    joint = sum(needs_all_pairs(judgement) for _, judgement in judged)
    verdicts = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
    rows = [
        (
            claim.paper,
            claim.where,
            claim.says,
            describe_verdict(judgement),
            *format_figures(judgement),
            claim.why or "–",
        )
        for claim, judgement in judged
    ]
    summary = (
        f"{len(judged)} claims: {verdicts}. Of those that hold, {joint} hold only for all pairs together."
    )
    return summary, rows


def describe_verdict(judgement: Judgement) -> str:
    """Name the verdict, and say where it needs all pairs together."""
    return f"{judgement.verdict}, all pairs together" if needs_all_pairs(judgement) else judgement.verdict


def needs_all_pairs(judgement: Judgement) -> bool:
    """Whether a claim holds, but is not significant for every pair by itself."""
    return judgement.verdict in (REPRODUCED, EXCEEDED) and judgement.weakest >= ALPHA


def format_figures(judgement: Judgement) -> tuple[str, ...]:
    """Write the mean gain, its p-values, the number of pairs that hold, and the number of paired runs."""
    if not judgement.n_runs or judgement.verdict == NOT_COMPUTED:
        return ("–",) * 5
    p_values = ("< 0.001" if p < 0.001 else f"{p:.3f}" for p in (judgement.p, judgement.weakest))
    holds = f"{judgement.holds} of {judgement.n_pairs}"
    return f"{judgement.gain:+.3f}", *p_values, holds, str(judgement.n_runs)
