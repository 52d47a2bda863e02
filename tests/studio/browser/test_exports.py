"""Export: from the button to the file on the disk."""

from __future__ import annotations

import json

import pytest


def open_dialog(page):
    page.get_by_role("button", name="Export").click()
    return page.get_by_role("dialog")


@pytest.mark.parametrize(
    ("label", "end", "start"),
    [
        ("Excel", "-run-1-documents.xlsx", b"PK"),
        ("CSV", "-run-1-documents.csv", b"id,cluster"),
        ("Parquet", "-run-1-documents.parquet", b"PAR1"),
        ("Interactive page", "-run-1-map.html", b"<!doctype html>"),
        ("SVG", "-run-1-map.svg", b"<?xml"),
        ("PNG", "-run-1-map.png", b"\x89PNG"),
        ("Label Studio", "-run-1-label-studio.zip", b"PK"),
        ("Argilla", "-run-1-argilla.zip", b"PK"),
        ("Notebook", "-run-1-notebook.zip", b"PK"),
    ],
)
def test_every_file_arrives(page, label, end, start):
    dialog = open_dialog(page)
    with page.expect_download() as waiting:
        dialog.get_by_text(label, exact=True).click()
    download = waiting.value
    assert download.suggested_filename.endswith(end)
    assert download.path().read_bytes().startswith(start)
    page.keyboard.press("Escape")


def test_the_png_shows_the_map(page, tmp_path):
    image = pytest.importorskip("PIL.Image")
    dialog = open_dialog(page)
    with page.expect_download() as waiting:
        dialog.get_by_text("PNG", exact=True).click()
    waiting.value.save_as(tmp_path / "map.png")
    picture = image.open(tmp_path / "map.png").convert("RGB")
    assert picture.width == 2000
    colours = {colour for _, colour in picture.getcolors(maxcolors=2**24)}
    # dots in the colours of several groups, not only paper and names
    assert len([colour for colour in colours if max(colour) - min(colour) > 100]) > 3
    page.keyboard.press("Escape")


def test_the_exported_page_opens_without_the_studio(page, browser, tmp_path):
    dialog = open_dialog(page)
    with page.expect_download() as waiting:
        dialog.get_by_text("Interactive page", exact=True).click()
    waiting.value.save_as(tmp_path / "map.html")
    page.keyboard.press("Escape")
    other = browser.new_page()
    requests = []
    other.on("request", lambda request: requests.append(request.url))
    other.goto((tmp_path / "map.html").as_uri())
    other.wait_for_selector("#list li")
    assert len(requests) == 1
    groups = json.loads(other.locator("#data").text_content())["groups"]
    shown = page.locator("#groups .name").all_text_contents()
    assert {group["name"] for group in groups} >= {name for name in shown if name}
    other.close()


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_the_dialog_fits_and_is_accessible(page, size):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    dialog = open_dialog(page)
    problems = axe.Axe().run(page, context={"include": [["dialog"]]}).response["violations"]
    assert [problem["id"] for problem in problems] == []
    box = dialog.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= size[0]
    page.keyboard.press("Escape")
