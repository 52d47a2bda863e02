"""Cards: what a notebook shows of an object, as one piece of HTML.

A card has a heading, a line of facts and tables. Its colours follow those of the page, light or dark. It
loads nothing and runs no script. All text in it may come from strangers: it is cleaned, cut and escaped here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

from colligate._text import NOTHING, bar_width, clean, clip, format_count, format_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_CELL = 160
MAX_HEADING = 300
MAX_DEPTH = 20
SHORT, LONG = 24, 80
# Notebooks style tables, too: the selectors are more specific than theirs.
STYLE = """\
.colligate-card{font:13px/1.45 system-ui,sans-serif;color:inherit;max-width:76rem;margin:.3rem 0;
border:1px solid color-mix(in srgb,currentColor 22%,transparent);border-radius:8px;padding:.7rem .9rem .8rem}
.colligate-card h4{font-size:14px;line-height:1.4;font-weight:600;margin:0 0 .15rem;padding:0}
.colligate-card p{margin:.15rem 0 .35rem;padding:0;opacity:.78;overflow-wrap:anywhere}
.colligate-card .wide{overflow-x:auto}
.colligate-card.colligate-card table{border-collapse:collapse;border:0;margin:.35rem 0 .1rem;font-size:12.5px;
background:none;width:100%;table-layout:auto}
.colligate-card.colligate-card table.narrow{width:auto}
.colligate-card.colligate-card table th,.colligate-card.colligate-card table td{text-align:left;
vertical-align:top;padding:.22rem .9rem .22rem 0;
border:0;border-bottom:1px solid color-mix(in srgb,currentColor 12%,transparent);background:none;
white-space:normal;overflow-wrap:anywhere;max-width:46rem}
.colligate-card.colligate-card table .short{white-space:nowrap}
.colligate-card.colligate-card table .middle{min-width:9rem}
.colligate-card.colligate-card table .long{min-width:18rem}
.colligate-card.colligate-card table tr:last-child td{border-bottom:0}
.colligate-card.colligate-card table th{font-weight:600;opacity:.7;max-width:16rem}
.colligate-card.colligate-card table tbody tr{background:none!important}
.colligate-card.colligate-card table .number{text-align:right;white-space:nowrap;
font-variant-numeric:tabular-nums}
.colligate-card .bar{display:inline-block;width:7rem;height:.6em;border-radius:3px;vertical-align:middle;
background:color-mix(in srgb,currentColor 9%,transparent);overflow:hidden}
.colligate-card .bar i{display:block;height:100%;background:#4c7fd0}
.colligate-card .against .bar i{background:#c2603a}
.colligate-card .dot{display:inline-block;width:.75em;height:.75em;border-radius:50%;margin-right:.45em;
vertical-align:-.02em}"""


@dataclass(frozen=True)
class Bar:
    """A cell with a bar: a share of the largest value, in a colour, or in that of evidence for or against.

    A pair of colours is for light and for dark pages.
    """

    value: float
    largest: float
    colour: str | tuple[str, str] = ""


@dataclass(frozen=True)
class Dot:
    """A cell with a dot in the colour of a group before its text; no dot without a colour.

    A pair of colours is for light and for dark pages. `depth` indents it, for trees.
    """

    text: str
    colour: str | tuple[str, str]
    depth: int = 0


@dataclass(frozen=True)
class Table:
    """A table of a card; `note` is a line below it."""

    header: Sequence[str]
    rows: Iterable[Sequence[Any]]
    note: str = ""
    numbers: frozenset[str] = field(default_factory=frozenset)
    narrow: bool = False


def make_card(heading: str, facts: str = "", *tables: Table) -> str:
    """Return a card as HTML."""
    parts = [f"<h4>{_escape(heading, MAX_HEADING)}</h4>"]
    if facts:
        parts.append(f"<p>{_escape(facts, 3 * MAX_HEADING)}</p>")
    parts += map(_make_table, tables)
    return f'<div class="colligate-card"><style>{STYLE}</style>{"".join(parts)}</div>'


def _make_table(table: Table) -> str:
    classes = [' class="number"' if name in table.numbers else "" for name in table.header]
    head = "".join(
        f"<th{kind or f' class={_find_width(name)}'}>{_escape(name, MAX_CELL)}</th>"
        for name, kind in zip(table.header, classes, strict=True)
    )
    body = "".join(
        f"<tr>{''.join(_make_cell(cell, kind) for cell, kind in zip(row, classes, strict=True))}</tr>"
        for row in table.rows
    )
    note = f"<p>{_escape(table.note, MAX_HEADING)}</p>" if table.note else ""
    narrow = ' class="narrow"' if table.narrow else ""
    rows = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return f'<div class="wide"><table{narrow}>{rows}</table></div>{note}'


def _make_cell(cell: Any, kind: str) -> str:
    if isinstance(cell, Bar):
        width = bar_width(abs(cell.value), cell.largest)
        colour = f";{_paint(cell.colour)}" if cell.colour else ""
        side = ' class="against"' if cell.value < 0 else ""
        return f'<td{side}><span class="bar"><i style="width:{width}%{colour}"></i></span></td>'
    if isinstance(cell, Dot):
        colour = f'<span class="dot" style="{_paint(cell.colour)}"></span>' if cell.colour else ""
        indent = f' style="padding-left:{1.4 * min(cell.depth, MAX_DEPTH):g}em"' if cell.depth else ""
        return f'<td class="{_find_width(cell.text)}"{indent}>{colour}{_escape(cell.text, MAX_CELL)}</td>'
    text = _format_cell(cell)
    kind = kind or f' class="{_find_width(text)}"'
    return f"<td{kind}>{_escape(text, MAX_CELL)}</td>"


def _paint(colour: str | tuple[str, str]) -> str:
    """Return the style rule of a colour; a page that says it is dark gets the second one."""
    if isinstance(colour, str):
        return f"background:{escape(colour)}"
    light, dark = map(escape, colour)
    # browsers that do not know light-dark() keep the first rule
    return f"background:{light};background:light-dark({light},{dark})"


def _find_width(text: str) -> str:
    """Return the class of a cell: a short text stays on one line, a long one needs room."""
    return "short" if len(text) <= SHORT else "long" if len(text) >= LONG else "middle"


def _format_cell(cell: Any) -> str:
    if cell is None:
        return NOTHING
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int):
        return format_count(cell) if abs(cell) >= 10_000 else str(cell)
    return format_number(cell) if isinstance(cell, float) else str(cell)


def _escape(text: str, length: int) -> str:
    return escape(clip(clean(text[: 4 * length]), length))
