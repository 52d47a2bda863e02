"""What the map marks: documents with pending statements, and documents that moved, on demand with arrows."""

from __future__ import annotations

from tests.studio.browser.test_gestures import INK_OVER

ARROWS = """async () => {
  const { state } = await import("/static/store.js");
  const { arrowsTo } = await import("/static/map/arrows.js");
  const { documents, targets } = state.pending;
  return arrowsTo(state.map, documents, targets, String).map(({ colour }) => Number(colour));
}"""


def count_ink(page):
    """Count the marked pixels, with the pointer away from the map."""
    page.mouse.move(5, 5)
    page.wait_for_timeout(250)
    return page.evaluate(INK_OVER)


def test_a_moved_document_is_marked_with_an_arrow_until_it_is_undone(page, studio):
    assert count_ink(page) == 0
    group = studio.groups()["s5"]
    target = next(number for number in sorted(studio.groups().values()) if number != group)
    studio.session.record("label", {"document": "s5", "group": target})
    page.locator("#journal .what", has_text="s5 belongs in").wait_for()
    page.wait_for_timeout(300)
    assert page.evaluate(ARROWS) == [target]
    marked = count_ink(page)
    assert marked > 0
    studio.session.record("outside", {"document": "s5"})
    page.locator("#journal .what", has_text="s5 belongs to no group").wait_for()
    page.wait_for_timeout(300)
    assert page.evaluate(ARROWS) == []
    assert 0 < count_ink(page) < marked
    studio.session.undo()
    studio.session.undo()
    page.locator("#journal li.undone").nth(1).wait_for()
    page.wait_for_timeout(300)
    assert count_ink(page) == 0


def test_a_merge_is_marked_by_an_arrow_between_the_groups(page, studio):
    first, second = sorted(set(studio.groups().values()))[:2]
    studio.session.record("merge", {"groups": [first, second]})
    page.locator("#journal .what", has_text="are one group").wait_for()
    page.wait_for_timeout(300)
    assert count_ink(page) > 0


def test_the_changes_show_arrows_on_demand_and_no_pending_marks(page, studio):
    homes = studio.groups()
    other = next(number for number in sorted(homes.values()) if number != homes["s5"])
    studio.session.record("label", {"documents": ["s5", "s6"], "group": other})
    assert not page.get_by_role("button", name="Arrows").is_visible()
    studio.watched.run()
    page.locator("#details h2", has_text="moved").wait_for()
    page.wait_for_timeout(1200)
    arrows = page.get_by_role("button", name="Arrows")
    rings = count_ink(page)
    arrows.click()
    assert count_ink(page) > rings
    arrows.click()
    assert count_ink(page) == rings
    page.keyboard.press("Escape")
    page.locator("#details h2", has_text="moved").wait_for(state="detached")
    assert not arrows.is_visible()
    assert count_ink(page) == 0
