"""The map as one interactive page: hover, search, filter, zoom and pin, in one file that loads nothing.

Document text is hostile. It is in the page only as JSON in a script element that no browser runs, and the
page's script puts it on the screen as text, never as markup. The policy names the page's script and style by
their hashes, so that nothing else could run and no request can leave the page.
"""

from __future__ import annotations

import base64
import hashlib
import json
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from colligate._text import capitalise, clean, clean_lines, count_noun, format_count
from colligate.report.map import describe_nearness
from colligate.report.palette import choose_colours
from colligate.report.render import load_templates
from colligate.report.style import PLAIN

if TYPE_CHECKING:
    from colligate.report.style import Style
    from colligate.report.view import DocumentMapView


BODY, STYLE_SHEET = "map_body.html", ("style", "map_page.css")
_SCALE = 10_000
_WORDS_SHOWN = 8
# `<` could end the script element, `&` could be read as a character reference by a tool that rewrites pages.
_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def render_map_page(view: DocumentMapView, style: Style = PLAIN) -> str:
    """Render the page; the same view gives the same page. Of a style, it uses names and colours of groups."""
    # All are part of this package, so they need no escaping; the hashes must fit what the browser reads.
    script, sheet = read_source("map_page.js") + read_source("map_start.js"), read_source(*STYLE_SHEET)
    data = make_map_data(view, style)
    return (
        load_templates()
        .get_template("map_page.html")
        .render(
            title=data["title"],
            body=Markup(read_source(BODY)),
            script=Markup(script),
            style=Markup(sheet),
            policy=_make_policy(script, sheet),
            data=Markup(_encode(data)),
        )
    )


def read_source(*names: str) -> str:
    """Return a file of the templates as it is."""
    return files("colligate.report").joinpath("templates", *names).read_text(encoding="utf-8")


def _summarise(view: DocumentMapView) -> str:
    many, shown = view.centre.many, len(view.x)
    counted = count_noun(shown, view.centre.one, many)
    if shown < view.total:
        counted = f"{format_count(shown)} of {format_count(view.total)} {many}"
    groups = count_noun(len(view.groups), "group")
    nearness = capitalise(describe_nearness(view.centre, view.terms))
    return clean(f"{counted} in {groups}. {nearness} {_describe_search(view)}")


def _describe_search(view: DocumentMapView) -> str:
    if view.text_length is None:
        return ""
    return f"Texts are cut to {format_count(view.text_length)} characters, in the search as well."


def _make_policy(script: str, style: str) -> str:
    return (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(source: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()}'"


def _encode(data: dict[str, Any]) -> str:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character, escape in _ESCAPES.items():
        text = text.replace(character, escape)
    return text


def make_map_data(view: DocumentMapView, style: Style = PLAIN) -> dict[str, Any]:
    """Gather all that the script of the page shows."""
    colours = choose_colours(max((group.number for group in view.groups), default=-1) + 1)
    many = clean(view.centre.many)
    return {
        "title": clean(view.title) or "Map",
        "summary": _summarise(view),
        "canvas": f"Map of the {many}. Arrow keys move it, plus and minus zoom, 0 shows everything. "
        f"Dragging with the Shift key selects {many}. The list has the same {many}.",
        "noun": [clean(view.centre.one), many],
        "groups": [
            {
                "number": group.number,
                "name": style.name(group.number, group.name),
                "size": group.size,
                "x": round(group.x, 4),
                "y": round(group.y, 4),
                "colours": _choose_pair(style, group.number, colours[group.number]),
                "words": [clean(word) for word in group.words[:_WORDS_SHOWN]],
            }
            for group in view.groups
        ],
        "scale": _SCALE,
        "x": [round(_SCALE * value) for value in view.x],
        "y": [round(_SCALE * value) for value in view.y],
        "group": list(view.group),
        "confidence": [round(100 * value) for value in view.confidence],
        "stated": [row for row, stated in enumerate(view.stated) if stated],
        "ids": [clean(id) for id in view.ids],
        "titles": [clean(title) for title in view.titles],
        "texts": [clean_lines(text).strip() for text in view.texts],
        "columns": [
            {
                "name": clean(column.name),
                "values": [clean(v) for v in column.values],
                "codes": [*column.codes],
            }
            for column in view.columns
        ],
    }


def _choose_pair(style: Style, number: int, pair: tuple[str, str]) -> tuple[str, str]:
    """Return the colours of a group on light and on dark paper; a colour of the style is used for both."""
    colour = style.colours.get(number)
    return pair if colour is None else (colour, colour)
