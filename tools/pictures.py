"""Take the pictures of reports in the documentation, in a real browser.

    python -m tools.pictures [--browser PATH]

Runs `colligate demo` and the tutorial, opens their reports in Chromium, and writes `docs/images/report.png`
and `docs/images/tutorial-*.png`. The pictures of the studio come from its tests:
`STUDIO_PICTURES=docs/images pytest tests/studio/browser`.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tools.pages import run_page

DOCS = Path(__file__).resolve().parents[1] / "docs"
WIDTH, HEIGHT = 1280, 1715


def take_picture(browser: Browser, report: Path, target: Path, part: str | None = None) -> None:
    """Take a picture of the top of a report, or of the part that a selector finds."""
    page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
    page.goto(report.resolve().as_uri())
    page.wait_for_timeout(1500)  # until the map is drawn
    (page.locator(part) if part else page).screenshot(path=target, animations="disabled")
    page.close()
    print(target)


def main() -> None:
    """Take all pictures."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    parser.add_argument("--browser", default=found, help="the program; by default Chromium or Chrome")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        subprocess.run([sys.executable, "-m", "colligate", "demo", "--out", f"{name}/demo"], check=True)
        run_page((DOCS / "tutorial.md").read_text(encoding="utf-8"), folder)
        browser = playwright.chromium.launch(executable_path=options.browser, args=["--no-sandbox"])
        take_picture(browser, folder / "demo" / "report.html", DOCS / "images" / "report.png")
        for run in ("first", "second"):
            take_picture(
                browser, folder / run / "report.html", DOCS / "images" / f"tutorial-{run}.png", "#map"
            )
        browser.close()


if __name__ == "__main__":
    main()
