"""A whole session on the demo corpus: correct, cluster again, undo, close, reopen, export, and make again."""

from __future__ import annotations

import csv
import json
import shlex
import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
import pytest
from typer.testing import CliRunner

from colligate.cli.main import app
from tests.studio.browser.helpers import demo_texts, open_page, picture
from tests.studio.test_command import Studio

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

AT_ONCE = 500
FILES = ("wikipedia.jsonl", "news.csv", "knowledge.yaml", "start.json")


class Truth:
    """The subjects of the texts, held against the groups of a studio."""

    def __init__(self, docs: Path) -> None:
        rows = [json.loads(line) for line in docs.read_text(encoding="utf-8").splitlines()]
        self.of = {row["id"]: row["group"] for row in rows}

    def homes(self, groups: dict[str, int]) -> dict[str, int]:
        """For every subject, the group that holds most of it."""
        return {
            name: int(np.bincount([groups[id] for id, own in self.of.items() if own == name]).argmax())
            for name in set(self.of.values())
        }

    def wrong(self, groups: dict[str, int]) -> list[str]:
        """The texts that are not where most of their subject is."""
        homes = self.homes(groups)
        return [id for id, own in self.of.items() if groups[id] != homes[own]]


@contextmanager
def commanded(docs: Path, n_clusters: int = 6) -> Iterator[Studio]:
    """The studio as a person starts it, who ends it by Ctrl-C."""
    started = Studio(docs, "--clusters", n_clusters, "--who", "Ada")
    try:
        yield started
        code, told = started.end(signal.SIGINT)
        assert code == 0, told
    finally:
        started.process.kill()
        started.process.communicate()


def groups_of_page(page: Page) -> dict[str, int]:
    """The lasting number of the group of every document of the last run, as the server tells it."""
    place = page.url.partition("#")[0].rstrip("/")
    project = page.request.get(f"{place}/api/project").json()
    found = {}
    for start in range(0, project["counts"][project["centre"]], AT_ONCE):
        end = min(start + AT_ONCE, project["counts"][project["centre"]])
        request = {"at": list(range(start, end)), "limit": AT_ONCE}
        rows = page.request.post(f"{place}/api/runs/{project['current']}/documents", data=request).json()
        found |= {row["id"]: row["group"] for row in rows["documents"]}
    return found


def look_up(page: Page, id: str) -> None:
    """Find a document by the keyboard, and open it."""
    page.keyboard.press("/")
    page.keyboard.type(id)
    page.locator(".results .row", has_text=id).first.click()
    page.locator("#search > input").fill("")
    page.keyboard.press("Escape")


def cluster_again(page: Page, run: int) -> None:
    page.locator("#view").click(position={"x": 5, "y": 5})
    page.keyboard.press("Space")
    page.wait_for_selector(f".runs option[value='{run}']", state="attached")
    page.get_by_text(f"Run {run} is done").first.wait_for()


def journal(page: Page) -> list[str]:
    return page.locator("#journal .what").all_inner_texts()


def same_groups(one: list[object], other: list[object]) -> bool:
    pairs = set(zip(one, other, strict=True))
    return len(pairs) == len(set(one)) == len(set(other))


def correct(page: Page, wrong: str, home: int) -> None:
    look_up(page, wrong)
    page.locator("#details .id", has_text=wrong).wait_for()
    picture(page, "document")
    page.keyboard.press("m")
    page.keyboard.type(str(home))
    page.keyboard.press("Enter")
    page.locator("#journal .what", has_text=f"{wrong} belongs in").wait_for()


def set_apart(page: Page, one: str, other: str) -> None:
    look_up(page, one)
    page.locator("#details .id", has_text=one).wait_for()
    page.keyboard.press("a")
    look_up(page, other)
    page.locator("#journal .what", has_text=f"{one} and {other} belong apart").wait_for()


