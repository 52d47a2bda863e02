"""Draw the pictures of the page on figures, by the Python of the page.

    python docs/draw_figures.py

Every figure that the page gives a name to is saved under this name. The picture of the widget is taken in
Chromium, where a small page plays the notebook.
"""

from __future__ import annotations

import contextlib
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from colligate.report.figure import Figure  # noqa: E402
from tests.studio.browser.helpers import chromium_path  # noqa: E402
from tests.studio.browser.test_map_widget import HOST, START  # noqa: E402
from tools.pages import read_blocks  # noqa: E402

PAGE, PICTURES = ROOT / "docs" / "figures.md", ROOT / "docs" / "images" / "figures"


def run_page() -> dict[str, Any]:
    """Run the Python of the page in an empty folder, and return its names."""
    names: dict[str, Any] = {"__name__": "page"}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for block in read_blocks(PAGE.read_text(encoding="utf-8")):
            if block.language == "python":
                exec(compile(block.text, str(PAGE), "exec"), names)
    return names


def draw_widget(widget: Any, path: Path) -> None:
    """Take a picture of the widget after a search."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium_path())
        page = browser.new_page(viewport={"width": 1180, "height": 600})
        page.expose_function("tellPython", lambda rows: widget.set_state({"rows": rows}))
        page.set_content(HOST.replace('data-jp-theme-light="false"', 'data-jp-theme-light="true"'))
        page.evaluate("document.querySelector('h1').remove(); document.body.style.margin = 0")
        page.evaluate("document.getElementById('cell').style.width = '1180px'")
        page.evaluate(START, [widget._esm, widget.get_state(["data", "height", "rows"])])
        page.locator("#search").fill("lunar orbit")
        page.locator("#select").wait_for()
        page.screenshot(path=path)
        browser.close()


def main() -> None:
    """Draw all pictures."""
    PICTURES.mkdir(exist_ok=True)
    names = run_page()
    for name, value in names.items():
        if isinstance(value, Figure):
            value.save(PICTURES / f"{name}.svg")
    draw_widget(names["result"].map_widget(height=600), PICTURES / "map_widget.png")


if __name__ == "__main__":
    main()
