"""A whole session on the demo corpus: see, correct, cluster again, undo, close, reopen, export, and make again."""

from __future__ import annotations

import csv
import json
import shlex
from typing import TYPE_CHECKING

import numpy as np
import pytest
from typer.testing import CliRunner

from colligate.cli.main import app
from tests.studio.browser.helpers import Studio, demo_project, open_page, picture

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = pytest.mark.slow


class Truth:
    """The newsgroups of the posts, held against the groups of a studio."""

    def __init__(self, docs: Path) -> None:
        rows = [json.loads(line) for line in docs.read_text(encoding="utf-8").splitlines()]
        self.of = {row["id"]: row["group"] for row in rows}

    def homes(self, groups: dict[str, int]) -> dict[str, int]:
        """For every newsgroup, the group that holds most of it."""
        return {
            name: int(np.bincount([groups[id] for id, own in self.of.items() if own == name]).argmax())
            for name in set(self.of.values())
        }

    def wrong(self, groups: dict[str, int]) -> list[str]:
        """The posts that are not where most of their newsgroup is."""
        homes = self.homes(groups)
        return [id for id, own in self.of.items() if groups[id] != homes[own]]


def look_up(page: Page, id: str) -> None:
    """Find a document by the keyboard, and open it."""
    page.keyboard.press("/")
    page.keyboard.type(id)
    page.locator(".found .row", has_text=id).first.click()
    page.locator("#search input").fill("")


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


def test_a_whole_session(browser, tmp_path):
    folder = demo_project(tmp_path)
    truth, studio = Truth(tmp_path / "posts.jsonl"), Studio(folder)
    page = open_page(browser, studio)
    first = studio.groups()
    picture(page, "map")

    wrong = truth.wrong(first)[0]
    home = truth.homes(first)[truth.of[wrong]]
    look_up(page, wrong)
    page.locator("#details .id", has_text=wrong).wait_for()
    picture(page, "document")
    page.keyboard.press("m")
    page.keyboard.type(str(home + 1))
    page.keyboard.press("Enter")
    page.locator("#journal .what", has_text=f"{wrong} belongs in").wait_for()

    other = next(id for id in first if first[id] == home and truth.of[id] != truth.of[wrong])
    look_up(page, other)
    page.locator("#details .id", has_text=other).wait_for()
    page.keyboard.press("a")
    look_up(page, wrong)
    page.locator("#journal .what", has_text=f"{other} and {wrong} belong apart").wait_for()

    page.locator("#search input").fill("goalie")
    page.locator(".found .word", has_text="goalie").first.click()
    page.get_by_label("Category or word").fill("ice")
    page.keyboard.press("Enter")
    page.locator("#journal .what", has_text="goalie is about ice").wait_for()

    cluster_again(page, 2)
    second = studio.groups()
    assert second[wrong] == home
    page.locator("#details h2", has_text="moved").wait_for()
    page.locator("#journal li", has_text=f"{wrong} belongs in").locator(".verdict.kept").wait_for()
    picture(page, "changes")
    page.keyboard.press("4")
    page.get_by_role("heading", name="What became of it in run 2").wait_for()
    picture(page, "knowledge")

    page.keyboard.press("u")
    page.locator("#journal li.undone", has_text="goalie is about ice").wait_for()
    cluster_again(page, 3)
    third, said = studio.groups(), journal(page)
    page.keyboard.press("2")
    page.locator(".heat").first.wait_for()
    picture(page, "words")
    page.keyboard.press("3")
    page.locator(".figures").wait_for()
    picture(page, "compare")
    assert page.errors == []
    page.context.close()
    studio.close()

    studio = Studio(folder)
    page = open_page(browser, studio, accept_downloads=True, color_scheme="dark")
    assert journal(page) == said
    assert studio.groups() == third
    picture(page, "dark")
    page.keyboard.press("4")
    for name in ("knowledge.yaml", "start.json"):
        with page.expect_download() as download:
            page.get_by_role("link", name=f"Export {name}").click()
        download.value.save_as(tmp_path / name)
    command = page.locator(".command").inner_text()
    page.context.close()
    studio.close()

    made = groups_of_command(command, tmp_path)
    assert same_groups([made[id] for id in third], list(third.values()))


def groups_of_command(command: str, folder: Path) -> dict[str, str]:
    """What the command line makes of the exported files."""
    words = [
        str(folder / word) if word in ("knowledge.yaml", "start.json") else word
        for word in shlex.split(command)
    ]
    found = CliRunner().invoke(app, [*words[1:], "--out", str(folder / "made")])
    assert found.exit_code == 0, found.output
    with (folder / "made" / "documents.csv").open(encoding="utf-8", newline="") as stream:
        return {row["id"]: row["cluster"] for row in csv.DictReader(stream)}
