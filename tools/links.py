"""Check the links inside the built documentation, and those of all Markdown files.

    python -m tools.links [HTML]

HTML is the folder that `sphinx-build` wrote, `docs/_build/html` by default. Sphinx does not check all
anchors, nor links of files outside `docs`, such as the README; Markdown is also read as it is. Addresses of
other hosts are not opened. The exit code is 1 if a link leads nowhere.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
MARKDOWN_LINK = re.compile(r"\[(?:[^\]\\]|\\.)*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^(`{3,}).*?^\1", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
INCLUDE = re.compile(r"^```\{include\} (\S+)", re.MULTILINE)
LABEL = re.compile(r"^\(([\w-]+)\)=$", re.MULTILINE)
ATTRIBUTES = {"a": "href", "img": "src", "link": "href", "script": "src"}


class Page(HTMLParser):
    """The anchors of a page, and what it links to."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep ids, and addresses of links, pictures, styles and scripts."""
        values = dict(attrs)
        self.anchors |= {value for key in ("id", "name") if (value := values.get(key))}
        if target := values.get(ATTRIBUTES.get(tag, "")):
            self.links.append(target)


@cache
def read_page(path: Path) -> Page:
    """Parse a page, once."""
    return Page(path)


def find_broken_links(folder: Path) -> Iterator[str]:
    """Yield every link of the built pages that leads to no file or to no anchor."""
    for path in sorted(folder.rglob("*.html")):
        for link in read_page(path).links:
            if problem := _check_link(path, link):
                yield f"{path.relative_to(folder)}: {link}: {problem}"


def _check_link(page: Path, link: str) -> str:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return ""
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if target.is_dir():
        target /= "index.html"
    if not target.is_file():
        return "there is no such file"
    anchor = unquote(parts.fragment)
    # the theme links to the top of a page, which needs no anchor
    if not anchor or target.suffix != ".html" or anchor in read_page(target).anchors:
        return ""
    return f"{target.name} has no anchor {anchor}"


def find_broken_markdown_links(files: list[Path]) -> Iterator[str]:
    """Yield every link of Markdown files that leads to no file or to no heading."""
    for path in files:
        text = FENCE.sub("", path.read_text(encoding="utf-8"))
        for link in MARKDOWN_LINK.findall(text):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.exists():
                yield f"{path.name}: {link}: there is no such file"
            elif parts.fragment and target.suffix == ".md" and parts.fragment not in _list_anchors(target):
                yield f"{path.name}: {link}: {target.name} has no heading {parts.fragment}"


@cache
def _list_anchors(path: Path) -> frozenset[str]:
    page = path.read_text(encoding="utf-8")
    text = FENCE.sub("", page)
    words = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading) for heading in HEADING.findall(text))
    slugs = (re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in words)
    included = (_list_anchors((path.parent / name).resolve()) for name in INCLUDE.findall(page))
    return frozenset(slugs).union(LABEL.findall(text), *included)


def list_markdown() -> list[Path]:
    """List the Markdown files of the repository."""
    command = ["git", "-C", str(ROOT), "ls-files", "*.md"]
    names = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return [ROOT / name for name in names]


def main(arguments: list[str] | None = None) -> int:
    """Run the command line."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="python -m tools.links", description=__doc__, formatter_class=raw)
    parser.add_argument("html", type=Path, nargs="?", default=ROOT / "docs" / "_build" / "html")
    folder = parser.parse_args(arguments).html.resolve()
    if not (folder / "index.html").is_file():
        parser.error(f"{folder} has no index.html; build the pages with sphinx-build first")
    problems = [*find_broken_links(folder), *find_broken_markdown_links(list_markdown())]
    for problem in problems:
        print(problem)
    n_links = sum(len(read_page(path).links) for path in folder.rglob("*.html"))
    print(f"{n_links:,} links on {len(list(folder.rglob('*.html')))} pages: {len(problems)} lead nowhere")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
