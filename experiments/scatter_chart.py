"""Scatter plots side by side, as SVG: a figure from 0 to 1 before and after, a point for each problem."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from experiments.line_chart import COLOURS, MUTED, draw_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Points = Sequence[tuple[float, float]]

SIDE, LEFT, TOP, GAP, IN_A_ROW = 240.0, 44.0, 62.0, 62.0, 2


def draw_scatter(title: str, x_label: str, y_label: str, panels: Mapping[str, Points]) -> str:
    """Draw a panel of points for each name; points above the diagonal gained."""
    n_rows = -(-len(panels) // IN_A_ROW)
    width, height = LEFT + IN_A_ROW * (SIDE + GAP), TOP + n_rows * (SIDE + GAP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" '
        'font-family="sans-serif" font-size="12">',
        f'<title>{escape(title)}</title><rect width="100%" height="100%" fill="white"/>',
        f'<text x="{LEFT:g}" y="22" font-size="14" font-weight="bold">{escape(title)}</text>',
    ]
    for place, (name, points) in enumerate(panels.items()):
        row, column = divmod(place, IN_A_ROW)
        x, y = LEFT + column * (SIDE + GAP), TOP + row * (SIDE + GAP)
        parts += _draw_panel(x, y, name, points, (x_label, y_label))
    return "\n".join([*parts, "</svg>", ""])


def _draw_panel(x: float, y: float, name: str, points: Points, labels: tuple[str, str]) -> list[str]:
    bottom, colour = y + SIDE, COLOURS[0]
    n_above, n_below = sum(b > a for a, b in points), sum(b < a for a, b in points)
    parts = [
        f'<rect x="{x:g}" y="{y:g}" width="{SIDE:g}" height="{SIDE:g}" fill="none" stroke="#bbb"/>',
        f'<line x1="{x:g}" y1="{bottom:g}" x2="{x + SIDE:g}" y2="{y:g}" stroke="#bbb"/>',
        draw_text(x, y - 8, f"{name}: {n_above} above the line, {n_below} below", "start"),
        draw_text(x + SIDE / 2, bottom + 32, labels[0], "middle", MUTED),
        f'<text transform="translate({x - 28:g} {y + SIDE / 2:g}) rotate(-90)" text-anchor="middle" '
        f'fill="{MUTED}">{escape(labels[1])}</text>',
    ]
    for value in (0.0, 0.5, 1.0):
        parts.append(draw_text(x + value * SIDE, bottom + 16, f"{value:.1f}", "middle", MUTED))
        parts.append(draw_text(x - 6, bottom - value * SIDE + 4, f"{value:.1f}", "end", MUTED))
    parts += [
        f'<circle cx="{x + a * SIDE:.1f}" cy="{bottom - b * SIDE:.1f}" r="2.5" fill="{colour}" '
        'fill-opacity="0.55"/>'
        for a, b in points
    ]
    return parts
