"""Lines over a parameter, as SVG: the steps of the parameter are drawn evenly, whatever their size."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    Line = Mapping[float, tuple[float, float]]

WIDTH, HEIGHT, LEFT, TOP, RIGHT = 600.0, 280.0, 44.0, 40.0, 20.0
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999")
MUTED = "#555"
ROW = 20.0
# points of different lines at one step are moved aside, so that their bars do not overlap
ASIDE = 5.0


def draw_lines(title: str, parameter: str, lines: Mapping[str, Line]) -> str:
    """Draw lines of means from 0 to 1, with their deviations as bars, by the parameter."""
    steps = sorted({step for line in lines.values() for step in line})
    left = {
        step: LEFT + (number + 0.5) * (WIDTH - LEFT - RIGHT) / len(steps) for number, step in enumerate(steps)
    }
    bottom = TOP + HEIGHT
    height = bottom + ROW * (len(lines) + 2.8)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {height:g}" role="img" '
        'font-family="sans-serif" font-size="12">',
        f'<title>{escape(title)}</title><rect width="100%" height="100%" fill="white"/>',
        f'<text x="{LEFT:g}" y="22" font-size="14" font-weight="bold">{escape(title)}</text>',
        *(_draw_level(share / 5) for share in range(6)),
        *(draw_text(x, bottom + ROW, f"{step:g}", "middle") for step, x in left.items()),
        draw_text((LEFT + WIDTH - RIGHT) / 2, bottom + 2 * ROW, parameter, "middle", MUTED),
    ]
    for number, (name, line) in enumerate(lines.items()):
        aside = ASIDE * (number - (len(lines) - 1) / 2)
        moved = {step: left[step] + aside for step in sorted(line)}
        parts += _draw_line(number, {moved[step]: line[step] for step in moved})
        parts += _draw_legend(number, name, bottom + ROW * (number + 3.2))
    return "\n".join([*parts, "</svg>", ""])


def _draw_line(place: int, points: Mapping[float, tuple[float, float]]) -> list[str]:
    colour = COLOURS[place % len(COLOURS)]
    path = " ".join(f"{x:.1f},{_y(mean):.1f}" for x, (mean, _) in points.items())
    parts = [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>']
    for x, (mean, deviation) in points.items():
        high, low = _y(min(mean + deviation, 1.0)), _y(max(mean - deviation, 0.0))
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{high:.1f}" y2="{low:.1f}" stroke="{colour}"/>')
        parts.append(f'<circle cx="{x:.1f}" cy="{_y(mean):.1f}" r="3.5" fill="{colour}"/>')
    return parts


def _draw_legend(place: int, name: str, y: float) -> list[str]:
    colour = COLOURS[place % len(COLOURS)]
    return [
        f'<line x1="{LEFT:g}" x2="{LEFT + 22:g}" y1="{y - 4:g}" y2="{y - 4:g}" stroke="{colour}" '
        f'stroke-width="1.5"/><circle cx="{LEFT + 11:g}" cy="{y - 4:g}" r="3.5" fill="{colour}"/>',
        draw_text(LEFT + 30, y, name, "start"),
    ]


def _y(value: float) -> float:
    return TOP + HEIGHT * (1.0 - value)


def _draw_level(value: float) -> str:
    y = _y(value)
    line = f'<line x1="{LEFT:g}" x2="{WIDTH - RIGHT:g}" y1="{y:g}" y2="{y:g}" stroke="#ddd"/>'
    return line + draw_text(LEFT - 8, y + 4, f"{value:.1f}", "end", MUTED)


def draw_text(x: float, y: float, text: str, anchor: str, colour: str = "#111") -> str:
    """Draw a text at a place."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{escape(text)}</text>'
