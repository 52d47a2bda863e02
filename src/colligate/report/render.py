"""From a view to one HTML file that needs nothing else: no script, no outside asset."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from colligate._storage.atomic import expand_path, write_file
from colligate.report import text
from colligate.report.page import page, sign
from colligate.report.text import capitalised, cleaned, clip

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from jinja2 import Environment

    from colligate.report.view import ReportView


def render(view: ReportView) -> str:
    """The whole page as text. The same view gives the same page."""
    return templates().get_template("page.html").render(page(cleaned(view)))


def write(view: ReportView, path: str | os.PathLike[str]) -> Path:
    """Write the page; nothing half-written ever stands under its name. Returns the path."""
    text = render(view)
    target = expand_path(path)
    with write_file(target) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")
    return target


@cache
def templates() -> Environment:
    """The templates of all pages, with the filters that show numbers and texts."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("colligate.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    readers = (text.number, text.percent, text.count, text.signed, text.counted, text.width)
    environment.filters.update({reader.__name__: reader for reader in (*readers, capitalised, clip, sign)})
    return environment
