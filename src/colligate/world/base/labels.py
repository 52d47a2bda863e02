"""Choosing what a class is called, where it has labels in several languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def best_labels(rows: Iterable[tuple[str, str, str]], languages: Sequence[str]) -> dict[str, str]:
    """The label of each class: in a wanted language, else without one, else in English, else the first."""
    order = {tag: at for at, tag in reversed([*enumerate((*languages, "", "en"))])}
    best: dict[str, tuple[int, str, str]] = {}
    for kind, text, tag in rows:
        rank = (order.get(tag.lower(), len(languages) + 2), tag, text)
        if text and (kind not in best or rank < best[kind]):
            best[kind] = rank
    return {kind: text for kind, (_, _, text) in best.items()}
