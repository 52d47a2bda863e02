"""Bars of groups: their sizes, and their most characteristic words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from colligate._text import capitalise, count_noun, format_count, format_number, format_percent
from colligate.report.drawing import Box, Drawing, Layer, Text, fit_text, text_width
from colligate.report.style import PLAIN
from colligate.report.view import DOCUMENT, WORD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from colligate.report.drawing import Mark
    from colligate.report.style import Style
    from colligate.report.view import GroupLike, GroupWordsView, Nouns

_WIDTH = 900.0
_NAMES = 380.0
_PANEL = 290.0
_PANEL_GAP = 26.0
_MAX_PANELS = 3
_WORD_SHARE = 0.52
"""The part of a panel that words may take; the rest is for bars."""


def draw_sizes(
    groups: Sequence[GroupLike], n_outside: int = 0, centre: Nouns = DOCUMENT, style: Style = PLAIN
) -> Drawing | None:
    """Draw a bar for each group, the largest first, then one for documents in no group."""
    size = style.font_size
    ordered = sorted(groups, key=lambda group: -group.size)
    rows = [
        (f"g{group.number}", f"{group.number} {style.name(group.number, group.name)}", group.size)
        for group in ordered
    ]
    if n_outside:
        rows.append(("grey", "in no group", n_outside))
    if not rows:
        return None
    high, total = 1.8 * size, sum(number for *_, number in rows)
    left = min(_NAMES, max(text_width(name, size) for _, name, _ in rows)) + size
    counted = [f"{format_count(n)} · {format_percent(n / total if total else math.nan)}" for *_, n in rows]
    room = max(text_width(text, size) for text in counted) + size
    longest = max(_WIDTH - left - room, 120.0)
    largest = max(number for *_, number in rows)
    marks: list[Mark] = []
    for k, ((colour, name, number), text) in enumerate(zip(rows, counted, strict=True)):
        y = (k + 0.5) * high
        wide = longest * number / largest if largest else 0.0
        marks += [
            Text(fit_text(name, size, left - size), left - 0.7 * size, y, size, anchor="end", title=name),
            *([Box(left, y - 0.32 * high, max(wide, 1.0), 0.64 * high, colour, 2.0)] if number else []),
            Text(text, left + wide + 0.5 * size, y, size, "soft"),
        ]
    return Drawing(
        "Sizes of groups",
        f"{count_noun(total, centre.one, centre.many)} in {count_noun(len(ordered), 'group')}.",
        left + longest + room,
        len(rows) * high,
        marks,
        "sizes",
    )


def draw_words(groups: Sequence[GroupWordsView], terms: Nouns = WORD, style: Style = PLAIN) -> Drawing | None:
    """Draw the most characteristic words of each group as bars, a panel for each group."""
    if not groups:
        return None
    size = style.font_size
    panel = _PANEL * max(1.0, size / PLAIN.font_size)
    across = min(_MAX_PANELS, len(groups))
    high, head = 1.5 * size, 2.2 * size
    lines = max(1, max(len(group.words) for group in groups))
    tall = head + lines * high + 1.6 * size
    marks: list[Mark] = []
    for k, group in enumerate(groups):
        x, y = (k % across) * (panel + _PANEL_GAP), (k // across) * tall
        name = f"{group.number} {style.name(group.number, group.name)}"
        heading: list[Mark] = [
            Box(x, y + 0.35 * size, 0.7 * size, 0.7 * size, f"g{group.number}", 0.35 * size),
            Text(
                fit_text(name, size, panel - 1.3 * size),
                x + 1.2 * size,
                y + 0.7 * size,
                size,
                weight=600,
                title=name,
            ),
        ]
        marks.append(Layer(heading, title=name))
        if not group.words:
            nothing = f"no characteristic {terms.one}"
            marks.append(Text(nothing, x, y + head + 0.5 * high, size, "soft"))
        marks += _draw_word_bars(group, (x, y + head), panel, high, style)
    return Drawing(
        f"{capitalise(terms.many)} of groups",
        f"The most characteristic {terms.many} of {count_noun(len(groups), 'group')}; the longest bar of a "
        f"group is its first {terms.one}.",
        across * panel + (across - 1) * _PANEL_GAP,
        math.ceil(len(groups) / across) * tall - 1.6 * size,
        marks,
        "words-of-groups",
    )


def _draw_word_bars(
    group: GroupWordsView, place: tuple[float, float], width: float, high: float, style: Style
) -> list[Mark]:
    """Draw the words of one group below its name."""
    size, (x, y) = style.font_size, place
    heaviest = max((score for _, score in group.words if math.isfinite(score)), default=0.0)
    room = _WORD_SHARE * width
    widest = max((text_width(word, size) for word, _ in group.words), default=0.0)
    left = min(room, widest) + 0.6 * size
    marks: list[Mark] = []
    for k, (word, score) in enumerate(group.words):
        middle = y + (k + 0.5) * high
        share = score / heaviest if heaviest > 0 and math.isfinite(score) else 0.0
        bar = (width - left) * max(share, 0.0)
        title = f"{word}: {format_number(score)}"
        marks += [
            Text(
                fit_text(word, size, left - 0.6 * size),
                x + left - 0.5 * size,
                middle,
                size,
                anchor="end",
                title=word,
            ),
            *(
                [Box(x + left, middle - 0.3 * high, bar, 0.6 * high, f"g{group.number}", 2.0, title=title)]
                if bar
                else []
            ),
        ]
    return marks
