"""Tables that compare the methods that take a kind of knowledge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from experiments.evaluation.goals import rank_among
from experiments.evaluation.knowledge import OUTSIDE
from experiments.evaluation.markdown import describe_runs, format_spread, format_table
from experiments.evaluation.rivals import CORPORA, EXPERIMENT, OURS, TAKERS, key
from experiments.runner.store import StoredRuns

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FIGURES = {"NMI": "nmi", "accuracy": "accuracy"}
NOWHERE = {"outsiders found": "found_outside", "insiders lost": "lost_inside"}


def compose_tables(results: Path) -> list[str]:
    """A table and the places of ours for every kind of knowledge."""
    kept = StoredRuns.of(EXPERIMENT, results)
    sections = []
    for kind in TAKERS:
        sections += [
            f"**{kind.capitalize()}.**",
            _compose_comparison(kept, kind, FIGURES),
            compose_ranks(kept, kind),
        ]
    return [*sections, _compose_comparison(kept, OUTSIDE, NOWHERE), describe_runs(EXPERIMENT, kept)]


def compose_ranks(kept: StoredRuns, kind: str) -> str:
    """Where ours stands on every corpus by each figure."""
    summaries = []
    for title, figure in FIGURES.items():
        ranks = ", ".join(f"{corpus} {_rank(kept, corpus, kind, figure)}" for corpus in CORPORA)
        summaries.append(f"by {title}: {ranks}")
    return f"`{OURS}` {'; '.join(summaries)}."


def _rank(kept: StoredRuns, corpus: str, kind: str, figure: str) -> str:
    ours = kept.values(key(corpus, kind, OURS), figure)
    others = [key(corpus, kind, name) for name in TAKERS[kind] if name != OURS]
    return rank_among(ours, [kept.values(one, figure) for one in others])


def _compose_comparison(kept: StoredRuns, kind: str, figures: Mapping[str, str]) -> str:
    columns = [(corpus, title) for corpus in CORPORA for title in figures]
    rows = [
        (
            f"`{name}`",
            *(format_spread(kept, key(corpus, kind, name), figures[title]) for corpus, title in columns),
        )
        for name in TAKERS[kind]
    ]
    return format_table(("method", *(f"{corpus}, {title}" for corpus, title in columns)), rows)