def fate(page: Page, one: str, other: str) -> str:
    """What the page says became of the two, the same in the journal and in the audit; broken has a reason."""
    said = page.locator("#journal li", has_text=f"{one} and {other} belong apart")
    verdict = said.locator(".verdict").inner_text()
    lines = page.get_by_role("region", name="Lines of the knowledge file")
    line = lines.locator("tr", has_text="belong apart")
    assert line.locator(".verdict").inner_text() == verdict
    for place in (said, line):
        assert place.locator(".reason").count() == (verdict == "broken")
    if verdict == "broken":
        assert "both are in group " in line.locator(".reason").inner_text()
    return verdict


def add_seed_word(page: Page, word: str, category: str) -> None:
    page.locator("#search > input").fill(word)
    page.locator(".results .word", has_text=word).first.click()
    page.get_by_label("Group", exact=True).select_option("new")
    page.get_by_label("Name of the new group").fill(category)
    page.keyboard.press("Enter")
    page.locator("#journal .what", has_text=f"{word} is about the new group {category}").wait_for()
    page.get_by_role("button", name="Close the search").click()


def first_sitting(browser: Browser, studio: Studio, truth: Truth) -> tuple[dict[str, int], list[str]]:
    """Correct, cluster again, see what moved and what became of it, undo, cluster again."""
    page = open_page(browser, studio)
    first = groups_of_page(page)
    picture(page, "map")
    wrong = truth.wrong(first)[0]
    home = truth.homes(first)[truth.of[wrong]]
    correct(page, wrong, home)
    other = next(id for id in first if first[id] == home and truth.of[id] != truth.of[wrong])
    set_apart(page, other, wrong)
    add_seed_word(page, "telescope", "stargazing")

    cluster_again(page, 2)
    assert groups_of_page(page)[wrong] == home
    page.locator("#details h2", has_text="moved").wait_for()
    page.locator("#journal li", has_text=f"{wrong} belongs in").locator(".verdict.kept").wait_for()
    page.wait_for_timeout(1500)  # until the points are where they belong
    picture(page, "changes")
    page.keyboard.press("4")
    page.get_by_role("heading", name="Outcome of every line in run 2").wait_for()
    groups = groups_of_page(page)
    are_apart = groups[other] != groups[wrong]
    assert fate(page, other, wrong) == ("kept" if are_apart else "broken")
    assert page.get_by_role("region", name="Statements").get_by_text("Ada").count() == 3
    picture(page, "knowledge")

    page.keyboard.press("u")
    page.locator("#journal li.undone", has_text="telescope is about the new group stargazing").wait_for()
    cluster_again(page, 3)
    page.keyboard.press("2")
    page.locator(".heat").first.wait_for()
    picture(page, "words")
    page.keyboard.press("3")
    page.locator(".figures").wait_for()
    picture(page, "compare")
    assert page.errors == []
    groups, said = groups_of_page(page), journal(page)
    page.context.close()
    return groups, said


def export(page: Page, folder: Path) -> str:
    """Save the files of the last run, and tell the command that goes with them."""
    page.keyboard.press("4")
    for name in ("knowledge.yaml", "start.json"):
        with page.expect_download() as download:
            page.get_by_role("link", name=f"{name} of run 3").first.click()
        download.value.save_as(folder / name)
    return page.locator(".command:visible").inner_text()


def test_a_whole_session(browser, tmp_path):
    docs = demo_texts(tmp_path)
    with commanded(docs) as studio:
        groups, said = first_sitting(browser, studio, Truth(docs))
    with commanded(docs) as studio:
        page = open_page(browser, studio, accept_downloads=True, color_scheme="dark")
        assert journal(page) == said
        assert groups_of_page(page) == groups
        picture(page, "dark")
        command = export(page, tmp_path)
        page.context.close()
    made = {row["id"]: row["cluster"] for row in rows_of_command(command, tmp_path)}
    assert same_groups([made[id] for id in groups], list(groups.values()))


def rows_of_command(command: str, folder: Path) -> list[dict[str, str]]:
    """The documents that the command line makes of the exported files."""
    words = [str(folder / word) if word in FILES else word for word in shlex.split(command)]
    found = CliRunner().invoke(app, [*words[1:], "--out", str(folder / "made")])
    assert found.exit_code == 0, found.output
    with (folder / "made" / "documents.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))
