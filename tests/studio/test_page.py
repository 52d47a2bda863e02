"""The page's own files: the report's colours, no inline script or style, and nothing from elsewhere."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

from colligate.report.palette import MAX_COLOURS, choose_colours

STATIC = Path(str(files("colligate.studio"))) / "static"


def sources(*suffixes: str) -> list[Path]:
    return [path for path in sorted(STATIC.rglob("*")) if path.suffix in suffixes]


def test_groups_have_the_colours_of_the_report():
    text = (STATIC / "palette.js").read_text(encoding="utf-8")
    assert re.findall(r'\["(#\w{6})", "(#\w{6})"\]', text) == choose_colours(MAX_COLOURS)


def test_the_page_has_no_inline_script_or_style():
    text = (STATIC / "index.html").read_text(encoding="utf-8")
    assert re.findall(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", text) == []


def test_nothing_is_made_of_markup_or_fetched_from_elsewhere():
    for path in sources(".js", ".css", ".html"):
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        found = re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|https?://", text)
        assert found == [], path


def test_what_a_file_imports_is_there():
    for path in sources(".js"):
        for name in re.findall(r'from "(\.[^"]+)"', path.read_text(encoding="utf-8")):
            assert (path.parent / name).is_file(), f"{path.name} imports {name}"
