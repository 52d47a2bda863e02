"""The claims of the papers with the verdicts of the stored runs, as tables of pages and of the terminal.

Every claim is judged twice where there are cells for it: as the paper had it, and with our defaults.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from experiments.claims import all_claims
from experiments.claims.changed import CHANGES, read_audited
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
HEADINGS = ("where", "claim", "as the paper had it", "our defaults", "p, Holm", "pairs that hold", "why")
PARTS_HEADINGS = ("claim", "column", "above", "below", "gain", "p", "seeds")
CHANGES_HEADINGS = ("paper", "where", "claim", "before", "as the paper had it", "our defaults")


@dataclass(frozen=True, eq=False)
class Verdict:
    """A claim with its judgements: as the paper had it (None where no such cells are stored), and ours.

    `corrected` is the p-value of our defaults, corrected for the number of tested claims of the same paper.
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
    corrected = correct_by_paper([claim.paper for claim in claims], [judgement.p for judgement in ours])
    return [Verdict(*each) for each in zip(claims, known, ours, corrected, strict=True)]


def correct_by_paper(papers: Sequence[str], p_values: Sequence[float]) -> list[float]:
    """Correct the p-values of each paper for the number of its claims."""
    corrected = dict.fromkeys(range(len(papers)), float("nan"))
    for paper in dict.fromkeys(papers):
        places = [place for place, each in enumerate(papers) if each == paper]
        corrected |= zip(places, correct_p_values([p_values[place] for place in places]), strict=True)
    return [corrected[place] for place in range(len(papers))]


def holds(judgement: Judgement | None) -> bool:
    """Whether a claim is reproduced or exceeded."""
    return judgement is not None and judgement.verdict in (REPRODUCED, EXCEEDED)


def summarise(verdicts: Iterable[Verdict]) -> str:
    """Count the verdicts of both columns, in words."""
    counts = count_verdicts(list(verdicts))
    return (
        f"{counts.claims} claims. As the paper had it, {counts.printed_held} of {counts.printed} tested "
        f"claims hold. With our defaults, {counts.held} of {counts.tested} hold: {counts.together} of them "
        f"only for all pairs together, {counts.corrected} also after Holm's correction within "
        f"a paper. {counts.few} rest on fewer than ten seeds."
    )


@dataclass(frozen=True)
class VerdictCounts:
    """How many claims are tested and hold, as printed and with our defaults."""

    claims: int
    printed: int
    printed_held: int
    tested: int
    held: int
    together: int
    corrected: int
    few: int


def count_verdicts(verdicts: Sequence[Verdict]) -> VerdictCounts:
    """Count verdicts; `few` are those of our defaults that rest on fewer than ten seeds."""
    tested, printed = [v for v in verdicts if v.tested], [v for v in verdicts if v.printed is not None]
    return VerdictCounts(
        claims=len(verdicts),
        printed=len(printed),
        printed_held=sum(holds(v.printed) for v in printed),
        tested=len(tested),
        held=sum(holds(v.ours) for v in tested),
        together=sum(needs_all_pairs(v.ours) for v in tested),
        corrected=sum(holds(v.ours) and v.corrected < ALPHA for v in tested),
        few=sum(v.ours.n_runs < FEW_SEEDS for v in tested),
    )


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
            describe_gain(verdict.ours) if verdict.tested else verdict.ours.verdict,
            format_p(verdict.corrected) if verdict.tested else NONE,
            f"{verdict.ours.holds} of {verdict.ours.n_pairs}" if verdict.tested else NONE,
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
    """Write a row for each claim whose verdict changed, in the order of CHANGES_HEADINGS, then the reason.

    The first change that is about a claim tells the reason.
    """
    rows, told = [], set()
    for change in CHANGES:
        for verdict in verdicts:
            claim, before = verdict.claim, change.before or find_verdict_before(verdict.claim)
            if claim in told or not change.about(claim):
                continue
            if change.reason_only or differs(verdict, before):
                told.add(claim)
                now = describe_gain(verdict.printed), describe_gain(verdict.ours)
                rows.append((claim.paper, claim.where, claim.says, before, *now, change.reason))
    return rows


def find_verdict_before(claim: Claim) -> str:
    """Look up the verdict of a claim at the audit; empty for claims that are newer."""
    return read_audited().get((claim.paper, claim.where, claim.says), "")


def differs(verdict: Verdict, before: str) -> bool:
    """Whether a claim now holds in some column and did not before, or the other way round."""
    held = before.startswith((REPRODUCED, EXCEEDED))
    return any(holds(each) != held for each in (verdict.printed, verdict.ours) if each is not None)


def make_markdown(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Make a table of a page."""
    lines = [headings, ("---",) * len(headings), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def describe_gain(judgement: Judgement | None) -> str:
    """Name the verdict with its gain, p and seeds."""
    if judgement is None:
        return NONE
    few = ", fewer than ten" if judgement.n_runs < FEW_SEEDS else ""
    figures = f"{judgement.gain:+.3f}, p {format_p(judgement.p)}, {judgement.n_runs} seeds{few}"
    return f"{describe_verdict(judgement)} ({figures})"


def describe_verdict(judgement: Judgement) -> str:
    """Name the verdict, and say where it needs all pairs together."""
    return f"{judgement.verdict}, all pairs together" if needs_all_pairs(judgement) else judgement.verdict


def needs_all_pairs(judgement: Judgement) -> bool:
    """Whether a claim holds, but is not significant for every pair by itself."""
    return holds(judgement) and judgement.weakest >= ALPHA


def format_p(p: float) -> str:
    """Write a p-value."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
