"""Hands on the map and the lists: drag, lasso, zoom, two tabs, and the knowledge as a text."""

from __future__ import annotations


def centre(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, source, target):
    """Drag one element to another, once both stand still."""
    target.hover()
    source.hover()
    page.mouse.down()
    page.mouse.move(*centre(target), steps=8)
    page.mouse.up()


def test_a_document_is_dragged_from_the_list_to_a_group(page):
    page.locator("#groups li button").first.click()
    row = page.locator('#details .documents[aria-busy="false"] .row').first
    id = row.locator(".key").inner_text()
    drag(page, row.locator(".text"), page.locator("#groups li").nth(2))
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


def draw_lasso(page, box, corners):
    """Draw around a part of the map: corners as shares of its sides."""
    points = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in corners]
    page.mouse.move(*points[0])
    page.mouse.down()
    for point in points[1:]:
        page.mouse.move(*point, steps=4)
    page.mouse.up()


LEFT = [(0.01, 0.4), (0.01, 0.01), (0.5, 0.01), (0.5, 0.99), (0.01, 0.99)]
ALL = [(0.01, 0.4), (0.01, 0.01), (0.99, 0.01), (0.99, 0.99), (0.01, 0.99)]


def count_selected(page):
    return int(page.locator(".selected-count span").inner_text().split()[0])


def test_a_lasso_adds_with_shift_and_removes_with_alt(page):
    box = page.locator(".frame").bounding_box()
    page.keyboard.down("Shift")
    draw_lasso(page, box, LEFT)
    page.keyboard.up("Shift")
    left = count_selected(page)
    assert 0 < left < 120
    assert f"{left} documents selected" in page.locator("#status").inner_text()
    page.keyboard.down("Shift")
    draw_lasso(page, box, [(1 - x, y) for x, y in LEFT])
    page.keyboard.up("Shift")
    assert count_selected(page) == 120
    page.keyboard.down("Alt")
    draw_lasso(page, box, LEFT)
    page.keyboard.up("Alt")
    assert count_selected(page) == 120 - left
    page.get_by_role("button", name="Clear the selection").click()
    assert page.locator(".selected-count span").count() == 0


def test_the_modes_of_the_lasso_need_no_keys(page):
    box = page.locator(".frame").bounding_box()
    page.get_by_role("button", name="Lasso").click()
    draw_lasso(page, box, LEFT)
    left = count_selected(page)
    page.locator(".modes").get_by_role("button", name="Add").click()
    draw_lasso(page, box, ALL)
    assert count_selected(page) == 120
    page.locator(".modes").get_by_role("button", name="Remove").click()
    draw_lasso(page, box, LEFT)
    assert count_selected(page) == 120 - left
    page.locator(".modes").get_by_role("button", name="New").click()
    draw_lasso(page, box, LEFT)
    assert count_selected(page) == left
    page.get_by_role("button", name="Lasso").click()
    assert not page.locator(".modes").is_visible()


def test_escape_gives_up_a_lasso(page):
    box = page.locator(".frame").bounding_box()
    page.keyboard.down("Shift")
    page.mouse.move(box["x"] + 20, box["y"] + 80)
    page.mouse.down()
    page.mouse.move(box["x"] + 400, box["y"] + 300, steps=4)
    page.mouse.move(box["x"] + 20, box["y"] + 400, steps=4)
    page.keyboard.press("Escape")
    page.mouse.up()
    page.keyboard.up("Shift")
    page.wait_for_timeout(200)
    assert page.evaluate(INK_OVER) == 0
    assert page.locator(".selected-count span").count() == 0


INK_OVER = """() => new Promise((done) => requestAnimationFrame(() => {
  const canvas = document.querySelector(".over");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  done(data.reduce((sum, part) => sum + (part > 0), 0));
}))"""


def hover_a_document(page):
    """Move the pointer over the map until the text of a document shows."""
    box = page.locator(".frame").bounding_box()
    page.wait_for_timeout(200)
    for step in range(200):
        page.mouse.move(box["x"] + 60 + (step * 37) % (box["width"] - 120), box["y"] + 80 + step * 3)
        page.wait_for_timeout(30)
        if page.evaluate(INK_OVER) > 0:
            break
    page.locator(".tip:not([hidden])").wait_for()


def test_the_text_under_the_pointer_goes_with_a_click(page):
    hover_a_document(page)
    page.mouse.down()
    page.mouse.up()
    page.locator("#details .id").first.wait_for()
    page.wait_for_timeout(300)
    assert not page.locator(".tip").is_visible()


def test_the_text_under_the_pointer_is_beside_it_while_the_list_is_open(page):
    listed = page.get_by_role("button", name="List", exact=True)
    listed.click()
    hover_a_document(page)
    tip, frame = page.locator(".tip").bounding_box(), page.locator(".frame").bounding_box()
    listed.click()
    assert tip["x"] >= frame["x"] > 300
    assert tip["x"] + tip["width"] <= frame["x"] + frame["width"]


def test_escape_leaves_no_ring(page):
    hover_a_document(page)
    page.mouse.down()
    page.mouse.up()
    page.locator("#details .id").first.wait_for()
    assert page.evaluate(INK_OVER) > 0
    page.keyboard.press("Escape")
    page.wait_for_timeout(200)
    assert page.evaluate(INK_OVER) == 0


def test_the_tools_do_not_cover_the_choice_of_colours(page):
    lasso, listed = (
        page.get_by_role("button", name="Lasso"),
        page.get_by_role("button", name="List", exact=True),
    )
    lasso.click()
    for is_listed in (False, True):
        for width, height in ((1440, 900), (1024, 768), (390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(200)
            tools, colours = page.locator(".tools").bounding_box(), page.locator(".colours").bounding_box()
            if colours is not None:
                is_left = colours["x"] + colours["width"] <= tools["x"]
                assert is_left or tools["y"] + tools["height"] <= colours["y"]
        if not is_listed:
            listed.click()
    listed.click()
    lasso.click()


def test_notices_do_not_cover_the_tools(page):
    for width, height in ((1440, 900), (1024, 768), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("""async () => {
          const { notice } = await import("/static/notices.js");
          notice("A notice that says what was done, and takes the whole width that a notice may have");
        }""")
        page.locator(".notice").first.wait_for()
        tools, notice = page.locator(".tools").bounding_box(), page.locator("#notices").bounding_box()
        assert tools["y"] + tools["height"] <= notice["y"]
        page.get_by_label("Close this notice").first.click()


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
