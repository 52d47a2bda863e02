"""The studio's page: seconds to the first paint of 20 Newsgroups, frames per second of 200,000 points.

    python -m benchmarks.studio_page [--data FOLDER] [--repeats 3]

A project of all 18,846 documents is made and clustered once. Then, several times, it is opened by a new
server, and its page by a new window of Chromium, as by a user who comes back; `painted` is the browser's own
first paint with content, `map` the moment all points are drawn. The goal is 5 s for both. Then a map of
200,000 points is moved by hand; the goal is 30 frames per second. Exits with 1 if a goal is missed.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import colligate as cg
from benchmarks.studio import CLUSTERS, Studio
from benchmarks.timing import make_parser
from colligate.cli.options import DEFAULT_METHOD
from colligate.studio.project import Project, Settings
from colligate.studio.server.app import Server
from tests.studio.browser.frames import Frames, measured

if TYPE_CHECKING:
    from collections.abc import Iterator

    from colligate.studio.session import Session

GOAL, SMOOTH = 5.0, 30.0
FLAGS = ["--no-sandbox", "--disable-dev-shm-usage"]
DRAWN = "new Promise((done) => requestAnimationFrame(() => done(performance.now() / 1000)))"
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0].startTime / 1000"


@contextmanager
def open_page(browser: Any, folder: Path) -> Iterator[tuple[Any, Session]]:
    """Open a project anew, and its page, until its map is there."""
    studio = Studio(Project(folder))
    server = Server(studio.session, 0)
    thread = threading.Thread(target=server.serve_until_stopped)
    thread.start()
    try:
        page = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
        page.goto(server.address)
        page.wait_for_selector("#middle[data-ready]")
        page.wait_for_selector(".label:not([hidden])")
        yield page, studio.session
        page.context.close()
    finally:
        server.should_exit = True
        thread.join()
        studio.session.close()


def measure_paint(browser: Any, folder: Path) -> dict[str, float]:
    """The seconds of the first paint and of the map."""
    with open_page(browser, folder) as (page, _):
        return {"painted": page.evaluate(PAINTED), "map": page.evaluate(DRAWN)}


def measure_frames(browser: Any, folder: Path) -> Frames:
    """How the page follows the hand with many points."""
    with open_page(browser, folder) as (page, session):
        return measured(page, sorted(session.view().position))


def main() -> int:
    from playwright.sync_api import sync_playwright

    asked = make_parser(__doc__).parse_args()
    corpus = cg.Corpus.read(asked.data / "20newsgroups.jsonl.gz")
    with tempfile.TemporaryDirectory() as place, sync_playwright() as driver:
        folder = Path(place) / "project"
        studio = Studio(
            Project.create(folder, corpus, Settings("20newsgroups", "", DEFAULT_METHOD, CLUSTERS))
        )
        studio.run()
        studio.session.close()
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        timings = [measure_paint(browser, folder) for _ in range(asked.repeats)]
        frames = max((measure_frames(browser, folder) for _ in timings), key=lambda one: one.per_second)
        browser.close()
    shortest = {name: min(one[name] for one in timings) for name in timings[0]}
    print(
        f"{len(corpus):,} documents: "
        + ", ".join(f"{name} {value:.2f} s" for name, value in shortest.items())
    )
    print(frames)
    return int(max(shortest.values()) > GOAL or frames.per_second < SMOOTH)


if __name__ == "__main__":
    sys.exit(main())
