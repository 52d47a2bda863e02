"""The claims of the papers with the verdicts of the stored runs, as tables of pages and of the terminal.

Every claim is judged twice where there are cells for it: as the paper had it, and with our defaults.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from experiments.claims import all_claims
from experiments.claims.changed import CHANGES
from experiments.runner.claims import (
    ALPHA,
    EXCEEDED,
    NOT_COMPUTED,
    NOT_TESTABLE,
    REPRODUCED,
    correct_p_values,
    judge,
)
from experiments.runner.experiment import load_experiment
from experiments.runner.store import StoredRuns

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from experiments.runner.claims import Claim, Judgement

NONE = "–"
FEW_SEEDS = 10
HEADINGS = (
    "where",
    "claim",
    "as the paper had it",
    "our defaults",
    "gain",
    "p",
    "p, Holm",
    "p, weakest pair",
    "holds on",
    "seeds",
    "why",
)
PARTS_HEADINGS = ("claim", "column", "above", "below", "gain", "p", "seeds")
CHANGES_HEADINGS = ("paper", "where", "claim", "before", "as the paper had it", "our defaults", "reason")


@dataclass(frozen=True, eq=False)
class Verdict:
    """A claim with its judgements: as the paper had it (None where no such cells are stored), and ours.

    `corrected` is the p-value of our defaults, corrected for the number of all claims that are tested.
    """

    claim: Claim
    printed: Judgement | None
    ours: Judgement
    corrected: float

    @property
    def tested(self) -> bool:
        """Whether there are runs with our defaults."""
        return self.ours.verdict not in (NOT_TESTABLE, NOT_COMPUTED)


def judge_claims(results: Path) -> list[Verdict]:
    """Judge every claim in both columns."""
    stored = cache(lambda name: StoredRuns.of(load_experiment(name), results))
    claims = all_claims()
    ours = [judge(claim, stored) for claim in claims]
    printed = [judge(claim.as_printed(), stored) if claim.printed else None for claim in claims]
    known = [None if each is None or each.verdict == NOT_COMPUTED else each for each in printed]
    corrected = correct_p_values([judgement.p for judgement in ours])
    return [Verdict(*each) for each in zip(claims, known, ours, corrected, strict=True)]


def holds(judgement: Judgement | None) -> bool:
    """Whether a claim is reproduced or exceeded."""
    return judgement is not None and judgement.verdict in (REPRODUCED, EXCEEDED)


def summarise(verdicts: Iterable[Verdict]) -> str:
    """Count the verdicts of both columns, in words."""
    verdicts = list(verdicts)
    tested, printed = [v for v in verdicts if v.tested], [v for v in verdicts if v.printed is not None]
    counts = Counter(v.ours.verdict for v in verdicts)
    together = sum(needs_all_pairs(v.ours) for v in verdicts)
    few = sum(v.ours.n_runs < FEW_SEEDS for v in tested)
    corrected = sum(holds(v.ours) and v.corrected < ALPHA for v in tested)
    lines = [
        f"{len(verdicts)} claims. With our defaults: "
        + ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
        + f". Of those that hold, {together} hold only for all pairs together, and {corrected} still hold if "
        f"p is corrected for the number of claims. {few} of the {len(tested)} that are tested rest on fewer "
        "than ten seeds."
    ]
    if printed:
        held = sum(holds(v.printed) for v in printed)
        lines.append(f"As the paper had it, {len(printed)} are tested and {held} hold.")
    return " ".join(lines)


def letter_protocols(verdicts: Iterable[Verdict]) -> dict[str, str]:
    """Give a letter to each way in which cells are as the paper had them."""
    hows = dict.fromkeys(v.claim.printed_how for v in verdicts if v.printed is not None)
    return {how: chr(ord("a") + place) for place, how in enumerate(hows)}


def describe_protocols(verdicts: Iterable[Verdict]) -> str:
    """Say what the letters of the column mean; empty where nothing is as the paper had it."""
    letters = letter_protocols(verdicts)
    meanings = "; ".join(f"({letter}) {how}" for how, letter in letters.items())
    return f"*As the paper had it* is: {meanings}." if letters else ""


def claim_rows(verdicts: Sequence[Verdict]) -> list[tuple[str, ...]]:
    """Write a row for each claim in the order of HEADINGS."""
    letters = letter_protocols(verdicts)
    return [
        (
            verdict.claim.where,
            verdict.claim.says,
            describe_gain(verdict.printed)
            + (f" ({letters[verdict.claim.printed_how]})" if verdict.printed is not None else ""),
            describe_verdict(verdict.ours),
            *format_figures(verdict),
            verdict.claim.why or NONE,
        )
        for verdict in verdicts
    ]


def part_rows(verdicts: Iterable[Verdict]) -> list[tuple[str, ...]]:
    """Write a row for each pair of each claim that has several, in the order of PARTS_HEADINGS."""
    rows = []
    for verdict in verdicts:
        for column, judgement in (("paper's", verdict.printed), ("ours", verdict.ours)):
            if judgement is None or len(judgement.parts) < 2:
                continue
            for place, part in enumerate(judgement.parts):
                about = NONE if place else f"{verdict.claim.where}: {verdict.claim.says}"
                above, below = (key.replace(" | ", ", ") for key in (part.pair.above, part.pair.below))
                figures = f"{part.gain:+.3f}", format_p(part.p), str(part.n_runs)
                rows.append((about, column, above, below, *figures))
    return rows


def change_rows(verdicts: Sequence[Verdict]) -> list[tuple[str, ...]]:
    """Write a row for each claim whose verdict changed, in the order of CHANGES_HEADINGS."""
    rows = []
    for change in CHANGES:
        for verdict in verdicts:
            claim, before = verdict.claim, change.before or describe_verdict(verdict.ours)
            held = before.startswith((REPRODUCED, EXCEEDED))
            judged = [each for each in (verdict.printed, verdict.ours) if each is not None]
            if change.about(claim) and (change.reason_only or any(holds(each) != held for each in judged)):
                now = describe_gain(verdict.printed), describe_gain(verdict.ours)
                rows.append((claim.paper, claim.where, claim.says, before, *now, change.reason))
    return rows


def make_markdown(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Make a table of a page."""
    lines = [headings, ("---",) * len(headings), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def describe_gain(judgement: Judgement | None) -> str:
    """Name the verdict with its gain, p and seeds."""
    if judgement is None:
        return NONE
    figures = f"{judgement.gain:+.3f}, p {format_p(judgement.p)}, {judgement.n_runs} seeds"
    return f"{describe_verdict(judgement)} ({figures})"


def describe_verdict(judgement: Judgement) -> str:
    """Name the verdict, and say where it needs all pairs together."""
    return f"{judgement.verdict}, all pairs together" if needs_all_pairs(judgement) else judgement.verdict


def needs_all_pairs(judgement: Judgement) -> bool:
    """Whether a claim holds, but is not significant for every pair by itself."""
    return holds(judgement) and judgement.weakest >= ALPHA


def format_figures(verdict: Verdict) -> tuple[str, ...]:
    """Write the mean gain, its p-values, the number of pairs that hold, and the number of paired runs."""
    ours = verdict.ours
    if not verdict.tested:
        return (NONE,) * 6
    p_values = map(format_p, (ours.p, verdict.corrected, ours.weakest))
    seeds = f"{ours.n_runs}, fewer than ten" if ours.n_runs < FEW_SEEDS else str(ours.n_runs)
    return f"{ours.gain:+.3f}", *p_values, f"{ours.holds} of {ours.n_pairs}", seeds


def format_p(p: float) -> str:
    """Write a p-value."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
