"""Hands on the map and the lists: drag, lasso, zoom, two tabs, and the knowledge as a text."""

from __future__ import annotations


def centre(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, start, end):
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=8)
    page.mouse.up()


def test_a_document_is_dragged_from_the_list_to_a_group(page):
    page.locator("#groups li button").first.click()
    row = page.locator("#details .row").first
    id = row.locator(".id").inner_text()
    drag(page, centre(row.locator(".text")), centre(page.locator("#groups li").nth(2)))
    page.locator("#journal .what", has_text=f"{id} belongs in").wait_for()


def test_a_lasso_selects_what_it_goes_around(page):
    box = page.locator(".frame").bounding_box()
    corners = [(5, 5), (box["width"] - 5, 5), (box["width"] - 5, box["height"] - 60), (5, box["height"] - 60)]
    page.get_by_role("button", name="Lasso").click()
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    for x, y in corners:
        page.mouse.move(box["x"] + x, box["y"] + y, steps=3)
    page.mouse.up()
    page.locator("#details h2", has_text="120 documents selected").wait_for()
    page.get_by_role("button", name="Lasso").click()
    page.keyboard.press("Escape")
    page.locator("#details h2", has_text="selected").wait_for(state="detached")


def test_a_second_tab_hears_what_the_first_says(page):
    second = page.context.new_page()
    second.goto(page.url)
    second.wait_for_selector("#middle[data-ready]")
    page.evaluate("() => { location.hash = '#/map/document/5'; }")
    page.locator("#details .id", has_text="s5").wait_for()
    page.keyboard.press("o")
    second.locator("#journal .what", has_text="s5 belongs to no group").wait_for()
    second.close()


def test_a_wrong_text_is_told_at_its_line_and_a_right_one_is_kept(page):
    page.keyboard.press("4")
    field = page.get_by_label("The knowledge file")
    field.fill("documents:\n  labels:\n    s1: sky\n    nobody: sky\n")
    page.get_by_role("button", name="Save", exact=True).click()
    page.locator(".problems li", has_text="nobody").wait_for()
    assert page.locator(".numbers .wrong").all_inner_texts() == ["4"]
    field.fill("documents:\n  labels:\n    s1: sky\n")
    page.get_by_role("button", name="Save", exact=True).click()
    page.locator("#journal .what", has_text="knowledge file").wait_for()
    assert page.locator(".problems li").count() == 0
