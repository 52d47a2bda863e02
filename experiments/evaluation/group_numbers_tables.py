"""Tables that compare the numbers of `group_numbers` with the numbers of classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from experiments.evaluation.corpora import CORPORA
from experiments.evaluation.group_numbers import EXPERIMENT, LIMITS, OURS, WAYS, key
from experiments.evaluation.markdown import NONE
from experiments.runner.store import StoredRuns

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

# what is said without looking: near the middle of the classes of the tuning corpora
ALWAYS = 10
NEAR = 2.0


def compose_rows(kept: StoredRuns) -> list[list[str]]:
    """For every corpus its classes, and what each way finds up to both limits."""
    return [
        [corpus, _format_numbers(kept, corpus, OURS, ("classes",))]
        + [_format_numbers(kept, corpus, way, LIMITS.values()) for way in WAYS]
        for corpus in CORPORA
    ]


def compose_suggestions(kept: StoredRuns) -> list[list[str]]:
    """For every corpus whether the suggestion is clear, all plausible numbers, and the mutual information."""
    return [
        [
            corpus,
            str(run["classes"]),
            str(run["groups_of_more"]),
            "yes" if run["is_clear"] else "no",
            ", ".join(map(str, run["plausible"])),
            f"{run['nmi']:.3f}",
            f"{run['nmi_of_classes']:.3f}",
        ]
        for corpus in CORPORA
        for run in kept.cells.get(key(corpus, OURS), [])
    ]


def compose_scores(kept: StoredRuns) -> list[list[str]]:
    """Every way up to each limit: the mean factor, how many are within a factor of two, how many right."""
    score_rows = [
        [way, f"up to {most}", *_format_scores(compute_factors(kept, way, name))]
        for way in WAYS
        for most, name in LIMITS.items()
    ]
    return [
        *score_rows,
        [
            f"always {ALWAYS}",
            NONE,
            *_format_scores(_factors_off([(ALWAYS, n_classes) for _, n_classes in _pairs(kept)])),
        ],
    ]


def compose_verdict(kept: StoredRuns) -> str:
    """The suggestion beside the best description length, up to each limit."""
    verdicts = [_compare_with_best(kept, most, name) for most, name in LIMITS.items() if _pairs(kept)]
    return " ".join([*verdicts, "None of them is near enough to be more than a suggestion."])


def _compare_with_best(kept: StoredRuns, most: int, name: str) -> str:
    off = {way: compute_factors(kept, way, name) for way in WAYS}
    best = min((way for way in WAYS if way != OURS), key=lambda way: geometric_mean(off[way]))
    nearer, further = ((sign * (off[best] - off[OURS]) > 0).sum() for sign in (1, -1))
    ours, other = geometric_mean(off[OURS]), geometric_mean(off[best])
    return (
        f"Up to {most}, the suggestion is off by a factor of {ours:.2f}, the best description length "
        f"(*{best}*) by {other:.2f}: the suggestion is nearer on {nearer} corpora, further on {further}."
    )


def goal_rows(results: Path) -> list[tuple[str, str, str, str]]:
    """Up to each limit, whether the suggestion is nearer than the best of the description lengths."""
    kept = StoredRuns.of(EXPERIMENT, results)
    return [_goal(kept, most, name) for most, name in LIMITS.items()]


def _goal(kept: StoredRuns, most: int, name: str) -> tuple[str, str, str, str]:
    says = f"Number of groups up to {most}: nearer to the classes than any description length"
    ours, *others = (geometric_mean(compute_factors(kept, way, name)) for way in WAYS)
    if not np.isfinite([ours, *others]).all():
        return says, NONE, NONE, "not computed"
    verdict = "met" if ours < min(others) else "missed"
    return says, f"factor < {min(others):.2f}", f"factor {ours:.2f}", verdict


def compute_factors(kept: StoredRuns, way: str, name: str) -> np.ndarray:
    """By what factor the numbers of a way are off, for each corpus that is computed."""
    return _factors_off(_pairs(kept, way, name))


def geometric_mean(off: np.ndarray) -> float:
    """The geometric mean of factors."""
    return float(np.exp(np.log(off).mean())) if len(off) else np.nan


def _pairs(kept: StoredRuns, way: str = OURS, name: str = "groups") -> list[tuple[int, int]]:
    """A number and the classes, for every corpus."""
    runs = (run for corpus in CORPORA for run in kept.cells.get(key(corpus, way), []))
    return [(run[name], run["classes"]) for run in runs]


def _factors_off(pairs: list[tuple[int, int]]) -> np.ndarray:
    numbers, classes = np.array(pairs, dtype=np.float64).reshape(-1, 2).T
    return np.asarray(np.maximum(numbers / classes, classes / numbers))


def _format_scores(off: np.ndarray) -> list[str]:
    near, right = int((off <= NEAR).sum()), int((off == 1).sum())
    return [
        f"{geometric_mean(off):.2f}" if len(off) else NONE,
        f"{near} of {len(off)}",
        f"{right} of {len(off)}",
    ]


def _format_numbers(kept: StoredRuns, corpus: str, way: str, figures: Iterable[str]) -> str:
    values = [value for name in figures for value in kept.values(key(corpus, way), name).values()]
    return " / ".join(map(str, values)) or NONE
