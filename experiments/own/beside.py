"""The methods that take a kind of knowledge, beside each other, as the page shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from experiments.own.goals import placed
from experiments.own.knowledge import OUTSIDE
from experiments.own.rivals import CORPORA, EXPERIMENT, OURS, TAKERS, key
from experiments.own.shown import made, spread, table
from experiments.runner.kept import Kept

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FIGURES = {"NMI": "nmi", "accuracy": "accuracy"}
NOWHERE = {"outsiders found": "found_outside", "insiders lost": "lost_inside"}


def tables(results: Path) -> list[str]:
    """A table and the places of ours for every kind of knowledge."""
    kept = Kept.of(EXPERIMENT, results)
    found = []
    for kind in TAKERS:
        found += [f"**{kind.capitalize()}.**", _compared(kept, kind, FIGURES), places(kept, kind)]
    return [*found, _compared(kept, OUTSIDE, NOWHERE), made(EXPERIMENT, kept)]


def places(kept: Kept, kind: str) -> str:
    """Where ours stands on every corpus by each figure."""
    found = []
    for title, figure in FIGURES.items():
        told = ", ".join(f"{corpus} {_place(kept, corpus, kind, figure)}" for corpus in CORPORA)
        found.append(f"by {title}: {told}")
    return f"`{OURS}` {'; '.join(found)}."


def _place(kept: Kept, corpus: str, kind: str, figure: str) -> str:
    ours = kept.values(key(corpus, kind, OURS), figure)
    others = [key(corpus, kind, name) for name in TAKERS[kind] if name != OURS]
    return placed(ours, [kept.values(one, figure) for one in others])


def _compared(kept: Kept, kind: str, figures: Mapping[str, str]) -> str:
    columns = [(corpus, title) for corpus in CORPORA for title in figures]
    rows = [
        (f"`{name}`", *(spread(kept, key(corpus, kind, name), figures[title]) for corpus, title in columns))
        for name in TAKERS[kind]
    ]
    return table(("method", *(f"{corpus}, {title}" for corpus, title in columns)), rows)
