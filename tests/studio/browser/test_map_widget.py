"""The map as a widget, in a real browser: a small page plays the notebook, and a real widget plays Python."""

from __future__ import annotations

import pytest

from colligate.report.map_widget import make_map_widget
from tests.studio.browser.test_map_page import SCRIPT, make_map

HOST = """<!doctype html><meta charset="utf-8">
<body data-jp-theme-light="false"><style>h1 { color: red; }</style>
<h1>Notebook</h1><div id="cell" style="width: 1000px"></div></body>"""
START = """async ([source, state]) => {
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const { default: module } = await import(address);
  const listeners = new Map();
  window.model = {
    get: (name) => state[name],
    set: (name, value) => (state[name] = value),
    save_changes: () => tellPython(state.rows),
    on: (name, listener) => listeners.set(name, listener),
    off: (name) => listeners.delete(name),
    hear: (rows) => ((state.rows = rows), listeners.get("change:rows")?.()),
  };
  window.stop = module.render({ model, el: document.getElementById("cell") });
  window.listeners = listeners;
}"""


@pytest.fixture
def notebook(browser, tmp_path):
    pytest.importorskip("anywidget")
    widget = make_map_widget(make_map(), 500)
    path = tmp_path / "host.html"
    path.write_text(HOST, encoding="utf-8")
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.widget, page.errors, page.requests = widget, [], []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on("request", lambda request: page.requests.append(request.url))
    page.expose_function("tellPython", lambda rows: widget.set_state({"rows": rows}))
    page.goto(path.as_uri())
    page.evaluate(START, [widget._esm, widget.get_state(["data", "height", "rows"])])
    page.wait_for_selector("#list li")
    yield page
    assert page.errors == []
    assert all(url.startswith(("file:", "blob:")) for url in page.requests)
    assert page.evaluate("window.hurt") is None
    context.close()


def wait_for_selection(page, number):
    page.wait_for_function("number => model.get('rows').length === number", arg=number)


def place_of(page, row):
    box = page.locator("#canvas").bounding_box()
    side = min(box["width"], box["height"]) * 0.94
    view = make_map()
    return (
        box["x"] + box["width"] / 2 + (view.x[row] - 0.5) * side,
        box["y"] + box["height"] / 2 + (0.5 - view.y[row]) * side,
    )


def test_hovering_shows_a_document_and_a_click_selects_it(notebook):
    notebook.mouse.move(*place_of(notebook, 151))
    notebook.locator("#tip").wait_for()
    assert f"All about moon. {SCRIPT}" in notebook.locator("#tip").text_content()
    notebook.mouse.click(*place_of(notebook, 151))
    wait_for_selection(notebook, 1)
    assert notebook.widget.selected == ["story-151"]


def test_a_search_is_selected_and_python_selects_in_the_map(notebook):
    notebook.locator("#search").fill("needle17 moon")
    notebook.wait_for_function("() => cell.firstChild.shadowRoot.querySelectorAll('#list li').length === 3")
    assert notebook.widget.selected == []
    notebook.get_by_role("button", name="Select these").click()
    wait_for_selection(notebook, 3)
    assert sorted(notebook.widget.selected) == ["story-172", "story-175", "story-178"]
    notebook.get_by_text("Clear search and filters").click()
    wait_for_selection(notebook, 0)
    assert notebook.widget.selected == []
    notebook.widget.selected = ["story-3", "story-4"]
    notebook.evaluate("rows => model.hear(rows)", notebook.widget.rows)
    assert notebook.locator("#count").text_content() == "2 documents"


def test_a_rectangle_selects_what_is_in_it(notebook):
    x, y = place_of(notebook, 0)
    notebook.keyboard.down("Shift")
    notebook.mouse.move(x - 8, y + 8)
    notebook.mouse.down()
    notebook.mouse.move(x + 3, y - 60, steps=4)
    notebook.mouse.up()
    notebook.keyboard.up("Shift")
    notebook.wait_for_function("() => model.get('rows').length > 1")
    assert "story-0" in notebook.widget.selected
    assert {int(id.removeprefix("story-")) % 3 for id in notebook.widget.selected} == {0}


def test_neither_the_notebook_nor_the_map_styles_the_other_and_the_map_is_dark_as_the_notebook(notebook):
    assert notebook.evaluate("getComputedStyle(document.querySelector('h1')).color") == "rgb(255, 0, 0)"
    inside = "cell.firstChild.shadowRoot"
    assert notebook.evaluate(f"getComputedStyle({inside}.getElementById('title')).color") != "rgb(255, 0, 0)"
    assert notebook.evaluate(f"{inside}.getElementById('page').dataset.theme") == "dark"
    assert notebook.evaluate(f"{inside}.querySelectorAll('img, script').length") == 0
    notebook.evaluate("stop()")
    assert notebook.evaluate("listeners.size") == 0
