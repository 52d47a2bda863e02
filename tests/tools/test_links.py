"""Links of the documentation: what `tools.links` reports, and that the README leads somewhere."""

from __future__ import annotations

import pytest

from tools import links

PAGES = {
    "index.html": '<a href="guide.html#start">a</a> <a href="https://example.org/x">b</a> <a href="#">c</a>',
    "guide.html": '<h1 id="start">Guide</h1> <a href="index.html">a</a> <img src="map.png">',
}


@pytest.fixture
def folder(tmp_path):
    for name, text in PAGES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "map.png").write_bytes(b"")
    return tmp_path


def test_links_that_lead_somewhere_pass(folder, capsys, monkeypatch):
    monkeypatch.setattr(links, "list_markdown", list)
    assert links.main([str(folder)]) == 0
    assert "5 links on 2 pages: 0 lead nowhere" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("link", "problem"),
    [
        ("guide.html#end", "guide.html has no anchor end"),
        ("gide.html", "there is no such file"),
        ("#top", "more.html has no anchor top"),
    ],
)
def test_a_link_that_leads_nowhere_is_reported_with_its_page(folder, link, problem):
    (folder / "more.html").write_text(f'<a href="{link}">x</a>', encoding="utf-8")
    assert list(links.find_broken_links(folder)) == [f"more.html: {link}: {problem}"]


def test_headings_and_files_of_markdown_are_checked(tmp_path):
    (tmp_path / "a.md").write_text(
        "# A `b` c\n\n[x](b.md#one-two) [y](#a-b-c) [z](none.md) [w](b.md#three)\n"
    )
    (tmp_path / "b.md").write_text("## One *two*\n\n```\n# three\n```\n")
    problems = list(links.find_broken_markdown_links([tmp_path / "a.md"]))
    assert problems == [
        "a.md: none.md: there is no such file",
        "a.md: b.md#three: b.md has no heading three",
    ]


def test_all_markdown_of_the_repository_leads_somewhere():
    files = links.list_markdown()
    assert {links.ROOT / "README.md", links.ROOT / "docs" / "guide.md"} <= set(files)
    assert list(links.find_broken_markdown_links(files)) == []
