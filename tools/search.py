"""Ask the search of the built documentation what strangers ask, and check that a first page has the answer.

    python -m tools.search [HTML] [--browser PATH]

HTML is the folder that `sphinx-build` wrote, `docs/_build/html` by default. The pages are served on this
machine, and a real browser sends each question to their search, as a reader does. A question is answered if
one of the pages that the search lists first has the answer. The exit code is 1 if one is not.
"""

from __future__ import annotations

import argparse
import functools
import re
import shutil
import sys
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote_plus, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parents[1]
FIRST = 3
"""How many pages a reader opens."""
LISTED = """() => {
  const summary = document.querySelector(".search-summary");
  return summary && /finished|found|did not match/i.test(summary.textContent);
}"""


@dataclass(frozen=True)
class Question:
    """What a stranger types, and words that are in its answer."""

    text: str
    answer: str


QUESTIONS = (
    Question("export groups to csv", "colligate export run --out groups.csv"),
    Question("two documents belong together", "together(documents="),
    Question("use my own embeddings", "a column of vectors or an array"),
    Question("where are my texts stored", "To delete them, delete these folders"),
    Question("delete my texts", "delete these folders"),
    Question("place new documents", "colligate predict run"),
    Question("how many groups should I choose", "--clusters auto"),
    Question("run on a GPU", "--device cuda"),
    Question("run on a cluster of machines", "--scheduler"),
    Question("undo a statement in the studio", "Press u"),
    Question("what does confidence mean", "meant as a"),
    Question("how do I cite colligate", "CITATION.cff"),
)


class Text(HTMLParser):
    """The words of a page, with single spaces."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._pieces: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))
        self.words = re.sub(r"\s+", " ", "".join(self._pieces))

    def handle_data(self, data: str) -> None:
        """Keep text."""
        self._pieces.append(data)


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a line for each."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """Serve a folder on this machine while it is needed, and give its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def search(page: Page, address: str, text: str) -> list[str]:
    """Return the files that the search lists first, best first."""
    page.goto(f"{address}/search.html?q={quote_plus(text)}")
    page.wait_for_function(LISTED)
    links = page.locator("ul.search li > a").evaluate_all("found => found.map((link) => link.href)")
    files = dict.fromkeys(urlsplit(link).path.lstrip("/") for link in links)
    return list(files)[:FIRST]


def find_answer(folder: Path, files: list[str], question: Question) -> str | None:
    """Return the first of the files that has the answer."""
    return next((name for name in files if question.answer in Text(folder / name).words), None)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line."""
    from playwright.sync_api import sync_playwright

    description = __doc__.partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m tools.search", description=description)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "docs" / "_build" / "html")
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    parser.add_argument("--browser", default=found, help="the program; by default Chromium or Chrome")
    options = parser.parse_args(arguments)
    n_answered = 0
    with serve(options.folder) as address, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=options.browser, args=["--no-sandbox"])
        page = browser.new_page()
        for question in QUESTIONS:
            files = search(page, address, question.text)
            found = find_answer(options.folder, files, question)
            n_answered += found is not None
            print(f"{question.text}: {found or 'not answered by ' + (', '.join(files) or 'any page')}")
        browser.close()
    print(f"{n_answered} of {len(QUESTIONS)} questions are answered by one of the first {FIRST} pages")
    return 0 if n_answered == len(QUESTIONS) else 1


if __name__ == "__main__":
    sys.exit(main())
