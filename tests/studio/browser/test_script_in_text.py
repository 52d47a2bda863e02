"""Script in texts, ids, words, names and knowledge is shown as what it is: text."""

from __future__ import annotations

import json

import pytest

from colligate.corpus import Corpus
from colligate.studio.project import Project, Settings
from colligate.studio.project.folder import hash_input
from tests.studio.browser.helpers import open_page, serving

SCRIPT = "<script>window.hurt=1</script>"
IMAGE = "<img src=x onerror='window.hurt=1'>"
COOKIE = "javascript:window.hurt=1"


@pytest.fixture(scope="module")
def page(browser, tmp_path_factory):
    folder = tmp_path_factory.mktemp("attack") / "a<b onload=alert(1)>"
    folder.mkdir()
    docs = folder / f"{IMAGE.replace('/', '')}.jsonl"
    texts = [f"{SCRIPT} bread butter oven {IMAGE}", f"{IMAGE} orbit moon rocket {COOKIE}"]
    rows = [{"id": f"{IMAGE}{number}", "text": texts[number % 2]} for number in range(40)]
    docs.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    settings = Settings(str(docs), hash_input(docs), "citcc", 2)
    knowledge = f'categories: {{"{SCRIPT}": [bread, butter]}}\n'
    project = Project.create(folder / "attack.studio", Corpus.read(docs), settings, knowledge)
    project.close()
    with serving(project.folder) as studio:
        yield open_page(browser, studio)


def test_nothing_of_it_runs_on_any_page(page):
    documents = ("map/document/0", "map/document/1")
    for place in ("map", "map/group/0", *documents, "words", "compare", "knowledge", "ask"):
        page.evaluate("place => { location.hash = `#/${place}`; }", place)
        page.wait_for_timeout(500)
    page.keyboard.press("1")
    page.evaluate("() => { location.hash = '#/map/document/0'; }")
    page.locator("#details h2", has_text=SCRIPT).wait_for()
    page.locator("#search > input").fill("<img")
    page.locator(".results .row").first.wait_for()
    page.keyboard.press("Escape")
    page.mouse.move(600, 380)
    page.wait_for_timeout(500)
    assert page.evaluate("window.hurt") is None
    assert page.locator("main img, aside img, #view script").count() == 0


def test_a_name_with_script_is_a_name(page):
    page.evaluate("() => { location.hash = '#/map/group/0'; }")
    page.locator("#details article").wait_for()
    page.keyboard.press("r")
    page.get_by_role("dialog").get_by_role("combobox").fill(SCRIPT + IMAGE)
    page.keyboard.press("Enter")
    page.locator("#groups .name", has_text=SCRIPT + IMAGE).wait_for()
    assert page.evaluate("window.hurt") is None
    assert page.errors == []
