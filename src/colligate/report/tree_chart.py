"""The tree of groups: a line for each group and each join, with its size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from colligate._text import clip, count_noun, format_count
from colligate.report.drawing import Box, Drawing, Layer, Line, Text, fit_text, text_width
from colligate.report.style import PLAIN
from colligate.report.view import DOCUMENT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from colligate.report.drawing import Mark
    from colligate.report.style import Style
    from colligate.report.view import Nouns, TreeRowView

_BAR = 120.0
_LONGEST = 80
_WIDEST = 1100.0
_DEEPEST = 420.0


def draw_tree(rows: Sequence[TreeRowView], centre: Nouns = DOCUMENT, style: Style = PLAIN) -> Drawing | None:
    """Draw the tree from the root down; names of groups lead to their cards. None without a row."""
    if not rows:
        return None
    size = style.font_size
    high = 1.75 * size
    deepest = max(len(row.lines) for row in rows)
    # a chain of many groups is as deep as it is long
    indent = min(1.35 * size, _DEEPEST / max(1, deepest))
    names = [_name(row, style) for row in rows]
    starts = [len(row.lines) * indent for row in rows]
    widths = [start + text_width(name, size) + 1.6 * size for start, name in zip(starts, names, strict=True)]
    right = min(_WIDEST, max(widths) + size)
    counts = [format_count(row.size) for row in rows]
    room = max(text_width(count, size) for count in counts) + size
    largest = max(row.size for row in rows if row.number is not None)
    marks: list[Mark] = [Line(_list_lines(rows, indent, high, size), "grey", 1.5)]
    for k, (row, name, start) in enumerate(zip(rows, names, starts, strict=True)):
        y = (k + 0.5) * high
        x = start + (0.3 * size if row.lines else 0.0)
        colour = f"g{row.number}"
        label = f"Level {len(row.lines) + 1}: {name}, {count_noun(row.size, centre.one, centre.many)}"
        joined = row.number is None
        dot = [] if joined else [Box(x, y - 0.35 * size, 0.7 * size, 0.7 * size, colour, 0.35 * size)]
        text_x = x if joined else x + size
        text = Text(fit_text(name, size, right - text_x - 4), text_x, y, size, "soft" if joined else "ink")
        href = "" if joined else f"#group-{row.number}"
        wide = _BAR * row.size / largest if largest and not joined else 0.0
        marks += [
            Layer([*dot, text], href=href, title=label),
            Text(format_count(row.size), right + room - 0.6 * size, y, size, "soft", "end"),
            *([Box(right + room, y - 0.3 * size, wide, 0.6 * size, colour, 2.0)] if wide else []),
        ]
    n_groups = sum(row.number is not None for row in rows)
    return Drawing(
        "Tree of groups",
        f"{count_noun(n_groups, 'group')}; two groups join if the method places their {centre.many} alike. A "
        f"bar is the number of {centre.many} of a group.",
        right + room + _BAR,
        len(rows) * high,
        marks,
        "tree",
        interactive=True,
    )


def _name(row: TreeRowView, style: Style) -> str:
    if row.number is None:
        return clip(row.name, _LONGEST)
    return f"{row.number} {clip(style.name(row.number, row.name), _LONGEST)}"


def _list_lines(
    rows: Sequence[TreeRowView], indent: float, high: float, size: float
) -> list[list[tuple[float, float]]]:
    """Return the lines from every join down to its two parts."""
    lines = []
    open_at: dict[int, float] = {}
    for k, row in enumerate(rows):
        y, depth = (k + 0.5) * high, len(row.lines)
        if depth:
            x = (depth - 1) * indent + 0.35 * size
            lines.append([(x, y), (depth * indent + 0.15 * size, y)])
            if not row.lines[-1]:
                lines.append([(x, open_at[depth - 1]), (x, y)])
        if row.number is None:
            open_at[depth] = y + 0.6 * size
    return lines
