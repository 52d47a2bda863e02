"""Dialogs say what an action would move before it is made: move, merge, split, thaw, and seed words."""

from __future__ import annotations


def group_of(studio, document):
    return studio.groups()[document]


def open_group(page, group):
    page.evaluate("group => { location.hash = `#/map/group/${group}`; }", group)
    page.locator("#details .facts").wait_for()


def preview(page, text):
    return page.locator("dialog .preview", has_text=text)


def head(studio):
    return studio.session.project.journal.head


def test_a_move_says_which_documents_would_go_where(page, studio):
    before, target = head(studio), group_of(studio, "h0")
    page.evaluate("() => { location.hash = '#/map/document/5'; }")
    page.locator("#details .id", has_text="s5").wait_for()
    page.keyboard.press("m")
    page.keyboard.type(str(target))
    preview(page, "1 document moves from").wait_for()
    page.keyboard.press("Escape")
    assert head(studio) == before


def test_a_merge_says_how_many_documents_would_go(page, studio):
    kept, gone = group_of(studio, "s0"), group_of(studio, "h0")
    before = head(studio)
    size = list(studio.groups().values()).count(gone)
    open_group(page, kept)
    page.keyboard.press("g")
    page.keyboard.type(str(gone))
    preview(page, f"{size} documents move from").wait_for()
    page.keyboard.press("Escape")
    assert head(studio) == before


def test_a_split_takes_a_number_and_lists_the_parts(page, studio):
    group = group_of(studio, "c0")
    size = list(studio.groups().values()).count(group)
    open_group(page, group)
    page.keyboard.press("s")
    page.get_by_label("Number of parts", exact=True).last.fill("3")
    parts = page.locator("dialog .parts .size")
    parts.nth(2).wait_for()
    assert sum(int(text.split()[0]) for text in parts.all_inner_texts()) == size
    page.locator("dialog").get_by_role("button", name="Split").click()
    page.locator("#journal .what", has_text="is 3 groups").wait_for()
    assert studio.session.project.journal.live()[-1].body["into"] == 3


def test_a_number_of_parts_that_is_too_large_is_not_taken(page, studio):
    before = head(studio)
    open_group(page, group_of(studio, "c0"))
    page.keyboard.press("s")
    page.get_by_label("Number of parts", exact=True).last.fill("9")
    page.locator("dialog").get_by_role("button", name="Split").click()
    assert page.locator("dialog[open]").count() == 1
    page.keyboard.press("Escape")
    assert head(studio) == before


def test_a_frozen_group_is_thawed_by_the_same_key(page, studio):
    group = group_of(studio, "f0")
    open_group(page, group)
    frozen = page.locator(f"#groups li[data-group='{group}']").get_by_role("img", name="frozen")
    page.keyboard.press("f")
    frozen.wait_for()
    page.locator("#details").get_by_role("button", name="Thaw").wait_for()
    page.keyboard.press("f")
    page.locator("#journal .what", has_text="documents may leave").wait_for()
    frozen.wait_for(state="detached")
    page.locator("#details").get_by_role("button", name="Freeze").wait_for()


def test_a_seed_word_names_a_group_or_makes_a_new_one(page, studio):
    group = group_of(studio, "h0")
    open_group(page, group_of(studio, "s0"))
    page.locator("#details .word").first.click()
    page.get_by_label("Group", exact=True).select_option(str(group))
    page.locator("dialog .preview p").first.wait_for()
    page.get_by_label("Group", exact=True).select_option("new")
    page.get_by_label("Name of the new group").fill("Flight")
    preview(page, "It makes a new group").wait_for()
    page.keyboard.press("Enter")
    page.locator("#journal .what", has_text="the new group Flight").wait_for()
    page.locator("#details .word").nth(1).click()
    page.get_by_label("Group", exact=True).select_option(str(group))
    page.locator("dialog").get_by_role("button", name="Apply").click()
    page.locator("#journal li.live .what", has_text="is about").nth(1).wait_for()
    assert studio.session.project.journal.live()[-1].body["group"] == group


def test_a_new_group_with_the_name_of_another_is_refused(page, studio):
    """Before, the word silently went to the group that has the name."""
    before, hockey = head(studio), group_of(studio, "h0")
    name = studio.session.project.names(studio.session.project.latest()).display(hockey).name
    open_group(page, group_of(studio, "s0"))
    page.locator("#details .word").first.click()
    page.get_by_label("Group", exact=True).select_option("new")
    page.get_by_label("Name of the new group").fill(name)
    preview(page, f"is taken: group {hockey}").wait_for()
    page.keyboard.press("Escape")
    assert head(studio) == before
