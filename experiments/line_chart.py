"""Lines over a parameter, as SVG: the steps of the parameter are drawn evenly, whatever their size."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

WIDTH, HEIGHT, LEFT, TOP = 560.0, 300.0, 44.0, 34.0
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")
ROW = 18.0


def line_chart(title: str, lines: Mapping[str, Mapping[float, float]]) -> str:
    """Each line gives values from 0 to 1 by the parameter."""
    steps = sorted({at for line in lines.values() for at in line})
    left = {at: LEFT + (place + 0.5) * (WIDTH - LEFT) / len(steps) for place, at in enumerate(steps)}
    height = TOP + HEIGHT + ROW * (len(lines) + 2)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {height:g}" role="img" '
        'font-family="sans-serif" font-size="12">',
        f'<title>{escape(title)}</title><rect width="100%" height="100%" fill="white"/>',
        f'<text x="{LEFT:g}" y="18" font-size="14">{escape(title)}</text>',
        *(_level(share / 5) for share in range(6)),
        *(_text(x, TOP + HEIGHT + ROW, f"{at:g}", "middle") for at, x in left.items()),
    ]
    for place, (name, line) in enumerate(lines.items()):
        points = " ".join(f"{left[at]:.1f},{_height(value):.1f}" for at, value in sorted(line.items()))
        colour, y = COLOURS[place % len(COLOURS)], TOP + HEIGHT + ROW * (place + 2)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<rect x="{LEFT:g}" y="{y - 9:g}" width="10" height="10" fill="{colour}"/>')
        parts.append(_text(LEFT + 16, y, name, "start"))
    return "\n".join([*parts, "</svg>", ""])


def _height(value: float) -> float:
    return TOP + HEIGHT * (1.0 - value)


def _level(value: float) -> str:
    y = _height(value)
    line = f'<line x1="{LEFT:g}" x2="{WIDTH:g}" y1="{y:g}" y2="{y:g}" stroke="#ddd"/>'
    return line + _text(LEFT - 6, y + 4, f"{value:.1f}", "end")


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
