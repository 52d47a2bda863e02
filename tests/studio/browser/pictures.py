"""Pictures of every screen of the studio, at three sizes, light and dark.

`python -m tests.studio.browser.pictures --out FOLDER` takes them. Each screen is checked with axe, and no
request may leave the machine. What is wrong is printed, and then the exit code is 1.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from colligate.cli.options import DEFAULT_METHOD
from colligate.corpus import Corpus
from colligate.studio.project import Project, Settings
from colligate.studio.project.folder import hash_input
from tests.studio.browser.helpers import TOUR, Studio, chromium_path, open_page
from tests.studio.browser.news import write_news

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, Page

SIZES = {"1440": (1440, 900), "1024": (1024, 768), "390": (390, 844)}
SCHEMES = ("light", "dark")
FLAGS = ["--no-sandbox", "--disable-dev-shm-usage", "--force-color-profile=srgb"]
MAP = "#view canvas:not([hidden])"
SETTLED_MS = 500  # animations of the map and of panels


class Stage:
    """A studio with two runs, and statements of every kind."""

    def __init__(self, folder: Path) -> None:
        docs = write_news(folder / "news.csv")
        settings = Settings(docs.name, hash_input(docs), DEFAULT_METHOD, 5)
        Project.create(folder / "news.studio", Corpus.read(docs), settings).close()
        self.folder = folder / "news.studio"
        self.studio = Studio(self.folder)
        session, groups = self.studio.session, self.studio.groups()
        numbers = sorted(set(groups.values()))
        ids = list(groups)
        session.record("name", {"group": numbers[0], "name": "Film and music"})
        session.record("label", {"documents": ids[:4], "group": numbers[1]}, why="read by hand")
        session.record("category", {"group": numbers[3], "word": "olympic"})
        session.record("apart", {"type": "documents", "items": [ids[10], ids[11]]})
        session.record("split", {"group": numbers[2], "into": 2})
        assert self.studio.watched.run()["status"] == "done"
        session.record("outside", {"document": ids[20]})
        session.record("freeze", {"group": numbers[4]})
        self.group = numbers[0]

    def close(self) -> None:
        self.studio.close()


def go(page: Page, route: str, selector: str) -> None:
    page.evaluate("route => { location.hash = `#/${route}`; }", route)
    page.locator(selector).first.wait_for()


def press(page: Page, stage: Stage, key: str, route: str = "") -> None:
    go(page, route or f"map/group/{stage.group}", "#details article")
    page.locator("#middle").focus()
    page.keyboard.press(key)
    page.locator("dialog[open]").wait_for()
    if key == "g":
        page.keyboard.press("ArrowDown")  # no group is chosen at first
    page.locator("dialog .preview:not(:empty), dialog .keys, dialog input").first.wait_for()


def search(page: Page, stage: Stage) -> None:
    go(page, "map", MAP)
    page.locator("#search > input").fill("market")
    page.locator("#hits .row").first.wait_for()


def seed_word(page: Page, stage: Stage) -> None:
    go(page, f"map/group/{stage.group}", "#details .word")
    page.locator("#details .word").first.click()
    page.get_by_label("Group", exact=True).select_option("new")
    page.get_by_label("Name of the new group").fill("Music")
    page.locator("dialog .preview p").first.wait_for()


def list_documents(page: Page, stage: Stage) -> None:
    go(page, "map", MAP)
    page.get_by_role("button", name="List").click()
    page.locator(".row").first.wait_for()


def open_dialog(page: Page, button: str) -> None:
    go(page, "map", MAP)
    page.get_by_role("button", name=button, exact=True).click()
    page.locator("dialog[open]").wait_for()


def select_some(page: Page, stage: Stage) -> None:
    search(page, stage)
    page.get_by_role("button", name="Select all hits").click()
    page.locator(".selected").wait_for()


def show_column(page: Page, name: str) -> None:
    go(page, "columns", ".by-column")
    page.get_by_label("Column", exact=True).select_option(name)
    page.get_by_role("region", name=f"by {name}").locator("td button").nth(3).click()
    page.locator(".selected").wait_for()


def begin_tour(page: Page, stage: Stage) -> None:
    page.context.clear_cookies(name=TOUR)
    page.reload()
    page.locator(".tour").wait_for()


def show_tree(page: Page, stage: Stage) -> None:
    """Scroll to the tree of groups."""
    go(page, "words", ".tree")
    # the page may be filled again meanwhile, so that an element that was found is gone
    page.evaluate("document.querySelector('.tree').scrollIntoView({ block: 'end' })")


SCREENS: dict[str, Callable[[Page, Stage], None]] = {
    "map": lambda page, stage: go(page, "map", MAP),
    "group": lambda page, stage: go(page, f"map/group/{stage.group}", "#details .row"),
    "list": list_documents,
    "document": lambda page, stage: go(page, "map/document/3", "#details .id"),
    "search": search,
    "selection": select_some,
    "words": lambda page, stage: go(page, "words", ".heat"),
    "tree": show_tree,
    "ask": lambda page, stage: go(page, "ask", ".question"),
    "changes": lambda page, stage: go(page, "map/changes", ".flows"),
    "column": lambda page, stage: show_column(page, "section"),
    "time": lambda page, stage: show_column(page, "date"),
    "compare": lambda page, stage: go(page, "compare", ".figures"),
    "knowledge": lambda page, stage: go(page, "knowledge", ".verdicts"),
    "move": lambda page, stage: press(page, stage, "m", "map/document/3"),
    "merge": lambda page, stage: press(page, stage, "g"),
    "split": lambda page, stage: press(page, stage, "s"),
    "rename": lambda page, stage: press(page, stage, "r"),
    "seed-word": seed_word,
    "options": lambda page, stage: open_dialog(page, "Run options"),
    "export": lambda page, stage: open_dialog(page, "Export"),
    "keys": lambda page, stage: press(page, stage, "?"),
    "first-steps": begin_tour,
}


def leave(page: Page) -> None:
    """Go back to the map without a dialog, a search or a selection."""
    while page.locator("dialog[open]").count():
        page.keyboard.press("Escape")
    if page.get_by_role("button", name="Close the search").is_visible():
        page.get_by_role("button", name="Close the search").click()
    page.evaluate("() => { location.hash = '#/map'; }")
    listed = page.get_by_role("button", name="List")
    if listed.get_attribute("aria-pressed") == "true":
        listed.click()
    page.locator("#middle").focus()
    page.keyboard.press("Escape")
    if page.locator(".tour").count():
        page.locator(".tour").get_by_role("button", name="Close").click()


def find_problems(page: Page) -> list[str]:
    """What axe finds, and what is wider than the window."""
    from axe_playwright_python.sync_playwright import Axe

    problems = [
        f"{each['id']}: {each['nodes'][0]['html'][:120]}" for each in Axe().run(page).response["violations"]
    ]
    width = page.viewport_size["width"] if page.viewport_size else 0
    if page.evaluate("document.documentElement.scrollWidth") > width:
        problems.append("the page is wider than the window")
    return problems


def take(page: Page, out: Path, name: str, problems: list[str]) -> None:
    page.wait_for_timeout(SETTLED_MS)
    page.screenshot(path=out / f"{name}.png", animations="disabled")
    problems += [f"{name}: {problem}" for problem in find_problems(page)]


def take_all(browser: Browser, out: Path, only: set[str]) -> list[str]:
    """Take the pictures of all screens; return what is wrong."""
    problems: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        stage = Stage(Path(folder))
        host = stage.studio.address.split("/")[2]
        page = open_page(browser, stage.studio, bypass_csp=True, reduced_motion="reduce")
        page.on("request", lambda request: problems.extend(check_host(request.url, host)))
        variants = [(scheme, name, size) for scheme in SCHEMES for name, size in SIZES.items()]
        try:
            for scheme, size_name, (width, height) in variants:
                page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                page.set_viewport_size({"width": width, "height": height})
                for screen, show in SCREENS.items():
                    if not only or screen in only:
                        show(page, stage)
                        take(page, out, f"{screen}-{size_name}-{scheme}", problems)
                        leave(page)
        finally:
            stage.close()
        page.locator("#lost p").wait_for()
        for scheme, size_name, (width, height) in variants:
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": height})
            take(page, out, f"lost-{size_name}-{scheme}", problems)
        problems += [f"script error: {error}" for error in page.errors]  # type: ignore[attr-defined]
    return problems


def check_host(address: str, host: str) -> list[str]:
    """Complain about a request to another machine."""
    is_here = address.startswith((f"http://{host}/", "blob:", "data:"))
    return [] if is_here else [f"a request left the machine: {address}"]


def main(arguments: Any = None) -> int:
    """Take the pictures, and print what is wrong."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="the folder of the pictures")
    parser.add_argument("--only", action="append", default=[], help="a screen, such as map; may be repeated")
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        problems = take_all(browser, options.out, set(options.only))
        browser.close()
    print("\n".join(problems) or "nothing is wrong")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
