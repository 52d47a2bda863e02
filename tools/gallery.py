"""The gallery: run the examples, take pictures of their reports, write the page `docs/gallery.md`.

    python -m tools.gallery [--data FOLDER]

Needs the extra `test` (Playwright, Pillow) and a Chromium. With `--data`, the folder of corpora, the news are
stories of Reuters-21578; these may not be passed on, so the example itself has made-up texts. Without it,
only the other pictures are taken, and the page keeps what it says about the news.
"""

from __future__ import annotations

import argparse
import gzip
import json
import runpy
import tempfile
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from colligate import Result

ROOT = Path(__file__).parents[1]
PAGE, PICTURES = ROOT / "docs" / "gallery.md", ROOT / "docs" / "images" / "gallery"
FACTS = PICTURES / "facts.json"
REUTERS, N_TOPICS = "reuters21578.jsonl.gz", 10
WIDTH, HEIGHT = 1100, 900
COLOURS = 128


@dataclass(frozen=True)
class Shot:
    """A picture: its name, the part of the report by its selector, and what it shows."""

    name: str
    selector: str
    caption: str


@dataclass(frozen=True)
class Entry:
    """A part of the gallery: an example, how its result is made, and the pictures of its report."""

    title: str
    example: str
    text: str
    shots: tuple[Shot, ...]
    run: Callable[[dict[str, Any], Path | None], Result | None]
    function: str = "cluster"


def run_news(example: dict[str, Any], data: Path | None) -> Result | None:
    """The stories of Reuters-21578 with one of the ten largest topics, if there is a data folder."""
    if data is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "news.jsonl"
        with path.open("w", encoding="utf-8") as stream:
            stream.writelines(json.dumps(story) + "\n" for story in read_reuters(data))
        return example["cluster"](path, N_TOPICS)  # type: ignore[no-any-return]


def read_reuters(data: Path) -> Iterator[dict[str, str]]:
    """Stories as the example reads them."""
    with gzip.open(data / REUTERS, "rt", encoding="utf-8") as stream:
        stories = [json.loads(line) for line in stream]
    stories = [story for story in stories if story["text"] and len(story["topics"]) == 1]
    largest = dict(Counter(story["topics"][0] for story in stories).most_common(N_TOPICS))
    for story in stories:
        if story["topics"][0] in largest:
            day = datetime.strptime(story["date"].split()[0].title(), "%d-%b-%Y").date().isoformat()
            yield {"id": str(story["id"]), "date": day, "title": story["title"], "text": story["text"]}


def run_papers(example: dict[str, Any], _: Path | None) -> Result:
    """The sample of DBLP that the example has."""
    lines = example["SAMPLE"].read_text(encoding="utf-8").splitlines()
    return example["cluster"]([json.loads(line) for line in lines])  # type: ignore[no-any-return]


def run_example(example: dict[str, Any], _: Path | None) -> Result:
    """What the example makes of its own data."""
    return example["cluster"]()  # type: ignore[no-any-return]


def run_survey(example: dict[str, Any], _: Path | None) -> Result:
    """The grouping with the words of both languages."""
    return example["cluster"](example["make_knowledge"]())  # type: ignore[no-any-return]


def run_stream(example: dict[str, Any], _: Path | None) -> Result:
    """The groups after the last month."""
    return example["cluster"]()[-1][1]  # type: ignore[no-any-return]


