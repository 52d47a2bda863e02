from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace

from colligate.report.map_page import render_map_page
from colligate.report.palette import choose_colours
from colligate.report.style import Style
from colligate.report.view import DocumentMapView, MapColumnView, MapGroupView, Nouns

HOSTILE = '</script><script>alert(1)</script><!-- &amp; "\u2028'


def make_map(documents: int = 6) -> DocumentMapView:
    rows = range(documents)
    return DocumentMapView(
        title="News <of> 1999",
        groups=[
            MapGroupView(0, "space, orbit", 4, 0.25, 0.5, ["space", "orbit"]),
            MapGroupView(7, "hockey <b>", 2, 0.75, 0.5, ["hockey"]),
        ],
        x=[0.2 + 0.1 * (row % 3) for row in rows],
        y=[0.5] * documents,
        group=[int(row >= 4) for row in rows],
        confidence=[0.5] * documents,
        ids=[f"d{row}" for row in rows],
        titles=["A title", *[""] * (documents - 1)],
        texts=[HOSTILE, *["some text"] * (documents - 1)],
        stated=[row == 2 for row in rows],
        columns=[MapColumnView("source", ["BBC", HOSTILE], [row % 2 for row in rows])],
        total=documents,
    )


def data_of(page: str) -> dict:
    return json.loads(re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[0])


def test_the_page_has_the_documents_and_no_markup_from_them() -> None:
    page = render_map_page(make_map())
    assert page.count("</script>") == 2
    assert "<b>" not in page
    assert "<of>" not in page
    data = data_of(page)
    assert data["texts"][0].startswith("</script><script>alert(1)")
    assert data["titles"][0] == "A title"
    assert data["stated"] == [2]
    assert data["columns"][0]["codes"] == [0, 1, 0, 1, 0, 1]
    assert [group["number"] for group in data["groups"]] == [0, 7]


def test_a_group_has_the_colour_of_its_number() -> None:
    data = data_of(render_map_page(make_map()))
    assert [tuple(group["colours"]) for group in data["groups"]] == [
        choose_colours(8)[0],
        choose_colours(8)[7],
    ]


def test_the_policy_allows_this_script_and_this_style_alone() -> None:
    page = render_map_page(make_map())
    policy = re.findall(r'Content-Security-Policy" content="([^"]+)"', page)[0].replace("&#39;", "'")
    script = re.findall(r"<script>(.*)</script>", page, re.S)[0]
    style = re.findall(r"<style>(.*)</style>", page, re.S)[0]
    for source in (script, style):
        digest = base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy


def test_the_page_says_what_it_leaves_out() -> None:
    view = replace(make_map(), total=20, text_length=500, centre=Nouns("story", "stories"))
    page = render_map_page(view)
    assert "6 of 20 stories in 2 groups" in page
    assert "cut to 500 characters" in page
    assert "cut to" not in render_map_page(make_map())


def test_the_page_uses_names_and_colours_of_a_style() -> None:
    page = render_map_page(make_map(), Style(labels={7: "ice <i>"}, colours={7: "#123456"}))
    last = data_of(page)["groups"][1]
    assert (last["name"], last["colours"]) == ("ice <i>", ["#123456", "#123456"])
    assert "<i>" not in page
