"""A whole session on news: every kind of action, export, reopening, and making the groups again."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from tests.result.test_notebook import run_cells
from tests.studio.browser.helpers import open_page
from tests.studio.browser.news import SUBJECTS, read_sections, write_news
from tests.studio.browser.test_whole_session import (
    cluster_again,
    commanded,
    groups_of_page,
    journal,
    look_up,
    rows_of_command,
)

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

N_QUESTIONS = 20
EXPORTS = {"CSV": "documents.csv", "Interactive page": "map.html", "Notebook": "session.zip"}


class Sitting:
    """A page of the studio, and the sections that its user knows."""

    def __init__(self, page: Page, sections: dict[str, str]) -> None:
        self.page = page
        self.sections = sections
        self.place = page.url.partition("#")[0].rstrip("/")

    def api(self, path: str) -> Any:
        answer = self.page.request.get(f"{self.place}/api/{path}")
        assert answer.ok, answer.text()
        return answer.json()

    def run(self) -> int:
        return int(self.api("project")["current"])

    def groups(self) -> dict[int, dict[str, Any]]:
        """The groups of the last run, by their lasting number."""
        return {group["group"]: group for group in self.api(f"runs/{self.run()}/groups")}

    def members(self) -> dict[str, int]:
        return groups_of_page(self.page)

    def home(self, section: str) -> int:
        """The group that has most stories of a section."""
        members = self.members()
        numbers = Counter(members[id] for id, label in self.sections.items() if label == section)
        return numbers.most_common(1)[0][0]

    def open_group(self, group: int) -> None:
        item = self.page.locator(f"#groups li[data-group='{group}'] button")
        if item.get_attribute("aria-pressed") == "false":
            item.click()
        self.page.locator("#details .facts").wait_for()

    def open_document(self, id: str) -> None:
        look_up(self.page, id)
        self.page.locator("#details .id", has_text=id).wait_for()

    def recorded(self, text: str) -> None:
        self.page.locator("#journal li.live .what", has_text=text).first.wait_for()

    def verdict(self, text: str) -> str:
        entry = self.page.locator("#journal li.live", has_text=text).first
        return entry.locator(".verdict").inner_text()

    def cluster(self) -> None:
        cluster_again(self.page, self.run() + 1)


def rename(user: Sitting, group: int, name: str) -> None:
    """Rename a group; a new run then moves nothing, and confidence stays."""
    before, members = user.groups(), user.members()
    user.open_group(group)
    words = user.page.locator("#details .word").all_inner_texts()
    assert words[:3] == [entry["word"] for entry in before[group]["words"][:3]]
    user.page.keyboard.press("r")
    user.page.keyboard.type(name)
    user.page.keyboard.press("Enter")
    user.page.locator(f"#groups li[data-group='{group}'] .name", has_text=name).wait_for()
    user.cluster()
    assert user.members() == members
    after = user.groups()
    assert after[group]["name"] == name
    for number, row in before.items():
        assert after[number]["confidence"] == pytest.approx(row["confidence"], abs=0.05)


def move(user: Sitting, id: str, target: int) -> None:
    """Move a story; the dialog says so before, and other groups stay nearly as they were."""
    before = user.members()
    user.open_document(id)
    user.page.keyboard.press("m")
    user.page.keyboard.type(str(target))
    user.page.locator("dialog .preview", has_text="1 document moves from").wait_for()
    user.page.keyboard.press("Enter")
    user.recorded(f"{id} belongs in")
    user.cluster()
    after = user.members()
    assert after[id] == target
    assert user.verdict(f"{id} belongs in") == "kept"
    others = [other for other in before if before[other] != after[other] and other != id]
    assert len(others) <= 5


def add_seed_word(user: Sitting, word: str, group: int) -> None:
    """State what a word is about; the dialog tells a group from a new one, and what moves."""
    user.page.locator("#search > input").fill(word)
    user.page.locator(".results .word", has_text=word).first.click()
    choice = user.page.get_by_label("Group", exact=True)
    choice.select_option("new")
    user.page.get_by_label("Name of the new group").fill("Something else")
    user.page.locator("dialog .preview", has_text="It makes a new group").wait_for()
    choice.select_option(str(group))
    user.page.locator("dialog .preview[aria-busy=false]", has_text=re.compile("move")).wait_for()
    assert "new group" not in user.page.locator("dialog .preview").inner_text()
    user.page.locator("dialog").get_by_role("button", name="Apply").click()
    user.recorded(f"{word} is about")
    user.page.get_by_role("button", name="Close the search").click()
    names = {row["name"] for row in user.groups().values()}
    user.cluster()
    after = user.groups()
    assert len({row["name"] for row in after.values()}) == len(after) == len(names)
    assert user.verdict(f"{word} is about") == "kept"


def merge_and_split(user: Sitting, kept: int, gone: int) -> None:
    """Merge two groups, and split the merged one by a number; both dialogs say what moves."""
    before, sizes = user.members(), {number: row["size"] for number, row in user.groups().items()}
    user.open_group(kept)
    user.page.keyboard.press("g")
    user.page.keyboard.type(str(gone))
    user.page.locator("dialog .preview", has_text=f"{sizes[gone]} documents move from").wait_for()
    user.page.keyboard.press("Enter")
    user.page.locator("dialog").wait_for(state="detached")
    user.cluster()
    merged = user.members()
    assert gone not in user.groups()
    assert all(merged[id] == kept for id, group in before.items() if group in (kept, gone))
    assert sum(merged[id] != group for id, group in before.items() if group not in (kept, gone)) == 0
    user.open_group(kept)
    user.page.keyboard.press("s")
    user.page.get_by_label("Number of parts", exact=True).last.fill("2")
    parts = user.page.locator("dialog .parts .size")
    parts.nth(1).wait_for()
    shown = [int(text.split()[0]) for text in parts.all_inner_texts()]
    assert sum(shown) == user.groups()[kept]["size"]
    user.page.locator("dialog").get_by_role("button", name="Split").click()
    user.recorded("is 2 groups")
    user.cluster()
    after = user.groups()
    new = set(after) - set(sizes)
    assert len(new) == 1
    assert after[kept]["size"] == pytest.approx(shown[0], abs=3)


def freeze_and_thaw(user: Sitting, group: int) -> None:
    """Freeze a group, thaw it, undo both and redo the freezing."""
    mark = user.page.locator(f"#groups li[data-group='{group}']").get_by_role("img", name="frozen")
    user.open_group(group)
    user.page.keyboard.press("f")
    mark.wait_for()
    user.page.keyboard.press("f")
    mark.wait_for(state="detached")
    user.page.keyboard.press("u")
    mark.wait_for()
    user.page.keyboard.press("u")
    mark.wait_for(state="detached")
    user.page.keyboard.press("Shift+U")
    mark.wait_for()
    members = user.members()
    frozen = {id for id, number in members.items() if number == group}
    user.cluster()
    after = user.members()
    assert all(after[id] == group for id in frozen)


def take_out(user: Sitting, id: str) -> None:
    """State that a story is in no group."""
    user.open_document(id)
    user.page.keyboard.press("o")
    user.recorded(f"{id} belongs to no group")
    user.cluster()
    assert user.members()[id] == -1


def answer_questions(user: Sitting, number: int) -> None:
    """Answer questions from what the user knows of sections, by keys alone."""
    page = user.page
    homes = {user.home(section): section for section in SUBJECTS}
    names = {row["short"]: group for group, row in user.groups().items()}
    page.keyboard.press("5")
    page.locator(".question").wait_for()
    for k in range(number):
        page.evaluate("() => { document.querySelector('.question').dataset.old = 'true'; }")
        page.keyboard.press(answer_key(user, homes, names))
        page.locator(".question[data-old]").wait_for(state="detached")
        page.get_by_text(f"{k + 1} answer{'s' if k else ''} so far").wait_for()


def answer_key(user: Sitting, homes: dict[int, str], names: dict[str, int]) -> str:
    """The key for the question on display."""
    card = user.page.locator(".question")
    text = card.locator(".text").inner_text()
    ids = card.locator(".id").all_inner_texts()
    if text.startswith("Do"):
        return "y" if user.sections[ids[0]] == user.sections[ids[1]] else "n"
    choices = [names[name] for name in card.locator(".answer .name").all_inner_texts()]
    if text.startswith("Which group is the word"):
        word = text.partition("“")[2].partition("”")[0]
        about = next((section for section, words in SUBJECTS.items() if word in words.split()), None)
    else:
        about = user.sections[ids[0]]
    own = [k for k, group in enumerate(choices) if about and homes.get(group) == about]
    return "abcd"[own[0]] if own else "n"


def compare(user: Sitting) -> None:
    """Compare the first run with the last."""
    page, last = user.page, user.run()
    page.keyboard.press("3")
    page.get_by_label("First run").get_by_role("combobox").select_option("1")
    figures = page.locator(".figures dd")
    expected = user.api(f"compare?runs=1,{last}")
    page.get_by_text(f"Rows: groups of run 1; columns: groups of run {last}").wait_for()
    assert figures.first.inner_text() == f"{expected['nmi']:.3f}"
    assert expected["nmi"] > 0.6


def export(user: Sitting, folder: Path) -> str:
    """Save the documents, the map page, and the session; tell the command."""
    page = user.page
    page.get_by_role("button", name="Export", exact=True).click()
    for label, name in EXPORTS.items():
        with page.expect_download() as waiting:
            page.get_by_role("dialog").get_by_text(label, exact=True).click()
        waiting.value.save_as(folder / name)
    page.keyboard.press("Escape")
    page.keyboard.press("4")
    for name in ("knowledge.yaml", "start.json"):
        with page.expect_download() as waiting:
            page.get_by_role("link", name=f"{name} of run {user.run()}").first.click()
        waiting.value.save_as(folder / name)
    return page.locator(".command:visible").inner_text()


def check_files(folder: Path, user: Sitting, docs: Path) -> None:
    """The exported files have the groups, the names and all columns."""
    rows = list(csv.DictReader(io.StringIO((folder / "documents.csv").read_text(encoding="utf-8-sig"))))
    with docs.open(encoding="utf-8", newline="") as stream:
        stories = {row["id"]: row for row in csv.DictReader(stream)}
    members, groups = user.members(), user.groups()
    assert {row["id"]: int(row["cluster"]) for row in rows} == members
    for row in rows:
        story = stories[row["id"]]
        assert all(row[column] == story[column] for column in ("title", "date", "section"))
        assert story["text"] in row["text"]
        if row["cluster"] != "-1":
            assert row["name"] == groups[int(row["cluster"])]["name"]
    page = (folder / "map.html").read_text(encoding="utf-8")
    data = json.loads(re.findall(r'id="data">(.*?)</script>', page, re.S)[0])
    assert {group["number"]: group["name"] for group in data["groups"] if group["number"] >= 0} == {
        number: row["name"] for number, row in groups.items()
    }


def sit(browser: Browser, studio: Any, docs: Path) -> tuple[dict[str, int], dict[int, str], list[str]]:
    """The first sitting: every kind of action, with its outcome."""
    page = open_page(browser, studio)
    hosts = set()
    page.on("request", lambda request: hosts.add(request.url.split("/")[2]))
    user = Sitting(page, read_sections(docs))
    assert page.locator("#groups li").count() == len(SUBJECTS)
    rename(user, user.home("politics"), "UK politics")
    members = user.members()
    wrong = next(id for id, own in user.sections.items() if members[id] != user.home(own))
    move(user, wrong, user.home(user.sections[wrong]))
    add_seed_word(user, "olympic", user.home("sport"))
    merge_and_split(user, user.home("technology"), user.home("film"))
    freeze_and_thaw(user, user.home("politics"))
    take_out(user, next(id for id, group in user.members().items() if group == user.home("business")))
    answer_questions(user, N_QUESTIONS)
    user.cluster()
    compare(user)
    assert page.errors == []
    assert hosts <= {studio.address.split("/")[2]}
    names = {number: row["name"] for number, row in user.groups().items()}
    members, statements = user.members(), journal(page)
    page.context.close()
    return members, names, statements


def test_a_session_on_news_from_opening_to_making_its_groups_again(browser, tmp_path, monkeypatch):
    docs = write_news(tmp_path / "news.csv")
    with commanded(docs, 5) as studio:
        members, names, statements = sit(browser, studio, docs)
    with commanded(docs, 5) as studio:
        page = open_page(browser, studio, accept_downloads=True)
        user = Sitting(page, read_sections(docs))
        assert journal(page) == statements
        assert user.members() == members
        assert {number: row["name"] for number, row in user.groups().items()} == names
        assert len(page.locator("#groups .name").all_inner_texts()) == len(names)
        command = export(user, tmp_path)
        check_files(tmp_path, user, docs)
        assert page.errors == []
        page.context.close()
    rows = rows_of_command(command, tmp_path)
    assert {row["id"]: int(row["cluster"]) for row in rows} == members
    assert {int(row["cluster"]): row["name"] for row in rows if row["cluster"] != "-1"} == names
    zipfile.ZipFile(tmp_path / "session.zip").extractall(tmp_path / "notebook")
    result = run_cells(tmp_path / "notebook", monkeypatch)["result"]
    labels = result.numbers_of(result.labels["documents"]).tolist()
    assert dict(zip(members, labels, strict=True)) == members
    assert dict(zip(result.group_numbers, result.group_names, strict=True)) == names