ENTRIES = (
    Entry(
        "News",
        "news_over_time",
        """\
Stories with a date: what they are about, and when. The pictures are of Reuters-21578, stories of ten topics
from February to October 1987. The example runs on made-up texts unless you name a file.
[The evaluation](evaluation.md#groups-over-time) compares shares over time with known classes.""",
        (
            Shot("news-map", "#map .scroll", "The map: each dot is a story"),
            Shot("news-time", "#columns", "Groups over time, from the column `date`"),
        ),
        run_news,
    ),
    Entry(
        "Support tickets",
        "support_tickets",
        """\
Three groups are expected and get their names by seed words; the others are found. The tickets are made up.
""",
        (
            Shot("tickets-map", "#map .scroll", "Named groups and found ones"),
            Shot("tickets-audit", "#audit", "The audit: which statements hold"),
        ),
        run_example,
    ),
    Entry(
        "Papers with authors and venues",
        "dblp_network",
        """\
400 titles of DBLP, with authors and venues as objects of their own types. All are grouped together, and a
group shows its typical objects of each type. The data are real (CC0).""",
        (
            Shot("papers-map", "#map .scroll", "Papers in four groups"),
            Shot("papers-group", "#groups article", "A group: words, authors, venues, typical papers"),
        ),
        run_papers,
    ),
    Entry(
        "A survey in two languages",
        "survey_in_two_languages",
        """\
English and German answers share no words. Words alone separate the languages first; a few words of each
theme, in both languages, join them. The answers are made up.""",
        (Shot("survey-languages", "#columns", "Each group has answers in both languages"),),
        run_survey,
    ),
    Entry(
        "A stream of months",
        "stream_of_months",
        """\
Each month is added with `update`. Groups keep their numbers; from the fourth month on there is a new one.
The news are made up.""",
        (Shot("stream-time", "#columns", "Groups by month: *strike* begins in April"),),
        run_stream,
    ),
)


def take_pictures(reports: dict[str, Path]) -> None:
    """Take the pictures of every report."""
    from playwright.sync_api import sync_playwright

    from tests.studio.browser.helpers import chromium_path

    PICTURES.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, reduced_motion="reduce")
        for entry in ENTRIES:
            if entry.example not in reports:
                continue
            page.goto(reports[entry.example].as_uri())
            page.wait_for_load_state("networkidle")
            for shot in entry.shots:
                part = page.locator(shot.selector).first
                part.scroll_into_view_if_needed()
                part.screenshot(path=PICTURES / f"{shot.name}.png")
                shrink(PICTURES / f"{shot.name}.png")
        browser.close()


def shrink(path: Path) -> None:
    """Store a picture with few colours, and not longer than it is wide."""
    from PIL import Image

    with Image.open(path) as picture:
        part = picture.crop((0, 0, picture.width, min(picture.height, picture.width)))
    part.convert("RGB").quantize(COLOURS).save(path, optimize=True)


def state_facts(result: Result) -> str:
    """One line about a result: how many documents, and the names of the groups."""
    sizes = result.groups["size"].to_pylist()
    groups = "; ".join(f"{name} ({size:,})" for name, size in zip(result.group_names, sizes, strict=True))
    return f"{len(result.labels[result.centre]):,} documents in {result.n_groups()} groups: {groups}."


def compose_page(facts: dict[str, str]) -> str:
    """The page: for each example its text, pictures, code and groups."""
    parts = [INTRODUCTION]
    for entry in ENTRIES:
        shots = "\n\n".join(f"![{shot.caption}](images/gallery/{shot.name}.png)" for shot in entry.shots)
        code = f"```{{literalinclude}} ../examples/{entry.example}.py\n:pyobject: {entry.function}\n```"
        parts += [
            f"## {entry.title}",
            entry.text,
            shots,
            f"`examples/{entry.example}.py`, the part that groups:",
            code,
            facts[entry.example],
        ]
    return "\n\n".join(part.strip() for part in parts) + "\n"


INTRODUCTION = """# Gallery

Five kinds of documents, each with a short example that runs offline: `python examples/NAME.py` from the
repository. All use the default method. The pictures are parts of the report, which
`result.report("report.html")` writes. `python -m tools.gallery` runs the examples, takes the pictures and
writes this page. Where texts are made up (`python -m tools.made_up_texts`), it says so: groups in them are
easier to find than in real texts.
"""


def main() -> None:
    """Run the examples, take the pictures, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="the folder of corpora, for the news")
    data = parser.parse_args().data
    facts = json.loads(FACTS.read_text(encoding="utf-8")) if FACTS.exists() else {}
    with tempfile.TemporaryDirectory() as folder:
        reports = {}
        for entry in ENTRIES:
            example = runpy.run_path(str(ROOT / "examples" / f"{entry.example}.py"))
            result = entry.run(example, data)
            if result is not None:
                reports[entry.example] = result.report(Path(folder) / f"{entry.example}.html", entry.title)
                facts[entry.example] = state_facts(result)
        take_pictures(reports)
    FACTS.write_text(json.dumps(facts, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PAGE.write_text(compose_page(facts), encoding="utf-8")


if __name__ == "__main__":
    main()
